//! Parameters: how their text is read, and that they reach every corner of a query as terms.

use evalgraph::diagnostic::FindingHelp;
use evalgraph::sparql::{
    ExecuteOptions, NamedQueries, NamedQuery, ParameterType, Query, QueryParameter, QueryPrefixes,
    QueryResults,
};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};

use crate::store::dataset::stored;

fn term(text: &str, declared: Option<ParameterType>) -> Result<String, String> {
    let parameter = QueryParameter::parse(&format!("p={text}")).expect("a parameter");
    parameter
        .term(declared, &QueryPrefixes::new())
        .map(|term| term.to_string())
        .map_err(|error| format!("{}: {}", error.code, error.message))
}

#[track_caller]
fn reads(text: &str, expected: &str) {
    assert_eq!(term(text, None).as_deref(), Ok(expected), "for {text}");
}

#[test]
fn terms_are_read_in_the_notation_of_sparql() {
    reads("\"text\"", "\"text\"");
    reads("\"text\"@en", "\"text\"@en");
    reads("\"2025-01-31\"^^xsd:date", "\"2025-01-31\"^^<http://www.w3.org/2001/XMLSchema#date>");
    reads("\"x\"^^<urn:t>", "\"x\"^^<urn:t>");
    reads("<http://example.org/1>", "<http://example.org/1>");
    reads("s:Question", "<http://schema.org/Question>");
    reads("10", "\"10\"^^<http://www.w3.org/2001/XMLSchema#integer>");
    reads("-0.50", "\"-0.50\"^^<http://www.w3.org/2001/XMLSchema#decimal>");
    reads("1e3", "\"1e3\"^^<http://www.w3.org/2001/XMLSchema#double>");
    reads("true", "\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>");
    reads("two words", "\"two words\"");
    reads("Note: this", "\"Note: this\"");
    reads("\"a\\n\\u00e9\\\"\"", "\"a\\né\\\"\"");
}

#[test]
fn a_declared_type_decides_on_bare_values() {
    let iri = Some(ParameterType::Iri);
    assert_eq!(term("http://example.org/1", iri).as_deref(), Ok("<http://example.org/1>"));
    assert_eq!(term("s:Question", iri).as_deref(), Ok("<http://schema.org/Question>"));
    assert_eq!(term("10", Some(ParameterType::String)).as_deref(), Ok("\"10\""));
    let date = "\"2025-01-31\"^^<http://www.w3.org/2001/XMLSchema#date>";
    assert_eq!(term("2025-01-31", Some(ParameterType::Date)).as_deref(), Ok(date));
    let wrong = term("2025-13-31", Some(ParameterType::Date));
    assert_eq!(
        wrong.expect_err("there is no such month"),
        "sparql::parameter-type: the parameter `p` is of type date, and `2025-13-31` is not"
    );
    assert!(term("ten", Some(ParameterType::Integer)).is_err());
    assert!(term("\"x\"@en", Some(ParameterType::Integer)).is_err());
    assert!(term("not an iri", iri).is_err());
}

#[test]
fn malformed_terms_are_refused_and_not_taken_as_text() {
    for text in ["\"open", "<no iri>", "\"x\"^^nope:t", "\"x\"@en more"] {
        assert!(term(text, None).is_err(), "{text}");
    }
    assert!(QueryParameter::parse("novalue").is_err());
    assert!(QueryParameter::parse("a b=1").is_err());
}

fn node(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("http://schema.org/{name}"))
}

fn data() -> Dataset {
    let graph = || GraphName::from(node("g"));
    stored([
        Quad::new(node("q1"), node("name"), Literal::from("one"), GraphName::DefaultGraph),
        Quad::new(node("q2"), node("name"), Literal::from("two"), GraphName::DefaultGraph),
        Quad::new(node("q2"), node("name"), Literal::from("zwei"), GraphName::DefaultGraph),
        Quad::new(node("q1"), node("item"), node("q2"), GraphName::DefaultGraph),
        Quad::new(node("q3"), node("name"), Literal::from("three"), graph()),
    ])
}

/// The rows of a query with parameters, values separated by spaces.
fn rows(text: &str, parameters: &[&str]) -> Vec<String> {
    let given: Vec<QueryParameter> =
        parameters.iter().map(|text| QueryParameter::parse(text).expect("a parameter")).collect();
    let query =
        Query::parse(text, "q.rq").expect("a query").with_parameters(&given, &[]).expect("parameters");
    let dataset = data();
    let mut rows: Vec<String> = match query
        .execute(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default())
        .expect("an answer")
    {
        QueryResults::Boolean(answer) => vec![answer.to_string()],
        QueryResults::Graph(triples) => triples.map(|triple| triple.expect("a triple").to_string()).collect(),
        QueryResults::Solutions(solutions) => solutions
            .map(|solution| {
                let solution = solution.expect("a solution");
                let value = |term: &Option<Term>| match term {
                    None => "-".to_owned(),
                    Some(Term::NamedNode(node)) => node.as_str().rsplit('/').next().unwrap_or("").to_owned(),
                    Some(Term::Literal(literal)) => literal.value().to_owned(),
                    Some(Term::BlankNode(_)) => "_".to_owned(),
                };
                solution.values().iter().map(value).collect::<Vec<_>>().join(" ")
            })
            .collect(),
    };
    rows.sort();
    rows
}

#[test]
fn parameters_reach_every_corner_of_a_query() {
    // In a triple, with its column kept.
    assert_eq!(rows("SELECT ?q ?n { ?q s:name ?n }", &["n=two"]), ["q2 two"]);
    assert_eq!(rows("SELECT * { ?q s:name ?n }", &["q=s:q1"]), ["q1 one"]);
    // In a filter, an order, an expression of SELECT.
    assert_eq!(rows("SELECT ?n { ?q s:name ?n FILTER(?n = ?x) }", &["x=one"]), ["one"]);
    assert_eq!(rows("SELECT (CONCAT(?x, \"!\") AS ?y) { }", &["x=hey"]), ["hey!"]);
    // In a subquery that projects it, and in one that does not.
    assert_eq!(rows("SELECT ?n { { SELECT ?q { ?q s:item ?i } } ?q s:name ?n }", &["q=s:q1"]), ["one"]);
    assert_eq!(rows("SELECT ?n { { SELECT ?i { ?q s:item ?i } } ?i s:name ?n }", &["q=s:q2"]), [""; 0]);
    // In EXISTS and BIND.
    assert_eq!(rows("SELECT ?n { ?q s:name ?n FILTER NOT EXISTS { ?q s:name ?x } }", &["x=two"]), ["one"]);
    assert_eq!(rows("SELECT ?n ?y { ?q s:name ?n BIND(?x AS ?y) }", &["x=1", "q=s:q1"]), ["one 1"]);
    // In VALUES: rows that disagree are gone.
    assert_eq!(rows("SELECT ?a ?b { VALUES (?a ?b) { (1 2) (3 4) (UNDEF 5) } }", &["a=3"]), ["3 4", "3 5"]);
    // As the name of a graph, in a group, in a template.
    assert_eq!(rows("SELECT ?n { GRAPH ?g { ?q s:name ?n } }", &["g=<http://schema.org/g>"]), ["three"]);
    assert_eq!(rows("SELECT ?q (COUNT(*) AS ?c) { ?q s:name ?n } GROUP BY ?q", &["q=s:q2"]), ["q2 2"]);
    assert_eq!(
        rows("CONSTRUCT { ?q s:text ?x } { ?q s:item ?i }", &["x=\"t\"@en"]),
        ["<http://schema.org/q1> <http://schema.org/text> \"t\"@en"]
    );
    assert_eq!(rows("ASK { ?q s:name ?n }", &["n=nobody"]), ["false"]);
    assert_eq!(rows("DESCRIBE ?q", &["q=s:q1"]).len(), 2);
}

#[test]
fn minus_shares_a_substituted_variable() {
    let text = "SELECT ?q { ?q s:name ?n MINUS { ?x s:item ?y . ?x s:name ?n } }";
    assert_eq!(rows(text, &["n=one"]), [""; 0]);
    assert_eq!(rows(text, &["n=two"]), ["q2"]);
}

#[test]
fn a_value_is_a_term_and_never_text_of_the_query() {
    let attack = "x=one\" || true || \"";
    assert_eq!(rows("SELECT ?n { ?q s:name ?n FILTER(?n = ?x) }", &[attack]), [""; 0]);
}

fn refusal(text: &str, parameter: &str) -> String {
    let parameter = QueryParameter::parse(parameter).expect("a parameter");
    let query = Query::parse(text, "q.rq").expect("a query");
    let error = query.with_parameters(&[parameter], &[]).expect_err("the parameter does not fit");
    format!("{error} ({})", joined(&error.help))
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    assert_eq!(
        refusal("SELECT ?name { ?q s:name ?name }", "nmae=x"),
        "sparql::unknown-parameter: the query has no parameter `nmae` (did you mean `name`?)"
    );
    assert_eq!(
        refusal("SELECT ?n { ?q ?p ?n }", "p=x"),
        "sparql::parameter-type: the parameter `p` is used where only an IRI is allowed \
         (write for example `-p p=<http://example.org/1>`)"
    );
    assert_eq!(
        refusal("SELECT (COUNT(*) AS ?n) { ?q ?p ?o }", "n=1"),
        "sparql::parameter: `n` cannot be a parameter: the query computes it ()"
    );
}

#[test]
fn forms_of_the_schema_org_namespace_are_one() {
    let text = "PREFIX x: <https://schema.org/> SELECT ?n { ?q x:item/<http://www.schema.org/name> ?n \
                FILTER(?q IN (<https://www.schema.org/q1>)) }";
    assert_eq!(rows(text, &[]), ["two", "zwei"]);
    let query = Query::parse(text, "q.rq").expect("a query");
    assert_eq!(query.mapped_iris(), 3);
    assert_eq!(rows("SELECT ?n { ?q s:name ?n }", &["q=<https://schema.org/q1>"]), ["one"]);
}

const NAMED: &str = "# title: Named things\n# description: by their name\n\
    # param: n string = one   (the name (exactly))\n# param: q iri\nSELECT ?q { ?q s:name ?n }\n";

#[test]
fn headers_of_named_queries_are_read() {
    let query = NamedQuery::read("things", NAMED, "things.rq").expect("the header is good");
    assert_eq!(query.title, "Named things");
    assert_eq!(query.description.as_deref(), Some("by their name"));
    assert_eq!(query.parameters.len(), 2);
    assert_eq!(query.parameters[0].default.as_deref(), Some("one"));
    assert_eq!(query.parameters[0].description.as_deref(), Some("the name (exactly)"));
    assert_eq!(query.parameters[1].parameter_type, ParameterType::Iri);
    let parsed = query.query().expect("it is a query");
    let missing = parsed.with_parameters(&[], &query.parameters).expect_err("q has no default");
    assert_eq!(missing.message, "the query needs a value for its parameter `q` of type iri");
    let wrong = NamedQuery::read("w", "# title: x\n# param: n strin\n", "w.rq").expect_err("no such type");
    assert_eq!(
        format!("{wrong} ({})", joined(&wrong.help)),
        "w.rq:2:1: sparql::header: `strin` is not a type of parameters (did you mean `string`?)"
    );
}

#[test]
fn unknown_named_query_offers_the_nearest() {
    let mut queries = NamedQueries::default();
    queries.add(NamedQuery::read("things", NAMED, "things.rq").expect("the header is good"));
    let error = queries.get("thigns").expect_err("there is none");
    assert_eq!(joined(&error.help), "did you mean `things`?");
}

#[test]
fn every_query_of_the_folder_is_built_in_and_good() {
    let built_in = NamedQueries::built_in().expect("the headers are good");
    let mut from_folder = NamedQueries::default();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
    from_folder.add_directory(&folder, &QueryPrefixes::new()).expect("the folder can be read");
    assert_eq!(built_in.iter().collect::<Vec<_>>(), from_folder.iter().collect::<Vec<_>>());
    for named in built_in.iter() {
        let query = named.query().unwrap_or_else(|error| panic!("{error}"));
        let query = query.with_parameters(&[], &named.parameters).unwrap_or_else(|error| panic!("{error}"));
        assert!(query.warnings().is_empty(), "{}: {:?}", named.name, query.warnings());
        assert_ne!(named.title, named.name, "{} has no title", named.name);
    }
}

fn joined(help: &[FindingHelp]) -> String {
    help.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
