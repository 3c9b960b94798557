//! Differences of JSON values: what a file says comes back from what is written and the difference,
//! and changes of what is written stay.

use crate::generated::cases;
use crate::karenina::graphs::parsed;
use evalgraph::json::write_string;
use evalgraph::source::rewriting::{JsonStyle, StaleEntries, StyledJson};
use evalgraph::source::sidecar::json_difference::{DifferenceApplication, apply, difference};
use proptest::prelude::*;

/// JSON with its spelling.
#[derive(Debug, Clone)]
enum Json {
    Scalar(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// How the programs write JSON whose files we read.
#[derive(Debug, Clone, Copy)]
enum Program {
    /// Python's `json.dump`: indentation, `ensure_ascii`.
    Python(Option<usize>, bool),
    /// ECMAScript's `JSON.stringify`: indentation.
    EcmaScript(Option<usize>),
}

impl Program {
    fn text(self, json: &Json) -> String {
        let mut text = String::new();
        self.write(json, 0, &mut text);
        text
    }

    fn write(self, json: &Json, level: usize, text: &mut String) {
        let (open, parts, close) = match json {
            Json::Scalar(scalar) => return self.write_scalar(scalar, text),
            Json::Array(items) => ('[', items.iter().map(|item| (None, item)).collect::<Vec<_>>(), ']'),
            Json::Object(members) => {
                ('{', members.iter().map(|(key, value)| (Some(key), value)).collect(), '}')
            }
        };
        text.push(open);
        for (at, (key, value)) in parts.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            self.write_gap(level + 1, at > 0, text);
            if let Some(key) = key {
                let mut quoted = String::new();
                write_string(key, &mut quoted);
                self.write_scalar(&quoted, text);
                let is_tight = matches!(self, Self::EcmaScript(None));
                text.push_str(if is_tight { ":" } else { ": " });
            }
            self.write(value, level + 1, text);
        }
        if !parts.is_empty() {
            self.write_gap(level, false, text);
        }
        text.push(close);
    }

    fn write_gap(self, level: usize, is_behind_comma: bool, text: &mut String) {
        match self {
            Self::Python(Some(indent), _) | Self::EcmaScript(Some(indent)) => {
                text.push('\n');
                text.push_str(&" ".repeat(indent * level));
            }
            Self::Python(None, _) if is_behind_comma => text.push(' '),
            _ => {}
        }
    }

    fn write_scalar(self, scalar: &str, text: &mut String) {
        for character in scalar.chars() {
            if matches!(self, Self::Python(_, true)) && character >= '\u{7f}' {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                text.push(character);
            }
        }
    }
}

fn program() -> impl Strategy<Value = Program> {
    let indent = prop_oneof![Just(None), (0..5_usize).prop_map(Some)];
    prop_oneof![
        (indent.clone(), any::<bool>()).prop_map(|(indent, ascii)| Program::Python(indent, ascii)),
        // No indentation means no lines to `JSON.stringify`.
        indent.prop_map(|indent| Program::EcmaScript(indent.filter(|&indent| indent > 0))),
    ]
}

fn scalar() -> impl Strategy<Value = Json> {
    let text = prop_oneof![
        Just(""),
        Just("a"),
        Just("b"),
        Just("Größe 😀"),
        Just("\u{7f}\u{2028}"),
        Just("line\n\"quoted\"\\/\u{1}\u{8}\u{c}"),
        Just("1"),
    ];
    let text = text.prop_map(|text: &str| {
        let mut json = String::new();
        write_string(text, &mut json);
        json
    });
    let plain = prop_oneof![
        Just("null"),
        Just("true"),
        Just("false"),
        Just("0"),
        Just("1"),
        Just("1.0"),
        Just("-0.50"),
        Just("1e3"),
        Just("12345678901234567890"),
    ];
    prop_oneof![text, plain.prop_map(str::to_owned)].prop_map(Json::Scalar)
}

fn object(value: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    let key = prop_oneof![Just("id"), Just("name"), Just("x"), Just("y"), Just(""), Just("é\"")];
    prop::collection::vec((key, value), 0..6).prop_map(|members| {
        let mut all: Vec<(String, Json)> = Vec::new();
        for (key, value) in members {
            if all.iter().all(|(known, _)| known != key) {
                all.push((key.to_owned(), value));
            }
        }
        Json::Object(all)
    })
}

fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(4, 40, 5, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array), object(inner)]
    })
}

/// Turns a value into a like one: parts are moved, dropped, doubled, replaced.
fn changed(json: &Json, random: &mut impl FnMut(usize) -> usize) -> Json {
    let shuffled = |length: usize, random: &mut dyn FnMut(usize) -> usize| {
        let mut places: Vec<usize> = (0..length).collect();
        match random(6) {
            0 => places.reverse(),
            1 if length > 0 => places.rotate_left(random(length)),
            2 if length > 0 => drop(places.remove(random(length))),
            _ => {}
        }
        places
    };
    match json {
        _ if random(12) == 0 => Json::Scalar(random(3).to_string()),
        Json::Scalar(_) => json.clone(),
        Json::Array(items) => {
            let places = shuffled(items.len(), random);
            let mut items: Vec<Json> = places.into_iter().map(|at| changed(&items[at], random)).collect();
            if random(6) == 0 && !items.is_empty() {
                items.push(items[0].clone());
            }
            Json::Array(items)
        }
        Json::Object(members) => {
            let places = shuffled(members.len(), random);
            let of = |at: usize| &members[at];
            Json::Object(
                places.into_iter().map(|at| (of(at).0.clone(), changed(&of(at).1, random))).collect(),
            )
        }
    }
}

fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    }
}

/// The file, of what is written and the difference; and that difference.
fn through(file: &str, written: &str) -> (String, Option<String>) {
    let (file, written) = (parsed("file", file), parsed("written", written));
    let difference = difference(&file, file.root(), &written, written.root());
    let known = parsed("difference", difference.as_deref().unwrap_or("{}"));
    let mut application = DifferenceApplication::new(&written);
    if difference.is_some() {
        application.add(written.root(), &known);
    }
    let applied = application.write(written.root(), JsonStyle::from_document(&file));
    assert_eq!(applied.stale, StaleEntries::default(), "{difference:?}");
    (applied.text, difference)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_file_comes_back_from_any_other(file in value(), written in value(), program in program()) {
        let (file, written) = (program.text(&file), Program::EcmaScript(None).text(&written));
        prop_assert_eq!(through(&file, &written).0, file);
    }

    #[test]
    fn a_file_comes_back_from_a_like_one(file in value(), seed in any::<u64>(), program in program()) {
        let written = Program::EcmaScript(None).text(&changed(&file, &mut random(seed)));
        let file = program.text(&file);
        prop_assert_eq!(through(&file, &written).0, file);
    }

    #[test]
    fn what_is_the_same_has_no_difference(file in value(), programs in (program(), program())) {
        let (one, other) = (programs.0.text(&file), programs.1.text(&file));
        prop_assert_eq!(through(&one, &other), (one, None));
    }

    #[test]
    fn any_difference_can_be_put_into_any_value(written in value(), other in value(), seed in any::<u64>()) {
        let compact = Program::EcmaScript(None);
        let file = compact.text(&changed(&other, &mut random(seed)));
        let difference = through(&file, &compact.text(&other)).1.unwrap_or(file);
        let (written, difference) =
            (parsed("written", &compact.text(&written)), parsed("difference", &difference));
        let applied = apply(&written, written.root(), &difference, JsonStyle::compact());
        let again = parsed("applied", &applied.text);
        prop_assert!(again.duplicate_keys().is_empty(), "{}", applied.text);
    }
}

/// What becomes of what is written now, with the difference of a file from what was written then.
fn edited(file: &str, then: &str, now: &str) -> (String, u64) {
    let difference = through(file, then).1.expect("there is a difference");
    let (now, difference) = (parsed("now", now), parsed("difference", &difference));
    let applied = apply(&now, now.root(), &difference, JsonStyle::compact());
    (applied.text, applied.stale.count)
}

#[test]
fn a_changed_member_shows_and_everything_else_is_as_it_was() {
    let file = r#"{"score":1.0,"note":null,"name":"a","tags":["y","x"]}"#;
    let then = r#"{"name":"a","score":1,"tags":["x","y"],"kind":""}"#;
    let now = r#"{"name":"b","score":1,"tags":["x","y"],"kind":""}"#;
    assert_eq!(edited(file, then, now), (file.replace(r#""a""#, r#""b""#), 0));
    let now = r#"{"name":"a","score":2,"tags":["x","z"],"kind":""}"#;
    assert_eq!(
        edited(file, then, now),
        (r#"{"score":2,"note":null,"name":"a","tags":["x","z"]}"#.to_owned(), 1)
    );
    let now = r#"{"name":"a","new":true,"score":1,"tags":["x","y"],"kind":"k","note":3}"#;
    let text = r#"{"score":1.0,"name":"a","new":true,"tags":["y","x"],"kind":"k","note":3}"#;
    assert_eq!(edited(file, then, now), (text.to_owned(), 2));
}

#[test]
fn items_are_known_by_what_tells_them_apart() {
    let file = r#"[{"id":"b","x":1.0},{"id":"a","x":null},7,{"id":"c","x":3}]"#;
    let then = r#"[{"id":"a"},{"id":"b","x":1},{"id":"c","x":3}]"#;
    assert_eq!(
        edited(file, then, r#"[{"id":"b","x":1},{"id":"c","x":4}]"#).0,
        r#"[{"id":"b","x":1.0},{"id":"c","x":4},7]"#
    );
    assert_eq!(
        edited(file, then, r#"[{"id":"new"},{"id":"a"},{"id":"b","x":1},{"id":"c","x":3}]"#),
        (format!(r#"[{{"id":"new"}},{}"#, &file[1..]), 0)
    );
}

#[test]
fn a_difference_repeats_nothing_that_is_written() {
    let texts: Vec<String> = (0..5).map(|number| format!("\"{number} {}\"", "long ".repeat(30))).collect();
    let items = |order: [usize; 5]| {
        let items =
            order.map(|at| format!(r#"{{"text":{},"values":[{},{}]}}"#, texts[at], texts[0], texts[1]));
        format!("[{}]", items.join(","))
    };
    let (_, difference) = through(&items([4, 2, 0, 1, 3]), &items([0, 1, 2, 3, 4]));
    let difference = difference.expect("the order differs");
    assert!(!difference.contains("long") && difference.len() < 100, "{difference}");
}

#[test]
fn a_style_keeps_arrays_of_scalars_in_a_line_where_a_file_does() {
    let file = "{\n\t\"a\": [1, \"b\", null],\n\t\"c\": [\n\t\t[1.50, 2],\n\t\t{}\n\t],\n\t\"d\": []\n}\n";
    let document = parsed("file", file);
    let mut json = StyledJson::new(JsonStyle::from_document(&document));
    json.json(&document, document.root());
    assert_eq!(json.finish(), file);
    assert_eq!(through(file, r#"{"c":[{},[2,1.5]],"a":["b",null,1]}"#).0, file);
    let mixed = "{\n  \"a\": [1, 2],\n  \"b\": [\n    1\n  ]\n}";
    assert!(!JsonStyle::from_document(&parsed("mixed", mixed)).flat_arrays);
}
