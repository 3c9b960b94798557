//! The results of the engine where it takes a way of its own: many items, many focus nodes, results as they are found.

use std::collections::BTreeSet;

use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions, ValidationResult};
use evalgraph::store::Dataset;

use super::read;

fn told(result: &ValidationResult<'_, '_, '_>) -> String {
    let value = result.value().map_or_else(|| "-".to_owned(), |value| value.to_string());
    let text = format!("{} {value} {}", result.focus_node(), result.source_shape());
    text.replace("http://example.org/", "").replace("http://www.w3.org/2001/XMLSchema#", "xsd:")
}

/// The results as text, in their order; those that are handed on one by one are the same.
fn results(shapes: &str, data: &Dataset) -> Vec<String> {
    let shapes = Shapes::compile(&read(shapes), &ShapesOptions::default()).expect("the shapes are in order");
    let options = ValidationOptions::default();
    let report = shapes.validate(data, &options).expect("the data can be validated");
    let all: Vec<String> = report.results().map(|result| told(&result)).collect();
    let mut handed_on = Vec::new();
    let take = |result: ValidationResult<'_, '_, '_>| handed_on.push(told(&result));
    let conforms = shapes.validate_each(data, &options, take).expect("the data can be validated");
    assert_eq!(conforms, report.conforms());
    let (mut sorted, mut of_report) = (handed_on, all.clone());
    sorted.sort();
    of_report.sort();
    assert_eq!(sorted, of_report);
    all
}

const AT_LEAST: &str = "ex:declared sh:declare [ sh:prefix \"xsd\" ; sh:namespace \"http://www.w3.org/2001/XMLSchema#\"^^xsd:anyURI ] .
    ex:AtLeast a sh:ConstraintComponent ; sh:parameter [ sh:path ex:least ] ; sh:validator [ a sh:SPARQLAskValidator ;
        sh:prefixes ex:declared ; sh:ask \"ASK { FILTER (datatype($value) = xsd:integer && $value >= $least) }\" ] .";

#[test]
fn a_component_that_asks_looks_at_each_value_of_each_node() {
    let data = read(
        "ex:a ex:p 1 , 7 , \"07\"^^xsd:integer . ex:b ex:p \"7\" , ex:a , 3 . ex:c ex:p 7 . ex:d ex:p \"x\"^^xsd:integer .",
    );
    let shapes = format!("{AT_LEAST} ex:s sh:targetSubjectsOf ex:p ; sh:path ex:p ; ex:least 5 .");
    let expected = [
        "<a> \"1\"^^<xsd:integer> <s>",
        "<b> \"3\"^^<xsd:integer> <s>",
        "<b> \"7\" <s>",
        "<b> <a> <s>",
        "<d> \"x\"^^<xsd:integer> <s>",
    ];
    assert_eq!(
        results(&shapes, &data).into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from(expected.map(str::to_owned))
    );
}

#[test]
fn a_component_that_asks_about_nodes_takes_the_node_as_its_value() {
    let shapes = format!("{AT_LEAST} ex:s sh:targetObjectsOf ex:p ; ex:least 5 .");
    let found = results(&shapes, &read("ex:a ex:p 1 , 7 . ex:b ex:p 1 ."));
    assert_eq!(found, ["\"1\"^^<xsd:integer> \"1\"^^<xsd:integer> <s>"]);
}

#[test]
fn values_are_sought_among_many_items() {
    let items: String = (0..40).rev().map(|n| format!("{n} ex:i{n} ")).collect();
    let shapes = format!("ex:s sh:targetSubjectsOf ex:p ; sh:path ex:p ; sh:in ( {items} ) .");
    let data = read("ex:a ex:p 0 , 39 , 40 , ex:i7 , ex:i40 , \"7\" , \"07\"^^xsd:integer .");
    let found: BTreeSet<_> = results(&shapes, &data).into_iter().collect();
    let expected = ["\"07\"^^<xsd:integer>", "\"40\"^^<xsd:integer>", "\"7\"", "<i40>"];
    assert_eq!(found, expected.map(|value| format!("<a> {value} <s>")).into());
}

#[test]
fn pairs_of_properties_are_compared_as_sets() {
    let data = read("ex:a ex:p 1 , 2 , 3 ; ex:q 3 , 2 , 4 . ex:b ex:p 1 ; ex:q 1 . ex:c ex:p 5 .");
    let with = |component: &str| {
        let shape = format!("ex:s sh:targetSubjectsOf ex:p ; sh:path ex:p ; sh:{component} ex:q .");
        results(&shape, &data)
            .into_iter()
            .map(|result| result.replace("^^<xsd:integer> <s>", "").replace('"', ""))
            .collect::<BTreeSet<_>>()
    };
    let set = |expected: &[&str]| expected.iter().map(|&text| text.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(with("equals"), set(&["<a> 1", "<a> 4", "<c> 5"]));
    assert_eq!(with("disjoint"), set(&["<a> 2", "<a> 3", "<b> 1"]));
    assert_eq!(with("subsetOf"), set(&["<a> 1", "<c> 5"]));
    assert_eq!(with("lessThan"), set(&["<a> 2", "<a> 3", "<b> 1"]));
    assert_eq!(with("lessThanOrEquals"), set(&["<a> 3"]));
}

#[test]
fn shapes_with_the_same_targets_report_one_after_the_other() {
    let nodes: String = (0..1_500).map(|n| format!("ex:n{n} a ex:C ; ex:p {} . ", n % 3)).collect();
    let shapes = "ex:a sh:targetClass ex:C ; sh:path ex:p ; sh:hasValue 1 . \
        ex:b sh:targetNode ex:n1 ; sh:path ex:p ; sh:maxCount 0 . \
        ex:c sh:targetClass ex:C ; sh:path ex:p ; sh:not [ sh:hasValue 2 ] .";
    let found = results(shapes, &read(&nodes));
    let of = |shape: &str| found.iter().filter(|result| result.ends_with(shape)).count();
    assert_eq!((of("<a>"), of("<b>"), of("<c>")), (1_000, 1, 500));
    let order: Vec<&str> = found.iter().map(|result| &result[result.len() - 3..]).collect();
    assert!(order.is_sorted(), "results of a shape stand together");
    // Of one shape they stand by the node, as they come up in the data.
    assert!(
        found[0].starts_with("<n0> ") && found[999].starts_with("<n1499> "),
        "{} {}",
        found[0],
        found[999]
    );
}
