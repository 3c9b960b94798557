//! Writes a JSON value without white space between tokens. The order of members and the spelling of numbers and escapes
//! stay as in the text.

use super::{JsonDocument, JsonKind, TokenId, write_string};

/// Appends a value without white space. If keys of an object are equal, only the last is written.
pub fn write_minified(document: &JsonDocument, value: TokenId, json: &mut String) {
    match document.kind(value) {
        JsonKind::Key | JsonKind::ReplacedKey => {
            write_string(document.symbol_text(document.symbol(value)), json);
        }
        _ => write_compact(document, value, json, &|token, json| json.push_str(&document.scalar_json(token))),
    }
}

/// Appends a value without white space; `write` writes each key and scalar.
///
/// Recurses by level; the parser limits the depth.
pub fn write_compact(
    document: &JsonDocument,
    value: TokenId,
    json: &mut String,
    write: &impl Fn(TokenId, &mut String),
) {
    match document.kind(value) {
        JsonKind::Array => {
            json.push('[');
            for (index, item) in document.items(value).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_compact(document, item, json, write);
            }
            json.push(']');
        }
        JsonKind::Object => {
            json.push('{');
            for (index, member) in document.members(value).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write(member.key, json);
                json.push(':');
                write_compact(document, member.value, json, write);
            }
            json.push('}');
        }
        _ => write(value, json),
    }
}
