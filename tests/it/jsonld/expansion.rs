//! Expansion where the suites do not look: what says nothing, and what is dropped or refused.

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use std::sync::Arc;

/// The expanded document, or the code of the error.
fn expanded(text: &str) -> String {
    let document = json::parse("here.jsonld", text.to_owned(), Limits::default()).expect("it is JSON");
    JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).expand(&Arc::new(document)).map_or_else(
        |error| error.code.as_str().to_owned(),
        |expanded| expanded.to_json(JsonLdLayout::Compact).trim_end().to_owned(),
    )
}

fn check(cases: &[(&str, &str)]) {
    for (document, wanted) in cases {
        assert_eq!(expanded(document), *wanted, "{document}");
    }
}

/// Expansion 13.4.6.2: `null for active property`, and 19 drops what says nothing there.
#[test]
fn included_nodes_that_say_nothing_are_dropped() {
    check(&[
        (r#"{"@included": [{}]}"#, r#"[{"@included":[]}]"#),
        (r#"{"@included": {}}"#, r#"[{"@included":[]}]"#),
        (r#"{"@included": [{"@id": "ex:a"}, {"@type": "ex:T"}]}"#, r#"[{"@included":[{"@type":["ex:T"]}]}]"#),
        (r#"{"ex:p": {"@included": [{"@id": "ex:a"}]}}"#, r#"[{"ex:p":[{"@included":[]}]}]"#),
        (r#"{"@included": ["x"]}"#, r#"[{"@included":[]}]"#),
        // 13.4.6.3: alone, they are not nodes.
        (r#"{"@included": "x"}"#, "invalid @included value"),
        (r#"{"@included": null}"#, "invalid @included value"),
        (r#"{"@included": {"@value": 1}}"#, "invalid @included value"),
        (r#"{"@included": {"@list": [1]}}"#, "invalid @included value"),
    ]);
}

/// Expansion 13.4.13.4.2.1 and 13.13.4: values are added one by one, and without any there is no property.
#[test]
fn a_reversed_property_without_values_leaves_an_empty_map() {
    check(&[
        (r#"{"@reverse": {"ex:p": []}}"#, r#"[{"@reverse":{}}]"#),
        (r#"{"@context": {"r": {"@reverse": "ex:p"}}, "r": []}"#, r#"[{"@reverse":{}}]"#),
        (
            r#"{"@reverse": {"ex:p": [], "ex:q": {"@id": "ex:a"}}}"#,
            r#"[{"@reverse":{"ex:q":[{"@id":"ex:a"}]}}]"#,
        ),
        (r#"{"@reverse": {}}"#, "[]"),
        // What is reversed twice points forwards.
        (r#"{"@context": {"r": {"@reverse": "ex:p"}}, "@reverse": {"r": []}}"#, "[]"),
        (
            r#"{"@context": {"r": {"@reverse": "ex:p"}}, "@reverse": {"r": {"@id": "ex:a"}}}"#,
            r#"[{"ex:p":[{"@id":"ex:a"}]}]"#,
        ),
    ]);
}

/// Expansion 13.4.17 keeps them, and 18 drops a language without anything beside it.
#[test]
fn a_language_or_direction_stays_in_a_node() {
    check(&[
        (r#"{"@id": "ex:a", "@language": "en"}"#, r#"[{"@id":"ex:a","@language":"en"}]"#),
        (r#"{"@direction": "ltr"}"#, r#"[{"@direction":"ltr"}]"#),
        (r#"{"@language": "en"}"#, "[]"),
        (r#"{"ex:p": {"@language": "en"}}"#, "[]"),
        (
            r#"{"ex:p": {"@language": "en", "ex:q": {"@id": "ex:a"}}}"#,
            r#"[{"ex:p":[{"ex:q":[{"@id":"ex:a"}],"@language":"en"}]}]"#,
        ),
    ]);
}

/// Compaction 12.6.
#[test]
fn a_language_of_a_node_is_compacted_to_its_alias() {
    let parsed =
        |text: &str| Arc::new(json::parse("here", text.to_owned(), Limits::default()).expect("it is JSON"));
    let document = parsed(r#"{"@id": "ex:a", "@language": "en", "@direction": "rtl"}"#);
    let context = parsed(r#"{"@context": {"tongue": "@language"}}"#);
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let compacted =
        processor.compact(&document, &context).expect("it is JSON-LD").to_json(JsonLdLayout::Compact);
    assert_eq!(
        compacted.trim_end(),
        r#"{"@context":{"tongue":"@language"},"@id":"ex:a","tongue":"en","@direction":"rtl"}"#
    );
}

/// Expansion 13.8.3.7 would make value and list objects of them that have entries they cannot have.
#[test]
fn a_key_of_a_map_that_its_value_cannot_have_is_refused() {
    let map = |container: &str, value: &str| {
        let context = format!(r#"{{"f": {{"@id": "ex:f", "@container": "{container}"}}}}"#);
        expanded(&format!(r#"{{"@context": {context}, "f": {value}}}"#))
    };
    for container in ["@id", "@type"] {
        assert_eq!(map(container, r#"{"ex:k": 1}"#), "invalid value object");
        assert_eq!(map(container, r#"{"ex:k": {"@list": [1]}}"#), "invalid set or list object");
        assert_eq!(map(container, r#"{"@none": 1}"#), r#"[{"ex:f":[{"@value":1}]}]"#);
        assert_eq!(map(container, r#"{"ex:k": null}"#), r#"[{"ex:f":[]}]"#);
    }
    assert_eq!(
        map("@index", r#"{"k": {"@list": [1]}}"#),
        r#"[{"ex:f":[{"@list":[{"@value":1}],"@index":"k"}]}]"#
    );
}
