//! Generated checkpoints, odd in every way that JSON allows: what is read is written.

use crate::karenina::graphs::{kept, n_quads, read_n_quads, shuffled, try_kept};
use evalgraph::diagnostic::Diagnostic;
use evalgraph::json::write_string;
use evalgraph::source::rewriting::{JsonStyle, StyledJson};
use evalgraph::source::sidecar::DocumentSidecars;
use proptest::prelude::*;

/// JSON with its spelling.
#[derive(Debug, Clone)]
enum Json {
    Scalar(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn quoted(text: &str) -> Json {
    let mut json = String::new();
    write_string(text, &mut json);
    Json::Scalar(json)
}

fn string() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(""),
        Just("a"),
        Just("b"),
        Just("Größe 😀"),
        Just("line\n\"quoted\"\\\u{1}"),
        Just("[1, 2]"),
        Just("https://schema.org/name"),
        Just("urn:a"),
    ]
    .prop_map(quoted)
}

fn scalar() -> impl Strategy<Value = Json> {
    let number = prop_oneof![
        Just("0"),
        Just("1"),
        Just("1.0"),
        Just("-0"),
        Just("-3.50"),
        Just("1e3"),
        Just("5e-324"),
        Just("12345678901234567890"),
        Just("1234567890123456789012345"),
        Just("0.30000000000000004"),
        Just("4.5"),
    ];
    let word = prop_oneof![Just("null"), Just("true"), Just("false")];
    let plain = prop_oneof![number, word].prop_map(|text: &str| Json::Scalar(text.to_owned()));
    prop_oneof![3 => string(), 3 => plain]
}

fn id() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just("urn:a"),
        Just("urn:b"),
        Just("urn:uuid:question-c"),
        Just("not an iri"),
        Just("936dbc8755f623c951d96ea2b03e13bc"),
        Just("_:blank"),
        Just(""),
        Just("https://schema.org/x"),
        Just("urn:a-2"),
    ]
    .prop_map(quoted)
}

fn class() -> impl Strategy<Value = Json> {
    let name = prop_oneof![
        Just("Rating"),
        Just("PropertyValue"),
        Just("Question"),
        Just("DataFeedItem"),
        Just("karenina:Scenario"),
        Just("no class"),
    ];
    let one = name.clone().prop_map(quoted);
    prop_oneof![3 => one, 1 => prop::collection::vec(name.prop_map(quoted), 0..3).prop_map(Json::Array)]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("name"),
        Just("text"),
        Just("value"),
        Just("rating"),
        Just("item"),
        Just("acceptedAnswer"),
        Just("hasPart"),
        Just("additionalProperty"),
        Just("keywords"),
        Just("bestRating"),
        Just("an odd key"),
        Just(""),
        Just("urn:other:key"),
    ]
    .prop_map(str::to_owned)
}

fn object(value: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    let members = prop::collection::vec((key(), value), 0..6);
    (members, prop::option::of(id()), prop::option::of(class()), any::<u8>()).prop_map(
        |(members, id, class, turn)| {
            let mut all: Vec<(String, Json)> = Vec::new();
            let keywords = [("@id", id), ("@type", class)];
            let keywords = keywords.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
            for (key, value) in members.into_iter().chain(keywords) {
                if all.iter().all(|(known, _)| *known != key) {
                    all.push((key, value));
                }
            }
            if !all.is_empty() {
                let at = usize::from(turn) % all.len();
                all.rotate_left(at);
            }
            Json::Object(all)
        },
    )
}

fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            3 => object(inner),
        ]
    })
}

fn write(json: &Json, out: &mut StyledJson) {
    match json {
        Json::Scalar(text) => out.scalar(text),
        Json::Array(items) => {
            out.open('[');
            for item in items {
                out.item();
                write(item, out);
            }
            out.close(']');
        }
        Json::Object(members) => {
            out.open('{');
            for (key, value) in members {
                out.key(key);
                write(value, out);
            }
            out.close('}');
        }
    }
}

/// A checkpoint with these items and this value at its root.
fn checkpoint(items: Vec<Json>, extra: Json, style: JsonStyle) -> String {
    let context = r#"{"@version":1.1,"@vocab":"https://schema.org/","karenina":"urn:karenina:vocab:","dataFeedElement":{"@id":"dataFeedElement","@container":"@set"},"item":{"@id":"item","@type":"@id"},"rating":{"@id":"contentRating","@container":"@set"},"keywords":{"@id":"keywords","@container":"@set"}}"#;
    let context = crate::karenina::graphs::parsed("context", context);
    let mut out = StyledJson::new(style);
    out.open('{');
    out.key("@context");
    out.json(&context, context.root());
    let members = [
        ("@type", quoted("DataFeed")),
        ("@id", quoted("urn:root")),
        ("dataFeedElement", Json::Array(items)),
        ("extra", extra),
    ];
    for (key, value) in members {
        out.key(key);
        write(&value, &mut out);
    }
    out.close('}');
    out.finish()
}

fn style() -> impl Strategy<Value = JsonStyle> {
    let tabs = JsonStyle { indent: Some("\t".to_owned()), end: "\n".to_owned(), ..JsonStyle::default() };
    let spaced = JsonStyle { after_comma: " ".to_owned(), colon: ": ".to_owned(), ..JsonStyle::compact() };
    prop_oneof![Just(JsonStyle::default()), Just(JsonStyle::compact()), Just(tabs), Just(spaced)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_is_written(
        items in prop::collection::vec(object(value()), 0..5),
        extra in value(),
        style in style(),
        seed in 0..100_u64,
    ) {
        let text = checkpoint(items, extra, style);
        let Some(quads) = try_kept("generated", &text) else { return Ok(()) };
        let quads = read_n_quads(&shuffled(&n_quads(&quads), seed));
        let restored = DocumentSidecars::new(&quads).restore("urn:evalgraph:graph:d").expect("it has a sidecar");
        // Ids are drawn from few, so that nodes point to themselves now and then.
        let is_new = |finding: &&Diagnostic| finding.code != "rewriting::cycle";
        prop_assert!(restored.findings.iter().find(is_new).is_none(), "{:?}\n{text}", restored.findings);
        prop_assert_eq!(restored.text, text);
    }
}

/// A checkpoint as the user interface writes them, with nothing odd in it.
fn plain(questions: usize) -> String {
    let properties = |number: usize| {
        let property = |name: &str, value: &str| {
            Json::Object(vec![
                ("@type".to_owned(), quoted("PropertyValue")),
                ("name".to_owned(), quoted(name)),
                ("value".to_owned(), quoted(value)),
            ])
        };
        Json::Array(vec![property("finished", "true"), property("custom_note", &format!("note {number}"))])
    };
    let items = (0..questions).map(|number| {
        let text = "A question with a text of an ordinary length, asked in one sentence or in two?";
        let node = |class: &str, text: String| {
            Json::Object(vec![("@type".to_owned(), quoted(class)), ("text".to_owned(), quoted(&text))])
        };
        let rating = |name: &str| {
            Json::Object(vec![
                ("@type".to_owned(), quoted("Rating")),
                ("name".to_owned(), quoted(name)),
                ("description".to_owned(), quoted("Is the answer what it has to be, all in all?")),
                ("bestRating".to_owned(), Json::Scalar("1.0".to_owned())),
                ("worstRating".to_owned(), Json::Scalar("0.0".to_owned())),
            ])
        };
        let question = Json::Object(vec![
            ("@type".to_owned(), quoted("Question")),
            ("text".to_owned(), quoted(&format!("{text} ({number})"))),
            ("acceptedAnswer".to_owned(), node("Answer", format!("The answer with the number {number}"))),
            ("hasPart".to_owned(), node("SoftwareSourceCode", "class Answer:\n    pass\n".repeat(20))),
            (
                "rating".to_owned(),
                Json::Array(vec![rating("Clarity"), rating("Accuracy"), rating("Brevity")]),
            ),
            ("additionalProperty".to_owned(), properties(number)),
        ]);
        Json::Object(vec![
            ("@type".to_owned(), quoted("DataFeedItem")),
            (
                "@id".to_owned(),
                quoted(&format!("urn:uuid:question-{:x}", number.wrapping_mul(7919) % 100_003)),
            ),
            ("item".to_owned(), question),
        ])
    });
    checkpoint(items.collect(), quoted("extra"), JsonStyle::default())
}

#[test]
fn the_sidecar_of_a_plain_checkpoint_is_small() {
    let text = plain(300);
    let quads = n_quads(&kept("plain", &text));
    let (sidecar, document): (Vec<&str>, Vec<&str>) =
        quads.lines().partition(|line| line.contains("graph:sidecar:"));
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let percent = 100.0 * bytes(&sidecar) as f64 / bytes(&document) as f64;
    println!("sidecar: {} quads beside {}, {percent:.1} % of the bytes", sidecar.len(), document.len());
    // A position for each item, and what is said of the document.
    assert_eq!(sidecar.len(), 300 + 4);
    assert!(percent < 4.0, "{percent}");
}
