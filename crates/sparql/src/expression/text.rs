//! Functions on strings (SPARQL 1.1, section 17.4.3).

use super::value::TermValue;

/// Returns whether a string may be searched for in another one, by their languages (section 17.4.3.1.2).
pub(super) fn is_searched_for(own: Option<&str>, language: Option<&str>) -> bool {
    own.is_none() || are_one_language(own, language)
}

/// Returns whether two strings have the same language, or neither has one.
pub(super) fn are_one_language(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == other,
    }
}

/// A string with or without a language.
pub(super) fn in_language(text: &str, language: Option<&str>) -> TermValue {
    match language {
        Some(language) => TermValue::LanguageString(text.to_owned(), language.to_owned()),
        None => TermValue::String(text.to_owned()),
    }
}

/// At most `length` characters from `start` on, counted from 1.
pub(super) fn substring(text: &str, start: i64, length: Option<i64>) -> &str {
    let end = length.map_or(i64::MAX, |length| start.saturating_add(length));
    let start = start.max(1);
    let count = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
    let rest = &text[place_of(text, usize::try_from(start - 1).unwrap_or(usize::MAX))..];
    &rest[..place_of(rest, count)]
}

/// The byte at which a character begins, or the end of the string.
fn place_of(text: &str, character: usize) -> usize {
    // If the string is ASCII up to there, it has as many bytes as characters.
    match text.as_bytes().get(..character) {
        Some(begin) if begin.is_ascii() => character,
        _ => text.char_indices().nth(character).map_or(text.len(), |(at, _)| at),
    }
}

/// ENCODE_FOR_URI: everything but unreserved characters is encoded.
pub(super) fn encoded_for_uri(text: &str) -> String {
    let mut encoded = String::new();
    evalgraph_rdf::iri::percent_encode_into(text, &mut encoded);
    encoded
}

/// LANGMATCHES, with the basic ranges of RFC 4647.
pub(crate) fn is_in_range(tag: &str, range: &str) -> bool {
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
