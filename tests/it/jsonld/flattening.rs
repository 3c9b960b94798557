//! Flattening beyond the suite: sets of values, labels, graphs, and what grows.

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use serde_json::{Value, json};
use std::sync::Arc;

fn flatten_with(options: JsonLdOptions, input: &Value) -> Value {
    let document = Arc::new(parse("input.jsonld", input.to_string(), Limits::default()).expect("it is JSON"));
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let flattened = processor.flatten(&document, None).expect("it is JSON-LD").to_json(JsonLdLayout::Compact);
    serde_json::from_str(&flattened).expect("a result is JSON")
}

fn flatten(input: &Value) -> Value {
    flatten_with(JsonLdOptions::default(), input)
}

#[test]
fn values_of_a_property_are_a_set_however_many_there_are() {
    for count in [2, 15, 16, 17, 18, 40, 1000] {
        let values: Vec<Value> = (0..count)
            .flat_map(|number| {
                [
                    json!(number),
                    json!(format!("v{number}")),
                    json!({"@value": format!("v{number}"), "@language": "en"}),
                ]
            })
            .collect();
        let twice: Vec<Value> = values.iter().chain(&values).cloned().collect();
        let once = flatten(&json!({"@id": "ex:a", "ex:p": values}));
        assert_eq!(flatten(&json!({"@id": "ex:a", "ex:p": twice})), once);
        assert_eq!(once[0]["ex:p"].as_array().map(Vec::len), Some(3 * count));
    }
}

#[test]
fn a_node_may_have_any_number_of_properties() {
    for count in [1, 16, 17, 18, 500] {
        let node = |value: u32| -> Value {
            let properties = (0..count).map(|number| (format!("ex:p{number:04}"), json!(value)));
            let id = std::iter::once(("@id".to_owned(), json!("ex:a")));
            Value::Object(id.chain(properties).collect())
        };
        let flattened = flatten(&json!([node(1), node(2)]));
        let merged = flattened[0].as_object().expect("there is one node");
        assert_eq!(merged.len(), count + 1);
        assert!(merged.iter().skip(1).all(|(_, values)| *values == json!([{"@value": 1}, {"@value": 2}])));
    }
}

#[test]
fn numbers_are_equal_by_value_and_large_integers_as_written() {
    let input = json!({"@id": "ex:a", "ex:p": [1, 1.0, 1e0, 9007199254740992_u64, 9007199254740993_u64]});
    let wanted = json!([{"@id": "ex:a", "ex:p": [
        {"@value": 1}, {"@value": 9007199254740992_u64}, {"@value": 9007199254740993_u64}
    ]}]);
    assert_eq!(flatten(&input), wanted);
}

#[test]
fn the_same_list_twice_is_two_lists() {
    let input = json!({"@id": "ex:a", "ex:p": [{"@list": [1]}, {"@list": [1]}]});
    let lists = json!([{"@list": [{"@value": 1}]}, {"@list": [{"@value": 1}]}]);
    assert_eq!(flatten(&input), json!([{"@id": "ex:a", "ex:p": lists}]));
}

#[test]
fn blank_nodes_are_labelled_in_the_order_of_properties() {
    let input = json!({"ex:b": {"ex:n": 2}, "ex:a": {"@id": "_:mine", "ex:n": 1}, "@type": "_:type"});
    let wanted = json!([
        {"@id": "_:b1", "@type": ["_:b0"], "ex:a": [{"@id": "_:b2"}], "ex:b": [{"@id": "_:b3"}]},
        {"@id": "_:b2", "ex:n": [{"@value": 1}]},
        {"@id": "_:b3", "ex:n": [{"@value": 2}]},
    ]);
    assert_eq!(flatten(&input), wanted);
}

#[test]
fn graphs_stand_beside_each_other_however_deep_they_were() {
    let input = json!({"@id": "ex:g", "ex:in": "default", "@graph": [
        {"@id": "ex:h", "@graph": [{"@id": "ex:a", "ex:in": "h"}]},
        {"@id": "ex:a", "ex:in": "g"},
    ]});
    let wanted = json!([
        {"@id": "ex:g", "ex:in": [{"@value": "default"}],
         "@graph": [{"@id": "ex:a", "ex:in": [{"@value": "g"}]}]},
        {"@id": "ex:h", "@graph": [{"@id": "ex:a", "ex:in": [{"@value": "h"}]}]},
    ]);
    assert_eq!(flatten(&input), wanted);
}

#[test]
fn ordered_sorts_nodes_and_the_document_does_otherwise() {
    let input = json!([{"@id": "ex:b", "ex:p": 1}, {"@id": "ex:a", "ex:p": 1}]);
    let ids = |flattened: &Value| [flattened[0]["@id"].clone(), flattened[1]["@id"].clone()];
    assert_eq!(ids(&flatten(&input)), ["ex:b", "ex:a"]);
    let ordered = JsonLdOptions { ordered: true, ..JsonLdOptions::default() };
    assert_eq!(ids(&flatten_with(ordered, &input)), ["ex:a", "ex:b"]);
}

#[test]
fn flattening_twice_changes_nothing() {
    let input = json!([
        {"@id": "ex:a", "ex:p": {"ex:q": [{"ex:r": "x"}, {"@list": [{"ex:s": 1}]}]}},
        {"@id": "ex:g", "@graph": {"ex:p": {"@id": "ex:a"}}, "@reverse": {"ex:of": {"@id": "ex:b"}}},
    ]);
    let once = flatten(&input);
    assert_eq!(flatten(&once), once);
}
