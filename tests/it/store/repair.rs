//! A store that is damaged: what `doctor` says of it, what it makes whole again, and what is left. Nothing that
//! can be read is lost.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::karenina::fixtures::path as fixture;
use crate::store::edges::{checkpoint, damage, fails, ok, state};

/// A folder with a store of a large document and of two small ones.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("large.jsonld"), checkpoint("large", 400)).expect("the folder is ours");
    fs::write(path.join("small.jsonld"), checkpoint("small", 2)).expect("the folder is ours");
    fs::copy(fixture("karenina/p2-genomics.jsonld"), path.join("genes.jsonld")).expect("it is there");
    ok(path, &["init"]);
    ok(path, &["load", "large.jsonld"]);
    ok(path, &["load", "small.jsonld", "genes.jsonld"]);
    folder
}

/// All that the store says, but for the labels of blank nodes and the times of loading.
fn content(path: &Path) -> Vec<String> {
    let dump = ok(path, &["dump", "--all-graphs"]);
    let lines = dump.lines().filter(|line| !line.contains("dateTime") && !line.contains("graph:sidecar"));
    let mut lines: Vec<String> = lines
        .map(|line| {
            let words = line.split(' ').map(|word| if word.starts_with("_:") { "_:b" } else { word });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    lines.sort();
    lines
}

/// The documents of the store, as its manifest has them.
fn documents(path: &Path) -> Vec<serde_json::Value> {
    let manifest = fs::read_to_string(path.join(".evalgraph/manifest")).expect("it is there");
    let (_, json) = manifest.split_once('\n').expect("it has two parts");
    let manifest: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
    manifest["documents"].as_array().expect("a list").clone()
}

/// A file of the document whose graph or path ends so.
fn file_of(path: &Path, what: &str, end: &str) -> String {
    let is_meant = |document: &&serde_json::Value| {
        let names = [document["graph"].as_str(), document["source"]["path"].as_str()];
        names.into_iter().flatten().any(|name| name.ends_with(end))
    };
    let documents = documents(path);
    let document = documents.iter().find(is_meant).expect("it is there");
    document[what]["name"].as_str().expect("a name").to_owned()
}

/// Changes a byte of a file of the store.
fn flip(path: &Path, name: &str, at: usize) {
    let file = path.join(".evalgraph").join(name);
    let mut bytes = fs::read(&file).expect("it is there");
    bytes[at] ^= 1;
    fs::write(file, bytes).expect("it is ours");
}

/// What `doctor` says of a damaged store.
fn diagnosis(path: &Path, arguments: &[&str], expected: i32) -> String {
    let (status, _, stderr) = run(path, &[&["doctor"], arguments].concat());
    assert_eq!(status, expected, "{stderr}");
    stderr
}

#[test]
fn a_damaged_graph_is_read_again_from_the_text_that_was_kept() {
    let folder = folder();
    let path = folder.path();
    let before = content(path);
    let other = file_of(path, "file", "large");
    flip(path, &file_of(path, "file", "small"), 100);
    fails(path, &["query", "-q", "SELECT * { ?s ?p ?o }"], "store::damaged");
    fails(path, &["load", "small.jsonld", "--replace"], "store::damaged");
    for (says, change) in [
        ("small.jsonld` has not changed since it was read", None),
        ("small.jsonld` has changed since it was read", Some("another text")),
        ("small.jsonld` is gone", Some("")),
    ] {
        match change {
            None => {}
            Some("") => fs::remove_file(path.join("small.jsonld")).expect("it is ours"),
            Some(text) => fs::write(path.join("small.jsonld"), text).expect("it is ours"),
        }
        let said = diagnosis(path, &[], 1);
        assert!(said.contains("the graph `urn:evalgraph:graph:urn%3Auuid%3Asmall` is damaged"), "{said}");
        assert!(
            said.contains(says) && said.contains("the text that the store has kept of it is whole"),
            "{said}"
        );
        assert!(
            said.contains("`evalgraph doctor --repair` reads it again") && !said.contains("large"),
            "{said}"
        );
    }
    let said = diagnosis(path, &["--repair"], 0);
    assert!(
        said.contains("urn%3Auuid%3Asmall` is read again") && said.contains("the store is whole"),
        "{said}"
    );
    assert_eq!(content(path), before);
    assert_eq!(file_of(path, "file", "large"), other, "what is whole is left alone");
    diagnosis(path, &[], 0);
    let manifest = state(path);
    diagnosis(path, &["--repair"], 0);
    assert_eq!(state(path), manifest, "nothing is written where nothing is damaged");
    ok(path, &["convert", "--to", "nq"]);
}

#[test]
fn what_another_order_says_is_not_lost() {
    let folder = folder();
    let path = folder.path();
    let update = "DELETE { GRAPH ?g { ?a s:text ?t } } INSERT { GRAPH ?g { ?a s:text 'mine' } } WHERE \
        { GRAPH ?g { ?q s:acceptedAnswer ?a ; s:text ?text . ?a s:text ?t FILTER(STRSTARTS(?text, '3 ')) } }";
    let mine = checkpoint("many", 3).replacen(
        "\"hasPart\": [",
        &format!(
            "\"keywords\": [{}], \"hasPart\": [",
            (0..9000).map(|number| format!("\"k{number}\"")).collect::<Vec<_>>().join(", ")
        ),
        1,
    );
    fs::write(path.join("many.jsonld"), mine).expect("the folder is ours");
    ok(path, &["load", "many.jsonld"]);
    ok(path, &["update", "-q", update]);
    ok(
        path,
        &[
            "update",
            "-q",
            "INSERT DATA { GRAPH <urn:evalgraph:graph:urn%3Auuid%3Amany> { <urn:a> <urn:p> 'kept' } }",
        ],
    );
    let before = content(path);
    let file = file_of(path, "file", "many");
    let length = fs::metadata(path.join(".evalgraph").join(&file)).expect("it is there").len();
    assert!(length > 3 << 16, "{length}");
    flip(path, &file, (1 << 16) + 17);
    fs::remove_file(path.join("many.jsonld")).expect("it is ours");
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("another order of its triples is intact, so nothing is lost"), "{said}");
    let said = diagnosis(path, &["--repair"], 0);
    assert!(said.contains("is written again: nothing is lost"), "{said}");
    assert_eq!(content(path), before);
    let list = ok(path, &["graphs", "--format", "json"]);
    assert_eq!(list.matches("\"edited\": true").count(), 2, "{list}");
    diagnosis(path, &[], 0);
}

#[test]
fn damaged_terms_are_written_anew() {
    let folder = folder();
    let path = folder.path();
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:own> { <urn:a> <urn:p> \"5\"^^<urn:type>, [] } }"]);
    let before = content(path);
    damage(path, "terms-");
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("urn%3Auuid%3Alarge` is damaged") && !said.contains("small` is damaged"), "{said}");
    assert!(said.contains("nothing can be loaded or changed until they are rewritten"), "{said}");
    fs::remove_file(path.join("large.jsonld")).expect("it is ours");
    diagnosis(path, &["--repair"], 0);
    assert_eq!(content(path), before);
    diagnosis(path, &[], 0);
    ok(path, &["load", "small.jsonld", "genes.jsonld", "--replace"]);
    // A text of its own has not become another one, nor a node.
    let answers = "DELETE { GRAPH ?g { ?a s:text ?t } } INSERT { GRAPH ?g { ?a s:text 'new' } } \
        WHERE { GRAPH ?g { ?q s:acceptedAnswer ?a . ?a s:text ?t } }";
    let files = || {
        ok(path, &["convert", "--to", "same", "-o", "out/", "--force"]);
        fs::read_to_string(path.join("out/genes.jsonld")).expect("it was written")
    };
    let was = files();
    assert_eq!(was, fs::read_to_string(path.join("genes.jsonld")).expect("it is there"));
    ok(path, &["graphs", "drop", "urn:own"]);
    ok(path, &["update", "-q", answers]);
    let now = files();
    let changed = was.lines().zip(now.lines()).filter(|(was, now)| was != now).collect::<Vec<_>>();
    assert!(!changed.is_empty() && changed.iter().all(|(_, now)| now.contains("\"new\"")), "{changed:#?}");
}

#[test]
fn what_nothing_says_any_more_is_left_and_can_be_dropped() {
    let folder = folder();
    let path = folder.path();
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:own> { <urn:a> <urn:p> 'mine' } }"]);
    flip(path, &file_of(path, "file", "urn:own"), 60);
    flip(path, &file_of(path, "file", "small"), 60);
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("it has no file: an update made it"), "{said}");
    assert!(said.contains("`evalgraph graphs drop urn:own` removes it"), "{said}");
    assert!(ok(path, &["graphs"]).contains("urn:own"), "what is damaged is listed");
    let said = diagnosis(path, &["--repair"], 1);
    assert!(
        said.contains("`urn:own` cannot be read from the store or from its file, and stays as it is"),
        "{said}"
    );
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("urn:own") && !said.contains("small"), "{said}");
    // With the terms damaged as well nothing is made anew while it is there.
    damage(path, "terms-");
    let before = state(path);
    let said = diagnosis(path, &["--repair"], 2);
    assert!(
        said.contains("error[store::lost-graph]") && said.contains("`evalgraph graphs drop urn:own`"),
        "{said}"
    );
    assert_eq!(state(path), before);
    ok(path, &["graphs", "drop", "urn:own"]);
    diagnosis(path, &["--repair"], 0);
    diagnosis(path, &[], 0);
    assert_eq!(run(path, &["query", "-q", "ASK { ?q s:text ?t FILTER(STRSTARTS(?t, '399 ')) }"]).0, 0);
}

#[test]
fn a_kept_text_that_is_lost_is_read_from_its_file() {
    let folder = folder();
    let path = folder.path();
    let before = content(path);
    flip(path, &file_of(path, "kept", "small"), 30);
    fails(path, &["convert", "--to", "nq"], "store::damaged");
    let said = diagnosis(path, &[], 1);
    assert!(
        said.contains("the text that was kept of `urn:evalgraph:graph:urn%3Auuid%3Asmall` is lost"),
        "{said}"
    );
    let said = diagnosis(path, &["--repair"], 0);
    assert!(said.contains("is read again"), "{said}");
    assert_eq!(content(path), before);
    ok(path, &["convert", "--to", "nq"]);
    // The graph and its text: only the file is left, and it has changed.
    flip(path, &file_of(path, "kept", "small"), 30);
    flip(path, &file_of(path, "file", "small"), 60);
    fs::write(path.join("small.jsonld"), checkpoint("small", 3)).expect("it is ours");
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("has changed since it was read") && said.contains("is not whole"), "{said}");
    assert!(said.contains("`evalgraph graphs drop urn:evalgraph:graph:urn%3Auuid%3Asmall`"), "{said}");
    diagnosis(path, &["--repair"], 1);
    ok(path, &["graphs", "drop", "urn:evalgraph:graph:urn%3Auuid%3Asmall"]);
    ok(path, &["load", "small.jsonld"]);
    diagnosis(path, &[], 0);
}

#[test]
fn terms_of_graphs_that_are_gone_go_when_asked() {
    let folder = folder();
    let path = folder.path();
    let size = || state(path).values().map(Vec::len).sum::<usize>();
    ok(path, &["graphs", "drop", "large.jsonld"]);
    let before = content(path);
    let large = size();
    let said = diagnosis(path, &[], 0);
    assert!(said.contains("bytes of text belong to removed graphs: `evalgraph doctor --compact`"), "{said}");
    diagnosis(path, &["--compact"], 0);
    assert_eq!(content(path), before);
    assert!(size() * 4 < large, "{} of {large} bytes", size());
    assert!(!diagnosis(path, &[], 0).contains("--compact"));
    let genes = fs::read_to_string(path.join("genes.jsonld")).expect("it is there");
    ok(path, &["set", "What does the Cas9 protein do?", "--answer", "It cuts"]);
    ok(path, &["graphs", "drop", "small.jsonld"]);
    let now = ok(path, &["convert", "--to", "same"]);
    // The answer, and the dates of the question and of the file.
    assert_eq!(genes.lines().zip(now.lines()).filter(|(was, now)| was != now).count(), 3, "{now}");
    // Not over damage.
    flip(path, &file_of(path, "file", "genes.jsonld"), 60);
    fails(path, &["doctor", "--compact"], "store::damaged");
}

#[test]
fn files_of_every_system_are_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ok(path, &["init"]);
    let load = |name: &str, arguments: &[&str]| {
        let file = fixture(name).display().to_string();
        ok(path, &[&["load", &file], arguments].concat());
    };
    load("rlcf/replies", &["--from", "rlcf", "--dataset", "court"]);
    load("train/support-desk.json", &["--dataset", "desk"]);
    load("train/table.csv", &[]);
    load("rlcf/tasks.yaml", &[]);
    load("karenina/p2-awkward-ids.jsonld", &["--dataset", "awkward"]);
    load("karenina/v2a-mycology.json", &[]);
    fs::write(path.join("a.ttl"), "<urn:a> <urn:p> [ <urn:q> \"x\"@en ] .").expect("the folder is ours");
    ok(path, &["load", "a.ttl"]);
    let before = content(path);
    for document in documents(path) {
        flip(path, document["file"]["name"].as_str().expect("a name"), 40);
    }
    let said = diagnosis(path, &[], 1);
    assert!(said.contains("store::damaged-graph"), "{said}");
    diagnosis(path, &["--repair"], 0);
    assert_eq!(content(path), before);
    diagnosis(path, &[], 0);
    // Although the files are where they were, nothing is new in them.
    let (_, _, stderr) = run(path, &["load", "a.ttl"]);
    assert!(stderr.contains("1 unchanged"), "{stderr}");
}

#[test]
fn files_without_a_manifest_are_not_taken_for_an_empty_store() {
    let folder = folder();
    let path = folder.path();
    let manifest = path.join(".evalgraph/manifest");
    let text = fs::read(&manifest).expect("it is there");
    fs::write(&manifest, [&text[..200], b"!", &text[201..]].concat()).expect("it is ours");
    for command in
        [&["doctor"][..], &["doctor", "--repair"], &["graphs"], &["graphs", "drop", "small.jsonld"]]
    {
        let said = fails(path, command, "store::damaged");
        assert!(said.contains("its checksum is wrong") && said.contains("put it back from a copy"), "{said}");
    }
    fs::remove_file(&manifest).expect("it is ours");
    let before = state(path);
    for command in [&["init"][..], &["load", "small.jsonld"], &["query", "-q", "ASK {}"], &["doctor"]] {
        let said = fails(path, command, "store::damaged");
        assert!(said.contains("manifest` is damaged: it is missing"), "{said}");
    }
    assert_eq!(state(path), before);
    fs::write(&manifest, text).expect("it is ours");
    diagnosis(path, &[], 0);
}
