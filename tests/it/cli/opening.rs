//! One way to open a file: what is named is read, once, and counted alike by all commands.

use crate::cli::input::run;
use crate::fixture_files::{files_below, short};
use crate::share::one_of;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const DOCUMENT: &str = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Thing", "name": "x"}"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("data")).expect("the folder is ours");
    fs::write(folder.path().join("data/a.jsonld"), DOCUMENT).expect("the folder is ours");
    folder
}

const COUNT: &str = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let folder = folder();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.jsonld", folder.path().join("data/link.jsonld"))
        .expect("the folder is ours");
    for (inputs, note) in [
        (&["data/a.jsonld", "data/a.jsonld"][..], "the file is named twice, but read only once"),
        (
            &["data/a.jsonld", "data/../data/a.jsonld"],
            "the file is the same as `data/a.jsonld`, and is read only once",
        ),
        #[cfg(unix)]
        (&["data"], "the file is the same as `data/a.jsonld`, and is read only once"),
    ] {
        let (status, stdout, stderr) = run(folder.path(), &[&["query"], inputs, &["-q", COUNT]].concat());
        assert_eq!((status, stdout.as_str()), (0, "n\r\n2\r\n"), "{inputs:?}: {stderr}");
        assert!(stderr.contains("note[input::twice]") && stderr.contains(note), "{stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["init"]);
    assert_eq!(status, 0, "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["load", "data/a.jsonld", "./data/a.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("loaded 1 new: 2 quads"), "{stderr}");
}

#[test]
fn files_beside_a_named_store_are_refused() {
    let folder = folder();
    let (status, _, stderr) = run(folder.path(), &["init", "st"]);
    assert_eq!(status, 0, "{stderr}");
    for command in [
        &["query", "-q", COUNT][..],
        &["stats"],
        &["convert", "--to", "nq"],
        &["canon"],
        &["validate"],
        &["check"],
        &["figures"],
    ] {
        let arguments = [command, &["data/a.jsonld", "--store", "st"]].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{command:?}");
        assert!(stderr.contains("error[input::store]"), "{command:?}: {stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["load", "data/a.jsonld", "--store", "st"]);
    assert_eq!(status, 0, "{stderr}");
}

/// `stats`, `load`, `query` and `graphs` say how many quads a file has.
#[test]
fn stats_load_query_and_graphs_count_alike() {
    for path in files_below(".").into_iter().step_by(one_of(2)) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = path.display().to_string();
        let (status, stdout, _) = run(folder.path(), &["stats", &file, "--format", "json"]);
        if status != 0 {
            continue;
        }
        let stats: Value = serde_json::from_str(&stdout).expect("it is JSON");
        let counted = stats[0]["quads"].as_u64().expect("a number");
        let name = short(&path);
        run(folder.path(), &["init"]);
        let (status, _, stderr) = run(folder.path(), &["load", &file, "--diagnostics", "json"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        let quads = if counted >= 1000 {
            format!("{},{:03}", counted / 1000, counted % 1000)
        } else {
            counted.to_string()
        };
        assert!(stderr.contains(&format!("loaded 1 new: {quads} quads\"")), "{name}: {counted} {stderr}");
        let (_, stdout, _) = run(folder.path(), &["graphs", "--format", "json"]);
        let graphs: Value = serde_json::from_str(&stdout).expect("it is JSON");
        assert_eq!(graphs[0]["quads"].as_u64(), Some(counted), "{name}");
        for inputs in [&[file.as_str()][..], &[]] {
            let arguments = [&["query"], inputs, &["-q", COUNT, "--format", "csv"]].concat();
            let (_, stdout, stderr) = run(folder.path(), &arguments);
            assert_eq!(stdout, format!("n\r\n{counted}\r\n"), "{name} {inputs:?}: {stderr}");
        }
    }
}
