//! The JSON parser against `serde_json`: the same texts are JSON, with the same values, and every
//! token knows its place.

#![no_main]

use evalgraph::json::{JsonDocument, JsonKind, Limits, TokenId, parse};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

/// `serde_json` goes no deeper.
const DEPTH: usize = 127;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A byte order mark is left alone here and refused there.
    if text.starts_with('\u{feff}') {
        return;
    }
    let ours = parse("input", text.to_owned(), Limits { depth: DEPTH, ..Limits::default() });
    let theirs: Result<Value, _> = serde_json::from_str(text);
    match (ours, theirs) {
        (Ok(document), Ok(theirs)) => assert_eq!(value(&document, document.root()), theirs),
        (Err(_), Err(_)) => {}
        (Err(fault), Ok(_)) => panic!("refused: {fault}"),
        (Ok(document), Err(error)) => {
            // Numbers keep their text here, and have to fit into a double there.
            assert!(error.to_string().starts_with("number out of range"), "accepted: {error}");
            let _ = document.pointer(document.root());
        }
    }
});

/// The value of a token, and every check that a token allows.
fn value(document: &JsonDocument, token: TokenId) -> Value {
    let bytes = document.bytes(token);
    assert!(bytes.start == document.start(token) && bytes.end <= document.text().len());
    match document.kind(token) {
        JsonKind::Null => Value::Null,
        JsonKind::True => Value::Bool(true),
        JsonKind::False => Value::Bool(false),
        JsonKind::Number => serde_json::from_str(document.raw(token)).expect("the other parser took it"),
        JsonKind::String | JsonKind::EscapedString => {
            let text = document.string(token).expect("a string").into_owned();
            assert_eq!(serde_json::from_str::<String>(document.raw(token)).ok(), Some(text.clone()));
            Value::String(text)
        }
        JsonKind::Array => Value::Array(document.items(token).map(|item| value(document, item)).collect()),
        JsonKind::Object => {
            let members = document.members(token).map(|member| {
                let key = document.symbol_text(member.symbol).to_owned();
                assert_eq!(document.get(token, &key), Some(member.value));
                (key, value(document, member.value))
            });
            Value::Object(members.collect::<Map<_, _>>())
        }
        JsonKind::Key | JsonKind::ReplacedKey => panic!("a key where a value should be"),
    }
}
