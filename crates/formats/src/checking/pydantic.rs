//! Scalars as Pydantic reads them in its lax mode: a string may spell a number, and `yes` is true.
//! Python's `json` reads a number with a decimal point or an exponent as a float.

use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::borrow::Cow;

/// 2^63. Floats of this size or more do not count as integers: they do not fit into 64 bits.
const MOST_WHOLE: f64 = 9_223_372_036_854_775_808.0;

/// A version of Pydantic, by the values that it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PydanticVersion {
    /// Version 2.5.
    V2_5,
    /// Later versions, which also accept blanks around a number, and underscores in a number with a fraction.
    Later,
}

impl PydanticVersion {
    /// The number that a value is or spells; a boolean counts as 1 or 0.
    pub fn number(self, document: &JsonDocument, value: TokenId) -> Option<f64> {
        match document.kind(value) {
            JsonKind::True => Some(1.0),
            JsonKind::False => Some(0.0),
            JsonKind::Number => document.number(value)?.parse().ok(),
            _ => {
                let text = document.string(value)?;
                without_underscores(self.trimmed(&text))?.parse().ok()
            }
        }
    }

    /// The integer that a value is or spells, perhaps with zeros after a decimal point; a boolean counts as 1 or 0.
    /// It is returned as a double, since callers only compare it.
    pub fn integer(self, document: &JsonDocument, value: TokenId) -> Option<f64> {
        let Some(text) = document.string(value) else {
            let is_float = document.number(value).is_some_and(|text| text.contains(['.', 'e', 'E']));
            let fits = |number: &f64| !is_float || number.fract() == 0.0 && number.abs() < MOST_WHOLE;
            return self.number(document, value).filter(fits);
        };
        let text = self.trimmed(&text);
        let (whole, has_fraction) = match text.split_once('.') {
            Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => (whole, true),
            _ => (text, false),
        };
        if has_fraction && self == Self::V2_5 && whole.contains('_') {
            return None;
        }
        let whole = without_underscores(whole)?;
        let digits = whole.strip_prefix(['+', '-']).unwrap_or(&whole);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_whole.then(|| whole.parse().ok()).flatten()
    }

    /// The boolean that a value is or spells; 0 and 1 also spell one.
    pub fn boolean(self, document: &JsonDocument, value: TokenId) -> Option<bool> {
        match document.kind(value) {
            JsonKind::True => return Some(true),
            JsonKind::False => return Some(false),
            _ => {}
        }
        let Some(text) = document.string(value) else {
            let number: f64 = document.number(value)?.parse().ok()?;
            return (number == 0.0 || number == 1.0).then_some(number == 1.0);
        };
        spelled_truth(&text)
    }

    fn trimmed(self, text: &str) -> &str {
        if self == Self::V2_5 { text } else { text.trim() }
    }
}

/// The boolean that a string spells, as Pydantic reads it.
pub fn spelled_truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "t" | "true" | "y" | "yes" => Some(true),
        "0" | "off" | "f" | "false" | "n" | "no" => Some(false),
        _ => None,
    }
}

/// Returns a string without the single underscores inside it, or `None` if it has other underscores.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let is_wrong = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (!is_wrong).then(|| Cow::Owned(text.replace('_', "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_json::{Limits, parse};

    /// Lists which values of an array each version accepts.
    fn taken(
        values: &str,
        reads: impl Fn(PydanticVersion, &JsonDocument, TokenId) -> bool,
    ) -> Vec<[bool; 2]> {
        let document = parse("values.json", values.to_owned(), Limits::default()).expect("well-formed");
        let both = |value| {
            [PydanticVersion::V2_5, PydanticVersion::Later].map(|version| reads(version, &document, value))
        };
        document.items(document.root()).map(both).collect()
    }

    fn all_are(
        expected: [bool; 2],
        values: &str,
        reads: impl Fn(PydanticVersion, &JsonDocument, TokenId) -> bool,
    ) {
        for (at, found) in taken(values, reads).into_iter().enumerate() {
            assert_eq!(found, expected, "value {at} of {values}");
        }
    }

    const BOTH: [bool; 2] = [true, true];
    const NONE: [bool; 2] = [false, false];
    const LATER: [bool; 2] = [false, true];

    #[test]
    fn whole_numbers_are_read_as_pydantic_does() {
        let reads = |version: PydanticVersion, document: &JsonDocument, value| {
            version.integer(document, value).is_some()
        };
        all_are(BOTH, r#"[true, 1.0, "1", "1.0", "1.", "1_0", "-1_0", "+1", "-0", "01", 1e2]"#, reads);
        all_are(LATER, r#"["1_000.0", " 1 ", "7\n"]"#, reads);
        all_are(
            NONE,
            r#"[1.5, "1e3", "", ".0", "1.50", "1.0_0", 1e20, 9223372036854775807.0, "0x1",
                "--1", "1__0", "_1", "1_", "+", null, []]"#,
            reads,
        );
    }

    #[test]
    fn numbers_are_read_as_pydantic_does() {
        let reads = |version: PydanticVersion, document: &JsonDocument, value| {
            version.number(document, value).is_some()
        };
        all_are(
            BOTH,
            r#"[true, "0.5", "1_0.5", "nan", "inf", "-inf", "1e-1", ".5", "5.", "+0.5", "0_1", "0._5"]"#,
            reads,
        );
        all_are(LATER, r#"[" 0.5 "]"#, reads);
        all_are(NONE, r#"["_0.5", ".", "0x1", "", "1e", "0.5f", null, {}, "1__0"]"#, reads);
    }

    #[test]
    fn truth_is_read_as_pydantic_does() {
        let reads = |version: PydanticVersion, document: &JsonDocument, value| {
            version.boolean(document, value).is_some()
        };
        all_are(BOTH, r#"[true, 0, 1.0, 0.0, "TRUE", "t", "yes", "Y", "on", "off", "n", "1", "F"]"#, reads);
        all_are(NONE, r#"[2, 0.5, "1.0", " true ", "", "oui", null, []]"#, reads);
    }
}
