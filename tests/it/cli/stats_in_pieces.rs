//! `stats` over files of records that are read in pieces: the same figures as of the whole file, and the
//! limit on size is on one record.

use crate::cli::input::{evalgraph, run};
use crate::karenina::fixtures::path;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const SYSTEMS: [&str; 9] =
    ["train", "kwanzaa", "rlcf", "results", "chat", "every-eval-ever", "inspect", "lm-eval", "helm"];

/// The JSON files below a folder, by the folder that they lie in.
fn files(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<String>>) {
    let entries = fs::read_dir(folder).expect("the fixtures are there");
    let paths: BTreeSet<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json" || extension == "jsonl") {
            found.entry(folder.to_owned()).or_default().push(path.display().to_string());
        }
    }
}

/// What stderr says without the lines of the file that it shows: of a piece it shows less.
fn messages(stderr: &str) -> BTreeSet<&str> {
    stderr.lines().filter(|line| !line.contains(" | ") && !line.trim_end().ends_with('|')).collect()
}

#[test]
fn every_fixture_has_the_same_figures_in_pieces() {
    let mut folders = BTreeMap::new();
    for system in SYSTEMS {
        files(&path(system), &mut folders);
    }
    assert!(folders.len() > 8, "{folders:?}");
    for files in folders.values() {
        let stats = |extra: &[&str]| {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let arguments =
                [&["stats", "--keep-going", "--explain", "--format", "json"], extra, &files].concat();
            run(Path::new("."), &arguments)
        };
        let (status, whole, stderr) = stats(&[]);
        for size in ["1", "700"] {
            let (in_pieces, figures, told) = stats(&["--in-pieces-of", size]);
            assert_eq!((in_pieces, &figures), (status, &whole), "{files:?} in pieces of {size}: {told}");
            assert_eq!(messages(&told), messages(&stderr), "{files:?} in pieces of {size}");
        }
    }
}

/// Rows with everything that is counted over the whole file: ids that come again, documents that rows
/// share, keys without a meaning, keys that stand twice, keys of services.
fn awkward_rows() -> Vec<String> {
    let mut rows = Vec::new();
    for row in 0..40 {
        let (id, document) = (row % 13, row % 3);
        let mut text = format!(
            "{{\"id\": {id}, \"question\": \"Q {row}?\", \"answer\": \"A\", \"is_impossible\": {}, \
             \"contexts\": [{{\"filename\": \"d{document}.txt\", \"text\": \"t{row}\"}}]",
            row % 5 == 0
        );
        if row % 7 == 3 {
            let _ = write!(text, ", \"note{}\": 1, \"answer\": \"B\"", row % 2);
        }
        if row % 11 == 5 {
            text.push_str(", \"api_key\": \"sk-1\"");
        }
        rows.push(text + "}");
    }
    rows
}

#[test]
fn what_is_counted_over_the_whole_file_is_the_same_in_pieces() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = awkward_rows();
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("a vector takes everything");
        encoder.finish().expect("a vector takes everything")
    };
    let lines = rows.join("\n");
    let files = [
        ("a.json", format!("\u{feff}[\n  {}\n]\n", rows.join(",\n  ")).into_bytes()),
        ("b.jsonl", lines.clone().into_bytes()),
        ("c.jsonl.gz", gzip(&lines)),
        ("d.jsonl.zst", zstd::encode_all(lines.as_bytes(), 1).expect("a vector takes everything")),
    ];
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("the folder is ours");
        let (status, whole, stderr) = run(folder.path(), &["stats", name]);
        assert_eq!(status, 0, "{stderr}");
        assert!(
            whole.contains("rows                40\n") && whole.contains("documents           3\n"),
            "{whole}"
        );
        for size in ["1", "500", "1MiB"] {
            let (status, figures, told) = run(folder.path(), &["stats", name, "--in-pieces-of", size]);
            assert_eq!((status, &figures), (0, &whole), "{told}");
            assert_eq!(messages(&told), messages(&stderr), "{name} in pieces of {size}");
        }
    }
    let output = evalgraph(folder.path())
        .args(["stats", "-", "--in-pieces-of", "300", "--dataset", "b"])
        .write_stdin(lines)
        .output()
        .expect("the program starts");
    let figures = String::from_utf8(output.stdout).expect("the program speaks UTF-8");
    let (_, whole, _) = run(folder.path(), &["stats", "b.jsonl"]);
    assert_eq!(figures.split_once('\n').map(|(_, rest)| rest), whole.split_once('\n').map(|(_, rest)| rest));
}

#[test]
fn a_fault_in_a_later_piece_has_its_place_and_shows_no_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rows = awkward_rows();
    rows[30] = "{\"id\": 30, \"question\": nul}".to_owned();
    fs::write(folder.path().join("a.jsonl"), rows.join("\n")).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["stats", "a.jsonl", "--in-pieces-of", "400"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("a.jsonl:31:24: error[json::bare-word]"), "{stderr}");
    assert!(!stderr.contains("nul}") && !stderr.contains("sk-1"), "{stderr}");
}

#[test]
fn lists_that_would_have_to_be_read_twice_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = fs::read_to_string(path("kwanzaa/variants.json")).expect("the fixture is there");
    let mut dataset: serde_json::Value = serde_json::from_str(&sample).expect("the fixture is JSON");
    let samples = dataset["samples"].take().to_string();
    let second = "[{\"sample_id\": \"z\", \"expected_output\": {}}]";
    let text = format!("{{\"samples\": {samples}, \"samples\": {second}}}");
    fs::write(folder.path().join("a.json"), text).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["stats", "a.json", "--in-pieces-of", "400"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(
        stderr.contains("the key has a second list, but a file of this size is read only once"),
        "{stderr}"
    );
}

#[test]
fn requests_before_things_are_things_in_pieces() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let requests = fs::read_to_string(path("rlcf/requests/ratings.json")).expect("the fixture is there");
    let things = fs::read_to_string(path("rlcf/ratings.json")).expect("the fixture is there");
    let list = |text: &str| text.trim().trim_start_matches('[').trim_end_matches(']').trim().to_owned();
    let text = format!("[{},{}]", list(&requests), list(&things));
    fs::write(folder.path().join("ratings.json"), text).expect("the folder is ours");
    let (status, whole, stderr) = run(folder.path(), &["stats", "ratings.json"]);
    assert_eq!(status, 0, "{stderr}");
    let (status, figures, stderr) = run(folder.path(), &["stats", "ratings.json", "--in-pieces-of", "1"]);
    assert_eq!((status, figures), (0, whole), "{stderr}");
}

#[test]
fn the_limit_on_size_is_on_one_record() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = awkward_rows();
    fs::write(folder.path().join("a.json"), format!("[{}]", rows.join(","))).expect("the folder is ours");
    fs::write(folder.path().join("b.jsonl"), rows.join("\n")).expect("the folder is ours");
    fs::write(folder.path().join("c.jsonld"), format!("{{\"@id\": \"{}\"}}", "x".repeat(900)))
        .expect("the folder is ours");
    let commands: [&[&str]; 5] = [
        &["stats"],
        &["stats", "--in-pieces-of", "100"],
        &["query", "-q", "ASK { ?s ?p ?o }"],
        &["validate", "--profile", "code"],
        &["convert", "--to", "nt"],
    ];
    for command in commands {
        for file in ["a.json", "b.jsonl"] {
            let arguments = [command, &[file, "--max-size", "300"]].concat();
            let (status, _, stderr) = run(folder.path(), &arguments);
            assert!(status < 2, "{arguments:?}: {stderr}");
            let arguments = [command, &[file, "--max-size", "150"]].concat();
            let (status, _, stderr) = run(folder.path(), &arguments);
            assert_eq!(status, 2, "{arguments:?}");
            assert!(stderr.contains("error[json::size]: the record"), "{arguments:?}: {stderr}");
        }
    }
    let (status, _, stderr) = run(folder.path(), &["stats", "c.jsonld", "--max-size", "300"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[input::too-large]: `c.jsonld` contains more than 300 bytes"), "{stderr}");
}
