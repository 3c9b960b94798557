//! What is too large for a table: products are divided until their parts are small, and what cannot be divided ends in an error.

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};

use crate::store::dataset::document;

fn numbers(count: usize) -> Dataset {
    let lines: String = (0..count).map(|n| format!("<urn:{n}> <urn:p> \"{n}\" .\n")).collect();
    Dataset::from_documents(vec![document("urn:document", &lines)])
}

/// The number of solutions, up to a limit, or the error.
fn found(text: &str, dataset: &Dataset, limit: Option<usize>) -> Result<usize, String> {
    let query = Query::parse_plain(text, "q.rq").expect("a query");
    let options = ExecuteOptions { limit, ..ExecuteOptions::default() };
    let said = |error: Box<evalgraph::diagnostic::Diagnostic>| format!("{}: {}", error.code, error.message);
    match query.execute(dataset.view(DefaultGraph::Union), options).map_err(said)? {
        QueryResults::Solutions(mut solutions) => {
            solutions.try_fold(0, |count, solution| solution.map(|_| count + 1)).map_err(said)
        }
        _ => panic!("SELECT has solutions"),
    }
}

#[test]
fn products_are_divided_by_each_of_their_patterns() {
    let dataset = numbers(40);
    let values: String = (0..40).map(|n| format!("{n} ")).collect();
    for (text, expected) in [
        ("SELECT ?a ?b ?c { ?s <urn:p> ?a . ?t <urn:p> ?b . ?u <urn:p> ?c }".to_owned(), 64_000),
        (
            "SELECT ?a ?b ?c { ?s <urn:p> ?a . ?t <urn:p> ?b . ?u <urn:p> ?c FILTER(?a < ?b) }".to_owned(),
            31_200,
        ),
        ("SELECT ?a ?b ?c { ?s <urn:p> ?a . ?t <urn:p> ?b OPTIONAL { ?u <urn:p> ?c } }".to_owned(), 64_000),
        (
            format!(
                "SELECT * {{ VALUES ?a {{ {values} }} VALUES ?b {{ {values} }} VALUES ?c {{ {values} }} }}"
            ),
            64_000,
        ),
        (format!("SELECT * {{ VALUES ?a {{ {values} }} ?s <urn:p> ?b . ?t <urn:p> ?c }}"), 64_000),
        (
            "SELECT ?a ?b ?c { ?s <urn:p> ?a . ?t <urn:p> ?b . ?u <urn:p> ?c MINUS { ?s <urn:p> \"1\" } }"
                .to_owned(),
            62_400,
        ),
    ] {
        assert_eq!(found(&text, &dataset, None), Ok(expected), "{text}");
        let counted = format!("SELECT (COUNT(DISTINCT *) AS ?n) {{ {text} }}");
        assert_eq!(found(&counted, &dataset, None), Ok(1), "{text}");
    }
}

#[test]
fn the_first_solutions_of_a_product_come_at_once() {
    let dataset = numbers(2_000);
    let patterns: String = (0..6).map(|n| format!("?s{n} <urn:p> ?o{n} . ")).collect();
    assert_eq!(found(&format!("SELECT * {{ {patterns} }}"), &dataset, Some(5_000)), Ok(5_000));
}

#[test]
fn what_cannot_be_divided_ends_in_an_error_that_names_its_step() {
    let dataset = numbers(6_000);
    let text = "SELECT ?a ?b { ?s <urn:p> ?a . ?t <urn:p> ?b } ORDER BY ?a ?b";
    let error = found(text, &dataset, None).expect_err("it is too large");
    assert!(
        error.starts_with("limit::rows: the step `ORDER BY ?a ?b` has more than 33,554,432 solutions"),
        "{error}"
    );
}

#[test]
fn lateral_gives_each_solution_its_own() {
    let dataset = numbers(20);
    for (text, expected) in [
        (
            "SELECT * { VALUES ?s { <urn:1> <urn:2> <urn:none> } LATERAL { SELECT ?s ?o { ?s <urn:p> ?o } LIMIT 1 } }",
            2,
        ),
        (
            "SELECT * { ?s <urn:p> ?o LATERAL { SELECT ?s ?t { ?t <urn:p> ?x FILTER(?t != ?s) } LIMIT 2 } }",
            40,
        ),
        ("SELECT * { ?s <urn:p> ?o LATERAL { BIND(CONCAT(?o, 'x') AS ?b) FILTER(?b = '1x') } }", 1),
        (
            "SELECT * { VALUES (?s ?o) { (<urn:1> UNDEF) (<urn:2> \"2\") } LATERAL { ?s <urn:p> ?o FILTER(?o != '9') } }",
            2,
        ),
    ] {
        assert_eq!(found(text, &dataset, None), Ok(expected), "{text}");
    }
}

#[test]
fn a_description_is_one_of_the_graphs_of_from() {
    let lines =
        "<urn:a> <urn:p> _:b <urn:g> .\n_:b <urn:q> \"1\" <urn:g> .\n<urn:a> <urn:p> \"2\" <urn:h> .\n";
    let dataset = Dataset::from_documents(vec![document("urn:document", lines)]);
    for (text, expected) in [
        ("DESCRIBE <urn:a> FROM <urn:g>", 2),
        ("DESCRIBE <urn:a> FROM <urn:h>", 1),
        ("DESCRIBE <urn:a> FROM <urn:g> FROM <urn:h>", 3),
        ("DESCRIBE <urn:a>", 3),
        ("DESCRIBE ?s FROM <urn:g> { ?s <urn:p> ?o }", 2),
    ] {
        let query = Query::parse_plain(text, "q.rq").expect("a query");
        let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
        let Ok(QueryResults::Graph(triples)) = results else { panic!("DESCRIBE makes a graph") };
        assert_eq!(triples.count(), expected, "{text}");
    }
}
