//! Digests of JSON values. The order of members and the spelling of numbers are significant, the escapes of strings are
//! not.

use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::HashMap;
use md5::{Digest, Md5};

/// The digests of the values of a document, each computed once.
pub(super) struct ValueDigests<'d> {
    pub(super) document: &'d JsonDocument,
    /// The digests of arrays and objects.
    known: HashMap<TokenId, u128>,
}

impl<'d> ValueDigests<'d> {
    pub(super) fn new(document: &'d JsonDocument) -> Self {
        Self { document, known: HashMap::new() }
    }

    /// Returns the digest of a value.
    ///
    /// Recurses by level; the parser limits the depth.
    pub(super) fn digest(&mut self, value: TokenId) -> u128 {
        let document = self.document;
        let is_scalar = document.is_scalar(value);
        let known = if is_scalar { None } else { self.known.get(&value) };
        if let Some(&known) = known {
            return known;
        }
        let mut md5 = Md5::new();
        match document.kind(value) {
            JsonKind::Array => {
                md5.update(b"[");
                for item in document.items(value) {
                    md5.update(self.digest(item).to_be_bytes());
                }
            }
            JsonKind::Object => {
                md5.update(b"{");
                for member in document.members(value) {
                    let key = document.symbol_text(member.symbol);
                    // Keys differ in length. Without the length, different members could give the same bytes.
                    md5.update((key.len() as u64).to_be_bytes());
                    md5.update(key);
                    md5.update(self.digest(member.value).to_be_bytes());
                }
            }
            JsonKind::String | JsonKind::EscapedString => {
                md5.update(b"\"");
                md5.update(document.string(value).unwrap_or_default().as_bytes());
            }
            _ => md5.update(document.raw(value)),
        }
        let digest = u128::from_be_bytes(md5.finalize().into());
        if !is_scalar {
            self.known.insert(value, digest);
        }
        digest
    }

    /// Returns the hash of a value, as it appears in differences.
    pub(super) fn hash(&mut self, value: TokenId) -> String {
        short(self.digest(value))
    }
}

/// Returns the hash of one value, as it appears in differences.
pub(in crate::sidecar) fn value_hash(document: &JsonDocument, value: TokenId) -> String {
    ValueDigests::new(document).hash(value)
}

/// Shortens a digest to the hash that appears in differences.
pub(super) fn short(digest: u128) -> String {
    format!("{:08x}", digest >> 96)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_json::{Limits, parse};

    fn hash(json: &str) -> String {
        let document = parse("test", json.to_owned(), Limits::default()).expect("well-formed JSON");
        ValueDigests::new(&document).hash(document.root())
    }

    #[test]
    fn values_have_one_digest_whatever_their_escapes_and_blanks() {
        assert_eq!(hash(r#"{"a": ["\u00e9", 1]}"#), hash(r#"{"\u0061":["é",1]}"#));
    }

    #[test]
    fn order_kind_and_spelling_of_numbers_count() {
        let texts = [
            "1",
            "1.0",
            "\"1\"",
            "true",
            "\"true\"",
            "[]",
            "{}",
            "\"[\"",
            "[1,2]",
            "[2,1]",
            "[[1],2]",
            r#"{"a":1,"b":2}"#,
            r#"{"b":2,"a":1}"#,
            r#"{"a":[1,"b",2]}"#,
        ];
        let hashes: std::collections::HashSet<String> = texts.iter().map(|text| hash(text)).collect();
        assert_eq!(hashes.len(), texts.len());
    }

    #[test]
    fn a_hash_stays_what_it_is() {
        // Stored sidecars contain such hashes, so they must not change.
        assert_eq!(hash(r#"{"a":[1,"b",null]}"#), "e2b71996");
    }
}
