//! Checkpoints that are loaded into the store piece by piece, and what the catalog says of them: the same as
//! of whole files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::input::run;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina");
    let files =
        fs::read_dir(folder).expect("there are fixtures").map(|file| file.expect("it is there").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

/// Loads a file into a store of its own and says all that stands in it, but for the time.
fn dump(folder: &Path, name: &str, file: &str, options: &[&str]) -> String {
    let store = ["--store", name];
    assert_eq!(run(folder, &["init", name]).0, 0);
    let (status, _, stderr) = run(folder, &[&["load", file][..], &store, options].concat());
    assert_eq!(status, 0, "{file}: {stderr}");
    let (status, quads, stderr) = run(folder, &[&["dump", "--all-graphs"][..], &store].concat());
    assert_eq!(status, 0, "{file}: {stderr}");
    let (status, _, stderr) = run(folder, &[&["doctor"][..], &store].concat());
    assert_eq!(status, 0, "{file}: {stderr}");
    let (status, same, stderr) = run(folder, &[&["convert", "--to", "same"][..], &store].concat());
    assert_eq!(status, 0, "{file}: {stderr}");
    assert!(
        same == run(folder, &["convert", file, "--to", "same"]).1,
        "{file}: the text of the file is kept"
    );
    quads_but_time(&quads)
}

fn quads_but_time(quads: &str) -> String {
    let lines = quads.lines().filter(|line| !line.contains("#generatedAtTime>"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn pieces_and_whole_files_are_one_store_and_one_catalog() {
    let mut seen = 0;
    for fixture in fixtures() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        let file = fixture.file_name().expect("it has a name").to_string_lossy().into_owned();
        fs::copy(&fixture, path.join(&file)).expect("the folder is ours");
        let (status, of_file, _) = run(path, &["convert", &file, "--with", "catalog", "--to", "nq"]);
        if status != 0 {
            continue;
        }
        fs::write(path.join("file.nq"), quads_but_time(&of_file)).expect("the folder is ours");
        let stores: [(&str, &[&str]); 2] = [("whole", &[]), ("pieces", &["--in-pieces-of", "1"])];
        for (name, options) in stores {
            let quads = dump(path, name, &file, options);
            fs::write(path.join("store.nq"), quads).expect("the folder is ours");
            let (status, difference, _) = run(path, &["diff", "file.nq", "store.nq"]);
            assert_eq!(status, 0, "{file}, {name}: {difference}");
        }
        seen += 1;
    }
    assert!(seen > 15, "{seen} fixtures are checkpoints");
}

#[test]
fn a_question_that_stands_in_two_pieces_counts_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina/s1-astronomy.jsonld");
    let text = fs::read_to_string(fixture).expect("it is there");
    let mut checkpoint: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let items = checkpoint["hasPart"].as_array_mut().expect("it has items");
    let (first, count) = (items[0].clone(), items.len());
    items.push(first);
    fs::write(path.join("twice.jsonld"), checkpoint.to_string()).expect("the folder is ours");
    let query = "SELECT ?n { GRAPH <urn:evalgraph:graph:catalog> { ?file eg:questionCount ?n } }";
    for (name, options) in [("whole", &[][..]), ("pieces", &["--in-pieces-of", "1"])] {
        assert_eq!(run(path, &["init", name]).0, 0);
        let load = [&["load", "twice.jsonld", "--store", name][..], options].concat();
        let (status, _, stderr) = run(path, &load);
        assert_eq!(status, 0, "{stderr}");
        let (_, stdout, stderr) = run(path, &["query", "--store", name, "-q", query]);
        assert_eq!(stdout, format!("n\r\n{count}\r\n"), "{name}: {stderr}");
    }
}
