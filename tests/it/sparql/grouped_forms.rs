//! GROUP BY, HAVING and aggregates in all forms of queries: their solutions are those of a SELECT.

use std::collections::BTreeSet;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};

use crate::store::dataset::document;

const DATA: &str =
    "<urn:a> <urn:p> \"1\" .\n<urn:a> <urn:p> \"2\" .\n<urn:b> <urn:p> \"3\" .\n<urn:b> <urn:q> \"x\" .\n";

/// The answer: `true` or `false`, or the triples.
fn answer(text: &str) -> Result<BTreeSet<String>, String> {
    let dataset = Dataset::from_documents(vec![document("urn:document", DATA)]);
    let query = Query::parse(text, "q.rq").map_err(|fault| fault.code.to_string())?;
    let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
    Ok(match results.expect("it can be evaluated") {
        QueryResults::Boolean(answer) => BTreeSet::from([answer.to_string()]),
        QueryResults::Graph(triples) => triples.map(|triple| triple.expect("a triple").to_string()).collect(),
        QueryResults::Solutions(_) => panic!("it is not a SELECT"),
    })
}

fn triples(lines: &[&str]) -> Result<BTreeSet<String>, String> {
    Ok(lines.iter().map(|line| (*line).to_owned()).collect())
}

#[test]
fn ask_looks_at_groups() {
    for (modifiers, expected) in [
        ("HAVING (COUNT(*) = 3)", true),
        ("HAVING (COUNT(*) = 1)", false),
        ("GROUP BY ?s", true),
        ("GROUP BY ?s HAVING (COUNT(*) > 1)", true),
        ("GROUP BY ?s HAVING (COUNT(*) > 2)", false),
        ("GROUP BY (STRLEN(?o) AS ?n) HAVING (?n = 1 && COUNT(*) = 3)", true),
        ("GROUP BY ?s HAVING (COUNT(*) > 1) ORDER BY DESC(COUNT(*)) LIMIT 1", true),
    ] {
        for ask in ["ASK", "ask WHERE", "PREFIX x: <urn:> BASE <urn:> ASK # GROUP BY\n"] {
            let found = answer(&format!("{ask} {{ ?s <urn:p> ?o }} {modifiers}"));
            assert_eq!(found, triples(&[if expected { "true" } else { "false" }]), "{ask} {modifiers}");
        }
    }
}

#[test]
fn construct_makes_triples_of_groups() {
    for (text, expected) in [
        (
            "CONSTRUCT { ?s a <urn:Many> } WHERE { ?s ?p ?o } GROUP BY ?s HAVING (COUNT(*) > 1)",
            vec![
                "<urn:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:Many>",
                "<urn:b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:Many>",
            ],
        ),
        (
            "CONSTRUCT { ?s <urn:is> ?n . ?s <urn:has> ?o } WHERE { ?s <urn:p> ?o } GROUP BY ?s (STRLEN(STR(?s)) AS ?n)",
            vec![
                "<urn:a> <urn:is> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer>",
                "<urn:b> <urn:is> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            ],
        ),
        (
            "PREFIX u: <urn:> CONSTRUCT WHERE { ?s u:q ?o } GROUP BY ?s ?o HAVING (COUNT(*) = 1)",
            vec!["<urn:b> <urn:q> \"x\""],
        ),
        (
            "CONSTRUCT { <urn:all> <urn:are> <urn:three> } WHERE { ?s <urn:p> ?o } HAVING (COUNT(*) = 3)",
            vec!["<urn:all> <urn:are> <urn:three>"],
        ),
        (
            "DESCRIBE ?s WHERE { ?s <urn:p> ?o } GROUP BY ?s HAVING (COUNT(*) > 1)",
            vec!["<urn:a> <urn:p> \"1\"", "<urn:a> <urn:p> \"2\""],
        ),
    ] {
        assert_eq!(answer(text), triples(&expected), "{text}");
    }
}

#[test]
fn what_breaks_the_grammar_is_refused_as_before() {
    for text in [
        "ASK { ?s ?p ?o } GROUP ?s",
        "ASK { ?s ?p ?o GROUP BY ?s",
        "ASK { ?s ?p ?o } HAVING",
        "CONSTRUCT { ?s ?p } WHERE { ?s ?p ?o } GROUP BY ?s",
        "DESCRIBE ?o WHERE { ?s ?p ?o } GROUP BY ?s",
    ] {
        assert!(answer(text).is_err_and(|code| code.starts_with("sparql::")), "{text}");
    }
}
