//! Undoing a change of a store: each kind of change leaves what was there before, once.

use std::fs;
use std::path::Path;

use super::store_backup::{ok, quads, small_store};
use crate::cli::input::run;

/// Changes of every kind, each with what its undoing says.
const CHANGES: [(&[&str], &str); 10] = [
    (&["load", "more.ttl"], "removed `more.ttl`"),
    (&["load", "data.ttl", "--replace"], "changed back `data.ttl`"),
    (&["load", ".", "--prune"], "`gone.ttl`"),
    (&["set", "What do decomposers return to the soil?", "--answer", "Much"], "changed back `eco.jsonld`"),
    (&["add", "Who else?", "--answer", "Nobody", "--graph", "eco.jsonld"], "changed back `eco.jsonld`"),
    (&["remove", "What do decomposers return to the soil?"], "changed back `eco.jsonld`"),
    (&["update", "-q", "DELETE WHERE { GRAPH ?g { ?s <urn:x:p> ?o } }"], "changed back `data.ttl`"),
    (&["update", "-q", "INSERT DATA { GRAPH <urn:x:g> { <urn:x:a> <urn:x:p> 3 } }"], "removed `urn:x:g`"),
    (&["graphs", "drop", "eco.jsonld"], "brought back `eco.jsonld`"),
    (&["restore", "a.tar", "--force"], "brought back `gone.ttl`"),
];

fn folder() -> tempfile::TempDir {
    let folder = small_store();
    let path = folder.path();
    ok(path, &["backup", "a.tar"]);
    fs::write(path.join("gone.ttl"), "<urn:x:c> <urn:x:p> 5 .\n").expect("the folder is ours");
    ok(path, &["load", "gone.ttl"]);
    fs::remove_file(path.join("gone.ttl")).expect("it is ours");
    fs::write(path.join("more.ttl"), "<urn:x:b> <urn:x:p> 4 .\n").expect("the folder is ours");
    fs::write(path.join("data.ttl"), "<urn:x:a> <urn:x:p> 7 .\n").expect("the folder is ours");
    folder
}

fn refused(path: &Path, arguments: &[&str]) {
    let (status, _, stderr) = run(path, arguments);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("error[store::no-undo]"), "{stderr}");
}

#[test]
fn every_kind_of_change_is_undone() {
    for (change, told) in CHANGES {
        let folder = folder();
        let path = folder.path();
        let (before, graphs) = (quads(path), ok(path, &["graphs"]));
        ok(path, change);
        let after = quads(path);
        assert!(after != before, "{change:?}");
        let (_, _, stderr) = run(path, &["undo", "--dry-run"]);
        assert!(stderr.contains("would undo `evalgraph "), "{stderr}");
        assert!(quads(path) == after, "{change:?}: nothing is changed yet");
        let (status, _, stderr) = run(path, &["undo"]);
        assert_eq!(status, 0, "{change:?}: {stderr}");
        let command = change.iter().take(if change[0] == "graphs" { 2 } else { 1 });
        let command: Vec<&str> = command.copied().collect();
        assert!(stderr.contains(&format!("undid `evalgraph {}` of 20", command.join(" "))), "{stderr}");
        assert!(stderr.contains(told), "{change:?}: {stderr}");
        assert!(quads(path) == before, "{change:?}: all is as before");
        assert_eq!(ok(path, &["graphs"]), graphs, "{change:?}");
        ok(path, &["doctor"]);
        refused(path, &["undo"]);
        assert!(quads(path) == before, "{change:?}");
        ok(path, &["undo", "--redo"]);
        assert!(quads(path) == after, "{change:?}: it is made again");
        refused(path, &["undo", "--redo"]);
        ok(path, &["undo"]);
        assert!(quads(path) == before, "{change:?}");
    }
}

#[test]
fn only_one_earlier_state_is_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ok(path, &["init"]);
    refused(path, &["undo"]);
    let files = || fs::read_dir(path.join(".evalgraph")).expect("it is there").count();
    let mut most = 0;
    for version in 0..20 {
        fs::write(path.join("a.ttl"), format!("<urn:x:a> <urn:x:p> {version} .\n")).expect("it is ours");
        ok(path, &["load", "a.ttl"]);
        most = most.max(files());
    }
    // Two states of one document: its graph, its text and some files of terms each, and five files of the store.
    assert!(most <= 20, "{most} files");
    ok(path, &["undo"]);
    assert!(quads(path).contains("\"18\""), "{}", quads(path));
    // What only reorganises the store cannot be undone, and keeps nothing.
    ok(path, &["doctor", "--compact"]);
    assert!(!path.join(".evalgraph/undo").exists());
    refused(path, &["undo"]);
}

#[test]
fn a_damaged_record_or_one_of_another_change_undoes_nothing() {
    let folder = folder();
    let path = folder.path();
    let record = path.join(".evalgraph/undo");
    let old = fs::read(&record).expect("there is one");
    ok(path, &["load", "more.ttl"]);
    let before = quads(path);
    let new = fs::read(&record).expect("there is one");
    let mut flipped = new.clone();
    flipped[new.len() / 2] ^= 1;
    for bytes in [&old[..], &flipped, &new[..new.len() / 2], b"", b"\xff"] {
        fs::write(&record, bytes).expect("it is ours");
        refused(path, &["undo"]);
        assert!(quads(path) == before);
    }
    ok(path, &["graphs", "drop", "more.ttl"]);
    ok(path, &["undo"]);
    assert!(quads(path) == before);
}
