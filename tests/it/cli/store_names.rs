//! Documents of the store keep the names that their datasets have there, whatever command reads them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::karenina::fixtures::path as fixture;
use crate::store::edges::ok;

/// What `stats` calls the datasets.
fn datasets(path: &Path, arguments: &[&str]) -> BTreeSet<String> {
    let (_, stdout, stderr) = run(path, &[&["stats", "--format", "json"], arguments].concat());
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let mut names = BTreeSet::new();
    let mut rest = vec![&found];
    while let Some(value) = rest.pop() {
        names.extend(value["dataset"].as_str().map(str::to_owned));
        rest.extend(value.as_array().into_iter().flatten());
        rest.extend(value.as_object().into_iter().flat_map(|object| object.values()));
    }
    names
}

/// The datasets that the store has.
fn stored(path: &Path) -> BTreeSet<String> {
    let list: serde_json::Value =
        serde_json::from_str(&ok(path, &["graphs", "--format", "json"])).expect("it is JSON");
    let names = list.as_array().expect("a list").iter().map(|entry| entry["dataset"].as_str());
    names.map(|name| name.expect("a name").to_owned()).collect()
}

/// The store, and its documents read as files, say the same quads in the same graphs.
fn agrees(path: &Path) {
    assert_eq!(datasets(path, &[]), stored(path));
    fs::write(path.join("dump.nq"), ok(path, &["dump", "--all-graphs"])).expect("the folder is ours");
    let converted = ok(path, &["convert", "--with", "catalog", "--to", "nq"]);
    // When and from where a file was read is not what it says.
    let is_of_file = |line: &&str| {
        !["prov#", "sha256", "dateTime", "path", "byteSize", "graph:sidecar:"]
            .iter()
            .any(|part| line.contains(part))
    };
    let lines =
        |text: &str| text.lines().filter(is_of_file).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(path.join("files.nq"), lines(&converted)).expect("the folder is ours");
    let dump = fs::read_to_string(path.join("dump.nq")).expect("it is there");
    fs::write(path.join("dump.nq"), lines(&dump)).expect("the folder is ours");
    let (status, stdout, stderr) = run(path, &["diff", "dump.nq", "files.nq"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}

#[test]
fn a_name_that_was_given_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ok(path, &["init"]);
    fs::copy(fixture("karenina/p2-genomics.jsonld"), path.join("genes.jsonld")).expect("it is there");
    fs::copy(fixture("train/support-desk.json"), path.join("rows.json")).expect("it is there");
    ok(path, &["load", "genes.jsonld", "--dataset", "My genes"]);
    ok(path, &["load", "rows.json", "--dataset", "desk/2"]);
    assert_eq!(stored(path), ["My genes", "desk/2"].map(str::to_owned).into());
    agrees(path);
    let nodes = ok(path, &["convert", "--to", "nq"]);
    assert!(
        nodes.contains("<urn:evalgraph:train:desk%2F2:") && !nodes.contains("<urn:evalgraph:train:rows:"),
        "{nodes}"
    );
    // Said anew, the name is another one for this command.
    assert!(datasets(path, &["--dataset", "other"]).contains("other"));
    // So it is after an update.
    ok(
        path,
        &[
            "update",
            "-q",
            "DELETE { GRAPH ?g { ?a s:text ?t } } INSERT { GRAPH ?g { ?a s:text 'new' } } \
        WHERE { GRAPH ?g { ?q s:acceptedAnswer ?a . ?a s:text ?t } }",
        ],
    );
    agrees(path);
    ok(path, &["load", "rows.json", "genes.jsonld", "--replace"]);
}

#[test]
fn a_name_that_was_made_of_another_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ok(path, &["init"]);
    fs::create_dir(path.join("old")).expect("the folder is ours");
    fs::copy(fixture("train/support-desk.json"), path.join("desk.json")).expect("it is there");
    let text = fs::read_to_string(path.join("desk.json")).expect("it is there");
    fs::write(path.join("old/desk.json"), text.replacen("TRAIN", "OLD", 1)).expect("the folder is ours");
    ok(path, &["load", "old/desk.json"]);
    ok(path, &["load", "desk.json"]);
    let names = stored(path);
    assert!(names.contains("desk") && names.iter().any(|name| name.starts_with("desk-")), "{names:?}");
    agrees(path);
    ok(path, &["graphs", "drop", "old/desk.json"]);
    assert_eq!(stored(path).len(), 1);
    // The first name is free again, and the one that is left is still the one that was made.
    agrees(path);
}

#[test]
fn parts_of_a_dataset_stay_parts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ok(path, &["init"]);
    let replies = fixture("rlcf/replies").display().to_string();
    ok(path, &["load", &replies, "--from", "rlcf", "--dataset", "court"]);
    // One of the files is not part of it, and has a name of its own.
    assert_eq!(stored(path).len(), 2);
    assert!(ok(path, &["graphs"]).contains("urn:evalgraph:graph:court/users/all\n"));
    agrees(path);
}
