//! Fingerprints of results. A result has the same fingerprint in every run, even if its lines have moved.
//!
//! A fingerprint is made from the rule, the focus node, the path, the value and the file. Place and message are left
//! out: lines move, and messages may be reworded.

use std::collections::HashMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

/// A fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FindingFingerprint([u8; 16]);

/// The facts that a fingerprint is made from.
pub(super) struct FingerprintFacts<'r> {
    pub(super) rule: &'r str,
    pub(super) focus: &'r str,
    pub(super) path: Option<&'r str>,
    pub(super) value: Option<&'r str>,
    /// The normalised name of the file.
    pub(super) file: &'r str,
}

impl FindingFingerprint {
    pub(super) fn from_facts(facts: &FingerprintFacts<'_>) -> Self {
        let mut digest = Sha256::new();
        let texts = [Some(facts.rule), Some(facts.focus), facts.path, facts.value, Some(facts.file)];
        for text in texts {
            // The length marks where each text ends, and distinguishes an absent text from an empty one.
            digest.update(text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
            digest.update(text.unwrap_or_default());
        }
        let digest = digest.finalize();
        Self(std::array::from_fn(|at| digest[at]))
    }

    /// Parses a fingerprint, with or without its number.
    pub(super) fn read(text: &str) -> Option<Self> {
        let digits = text.split(':').next()?;
        if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        Some(Self(u128::from_str_radix(digits, 16).ok()?.to_be_bytes()))
    }
}

impl fmt::Display for FindingFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// Numbers equal fingerprints within a report, so each result has a unique one.
#[derive(Default)]
pub(super) struct FingerprintNumbering(HashMap<FindingFingerprint, u64>);

impl FingerprintNumbering {
    /// Returns the fingerprint with its number, starting at 1.
    pub(super) fn numbered(&mut self, fingerprint: FindingFingerprint) -> String {
        let number = self.0.entry(fingerprint).or_default();
        *number += 1;
        format!("{fingerprint}:{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::{FindingFingerprint, FingerprintFacts, FingerprintNumbering};

    #[test]
    fn a_fingerprint_is_read_back_and_tells_its_facts_apart() {
        let facts = |focus, path, value| FingerprintFacts { rule: "K-1", focus, path, value, file: "a.json" };
        let all = [
            facts("/a", None, None),
            facts("/a", Some(""), None),
            facts("/a", None, Some("")),
            facts("/", Some("a"), None),
        ];
        let all = all.map(|facts| FindingFingerprint::from_facts(&facts));
        for (at, one) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| one != other));
            assert!(FindingFingerprint::read(&FingerprintNumbering::default().numbered(*one)) == Some(*one));
        }
        assert!(FindingFingerprint::read("+1234567890123456789012345678901").is_none());
    }

    #[test]
    fn equal_results_are_numbered() {
        let one = FindingFingerprint::from_facts(&FingerprintFacts {
            rule: "K-1",
            focus: "",
            path: None,
            value: None,
            file: "a",
        });
        let mut numbering = FingerprintNumbering::default();
        assert!(numbering.numbered(one).ends_with(":1"));
        assert!(numbering.numbered(one).ends_with(":2"));
    }
}
