//! What loading a checkpoint changes: shared ids, JSON values, scenarios.

use crate::karenina::fixtures::{document, fixture};
use evalgraph::diagnostic::FindingSeverity;
use evalgraph::json::{JsonDocument, TokenId};
use evalgraph::source::checkpoint::{CheckpointAdaptation, CheckpointDialect, adapt};

fn new_ids(adaptation: &CheckpointAdaptation, document: &JsonDocument) -> Vec<(String, String)> {
    let replaced = adaptation.load_mode.replaced_ids.iter();
    let mut ids: Vec<(TokenId, String)> = replaced.map(|(token, id)| (*token, id.clone())).collect();
    ids.sort();
    ids.into_iter().map(|(token, id)| (document.pointer(token), id)).collect()
}

fn checkpoint(root: &str, questions: &str) -> String {
    format!(
        r#"{{"@context": {{"@vocab": "http://schema.org/"}}, "@type": "DataFeed", {root}
            "dataFeedElement": [{{"@type": "DataFeedItem", "@id": "urn:q", "item": {{"@type": "Question", {questions} "text": "?"}}}}]}}"#
    )
}

#[test]
fn a_rating_id_that_stands_twice_gets_a_number_that_no_one_has() {
    let rating = |id: &str| format!(r#"{{"@type": "Rating", "@id": "{id}", "name": "n"}}"#);
    let root = format!(r#""rating": [{}, {}],"#, rating("urn:uuid:rating-a"), rating("urn:uuid:rating-a-1"));
    let inner = format!(
        r#""rating": [{}, {}, {}],"#,
        rating("urn:uuid:rating-a"),
        rating("urn:uuid:rating-b"),
        rating("urn:uuid:rating-a")
    );
    let document = document(&checkpoint(&root, &inner));
    let adaptation = adapt(&document, "d");
    let pointer = |index: u32| format!("/dataFeedElement/0/item/rating/{index}/@id");
    assert_eq!(
        new_ids(&adaptation, &document),
        [(pointer(0), "urn:uuid:rating-a-2".to_owned()), (pointer(2), "urn:uuid:rating-a-3".to_owned())]
    );
    let findings = adaptation.diagnostics(&document);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, FindingSeverity::Note);
    assert_eq!(findings[0].code, "karenina::shared-rating-id");
    assert_eq!(
        findings[0].message,
        "3 ratings share the id `urn:uuid:rating-a`; the later ones become `urn:uuid:rating-a-2` to `urn:uuid:rating-a-3`"
    );
    let place = findings[0].place.as_ref().expect("the second rating has a place");
    assert_eq!(place.pointer.as_deref(), Some("/dataFeedElement/0/item/rating/0/@id"));
    assert_eq!(findings[0].related[0].0.pointer.as_deref(), Some("/rating/0/@id"));
}

#[test]
fn a_question_with_the_id_of_its_item_gets_its_own() {
    let document = fixture("karenina/x-neuroscience.jsonld");
    let adaptation = adapt(&document, "x-neuroscience");
    assert_eq!(adaptation.detection.dialect, CheckpointDialect::X);
    let ids = new_ids(&adaptation, &document);
    assert_eq!(ids.len(), 4);
    assert_eq!(
        ids[2],
        (
            "/dataFeedElement/2/item/@id".to_owned(),
            "urn:uuid:question-what-insulates-the-axons-of-neurons-33d14a2b-question".to_owned()
        )
    );
    let findings = adaptation.diagnostics(&document);
    assert!(findings.iter().all(|finding| finding.code == "karenina::shared-item-id"));
    assert_eq!(findings.len(), 4);
}

#[test]
fn arrays_and_objects_in_values_and_scenarios_stay_json() {
    let document = fixture("karenina/p2-genomics.jsonld");
    let adaptation = adapt(&document, "p2-genomics");
    let mut values: Vec<TokenId> = adaptation.load_mode.json_values.iter().copied().collect();
    values.sort();
    let pointers: Vec<String> = values.into_iter().map(|value| document.pointer(value)).collect();
    assert_eq!(
        pointers,
        [
            "/rating/2/additionalProperty/5/value",
            "/rating/3/additionalProperty/0/value",
            "/rating/6/additionalProperty/0/value",
            "/rating/6/additionalProperty/4/value",
            "/dataFeedElement/1/item/additionalProperty/2/value",
            "/additionalProperty/1/value",
        ]
    );
    let scenario = fixture("karenina/p2-scenario.jsonld");
    let adaptation = adapt(&scenario, "p2-scenario");
    let value = *adaptation.load_mode.json_values.iter().next().expect("one scenario");
    assert_eq!(scenario.pointer(value), "/hasPart/0");
}

#[test]
fn a_value_object_is_left_to_the_processor() {
    let property =
        |value: &str| format!(r#""additionalProperty": [{{"@type": "PropertyValue", "value": {value}}}],"#);
    let plain = document(&checkpoint(&property(r#"{"a": 1}"#), ""));
    assert_eq!(adapt(&plain, "d").json_values, 1);
    let typed = document(&checkpoint(&property(r#"{"@value": "x", "@type": "http://a.example/t"}"#), ""));
    assert_eq!(adapt(&typed, "d").json_values, 0);
}

#[test]
fn what_is_no_checkpoint_keeps_its_ids_and_values() {
    let document = document(
        r#"{"@context": "https://schema.org", "@type": "Product", "additionalProperty":
            {"@type": "PropertyValue", "value": {"@type": "QuantitativeValue", "value": 3}},
            "rating": [{"@type": "Rating", "@id": "urn:a"}, {"@type": "Rating", "@id": "urn:a"}]}"#,
    );
    let adaptation = adapt(&document, "products");
    assert_eq!(adaptation.detection.dialect, CheckpointDialect::None);
    assert!(adaptation.load_mode.replaced_ids.is_empty());
    assert!(adaptation.load_mode.json_values.is_empty());
    assert!(adaptation.load_mode.one_schema_org);
    assert_eq!(adaptation.load_mode.mint_below.as_deref(), Some("urn:evalgraph:karenina:products:"));
    assert!(adaptation.diagnostics(&document).is_empty());
}
