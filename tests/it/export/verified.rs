//! A server that does not keep what it was sent is found out: the graph is named, and the one that was there is still there.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::faulty_server::{Fault, FaultyServer, Plan};

const GRAPH: &str = "urn:evalgraph:graph:data";

/// A graph in one of its versions: lines of N-Triples in order.
fn version(version: u32) -> Vec<String> {
    let number = format!("\"{version}\"^^<http://www.w3.org/2001/XMLSchema#integer>");
    let objects = [number, format!("\"version {version}\""), "<urn:o>".to_owned()];
    let mut lines: Vec<String> =
        objects.iter().enumerate().map(|(at, object)| format!("<urn:s{at}> <urn:p> {object} .")).collect();
    lines.sort();
    lines
}

/// Exports a version, and returns the exit status and what is said.
fn export(server: &FaultyServer, folder: &Path, lines: &[String], options: &[&str]) -> (i32, String) {
    fs::write(folder.join("data.nt"), lines.join("\n") + "\n").expect("the folder is ours");
    let url = server.http().url("");
    let arguments = ["export", "fuseki", url.trim_end_matches('/'), "--dataset", "ds", "data.nt"];
    let (status, _, stderr) = run(folder, &[&arguments[..], options].concat());
    (status, stderr)
}

/// The body without its first line.
fn lost(body: &str) -> String {
    body.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

/// The body with another literal.
fn changed(body: &str) -> String {
    body.replace("version", "Version")
}

/// The body with its first line twice.
fn doubled(body: &str) -> String {
    body.split_once('\n').map(|(line, _)| format!("{line}\n{body}")).unwrap_or_default()
}

/// The body with another form of a number.
fn rewritten(body: &str) -> String {
    body.replace("\"2\"^^", "\"02\"^^")
}

#[test]
fn a_graph_that_the_server_has_not_kept_does_not_take_its_place() {
    type Edit = fn(&str) -> String;
    let edits: [(Edit, &str); 3] = [
        (lost, "3 triples were sent, and it has 2; it lacks `"),
        (
            changed,
            "3 triples were sent, and it has as many, but different ones; it lacks `<urn:s1> <urn:p> \"version 2\" .`",
        ),
        (doubled, "3 triples were sent, and it has 4"),
    ];
    for (edit, words) in edits {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = FaultyServer::start();
        let [old, new] = [version(1), version(2)];
        assert_eq!(export(&server, folder.path(), &old, &[]).0, 0);
        server.plan(Plan::of("GET /ds/data", Fault::Edits(edit)));
        let (status, said) = export(&server, folder.path(), &new, &["--replace"]);
        assert!(
            said.contains(&format!("[export::differs]: the server has not kept `{GRAPH}`: {words}")),
            "{said}"
        );
        assert_eq!(status, 1, "{said}");
        assert_eq!(server.graph(GRAPH), old);
        server.heal();
        let (status, said) = export(&server, folder.path(), &new, &["--replace"]);
        assert_eq!(status, 0, "{said}");
        assert_eq!(server.graph(GRAPH), new);
    }
}

#[test]
fn what_the_server_writes_in_another_way_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = FaultyServer::start();
    server.plan(Plan::of("GET /ds/data", Fault::Edits(rewritten)));
    let (status, said) = export(&server, folder.path(), &version(2), &[]);
    let note = "note[export::changed]: the server writes 1 literal of 1 graph in another way, such as \
                `\"2\"^^xsd:integer` as `\"02\"^^xsd:integer`";
    assert!(said.contains(note), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn without_verification_triples_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = FaultyServer::start();
    server.plan(Plan::of("GET /ds/data", Fault::Edits(changed)));
    let (status, said) = export(&server, folder.path(), &version(1), &["--verify", "false"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(server.graph(GRAPH), version(1));
}
