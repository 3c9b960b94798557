//! Compaction: what the suite leaves open, faults with their places, and the command.

use crate::cli::input::run;
use evalgraph::json::{self, JsonDocument, Limits};
use evalgraph::jsonld::{
    JsonLdErrorCode, JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader, ProcessingMode, WarningCode,
};
use std::fs;
use std::sync::Arc;

fn parse(text: &str) -> Arc<JsonDocument> {
    Arc::new(json::parse("made", text.to_owned(), Limits::default()).expect("it is JSON"))
}

/// The compacted text without white space, or the code and JSON Pointer of the error.
fn compact(
    document: &str,
    context: &str,
    options: JsonLdOptions,
) -> Result<String, (JsonLdErrorCode, String)> {
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let (document, context) = (parse(document), parse(context));
    match processor.compact(&document, &context) {
        Ok(compacted) => Ok(compacted.to_json(JsonLdLayout::Compact)),
        Err(error) => {
            let (document, token) = error.place.clone().expect("an error has a place");
            Err((error.code, document.pointer(token)))
        }
    }
}

fn compacted(document: &str, context: &str) -> String {
    compact(document, context, JsonLdOptions::default()).expect("it is compacted")
}

#[test]
fn an_iri_that_looks_like_a_compact_one_is_named_with_its_place() {
    let error = compact(
        r#"[{"@id": "urn:a", "http://x/p": [{"@id": "tag:b"}]}]"#,
        r#"{"tag": {"@id": "http://t/", "@prefix": true}}"#,
        JsonLdOptions::default(),
    );
    assert_eq!(error, Err((JsonLdErrorCode::IriConfusedWithPrefix, "/0/http:~1~1x~1p/0/@id".to_owned())));
}

#[test]
fn a_nest_value_that_is_no_alias_of_nest_is_refused() {
    let error = compact(
        r#"[{"http://x/p": [{"@value": 1}]}]"#,
        r#"{"p": {"@id": "http://x/p", "@nest": "n"}, "n": "http://x/n"}"#,
        JsonLdOptions::default(),
    );
    assert_eq!(error, Err((JsonLdErrorCode::InvalidNestValue, "/0/http:~1~1x~1p".to_owned())));
}

const TWO_LISTS: &str = r#"[{"http://x/p": [{"@list": [{"@value": 1}]}, {"@list": [{"@value": 2}]}]}]"#;
const ONE_LIST: &str = r#"{"p": {"@id": "http://x/p", "@container": "@list"}}"#;

#[test]
fn a_second_list_is_an_error_in_1_0_and_a_warning_in_1_1() {
    let options = JsonLdOptions { processing_mode: ProcessingMode::JsonLd1_0, ..JsonLdOptions::default() };
    let error = compact(TWO_LISTS, ONE_LIST, options);
    assert_eq!(error, Err((JsonLdErrorCode::CompactionToListOfLists, "/0/http:~1~1x~1p".to_owned())));
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let (document, context) = (parse(TWO_LISTS), parse(ONE_LIST));
    let compacted = processor.compact(&document, &context).expect("it is compacted");
    assert_eq!(compacted.warnings.len(), 1);
    assert_eq!(compacted.warnings[0].code, WarningCode::SecondList);
    assert!(compacted.to_json(JsonLdLayout::Compact).ends_with(",\"p\":[2]}\n"));
}

#[test]
fn an_index_is_kept_where_the_property_does_not_say_it() {
    let document = r#"[{"http://x/d": [{"@value": "1", "@type": "http://x/t", "@index": "i"}],
        "http://x/r": [{"@id": "http://x/a", "@index": "i"}]}]"#;
    let context =
        r#"{"d": {"@id": "http://x/d", "@type": "http://x/t"}, "r": {"@id": "http://x/r", "@type": "@id"}}"#;
    let text = compacted(document, context);
    assert!(text.contains(r#""d":{"@type":"http://x/t","@value":"1","@index":"i"}"#), "{text}");
    assert!(text.contains(r#""r":{"@id":"http://x/a","@index":"i"}"#), "{text}");
}

#[test]
fn what_would_be_read_as_a_keyword_is_not_shortened_to_one() {
    let options = JsonLdOptions { base: Some("http://x/".to_owned()), ..JsonLdOptions::default() };
    let text = compact(
        r#"[{"@id": "http://x/id", "http://v/@type": [{"@value": 1}]}]"#,
        r#"{"@vocab": "http://v/", "id": "@id"}"#,
        options,
    )
    .expect("it is compacted");
    assert_eq!(
        text,
        "{\"@context\":{\"@vocab\":\"http://v/\",\"id\":\"@id\"},\"id\":\"./id\",\"http://v/@type\":1}\n"
    );
}

#[test]
fn a_value_does_not_take_the_type_of_a_term_that_is_the_iri_itself() {
    let document = r#"[{"http://x/p": [{"@value": "a"}, {"@value": 1}]}]"#;
    let context = |kind: &str| format!(r#"{{"http://x/p": {{"@type": "{kind}"}}}}"#);
    for kind in ["@id", "@vocab"] {
        let expected = r#""http://x/p":[{"@value":"a"},1]}"#;
        let compacted = compacted(document, &context(kind));
        assert!(compacted.trim_end().ends_with(expected), "{compacted}");
    }
    for kind in ["@json", "http://x/datatype"] {
        let expected = r#""http://x/p":[{"@value":"a"},{"@value":1}]}"#;
        let compacted = compacted(document, &context(kind));
        assert!(compacted.trim_end().ends_with(expected), "{compacted}");
    }
}

#[test]
fn strings_and_numbers_stay_as_they_are_written() {
    let text = compacted(r#"[{"http://x/p": [{"@value": "\u00e9\/\n"}, {"@value": 1.50E2}]}]"#, "{}");
    assert_eq!(text, "{\"http://x/p\":[\"\\u00e9\\/\\n\",1.50E2]}\n");
}

#[test]
fn many_properties_that_would_meet_in_one_key_stay_apart() {
    // Both IRIs end as `ex:p`: the one by its prefix; the other behind the vocabulary, where that
    // would be read as the first.
    let mut document = String::from("[{");
    for number in 0..100 {
        document.push_str(&format!(
            r#""http://ex/{number}": [{{"@value": 1}}], "http://v/ex:{number}": [{{"@value": 2}}],"#
        ));
    }
    document.push_str(r#""@id": "http://x/"}]"#);
    let text = compacted(&document, r#"{"@vocab": "http://v/", "ex": "http://ex/"}"#);
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    for number in 0..100 {
        assert_eq!(value[format!("ex:{number}")], serde_json::json!(1));
        assert_eq!(value[format!("http://v/ex:{number}")], serde_json::json!(2));
    }
}

#[test]
fn the_command_compacts_with_files_urls_and_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("ours");
    write(
        "a.jsonld",
        r#"[{"@type": ["http://schema.org/Person"], "http://schema.org/name": [{"@value": "Ada"}]}]"#,
    );
    fs::create_dir(folder.path().join("contexts")).expect("ours");
    write("contexts/outer.jsonld", r#"{"@context": ["inner.jsonld", {"Person": "s:Person"}]}"#);
    write("contexts/inner.jsonld", r#"{"@context": {"s": "http://schema.org/"}}"#);
    let compact = |context: &str, flags: &[&str]| {
        let arguments = [&["compact", "a.jsonld", "-c", context], flags].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!((status, stderr.as_str()), (0, ""));
        serde_json::from_str::<serde_json::Value>(&stdout).expect("it is JSON")
    };
    let by_file = serde_json::json!({
        "@context": ["inner.jsonld", {"Person": "s:Person"}], "@type": "Person", "s:name": "Ada"
    });
    assert_eq!(compact("contexts/outer.jsonld", &[]), by_file);
    let by_url = serde_json::json!({
        "@context": "https://schema.org/", "type": "Person", "name": "Ada"
    });
    assert_eq!(compact("schema.org", &[]), by_url);
    assert_eq!(compact("https://schema.org/", &["--map", "http://x/=contexts"]), by_url);
    let in_graph = compact("schema.org", &["--compact-arrays", "false"]);
    assert_eq!(in_graph["@graph"][0]["name"], serde_json::json!(["Ada"]));
    assert_eq!(run(folder.path(), &["compact", "a.jsonld", "-c", "schema.org", "-o", "b.jsonld"]).0, 0);
    let written = fs::read_to_string(folder.path().join("b.jsonld")).expect("it was written");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&written).expect("it is JSON"), by_url);
}

#[test]
fn the_command_says_that_it_wants_a_context() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.jsonld"), "{}").expect("ours");
    let (status, stdout, stderr) = run(folder.path(), &["compact", "a.jsonld"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.starts_with("error[input::no-context]: `compact` needs a context\n"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn no_depth_overflows_the_stack_of_the_command() {
    const DEEPEST: usize = 9_990;
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("c.jsonld"), ONE_LIST).expect("ours");
    let forms = [
        ("{\"http://x/p\": ", "1", "}"),
        ("{\"http://x/p\": [{\"@list\": [", "1", "]}]}"),
        ("{\"http://x/q\": {\"@list\": [{\"@list\": [", "1", "]}]}}"),
        ("{\"http://x/q\": {\"@graph\": [", "{}", "]}}"),
        ("{\"@reverse\": {\"http://x/q\": ", "{}", "}}"),
        ("{\"@included\": [", "{\"@id\": \"x:\"}", "]}"),
    ];
    for (open, inner, close) in forms {
        let levels = DEEPEST / open.matches(['{', '[']).count();
        let text = format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
        fs::write(folder.path().join("deep.jsonld"), text).expect("ours");
        // Each line of the result is indented by its depth: it is long, and of no interest.
        let arguments =
            ["compact", "deep.jsonld", "-c", "c.jsonld", "--max-depth", "10000", "-o", "/dev/null"];
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{open}: {}", &stderr[..stderr.len().min(300)]);
    }
}
