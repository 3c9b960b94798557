//! Point lookups over the store answer as the evaluator does.

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use oxrdf::Quad;
use oxttl::NQuadsParser;
use spareval::QueryEvaluator;

use crate::store::oracle::oracle_dataset;

const QUADS: &str = "\
<urn:a> <urn:p> <urn:p> .
<urn:a> <urn:p> \"1\" .
<urn:a> <urn:q> _:b .
<urn:a> <urn:p> <urn:p> <urn:g> .
_:b <urn:p> _:c .
_:c <urn:p> _:b <urn:g> .
<urn:b> <urn:q> <urn:a> .
";

fn dataset() -> Dataset {
    let quads: Vec<Quad> = NQuadsParser::new().for_slice(QUADS).map(|quad| quad.expect("a quad")).collect();
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(quads);
    Dataset::from_documents(vec![NamedDocument { graph: "urn:d".to_owned(), builder }])
}

/// The answer as lines, sorted.
fn ours(text: &str, dataset: &Dataset, limit: Option<usize>) -> Vec<String> {
    let query = Query::parse(text, "q.rq").expect("a query");
    let options = ExecuteOptions { limit, ..ExecuteOptions::default() };
    let mut lines: Vec<String> =
        match query.execute(dataset.view(DefaultGraph::Union), options).expect("an answer") {
            QueryResults::Solutions(rows) => {
                rows.map(|row| format!("{:?}", row.expect("a row").values())).collect()
            }
            QueryResults::Graph(triples) => triples.map(|triple| triple.expect("one").to_string()).collect(),
            QueryResults::Boolean(answer) => vec![answer.to_string()],
        };
    lines.sort();
    lines
}

fn of_the_evaluator(text: &str, dataset: &Dataset) -> Vec<String> {
    let query = spargebra::SparqlParser::new().parse_query(text).expect("a query");
    let evaluator = QueryEvaluator::new();
    let quads = oracle_dataset(dataset, DefaultGraph::Union);
    let results = evaluator.prepare(&query).execute(&quads);
    let mut lines: Vec<String> = match results.expect("an answer") {
        spareval::QueryResults::Solutions(rows) => {
            rows.map(|row| format!("{:?}", row.expect("a row").values())).collect()
        }
        spareval::QueryResults::Graph(triples) => {
            triples.map(|triple| triple.expect("one").to_string()).collect()
        }
        spareval::QueryResults::Boolean(answer) => vec![answer.to_string()],
    };
    lines.sort();
    lines.dedup();
    lines
}

#[test]
fn point_lookups_answer_as_the_evaluator_does() {
    let dataset = dataset();
    for text in [
        "SELECT ?p ?o { <urn:a> ?p ?o }",
        "SELECT ?o ?p { <urn:a> ?p ?o }",
        "SELECT ?x { <urn:a> ?x ?x }",
        "SELECT ?o ?other { <urn:a> <urn:p> ?o }",
        "SELECT ?p { <urn:a> ?p \"1\" }",
        "SELECT ?p { <urn:a> ?p <urn:nothing> }",
        "SELECT ?p { <urn:nothing> ?p ?o }",
        "SELECT ?p ?o FROM <urn:g> { <urn:a> ?p ?o }",
        "DESCRIBE <urn:a>",
        "DESCRIBE <urn:b> <urn:a> <urn:b>",
        "DESCRIBE <urn:nothing>",
        "DESCRIBE ?x { ?x <urn:q> <urn:a> }",
    ] {
        let mut answer = ours(text, &dataset, None);
        let rows = answer.len();
        answer.dedup();
        if text.starts_with("DESCRIBE") {
            assert_eq!(rows, answer.len(), "{text}: each triple once");
        }
        assert_eq!(answer, of_the_evaluator(text, &dataset), "{text}");
        assert_eq!(ours(text, &dataset, Some(1)).len(), rows.min(1), "{text}");
    }
}
