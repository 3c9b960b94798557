//! SERVICE: the answers of services are joined with the patterns beside them, and each question is asked once.

use std::sync::{Arc, Mutex};

use evalgraph::diagnostic::Diagnostic;
use evalgraph::sparql::{
    EvaluationEnvironment, ExecuteOptions, Query, QueryResults, ServiceAnswer, ServiceHandler,
};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{Literal, Term, Variable};

use crate::store::dataset::document;

/// Services that know one number each, `urn:one` and `urn:two`, and remember what they were asked.
#[derive(Debug, Default)]
struct Numbers {
    asked: Mutex<Vec<String>>,
}

impl ServiceHandler for Numbers {
    fn select(&self, service: &str, _: &spargebra::Query) -> Result<Arc<ServiceAnswer>, Box<Diagnostic>> {
        self.asked.lock().expect("nobody panics").push(service.to_owned());
        let number = match service {
            "urn:one" => 1,
            "urn:two" => 2,
            _ => return Err(Box::new(Diagnostic::error("sparql::service", "nobody is there"))),
        };
        let variables: Arc<[Variable]> = [Variable::new_unchecked("n")].as_slice().into();
        let rows = vec![vec![Some(Term::from(Literal::from(number)))]];
        Ok(Arc::new(ServiceAnswer { variables, rows }))
    }
}

/// A hundred things, each with the service that knows its number; one has none.
fn things() -> Dataset {
    let service = |number: usize| ["urn:one", "urn:two"][number % 2];
    let lines: String = (0..100)
        .map(|number| {
            format!(
                "<urn:x{number}> <urn:by> <{}> .\n<urn:x{number}> <urn:a> <urn:Thing> .\n",
                service(number)
            )
        })
        .collect();
    let lines = lines + "<urn:y> <urn:by> <urn:nobody> .\n<urn:z> <urn:a> <urn:Thing> .\n";
    Dataset::from_documents(vec![document("urn:things", &lines)])
}

/// How many solutions a query has, or the code of its error, and what was asked.
fn answer(text: &str) -> (Result<usize, String>, Vec<String>) {
    let numbers = Arc::new(Numbers::default());
    let services: Arc<dyn ServiceHandler> = Arc::<Numbers>::clone(&numbers);
    let environment = EvaluationEnvironment { services: Some(services), ..EvaluationEnvironment::default() };
    let query = Query::parse_plain(text, "query").expect("the query is right").with_environment(environment);
    let dataset = things();
    let view = dataset.view(DefaultGraph::Union);
    let counted = query.execute(view, ExecuteOptions::default()).and_then(|results| match results {
        QueryResults::Solutions(mut solutions) => {
            solutions.try_fold(0, |count, solution| solution.map(|_| count + 1))
        }
        _ => panic!("SELECT has solutions"),
    });
    let mut asked = numbers.asked.lock().expect("nobody panics").clone();
    asked.sort_unstable();
    (counted.map_err(|error| error.code.to_string()), asked)
}

#[test]
fn answers_are_joined() {
    for (text, expected) in [
        ("SELECT * { ?x <urn:a> <urn:Thing> SERVICE <urn:one> { ?s ?p ?n } }", Ok(101)),
        ("SELECT * { SERVICE <urn:one> { ?s ?p ?n } ?x <urn:by> ?by VALUES ?n { 1 3 } }", Ok(101)),
        ("SELECT * { SERVICE <urn:one> { ?s ?p ?n } VALUES ?n { 2 3 } }", Ok(0)),
        (
            "SELECT * { ?x <urn:a> <urn:Thing> ; <urn:by> ?by . SERVICE ?by { ?s ?p ?n } FILTER(?n = 2) }",
            Ok(50),
        ),
        ("SELECT * { ?x <urn:by> ?by . SERVICE ?by { ?s ?p ?n } }", Err("sparql::service".to_owned())),
        ("SELECT * { ?x <urn:by> ?by . SERVICE SILENT ?by { ?s ?p ?n } }", Ok(101)),
        ("SELECT * { ?x <urn:by> ?by OPTIONAL { SERVICE SILENT ?by { ?s ?p ?n } } }", Ok(101)),
        (
            "SELECT * { ?x <urn:a> <urn:Thing> OPTIONAL { SERVICE <urn:two> { ?s ?p ?n } FILTER(?n = 1) } }",
            Ok(101),
        ),
        ("SELECT * { ?x <urn:a> ?t MINUS { SERVICE <urn:two> { ?s ?p ?n } } }", Ok(101)),
        ("SELECT * { SERVICE ?by { ?s ?p ?n } }", Err("sparql::service".to_owned())),
        ("SELECT * { SERVICE SILENT ?by { ?s ?p ?n } }", Ok(1)),
        ("SELECT * { SERVICE SILENT <urn:nobody> { ?s ?p ?n } }", Ok(1)),
        ("SELECT * { SERVICE <urn:nobody> { ?s ?p ?n } }", Err("sparql::service".to_owned())),
        ("SELECT * { VALUES ?by { 'one' } SERVICE ?by { ?s ?p ?n } }", Err("sparql::service".to_owned())),
    ] {
        assert_eq!(answer(text).0, expected, "{text}");
    }
}

#[test]
fn exists_may_ask_a_service() {
    let text =
        "SELECT * { VALUES ?k { 1 2 } FILTER EXISTS { SERVICE <urn:two> { ?s ?p ?n } FILTER(?n = ?k) } }";
    assert_eq!(answer(text).0, Ok(1));
}

#[test]
fn a_question_is_asked_once_however_many_solutions_are_beside_it() {
    for (text, expected) in [
        ("SELECT * { ?x <urn:a> ?t . ?x <urn:by> ?by SERVICE <urn:one> { ?s ?p ?n } }", vec!["urn:one"]),
        (
            "SELECT * { ?x <urn:a> ?t . ?x <urn:by> ?by . SERVICE ?by { ?s ?p ?n } }",
            vec!["urn:one", "urn:two"],
        ),
        ("SELECT * { ?x <urn:a> ?t OPTIONAL { SERVICE <urn:two> { ?s ?p ?n } } }", vec!["urn:two"]),
        // Nothing is asked of which nothing is wanted.
        ("SELECT * { ?x <urn:nothing> ?t . SERVICE <urn:one> { ?s ?p ?n } }", vec![]),
    ] {
        assert_eq!(answer(text).1, expected, "{text}");
    }
}
