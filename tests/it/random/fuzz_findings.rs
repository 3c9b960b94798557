//! What the fuzz targets have found, each as the shortest document that shows it.

use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use std::sync::Arc;

fn read(text: &str) -> Arc<JsonDocument> {
    Arc::new(parse("document", text.to_owned(), Limits::default()).expect("JSON"))
}

fn expand(text: &str) -> Result<String, &'static str> {
    let document = read(text);
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let expanded = processor.expand(&document).map_err(|error| error.code.as_str())?;
    Ok(expanded.to_json(JsonLdLayout::Compact).trim_end().to_owned())
}

fn compact(text: &str, context: &str) -> Result<String, &'static str> {
    let (document, context) = (read(text), read(context));
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let compacted = processor.compact(&document, &context).map_err(|error| error.code.as_str())?;
    Ok(compacted.to_json(JsonLdLayout::Compact).trim_end().to_owned())
}

#[test]
fn a_datatype_of_a_term_is_an_iri_and_not_just_a_text_with_a_colon() {
    for datatype in ["@:d", "http://example.org/a b", ":", "_:b"] {
        let text = format!(r#"{{"@context": {{"x:p": {{"@type": "{datatype}"}}}}, "x:p": "o"}}"#);
        assert_eq!(expand(&text), Err("invalid type mapping"), "{datatype}");
    }
}

#[test]
fn a_reverse_term_has_no_unknown_entries_either() {
    let text = r#"{"@context": {"t": {"@reverse": "x:p", "@containe1r": "@set"}}}"#;
    assert_eq!(expand(text), Err("invalid term definition"));
}

#[test]
fn a_language_without_a_value_is_nothing_whatever_else_is_dropped() {
    for rest in ["", r#", "@vqlue": "o""#, r#", "relative": "o""#] {
        let object = format!(r#"{{"@language": "en"{rest}}}"#);
        assert_eq!(expand(&object).as_deref(), Ok("[]"), "{object}");
        let value = format!(r#"{{"@id": "x:s", "x:p": [{object}, {object}, "o"]}}"#);
        assert_eq!(expand(&value).as_deref(), Ok(r#"[{"@id":"x:s","x:p":[{"@value":"o"}]}]"#), "{value}");
    }
}

#[test]
fn a_reverse_map_that_says_nothing_is_no_entry() {
    for nothing in [r#""@reverse": {}"#, r#""@reverse": {"relative": {"@id": "x:b"}}"#, r#""@nest": {}"#] {
        assert_eq!(expand(&format!(r#"{{"@id": "x:a", {nothing}}}"#)).as_deref(), Ok("[]"), "{nothing}");
        assert_eq!(expand(&format!("{{{nothing}}}")).as_deref(), Ok("[]"), "{nothing}");
        let value = format!(r#"{{"x:p": {{"@value": "o", {nothing}}}}}"#);
        assert_eq!(expand(&value).as_deref(), Ok(r#"[{"x:p":[{"@value":"o"}]}]"#), "{nothing}");
    }
    let kept = r#"{"@id": "x:a", "@reverse": {"x:p": {"@id": "x:b"}}}"#;
    assert_eq!(expand(kept).as_deref(), Ok(r#"[{"@id":"x:a","@reverse":{"x:p":[{"@id":"x:b"}]}}]"#));
}

#[test]
fn what_follows_the_vocabulary_is_left_where_it_would_be_read_as_an_iri() {
    let context = r#"{"@vocab": "x:v/", "p": {"@id": "x:p", "@prefix": true}}"#;
    for (suffix, is_kept) in
        [("a:b", true), ("p:b", true), ("_:b", true), ("é://b", true), (":b", false), ("é:b", false)]
    {
        let text = format!(r#"[{{"x:v/{suffix}":[{{"@value":"o"}}]}}]"#);
        let compacted = compact(&text, context).expect("a document");
        let key = if is_kept { format!("x:v/{suffix}") } else { suffix.to_owned() };
        assert!(compacted.ends_with(&format!(r#""{key}":"o"}}"#)), "{compacted}");
        assert_eq!(expand(&compacted), Ok(text));
    }
}

#[test]
fn a_compact_iri_that_would_be_read_as_an_iri_is_none() {
    let context = r#"{"ex": "http://example.org/"}"#;
    for (iri, key) in [
        ("http://example.org///authored", "http://example.org///authored"),
        ("http://example.org//authored", "ex:/authored"),
        ("http://example.org/authored", "ex:authored"),
    ] {
        let text = format!(r#"[{{"{iri}":[{{"@value":"o"}}]}}]"#);
        let compacted = compact(&text, context).expect("a document");
        assert_eq!(compacted, format!(r#"{{"@context":{context},"{key}":"o"}}"#).replace(": ", ":"));
        assert_eq!(expand(&compacted), Ok(text));
    }
}

#[test]
fn an_index_that_makes_no_iri_is_an_index_all_the_same() {
    for index in ["plain", "@odd", "nothing"] {
        let with = |definition: &str, value: &str| {
            let context = format!(r#"{{"nothing": null, "t": {definition}}}"#);
            expand(&format!(r#"{{"@context": {context}, "t": {{"{index}": {value}}}}}"#))
        };
        let kept = with(r#"{"@id": "x:t", "@container": "@index"}"#, r#""o""#);
        assert_eq!(kept, Ok(format!(r#"[{{"x:t":[{{"@value":"o","@index":"{index}"}}]}}]"#)));
        let property = r#"{"@id": "x:t", "@container": "@index", "@index": "x:i"}"#;
        let kept = with(property, r#"{"@id": "x:s"}"#);
        assert_eq!(kept, Ok(format!(r#"[{{"x:t":[{{"@id":"x:s","x:i":[{{"@value":"{index}"}}]}}]}}]"#)));
    }
}

#[test]
fn a_language_or_direction_of_a_node_stays_where_it_is_not_alone() {
    // JSON-LD 1.1 API, 5.1, 18: only a language alone makes a node nothing.
    let language = r#"{"@language": "en"}"#;
    assert_eq!(expand(language), Ok("[]".to_owned()));
    for (entries, kept) in [
        (r#""@direction": "rtl""#, r#"{"@direction":"rtl"}"#),
        (
            r#""unmapped": 1, "@language": "en", "@direction": "rtl""#,
            r#"{"@language":"en","@direction":"rtl"}"#,
        ),
        (r#""@id": "x:s", "@language": "en""#, r#"{"@id":"x:s","@language":"en"}"#),
    ] {
        assert_eq!(expand(&format!("{{{entries}}}")), Ok(format!("[{kept}]")), "{entries}");
    }
}
