//! Limits, orders and explanations of evaluations.

use std::time::{Duration, Instant};

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};

use crate::store::dataset::stored;

fn numbers(count: i32) -> Dataset {
    let name = |text: &str| NamedNode::new_unchecked(format!("http://example.org/{text}"));
    stored((0..count).map(|number| {
        let value = Literal::from((number * 7919) % count);
        Quad::new(name(&format!("n{number}")), name("value"), value, GraphName::DefaultGraph)
    }))
}

fn values(text: &str, dataset: &Dataset, options: ExecuteOptions) -> Vec<String> {
    let query = Query::parse(text, "q.rq").expect("a query");
    let QueryResults::Solutions(solutions) =
        query.execute(dataset.view(DefaultGraph::Unnamed), options).expect("an answer")
    else {
        panic!("SELECT has solutions")
    };
    let value = |term: &Option<Term>| match term {
        Some(Term::Literal(literal)) => literal.value().to_owned(),
        Some(other) => other.to_string(),
        None => "-".to_owned(),
    };
    let row = |solution: sparesults::QuerySolution| {
        solution.values().iter().map(value).collect::<Vec<_>>().join(" ")
    };
    solutions.map(|solution| row(solution.expect("a solution"))).collect()
}

const VALUE: &str = "<http://example.org/value>";

#[test]
fn orders_with_limits_give_the_first_rows() {
    let dataset = numbers(1000);
    let none = ExecuteOptions::default();
    let text = |rest: &str| format!("SELECT ?v {{ ?n {VALUE} ?v }} {rest}");
    assert_eq!(values(&text("ORDER BY ?v LIMIT 3"), &dataset, none), ["0", "1", "2"]);
    assert_eq!(values(&text("ORDER BY DESC(?v) LIMIT 3 OFFSET 2"), &dataset, none), ["997", "996", "995"]);
    assert_eq!(values(&text("ORDER BY DESC(?v / 2) LIMIT 1"), &dataset, none), ["999"]);
    let two = ExecuteOptions { limit: Some(2), ..none };
    assert_eq!(values(&text("ORDER BY ?v"), &dataset, two), ["0", "1"]);
    assert_eq!(values(&text(""), &dataset, two).len(), 2);
    assert_eq!(values(&text("ORDER BY ?v LIMIT 0"), &dataset, none).len(), 0);
}

#[test]
fn kinds_of_terms_are_ordered_as_the_recommendation_says() {
    let text = "SELECT ?x { VALUES ?x { \"b\" 10 UNDEF <urn:a> 9.5 \"a\"@en true 1e1 \
                \"2025-01-02T00:00:00Z\"^^xsd:dateTime \"2025-01-01T23:00:00-02:00\"^^xsd:dateTime } } ORDER BY ?x";
    assert_eq!(
        values(text, &stored([]), ExecuteOptions::default()),
        [
            "-",
            "<urn:a>",
            "9.5",
            "10",
            "1e1",
            "2025-01-02T00:00:00Z",
            "2025-01-01T23:00:00-02:00",
            "true",
            "a",
            "b"
        ]
    );
}

#[test]
fn queries_end_at_their_time_limit() {
    let dataset = numbers(3000);
    let text = format!("SELECT (COUNT(*) AS ?c) {{ ?a {VALUE} ?x . ?b {VALUE} ?y FILTER(?x + ?y = ?x) }}");
    let query = Query::parse(&text, "q.rq").expect("a query");
    let options = ExecuteOptions { timeout: Some(Duration::from_millis(200)), ..ExecuteOptions::default() };
    let start = Instant::now();
    let error = match query.execute(dataset.view(DefaultGraph::Unnamed), options) {
        Err(error) => error,
        Ok(QueryResults::Solutions(mut solutions)) => {
            solutions.next().expect("a result").expect_err("there is no time for all combinations")
        }
        Ok(_) => panic!("SELECT has solutions"),
    };
    assert_eq!(error.code, "sparql::timeout");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn what_cannot_be_done_is_said() {
    let dataset = stored([]);
    for (text, code) in [
        ("SELECT (<urn:none>(1) AS ?x) {}", "sparql::unknown-function"),
        ("SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }", "sparql::service"),
    ] {
        let query = Query::parse(text, "q.rq").expect("a query");
        let error = match query.execute(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default()) {
            Err(error) => error,
            Ok(QueryResults::Solutions(mut solutions)) => {
                solutions.next().expect("a result").expect_err("it cannot be done")
            }
            Ok(_) => panic!("SELECT has solutions"),
        };
        assert_eq!(error.code, code);
    }
}

#[test]
fn explanations_show_steps_and_counts() {
    let dataset = numbers(20);
    let text = format!(
        "SELECT ?n {{ ?n {VALUE} ?v FILTER NOT EXISTS {{ ?n {VALUE} ?w . ?o {VALUE} ?w FILTER(?w > 10) }} }} ORDER BY ?v LIMIT 4"
    );
    let query = Query::parse(&text, "q.rq").expect("a query");
    let explained = query
        .explain(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default())
        .expect("an explanation");
    assert!(explained.contains("ORDER BY ?v"), "{explained}");
    assert!(explained.contains("answer: 4 solutions"), "{explained}");
    assert!(explained.contains("solutions of 2 columns, "), "{explained}");
}

#[test]
fn a_blank_may_stand_before_the_bracket_of_any_function() {
    let dataset = stored([]);
    for (expression, expected) in [
        ("COALESCE (?none, 'a')", "a"),
        ("CONCAT\n  ('a', COALESCE # the next\n (?none, 'b'))", "ab"),
        ("STRLEN (concat  ('a','b'))", "2"),
        ("IF (!(1 = 2), CONCAT ('x'), 'y')", "x"),
    ] {
        let text = format!("SELECT ({expression} AS ?x) {{}}");
        assert_eq!(values(&text, &dataset, ExecuteOptions::default()), [expected], "{text}");
    }
}
