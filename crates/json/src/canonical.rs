//! The JSON Canonicalization Scheme (RFC 8785): the lexical form of JSON literals.

use super::number::{ecmascript, is_out_of_range};
use super::{JsonDocument, JsonKind, TokenId, write_string};

/// Appends a value in canonical form: no white space, members sorted by the UTF-16 code units of their keys, numbers as
/// ECMAScript writes them. A number that does not fit into a double has no such form, and keeps its digits.
///
/// Recurses by level; the parser limits the depth.
pub fn write_canonical(document: &JsonDocument, value: TokenId, json: &mut String) {
    match document.kind(value) {
        JsonKind::Null => json.push_str("null"),
        JsonKind::True => json.push_str("true"),
        JsonKind::False => json.push_str("false"),
        JsonKind::Number => {
            let lexical = document.number(value).unwrap_or("0");
            if is_out_of_range(lexical) {
                json.push_str(lexical);
            } else {
                json.push_str(&ecmascript(lexical.parse().unwrap_or(f64::NAN)));
            }
        }
        JsonKind::Array => {
            json.push('[');
            for (index, item) in document.items(value).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_canonical(document, item, json);
            }
            json.push(']');
        }
        JsonKind::Object => {
            let mut members: Vec<(&str, TokenId)> = document
                .members(value)
                .map(|member| (document.symbol_text(member.symbol), member.value))
                .collect();
            members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
            json.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_string(key, json);
                json.push(':');
                write_canonical(document, value, json);
            }
            json.push('}');
        }
        _ => write_string(&document.string(value).unwrap_or_default(), json),
    }
}
