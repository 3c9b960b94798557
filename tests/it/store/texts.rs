//! Texts in files: those of one property stand together, and those that are read once do not stay in memory.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{
    CompressedText, DefaultGraph, DocumentEntry, FolderMedium, NewDocument, StoreFolder, StoreSnapshot,
};

use crate::store::dataset::document;
use crate::store::edges::ok;

/// More properties than have blocks of their own, each with values of several kinds, short, long and empty.
fn many_properties() -> String {
    let mut text = String::new();
    for property in 0..200 {
        for value in 0..30 {
            let lexical = match value % 6 {
                0 => format!("\"{}\"", format!("property {property}, value {value} ").repeat(1 + value)),
                1 => format!("\"wert {property} {value} Grüße\"@de"),
                2 => format!("\"{property}{value}\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
                3 => format!("\"{property}-{value}\"^^<urn:own-{}>", property % 3),
                4 => format!("<urn:of:{property}:{value}>"),
                _ if property % 50 == 0 => "\"\"".to_owned(),
                _ => format!("\"2025-01-{:02}\"^^<http://www.w3.org/2001/XMLSchema#date>", 1 + value),
            };
            writeln!(text, "<urn:s:{value}> <urn:p:{property}> {lexical} <urn:g> .").expect("a string");
        }
    }
    text
}

#[test]
fn texts_of_many_properties_come_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let text = many_properties();
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    // In two halves, whose files of terms are merged.
    let all = lines(&text);
    let (one, other) = all.split_at(all.len() / 2);
    fs::write(path.join("one.nq"), one.join("\n")).expect("the folder is ours");
    fs::write(path.join("other.nq"), other.join("\n")).expect("the folder is ours");
    ok(path, &["init"]);
    ok(path, &["load", "one.nq"]);
    ok(path, &["load", "other.nq"]);
    assert_eq!(lines(&ok(path, &["dump"])), all);
    ok(path, &["doctor"]);
    ok(path, &["doctor", "--compact"]);
    assert_eq!(lines(&ok(path, &["dump"])), all);
}

/// How many texts the query finds.
fn found(snapshot: &StoreSnapshot) -> usize {
    let query = "SELECT ?s { ?s <urn:says> ?text FILTER(CONTAINS(LCASE(?text), \"number 7\")) }";
    let query = Query::parse(query, "the test").expect("the query is good");
    let view = snapshot.dataset().view(DefaultGraph::Union);
    match query.execute(view, ExecuteOptions::default()).expect("the query runs") {
        QueryResults::Solutions(solutions) => solutions.count(),
        _ => panic!("SELECT has solutions"),
    }
}

#[test]
fn a_text_that_is_read_once_does_not_stay_in_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("the folder is ours");
    let beside = "and many words beside it ".repeat(20);
    let text: String = (0..4000)
        .map(|number| {
            format!("<urn:s:{number}> <urn:says> \"Number {number} {beside}\" .\n<urn:s:{number}> <urn:is> \"{number}\" .\n")
        })
        .collect();
    let entry = DocumentEntry {
        graph: "urn:g".to_owned(),
        dataset: "g".to_owned(),
        quads: 0,
        source: None,
        is_edited: false,
    };
    let source = CompressedText::from_text(b"").ok();
    let mut change = store.change("a test").expect("nobody else changes it");
    let document = NewDocument { entry, builder: document("urn:g", &text).builder, source };
    change.put(document).and_then(|_| change.commit()).expect("the folder is ours");
    let mut snapshot = store.snapshot().expect("the store is whole");
    assert_eq!(found(&snapshot), 111);
    assert!(snapshot.kept() < 200_000, "{}", snapshot.kept());
    assert_eq!(found(&snapshot), 111);
    assert!(snapshot.kept() > 2_000_000, "{}", snapshot.kept());
    assert_eq!(found(&snapshot), 111);
    let freed = snapshot.let_go();
    assert!(freed > 2_000_000 && snapshot.kept() == 0, "{freed}");
    assert_eq!(found(&snapshot), 111);
}
