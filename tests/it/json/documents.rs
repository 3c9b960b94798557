//! The JSON parser: what it takes, what it refuses, and the place it names.

use evalgraph::json::{JsonDocument, Limits, parse};

fn document(text: &str) -> JsonDocument {
    parse("test.json", text.to_owned(), Limits::default()).expect("well-formed JSON")
}

fn fault(text: &str) -> (String, u64, u64) {
    let error = parse("test.json", text.to_owned(), Limits::default()).expect_err("not JSON");
    let place = error.place.expect("JSON faults have a place");
    (error.code.into_owned(), place.line, place.column)
}

#[test]
fn keys_and_values_know_their_place_and_pointer() {
    let text = "{\"a\": [1, {\"b/c\": \"d\\n\"}],\n \"é\": true}";
    let document = document(text);
    let array = document.get(document.root(), "a").expect("the key is there");
    let object = document.items(array).nth(1).expect("two items");
    let member = document.members(object).next().expect("one member");
    assert_eq!(document.raw(array), "[1, {\"b/c\": \"d\\n\"}]");
    assert_eq!(document.pointer(member.value), "/a/1/b~1c");
    assert_eq!(document.string(member.value).as_deref(), Some("d\n"));
    let place = document.place(document.get(document.root(), "é").expect("the key is there"));
    assert_eq!((place.line, place.column), (2, 7));
}

#[test]
fn duplicate_keys_are_found_also_behind_inner_objects() {
    let document = document(r#"{"a": {"a": 1, "b": 2}, "b": 3, "a": 4, "c": {"b": 5}, "b": 6}"#);
    assert_eq!(document.duplicate_keys().len(), 2);
    let values: Vec<_> = document.members(document.root()).map(|member| document.raw(member.value)).collect();
    assert_eq!(values, ["4", r#"{"b": 5}"#, "6"]);
}

#[test]
fn duplicate_keys_are_found_in_objects_of_many_keys() {
    let inner: Vec<String> = (0..100).map(|number| format!("\"k{number}\": 0")).collect();
    let text = format!("{{\"x\": {{{0}}}, {0}, \"k50\": 1}}", inner.join(", "));
    assert_eq!(document(&text).duplicate_keys().len(), 1);
}

#[test]
fn faults_name_the_first_wrong_character() {
    let cases = [
        ("", "json::empty", 1, 1),
        ("[1,]", "json::trailing-comma", 1, 3),
        ("{\"a\" 1}", "json::syntax", 1, 6),
        ("[01]", "json::number", 1, 2),
        ("[NaN]", "json::number", 1, 2),
        ("[\"a\tb\"]", "json::control-character", 1, 4),
        ("[\"\\x\"]", "json::escape", 1, 3),
        ("[\"\\ud800\"]", "json::surrogate", 1, 3),
        ("[\"\\udc00\"]", "json::surrogate", 1, 3),
        ("{'a': 1}", "json::single-quotes", 1, 2),
        ("{a: 1}", "json::bare-word", 1, 2),
        ("[1] x", "json::trailing-text", 1, 5),
        ("[1, // one\n2]", "json::comment", 1, 5),
        ("{\"a\": [1\n", "json::truncated", 1, 9),
        ("[truely]", "json::bare-word", 1, 2),
    ];
    for (text, code, line, column) in cases {
        assert_eq!(fault(text), (code.to_owned(), line, column), "{text}");
    }
}

#[test]
fn depth_is_limited_without_recursion() {
    let deep = "[".repeat(100_000);
    assert_eq!(fault(&deep), ("json::depth".to_owned(), 1, 513));
}

#[test]
fn agrees_with_serde_json_on_what_is_json() {
    let texts = [
        "0",
        "-0",
        "1.5e+3",
        "1.",
        ".5",
        "+1",
        "\"\\u00e9\\ud83d\\ude00\"",
        "\"\\u12\"",
        "[]",
        "[[]",
        "{}",
        "{\"a\":}",
        "nul",
        "null",
        "\u{feff}[1]",
        "[1 2]",
        "{\"a\":1,}",
        "\"\u{7f}\"",
        "\"\u{1f}\"",
        "1e",
        "1e5x",
        "{\"\\u0061\":1}",
    ];
    for text in texts {
        let ours = parse("t", text.to_owned(), Limits::default()).is_ok();
        let theirs = serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')).is_ok();
        assert_eq!(ours, theirs, "{text}");
    }
}
