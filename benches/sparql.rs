//! How EXISTS and its kin grow with the data: ten times the questions, at most twelve times the time.
//!
//! `cargo bench --profile dist --bench sparql` prints one table; `EVALGRAPH_BENCH_N` sets the smaller number of
//! questions.

mod support;

use std::time::Duration;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};
use support::clock;
use support::table::{Bar, Table};

const QUERIES: [(&str, &str); 9] = [
    (
        "NOT EXISTS with a join",
        "SELECT ?q { ?q a s:Question FILTER NOT EXISTS { ?q s:rating ?r . ?r s:name \"Accuracy\" } }",
    ),
    (
        "EXISTS with a join",
        "SELECT ?q { ?q a s:Question FILTER EXISTS { ?q s:rating ?r . ?r s:name \"Accuracy\" } }",
    ),
    ("MINUS with a join", "SELECT ?q { ?q a s:Question MINUS { ?q s:rating ?r . ?r s:name \"Accuracy\" } }"),
    (
        "NOT EXISTS, two shared variables",
        "SELECT ?q { ?q a s:Question ; s:author ?a FILTER NOT EXISTS { ?q s:rating ?r . ?r s:author ?a } }",
    ),
    (
        "NOT EXISTS, a shared value of many",
        "SELECT ?q { ?q a s:Question ; s:author ?a FILTER NOT EXISTS { ?r s:author ?a ; s:name \"None\" } }",
    ),
    (
        "NOT EXISTS in NOT EXISTS",
        "SELECT ?q { ?q a s:Question FILTER NOT EXISTS { ?q s:rating ?r . ?r a s:Rating \
         FILTER NOT EXISTS { ?r s:name ?n . ?r s:ratingValue ?v FILTER(?v > 2) } } }",
    ),
    (
        "NOT EXISTS that speaks of the outside",
        "SELECT ?q { ?q a s:Question ; s:position ?p \
         FILTER NOT EXISTS { ?q s:rating ?r . ?r s:ratingValue ?v FILTER(?v > ?p) } }",
    ),
    (
        "OPTIONAL with !BOUND",
        "SELECT ?q { ?q a s:Question OPTIONAL { ?q s:rating ?r . ?r s:name \"Accuracy\" } FILTER(!BOUND(?r)) }",
    ),
    ("ORDER BY with LIMIT", "SELECT ?q ?p { ?q a s:Question ; s:position ?p } ORDER BY DESC(?p) LIMIT 10"),
];

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_N").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let (small, large) = (dataset(questions), dataset(questions * 10));
    println!("{questions} questions against {} (ours: the larger, peer: the smaller)", questions * 10);
    let mut table = Table::default();
    for (name, text) in QUERIES {
        let query = Query::parse(text, name).expect("the query is good");
        let times = (time(&query, &large, 3), time(&query, &small, 7));
        table.row(name, "a tenth of the data", times, Bar::AtMost(12.0));
    }
    table.print();
}

fn time(query: &Query, dataset: &Dataset, runs: usize) -> Duration {
    clock::cpu_time(runs, || (), |()| count(query, dataset))
}

fn count(query: &Query, dataset: &Dataset) -> usize {
    let view = dataset.view(DefaultGraph::Union);
    match query.execute(view, ExecuteOptions::default()).expect("the query runs") {
        QueryResults::Solutions(solutions) => solutions.inspect(|row| assert!(row.is_ok())).count(),
        _ => panic!("SELECT has solutions"),
    }
}

/// Questions with three ratings each; a tenth of them lacks the first.
fn dataset(questions: usize) -> Dataset {
    let mut builder = DocumentBuilder::new();
    builder.extend_quads((0..questions).flat_map(|number| {
        let question = node(&format!("urn:q:{number}"));
        let author = Literal::from(format!("author {}", number % 7));
        let mut quads = vec![
            quad(&question, "rdf:type", schema("Question")),
            quad(&question, "position", Literal::from(i32::try_from(number % 1000).unwrap_or(0))),
            quad(&question, "author", author),
        ];
        for (at, name) in ["Accuracy", "Clarity", "Depth"].into_iter().enumerate() {
            if number % 10 == 0 && at == 0 {
                continue;
            }
            let rating = node(&format!("urn:r:{number}:{at}"));
            quads.push(quad(&question, "rating", rating.clone()));
            quads.push(quad(&rating, "rdf:type", schema("Rating")));
            quads.push(quad(&rating, "name", Literal::from(name)));
            quads.push(quad(&rating, "ratingValue", Literal::from(i32::try_from(number % 5).unwrap_or(0))));
            quads.push(quad(&rating, "author", Literal::from(format!("author {}", (number + at) % 7))));
        }
        quads
    }));
    Dataset::from_documents(vec![NamedDocument { graph: "urn:bench".to_owned(), builder }])
}

fn quad(subject: &NamedNode, name: &str, object: impl Into<Term>) -> Quad {
    let predicate = if name == "rdf:type" { oxrdf::vocab::rdf::TYPE.into_owned() } else { schema(name) };
    Quad::new(subject.clone(), predicate, object, GraphName::DefaultGraph)
}

fn schema(name: &str) -> NamedNode {
    node(&format!("http://schema.org/{name}"))
}

fn node(iri: &str) -> NamedNode {
    NamedNode::new_unchecked(iri)
}
