//! Finds unknown keys, and names the kinds of values for messages.

use super::train_rule_table::OTHER_KEYS;
use crate::checking::FindingCollector;
use crate::records::RecordShape;
use evalgraph_json::{JsonKind, TokenId};

/// Reports keys that neither the table of an object nor the settings have.
pub(super) fn check_keys(
    checker: &mut FindingCollector<'_>,
    object: TokenId,
    shape: &RecordShape,
    others: &[String],
) {
    checker.look(&OTHER_KEYS);
    let document = checker.document();
    let known = |key: &str| !key.is_empty() && shape.members.iter().any(|member| member.key == key);
    for member in document.members(object) {
        let key = document.symbol_text(member.symbol);
        if !known(key) && others.iter().all(|other| other != key) {
            let message = format!("nothing reads `{key}`");
            checker.found(&OTHER_KEYS, object, None, Some(member.value), message);
        }
    }
}

/// Returns the kind of a value as messages name it.
pub(super) fn kind_of(checker: &FindingCollector<'_>, value: TokenId) -> &'static str {
    match checker.document().kind(value) {
        JsonKind::Null => "null",
        JsonKind::True | JsonKind::False => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::String | JsonKind::EscapedString => "a string",
        JsonKind::Array => "an array",
        JsonKind::Object => "an object",
        JsonKind::Key | JsonKind::ReplacedKey => "a key",
    }
}
