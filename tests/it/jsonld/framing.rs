//! Framing beyond the suite: bad frames with their places, deep and shared graphs, defaults out of
//! the frame, and what the specification leaves open.

use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{
    FramingOptions, JsonLdEmbed, JsonLdError, JsonLdErrorCode, JsonLdLayout, JsonLdOptions, JsonLdProcessor,
    NoLoader, ProcessingMode,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

fn document(name: &str, text: &str) -> Arc<JsonDocument> {
    Arc::new(parse(name, text.to_owned(), Limits::default()).expect("the text is JSON"))
}

fn frame_with(options: JsonLdOptions, input: &str, frame: &str) -> Result<Value, Box<JsonLdError>> {
    let (input, frame) = (document("input.jsonld", input), document("frame.jsonld", frame));
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let framed = processor.frame(&input, &frame)?.to_json(JsonLdLayout::Compact);
    Ok(serde_json::from_str(&framed).expect("a result is JSON"))
}

fn frame(input: &Value, frame: &Value) -> Value {
    let framed = frame_with(JsonLdOptions::default(), &input.to_string(), &frame.to_string());
    framed.expect("the frame is valid")
}

/// The code, document, JSON Pointer and message of what a frame is refused for.
fn refusal(options: JsonLdOptions, input: &str, frame: &str) -> (JsonLdErrorCode, String, String, String) {
    let error = frame_with(options, input, frame).expect_err("the frame is refused");
    let (document, token) = error.place.as_ref().expect("the error has a place");
    (error.code, document.name().to_string(), document.pointer(*token), error.message.clone())
}

#[test]
fn a_frame_is_one_object() {
    let cases = [
        (r#""a text""#, "", "`\"a text\"` is not an object, but a frame must be one"),
        ("null", "", "`null` is not an object, but a frame must be one"),
        ("[]", "", "`[]` is not an object, but a frame must be one"),
        (r#"[["nested"]]"#, "/0", "`[\"nested\"]` is not an object, but a frame must be one"),
        (
            r#"[{"@id": "ex:a"}, {"@id": "ex:b"}]"#,
            "/1",
            "a frame must be one object, and this is a second one",
        ),
        (r#"{"@graph": [{}, {}]}"#, "/@graph/1", "a frame must be one object, and this is a second one"),
        (r#"{"@graph": []}"#, "/@graph", "a frame must be an object, and this is not one"),
    ];
    for (frame, pointer, message) in cases {
        let (code, name, place, text) = refusal(JsonLdOptions::default(), "{}", frame);
        assert_eq!((code, name.as_str()), (JsonLdErrorCode::InvalidFrame, "frame.jsonld"), "{frame}");
        assert_eq!((place.as_str(), text.as_str()), (pointer, message), "{frame}");
    }
}

#[test]
fn a_frame_names_ids_types_and_flags_that_exist() {
    use JsonLdErrorCode::{InvalidEmbedValue, InvalidFrame, InvalidIdValue, InvalidTypeValue};
    let cases = [
        (r#"{"@id": "_:b0"}"#, InvalidFrame, "/@id"),
        (r#"{"@id": ["ex:a", "relative"]}"#, InvalidFrame, "/@id/1"),
        (r#"{"@id": {"ex:p": 1}}"#, InvalidIdValue, "/@id"),
        (r#"{"@type": "Unmapped"}"#, InvalidFrame, "/@type"),
        (r#"{"@type": ["ex:A", "_:b0"]}"#, InvalidFrame, "/@type/1"),
        (r#"{"@type": {"ex:p": 1}}"#, InvalidTypeValue, "/@type"),
        (r#"{"@type": {"@default": "_:b0"}}"#, InvalidFrame, "/@type/@default"),
        (r#"{"ex:p": {"@id": "_:b0"}}"#, InvalidFrame, "/ex:p/@id"),
        (r#"{"@embed": "@sometimes"}"#, InvalidEmbedValue, "/@embed"),
        (r#"{"@embed": "@last"}"#, InvalidEmbedValue, "/@embed"),
        (r#"{"@embed": 1}"#, InvalidEmbedValue, "/@embed"),
        (r#"{"ex:p": {"@embed": ["@first"]}}"#, InvalidEmbedValue, "/ex:p/@embed/0"),
        (r#"{"@explicit": "perhaps"}"#, InvalidFrame, "/@explicit"),
        (r#"{"ex:p": {"@omitDefault": {"@value": 1}}}"#, InvalidFrame, "/ex:p/@omitDefault/@value"),
    ];
    for (frame, code, pointer) in cases {
        let (found, name, place, _) = refusal(JsonLdOptions::default(), "{}", frame);
        assert_eq!((found, place.as_str(), name.as_str()), (code, pointer, "frame.jsonld"), "{frame}");
    }
}

#[test]
fn last_is_a_value_of_embed_in_1_0_only() {
    let options = JsonLdOptions { processing_mode: ProcessingMode::JsonLd1_0, ..JsonLdOptions::default() };
    let input = r#"{"@id": "ex:a", "ex:p": {"@id": "ex:b", "ex:n": 1}, "ex:q": {"@id": "ex:b"}}"#;
    let framed = frame_with(options, input, r#"{"@id": "ex:a", "@embed": "@last"}"#).expect("it is valid");
    let wanted = json!({"@graph": [
        {"@id": "ex:a", "ex:p": {"@id": "ex:b"}, "ex:q": {"@id": "ex:b", "ex:n": 1}}
    ]});
    assert_eq!(framed, wanted);
}

#[test]
fn conflicting_indexes_have_a_place() {
    let input = r#"[{"@id": "ex:a", "@index": "one"}, {"@id": "ex:a", "@index": "two"}]"#;
    let (code, name, place, message) = refusal(JsonLdOptions::default(), input, "{}");
    assert_eq!(code, JsonLdErrorCode::ConflictingIndexes);
    assert_eq!((name.as_str(), place.as_str()), ("input.jsonld", "/1/@index"));
    assert_eq!(message, "`ex:a` has the index `two` here and another one elsewhere");
}

/// Each node refers to the next one.
fn chain(length: usize) -> String {
    let mut text = "[".to_owned();
    for number in 0..length {
        let comma = if number == 0 { "" } else { "," };
        let _ =
            write!(text, r#"{comma}{{"@id": "ex:n{number}", "ex:next": {{"@id": "ex:n{}"}}}}"#, number + 1);
    }
    text.push(']');
    text
}

#[test]
fn a_chain_deeper_than_the_limit_ends_with_an_error_and_not_with_the_stack() {
    let input = chain(100_000);
    let frame = r#"{"@id": "ex:n0", "@embed": "@always"}"#;
    let (code, name, place, message) = refusal(JsonLdOptions::default(), &input, frame);
    assert_eq!(code, JsonLdErrorCode::FramingLimit);
    assert_eq!((name.as_str(), place.as_str()), ("input.jsonld", "/254/ex:next/@id"));
    assert_eq!(message, "the result nests more than 512 arrays and objects");
}

#[test]
fn a_chain_within_the_limit_is_framed() {
    let frame = r#"{"@id": "ex:n0"}"#;
    let framed = frame_with(JsonLdOptions::default(), &chain(50), frame).expect("the result is not deep");
    let mut node = &framed;
    for number in 0..50 {
        assert_eq!(node["@id"], format!("ex:n{number}"));
        node = &node["ex:next"];
    }
    assert_eq!(*node, json!({"@id": "ex:n50"}));
}

#[test]
fn a_long_chain_without_embedding_needs_no_depth() {
    let options = JsonLdOptions {
        framing: FramingOptions { embed: JsonLdEmbed::Never, ..FramingOptions::default() },
        ..JsonLdOptions::default()
    };
    let framed = frame_with(options, &chain(20_000), "{}").expect("nothing is nested");
    assert_eq!(framed["@graph"].as_array().map(Vec::len), Some(20_001));
}

#[test]
fn embedding_that_doubles_at_each_level_ends_with_an_error() {
    let mut input = "[".to_owned();
    for level in 0..40 {
        let next = level + 1;
        let _ = write!(
            input,
            r#"{{"@id": "ex:n{level}", "ex:p": {{"@id": "ex:n{next}"}}, "ex:q": {{"@id": "ex:n{next}"}}}},"#
        );
    }
    input.push_str(r#"{"@id": "ex:n40", "ex:name": "the end"}]"#);
    let frame = r#"{"@id": "ex:n0", "@embed": "@always"}"#;
    let (code, name, _, message) = refusal(JsonLdOptions::default(), &input, frame);
    assert_eq!((code, name.as_str()), (JsonLdErrorCode::FramingLimit, "input.jsonld"));
    assert!(message.starts_with("the result has more than "), "{message}");
    // Once is enough for everybody else.
    let once = frame_with(JsonLdOptions::default(), &input, r#"{"@id": "ex:n0"}"#).expect("once is little");
    assert_eq!(once["ex:q"], json!({"@id": "ex:n1"}));
}

#[test]
fn always_stops_where_it_would_go_in_circles() {
    let input = json!([
        {"@id": "ex:a", "ex:knows": [{"@id": "ex:b"}, {"@id": "ex:a"}]},
        {"@id": "ex:b", "ex:knows": {"@id": "ex:a"}, "ex:name": "B"},
    ]);
    let framed = frame(&input, &json!({"@id": "ex:a", "@embed": "@always"}));
    let wanted = json!({"@id": "ex:a", "ex:knows": [
        {"@id": "ex:b", "ex:knows": {"@id": "ex:a"}, "ex:name": "B"}, {"@id": "ex:a"}
    ]});
    assert_eq!(framed, wanted);
}

#[test]
fn defaults_come_out_of_the_frame_as_they_are_written_there() {
    let input = json!({"@id": "ex:a", "@type": "ex:A"});
    let framed = frame(
        &input,
        &json!({
            "@context": {"ex:link": {"@type": "@id"}, "ex:list": {"@container": "@list"}},
            "@type": "ex:A",
            "ex:text": {"@default": "käse \"x\""},
            "ex:number": {"@default": 1.50},
            "ex:tagged": {"@default": {"@value": "Käse", "@language": "de"}},
            "ex:first": {"@default": ["one", "two"]},
            "ex:link": {"@default": "ex:other"},
            "ex:node": {"@default": {"@id": "ex:n", "ex:p": [{"@list": [1, 2]}]}},
            "ex:null": {"@default": "@null"},
            "ex:nothing": {},
            "ex:omitted": {"@omitDefault": true},
        }),
    );
    let wanted = json!({
        "@context": {"ex:link": {"@type": "@id"}, "ex:list": {"@container": "@list"}},
        "@id": "ex:a",
        "@type": "ex:A",
        "ex:text": "käse \"x\"",
        "ex:number": 1.5,
        "ex:tagged": {"@language": "de", "@value": "Käse"},
        "ex:first": "one",
        "ex:link": "ex:other",
        "ex:node": {"@id": "ex:n", "ex:p": {"@list": [1, 2]}},
        "ex:null": null,
        "ex:nothing": null,
    });
    assert_eq!(framed, wanted);
}

#[test]
fn match_none_counts_beside_a_type() {
    let input = json!([
        {"@id": "ex:a", "@type": "ex:Q", "ex:answer": "yes"},
        {"@id": "ex:b", "@type": "ex:Q"},
    ]);
    let framed = frame(&input, &json!({"@type": "ex:Q", "ex:answer": []}));
    assert_eq!(framed, json!({"@id": "ex:b", "@type": "ex:Q", "ex:answer": null}));
}

#[test]
fn a_node_pattern_is_matched_to_its_depth() {
    let input = json!([
        {"@id": "ex:a", "ex:p": {"@id": "ex:b", "ex:q": {"@id": "ex:c", "@type": "ex:C"}}},
        {"@id": "ex:d", "ex:p": {"@id": "ex:e", "ex:q": {"@id": "ex:f", "@type": "ex:F"}}},
    ]);
    let framed = frame(&input, &json!({"ex:p": {"ex:q": {"@type": "ex:F"}}}));
    let wanted = json!({"@id": "ex:d", "ex:p": {"@id": "ex:e", "ex:q": {"@id": "ex:f", "@type": "ex:F"}}});
    assert_eq!(framed, wanted);
}

#[test]
fn any_of_several_values_may_match() {
    let input = json!([
        {"@id": "ex:a", "ex:p": ["one", "three"]}, {"@id": "ex:b", "ex:p": "two"}, {"@id": "ex:c", "ex:p": "four"},
    ]);
    let framed = frame(&input, &json!({"ex:p": ["one", "two"]}));
    assert_eq!(framed, json!({"@graph": [{"@id": "ex:a", "ex:p": "one"}, {"@id": "ex:b", "ex:p": "two"}]}));
}

#[test]
fn a_reverse_property_nests_those_that_refer() {
    let input = json!([
        {"@id": "ex:book", "@type": "ex:Book"},
        {"@id": "ex:ada", "ex:likes": {"@id": "ex:book"}, "ex:name": "Ada"},
        {"@id": "ex:bob", "ex:likes": {"@id": "ex:book"}, "ex:name": "Bob"},
    ]);
    let framed = frame(&input, &json!({"@type": "ex:Book", "@reverse": {"ex:likes": {}}}));
    let wanted = json!({"@id": "ex:book", "@type": "ex:Book", "@reverse": {"ex:likes": [
        {"@id": "ex:ada", "ex:likes": {"@id": "ex:book"}, "ex:name": "Ada"},
        {"@id": "ex:bob", "ex:likes": {"@id": "ex:book"}, "ex:name": "Bob"},
    ]}});
    assert_eq!(framed, wanted);
}

#[test]
fn an_index_finds_what_looking_through_finds() {
    // Above the size below which graphs are looked through.
    let nodes: Vec<Value> = (0..100)
        .map(|number| {
            json!({
                "@id": format!("ex:n{number:03}"), "@type": format!("ex:T{}", number % 3),
                format!("ex:p{}", number % 5): number,
            })
        })
        .collect();
    let ids = |frame_value: Value| -> Vec<String> {
        let framed = frame(&Value::Array(nodes.clone()), &frame_value);
        let results = framed["@graph"].as_array().cloned().unwrap_or_default();
        results.iter().map(|node| node["@id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let wanted = |matches: fn(usize) -> bool| -> Vec<String> {
        (0..100).filter(|&number| matches(number)).map(|number| format!("ex:n{number:03}")).collect()
    };
    assert_eq!(ids(json!({"@type": "ex:T1"})), wanted(|number| number % 3 == 1));
    assert_eq!(ids(json!({"@type": ["ex:T1", "ex:T2"]})), wanted(|number| number % 3 != 0));
    assert_eq!(ids(json!({"@type": {}})), wanted(|_| true));
    assert_eq!(ids(json!({"ex:p1": {}})), wanted(|number| number % 5 == 1));
    assert_eq!(ids(json!({"ex:p1": {}, "ex:p2": {}})), wanted(|number| matches!(number % 5, 1 | 2)));
    assert_eq!(ids(json!({"ex:p1": []})), wanted(|number| number % 5 != 1));
    assert_eq!(
        ids(json!({"@requireAll": true, "@type": "ex:T1", "ex:p1": {}})),
        wanted(|number| number % 3 == 1 && number % 5 == 1)
    );
    assert_eq!(
        ids(json!({"@requireAll": true, "ex:p1": [], "ex:p2": {"@default": 1}, "ex:p3": {}})),
        wanted(|number| number % 5 == 3)
    );
    assert_eq!(ids(json!({"@id": ["ex:n050", "ex:n007"]})), ["ex:n007", "ex:n050"]);
}
