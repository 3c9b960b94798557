//! What other engines and translators to SQL are known to get wrong, each with the answer of the recommendation.

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::Term;

use crate::store::dataset::document;

pub(crate) const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Lines of data in short as N-Quads: the names are IRIs below `urn:`, and a datatype is one of XML Schema.
pub(crate) fn n_quads(lines: &str) -> String {
    let term = |term: &str| match term.split_once("^^") {
        Some((text, datatype)) => format!("\"{}\"^^<{XSD}{datatype}>", text.trim_matches('"')),
        None if term.starts_with(['"', '_']) => term.to_owned(),
        None => format!("<urn:{term}>"),
    };
    let line = |line: &str| {
        let terms: Vec<String> = line.split(' ').map(term).collect();
        format!("{} .\n", terms.join(" "))
    };
    lines.split(" . ").map(line).collect()
}

/// A dataset with a document for each text of lines in short.
fn dataset(lines: &[&str]) -> Dataset {
    let documents = lines.iter().enumerate();
    Dataset::from_documents(
        documents
            .map(|(number, lines)| document(&format!("urn:document:{number}"), &n_quads(lines)))
            .collect(),
    )
}

/// The rows in their order: texts as they are, other literals with their datatypes, and `-` for no value.
fn rows(dataset: &Dataset, query: &str) -> Vec<String> {
    let text = format!("PREFIX : <urn:> PREFIX xsd: <{XSD}> {query}");
    let query = Query::parse_plain(&text, "q.rq").expect("a query");
    let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
    let Ok(QueryResults::Solutions(solutions)) = results else { panic!("SELECT has solutions: {text}") };
    let shown = |value: &Option<Term>| match value {
        None => "-".to_owned(),
        Some(Term::NamedNode(node)) => node.as_str().replace("urn:", ""),
        Some(Term::BlankNode(_)) => "_".to_owned(),
        Some(Term::Literal(literal)) if literal.datatype() == oxrdf::vocab::xsd::STRING => {
            literal.value().to_owned()
        }
        Some(literal) => literal.to_string().replace(&format!("^^<{XSD}"), "^^").replace(['"', '>'], ""),
    };
    let row = |values: &[Option<Term>]| values.iter().map(shown).collect::<Vec<_>>().join(" ");
    solutions.map(|solution| row(solution.expect("a solution").values())).collect()
}

/// A trap: what is easily got wrong, the triples of each graph, the query, and its rows.
pub(crate) type SparqlTrap = (&'static str, &'static [&'static str], &'static str, &'static [&'static str]);

pub(crate) const TRAPS: [SparqlTrap; 23] = [
    (
        "a condition in OPTIONAL sees what is outside",
        &["a p 1^^integer . a q 2^^integer . b p 5^^integer . b q 2^^integer"],
        "SELECT ?s ?y { ?s :p ?x OPTIONAL { ?s :q ?y FILTER(?y > ?x) } } ORDER BY ?s",
        &["a 2^^integer", "b -"],
    ),
    (
        "a variable without a value goes with each",
        &["a p x . a q y . b q z"],
        "SELECT ?s ?v { { ?s :p ?x OPTIONAL { ?s :none ?v } } { ?t :q ?v } } ORDER BY ?v",
        &["a y", "a z"],
    ),
    ("a join is by the term", &["a p 01^^integer . b q 1^^integer"], "SELECT * { ?a :p ?x . ?b :q ?x }", &[]),
    (
        "`=` is by the value",
        &["a p 01^^integer . b q 1^^integer"],
        "SELECT ?a ?b { ?a :p ?x . ?b :q ?y FILTER(?x = ?y) }",
        &["a b"],
    ),
    (
        "DISTINCT is by the term",
        &["a p 01^^integer . a p 1^^integer . a p 1.0^^decimal . a p \"1\""],
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?a :p ?x }",
        &["4^^integer"],
    ),
    ("a tag of a language has no case", &["a p \"x\"@NL"], "SELECT ?s { ?s :p 'x'@nl }", &["a"]),
    (
        "an error is neither true nor false",
        &["a p xyz^^integer . b p 5^^integer"],
        "SELECT ?s ?a ?b ?c { ?s :p ?v BIND(?v > 1 || true AS ?a) BIND(!(?v > 1) AS ?b) BIND(COALESCE(?v + 0, 'none') AS ?c) } ORDER BY ?s",
        &["a true^^boolean - none", "b true^^boolean false^^boolean 5^^integer"],
    ),
    (
        "no sum of what is not a number, and zero of nothing",
        &["a p 1^^integer . a p \"x\" . b p 2^^integer"],
        "SELECT ?s (SUM(?v) AS ?n) { ?s :p ?v } GROUP BY ?s ORDER BY ?s",
        &["a -", "b 2^^integer"],
    ),
    (
        "the sum of nothing",
        &["a p b"],
        "SELECT (SUM(?v) AS ?n) (AVG(?v) AS ?m) { ?s :q ?v }",
        &["0^^integer 0^^integer"],
    ),
    (
        "NaN is not equal to itself",
        &["a p NaN^^double . b p 1.0E0^^double"],
        "SELECT ?s { ?s :p ?x FILTER(?x = ?x) }",
        &["b"],
    ),
    ("NaN is another number", &["a p NaN^^double"], "SELECT ?s { ?s :p ?x FILTER(?x != 1) }", &["a"]),
    (
        "numbers",
        &["a p b"],
        "SELECT (1 / 2 AS ?half) (1 / 0 AS ?error) (1e0 / 0 AS ?infinite) (ROUND(-2.5) AS ?up) {}",
        &["0.5^^decimal - INF^^double -2^^decimal"],
    ),
    (
        "the order of kinds",
        &["a p \"x\" . a p 2^^integer . a p y . a p _:b . b q c"],
        "SELECT ?x { { ?s :p ?x } UNION { ?s :q ?none } } ORDER BY ?x",
        &["-", "_", "y", "2^^integer", "x"],
    ),
    (
        "times with and without a zone",
        &["a p 2025-01-01T00:00:00^^dateTime . b q 2025-01-01T01:00:00Z^^dateTime"],
        "SELECT ?s { ?s :p ?x . ?t :q ?y FILTER(?x < ?y || ?x >= ?y) }",
        &[],
    ),
    (
        "a triple of two documents is one",
        &["a p b", "a p b . a p c"],
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
        &["2^^integer"],
    ),
    ("MINUS without a common variable", &["a p b"], "SELECT ?s { ?s :p ?o MINUS { ?x :p ?y } }", &["a"]),
    (
        "MINUS by values that both have",
        &["a p x . b p x . b q y"],
        "SELECT ?s { ?s :p ?x MINUS { ?s :q ?z } }",
        &["a"],
    ),
    (
        "EXISTS sees what is outside, in a condition of it",
        &["a p 1^^integer . b p 2^^integer . c q 2^^integer"],
        "SELECT ?s { ?s :p ?x FILTER EXISTS { ?t :q ?y FILTER(?y = ?x) } }",
        &["b"],
    ),
    (
        "a path in a circle ends",
        &["a p b . b p a . b p c"],
        "SELECT ?x { :a :p+ ?x } ORDER BY ?x",
        &["a", "b", "c"],
    ),
    ("a path without a step", &["a p b"], "SELECT ?x { :nowhere :p* ?x }", &["nowhere"]),
    ("a blank node has no text", &["_:b p x"], "SELECT ?t { ?s :p ?o BIND(STR(?s) AS ?t) }", &["-"]),
    (
        "texts are in the order of code points",
        &["a p \"\u{1D11E}\" . a p \"\u{FF5E}\""],
        "SELECT ?x { ?s :p ?x } ORDER BY ?x",
        &["\u{FF5E}", "\u{1D11E}"],
    ),
    ("a text is not a number", &["a p \"s2\""], "SELECT ?s { ?s :p ?x FILTER(?x != 1) }", &["a"]),
];

#[test]
fn each_trap_is_passed() {
    for (trap, data, query, expected) in TRAPS {
        let data: Vec<String> = data.iter().map(|lines| quoted(lines)).collect();
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        assert_eq!(rows(&dataset(&data), query), expected, "{trap}");
    }
}

/// Numbers and times with quotes around them.
fn quoted(lines: &str) -> String {
    let word = |word: &str| match word.split_once("^^") {
        Some((text, datatype)) if !text.starts_with('"') => format!("\"{text}\"^^{datatype}"),
        _ => word.to_owned(),
    };
    lines.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
