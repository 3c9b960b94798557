//! Queries with prebound variables (SHACL, appendix A): the rules that they keep, values everywhere in a query, and one
//! evaluation for many values with the answers of one for each.

use std::collections::BTreeMap;

use evalgraph::sparql::{CancellationToken, PreboundQuery, QueryForm};
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use oxrdf::{BlankNode, Literal, NamedNode, Quad, Term};
use oxttl::NQuadsParser;
use proptest::prelude::*;

use crate::generated::choices::{Choices, drawn_for};
use crate::generated::{cases, numbers};

const EX: &str = "http://example.org/";

fn prefixes() -> Vec<(String, String)> {
    vec![("ex".to_owned(), EX.to_owned())]
}

/// The query of a constraint, with what is prebound in one.
fn constraint(text: &str) -> PreboundQuery {
    parsed(text, &["this", "shapesGraph", "currentShape"])
}

#[track_caller]
fn parsed(text: &str, prebound: &[&str]) -> PreboundQuery {
    match PreboundQuery::parse(text, "q.rq", &prefixes(), None, prebound, false) {
        Ok(query) => query,
        Err(error) => panic!("{text}\n{error}"),
    }
}

#[track_caller]
fn refused(text: &str, prebound: &[&str], expected: &str) {
    let error = PreboundQuery::parse(text, "q.rq", &prefixes(), None, prebound, false);
    assert_eq!(error.expect_err("the query is refused").to_string(), expected, "for {text}");
}

fn dataset(quads: &str) -> Dataset {
    let quads = quads.replace("ex:", EX);
    let quads: Vec<Quad> = NQuadsParser::new().for_slice(&quads).map(|quad| quad.expect("a quad")).collect();
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(quads);
    Dataset::from_documents(vec![NamedDocument { graph: "urn:d".to_owned(), builder }])
}

fn iri(name: &str) -> Term {
    NamedNode::new_unchecked(format!("{EX}{name}")).into()
}

fn integer(text: &str) -> Term {
    Literal::new_typed_literal(text, oxrdf::vocab::xsd::INTEGER).into()
}

fn row(solution: &sparesults::QuerySolution) -> String {
    let mut values: Vec<String> =
        solution.iter().map(|(name, term)| format!("{}={term}", name.as_str())).collect();
    values.sort();
    values.join(" ").replace(EX, "")
}

fn rows(query: &PreboundQuery, dataset: &Dataset, bindings: &[(&str, Term)]) -> Vec<String> {
    let view = dataset.view(DefaultGraph::Union);
    let solutions = query.select(view, bindings, &CancellationToken::new()).expect("an answer");
    let mut rows: Vec<String> = solutions.iter().map(row).collect();
    rows.sort();
    rows
}

fn holds(query: &PreboundQuery, dataset: &Dataset, bindings: &[(&str, Term)]) -> bool {
    query.ask(dataset.view(DefaultGraph::Union), bindings, &CancellationToken::new()).expect("an answer")
}

#[test]
fn what_prebinding_cannot_mean_is_refused() {
    const CONSTRAINT: [&str; 3] = ["this", "shapesGraph", "currentShape"];
    for (text, place, message) in [
        (
            "SELECT $this WHERE {\n  $this ?x ?any .\n  MINUS { $this ?x \"Value\" }\n}",
            "3:3",
            "MINUS is not allowed in a query with prebound variables",
        ),
        (
            "SELECT $this WHERE { VALUES ?any { true } }",
            "1:22",
            "VALUES is not allowed in a query with prebound variables",
        ),
        (
            "SELECT $this WHERE { $this ?x ?any } values ?any { true }",
            "1:38",
            "VALUES is not allowed in a query with prebound variables",
        ),
        (
            "SELECT $this WHERE { $this ?x ?any . SERVICE <http://example.org> { ?a ?b ?c } }",
            "1:38",
            "SERVICE is not allowed in a query with prebound variables",
        ),
        (
            "SELECT $this WHERE { $this ?x ?any . { SELECT ?other ?b WHERE { ?other ?b ?c } } }",
            "1:40",
            "the subquery does not return the prebound variable `$this`",
        ),
        (
            "SELECT $this WHERE { { SELECT * WHERE { FILTER ($this = ex:a) } } }",
            "1:24",
            "the subquery does not return the prebound variable `$this`",
        ),
        (
            "SELECT $this WHERE { FILTER EXISTS { SELECT (COUNT($this) AS ?n) { $this ex:p ?v } } }",
            "1:38",
            "the subquery does not return the prebound variable `$this`",
        ),
        (
            "SELECT $this WHERE { BIND (true AS $this) }",
            "1:36",
            "`$this` is prebound, and the query cannot give it another value",
        ),
        (
            "SELECT (ex:a AS ?this) WHERE { ?x ex:p 1 }",
            "1:17",
            "`?this` is prebound, and the query cannot give it another value",
        ),
        (
            "CONSTRUCT { $this ex:p 1 } WHERE { $this ex:q 1 }",
            "1:1",
            "CONSTRUCT is not a query with prebound variables",
        ),
    ] {
        refused(text, &CONSTRAINT, &format!("q.rq:{place}: shacl::prebinding: {message}"));
    }
    // The value of a validator is prebound only there.
    let text =
        "ASK { BIND (true AS ?value) . FILTER (isLiteral(?value) && langMatches(lang(?value), $lang)) }";
    let message = "`?value` is prebound, and the query cannot give it another value";
    refused(text, &["this", "value", "lang"], &format!("q.rq:1:21: shacl::prebinding: {message}"));
    parsed(text, &["this", "lang"]);
    parsed("ASK { { SELECT * { $this ex:p ?x } } }", &["this"]);
    refused(
        "ASK { { SELECT * { ?x ex:p ?x } } }",
        &["this"],
        "q.rq:1:9: shacl::prebinding: the subquery does not return the prebound variable `$this`",
    );
    // The words may be names and texts.
    parsed("SELECT $this { $this ex:MINUS \"VALUES\" ; ex:service ?minus }", &CONSTRAINT);
    // Two variables need not be returned.
    parsed("SELECT $this { { SELECT $this { $this ex:p ?x } } }", &CONSTRAINT);
}

#[test]
fn only_declared_prefixes_are_known() {
    refused(
        "SELECT $this { $this rdf:type ex:C }",
        &["this"],
        "q.rq:1:22: sparql::undeclared-prefix: the prefix `rdf:` is not declared",
    );
    parsed("PREFIX rdf: <http://rdf/> SELECT $this { $this rdf:type ex:C }", &["this"]);
    let query = constraint("PREFIX ex: <http://other/> SELECT $this { $this ex:p 1 }");
    assert!(rows(&query, &dataset("<ex:a> <ex:p> \"1\" ."), &[("this", iri("a"))]).is_empty());
    let wrong = [("ex".to_owned(), "no iri".to_owned())];
    let error = PreboundQuery::parse("ASK { ?s ex:p 1 }", "q.rq", &wrong, None, &[], false);
    assert_eq!(error.expect_err("there is no namespace").code, "shacl::prefix");
    PreboundQuery::parse("ASK { ?s ?p 1 }", "q.rq", &wrong, None, &[], false).expect("it has no prefix");
}

#[test]
fn faults_have_their_places_in_the_text() {
    refused(
        "SELECT $this\nWHERE { $this ex:p ?v FILER(?v) }",
        &["this"],
        "q.rq:2:23: sparql::syntax: expected a triple, FILTER, OPTIONAL or `}`, found `FILER`",
    );
}

#[test]
fn a_query_says_what_it_is_and_mentions() {
    let query = constraint("SELECT $this (ex:p AS ?path) { $this ex:p ?value GRAPH $shapesGraph { } }");
    assert_eq!(query.form(), QueryForm::Select);
    assert_eq!(query.variables().collect::<Vec<_>>(), ["this", "path"]);
    assert!(query.selects("this") && !query.selects("value"));
    assert!(query.mentions_variable("value") && query.mentions_variable("shapesGraph"));
    assert!(!query.mentions_variable("currentShape") && !query.mentions_variable("PATH"));
    assert_eq!(parsed("ASK { ?s ?p ?o }", &[]).form(), QueryForm::Ask);
}

#[test]
fn schema_org_is_moved_where_that_is_asked_for() {
    let text = "SELECT $this { $this <https://schema.org/name> ?v ; $PATH ?w }";
    let path = Some("<https://schema.org/text>/<http://example.org/p>");
    let moved = PreboundQuery::parse(text, "q.rq", &[], path, &["this"], true).expect("a query");
    assert_eq!(moved.mapped_iris(), 2);
    let plain = PreboundQuery::parse(text, "q.rq", &[], path, &["this"], false).expect("a query");
    assert_eq!(plain.mapped_iris(), 0);
}

#[test]
fn the_values_of_the_suite_are_everywhere() {
    let data = dataset("<ex:InvalidResource> <ex:property> \"Label\" .\n<ex:b> <ex:q> <ex:c> .");
    for text in [
        "SELECT $this WHERE { FILTER ($this = ex:InvalidResource) }",
        "SELECT $this WHERE { { FILTER (false) } UNION { FILTER ($this = ex:InvalidResource) } }",
        "SELECT $this WHERE { { { FILTER ($this = ex:InvalidResource) } FILTER bound($this) } FILTER (true) }",
        "SELECT $this WHERE { BIND ($this AS ?that) FILTER (?that = ex:InvalidResource) }",
        "SELECT $this WHERE { { FILTER (bound($this)) } $this ex:property \"Label\" FILTER (bound($this)) }",
        "SELECT $this WHERE { { SELECT $this WHERE { FILTER ($this = ex:InvalidResource) } } }",
    ] {
        let query = constraint(text);
        assert_eq!(
            rows(&query, &data, &[("this", iri("InvalidResource"))]),
            ["this=<InvalidResource>"],
            "{text}"
        );
        assert_eq!(rows(&query, &data, &[("this", iri("b"))]), [""; 0], "{text}");
        assert!(query.in_bulk(&["this"]).is_some(), "{text}");
    }
}

#[test]
fn the_graph_of_shapes_can_be_asked() {
    let data = dataset(
        "<ex:S> <ex:property> \"42\"^^<http://www.w3.org/2001/XMLSchema#integer> <ex:shapes> .\n\
         <ex:S> <ex:property> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
    );
    let text = "SELECT $this WHERE { FILTER bound($shapesGraph) \
                GRAPH $shapesGraph { FILTER bound($currentShape) . $currentShape ex:property 42 } }";
    let query = constraint(text);
    let given =
        |graph: Term, shape: Term| vec![("this", iri("a")), ("shapesGraph", graph), ("currentShape", shape)];
    assert_eq!(rows(&query, &data, &given(iri("shapes"), iri("S"))), ["this=<a>"]);
    assert_eq!(rows(&query, &data, &given(iri("others"), iri("S"))), [""; 0]);
    assert_eq!(rows(&query, &data, &given(iri("shapes"), iri("T"))), [""; 0]);
    // A literal names no graph.
    assert_eq!(rows(&query, &data, &given(integer("1"), iri("S"))), [""; 0]);
    let bulk = query.in_bulk(&["this"]).expect("nothing depends on the row");
    let all = vec![vec![iri("a")], vec![iri("b")], vec![iri("a")]];
    let view = data.view(DefaultGraph::Union);
    let found = bulk.select(view, &all, &given(iri("shapes"), iri("S")), &CancellationToken::new());
    let mut found: Vec<String> = found.expect("an answer").iter().map(row).collect();
    found.sort();
    assert_eq!(found, ["this=<a>", "this=<b>"]);
}

#[test]
fn constraints_and_validators_of_the_suite_answer() {
    let data = dataset(
        "<ex:Spain> <ex:label> \"Spain\"@en .\n<ex:Spain> <ex:german> \"Spain\"@en .\n\
         <ex:Spanien> <ex:german> \"Spanien\"@de .",
    );
    let query = constraint("SELECT $this ?path ?value { $this ?path ?value FILTER (?path = ex:label) }");
    let spain = [("this", iri("Spain"))];
    assert_eq!(rows(&query, &data, &spain), ["path=<label> this=<Spain> value=\"Spain\"@en"]);
    let text = "SELECT $this (ex:german AS ?path) ?value { $this ex:german ?value \
                FILTER (!isLiteral(?value) || !langMatches(lang(?value), \"de\")) }";
    assert_eq!(rows(&constraint(text), &data, &spain), ["path=<german> this=<Spain> value=\"Spain\"@en"]);
    assert_eq!(rows(&constraint(text), &data, &[("this", iri("Spanien"))]), [""; 0]);

    let text = "SELECT DISTINCT $this ?value { $this $PATH ?value \
                FILTER (!isLiteral(?value) || !langMatches(lang(?value), $lang)) }";
    let prebound = ["this", "lang"];
    let query = PreboundQuery::parse(
        text,
        "q.rq",
        &prefixes(),
        Some("<http://example.org/german>"),
        &prebound,
        false,
    )
    .expect("a query");
    let given = |lang: &str| [spain[0].clone(), ("lang", Literal::from(lang).into())];
    assert_eq!(rows(&query, &data, &given("de")), ["this=<Spain> value=\"Spain\"@en"]);
    assert_eq!(rows(&query, &data, &given("en")), [""; 0]);

    let text = "ASK { FILTER ($value != $required && $value != COALESCE(?optional, \"Three\")) }";
    let query = parsed(text, &["this", "value", "required", "optional"]);
    let answers = |optional: &[(&'static str, Term)]| {
        ["One", "Two", "Three"].map(|value| {
            let mut given =
                vec![("value", Literal::from(value).into()), ("required", Literal::from("One").into())];
            given.extend_from_slice(optional);
            holds(&query, &data, &given)
        })
    };
    assert_eq!(answers(&[]), [false, true, false]);
    assert_eq!(answers(&[("optional", Literal::from("Two").into())]), [false, false, true]);
    let query = parsed("ASK { FILTER (?value = CONCAT($test1, $test2)) }", &["value", "test1", "test2"]);
    let given = |value: &str| {
        [("value", value), ("test1", "Hello "), ("test2", "World")]
            .map(|(name, text)| (name, Term::from(Literal::from(text))))
    };
    assert!(holds(&query, &data, &given("Hello World")));
    assert!(!holds(&query, &data, &given("Hallo Welt")));
}

#[test]
fn a_path_stands_in_predicates_only() {
    let data = dataset("<ex:a> <ex:p> <ex:b> .\n<ex:b> <ex:p> <ex:c> .\n<ex:d> <ex:q> <ex:a> .");
    let text = "SELECT $this ?value { $this $PATH ?value FILTER EXISTS { ?value ?any ?some } }";
    let with = |text: &str, path: Option<&str>| {
        PreboundQuery::parse(text, "q.rq", &prefixes(), path, &["this"], false)
    };
    for (path, expected) in [
        ("ex:p", vec!["this=<a> value=<b>"]),
        ("<http://example.org/p>+", vec!["this=<a> value=<b>"]),
        ("^ex:q", vec!["this=<a> value=<d>"]),
        ("(ex:p|^ex:q)", vec!["this=<a> value=<b>", "this=<a> value=<d>"]),
        ("ex:p/^ex:p", vec!["this=<a> value=<a>"]),
        ("!ex:q", vec!["this=<a> value=<b>"]),
    ] {
        let query = with(text, Some(path)).expect("a path");
        assert_eq!(rows(&query, &data, &[("this", iri("a"))]), expected, "{path}");
    }
    for path in ["", "ex:p) ?x . ?x (ex:q", "?p", "\"text\"", "ex:p #", "ex:p }"] {
        let code = with(text, Some(path)).map(|_| ()).map_err(|error| error.code.into_owned());
        let expected = if path == "ex:p #" { Ok(()) } else { Err("shacl::path".to_owned()) };
        assert_eq!(code, expected, "{path}");
    }
    for (text, column) in [
        ("SELECT $this $PATH { $this $PATH ?value }", 14),
        ("SELECT $this (STR($PATH) AS ?x) { $this $PATH ?value }", 19),
        ("SELECT $this { $this $PATH ?value FILTER($PATH = ex:p) }", 42),
        ("SELECT $this { $PATH ex:p ?value }", 16),
        ("SELECT $this { $this ex:p ?PATH }", 27),
        ("SELECT $this { $this $PATH ?x GRAPH $PATH { $this ex:p ?value } }", 37),
        ("SELECT $this { $this $PATH ?x OPTIONAL { ?x $PATH ?y FILTER(BOUND($PATH)) } }", 67),
    ] {
        let error = with(text, Some("ex:p")).expect_err("PATH stands elsewhere");
        assert_eq!(
            error.to_string(),
            format!("q.rq:1:{column}: shacl::path: `$PATH` can only be the predicate of a triple pattern"),
            "{text}"
        );
    }
    let error = with("SELECT $this { $this $PATH ?value }", None).expect_err("there is no path");
    assert_eq!(error.code, "shacl::path");
    assert!(with("SELECT $this { $this $PATH/ex:q ?value }", Some("ex:p")).is_err());
    let query = with("SELECT * { $this $PATH ?value }", Some("ex:p")).expect("a path");
    assert_eq!(query.variables().collect::<Vec<_>>(), ["this", "value"]);
}

#[test]
fn blank_nodes_and_literals_are_values() {
    let data = dataset("_:x <ex:p> _:y .\n_:y <ex:p> \"1\" .\n<ex:a> <ex:p> _:x .");
    let view = data.view(DefaultGraph::Union);
    let found = parsed("SELECT ?this { ex:a ex:p ?this }", &[]).select(view, &[], &CancellationToken::new());
    let node = found.expect("an answer")[0].get("this").cloned().expect("a node");
    assert!(node.is_blank_node());
    for (text, expected) in [
        ("ASK { $this ex:p ?v }", true),
        ("ASK { ex:a ex:p $this }", true),
        ("ASK { ?s $this ?o }", false),
        ("ASK { FILTER(isBlank($this) && !isIRI($this) && BOUND($this)) }", true),
        ("ASK { BIND(STR($this) AS ?text) FILTER(!BOUND(?text)) }", true),
        ("ASK { ex:a ex:p ?v FILTER(sameTerm(?v, $this) && ?v = $this) }", true),
        ("ASK { ?s ex:p ?v FILTER(?v IN (1, $this)) }", true),
        ("ASK { ?s ex:p ?v FILTER NOT EXISTS { ?s ex:p ?w FILTER(?w = $this) } }", true),
        ("ASK { { SELECT $this (COUNT(?v) AS ?n) { $this ex:p ?v } GROUP BY $this } FILTER(?n = 1) }", true),
        ("ASK { BIND($this AS ?that) ex:a ex:p ?that . ?that ex:p ?v }", true),
        ("ASK { GRAPH $this { ?s ?p ?o } }", false),
    ] {
        assert_eq!(holds(&parsed(text, &["this"]), &data, &[("this", node.clone())]), expected, "{text}");
    }
    let query = parsed("SELECT $this ?v { $this ex:p ?v } ORDER BY $this", &["this"]);
    let found =
        query.select(data.view(DefaultGraph::Union), &[("this", node.clone())], &CancellationToken::new());
    let found = found.expect("an answer");
    assert_eq!((found.len(), found[0].get("this")), (1, Some(&node)));
    assert_eq!(rows(&parsed("SELECT ?v { $this ex:p ?v }", &["this"]), &data, &[("this", node)]).len(), 1);

    let literal = || [("this", Term::from(Literal::from("1")))];
    for (text, expected) in [
        ("ASK { $this ex:p ?v }", false),
        ("ASK { ?s $this ?v }", false),
        ("ASK { ?s ex:p $this }", true),
        ("ASK { $this ex:p|ex:q ?v }", false),
        ("ASK { OPTIONAL { $this ex:p ?v } FILTER(isLiteral($this) && !BOUND(?v)) }", true),
        ("ASK { $this ^ex:p ?v }", true),
    ] {
        assert_eq!(holds(&parsed(text, &["this"]), &data, &literal()), expected, "{text}");
    }
    // A node that the dataset does not have.
    let other = [("this", Term::from(BlankNode::new_unchecked("other")))];
    assert!(!holds(&parsed("ASK { $this ex:p ?v }", &["this"]), &data, &other));
    assert!(holds(&parsed("ASK { FILTER(isBlank($this)) }", &["this"]), &data, &other));
}

#[test]
fn what_depends_on_all_rows_is_asked_one_by_one() {
    for text in [
        "SELECT $this ?v { $this ex:p ?v } LIMIT 1",
        "SELECT $this ?v { $this ex:p ?v } ORDER BY ?v OFFSET 1",
        "SELECT ?v { $this ex:p ?v }",
        "SELECT $this ?v { $this ex:p* ?v }",
        "SELECT $this ?v { ?s ex:p ?o OPTIONAL { $this ex:p? ?v } }",
        "SELECT $this ?v { GRAPH $this { ?s ex:p ?v } }",
        "SELECT $this ?v { $this ex:p ?v { SELECT $this { $this ex:q ?w } LIMIT 1 } }",
        "SELECT $this ?v { $this ex:p ?v FILTER EXISTS { SELECT $this { $this ex:q ?w } OFFSET 1 } }",
    ] {
        assert!(constraint(text).in_bulk(&["this"]).is_none(), "{text}");
    }
}

/// Typical queries. Those after the first empty line have forms that seldom occur.
const FORMS: &str = "\
SELECT $this ?value { $this ex:p ?value ; ex:q ?b . FILTER(?value > ?b) }
SELECT $this { $this a ex:C . FILTER NOT EXISTS { $this ex:p ?v } }
SELECT $this { $this a ex:C . FILTER NOT EXISTS { $this ex:p ?v . ?v ex:q ?w } }
SELECT $this { ?a ex:p $this . ?b ex:p $this . FILTER(?a != ?b) }
SELECT $this ?v { { $this ex:p ?v } UNION { $this ex:q ?v } }
SELECT $this (?x AS ?value) { $this ex:p ?x }
SELECT $this (COUNT(?v) AS ?n) { $this ex:p ?v } GROUP BY $this HAVING (COUNT(?v) > 1)
SELECT $this (SUM(?v) AS ?n) { $this ex:p ?v } GROUP BY $this
SELECT DISTINCT $this { $this ?p ?o FILTER NOT EXISTS { $this ex:q ?w } }
SELECT $this ?value { $this ex:p ?value OPTIONAL { $this ex:q ?b } FILTER(!BOUND(?b)) }
SELECT $this ?value ?w { $this ex:p ?value OPTIONAL { ?value ex:q ?w FILTER(?w != $this) } }
SELECT $this ?path ?value { $this ?path ?value FILTER(isLiteral(?value)) }
SELECT $this ?value { $this (ex:p|ex:q)/ex:p ?value }
SELECT $this ?value { $this ex:p+ ?value }
SELECT $this ?value { $this a ex:C ; ex:p* ?value }
SELECT $this { $this a/ex:p* ex:C }

SELECT $this { ?x a ex:C }
SELECT $this { }
SELECT $this ?v { { $this ex:p ?v } UNION { ?x ex:q ?v } }
SELECT $this ?v { ?v a ex:C OPTIONAL { $this ex:p ?v . FILTER(?v != $this) } }
SELECT $this ?v ?w { ?v a ex:C OPTIONAL { ?v ex:p ?w } FILTER(?v = $this || ?w = $this) }
SELECT $this ?v { $this ex:p ?v { ?v ex:q ?w FILTER(?w != $this) } UNION { ?v ex:p $this } }
SELECT $this ?v { { FILTER(isIRI($this)) } $this ex:p ?v }
SELECT $this ?that { BIND($this AS ?that) FILTER(?that != ex:n0) }
SELECT $this ?text { ?x ex:p $this BIND(STR($this) AS ?text) }
SELECT $this ?type { ?x ex:p $this BIND(DATATYPE($this) AS ?type) FILTER(isLiteral($this)) }
SELECT $this ?v { $this ex:p ?v { SELECT $this (COUNT(?w) AS ?n) { $this ex:q ?w } GROUP BY $this } FILTER(?n > 0) }
SELECT $this ?v { $this ex:p ?v { SELECT DISTINCT $this { ?x ex:q $this } } }
SELECT $this ?v { $this ex:p ?v FILTER EXISTS { SELECT $this { $this ex:q ?w } } }
SELECT $this ?v { $this ex:p ?v FILTER EXISTS { SELECT $this (COUNT(?w) AS ?n) { $this ex:q ?w } GROUP BY $this HAVING(COUNT(?w) > 1) } }
SELECT $this ?v { $this ex:p ?v FILTER EXISTS { { ?x ex:q ?v FILTER(?x != $this) } UNION { $this ex:q ?v } } }
SELECT $this ?v { $this ex:p ?v FILTER NOT EXISTS { ?v ex:p* $this } }
SELECT $this { FILTER EXISTS { ?a a ex:C . ?b ex:p* $this . FILTER EXISTS { ?b ex:p* $this } } }
SELECT $this ?v { ?x ex:p $this OPTIONAL { $this ex:p ?v OPTIONAL { ?v ex:q $this } } }
SELECT $this ?v { $this ex:p ?v OPTIONAL { { $this ex:q ?w } UNION { ?w ex:q $this } FILTER(?w != ?v) } FILTER(!BOUND(?w)) }
SELECT $this ?g ?v { GRAPH ?g { $this ex:p ?v } }
SELECT $this ?g ?v { GRAPH ?g { ?x ex:p ?v FILTER(?x = $this) } }
SELECT $this ?g ?v { GRAPH ?g { $this ex:p ?v FILTER NOT EXISTS { $this ex:q ?w } } }
SELECT $this ?g { GRAPH ?g { ?x ex:p ?v OPTIONAL { ?v ex:q $this } } }
SELECT $this ?v { GRAPH ex:g { $this ex:p ?v } OPTIONAL { $this ex:q ?v } }
SELECT $this ?p { ?s $this ?p }
SELECT $this ?v { $this ex:p ?v . $this ex:p $this }
SELECT $this (COUNT(*) AS ?n) (MIN(?v) AS ?least) { ?x ex:p $this OPTIONAL { $this ex:q ?v } } GROUP BY $this
SELECT $this ?v (COUNT(?w) AS ?n) { $this ex:p ?v OPTIONAL { ?v ex:q ?w } } GROUP BY $this ?v ORDER BY ?n
SELECT $this { _:a ex:p $this , _:b . _:b ex:q $this }
SELECT $this ?v { $this !(ex:p|^ex:q) ?v }
SELECT $this ?v { { $this ex:p ?v } { $this ex:q ?v } UNION { $this ex:p ?v . ?x ex:q ?v } }
SELECT $this { FILTER(!isBlank($this)) FILTER NOT EXISTS { $this ?p ?o } }
SELECT $this ?x { ?x ex:p ?y FILTER(sameTerm(?y, $this)) }
SELECT $this ?n { $this ex:p ?v BIND(EXISTS { ?v ex:q $this } AS ?n) }
SELECT $this ?w { $this ex:p ?v OPTIONAL { ?v ex:q ?w FILTER EXISTS { ?w ex:p $this } } }
ASK { $this ex:p ?v }
ASK { FILTER(isIRI($this)) }
ASK { ?x a ex:C }
ASK { $this ex:p ?v FILTER NOT EXISTS { ?v ex:q $this } }
ASK { { SELECT $this (COUNT(?v) AS ?n) { $this ex:p ?v } GROUP BY $this } FILTER(?n > 1) }";

/// The terms of generated datasets, each also a focus node. The last ones are in no dataset.
const TERMS: [&str; 12] = [
    "<ex:n0>",
    "<ex:n1>",
    "<ex:n2>",
    "<ex:p>",
    "_:x",
    "_:y",
    "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
    "\"01\"^^<http://www.w3.org/2001/XMLSchema#integer>",
    "\"2\"^^<http://www.w3.org/2001/XMLSchema#integer>",
    "\"text\"@en",
    "<ex:nowhere>",
    "\"nowhere\"",
];

const TYPE: &str = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";

/// A quad by the numbers of its terms, property and graph.
type Numbers = (usize, usize, usize, usize);

fn generated(quads: &[Numbers]) -> Dataset {
    let lines = quads.iter().map(|&(subject, predicate, object, graph)| {
        let graph = ["", "", "<ex:g>", "<ex:h>"][graph];
        match predicate {
            0 => format!("{} {TYPE} <ex:C> {graph} .\n", TERMS[subject]),
            1 => format!("{} <ex:q> {} {graph} .\n", TERMS[subject], TERMS[object]),
            _ => format!("{} <ex:p> {} {graph} .\n", TERMS[subject], TERMS[object]),
        }
    });
    dataset(&lines.collect::<String>())
}

/// The focus nodes: the terms, and the blank nodes of the dataset.
fn focus_nodes(dataset: &Dataset) -> Vec<Term> {
    let text = TERMS.iter().filter(|term| !term.starts_with("_:"));
    let lines: String = text.map(|term| format!("<ex:s> <ex:p> {term} .\n")).collect();
    let lines = lines.replace("ex:", EX);
    let terms = NQuadsParser::new().for_slice(&lines).map(|quad| quad.expect("a quad").object);
    let mut terms: Vec<Term> = terms.collect();
    let view = dataset.view(DefaultGraph::Union);
    let blank = parsed("SELECT DISTINCT ?b { { ?b ?p ?o } UNION { ?s ?p ?b } FILTER(isBlank(?b)) }", &[]);
    let found = blank.select(view, &[], &CancellationToken::new()).expect("an answer");
    terms.extend(found.iter().filter_map(|solution| solution.get("b").cloned()));
    terms.push(BlankNode::new_unchecked("nowhere").into());
    terms
}

fn counted(rows: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts
}

/// Compares one evaluation for all rows with one for each; returns how many solutions there are.
fn compare(text: &str, variables: &[&str], dataset: &Dataset, all: &[Vec<Term>]) -> usize {
    let query = parsed(text, variables);
    let bulk = query.in_bulk(variables).unwrap_or_else(|| panic!("{text} is asked in bulk"));
    let mut expected = Vec::new();
    for values in all {
        let bindings: Vec<(&str, Term)> = variables.iter().copied().zip(values.iter().cloned()).collect();
        if query.form() == QueryForm::Select {
            expected.extend(rows(&query, dataset, &bindings));
        } else if holds(&query, dataset, &bindings) {
            let mut shown: Vec<String> =
                bindings.iter().map(|(name, term)| format!("{name}={term}")).collect();
            shown.sort();
            expected.push(shown.join(" ").replace(EX, ""));
        }
    }
    let view = dataset.view(DefaultGraph::Union);
    let found = bulk.select(view, all, &[], &CancellationToken::new()).expect("an answer");
    assert_eq!(counted(found.iter().map(row)), counted(expected), "{text}");
    found.len()
}

fn quads() -> impl Strategy<Value = Vec<Numbers>> {
    let terms = TERMS.len() - 2;
    proptest::collection::vec((0..6_usize, 0..4_usize, 0..terms, 0..4_usize), 0..14)
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn all_focus_nodes_at_once_have_the_solutions_of_each(quads in quads()) {
        let dataset = generated(&quads);
        let all: Vec<Vec<Term>> = focus_nodes(&dataset).into_iter().map(|term| vec![term]).collect();
        for text in FORMS.lines().filter(|line| !line.is_empty()) {
            compare(text, &["this"], &dataset, &all);
        }
    }

    #[test]
    fn pairs_at_once_have_the_solutions_of_each(quads in quads()) {
        let dataset = generated(&quads);
        let nodes = focus_nodes(&dataset);
        let pair = |at: usize, shift: usize| vec![nodes[at].clone(), nodes[(at + shift) % nodes.len()].clone()];
        let all: Vec<Vec<Term>> =
            (0..nodes.len()).flat_map(|at| [0, 1, 2, 5].map(|shift| pair(at, shift))).collect();
        for text in [
            "ASK { $this ex:p $value }",
            "ASK { $this ex:p ?v FILTER(?v = $value) }",
            "ASK { $this ex:p ?v . $value ex:q ?v }",
            "ASK { { $this ex:p ?v } { $value ex:q ?v } UNION { ?v a ex:C } }",
            "ASK { FILTER NOT EXISTS { $this ex:p $value } }",
            "ASK { $value a ex:C FILTER NOT EXISTS { $this ex:p ?v . ?v ex:q $value } }",
            "SELECT $this $value ?v { $this ex:p ?v OPTIONAL { ?v ex:q $value } }",
        ] {
            compare(text, &["this", "value"], &dataset, &all);
        }
    }
}

#[test]
fn values_that_are_the_same_for_all_rows_are_in_groups() {
    let data =
        dataset("<ex:a> <ex:p> \"1\" .\n<ex:a> <ex:p> \"2\" .\n<ex:b> <ex:p> \"1\" .\n<ex:c> <ex:q> \"1\" .");
    let text = "SELECT $this (COUNT(?v) AS ?n) { $this ex:p ?v } GROUP BY $this HAVING (COUNT(?v) > $most)";
    let query = parsed(text, &["this", "most"]);
    let given = [("most", integer("1"))];
    let each = |name: &str| rows(&query, &data, &[given[0].clone(), ("this", iri(name))]);
    let two = "n=\"2\"^^<http://www.w3.org/2001/XMLSchema#integer> this=<a>";
    assert_eq!((each("a"), each("b"), each("c")), (vec![two.to_owned()], vec![], vec![]));
    let all: Vec<Vec<Term>> = ["a", "b", "c"].map(|name| vec![iri(name)]).into();
    let bulk = query.in_bulk(&["this"]).expect("groups are of one row");
    let found = bulk.select(data.view(DefaultGraph::Union), &all, &given, &CancellationToken::new());
    assert_eq!(found.expect("an answer").iter().map(row).collect::<Vec<_>>(), [two]);
    let none = bulk.select(data.view(DefaultGraph::Union), &[], &given, &CancellationToken::new());
    assert!(none.expect("an answer").is_empty());
}

/// A generated query over `$this` and a few other variables.
struct Text<'c> {
    choices: Choices<'c>,
}

impl Text<'_> {
    fn group(&mut self, level: usize) -> String {
        let count = 1 + self.choices.below(3);
        (0..count).map(|_| self.element(level)).collect::<Vec<_>>().join(" ")
    }

    fn element(&mut self, level: usize) -> String {
        match self.choices.below(if level == 0 { 8 } else { 18 }) {
            0..=5 => self.choices.pick(&TRIPLES).to_owned(),
            6 | 7 => format!("FILTER({})", self.choices.pick(&EXPRESSIONS)),
            8 | 9 => format!("OPTIONAL {{ {} }}", self.group(level - 1)),
            10 => format!("{{ {} }} UNION {{ {} }}", self.group(level - 1), self.group(level - 1)),
            11 => format!("FILTER EXISTS {{ {} }}", self.group(level - 1)),
            12 => format!("FILTER NOT EXISTS {{ {} }}", self.group(level - 1)),
            13 => format!("BIND({} AS ?x{})", self.choices.pick(&EXPRESSIONS), self.choices.fresh()),
            14 => format!("{{ {} }}", self.group(level - 1)),
            15 => format!("{{ SELECT DISTINCT $this ?a {{ {} }} }}", self.group(level - 1)),
            16 => {
                let (group, name) = (self.group(level - 1), self.choices.fresh());
                format!("{{ SELECT $this (COUNT(?a) AS ?x{name}) {{ {group} }} GROUP BY $this }}")
            }
            _ => format!("GRAPH {} {{ {} }}", self.choices.pick(&["?g", "ex:g"]), self.group(level - 1)),
        }
    }
}

const TRIPLES: [&str; 10] = [
    "$this ex:p ?a .",
    "?a ex:p $this .",
    "?a ex:q ?b .",
    "$this ex:q ?b .",
    "?a a ex:C .",
    "$this a ex:C .",
    "$this ex:p+ ?b .",
    "?b ex:p* $this .",
    "$this ?p ?a .",
    "?a (ex:p|ex:q) ?b .",
];

const EXPRESSIONS: [&str; 8] = [
    "?a = $this",
    "?a != ?b",
    "BOUND($this)",
    "isIRI($this)",
    "BOUND(?b)",
    "?b = ex:n0 || $this = ex:n1",
    "$this < ?b",
    "COALESCE(?a, $this) = ex:n1",
];

#[test]
fn generated_queries_have_the_solutions_of_each_row() {
    let (mut in_bulk, mut with_solutions) = (0, 0);
    for case in numbers(300) {
        let drawn = drawn_for("prebinding", case, 200);
        let mut choices = Choices::new(&drawn);
        let quads: Vec<Numbers> = (0..choices.below(14))
            .map(|_| {
                let end = TERMS.len() - 2;
                (choices.below(6), choices.below(4), choices.below(end), choices.below(4))
            })
            .collect();
        let dataset = generated(&quads);
        let all: Vec<Vec<Term>> = focus_nodes(&dataset).into_iter().map(|term| vec![term]).collect();
        let text = format!("SELECT $this ?a ?b {{ {} }}", Text { choices }.group(2));
        // The evaluator counts the ways of a path between given ends in a graph that is not given.
        if text.contains("GRAPH ?g") && (text.contains("ex:p+") || text.contains("ex:p*")) {
            continue;
        }
        // BIND may name a variable of its own group.
        let Ok(query) = PreboundQuery::parse(&text, "q.rq", &prefixes(), None, &["this"], false) else {
            continue;
        };
        if query.in_bulk(&["this"]).is_some() {
            in_bulk += 1;
            with_solutions += usize::from(compare(&text, &["this"], &dataset, &all) > 0);
        }
    }
    assert!(with_solutions > 0, "{in_bulk} queries are asked in bulk, and none has solutions");
}
