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

/// One triple has too many solutions with the others, so these are divided, too.
#[test]
fn products_are_divided_within_one_solution_of_a_pattern() {
    let dataset = numbers(30);
    let three = "?s <urn:p> ?a . ?t <urn:p> ?b . ?u <urn:p> ?c .";
    for (rest, expected) in [
        ("?v <urn:p> ?d", 810_000),
        ("?v <urn:p> ?d FILTER(?a != ?b)", 783_000),
        ("?v <urn:p> ?d FILTER(STRLEN(?a) < STRLEN(?b) && ?c = ?d)", 6_000),
        ("OPTIONAL { ?v <urn:p> ?d }", 810_000),
        ("?v <urn:p> ?d MINUS { ?s <urn:p> \"1\" }", 783_000),
        ("?v <urn:p> ?d FILTER NOT EXISTS { ?s <urn:p> ?d }", 783_000),
        ("BIND(CONCAT(?a, ?b) AS ?e) ?v <urn:p> ?d FILTER(?e != '00')", 809_100),
    ] {
        let text = format!("SELECT ?a ?b ?c ?d {{ {three} {rest} }}");
        assert_eq!(found(&text, &dataset, None), Ok(expected), "{text}");
    }
}

#[test]
fn the_first_solutions_of_a_product_come_at_once() {
    let dataset = numbers(2_000);
    let patterns: String = (0..6).map(|n| format!("?s{n} <urn:p> ?o{n} . ")).collect();
    assert_eq!(found(&format!("SELECT * {{ {patterns} }}"), &dataset, Some(5_000)), Ok(5_000));
}

/// A hundred patterns are divided ninety-six times, and their rows are wide.
#[test]
fn a_product_of_many_patterns_keeps_to_its_stack_and_its_memory() {
    let dataset = numbers(300);
    let patterns: String = (0..100).map(|n| format!("?s{n} <urn:p> ?o{n} . ")).collect();
    assert_eq!(found(&format!("SELECT * {{ {patterns} }}"), &dataset, Some(100_000)), Ok(100_000));
    // The first value of each pattern is the same: what is tested has to be tested before the other patterns are joined.
    let filtered = format!("SELECT * {{ {patterns} FILTER(?o1 != ?o2) FILTER(STRLEN(?o3) > STRLEN(?o4)) }}");
    assert_eq!(found(&filtered, &dataset, Some(5_000)), Ok(5_000));
}

#[test]
fn what_cannot_be_divided_ends_in_an_error_that_names_its_step() {
    let lines: String = (0..6_000).map(|n| format!("<urn:{n}> <urn:p> <urn:hub> .\n")).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    // Each node leads to each other one.
    let text = "SELECT ?a ?b { ?a (<urn:p>|^<urn:p>)* ?b }";
    let error = found(text, &dataset, None).expect_err("it is too large");
    assert!(
        error.starts_with("limit::rows: the step `?a (path)* ?b` has more than 33,554,432 solutions"),
        "{error}"
    );
}

/// More rows than one run has.
#[test]
fn an_order_in_runs_is_one_order() {
    let value = |n: usize| match n % 5 {
        0 => format!("\"{}\"", n % 97),
        1 => format!("\"{}\"^^<http://www.w3.org/2001/XMLSchema#integer>", n % 89),
        2 => format!("\"{}.5\"^^<http://www.w3.org/2001/XMLSchema#decimal>", n % 89),
        3 => format!("\"text {}\"@en", n % 7),
        _ => format!("<urn:v{}>", n % 11),
    };
    let line = |n: usize| {
        let has_other = if n.is_multiple_of(3) {
            String::new()
        } else {
            format!("<urn:{n}> <urn:q> {} .\n", value(n * 7))
        };
        format!("<urn:{n}> <urn:p> {} .\n{has_other}", value(n))
    };
    let lines: String = (0..5_000).map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    for keys in ["?a ?s", "DESC(?a) ?b ?s", "?b DESC(?s)", "STR(?a) ?s", "?none ?a DESC(?b) ?s"] {
        let text =
            format!("SELECT ?s ?a ?b {{ ?s <urn:p> ?a OPTIONAL {{ ?s <urn:q> ?b }} }} ORDER BY {keys}");
        let rows = |text: &str| -> Vec<String> {
            let query = Query::parse_plain(text, "q.rq").expect("a query");
            let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
            let Ok(QueryResults::Solutions(solutions)) = results else { panic!("SELECT has solutions") };
            solutions.map(|row| format!("{:?}", row.expect("a solution").values())).collect()
        };
        let all = rows(&text);
        assert_eq!(all.len(), 5_000);
        // With a limit no run is made.
        assert!(
            all == rows(&format!("{text} LIMIT 4999"))
                .into_iter()
                .chain(all.last().cloned())
                .collect::<Vec<_>>(),
            "{text}"
        );
        assert!(all[4_000..] == rows(&format!("{text} OFFSET 4000")), "{text}");
    }
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
