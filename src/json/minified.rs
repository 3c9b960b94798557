//! A JSON value without the white space between its tokens: order of members, spelling of numbers
//! and escapes as they stand in the text.

use super::{Document, Kind, TokenId, write_string};

/// Appends a value without white space. Of equal keys in one object the last counts.
///
/// Recurses by level; the parser limits the depth.
pub fn write_minified(document: &Document, value: TokenId, json: &mut String) {
    match document.kind(value) {
        Kind::Array => {
            json.push('[');
            for (index, item) in document.items(value).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_minified(document, item, json);
            }
            json.push(']');
        }
        Kind::Object => {
            json.push('{');
            for (index, member) in document.members(value).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                json.push_str(document.raw(member.key));
                json.push(':');
                write_minified(document, member.value, json);
            }
            json.push('}');
        }
        Kind::Key | Kind::ReplacedKey => write_string(document.symbol_text(document.symbol(value)), json),
        _ => json.push_str(&document.scalar_json(value)),
    }
}
