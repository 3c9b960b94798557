//! Values of a checkpoint that look like JSON-LD: what users write below `value` is data.

use crate::cli::input::run;
use serde_json::{Value, json};
use std::fs;

/// A checkpoint as the library writes it, with these values in the properties of its question.
fn checkpoint(values: &[Value]) -> Value {
    let property = |(index, value): (usize, &Value)| json!({"@type": "PropertyValue", "name": format!("custom_k{index}"), "value": value});
    let properties: Vec<Value> = values.iter().enumerate().map(property).collect();
    json!({
        "@context": {"@version": 1.1, "@vocab": "https://schema.org/", "rating": {"@id": "contentRating", "@container": "@set"}},
        "@type": "DataFeed", "@id": "urn:uuid:karenina-checkpoint-1", "name": "n", "version": "1",
        "dateCreated": "2026-01-01T00:00:00", "dateModified": "2026-01-01T00:00:00",
        "dataFeedElement": [{
            "@type": "DataFeedItem", "@id": "urn:uuid:question-q",
            "dateCreated": "2026-01-01T00:00:00", "dateModified": "2026-01-01T00:00:00",
            "item": {"@type": "Question", "text": "q", "acceptedAnswer": {"@type": "Answer", "text": "a"},
                     "additionalProperty": properties}
        }]
    })
}

#[test]
fn values_with_keywords_of_json_ld_load_and_stay_what_they_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let values = [
        json!({"@value": 1}),
        json!({"@value": {"a": 1}}),
        json!({"@id": "x", "@type": "y", "@value": 1, "@list": [1]}),
        json!({"@id": "urn:x"}),
        json!({"@type": "@json", "@value": 1, "note": "mine"}),
        json!({"@set": []}),
        json!({"@value": null}),
        json!([{"@value": 1}]),
    ];
    let file = checkpoint(&values);
    fs::write(folder.path().join("c.jsonld"), file.to_string()).expect("the folder is ours");
    for command in [&["stats", "c.jsonld"][..], &["query", "c.jsonld", "-q", "ASK {}"]] {
        let (status, _, stderr) = run(folder.path(), command);
        assert_eq!(status, 0, "{command:?}: {stderr}");
    }
    let (status, back, stderr) = run(folder.path(), &["convert", "c.jsonld", "--to", "same"]);
    assert_eq!((status, back), (0, file.to_string()), "{stderr}");
    for form in ["karenina", "karenina-gui"] {
        let (status, written, stderr) = run(folder.path(), &["convert", "c.jsonld", "--to", form]);
        assert_eq!(status, 0, "{stderr}");
        let written: Value = serde_json::from_str(&written).expect("it is JSON");
        let properties = &written["dataFeedElement"][0]["item"]["additionalProperty"];
        for (index, value) in values.iter().enumerate() {
            let name = format!("custom_k{index}");
            let found =
                properties.as_array().expect("there are some").iter().find(|found| found["name"] == name);
            assert_eq!(found.map(|found| &found["value"]), Some(value), "{form} {name}");
        }
    }
}

#[test]
fn value_objects_that_a_graph_was_written_with_are_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let xsd = "http://www.w3.org/2001/XMLSchema#date";
    let file = checkpoint(&[
        json!({"@type": xsd, "@value": "2026-01-01"}),
        json!({"@type": "@json", "@value": {"a": 1}}),
    ]);
    fs::write(folder.path().join("c.jsonld"), file.to_string()).expect("the folder is ours");
    let (status, written, stderr) = run(folder.path(), &["convert", "c.jsonld", "--to", "karenina"]);
    assert_eq!(status, 0, "{stderr}");
    let written: Value = serde_json::from_str(&written).expect("it is JSON");
    let properties = &written["dataFeedElement"][0]["item"]["additionalProperty"];
    let value = |name: &str| {
        let mut all = properties.as_array().expect("there are some").iter();
        all.find(|found| found["name"] == name).map(|found| found["value"].clone())
    };
    assert_eq!(value("custom_k0"), Some(json!("2026-01-01")));
    assert_eq!(value("custom_k1"), Some(json!({"a": 1})));
}

#[test]
fn a_new_checkpoint_without_questions_and_containers_is_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = json!({"@context": {"@vocab": "https://schema.org/"}, "@type": "DataFeed", "name": "n", "dataFeedElement": []});
    fs::write(folder.path().join("new.jsonld"), text.to_string()).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "new.jsonld", "--to", "karenina"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("\"name\": \"n\""), "{stdout}");
    // A list of something else is none.
    let other = text.to_string().replace("[]", "[{\"@type\": \"Product\", \"name\": \"p\"}]");
    fs::write(folder.path().join("other.jsonld"), other).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "other.jsonld", "--to", "karenina"]);
    assert_eq!(status, 2, "{stderr}");
}
