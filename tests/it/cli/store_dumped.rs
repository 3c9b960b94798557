//! A whole dump, loaded into another store, gives the same documents.

use std::fs;
use std::path::Path;

use super::store_backup::{ok, quads, small_store, whole_store};
use crate::cli::input::run;

/// A store that was loaded from a dump.
fn loaded(path: &Path, dump: &str) -> tempfile::TempDir {
    let other = tempfile::tempdir().expect("a temporary folder");
    ok(other.path(), &["init"]);
    ok(other.path(), &["load", &path.join(dump).display().to_string()]);
    other
}

/// The files that are written from a store, by name.
fn files(path: &Path) -> Vec<(String, Vec<u8>)> {
    let (_, _, stderr) = run(path, &["convert", "--to", "same", "-o", "same/", "--force"]);
    let (mut folders, mut files) = (vec![path.join("same")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|_| panic!("{stderr}")) {
            let file = entry.expect("it is readable").path();
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            let name = file.strip_prefix(path).expect("it is below").display().to_string();
            files.push((name, fs::read(file).expect("it is readable")));
        }
    }
    files.sort();
    files
}

#[test]
fn all_documents_of_a_whole_dump_come_back() {
    let folder = whole_store();
    let path = folder.path();
    let turtle = "<urn:x:a> <urn:x:p> 1 , [ <urn:x:q> 2 ] .\n";
    fs::write(path.join("data.ttl"), turtle).expect("the folder is ours");
    let named =
        "<urn:x:a> <urn:x:p> _:g <urn:x:g> .\n<urn:x:b> <urn:x:p> _:g _:g .\n<urn:x:c> <urn:x:p> \"c\" .\n";
    fs::write(path.join("named.nq"), named).expect("the folder is ours");
    ok(path, &["load", "data.ttl", "named.nq"]);
    // A document that was changed since, and one that an update made.
    ok(path, &["set", "What do decomposers return to the soil?", "--answer", "Much"]);
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:x:made> { <urn:x:a> <urn:x:p> 3 } }"]);
    let (_, _, stderr) = run(path, &["dump", "--whole", "-o", "all.nq"]);
    assert_eq!(stderr, "", "nothing is lost");
    // Compressed, too.
    ok(path, &["dump", "--whole", "-o", "all.nq.zst"]);
    let other = loaded(path, "all.nq.zst");
    let other = other.path();
    assert_eq!(ok(other, &["graphs"]), ok(path, &["graphs"]));
    ok(other, &["doctor"]);
    fs::write(path.join("before.nq"), quads(path)).expect("the folder is ours");
    let after = other.join("after.nq");
    fs::write(&after, quads(other)).expect("the folder is ours");
    ok(path, &["diff", "before.nq", &after.display().to_string()]);
    assert!(files(path) == files(other), "the same files are written");
    let findings = |path: &Path| run(path, &["validate", "--quiet"]).1;
    assert_eq!(findings(path), findings(other));
    ok(other, &["dump", "--whole", "-o", "again.nq"]);
    // The facts name the blank nodes that are graphs by labels, which differ.
    let without_labels = |dump: &Path| {
        let text = fs::read_to_string(dump).expect("it is there");
        let is_kept =
            |line: &&str| !line.starts_with("<urn:evalgraph:graph:named> <urn:evalgraph:vocab:document>");
        fs::write(dump, text.lines().filter(is_kept).collect::<Vec<_>>().join("\n")).expect("it is ours");
    };
    let again = other.join("again.nq");
    without_labels(&path.join("all.nq"));
    without_labels(&again);
    ok(path, &["diff", "all.nq", &again.display().to_string()]);
    // The file of a document can still be changed and written.
    let change =
        ["set", "What is the powerhouse of the cell?", "--answer", "Mitochondria, mostly", "--dry-run"];
    assert_eq!(run(path, &change), run(other, &change));
}

#[test]
fn a_dump_that_was_changed_counts_as_changed() {
    let folder = small_store();
    let path = folder.path();
    ok(path, &["dump", "--whole", "-o", "all.nq"]);
    let dump = fs::read_to_string(path.join("all.nq")).expect("it is there");
    let word = "What do decomposers return to the soil?";
    fs::write(path.join("other.nq"), dump.replace(word, "What else?")).expect("the folder is ours");
    let other = loaded(path, "other.nq");
    assert!(quads(other.path()).contains("\"What else?\""));
    let graphs = ok(other.path(), &["graphs"]);
    assert!(graphs.contains("by an update, since it was loaded"), "{graphs}");
    // The file is written with the change.
    let written = files(other.path());
    assert!(written.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("What else?")));
    // Facts that are not those of a document stop the load, and nothing is loaded.
    let broken = dump.replace("\\\"position\\\":", "\\\"place\\\":");
    fs::write(path.join("broken.nq"), broken).expect("the folder is ours");
    let empty = tempfile::tempdir().expect("a temporary folder");
    ok(empty.path(), &["init"]);
    let name = path.join("broken.nq").display().to_string();
    let (status, _, stderr) = run(empty.path(), &["load", &name]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("error[dump::damaged]"), "{stderr}");
    assert_eq!(ok(empty.path(), &["graphs"]), "");
}

#[test]
fn some_documents_can_be_dumped_and_join_those_of_a_store() {
    let folder = small_store();
    let path = folder.path();
    ok(path, &["dump", "eco.jsonld", "--whole", "-o", "eco.nq"]);
    let other = tempfile::tempdir().expect("a temporary folder");
    fs::write(other.path().join("own.ttl"), "<urn:x:z> <urn:x:p> 9 .\n").expect("it is ours");
    ok(other.path(), &["init"]);
    ok(other.path(), &["load", "own.ttl"]);
    let dump = path.join("eco.nq").display().to_string();
    let (_, _, stderr) = run(other.path(), &["load", &dump, "--dry-run"]);
    assert!(stderr.contains("would load 1 new"), "{stderr}");
    assert_eq!(ok(other.path(), &["graphs"]).matches("read from").count(), 1);
    ok(other.path(), &["load", &dump]);
    assert_eq!(ok(other.path(), &["graphs"]).matches("read from").count(), 2);
    // Once more, it replaces what is there; what was changed since is refused.
    let (_, _, stderr) = run(other.path(), &["load", &dump]);
    assert!(stderr.contains("loaded 1 replaced"), "{stderr}");
    ok(other.path(), &["set", "What do decomposers return to the soil?", "--answer", "Much"]);
    let (status, _, stderr) = run(other.path(), &["load", &dump]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("error[store::edited]"), "{stderr}");
    for name in ["all.ttl", "all.trig", "all.jsonld"] {
        let (status, _, stderr) = run(path, &["dump", "--whole", "-o", name]);
        assert_eq!(status, 2, "{name}");
        assert!(stderr.contains("error[output::format]"), "{stderr}");
    }
}
