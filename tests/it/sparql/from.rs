//! FROM and USING with several graphs: their merge is a set, whatever the query asks of it.

use std::collections::BTreeMap;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults, Update, UpdateOptions};
use evalgraph::store::{Dataset, DatasetRevision, DefaultGraph};
use oxrdf::Term;

use crate::store::dataset::document;

const A: &str = "<urn:x> <urn:p> \"1\" .\n<urn:x> <urn:q> <urn:y> .\n<urn:y> <urn:q> <urn:z> .\n";
const B: &str = "<urn:x> <urn:p> \"1\" .\n<urn:x> <urn:p> \"2\" .\n<urn:x> <urn:q> <urn:y> .\n";
const C: &str = "<urn:x> <urn:p> \"3\" .\n<urn:z> <urn:p> \"1\" .\n";

fn several() -> Dataset {
    Dataset::from_documents(vec![document("urn:a", A), document("urn:b", B), document("urn:c", C)])
}

/// The rows of a query, each with how often it is there.
fn rows(dataset: &Dataset, query: &str) -> BTreeMap<String, usize> {
    let query = Query::parse_plain(query, "query").expect("the query is right");
    let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
    let mut rows = BTreeMap::new();
    let mut count = |row: String| *rows.entry(row).or_default() += 1;
    match results.expect("the query runs") {
        QueryResults::Boolean(answer) => count(answer.to_string()),
        QueryResults::Solutions(solutions) => {
            for solution in solutions {
                let solution = solution.expect("the query runs");
                let shown: Vec<String> = solution.values().iter().flatten().map(Term::to_string).collect();
                count(shown.join(" "));
            }
        }
        QueryResults::Graph(triples) => {
            triples.for_each(|triple| count(triple.expect("the query runs").to_string()));
        }
    }
    rows
}

#[test]
fn a_triple_of_two_graphs_is_there_once() {
    let several = several();
    let merged = Dataset::from_documents(vec![document("urn:merged", &format!("{A}{B}"))]);
    for (head, pattern) in [
        ("SELECT *", "{ ?s ?p ?o }"),
        ("SELECT (COUNT(*) AS ?n)", "{ ?s ?p ?o }"),
        ("SELECT (COUNT(*) AS ?n)", "{ ?s <urn:p> ?o }"),
        ("SELECT ?o", "{ <urn:x> <urn:p> ?o }"),
        ("SELECT ?s", "{ ?s ?p \"1\" }"),
        ("SELECT ?p", "{ <urn:x> ?p <urn:y> }"),
        ("SELECT ?p ?o", "{ <urn:x> ?p ?o } ORDER BY ?o ?p"),
        ("SELECT ?t", "{ <urn:x> <urn:q>/<urn:q> ?t }"),
        ("SELECT ?t", "{ <urn:x> <urn:q>* ?t }"),
        ("SELECT ?s ?o ?t", "{ ?s <urn:p> ?o . ?s <urn:q> ?t FILTER EXISTS { ?t <urn:q> ?u } }"),
        ("ASK", "{ <urn:x> <urn:p> \"2\" }"),
        ("CONSTRUCT { ?o <urn:of> ?s }", "{ ?s <urn:q> ?o }"),
    ] {
        let of_several = rows(&several, &format!("{head} FROM <urn:a> FROM <urn:b> WHERE {pattern}"));
        assert_eq!(of_several, rows(&merged, &format!("{head} WHERE {pattern}")), "{head} {pattern}");
    }
    assert_eq!(rows(&several, "SELECT ?s FROM <urn:a> FROM <urn:none> { ?s <urn:q> <urn:z> }").len(), 1);
    assert!(rows(&several, "SELECT ?s FROM <urn:none> FROM <urn:other> { ?s ?p ?o }").is_empty());
    // Named graphs are told apart all the same.
    let query = "SELECT ?g FROM <urn:a> FROM <urn:b> FROM NAMED <urn:a> FROM NAMED <urn:b> \
                 { <urn:x> <urn:p> ?o GRAPH ?g { <urn:x> <urn:p> ?o } }";
    assert_eq!(rows(&several, query).values().sum::<usize>(), 3);
}

#[test]
fn an_update_sees_each_triple_of_its_graphs_once() {
    let dataset = several();
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
    let update = "DELETE DATA { GRAPH <urn:b> { <urn:x> <urn:p> \"2\" } } ; \
        INSERT DATA { GRAPH <urn:a> { <urn:new> <urn:p> \"1\" } GRAPH <urn:b> { <urn:new> <urn:p> \"1\" } } ; \
        INSERT { GRAPH <urn:counts> { ?s <urn:count> ?n } } USING <urn:a> USING <urn:b> WHERE \
        { SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s } ; \
        INSERT { GRAPH <urn:counts> { <urn:all> <urn:count> ?n } } USING <urn:a> USING <urn:c> WHERE \
        { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }";
    let options = UpdateOptions { execute: ExecuteOptions::default(), default_target: None, loader: None };
    Update::parse_plain(update, "update")
        .expect("it is right")
        .apply(&mut revision, options)
        .expect("it runs");
    let counts = rows(&revision.to_dataset(), "SELECT ?s ?n { GRAPH <urn:counts> { ?s <urn:count> ?n } }");
    let counts: Vec<String> = counts
        .into_keys()
        .map(|row| row.replace("^^<http://www.w3.org/2001/XMLSchema#integer>", ""))
        .collect();
    assert_eq!(counts, ["<urn:all> \"6\"", "<urn:new> \"1\"", "<urn:x> \"2\"", "<urn:y> \"1\""]);
}
