//! Functions on strings (SPARQL 1.1, section 17.4.3).

use super::value::Value;

/// A text, with its language if it has one.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) language: Option<String>,
}

impl Text {
    /// The argument of a function on string literals; none for other values.
    pub(super) fn of(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self { text, language: None }),
            Value::LanguageString(text, language) => Some(Self { text, language: Some(language) }),
            _ => None,
        }
    }

    /// Another text in the same language.
    pub(super) fn with(self, text: String) -> Value {
        in_language(text, self.language.as_deref())
    }

    /// Whether another text may be looked for in this one (section 17.4.3.1.2).
    pub(super) fn takes(&self, other: &Self) -> bool {
        match (&self.language, &other.language) {
            (_, None) => true,
            (Some(own), Some(other)) => own.eq_ignore_ascii_case(other),
            (None, Some(_)) => false,
        }
    }
}

/// A text in a language, or in none.
pub(super) fn in_language(text: String, language: Option<&str>) -> Value {
    match language {
        Some(language) => Value::LanguageString(text, language.to_owned()),
        None => Value::String(text),
    }
}

/// The characters from a place, which is counted from 1, as many as are wanted.
pub(super) fn substring(text: &str, start: i64, length: Option<i64>) -> String {
    let end = length.map_or(i64::MAX, |length| start.saturating_add(length));
    let places = 1_i64..;
    let characters = text.chars().zip(places).filter(|(_, place)| (start..end).contains(place));
    characters.map(|(character, _)| character).collect()
}

/// ENCODE_FOR_URI: everything but unreserved characters is encoded.
pub(super) fn encoded_for_uri(text: &str) -> String {
    let mut encoded = String::new();
    crate::rdf::iri::percent_encode_into(text, &mut encoded);
    encoded
}

/// LANGMATCHES, with the basic ranges of RFC 4647.
pub(in crate::sparql) fn is_in_range(tag: &str, range: &str) -> bool {
    if range == "*" {
        return !tag.is_empty();
    }
    let mut subtags = tag.split('-');
    range.split('-').all(|part| subtags.next().is_some_and(|subtag| subtag.eq_ignore_ascii_case(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_substring_counts_characters_from_one() {
        for (start, length, expected) in [
            (1, None, "aé€𝄞b"),
            (2, Some(2), "é€"),
            (0, Some(2), "a"),
            (-1, Some(4), "aé"),
            (5, None, "b"),
            (6, None, ""),
            (2, Some(-1), ""),
            (i64::MAX, Some(i64::MAX), ""),
            (i64::MIN, None, "aé€𝄞b"),
        ] {
            assert_eq!(substring("aé€𝄞b", start, length), expected, "{start} {length:?}");
        }
    }
}
