//! The texts of queries and updates that servers are sent: they mean what was written.

use std::collections::HashMap;

use evalgraph::sparql::{NamedQueries, Query, QueryParameter, ServerQuery, Update};
use evalgraph::store::{Dataset, DatasetRevision, DefaultGraph};
use proptest::prelude::*;

use super::update::{DOCUMENT, PREFIX, data, dataset, of_ours, operation, options};
use crate::rdf::isomorphism::isomorphic;

fn sent(query: &str, files: &[(&str, &str)]) -> Result<String, String> {
    let query = Query::parse(query, "query").expect("the query is well formed");
    let files = files.iter().map(|(graph, file)| ((*graph).to_owned(), (*file).to_owned()));
    let files: HashMap<String, String> = files.collect();
    ServerQuery::new(&query, || Ok(files)).and_then(|query| query.text()).map_err(|fault| fault.to_string())
}

#[test]
fn prefixes_are_declared_and_namespaces_moved() {
    let text = sent("SELECT ?q { ?q a <https://schema.org/Question> ; s:text ?text }", &[]);
    let expected =
        "PREFIX s: <http://schema.org/>\n\nSELECT ?q WHERE {\n  ?q a s:Question .\n  ?q s:text ?text .\n}\n";
    assert_eq!(text.as_deref(), Ok(expected));
}

#[test]
fn forms_other_than_select_are_written() {
    for (query, expected) in [
        ("ASK { ?s ?p 1 }", "ASK WHERE {\n  ?s ?p 1 .\n}\n"),
        ("DESCRIBE <urn:a>", "DESCRIBE <urn:a>\n"),
        (
            "DESCRIBE ?s <urn:a> FROM <urn:g> { ?s ?p 1 }",
            "DESCRIBE ?s <urn:a> FROM <urn:g> WHERE {\n  ?s ?p 1 .\n}\n",
        ),
        (
            "CONSTRUCT { ?s <urn:p> _:b } FROM NAMED <urn:g> { GRAPH ?g { ?s ?p _:b } }",
            "CONSTRUCT {\n  ?s <urn:p> _:b .\n} FROM NAMED <urn:g> WHERE {\n  GRAPH ?g {\n    ?s ?p ?blank1 .\n  }\n}\n",
        ),
    ] {
        assert_eq!(sent(query, &[]).as_deref(), Ok(expected), "{query}");
    }
}

#[test]
fn each_named_query_can_be_sent() {
    for named in NamedQueries::built_in().expect("they are well formed").iter() {
        let query = named.query().expect("it is well formed");
        let query = query.with_parameters(&[], &named.parameters).expect("its parameters have defaults");
        let files = || Ok(HashMap::from([("urn:evalgraph:graph:a%20b".to_owned(), "a b".to_owned())]));
        let text = ServerQuery::new(&query, files).and_then(|query| query.text());
        let text = text.unwrap_or_else(|fault| panic!("{}: {fault}", named.name));
        assert!(!text.contains("urn:evalgraph:fn:"), "{text}");
        Query::parse_plain(&text, "sent").unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    }
}

#[test]
fn the_file_of_a_graph_is_told_by_what_every_server_has() {
    let query = "SELECT (egf:file(?g) AS ?f) { VALUES ?g { <urn:evalgraph:graph:a> <urn:evalgraph:graph:b%20c> <urn:x> } }";
    let files = [("urn:evalgraph:graph:a", "a"), ("urn:evalgraph:graph:b%20c", "b c")];
    let text = sent(query, &files).expect("it can be sent");
    let solutions = Query::parse_plain(&text, "sent").expect("it is well formed");
    let empty = dataset(&[]);
    let results =
        solutions.execute(empty.view(DefaultGraph::Union), Default::default()).expect("it has an answer");
    let evalgraph::sparql::QueryResults::Solutions(rows) = results else { panic!("no table") };
    let found: Vec<String> = rows.map(|row| row.expect("a row")["f"].to_string()).collect();
    assert_eq!(found, ["\"a\"", "\"b c\"", "\"\""]);
    assert!(!sent(query, &files[..1]).expect("it can be sent").contains("CONCAT"), "{text}");
}

/// The rows of a query without data, as their terms are written.
fn rows_of(query: &str) -> Vec<Vec<String>> {
    let query = Query::parse(query, "query").expect("it is well formed");
    let empty = dataset(&[]);
    let results =
        query.execute(empty.view(DefaultGraph::Union), Default::default()).expect("it has an answer");
    let evalgraph::sparql::QueryResults::Solutions(rows) = results else { panic!("no table") };
    let shown = |term: &Option<oxrdf::Term>| term.as_ref().map_or_else(String::new, ToString::to_string);
    rows.map(|row| row.expect("a row").values().iter().map(shown).collect()).collect()
}

#[test]
fn the_member_of_a_json_text_is_told_by_what_every_server_has() {
    let query = r#"SELECT (egf:member(?j, "name") AS ?n) (COALESCE(egf:member(?j, "a.b"), "none") AS ?m) { VALUES ?j {
        '{"name": "Ada"}' ' { "id": 1, "name" : "Zoë \\"Z\\" \\\\ \\/ Öz", "at": { "city": "Delft" } } '
        '{"a.b": "dot", "at": {"aXb": "no"}}' '{"aXb": "no dot"}' '{"name": 7}' '["name"]' 'Ada' "\"name\": \"x\"" } }"#;
    let text = sent(query, &[]).expect("it can be sent");
    assert!(!text.contains("urn:evalgraph:fn:"), "{text}");
    let rows = rows_of(query);
    assert_eq!(rows, rows_of(&text), "{text}");
    assert_eq!(rows[1][0], r#""Zoë \"Z\" \\ / Öz""#);
    assert_eq!(rows.iter().filter(|row| row[0].is_empty()).count(), 6, "{rows:?}");
    let of_variable = sent("SELECT (egf:member(?j, ?k) AS ?m) { VALUES (?j ?k) { ('{}' 'k') } }", &[]);
    let refusal = "sparql::own-function: `egf:member` is a function of this program, and no server has it";
    assert_eq!(of_variable.unwrap_err(), refusal);
}

#[test]
fn functions_of_our_own_are_refused() {
    let refused = sent("SELECT ?s { ?s ?p ?o FILTER(EXISTS { ?s ?p ?o FILTER(egf:sqrt(?o) > 2) }) }", &[]);
    assert_eq!(
        refused.unwrap_err(),
        "sparql::own-function: `egf:sqrt` is a function of this program, and no server has it"
    );
}

#[test]
fn a_part_of_the_solutions_stays_within_the_whole() {
    let query = |text: &str| {
        let query = Query::parse_plain(text, "query").expect("well formed");
        ServerQuery::new(&query, || Ok(HashMap::new())).expect("it can be sent")
    };
    let end = |query: ServerQuery| {
        let text = query.text().expect("it can be written");
        text.lines().last().expect("it has lines").to_owned()
    };
    let all = query("SELECT * { ?s ?p ?o }");
    assert_eq!(end(all.clone().part(20, None)), "OFFSET 20");
    assert_eq!(end(all.part(0, Some(5))), "LIMIT 5");
    let some = query("SELECT * { ?s ?p ?o } LIMIT 30 OFFSET 10");
    assert_eq!((some.most(), end(some.clone().part(20, None))), (Some(30), "OFFSET 30 LIMIT 10".to_owned()));
    assert_eq!(end(some.part(0, Some(5))), "OFFSET 10 LIMIT 5");
}

#[test]
fn an_update_goes_as_it_was_written() {
    let text =
        "# a comment\nPREFIX ex: <http://example.org/>\nCOPY ex:a TO ex:b ;\nDELETE WHERE { ?s s:text 'x' }";
    let update = Update::parse(text, "update").expect("well formed");
    let sent = update.server_text().expect("it can be sent");
    assert_eq!(sent, format!("PREFIX s: <http://schema.org/> {text}"));
    let parameter = QueryParameter::parse("s=<urn:s>").expect("a parameter");
    let refused = update.with_parameters(&[parameter]).expect("it has that variable").server_text();
    let message = refused.expect_err("its COPY would be another one").message;
    assert!(
        message.ends_with("it asks whether a graph is there, by COPY, MOVE or ADD without SILENT"),
        "{message}"
    );
}

/// What an update makes of a dataset.
fn applied(update: &Update, dataset: &Dataset) -> Dataset {
    let mut revision = DatasetRevision::new(dataset, DefaultGraph::Unnamed);
    update.apply(&mut revision, options(Some(DOCUMENT))).expect("it can be made");
    revision.to_dataset()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn an_update_with_parameters_means_the_same_as_text(
        initial in data(),
        operations in prop::collection::vec(operation(), 1..5),
    ) {
        let operations = operations.join(" ; ");
        let text = format!("{PREFIX}{operations} ; INSERT {{ ex:done ex:with ?given }} WHERE {{ }}");
        let update = Update::parse_plain(&text, "update").expect("well formed");
        let given = QueryParameter::parse("given=1").expect("a parameter");
        let update = update.with_parameters(&[given]).expect("it has that variable");
        let sent = update.server_text().expect("it can be sent");
        let read = Update::parse_plain(&sent, "sent").unwrap_or_else(|fault| panic!("{fault}\n{sent}"));
        let dataset = dataset(&[(DOCUMENT, &initial.replace("GRAPH ", ""))]);
        let (ours, theirs) = (of_ours(&applied(&update, &dataset)), of_ours(&applied(&read, &dataset)));
        prop_assert!(isomorphic(&ours, &theirs), "{text}\n{sent}");
    }
}
