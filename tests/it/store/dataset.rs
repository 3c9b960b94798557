//! The store's own promises: terms as written, quads once, losses counted once, graphs by name.

use std::collections::BTreeMap;

use evalgraph::rdf::QuadSink;
use evalgraph::rdf::sink;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{
    Dataset, DefaultGraph, DocumentBuilder, NamedDocument, RdfTermKind, TermDictionary, TermId,
};
use oxrdf::{BlankNode, GraphName, Literal, NamedNode, Quad, Term};
use oxttl::NQuadsParser;
use proptest::prelude::*;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

pub(crate) fn document(graph: &str, n_quads: &str) -> NamedDocument {
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(NQuadsParser::new().for_slice(n_quads).map(|quad| quad.expect("good N-Quads")));
    NamedDocument { graph: graph.to_owned(), builder }
}

/// Quads as the one document of a dataset, which [`DefaultGraph::Unnamed`] shows as they are.
pub(crate) fn stored(quads: impl IntoIterator<Item = Quad>) -> Dataset {
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(quads);
    Dataset::from_documents(vec![NamedDocument { graph: "urn:document".to_owned(), builder }])
}

fn written(dataset: &Dataset) -> String {
    let mut output = Vec::new();
    for quad in dataset.quads() {
        dataset.dictionary().write_n_quad(quad, &mut output);
    }
    String::from_utf8(output).expect("N-Quads are UTF-8")
}

/// The rows of a SELECT of one variable, sorted.
fn column(dataset: &Dataset, default_graph: DefaultGraph, query: &str) -> Vec<String> {
    let query = Query::parse_plain(query, "q.rq").expect("the query parses");
    let results = query.execute(dataset.view(default_graph), ExecuteOptions::default());
    let Ok(QueryResults::Solutions(solutions)) = results else { panic!("a SELECT has solutions") };
    let mut rows: Vec<String> = solutions
        .map(|solution| solution.expect("a solution").get(0).map_or_else(String::new, Term::to_string))
        .collect();
    rows.sort();
    rows
}

#[test]
fn literals_stay_as_they_were_written() {
    let quads = concat!(
        "<urn:s> <urn:p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .\n",
        "<urn:s> <urn:p> \"-0\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .\n",
        "<urn:s> <urn:p> \"1.0\"^^<http://www.w3.org/2001/XMLSchema#decimal> <urn:g> .\n",
        "<urn:s> <urn:p> \"x\"@en-GB <urn:g> .\n",
        "<urn:s> <urn:p> \"1\"^^<urn:datatype> <urn:g> .\n",
        "<urn:s> <urn:p> \"tab\\tquote\\\"line\\nbell\\u0007 \\u00E9\" <urn:g> .\n",
    );
    let dataset = Dataset::from_documents(vec![document("urn:d", quads)]);
    let expected = quads.replace("en-GB", "en-gb").replace("\\u00E9", "é");
    assert_eq!(written(&dataset), expected);
}

#[test]
fn a_term_has_one_number_whichever_way_it_comes() {
    let mut builder = DocumentBuilder::new();
    let integer = builder.iri(&format!("{XSD}integer"));
    let one = builder.typed_literal("1", integer);
    assert_eq!(builder.typed_literal("1", integer), one);
    assert_ne!(builder.typed_literal("01", integer), one);
    assert_ne!(builder.string("1"), one);
    assert_ne!(builder.iri("1"), one);
    assert_ne!(builder.language_string("1", "en"), builder.language_string("1", "de"));
    assert_ne!(builder.blank_node(), builder.blank_node());
    let string = builder.iri(&format!("{XSD}string"));
    assert_eq!(builder.typed_literal("a", string), builder.string("a"));
    assert_eq!(builder.dictionary().kind(one), RdfTermKind::Integer);
    assert_eq!(builder.dictionary().datatype(one), Some(integer));
}

#[test]
fn a_language_string_without_language_keeps_its_datatype() {
    let mut dictionary = TermDictionary::new();
    let datatype = dictionary.intern_iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString");
    let id = dictionary.intern_typed_literal("x", datatype);
    assert_eq!(dictionary.kind(id), RdfTermKind::OtherTyped);
    assert_eq!(dictionary.datatype(id), Some(datatype));
    assert_eq!(dictionary.lexical(id), "x");
}

#[test]
fn a_quad_given_twice_is_one() {
    let mut document =
        document("urn:d", "<urn:s> <urn:p> _:a .\n<urn:s> <urn:p> _:a .\n<urn:s> <urn:p> _:b .\n");
    assert_eq!(document.builder.finish(), 2);
    let dataset = Dataset::from_documents(vec![document]);
    assert_eq!(dataset.quad_count(), 2);
}

#[test]
fn a_lost_quad_costs_its_first_cause_alone() {
    let mut builder = DocumentBuilder::new();
    let [subject, predicate, there, missing] =
        ["urn:s", "urn:p", "urn:there", "urn:missing"].map(|iri| builder.iri(iri));
    let lost = |object: TermId, graph| sink::HandleQuad { subject, predicate, object, graph };
    builder.quad(subject, predicate, there, None);
    builder.lost_quad(lost(missing, None), 3);
    builder.lost_quad(lost(missing, None), 3);
    builder.lost_quad(lost(missing, None), 4);
    builder.lost_quad(lost(there, None), 5);
    builder.lost_quad(lost(there, Some(missing)), 6);
    assert_eq!(builder.take_lost_costs(), BTreeMap::from([(3, 1), (4, 0), (5, 0), (6, 1)]));
}

#[test]
fn the_default_graph_is_a_union_of_all_graphs_or_of_documents() {
    let dataset = Dataset::from_documents(vec![
        document(
            "urn:d1",
            "<urn:s> <urn:p> <urn:both> .\n<urn:s> <urn:p> <urn:one> .\n<urn:s> <urn:p> <urn:in> <urn:g> .\n",
        ),
        document("urn:d2", "<urn:s> <urn:p> <urn:both> .\n<urn:s> <urn:p> <urn:blank> _:g .\n"),
    ]);
    let all = "SELECT ?o { ?s ?p ?o }";
    assert_eq!(
        column(&dataset, DefaultGraph::Union, all),
        ["<urn:blank>", "<urn:both>", "<urn:in>", "<urn:one>"]
    );
    assert_eq!(column(&dataset, DefaultGraph::Strict, all), ["<urn:both>", "<urn:one>"]);
    let graphs = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
    for default_graph in [DefaultGraph::Union, DefaultGraph::Strict] {
        assert_eq!(column(&dataset, default_graph, graphs), [format!("\"5\"^^<{XSD}integer>")]);
        assert_eq!(
            column(&dataset, default_graph, "SELECT ?o { GRAPH <urn:d2> { ?s ?p ?o } }"),
            ["<urn:both>"]
        );
    }
    assert_eq!(dataset.quad_count(), 5);
    assert_eq!(dataset.graphs().count(), 4);
}

#[test]
fn a_graph_inside_a_document_may_have_the_name_of_a_document() {
    let dataset = Dataset::from_documents(vec![
        document("urn:d1", "<urn:s> <urn:p> <urn:a> .\n<urn:s> <urn:p> <urn:b> <urn:d2> .\n"),
        document("urn:d2", "<urn:s> <urn:p> <urn:b> .\n<urn:s> <urn:p> <urn:c> .\n"),
    ]);
    let in_second = "SELECT ?o { GRAPH <urn:d2> { <urn:s> <urn:p> ?o } }";
    assert_eq!(column(&dataset, DefaultGraph::Union, in_second), ["<urn:b>", "<urn:c>"]);
    assert_eq!(dataset.quad_count(), 3);
    let both = "SELECT ?o { GRAPH ?g { ?s ?p ?o } }";
    assert_eq!(column(&dataset, DefaultGraph::Strict, both), ["<urn:a>", "<urn:b>", "<urn:c>"]);
}

#[test]
fn documents_without_quads_have_no_graph() {
    let dataset = Dataset::from_documents(vec![
        document("urn:d1", ""),
        document("urn:d2", "<urn:s> <urn:p> <urn:o> .\n"),
    ]);
    assert_eq!(column(&dataset, DefaultGraph::Union, "SELECT ?g { GRAPH ?g {} }"), ["<urn:d2>"]);
    assert_eq!(Dataset::from_documents(Vec::new()).quad_count(), 0);
}

#[test]
fn blank_nodes_of_documents_stay_apart_and_have_stable_labels() {
    let dataset = Dataset::from_documents(vec![
        document("urn:d1", "_:x <urn:p> \"1\" .\n"),
        document("urn:d2", "_:x <urn:p> \"1\" .\n"),
    ]);
    let subjects = column(&dataset, DefaultGraph::Union, "SELECT ?s { ?s ?p ?o }");
    assert_eq!(subjects.len(), 2);
    for quad in dataset.quads() {
        let Term::BlankNode(node) = dataset.dictionary().term(quad.subject) else { panic!("a blank node") };
        assert_eq!(node, BlankNode::new(format!("b{}", quad.subject)).expect("a label"));
        assert_eq!(dataset.dictionary().find_blank_node(node.as_str()), Some(quad.subject));
    }
}

#[test]
fn terms_computed_by_a_query_are_found_again() {
    let dataset = Dataset::from_documents(vec![document(
        "urn:d",
        "<urn:s> <urn:p> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
    )]);
    let query = "SELECT ?y { ?s ?p ?x BIND(?x * 3 AS ?y) VALUES ?y { 6 7 } }";
    assert_eq!(column(&dataset, DefaultGraph::Union, query), [format!("\"6\"^^<{XSD}integer>")]);
}

fn any_term() -> impl Strategy<Value = Term> {
    let text = "[a-z\\\\\"\u{0}\n\té€𝄞]{0,6}";
    prop_oneof![
        "[a-z]{1,4}".prop_map(|name| NamedNode::new_unchecked(format!("urn:{name}")).into()),
        text.prop_map(|value| Literal::new_simple_literal(value).into()),
        (text, "[a-z]{2}")
            .prop_map(|(value, tag)| Literal::new_language_tagged_literal_unchecked(value, tag).into()),
        (text, prop_oneof!["integer", "boolean", "float", "date", "time", "anyURI"]).prop_map(
            |(value, name)| {
                Literal::new_typed_literal(value, NamedNode::new_unchecked(format!("{XSD}{name}"))).into()
            }
        ),
    ]
}

proptest! {
    #[test]
    fn any_quads_come_back_as_they_went_in(
        documents in prop::collection::vec(prop::collection::vec((0..4_u8, any_term(), 0..3_u8), 0..12), 1..8)
    ) {
        let subject = |number: u8| NamedNode::new_unchecked(format!("urn:s{number}"));
        let mut expected: Vec<Quad> = Vec::new();
        let mut named = Vec::new();
        for (position, rows) in documents.iter().enumerate() {
            let graph = NamedNode::new_unchecked(format!("urn:document:{position}"));
            let mut builder = DocumentBuilder::new();
            for (number, object, inner) in rows {
                let inner: GraphName = match inner {
                    0 => GraphName::DefaultGraph,
                    number => NamedNode::new_unchecked(format!("urn:g{number}")).into(),
                };
                let quad = Quad::new(subject(*number), subject(9), object.clone(), inner);
                builder.add_quad(quad.as_ref());
                let is_default = quad.graph_name.is_default_graph();
                expected.push(Quad { graph_name: if is_default { graph.clone().into() } else { quad.graph_name.clone() }, ..quad });
            }
            named.push(NamedDocument { graph: graph.into_string(), builder });
        }
        let dataset = Dataset::from_documents(named);
        let mut found: Vec<Quad> = NQuadsParser::new()
            .for_slice(&written(&dataset))
            .map(|quad| quad.expect("good N-Quads"))
            .collect();
        prop_assert_eq!(found.len(), dataset.quad_count());
        found.sort_by_key(Quad::to_string);
        expected.sort_by_key(Quad::to_string);
        expected.dedup();
        prop_assert_eq!(found, expected);
    }
}
