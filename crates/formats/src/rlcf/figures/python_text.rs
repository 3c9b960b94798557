//! The strings that Python's `str` and `repr` return for JSON values.
//!
//! RLCF uses `str(sorted(feedback_data.items()))` as the position of an expert, and `str(value)` as the key of a vote.
//! The same strings are needed to count the same positions.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

/// Returns `str(value)`: a string unchanged, any other value as [`repr`].
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => repr(value),
    }
}

/// Returns `repr(value)` for the value that Python's `json` reads.
pub fn repr(value: &Value) -> String {
    let mut text = String::new();
    write_repr(value, &mut text);
    text
}

/// Returns `str(sorted(data.items()))`: the members as pairs, sorted by key.
pub fn sorted_items(data: &Map<String, Value>) -> String {
    let mut members: Vec<(&String, &Value)> = data.iter().collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    let mut text = String::from("[");
    write_each(members, &mut text, |(key, value), text| {
        text.push('(');
        write_string(key, text);
        text.push_str(", ");
        write_repr(value, text);
        text.push(')');
    });
    text.push(']');
    text
}

/// Returns the `str` of a tuple of strings.
pub fn tuple(items: &[String]) -> String {
    let mut text = String::from("(");
    write_each(items, &mut text, |item, text| write_string(item, text));
    // The comma distinguishes a tuple of one from a value in brackets.
    text.push_str(if items.len() == 1 { ",)" } else { ")" });
    text
}

/// Writes items, separated by commas.
fn write_each<T>(items: impl IntoIterator<Item = T>, text: &mut String, write: impl Fn(T, &mut String)) {
    for (at, item) in items.into_iter().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        write(item, text);
    }
}

fn write_repr(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("None"),
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Number(number) => write_number(number, text),
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            text.push('[');
            write_each(items, text, write_repr);
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            write_each(members, text, |(key, value), text| {
                write_string(key, text);
                text.push_str(": ");
                write_repr(value, text);
            });
            text.push('}');
        }
    }
}

fn write_number(number: &Number, text: &mut String) {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => text.push_str(&float_repr(float)),
        None => {
            let _ = write!(text, "{number}");
        }
    }
}

/// Returns `repr` of a float: the fewest digits that read back as the same float, with an exponent below 0.0001 and
/// from 1e16.
fn float_repr(float: f64) -> String {
    let scientific = format!("{float:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = float.to_string();
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn write_string(string: &str, text: &mut String) {
    // Double quotes are used only if they avoid an escape.
    let quote = if string.contains('\'') && !string.contains('"') { '"' } else { '\'' };
    text.push(quote);
    for character in string.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if character == quote => {
                text.push('\\');
                text.push(character);
            }
            _ if is_printable(character) => text.push(character),
            _ => {
                let code = u32::from(character);
                let _ = match code {
                    0..=0xff => write!(text, "\\x{code:02x}"),
                    0x100..=0xffff => write!(text, "\\u{code:04x}"),
                    _ => write!(text, "\\U{code:08x}"),
                };
            }
        }
    }
    text.push(quote);
}

/// Returns whether Python prints a character unchanged: not a control, format, private or unassigned character, and not
/// a separator other than the space.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // The standard library decides by the same categories, except that it escapes a mark at the beginning. It prints
    // a mark after a letter.
    let mut behind_a_letter = [b'a', 0, 0, 0, 0];
    let length = 1 + character.encode_utf8(&mut behind_a_letter[1..]).len();
    let Ok(shown) = std::str::from_utf8(&behind_a_letter[..length]) else { return true };
    shown.escape_debug().nth(1) != Some('\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_as_in_python() {
        assert_eq!(repr(&json!({"a": [1, 1.0, true, null, "x"]})), "{'a': [1, 1.0, True, None, 'x']}");
        assert_eq!(text(&json!("it's")), "it's");
        assert_eq!(repr(&json!("it's")), "\"it's\"");
        assert_eq!(repr(&json!("it's \"so\"")), "'it\\'s \"so\"'");
        assert_eq!(repr(&json!("a\u{0}\n\u{a0}\u{200b}\u{2028}é\u{301}\u{e000}\u{1f600}")), {
            "'a\\x00\\n\\xa0\\u200b\\u2028é\u{301}\\ue000\u{1f600}'"
        });
    }

    #[test]
    fn floats_read_as_in_python() {
        let texts = [1e16, 1e15, 1.5e-5, 0.0001, 1e100, -0.0, 123.456, 1.0].map(|float| repr(&json!(float)));
        let expected =
            ["1e+16", "1000000000000000.0", "1.5e-05", "0.0001", "1e+100", "-0.0", "123.456", "1.0"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn members_are_pairs_by_key() {
        let Value::Object(data) = json!({"b": ["x"], "a": 2}) else { unreachable!("an object is written") };
        assert_eq!(sorted_items(&data), "[('a', 2), ('b', ['x'])]");
        assert_eq!(sorted_items(&Map::new()), "[]");
        assert_eq!(tuple(&["a".to_owned()]), "('a',)");
        assert_eq!(tuple(&["a".to_owned(), "b".to_owned()]), "('a', 'b')");
    }
}
