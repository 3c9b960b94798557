//! A validation by queries makes the report that the engine makes of the same data.

use std::collections::BTreeSet;

use evalgraph::Loader;
use evalgraph::shacl::{
    BUILT_IN, ResultPath, Shapes, ShapesOptions, ValidationByQueries, ValidationOptions, ValidationReport,
    ValidationResult,
};
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{NamedNode, Term};

use super::queries::data_of_built_in;
use super::read;

/// Asks our store the queries of shapes.
fn by_queries<'s>(
    shapes: &'s Shapes,
    dataset: &Dataset,
    options: &ValidationOptions,
) -> ValidationByQueries<'s> {
    let validated = shapes.validate_by_queries(options, &mut |text, take| {
        let query = Query::parse_plain(text, "query").expect("the query is standard");
        let view = dataset.view(DefaultGraph::Union);
        let view = if shapes.with_catalog() { view.with_catalog() } else { view };
        let results = query.execute(view, ExecuteOptions::default()).expect("the query runs");
        let QueryResults::Solutions(solutions) = results else { panic!("{text} is not a SELECT") };
        solutions.for_each(|solution| take(&solution.expect("a solution")));
        Ok(())
    });
    validated.expect("it can be validated")
}

/// Focus node, path, value, component, shape, severity and message, if that tells no numbers of values or members.
pub(crate) type Told = [Option<String>; 7];

pub(crate) fn told(report: &ValidationReport<'_, '_>) -> BTreeSet<Told> {
    report.results().map(|result| told_of(&result)).collect()
}

fn told_of(result: &ValidationResult<'_, '_, '_>) -> Told {
    let path = result.path().map(|path| match path {
        ResultPath::OfShape(path) => path.text(),
        ResultPath::Predicate(predicate) => predicate.as_str().to_owned(),
    });
    let component = result.source_constraint_component().to_string();
    let counts = ["Count", "List", "Member", "Xone"].iter().any(|word| component.contains(word));
    let messages = result.messages();
    let message = messages.first().filter(|_| !counts).map(ToString::to_string);
    [
        Some(name_of(&result.focus_node())),
        path,
        result.value().as_ref().map(name_of),
        Some(component),
        Some(result.source_shape().to_string()),
        Some(result.severity().iri()),
        message,
    ]
}

/// A term, a blank node without the mark of its answer.
fn name_of(term: &Term) -> String {
    let name = term.to_string();
    match term {
        Term::BlankNode(_) => name.rsplit(['-', ':']).next().unwrap_or_default().to_owned(),
        _ => name,
    }
}

/// How many nodes each shape with targets has looked at.
fn looked_at(report: &ValidationReport<'_, '_>) -> Vec<(String, u64)> {
    report.asked().map(|(shape, nodes)| (shape.name(), nodes)).collect()
}

#[track_caller]
fn same(shapes: &Shapes, dataset: &Dataset, options: &ValidationOptions) -> usize {
    let by_engine = shapes.validate(dataset, options).expect("it can be validated");
    let ValidationByQueries { report, remarks, unchecked } = by_queries(shapes, dataset, options);
    assert!(remarks.is_empty() && unchecked == 0, "{remarks:?}");
    let (wanted, found) = (told(&by_engine), told(&report));
    let more: Vec<_> = found.difference(&wanted).collect();
    let less: Vec<_> = wanted.difference(&found).collect();
    assert_eq!((more, less), (Vec::new(), Vec::new()));
    assert_eq!(looked_at(&report), looked_at(&by_engine));
    assert_eq!(report.conforms(), by_engine.conforms());
    found.len()
}

#[test]
fn built_in_shapes_have_the_results_of_the_engine_by_their_queries() {
    for built_in in BUILT_IN {
        let shapes = Loader::new().shapes([built_in.name]).expect("the shapes are in order");
        let found: usize = data_of_built_in(built_in.name)
            .iter()
            .map(|data| same(&shapes, data.dataset(), &ValidationOptions::default()))
            .sum();
        assert!(found > 10, "{}: {found} results are few", built_in.name);
    }
}

const SHAPES: &str = r#"
ex:Person a sh:NodeShape ; sh:targetClass ex:Person ;
    sh:property ex:Person-name, ex:Person-friend, [ sh:path ex:age ; sh:maxCount 1 ; sh:severity sh:Warning ] ;
    sh:xone ( [ sh:class ex:Adult ] [ sh:class ex:Child ] ) .
ex:Person-name sh:path ex:name ; sh:minCount 2 ; sh:datatype xsd:string ; sh:message "a name, please" .
ex:Person-friend sh:path ex:friend ; sh:class ex:Person ; sh:property [ sh:path ex:name ; sh:minCount 1 ] .
ex:Old a sh:NodeShape ; sh:targetSubjectsOf ex:age ; sh:sparql [
    sh:message "{$this} is {?age}, not {?value}" ;
    sh:select "SELECT $this ?value ?age WHERE { $this <http://example.org/age> ?age . BIND (100 AS ?value) FILTER (?age > 100) }" ] .
ex:Closed a sh:NodeShape ; sh:targetNode ex:dan, ex:nobody ; sh:closed true ; sh:ignoredProperties ( rdf:type ) .
ex:Untargeted a sh:NodeShape ; sh:property [ sh:path ex:friend ; sh:minCount 1 ] .
"#;

const DATA: &str = r#"
ex:ann a ex:Person, ex:Adult ; ex:name "Ann" ; ex:age 30, 31 ; ex:friend ex:bob, [ ex:name "one" ], [] .
ex:bob a ex:Person ; ex:name 1 ; ex:age 120 .
ex:dan a ex:Adult ; ex:name "Dan" .
"#;

fn own() -> (Shapes, Dataset) {
    let shapes = Shapes::compile(&read(SHAPES), &ShapesOptions::default()).expect("the shapes are in order");
    (shapes, read(DATA))
}

#[test]
fn queries_make_the_report_of_the_engine_with_paths_messages_and_counts_of_nodes() {
    let (shapes, data) = own();
    assert_eq!(same(&shapes, &data, &ValidationOptions::default()), 10);
}

#[test]
fn queries_ask_the_shapes_that_are_named_about_the_nodes_that_are_named() {
    let (shapes, data) = own();
    let node = |name: &str| NamedNode::new_unchecked(format!("http://example.org/{name}"));
    let options = |focus: &[&str], named: &[&str]| ValidationOptions {
        focus_nodes: focus.iter().map(|name| node(name)).collect(),
        shapes: named.iter().map(|name| node(name)).collect(),
        ..ValidationOptions::default()
    };
    let mut found = Vec::new();
    for (focus, named) in [
        (&["ann"][..], &[][..]),
        (&[], &["Person-name"]),
        (&[], &["Person"]),
        (&["dan", "ann"], &["Person-name"]),
        (&["bob"], &["Untargeted", "Closed"]),
        (&["nobody"], &[]),
    ] {
        found.push(same(&shapes, &data, &options(focus, named)));
    }
    assert_eq!(found, [5, 0, 8, 2, 3, 0]);
}

#[test]
fn a_message_without_numbers_says_what_is_wrong_all_the_same() {
    let (shapes, data) = own();
    let by_queries = by_queries(&shapes, &data, &ValidationOptions::default());
    let messages: BTreeSet<String> =
        by_queries.report.results().map(|result| result.messages()[0].value().to_owned()).collect();
    assert!(messages.contains("`age` has too many values, at most 1 is allowed"), "{messages:?}");
    assert!(
        messages.contains("`http://example.org/bob` has to conform to exactly 1 of 2 inner shapes"),
        "{messages:?}"
    );
    assert!(messages.contains("http://example.org/bob is 120, not 100"), "{messages:?}");
}

#[test]
fn a_constraint_that_no_query_says_is_told_and_counted() {
    let shapes = "ex:S sh:targetClass ex:Person ; sh:nodeKind sh:IRI ; sh:node ex:Recursive .
        ex:Recursive sh:property [ sh:path ex:friend ; sh:node ex:Recursive ] .";
    let shapes = Shapes::compile(&read(shapes), &ShapesOptions::default()).expect("the shapes are in order");
    let by_queries = by_queries(&shapes, &read(DATA), &ValidationOptions::default());
    let codes: Vec<_> = by_queries.remarks.iter().map(|remark| &*remark.code).collect();
    assert_eq!((codes, by_queries.unchecked), (vec!["shacl::no-query"], 1));
    assert_eq!(looked_at(&by_queries.report), [("http://example.org/S".to_owned(), 2)]);
}

#[test]
fn an_answer_without_what_was_asked_for_is_an_error() {
    let (shapes, _) = own();
    let fault = shapes.validate_by_queries(&ValidationOptions::default(), &mut |_, _| Ok(()));
    assert_eq!(fault.expect_err("nothing was counted").code, "shacl::answer");
}

/// Constraints in SPARQL below paths, one of them below two.
const BELOW_PATHS: &str = r#"
ex:Team a sh:NodeShape ; sh:targetClass ex:Team ;
    sh:property [ sh:path ex:member ; sh:property ex:Twin ] , [ sh:path ex:guest ; sh:property ex:Twin ] ,
        [ sh:path ( ex:lead ex:deputy ) ; sh:node ex:Named ] .
ex:Twin sh:path ex:name ; sh:sparql [
    sh:message "this is the name of another one" ;
    sh:select "SELECT DISTINCT $this ?value WHERE { $this <http://example.org/name> ?value . ?other <http://example.org/name> ?value FILTER (?other != $this) }" ] .
ex:Named a sh:NodeShape ; sh:sparql [
    sh:select "SELECT $this WHERE { $this a ?class FILTER NOT EXISTS { $this <http://example.org/name> ?name } }" ] .
"#;

#[test]
fn constraints_in_sparql_below_paths_are_about_the_values() {
    let shapes =
        Shapes::compile(&read(BELOW_PATHS), &ShapesOptions::default()).expect("the shapes are in order");
    let data = read(
        r#"
ex:a a ex:Team ; ex:member ex:ann, ex:bob, ex:eve ; ex:guest ex:cat, ex:ann ; ex:lead ex:bob .
ex:b a ex:Team ; ex:member ex:bob, [ ex:name "Sam" ], [] ; ex:lead ex:ann, ex:cat .
ex:ann ex:name "Sam" ; ex:deputy ex:eve .
ex:bob ex:name "Bob" ; ex:deputy ex:dan .
ex:cat ex:name "Sam" ; ex:deputy ex:dan .
ex:dan a ex:Person .
ex:eve a ex:Person ; ex:name "Eve", "Bob" .
"#,
    );
    // Ann, Bob, Eve, Cat and the nameless one have names of others; the deputy Dan of both teams has none.
    assert_eq!(same(&shapes, &data, &ValidationOptions::default()), 7);
}
