//! Mistakes in shapes: each is one error with a code that says which, never a silence and never an overflow.

use super::read;
use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions};
use evalgraph::sparql::CancellationToken;

/// The codes and messages of the faults, and the predicates of their statements.
fn faults(turtle: &str) -> Vec<(String, String, Option<String>)> {
    let dataset = read(turtle);
    match Shapes::compile(&dataset, &ShapesOptions::default()) {
        Ok(_) => Vec::new(),
        Err(faults) => faults
            .into_iter()
            .map(|fault| {
                let predicate = fault.predicate.map(|term| term.to_string());
                let mut message = fault.diagnostic.message;
                for help in &fault.diagnostic.help {
                    message.push_str(&format!(" [{help:?}]"));
                }
                (fault.diagnostic.code.into_owned(), message, predicate)
            })
            .collect(),
    }
}

#[test]
fn each_mistake_is_one_clear_error() {
    let select = |text: &str| {
        format!("ex:s a sh:NodeShape ; sh:targetNode ex:n ; sh:sparql [ sh:select \"{text}\" ] .")
    };
    let property = |text: &str| format!("ex:s a sh:NodeShape ; sh:property [ {text} ] .");
    let cases = [
        (property("sh:path ex:p ; sh:minCout 1"), "shacl::unknown-term", "minCount"),
        (property("sh:minCount 1"), "shacl::path", "has no `sh:path`"),
        ("ex:s a sh:PropertyShape .".to_owned(), "shacl::path", "has no `sh:path`"),
        (property("sh:path ex:p , ex:q"), "shacl::path", "2 values"),
        (property("sh:path [ sh:inversePath \"p\" ]"), "shacl::path", "literal"),
        (property("sh:path [ sh:inversePath ex:p ; sh:zeroOrMorePath ex:q ]"), "shacl::path", "two paths"),
        (property("sh:path ( ex:p )"), "shacl::path", "at least two"),
        (property("sh:path ex:p ; sh:pattern \"(\""), "shacl::pattern", "cannot be used"),
        (property("sh:path ex:p ; sh:pattern \"a\" ; sh:flags \"k\""), "shacl::pattern", "flag"),
        (property("sh:path ex:p ; sh:minCount \"abc\""), "shacl::parameter", "minCount"),
        (property("sh:path ex:p ; sh:maxCount -1"), "shacl::parameter", "maxCount"),
        (property("sh:path ex:p ; sh:maxCount 1 , 2"), "shacl::parameter", "maxCount"),
        (property("sh:path ex:p ; sh:nodeKind sh:Iri"), "shacl::parameter", "sh:IRI"),
        (property("sh:path ex:p ; sh:in [ rdf:first ex:a ]"), "shacl::list", "no end"),
        (
            property("sh:path ex:p ; sh:in ex:l") + " ex:l rdf:first ex:a ; rdf:rest ex:l .",
            "shacl::list",
            "comes back",
        ),
        (select("SELECT $this WHERE { $this ?p }"), "shacl::sparql", "query"),
        (select("SELECT $this WHERE { $this ex:p ?o }"), "shacl::sparql", "prefix"),
        (select("SELECT ?o WHERE { $this ?p ?o }"), "shacl::sparql", "this"),
        (select("SELECT $this WHERE { $this ?p ?o MINUS { $this ?q 1 } }"), "shacl::sparql", "MINUS"),
        (
            "ex:c a sh:ConstraintComponent ; sh:parameter [ sh:path ex:p ; sh:optional true ] .".to_owned(),
            "shacl::component",
            "mandatory",
        ),
        (
            property("sh:path ex:p ; sh:qualifiedValueShape [ sh:class ex:C ]"),
            "shacl::parameter",
            "sh:qualifiedMinCount",
        ),
        ("ex:s a sh:NodeShape ; sh:not ex:s .".to_owned(), "shacl::recursion", "negation"),
        ("ex:s a sh:NodeShape ; sh:not [ sh:node ex:s ] .".to_owned(), "shacl::recursion", "negation"),
        ("ex:s a sh:NodeShape ; sh:js ex:f .".to_owned(), "shacl::unsupported", "sh:js"),
        ("ex:s a sh:NodeShape ; sh:rule ex:r .".to_owned(), "shacl::unsupported", "sh:rule"),
        ("ex:s a sh:NodeShape ; sh:node \"x\" .".to_owned(), "shacl::shape", "literal"),
        ("ex:s a sh:NodeShape ; sh:lessThan ex:p .".to_owned(), "shacl::parameter", "sh:path"),
        ("ex:s a sh:NodeShape ; sh:path ex:p .".to_owned(), "shacl::path", "no `sh:path`"),
        ("ex:s a sh:NodeShape ; sh:node [ sh:path ex:p ] .".to_owned(), "shacl::parameter", "sh:node"),
        ("<http://example.org/> sh:entailment ex:rdfs .".to_owned(), "shacl::entailment", "not supported"),
        ("ex:s a sh:NodeShape ; sh:target [ ] .".to_owned(), "shacl::target", "sh:select"),
        ("ex:s a sh:NodeShape ; sh:targetClass \"C\" .".to_owned(), "shacl::parameter", "IRI"),
        ("ex:s a sh:NodeShape ; sh:severity \"bad\" .".to_owned(), "shacl::parameter", "IRI"),
        ("ex:s a sh:NodeShape ; sh:message ex:m .".to_owned(), "shacl::parameter", "sh:message"),
        ("ex:s a sh:NodeShape ; sh:deactivated 3 .".to_owned(), "shacl::parameter", "true"),
    ];
    for (shapes, code, says) in cases {
        let found = faults(&shapes);
        assert_eq!(found.len(), 1, "{shapes}: {found:?}");
        assert_eq!(found[0].0, code, "{shapes}: {found:?}");
        assert!(found[0].1.contains(says), "{shapes}: {found:?}");
    }
}

#[test]
fn hostile_shapes_end_in_an_error_or_an_answer() {
    let steps = "ex:p ".repeat(100_000);
    let found = faults(&format!("ex:s a sh:NodeShape ; sh:property [ sh:path ( {steps} ) ] ."));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "shacl::path");

    let one = read("ex:n ex:p 1 .");
    let nested: String = (0..10_000).map(|n| format!("ex:s{n} sh:not ex:s{} . ", n + 1)).collect();
    let shapes =
        read(&format!("ex:s0 a sh:NodeShape ; sh:targetNode ex:n . {nested} ex:s10000 sh:class ex:C ."));
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("nesting is not a mistake");
    let error = shapes.validate(&one, &ValidationOptions::default()).expect_err("it is too deep");
    assert_eq!(error.code, "shacl::depth");

    // A recursive shape follows a chain of nodes.
    let chain: String = (0..1_500).map(|n| format!("ex:n{n} ex:next ex:n{} . ", n + 1)).collect();
    let shapes =
        read("ex:s a sh:NodeShape ; sh:targetNode ex:n0 ; sh:property [ sh:path ex:next ; sh:node ex:s ] .");
    let shapes =
        Shapes::compile(&shapes, &ShapesOptions::default()).expect("recursion without negation is allowed");
    let data = read(&chain);
    let outcome = shapes.validate(&data, &ValidationOptions::default());
    assert!(outcome.is_err_and(|error| error.code == "shacl::depth"));

    let backtracking = read(
        "ex:s a sh:NodeShape ; sh:targetNode \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\" ; sh:pattern \"^(a+)+$\" .",
    );
    let shapes = Shapes::compile(&backtracking, &ShapesOptions::default()).expect("the pattern is good");
    let data = read("ex:n ex:p 1 .");
    let report = shapes.validate(&data, &ValidationOptions::default()).expect("it ends");
    assert_eq!(report.results().len(), 1);
}

#[test]
fn a_validation_ends_when_it_is_told_to() {
    let cancellation = CancellationToken::new();
    cancellation.cancel(evalgraph::diagnostic::Diagnostic::error("test::end", "enough"));
    let shapes = read("ex:s a sh:NodeShape ; sh:targetSubjectsOf ex:p ; sh:nodeKind sh:IRI .");
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let options = ValidationOptions { cancellation, ..ValidationOptions::default() };
    let data = read("ex:n ex:p 1 .");
    let error = shapes.validate(&data, &options).expect_err("it was told to end");
    assert_eq!(error.code, "test::end");
}

#[test]
fn a_validation_of_one_node_ends_when_it_is_told_to() {
    // Each shape asks the next one twice.
    let doubling: String =
        (0..60).map(|n| format!("ex:s{n} sh:and ( ex:s{} ex:s{} ) . ", n + 1, n + 1)).collect();
    let shapes = read(&format!(
        "ex:s0 a sh:NodeShape ; sh:targetNode ex:n . {doubling} ex:s60 a sh:NodeShape ; sh:nodeKind sh:IRI ."
    ));
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let cancellation = CancellationToken::new();
    let options = ValidationOptions { cancellation: cancellation.clone(), ..ValidationOptions::default() };
    let data = read("ex:n ex:p 1 .");
    let ended = std::thread::scope(|scope| {
        let validation = scope.spawn(|| shapes.validate(&data, &options).map(drop));
        cancellation.cancel(evalgraph::diagnostic::Diagnostic::error("test::end", "enough"));
        validation.join().expect("it does not panic")
    });
    assert_eq!(ended.expect_err("it was told to end").code, "test::end");
}

#[test]
fn what_cannot_be_looked_at_in_full_is_an_error() {
    let query = "SELECT $this WHERE { GRAPH $shapesGraph { ?s ?p ?o } }";
    let shapes =
        read(&format!("ex:s a sh:NodeShape ; sh:targetNode ex:n ; sh:sparql [ sh:select \"{query}\" ] ."));
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let data = read("ex:n ex:p 1 .");
    let error = shapes.validate(&data, &ValidationOptions::default()).expect_err("there is no such graph");
    assert_eq!(error.code, "shacl::shapes-graph");

    // A failure is looked for with one focus node and with many, which are asked together.
    let query = "SELECT $this (?value > 0 AS ?failure) WHERE { $this <http://example.org/p> ?value }";
    let shapes = read(&format!(
        "ex:s a sh:NodeShape ; sh:targetSubjectsOf ex:p ; sh:sparql [ sh:select \"{query}\" ] ."
    ));
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    for (data, code) in [
        ("ex:n ex:p 1 .", Some("shacl::failure")),
        ("ex:n ex:p 0 . ex:m ex:p 1 . ex:o ex:p 0 .", Some("shacl::failure")),
        ("ex:n ex:p 0 .", None),
    ] {
        let outcome =
            shapes.validate(&read(data), &ValidationOptions::default()).map(|report| report.results().len());
        assert_eq!(
            outcome.map_err(|error| error.code.into_owned()),
            code.map_or(Ok(1), |code| Err(code.to_owned()))
        );
    }

    let shapes = read("ex:s a sh:NodeShape ; sh:targetNode ex:n ; sh:uniqueValuesFor ( ex:p ex:q ) .");
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let values: String = (0..101).map(|n| format!("ex:n ex:p {n} ; ex:q {n} . ")).collect();
    let data = read(&values);
    let error = shapes.validate(&data, &ValidationOptions::default()).expect_err("there are 10,201 keys");
    assert_eq!(error.code, "shacl::keys");
}

#[test]
fn a_blank_node_of_the_shapes_is_none_of_the_data() {
    let shapes =
        read("ex:s a sh:NodeShape ; sh:targetNode _:x ; sh:property [ sh:path ex:p ; sh:maxCount 0 ] .");
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let blank: String = (0..40).map(|n| format!("_:n{n} ex:p {n} . ")).collect();
    let data = read(&blank);
    let report = shapes.validate(&data, &ValidationOptions::default()).expect("it can be validated");
    assert_eq!(report.results().len(), 0);
}
