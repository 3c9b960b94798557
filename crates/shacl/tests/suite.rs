//! The test suites of SHACL, in process: the W3C suite for SHACL 1.0, and a selection of that for 1.2.

use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::in_graph::InGraph;
use evalgraph_rdf::minted::SHAPES_GRAPH;
use evalgraph_shacl::{Severity, Shapes, ShapesOptions, ValidationOptions};
use evalgraph_store::DocumentBuilder;
use evalgraph_suites::shacl::{ShaclTest, dataset, read_into, report_graph, run, suite};
use oxrdf::{Graph, NamedNode};

/// The report for a test, in process.
fn validate(test: &ShaclTest) -> Result<Graph, String> {
    let mut builder = DocumentBuilder::new();
    read_into(&test.shapes, &mut builder);
    let shapes = dataset(vec![builder]);
    let options = ShapesOptions { plain: true, graph_name: Some(NamedNode::new_unchecked(SHAPES_GRAPH)) };
    let shapes = Shapes::compile(&shapes, &options).map_err(|faults| {
        faults.iter().map(|fault| fault.diagnostic.to_string()).collect::<Vec<_>>().join("; ")
    })?;
    let (mut data, mut beside) = (DocumentBuilder::new(), DocumentBuilder::new());
    read_into(&test.data, &mut data);
    read_into(&test.shapes, &mut InGraph::new(&mut beside, SHAPES_GRAPH));
    let data = dataset(vec![data, beside]);
    let disallows = test.disallows.iter().map(|node| Severity::from_iri(node.as_str())).collect::<Vec<_>>();
    let options = ValidationOptions {
        conformance_disallows: (!disallows.is_empty()).then_some(disallows),
        ..ValidationOptions::default()
    };
    let report = shapes.validate(&data, &options).map_err(|error| error.to_string())?;
    let mut quads = QuadBuffer::new();
    report.to_quads(&mut quads);
    Ok(report_graph(&quads))
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_core_suite_expects() {
    run("SHACL Core", &suite(&["data-shapes/core/manifest.ttl"]), 98, validate);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_sparql_suite_expects() {
    // The second file is not listed in any manifest.
    let manifests = ["data-shapes/sparql/manifest.ttl", "data-shapes/sparql/component/nodeValidator-001.ttl"];
    run("SHACL-SPARQL", &suite(&manifests), 23, validate);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn validates_as_the_selection_of_1_2_expects() {
    run("SHACL 1.2", &suite(&["shacl12-selected/tests/manifest.ttl"]), 40, validate);
}
