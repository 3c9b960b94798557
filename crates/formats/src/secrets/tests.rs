//! Tests which parts of a text are overwritten and which are kept.

use super::in_text::secrets_in_text;
use super::{are_possible, hide};
use crate::rows::{RowFormat, RowOptions, read_rows};
use crate::yaml::read_yaml;
use evalgraph_json::{Limits, parse};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

fn hidden(text: &str) -> Option<(String, Vec<String>)> {
    let mut document = parse("test.json", text.to_owned(), Limits::default()).expect("it is JSON");
    let hidden = hide(&mut document)?;
    assert!(are_possible(text.as_bytes()), "{text}");
    assert!(parse("test.json", document.text().to_owned(), Limits::default()).is_ok(), "it stays JSON");
    Some((document.text().to_owned(), hidden.pointers))
}

#[test]
fn members_are_overwritten_in_any_spelling() {
    for (text, expected) in [
        (r#"{"api_key": "sk-1", "n": 1}"#, r#"{"api_key": "****", "n": 1}"#),
        (r#"{"api\u005fkey": "s\n\u00e9"}"#, r#"{"api\u005fkey": "*********"}"#),
        (r#"{"OPENAI_API_KEY": "é"}"#, r#"{"OPENAI_API_KEY": "**"}"#),
        (r#"{"x-api-key": 12, "apiKey": 7}"#, r#"{"x-api-key": 11, "apiKey": 1}"#),
        (r#"{"api_key": {"a": ["sk", 123, null]}}"#, r#"{"api_key": {"a": ["**", 111, null]}}"#),
        (r#"{"api_kEY": "a", "api key": "b"}"#, r#"{"api_kEY": "*", "api key": "*"}"#),
        (r#"{"api.key": "a", "api__key": "b"}"#, r#"{"api.key": "*", "api__key": "*"}"#),
        (r#"{"api_keys": ["a"], "api_key ": "b"}"#, r#"{"api_keys": ["*"], "api_key ": "*"}"#),
        (r#"{"api_key": "a", "api_key": "b"}"#, r#"{"api_key": "*", "api_key": "*"}"#),
    ] {
        assert_eq!(hidden(text).map(|(text, _)| text).as_deref(), Some(expected));
    }
    let (_, pointers) = hidden(r#"[{"models": [{"api_key": "k"}]}, {"api_key": ""}]"#).expect("there is one");
    assert_eq!(pointers, ["/0/models/0/api_key"]);
}

#[test]
fn texts_are_overwritten_where_they_have_a_key() {
    for (text, expected) in [
        (r#"{"m": "{\"api_key\": \"sk-1\", \"b\": 2}"}"#, r#"{"m": "{\"api_key\": \"****\", \"b\": 2}"}"#),
        (r#"{"m": "a: 1\napi_key: sk 1\nb: 2"}"#, r#"{"m": "a: 1\napi_key: xx x\nb: 2"}"#),
        (r#"{"m": "{api_key: s\u00e9, b: 2}"}"#, r#"{"m": "{api_key: xxxxxxx, b: 2}"}"#),
        (
            r#"{"m": "{\"n\": \"{\\\"api_key\\\": \\\"k\\\"}\"}"}"#,
            r#"{"m": "{\"n\": \"{\\\"api_key\\\": \\\"*\\\"}\"}"}"#,
        ),
        (r#"{"m": "https://x.example/?api_key=sk&q=1"}"#, r#"{"m": "https://x.example/?api_key=xx&q=1"}"#),
        (r#"{"m": "?api%5Fkey=sk&q=1"}"#, r#"{"m": "?api%5Fkey=xx&q=1"}"#),
        (r#"{"m": "run --api-key sk-1 --n 2"}"#, r#"{"m": "run --api-key xxxx --n 2"}"#),
        (r#"{"m": "{'api_key' => 'sk', n => 1}"}"#, r#"{"m": "{'api_key' => '**', n => 1}"}"#),
        (r#"{"m": "<api_key>sk-1</api_key>"}"#, r#"{"m": "<api_key>xxxx</api_key>"}"#),
    ] {
        assert_eq!(hidden(text).map(|(text, _)| text).as_deref(), Some(expected));
    }
}

#[test]
fn what_only_speaks_of_keys_stays() {
    for text in [
        r#"{"q": "What is an api_key?", "key": "value"}"#,
        r#"{"monkey": "api", "api_key": null}"#,
        r#"{"q": "An API key: what is it?", "okapikeeper": "Ada", "api_key_hint": "none"}"#,
    ] {
        assert_eq!(hidden(text), None);
    }
}

#[test]
fn yaml_is_overwritten_where_it_stands() {
    let text = "a:\n  api_key: |\n    sk-1\n    sk-2\n  b: &k 'sk-3'\nc: {'API-KEY': *k}\n";
    let mut document = read_yaml("test.yaml", text, Limits::default()).expect("it is YAML");
    let hidden = hide(&mut document).expect("there are keys");
    assert_eq!(hidden.pointers, ["/a/api_key", "/c/API-KEY"]);
    assert!(!document.text().contains("sk-"), "{}", document.text());
}

#[test]
fn comments_that_name_a_key_are_overwritten() {
    let text =
        "# fine\na: 1 # OLD_API_KEY=sk-1\nb: \"# api_key\"\n# api_key:\n#   sk-2\n\n# sk-3\nc: 2 # kept\n";
    let mut document = read_yaml("test.yaml", text, Limits::default()).expect("it is YAML");
    let hidden = hide(&mut document).expect("there are keys");
    assert_eq!((hidden.count, hidden.comments), (0, 2));
    let expected =
        "# fine\na: 1 # ****************\nb: \"# api_key\"\n# ********\n#   ****\n\n# ****\nc: 2 # kept\n";
    assert_eq!(document.written_text(), expected);
}

#[test]
fn cells_are_overwritten_whatever_their_quotes() {
    let text = "q,API_KEY,m\nWhy?,sk-1,\"{\"\"api_key\"\": \"\"sk-2\"\"}\"\nHow?,\"sk-\"\"3\",api_key=sk-4\nWho?,\"sk-5\",\"a: 1\napi_key: sk-6\"\n";
    let (options, limits) = (RowOptions::default(), Limits::default());
    let mut document =
        read_rows("test.csv", text.to_owned(), RowFormat::Csv, &options, limits).expect("it is a table");
    let hidden = hide(&mut document).expect("there are keys");
    assert_eq!(hidden.count, 6);
    assert!(!document.text().contains("sk-"), "{}", document.text());
    assert!(document.text().starts_with("q,API_KEY,m\nWhy?,****,\"*"), "{}", document.text());
}

/// The value of a name is found in programs, command lines, settings, URLs and XML, with any kind of escape.
#[test]
fn no_secret_is_left_in_any_way_to_write_it() {
    let texts = [
        r#"api_key="""SECRET""""#,
        "api_key='''a'SECRET'b'''",
        r#"api_key = f"SECRET""#,
        "api_key = rb'SECRET'",
        r#"api_key = "sk-" + "SECRET""#,
        "api_key = 'sk-' \\\n  'SECRET'",
        "api_key = (\"sk-\"\n  \"SECRET\")",
        r#"api_key = str("SECRET")"#,
        r#"api_key = os.getenv("X)", "SECRET")"#,
        r#"api_key: str = "SECRET""#,
        r#"if api_key == "SECRET":"#,
        "api_key != 'SECRET'",
        r#"api_key := "SECRET""#,
        "api_key -> SECRET",
        "api_key ?= SECRET",
        "client(api_key=SECRET)",
        "run --api-key\tSECRET",
        "run -api-key SECRET",
        "run --api-key \\\n  SECRET",
        r#"["--api-key", "SECRET"]"#,
        "--openai-api-key=SECRET",
        r#"<api_key x="1">SECRET</api_key>"#,
        "<api_key value='SECRET'/>",
        "<api_key><![CDATA[SECRET]]></api_key>",
        "<api_key><b>SECRET</b></api_key>",
        "&lt;api_key&gt;SECRET&lt;/api_key&gt;",
        "<a:api-key>\n SECRET\n</a:api-key>",
        r#"<setting name="api_key" value="SECRET"/>"#,
        "?api%2Dkey=SECRET",
        "?%61pi_key=SECRET",
        "?u=x%3Fapi_key%3DSECRET",
        "api_key%3D%22SECRET%22",
        r#"{"api\u005fkey": "SECRET"}"#,
        r#"{"A\u0050I_KEY": "SECRET"}"#,
        r#"{"a": "{\"A\\u0050I_KEY\": \"SECRET\"}"}"#,
        r"{\u0022api_key\u0022: \u0022SECRET\u0022}",
        r#"{"name": "api_key", "value": "SECRET"}"#,
        "name: api_key\nvalue: SECRET",
        "api&#95;key=SECRET",
        "api\u{2010}key: SECRET",
        "api\u{200b}_key: SECRET",
    ];
    for text in texts {
        for value in [serde_json::json!({"m": text}), serde_json::json!([text, "no more"])] {
            let (hidden, _) = hidden(&value.to_string()).unwrap_or_else(|| panic!("{text}"));
            assert!(!hidden.contains("SECRET"), "{text}: {hidden}");
        }
    }
}

#[test]
fn a_name_may_be_written_with_any_sign_or_escape() {
    for key in [
        r"api\u00a0key",
        r"api\tkey",
        r"api\nkey",
        r"api\u2010key",
        "api\u{2010}key",
        r"api\u200b_key",
        r"api\u0000key",
        "api_________key",
        "api \u{a0} / key",
        r"\u0061\u0070\u0069\u006b\u0065\u0079",
        r"AP\u0049key",
    ] {
        let (hidden, _) = hidden(&format!(r#"{{"{key}": "SECRET"}}"#)).unwrap_or_else(|| panic!("{key}"));
        assert!(!hidden.contains("SECRET"), "{key}");
    }
    for key in
        [r#""api\x5fkey""#, r#""\x61pi_key""#, r#""\U00000061pi_key""#, r#""api\_key""#, "'api\u{a0}key'"]
    {
        let text = format!("a: 1\n{key}: SECRET\n");
        assert!(are_possible(text.as_bytes()), "{key}");
        let mut document = read_yaml("test.yaml", &text, Limits::default()).expect("it is YAML");
        assert!(hide(&mut document).is_some() && !document.text().contains("SECRET"), "{key}");
        assert!(!document.written_text().contains("SECRET"), "{key}");
    }
}

#[test]
fn a_value_may_have_its_name_beside_it() {
    for text in [
        r#"{"env": [{"name": "OPENAI_API_KEY", "value": "SECRET"}]}"#,
        r#"{"value": "SECRET", "name": "api_key"}"#,
        r#"{"schema:name": [{"@value": "api_key"}], "http://schema.org/value": [{"@value": "SECRET"}]}"#,
        r#"{"args": ["run", "--api-key", "SECRET"]}"#,
    ] {
        let (hidden, _) = hidden(text).unwrap_or_else(|| panic!("{text}"));
        assert!(!hidden.contains("SECRET"), "{text}: {hidden}");
    }
    for text in [
        r#"{"name": "What can I do when somebody has an API key", "value": "x"}"#,
        r#"{"name": "api_key", "text": "x"}"#,
        r#"["api_key", "x"]"#,
    ] {
        assert_eq!(hidden(text), None);
    }
}

/// Pieces from which texts with names of secrets are built.
const PIECES: [&str; 34] = [
    "api_key",
    "API-KEY",
    "api%5Fkey",
    "api\\u005fkey",
    "=",
    ":",
    "==",
    " ",
    "\n",
    "\t",
    "\"",
    "'",
    "\\\"",
    "\\",
    "\\\\u0022",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "</",
    "/>",
    "<![CDATA[",
    "]]>",
    "--",
    "value",
    "é",
    "&#34;",
    "&",
    "%",
    "a",
];

#[test]
fn any_text_can_be_looked_through() {
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..20_000 {
        let pieces = (0..random.random_range(1..12)).map(|_| PIECES[random.random_range(0..PIECES.len())]);
        let text: String = pieces.collect();
        for value in [serde_json::json!([text]), serde_json::json!({ text.clone(): [text, 1] })] {
            let text = value.to_string();
            if let Some((hidden, _)) = hidden(&text) {
                assert_eq!(hidden.len(), text.len());
            }
        }
    }
}

/// Long repetitions, for which a quadratic search would take minutes.
#[test]
fn long_texts_are_looked_through_in_one_pass() {
    const BYTES: usize = 100_000;
    for piece in PIECES {
        let long = |text: &str| text.repeat(BYTES / text.len());
        for text in [
            long(&format!("api_key{piece}")),
            long(&format!("{piece}api_key=")),
            format!("api_key={}", long(piece)),
            format!("{}api_key=SECRET", long(piece)),
        ] {
            assert!(secrets_in_text(&text).iter().all(|(range, _)| text.get(range.clone()).is_some()));
        }
    }
}
