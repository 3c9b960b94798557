//! Finds unknown keys, and names the kinds of values for messages.

use super::table::OTHER_KEYS;
use crate::checking::Checker;
use evalgraph_json::{Kind, TokenId};

/// Looks for keys that are neither known from the documents nor allowed besides.
pub(super) fn check_keys(checker: &mut Checker<'_>, object: TokenId, known: &[&str], others: &[String]) {
    checker.look(&OTHER_KEYS);
    let document = checker.document();
    for member in document.members(object) {
        let key = document.symbol_text(member.symbol);
        if !known.contains(&key) && others.iter().all(|other| other != key) {
            let message = format!("nothing reads `{key}`");
            checker.found(&OTHER_KEYS, object, None, Some(member.value), message);
        }
    }
}

/// Returns the kind of a value as messages name it.
pub(super) fn kind_of(checker: &Checker<'_>, value: TokenId) -> &'static str {
    match checker.document().kind(value) {
        Kind::Null => "null",
        Kind::True | Kind::False => "a boolean",
        Kind::Number => "a number",
        Kind::String | Kind::EscapedString => "a text",
        Kind::Array => "an array",
        Kind::Object => "an object",
        Kind::Key | Kind::ReplacedKey => "a key",
    }
}
