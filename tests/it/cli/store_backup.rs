//! Backups of a store: what is restored is what was there, and a file that is not whole changes nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use evalgraph::store::{FolderMedium, StoreFolder};

use crate::cli::input::run;
use crate::fixture_files::files_below;

/// The folders of fixtures of all systems.
pub(super) const SYSTEMS: [&str; 9] =
    ["karenina", "train", "kwanzaa", "rlcf", "chat", "every-eval-ever", "inspect", "lm-eval", "helm"];

/// Runs a command that is to succeed; stdout.
pub(super) fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

/// All quads of a store.
pub(super) fn quads(path: &Path) -> String {
    ok(path, &["dump", "--all-graphs"])
}

/// A folder with a store of all fixtures that can be read.
pub(super) fn whole_store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    ok(folder.path(), &["init"]);
    let files: Vec<String> = SYSTEMS
        .iter()
        .flat_map(|system| files_below(system))
        .map(|file| file.display().to_string())
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    // Some fixtures are faulty on purpose.
    run(folder.path(), &[&["load", "--keep-going"][..], &files].concat());
    assert!(ok(folder.path(), &["graphs"]).matches("read from").count() > 80);
    folder
}

/// A folder with a store of two small files.
pub(super) fn small_store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let fixture = crate::karenina::fixtures::path("karenina/g-ecology.jsonld");
    fs::copy(fixture, path.join("eco.jsonld")).expect("the folder is ours");
    fs::write(path.join("data.ttl"), "<urn:x:a> <urn:x:p> 1 , [ <urn:x:q> 2 ] .\n").expect("it is ours");
    ok(path, &["init"]);
    ok(path, &["load", "eco.jsonld", "data.ttl"]);
    folder
}

#[test]
fn what_is_restored_is_what_was_there() {
    let folder = whole_store();
    let path = folder.path();
    let (quads_before, graphs) = (quads(path), ok(path, &["graphs"]));
    for name in ["a.tar", "a.tar.gz", "a.tar.zst"] {
        let (status, stdout, stderr) = run(path, &["backup", name]);
        assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
        assert!(stderr.contains("note[backup::written]") && stderr.contains("checked"), "{stderr}");
        let copy = format!("of-{name}");
        ok(path, &["restore", name, "--store", &copy]);
        assert_eq!(ok(path, &["dump", "--all-graphs", "--store", &copy]), quads_before, "{name}");
        assert_eq!(ok(path, &["graphs", "--store", &copy]), graphs, "{name}");
        ok(path, &["doctor", "--store", &copy]);
    }
    // The restored store can be changed like any other.
    fs::write(path.join("more.ttl"), "<urn:x:a> <urn:x:p> 1 .\n").expect("the folder is ours");
    ok(path, &["load", "more.ttl", "--store", "of-a.tar"]);
    ok(path, &["doctor", "--store", "of-a.tar"]);
}

#[test]
fn a_backup_is_the_same_each_time_and_has_one_state() {
    let folder = small_store();
    let path = folder.path();
    ok(path, &["backup", "a.tar"]);
    ok(path, &["backup", "b.tar"]);
    let first = fs::read(path.join("a.tar")).expect("it is there");
    assert_eq!(first, fs::read(path.join("b.tar")).expect("it is there"));
    let store = StoreFolder::open(Arc::new(FolderMedium::new(path.join(".evalgraph")))).expect("it is there");
    let backup = store.backup().expect("it is whole");
    // Two changes remove the files of the first state.
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:x:g> { <urn:x:a> <urn:x:p> 3 } }"]);
    ok(path, &["graphs", "drop", "eco.jsonld"]);
    ok(path, &["graphs", "drop", "data.ttl"]);
    let mut bytes = Vec::new();
    backup.write(&mut bytes).expect("memory takes it");
    assert!(bytes == first, "it is the state of when it began");
}

/// Damages a backup in many ways: each is refused, and leaves nothing behind, or is harmless.
#[test]
fn a_damaged_backup_changes_nothing() {
    let folder = small_store();
    let path = folder.path();
    let before = quads(path);
    for name in ["a.tar", "a.tar.gz", "a.tar.zst"] {
        ok(path, &["backup", name]);
        let whole = fs::read(path.join(name)).expect("it is there");
        let flipped = (0..50).map(|case| {
            let mut bytes = whole.clone();
            bytes[case * (whole.len() - 1) / 49] ^= 1 << (case % 8);
            bytes
        });
        let cut = (0..20).map(|case| whole[..case * whole.len() / 20].to_vec());
        let longer = [[&whole[..], b"more"].concat()];
        for (case, bytes) in flipped.chain(cut).chain(longer).enumerate() {
            fs::write(path.join("damaged"), bytes).expect("the folder is ours");
            let (status, stdout, stderr) = run(path, &["restore", "damaged", "--store", "new/copy"]);
            assert_eq!(stdout, "");
            if status == 0 {
                assert_ne!(name, "a.tar", "{case}: each byte of a plain archive counts");
                assert_eq!(
                    ok(path, &["dump", "--all-graphs", "--store", "new/copy"]),
                    before,
                    "{name} {case}"
                );
                fs::remove_dir_all(path.join("new")).expect("the folder is ours");
                continue;
            }
            assert_eq!(status, 2, "{name} {case}: {stderr}");
            assert!(stderr.contains("error[restore::damaged]"), "{name} {case}: {stderr}");
            assert!(!path.join("new").exists(), "{name} {case}: nothing is left");
            if case % 10 == 0 {
                let (status, _, stderr) = run(path, &["restore", "damaged", "--force"]);
                assert_eq!(status, 2, "{name} {case}: {stderr}");
                assert_eq!(quads(path), before, "{name} {case}");
            }
        }
    }
    ok(path, &["doctor"]);
}

#[test]
fn a_store_is_replaced_only_on_request_and_can_be_brought_back() {
    let folder = small_store();
    let path = folder.path();
    ok(path, &["backup", "a.tar.zst"]);
    let of_backup = quads(path);
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:x:g> { <urn:x:a> <urn:x:p> 3 } }"]);
    let changed = quads(path);
    let (status, _, stderr) = run(path, &["restore", "a.tar.zst"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[restore::exists]") && stderr.contains("--force"), "{stderr}");
    assert_eq!(quads(path), changed);
    ok(path, &["restore", "a.tar.zst", "--force"]);
    assert_eq!(quads(path), of_backup);
    ok(path, &["undo"]);
    assert_eq!(quads(path), changed);
    ok(path, &["doctor"]);
    // A store without a usable manifest is replaced as well.
    fs::write(path.join(".evalgraph/manifest"), "nonsense").expect("the folder is ours");
    assert_eq!(run(path, &["restore", "a.tar.zst"]).0, 2);
    ok(path, &["restore", "a.tar.zst", "--force"]);
    assert_eq!(quads(path), of_backup);
    ok(path, &["doctor"]);
    // An empty store has nothing to lose.
    ok(path, &["init", "empty"]);
    ok(path, &["restore", "a.tar.zst", "--store", "empty"]);
}

#[test]
fn what_cannot_be_backed_up_or_restored_is_said() {
    let folder = small_store();
    let path = folder.path();
    for (arguments, code) in [
        (&["restore", "nowhere.tar"][..], "input::unreadable"),
        (&["restore", "data.ttl", "--store", "new"], "restore::damaged"),
        (&["restore", ".", "--store", "new"], "input::unreadable"),
        (&["backup", "nowhere/a.tar"], "output::unwritable"),
        (&["backup", "a.tar", "--store", "nowhere"], "store::"),
    ] {
        let (status, _, stderr) = run(path, arguments);
        assert_eq!(status, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}")), "{arguments:?}: {stderr}");
    }
    assert!(!path.join("new").exists());
    // A damaged store is not backed up, and an older backup stays.
    ok(path, &["backup", "a.tar"]);
    let before = fs::read(path.join("a.tar")).expect("it is there");
    let names = fs::read_dir(path.join(".evalgraph")).expect("it is there");
    let mut names = names.map(|entry| entry.expect("it is readable").path());
    let segment = names.find(|path| path.to_string_lossy().contains("graphs-")).expect("there is one");
    let mut bytes = fs::read(&segment).expect("it is readable");
    bytes[40] ^= 1;
    fs::write(segment, bytes).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["backup", "a.tar"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[store::damaged]"), "{stderr}");
    assert!(fs::read(path.join("a.tar")).expect("it is there") == before);
}
