//! Questions to which the recommendation has one answer, and the suites none: data, a query and its rows.

use crate::cli::input::run;
use std::fs;

/// Data in N-Quads, where `:a` is `<http://e/a>`; a query; its rows as CSV, in any order, names of blank nodes as `_`.
pub(crate) type Case = (&'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    // 18.5: both sides of MINUS are evaluated by themselves, in whichever group it stands.
    (":a :p :b . :c :q :d", "SELECT * { ?x :p ?y { ?x :p ?z MINUS { ?x :p ?z . ?y :q :d } } }", &[]),
    (":b :r :c . :c :q :e . :c :r :e", "SELECT * { ?y :r ?z . { ?w :q ?z MINUS { ?y :r ?w } } }", &[]),
    // The same, said by an OPTIONAL whose variable is unbound.
    (
        ":a :p :b . :c :q :d",
        "SELECT * { ?x :p ?y { ?x :p ?z OPTIONAL { ?x :p ?z . ?u :q :d . ?y :q :d } FILTER(!BOUND(?u)) } }",
        &[],
    ),
    (
        ":a :p :b . :c :q :d",
        "SELECT ?x { ?x :p ?y { ?x :p ?z OPTIONAL { ?x :p ?z . ?u :q :nothing . ?y :q :d } FILTER(!BOUND(?u)) } }",
        &["http://e/a"],
    ),
    // 18.6: each named graph by itself, whatever names it.
    (
        ":a :p :b :g . :a :p :b _:g . :a :p :c _:g",
        "SELECT ?g ?c { GRAPH ?g { { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } } }",
        &["_,2", "http://e/g,1"],
    ),
    (
        ":a :p :b :g . :a :p :b _:g . :a :p :c _:g",
        "SELECT ?g ?o { GRAPH ?g { { SELECT ?o { ?s ?p ?o } ORDER BY DESC(?o) LIMIT 1 } } }",
        &["_,http://e/c", "http://e/g,http://e/b"],
    ),
    (
        ":a :p :b :g . :a :p :b _:g . :a :p :c _:g",
        "SELECT ?g ?x { GRAPH ?g { VALUES ?x { :c } FILTER EXISTS { ?s :p ?x } } }",
        &["_,http://e/c"],
    ),
    // 18.4: alternatives of a path are a union, in which solutions add up; what repeats is a set.
    (":a :p :b . :a :q :b", "SELECT (COUNT(*) AS ?n) { ?x (:p|:q) ?y }", &["2"]),
    (":a :p :b . :a :q :b", "SELECT (COUNT(*) AS ?n) { ?x (:p|:q)/^(:p|:q) ?y }", &["4"]),
    (":a :p :b . :a :q :b", "SELECT (COUNT(*) AS ?n) { ?x ^(:p|:q) ?y }", &["2"]),
    (":a :p :b . :a :q :b", "SELECT (COUNT(*) AS ?n) { ?x (:p|:q)+ ?y }", &["1"]),
    (
        ":a :p :b . :a :q :b",
        "SELECT (COUNT(*) AS ?n) { ?x (:p|:q|:p) ?y FILTER EXISTS { ?x (:p|:q)/:r|:p ?y } }",
        &["3"],
    ),
    (
        ":a :p :b :g . :a :q :b :g",
        "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?x (:p|:q) ?y } } GROUP BY ?g",
        &["http://e/g,2"],
    ),
    ("", "SELECT ?x { ?x (:r?|:q) :nowhere }", &["http://e/nowhere"]),
    // 18.5.1.2: COUNT leaves out what fails.
    ("", "SELECT (COUNT(STR(?x)) AS ?c) { VALUES ?x { 1 2 UNDEF } }", &["2"]),
    ("", "SELECT (COUNT(DISTINCT 1 / ?x) AS ?c) (COUNT(*) AS ?n) { VALUES ?x { 1 1 0 } }", &["1,3"]),
    (
        "",
        "SELECT ?k (COUNT(?x + 1) AS ?c) { VALUES (?k ?x) { (1 1) (1 'a') (2 'b') } } GROUP BY ?k",
        &["1,1", "2,0"],
    ),
    // A key that is computed has no name that a query can have.
    ("", "SELECT ?_order_0 { VALUES ?_order_0 { 1 2 } } ORDER BY DESC(-?_order_0)", &["1", "2"]),
];

/// The data of a case, written out.
fn n_quads(data: &str) -> String {
    let term = |term: &str| match term.strip_prefix(':') {
        Some(name) => format!("<http://e/{name}>"),
        None => term.to_owned(),
    };
    let quads = data.split(" . ").filter(|quad| !quad.is_empty());
    let line = |quad: &str| quad.split(' ').map(term).collect::<Vec<_>>().join(" ") + " .\n";
    quads.map(line).collect()
}

/// The rows of an answer in CSV, the names of blank nodes left out.
fn rows(csv: &str) -> Vec<String> {
    let cell = |cell: &str| if cell.starts_with("_:") { "_".to_owned() } else { cell.to_owned() };
    let row = |row: &str| row.split(',').map(cell).collect::<Vec<_>>().join(",");
    let mut rows: Vec<String> = csv.lines().skip(1).map(row).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn answers_are_those_of_the_recommendation() {
    answers_as(CASES);
}

/// Asks each question of its data.
pub(crate) fn answers_as(cases: &[(&str, &str, &[&str])]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for (number, (data, query, expected)) in cases.iter().enumerate() {
        let file = format!("{number}.nq");
        fs::write(path.join(&file), n_quads(data)).expect("the folder is ours");
        let query = format!("PREFIX : <http://e/> {query}");
        let (status, of_file, stderr) = run(path, &["query", &file, "-q", &query, "--format", "csv"]);
        assert_eq!(status, 0, "{query}: {stderr}");
        assert_eq!(rows(&of_file), *expected, "{data}\n{query}");
    }
}

#[test]
fn a_graph_that_is_derived_anew_is_no_copy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("d.nq"), n_quads(":a :p :b :g . :x :old :y :derived")).expect("the folder is ours");
    let update = "PREFIX : <http://e/> DROP SILENT GRAPH :derived ; \
                  INSERT { GRAPH :derived { ?o :inverse ?s } } WHERE { ?s :p ?o }";
    let (status, stdout, stderr) = run(path, &["update", "d.nq", "-q", update, "--to", "nq"]);
    assert_eq!((status, stdout), (0, n_quads(":a :p :b :g . :b :inverse :a :derived")), "{stderr}");
    // This is one, and would clear what it copies.
    let copy = "PREFIX : <http://e/> COPY DEFAULT TO :derived";
    let (status, _, stderr) = run(path, &["update", "d.nq", "-q", copy, "--to", "nq"]);
    assert!(status == 2 && stderr.contains("sparql::same-graph"), "{stderr}");
}

#[test]
fn rows_are_read_back_as_they_were() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("none.nq"), "").expect("the folder is ours");
    let written = |value: &str, format: &str| {
        let query = format!("SELECT ?a ?b {{ VALUES (?a ?b) {{ (<http://e/Paris,_Texas> {value}) }} }}");
        run(path, &["query", "none.nq", "-q", &query, "--format", format])
    };
    // RFC 4180: a field with a comma, a quote or the end of a line stands in quotes, whatever it is.
    let row = "\"http://e/Paris,_Texas\",\"a \"\"b\"\"\r\nc\"\r\n";
    assert_eq!(written("\"a \\\"b\\\"\\r\\nc\"", "csv").1, format!("a,b\r\n{row}"));
    // XML 1.0, 2.11: a parser makes a line feed of a carriage return that is not a reference.
    assert!(written("\"a\\r\\nb\"", "sparql-xml").1.contains("<literal>a&#xD;\nb</literal>"));
    for character in ["\\u0001", "\\uFFFE"] {
        let (status, _, stderr) = written(&format!("\"a{character}\""), "sparql-xml");
        assert!(status == 2 && stderr.contains("output::character"), "{stderr}");
        assert_eq!(written(&format!("\"a{character}\""), "sparql-json").0, 0);
    }
}
