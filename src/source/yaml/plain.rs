//! What a plain word is.

use crate::json::number::is_number;

/// Returns what a plain word is in JSON, where it is no text: null, true and false, and the numbers that JSON
/// can spell.
pub(super) fn json_of_plain(word: &str) -> Option<&str> {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Some("null"),
        "true" | "True" | "TRUE" => Some("true"),
        "false" | "False" | "FALSE" => Some("false"),
        _ if is_number(word) => Some(word),
        // The sign says nothing that the number does not.
        _ => word.strip_prefix('+').filter(|rest| !rest.starts_with('-') && is_number(rest)),
    }
}
