//! Updates: graphs, atomicity, messages, and random updates against the store of `oxigraph`.

use std::collections::BTreeSet;

use evalgraph::rdf::QuadBuffer;
use evalgraph::sparql::{ExecuteOptions, QueryParameter, Update, UpdateOptions};
use evalgraph::store::{Dataset, DatasetRevision, DefaultGraph, DocumentBuilder, NamedDocument};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::{GraphName, NamedNode, Quad};
use proptest::prelude::*;

use crate::rdf::isomorphism::{self, isomorphic, read_n_quads};

pub(super) const PREFIX: &str = "PREFIX ex: <http://example.org/> ";
pub(super) const DOCUMENT: &str = "urn:evalgraph:graph:a";

fn quads(turtle: &str) -> Vec<Quad> {
    let text = format!("@prefix ex: <http://example.org/> . {turtle}");
    oxttl::TriGParser::new().for_slice(&text).collect::<Result<_, _>>().expect("the data are TriG")
}

pub(super) fn dataset(documents: &[(&str, &str)]) -> Dataset {
    let documents = documents.iter().map(|(graph, turtle)| {
        let mut builder = DocumentBuilder::new();
        builder.extend_quads(quads(turtle));
        NamedDocument { graph: (*graph).to_owned(), builder }
    });
    Dataset::from_documents(documents.collect())
}

pub(super) fn options(target: Option<&str>) -> UpdateOptions<'_> {
    UpdateOptions { execute: ExecuteOptions::default(), default_target: target, loader: None }
}

fn parse(update: &str) -> Update {
    Update::parse_plain(&format!("{PREFIX}{update}"), "update").expect("the update is well formed")
}

/// What an update makes of two documents, as lines of N-Quads without their namespaces; or the code of
/// its error.
fn updated(update: &str, target: Option<&str>) -> Result<Vec<String>, String> {
    let dataset = dataset(&[
        (DOCUMENT, "ex:x ex:p 1 , 2 . ex:y ex:p ex:x ."),
        ("urn:evalgraph:graph:b", "ex:x ex:p 1 ; ex:q 5 . ex:g { ex:x ex:r ex:y }"),
    ]);
    let before = lines(&dataset);
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
    let result = parse(update).apply(&mut revision, options(target));
    assert_eq!(lines(&dataset), before, "the dataset itself does not change");
    result.map_err(|error| format!("{}: {}", error.code, error.message))?;
    let after = lines(&revision.to_dataset());
    let changed = after.symmetric_difference(&before).count();
    let told: usize = revision.changes().iter().map(|change| change.added.len() + change.removed.len()).sum();
    assert_eq!(changed, told, "{update}");
    Ok(after
        .difference(&before)
        .map(|line| format!("+ {line}"))
        .chain(before.difference(&after).map(|line| format!("- {line}")))
        .collect())
}

fn lines(dataset: &Dataset) -> BTreeSet<String> {
    let mut text = Vec::new();
    for quad in dataset.quads() {
        dataset.dictionary().write_n_quad(quad, &mut text);
    }
    let text = String::from_utf8(text).expect("N-Quads are UTF-8");
    let short = text
        .replace("http://example.org/", "")
        .replace("urn:evalgraph:graph:", "")
        .replace("^^<http://www.w3.org/2001/XMLSchema#integer>", "");
    short.lines().map(str::to_owned).collect()
}

#[test]
fn what_names_no_graph_goes_where_it_is_said_to() {
    let insertion = "INSERT DATA { ex:z ex:p 3 }";
    assert_eq!(updated(insertion, Some(DOCUMENT)).unwrap(), ["+ <z> <p> \"3\" <a> ."]);
    let error = updated(insertion, None).unwrap_err();
    assert!(error.starts_with("sparql::which-graph: "), "{error}");
    assert_eq!(
        updated("INSERT DATA { GRAPH ex:new { ex:z ex:p 3 } }", None).unwrap(),
        ["+ <z> <p> \"3\" <new> ."]
    );
    assert_eq!(
        updated("WITH <urn:evalgraph:graph:b> INSERT { ?s ex:seen true } WHERE { ?s ex:q ?o }", None)
            .unwrap(),
        ["+ <x> <seen> \"true\"^^<http://www.w3.org/2001/XMLSchema#boolean> <b> ."]
    );
}

#[test]
fn what_is_deleted_without_a_graph_is_deleted_from_all() {
    let both = ["- <x> <p> \"1\" <a> .", "- <x> <p> \"1\" <b> ."];
    assert_eq!(updated("DELETE DATA { ex:x ex:p 1 }", None).unwrap(), both);
    assert_eq!(updated("DELETE WHERE { ?s ex:p 1 }", None).unwrap(), both);
    assert_eq!(
        updated("DELETE DATA { GRAPH <urn:evalgraph:graph:b> { ex:x ex:p 1 } }", None).unwrap(),
        ["- <x> <p> \"1\" <b> ."]
    );
}

#[test]
fn later_operations_see_earlier_ones() {
    let update = "INSERT DATA { GRAPH ex:g { ex:n ex:p 9 } } ;
        INSERT { GRAPH ex:h { ?s ex:count ?n } } WHERE { SELECT ?s (COUNT(*) AS ?n) { ?s ex:p ?o } GROUP BY ?s } ;
        DELETE WHERE { ?s ex:p 9 }";
    assert_eq!(
        updated(update, None).unwrap(),
        ["+ <n> <count> \"1\" <h> .", "+ <x> <count> \"2\" <h> .", "+ <y> <count> \"1\" <h> ."]
    );
    assert!(
        updated(
            "DELETE DATA { ex:x ex:q 5 } ; INSERT DATA { GRAPH <urn:evalgraph:graph:b> { ex:x ex:q 5 } }",
            None
        )
        .unwrap()
        .is_empty()
    );
}

#[test]
fn graphs_are_managed() {
    let all_of_b = ["- <x> <p> \"1\" <b> .", "- <x> <q> \"5\" <b> ."];
    assert_eq!(updated("CLEAR GRAPH <urn:evalgraph:graph:b>", None).unwrap(), all_of_b);
    assert_eq!(
        updated("DROP SILENT GRAPH ex:none ; DROP GRAPH <urn:evalgraph:graph:b>", None).unwrap(),
        all_of_b
    );
    assert_eq!(updated("CLEAR ALL", None).unwrap().len(), 6);
    assert_eq!(updated("COPY ex:g TO ex:h", None).unwrap(), ["+ <x> <r> <y> <h> ."]);
    assert_eq!(updated("MOVE ex:g TO ex:h", None).unwrap(), ["+ <x> <r> <y> <h> .", "- <x> <r> <y> <g> ."]);
    assert_eq!(updated("ADD ex:g TO DEFAULT", Some(DOCUMENT)).unwrap(), ["+ <x> <r> <y> <a> ."]);
    for (update, code) in [
        ("CLEAR GRAPH ex:none", "sparql::no-graph"),
        ("DROP GRAPH ex:none", "sparql::no-graph"),
        ("CREATE GRAPH ex:g", "sparql::graph-exists"),
        ("CREATE GRAPH ex:new ; CREATE GRAPH ex:new", "sparql::graph-exists"),
        ("CLEAR DEFAULT", "sparql::which-graph"),
        ("COPY DEFAULT TO ex:g", "sparql::same-graph"),
        ("COPY ex:none TO ex:g", "sparql::no-graph"),
        ("MOVE GRAPH ex:none TO DEFAULT", "sparql::no-graph"),
        ("CREATE GRAPH ex:new ; add <http://example.org/none> TO GRAPH ex:new", "sparql::no-graph"),
        ("LOAD <http://example.org/file>", "sparql::load"),
        ("INSERT DATA { GRAPH <urn:evalgraph:graph:catalog> { ex:x ex:p 1 } }", "sparql::protected-graph"),
        ("DROP GRAPH <urn:evalgraph:graph:sidecar:a>", "sparql::protected-graph"),
    ] {
        let error = updated(update, None).unwrap_err();
        assert!(error.starts_with(code), "{update}: {error}");
    }
    let error = updated(&format!("COPY <{DOCUMENT}> TO DEFAULT"), Some(DOCUMENT)).unwrap_err();
    assert!(error.starts_with("sparql::same-graph"), "{error}");
    assert!(
        updated("LOAD SILENT <http://example.org/file> ; CREATE SILENT GRAPH ex:g", None).unwrap().is_empty()
    );
    // A graph that an operation of the request has made is there, and SILENT asks nothing.
    let made = "CREATE GRAPH ex:new ; COPY ex:new TO ex:h ; ADD SILENT ex:none TO ex:g ; MOVE silent GRAPH ex:none TO ex:i";
    assert!(updated(made, None).unwrap().is_empty());
    assert_eq!(updated("COPY SILENT ex:none TO ex:g", None).unwrap(), ["- <x> <r> <y> <g> ."]);
}

#[test]
fn documents_are_loaded_into_a_graph() {
    let dataset = dataset(&[(DOCUMENT, "")]);
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
    let load = |_: &str| {
        let mut quads = QuadBuffer::new();
        let options = evalgraph::rdf::ReadOptions { format: evalgraph::rdf::RdfFormat::NTriples, base: None };
        let text = b"_:a <http://example.org/p> _:a .\n_:a <http://example.org/q> \"x\"@en .\n";
        evalgraph::rdf::read("data.nt", text, options, &mut quads).expect("well formed");
        Ok(quads)
    };
    let options = UpdateOptions { loader: Some(&load), ..options(Some(DOCUMENT)) };
    let update = parse("LOAD <http://example.org/data> ; LOAD <http://example.org/data> INTO GRAPH ex:g");
    update.apply(&mut revision, options).expect("it can be loaded");
    let changes: Vec<usize> = revision.changes().iter().map(|change| change.added.len()).collect();
    assert_eq!(changes, [2, 2]);
}

#[test]
fn parameters_reach_patterns_and_templates() {
    let dataset = dataset(&[(DOCUMENT, "ex:x ex:p 1 . ex:y ex:p 2 .")]);
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
    let parameters = ["old=1", "new=\"one\"@en", "g=<http://example.org/h>"]
        .map(|text| QueryParameter::parse(text).expect("a parameter"));
    let update = parse("DELETE { ?s ex:p ?old } INSERT { GRAPH ?g { ?s ex:p ?new } } WHERE { ?s ex:p ?old }");
    let update = update.with_parameters(&parameters).expect("the variables are there");
    update.apply(&mut revision, options(None)).expect("it can be made");
    assert_eq!(
        lines(&revision.to_dataset()).into_iter().collect::<Vec<_>>(),
        ["<x> <p> \"one\"@en <h> .", "<y> <p> \"2\" <a> ."]
    );
    let unknown = [QueryParameter::parse("other=1").expect("a parameter")];
    let error = parse("DELETE WHERE { ?s ex:p 1 }").with_parameters(&unknown).expect_err("no such variable");
    assert_eq!(error.code, "sparql::unknown-parameter");
}

#[test]
fn each_operation_may_declare_prefixes() {
    let update = "CLEAR GRAPH ex:g ; PREFIX o: <http://example.org/> # their own\n PREFIX ex: <http://example.org/> \
        ADD GRAPH <urn:evalgraph:graph:b> TO o:h ; prefix p: <http://example.org/p/> INSERT DATA { GRAPH o:h { p:a p:b 1 } }";
    assert_eq!(
        updated(update, None).unwrap(),
        [
            "+ <p/a> <p/b> \"1\" <h> .",
            "+ <x> <p> \"1\" <h> .",
            "+ <x> <q> \"5\" <h> .",
            "- <x> <r> <y> <g> ."
        ]
    );
    // A name that means two things cannot be declared in front.
    for update in [
        "PREFIX o: <urn:o:> CLEAR ALL ; PREFIX o: <urn:p:> CREATE GRAPH o:a",
        "CLEAR ALL ; PREFIX s: <urn:p:> CREATE GRAPH s:a",
        "CLEAR ALL ; BASE <urn:p:> CREATE GRAPH <a>",
        "CLEAR ALL ; PREFIX o: <urn:p:> CREATE GRAF o:a",
        // Declarations that stand in each other.
        "CLEAR ALL ; PREFIX PREFIX o: <urn:p:> CLEAR ALL",
        "CLEAR ALL ; BASE PREFIX PREFIX BASE PREFIX",
    ] {
        let error = Update::parse_plain(update, "update").expect_err("it is not read");
        assert_eq!(error.code, "sparql::syntax", "{update}: {error:?}");
    }
}

#[test]
fn messages_point_at_the_fault() {
    for (update, place, message) in [
        ("INSERT DATA { ?s <urn:p> 1 }", "1:15", "INSERT DATA cannot have the variable `?s`"),
        ("DELETE DATA { _:b <urn:p> 1 }", "1:15", "DELETE DATA cannot have blank nodes"),
        ("INSERT { <urn:s> <urn:p> 1 }", "1:29", "the update ends where `WHERE` is expected"),
        ("CLEAR <urn:g>", "1:7", "expected `GRAPH`, DEFAULT, NAMED or ALL, found `<urn:g>`"),
        ("SELECT * { ?s ?p ?o }", "1:1", "`SELECT` begins a query, not an update"),
        (
            "INSRT DATA { <urn:s> <urn:p> 1 }",
            "1:1",
            "expected INSERT, DELETE, WITH, LOAD, CLEAR, DROP, CREATE, ADD, MOVE or COPY, found `INSRT`",
        ),
        ("DROP ALL CLEAR ALL", "1:10", "expected `;` or the end of the update, found `CLEAR`"),
        ("DELETE WHERE { ?s <urn:p> 1", "1:28", "the update ends before a closing `}`"),
        (
            "INSERT DATA { _:b <urn:p> _:b } ; INSERT DATA { <urn:s> <urn:p> _:b }",
            "1:65",
            "the blank node `_:b` is used in another INSERT DATA already",
        ),
        ("DELETE WHERE { ?s nope:p 1 }", "1:19", "the prefix `nope:` is not declared"),
    ] {
        let error = Update::parse(update, "update").expect_err("the update is at fault");
        let said = error.place.as_ref().map(ToString::to_string).unwrap_or_default();
        assert_eq!(
            (error.message.as_str(), said.as_str()),
            (message, format!("update:{place}").as_str()),
            "{update}"
        );
    }
}

fn term() -> impl Strategy<Value = String> {
    prop_oneof![Just("ex:x"), Just("ex:y"), Just("1"), Just("2"), Just("\"a\"@en")].prop_map(str::to_owned)
}

fn node() -> impl Strategy<Value = String> {
    prop_oneof![Just("ex:x"), Just("ex:y"), Just("ex:z")].prop_map(str::to_owned)
}

fn property() -> impl Strategy<Value = String> {
    prop_oneof![Just("ex:p"), Just("ex:q")].prop_map(str::to_owned)
}

pub(super) fn data() -> impl Strategy<Value = String> {
    let triple = || (node(), property(), term()).prop_map(|(s, p, o)| format!("{s} {p} {o} . "));
    let graph = (prop_oneof![Just("ex:g"), Just("ex:h")], triple())
        .prop_map(|(name, triple)| format!("GRAPH {name} {{ {triple} }} "));
    prop::collection::vec(prop_oneof![triple(), graph], 1..5).prop_map(|parts| parts.concat())
}

pub(super) fn operation() -> impl Strategy<Value = String> {
    let graph = prop_oneof![Just("ex:g"), Just("ex:h"), Just("ex:i")];
    prop_oneof![
        data().prop_map(|data| format!("INSERT DATA {{ {data} }}")),
        data().prop_map(|data| format!("DELETE DATA {{ {data} }}")),
        (node(), property()).prop_map(|(s, p)| format!("DELETE WHERE {{ {s} {p} ?o }}")),
        (property(), property())
            .prop_map(|(p, q)| format!("DELETE {{ ?s {p} ?o }} INSERT {{ ?s {q} ?o . _:b ex:of ?s }} WHERE {{ ?s {p} ?o }}")),
        (property(), graph.clone()).prop_map(|(p, g)| format!("INSERT {{ GRAPH {g} {{ ?s {p} ?o }} }} WHERE {{ GRAPH ?g {{ ?s ?x ?o }} FILTER(?g != {g}) }}")),
        graph.clone().prop_map(|g| format!("WITH {g} DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o FILTER NOT EXISTS {{ ?s ex:q ?o }} }}")),
        graph.clone().prop_map(|g| format!("INSERT {{ ?s ex:in ?g }} USING {g} USING NAMED {g} WHERE {{ ?s ?p ?o . GRAPH ?g {{ ?s ?q ?r }} }}")),
        graph.clone().prop_map(|g| format!("CLEAR SILENT GRAPH {g}")),
        graph.clone().prop_map(|g| format!("DROP SILENT GRAPH {g}")),
        prop_oneof![Just("CLEAR DEFAULT"), Just("DROP NAMED"), Just("CLEAR ALL")].prop_map(str::to_owned),
        (prop_oneof![Just("COPY"), Just("MOVE"), Just("ADD")], graph.clone(), graph)
            .prop_map(|(form, from, to)| format!("{form} SILENT {from} TO {to}")),
        Just("COPY SILENT DEFAULT TO ex:g ; ADD SILENT ex:g TO DEFAULT".to_owned()),
    ]
}

/// The quads of the oracle; its default graph is the graph of our document.
fn of_oracle(store: &Store) -> BTreeSet<isomorphism::Quad> {
    let quads = store.iter().map(|quad| {
        let quad = quad.expect("a quad");
        let graph_name = match quad.graph_name {
            GraphName::DefaultGraph => NamedNode::new_unchecked(DOCUMENT).into(),
            named => named,
        };
        isomorphism::from_oxrdf(&Quad { graph_name, ..quad })
    });
    quads.collect()
}

pub(super) fn of_ours(dataset: &Dataset) -> BTreeSet<isomorphism::Quad> {
    let mut text = Vec::new();
    for quad in dataset.quads() {
        dataset.dictionary().write_n_quad(quad, &mut text);
    }
    read_n_quads(&String::from_utf8(text).expect("N-Quads are UTF-8"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_updates_leave_what_the_oracle_leaves(
        initial in data(),
        operations in prop::collection::vec(operation(), 1..6),
    ) {
        let text = format!("{PREFIX}{}", operations.join(" ; "));
        let store = Store::new().expect("a store in memory");
        let trig = initial.replace("GRAPH ", "");
        for quad in quads(&trig) {
            store.insert(&quad).expect("memory takes all quads");
        }
        let dataset = dataset(&[(DOCUMENT, &trig)]);
        let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Unnamed);
        let update = Update::parse_plain(&text, "update").expect("the update is well formed");
        update.apply(&mut revision, options(Some(DOCUMENT))).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        SparqlEvaluator::new().parse_update(&text).expect("well formed").on_store(&store).execute().expect("it can be made");
        let (ours, theirs) = (of_ours(&revision.to_dataset()), of_oracle(&store));
        prop_assert!(isomorphic(&ours, &theirs), "{text}\n{}\n expected\n{}", isomorphism::show(&ours), isomorphism::show(&theirs));
        let listed: usize = revision.graphs().iter().map(|graph| revision.graph_triples(*graph).len()).sum();
        prop_assert_eq!(listed, ours.len());
    }
}
