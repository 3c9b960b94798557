//! The datatypes that are written beside their values in a document.

use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The string with the datatype of a value in a value object.
pub(super) fn datatype_at(document: &JsonDocument, value: TokenId) -> Option<TokenId> {
    let before = TokenId::from_index(value.index().checked_sub(1)?);
    let is_value =
        document.kind(before) == JsonKind::Key && document.symbol_text(document.symbol(before)) == "@value";
    let object = if is_value { document.containers_around(value).pop() } else { None };
    document.get(object?, "@type").filter(|datatype| document.is_string(*datatype))
}
