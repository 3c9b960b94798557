//! Stores of other versions of the program: earlier ones are read and go on, later ones are refused.

use std::fs;
use std::path::Path;

use crate::fixture_files::root;
use crate::store::edges::{fails, ok, state};
use crate::store::medium::{files_of, put_files};

/// The version of the stores that are written.
const VERSION: u32 = 4;

/// A folder with a store that an earlier version has made.
fn folder(version: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join(".evalgraph");
    fs::create_dir(&store).expect("the folder is ours");
    put_files(&store, &files_of(&root().join(format!("stores/version-{version}"))));
    folder
}

/// The version in the manifest.
fn version(path: &Path) -> u32 {
    let manifest = fs::read_to_string(path.join(".evalgraph/manifest")).expect("it is there");
    manifest.split(' ').nth(1).and_then(|version| version.parse().ok()).expect("it has a version")
}

/// The versions of the other files.
fn versions_of_files(path: &Path) -> Vec<u8> {
    let files = state(path);
    files.iter().filter(|(name, _)| name.contains('-')).map(|(_, content)| content[8]).collect()
}

fn dump(path: &Path) -> Vec<String> {
    let dump = ok(path, &["dump", "--all-graphs"]);
    let mut quads: Vec<String> =
        dump.lines().filter(|quad| !quad.contains("_:")).map(str::to_owned).collect();
    quads.sort();
    quads
}

#[test]
fn stores_of_earlier_versions_are_read_and_go_on() {
    for (earlier, quads, last) in [
        (1, 2855, "<urn:owl:study>"),
        (2, 2, "<urn:owl:99> <http://schema.org/name> \"owl 99\" <urn:evalgraph:graph:99> ."),
        (3, 600, "<urn:owl:owl7> <urn:owl:called> \"Eule 7\"@de <urn:evalgraph:graph:owls> ."),
    ] {
        let folder = folder(earlier);
        let path = folder.path();
        let (before, files) = (dump(path), state(path));
        assert_eq!((before.len(), version(path)), (quads, earlier));
        assert!(before.iter().any(|quad| quad.contains(last)), "{before:?}");
        ok(path, &["doctor"]);
        ok(path, &["query", "-q", "SELECT * { ?s ?p ?o }"]);
        assert_eq!(state(path), files, "reading leaves a store as it is");
        // A change leaves the files of other documents as they are.
        fs::write(path.join("new.ttl"), "<urn:owl:new> <urn:owl:hears> <urn:owl:99> .").expect("it is ours");
        ok(path, &["load", "new.ttl"]);
        assert_eq!(version(path), VERSION);
        let versions = versions_of_files(path);
        assert!(versions.contains(&if earlier < 3 { 1 } else { 2 }) && versions.contains(&3), "{versions:?}");
        let after = dump(path);
        assert!(after.len() == quads + 1 && before.iter().all(|quad| after.contains(quad)), "{after:?}");
        ok(path, &["doctor"]);
        ok(path, &["doctor", "--compact"]);
        let graphs = |(name, content): (&String, &Vec<u8>)| name.starts_with("graphs-").then(|| content[8]);
        assert!(state(path).iter().filter_map(graphs).all(|version| version == 3));
        assert_eq!(dump(path), after);
    }
}

#[test]
fn damage_of_a_store_of_an_earlier_version_is_found() {
    let folder = folder(1);
    let path = folder.path();
    let whole = files_of(&path.join(".evalgraph"));
    let graphs = whole.keys().find(|name| name.starts_with("graphs-")).expect("it is there");
    // In each of the two blocks, their checksums, the sections and the end; in the version, too.
    for place in [8, 100, 65_600, whole[graphs].len() - 500, whole[graphs].len() - 30] {
        let mut harmed = whole.clone();
        harmed.entry(graphs.clone()).and_modify(|content| content[place] ^= 3);
        put_files(&path.join(".evalgraph"), &harmed);
        fails(path, &["dump"], "store::damaged");
    }
}

#[test]
fn a_store_of_a_later_version_is_refused() {
    let folder = folder(1);
    let path = folder.path();
    let manifest = path.join(".evalgraph/manifest");
    let text = fs::read_to_string(&manifest).expect("it is there");
    fs::write(&manifest, text.replacen(" 1 ", " 5 ", 1)).expect("it is ours");
    fs::write(path.join("new.ttl"), "<urn:a> <urn:b> <urn:c> .").expect("the folder is ours");
    let before = state(path);
    for command in [&["dump"][..], &["load", "new.ttl"], &["doctor"], &["doctor", "--repair"]] {
        let said = fails(path, command, "store::version");
        assert!(said.contains("has version 5") && said.contains("use a newer evalgraph"), "{said}");
        assert_eq!(state(path), before);
    }
}
