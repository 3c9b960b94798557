//! `check` of a store: its documents by the texts that it keeps, and a note where there is none.

use std::fs;

use tempfile::TempDir;

use crate::cli::input::run;

const TEXT: &str = r#"{
  "@context": { "s": "https://schema.org/", "h": "http://schema.org/" },
  "@id": "http://example.org/set",
  "@type": "s:Dataset",
  "titel": "Cells",
  "h:nmae": "Cells"
}
"#;

/// A folder with a store that has a document.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("set.jsonld"), TEXT).expect("the folder is ours");
    for arguments in [&["init"][..], &["load", "set.jsonld"]] {
        let (status, _, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 0, "{stderr}");
    }
    folder
}

#[test]
fn a_document_is_checked_by_its_text() {
    let folder = folder();
    let of_file = run(folder.path(), &["check", "set.jsonld", "--format", "jsonl"]);
    // Loading has moved the namespace and dropped the key.
    assert!(
        of_file.1.contains("\"namespace-mixed\"") && of_file.1.contains("\"dropped-key\""),
        "{}",
        of_file.1
    );
    fs::remove_file(folder.path().join("set.jsonld")).expect("it is there");
    assert_eq!(run(folder.path(), &["check", "--format", "jsonl"]), of_file);
}

#[test]
fn a_graph_without_a_text_is_told() {
    let folder = folder();
    let insert = "INSERT DATA { GRAPH <http://example.org/g> { <urn:a> a s:Dataset ; s:nmae 'x' } }";
    let (status, _, stderr) = run(folder.path(), &["update", "-q", insert]);
    assert_eq!(status, 0, "{stderr}");
    let (status, stdout, stderr) = run(folder.path(), &["check", "--format", "jsonl"]);
    assert_eq!(status, 1, "{stderr}");
    assert_eq!(stderr.matches("note[schema-org::no-text]").count(), 1, "{stderr}");
    assert!(stdout.contains("\"node\":\"urn:a\"") && stdout.contains("\"dropped-key\""), "{stdout}");
}

#[test]
fn a_document_that_cannot_be_read_takes_nothing_from_the_others() {
    let folder = folder();
    let long = TEXT.replace("Cells", &"Cells ".repeat(100)).replace("/set", "/long");
    fs::write(folder.path().join("long.jsonld"), long).expect("the folder is ours");
    let limit = ["--max-size", "500"];
    assert_eq!(run(folder.path(), &["load", "long.jsonld"]).0, 0);
    let (status, stdout, stderr) = run(folder.path(), &[&["check"][..], &limit].concat());
    assert!(status == 2 && stderr.contains("error[input::too-large]: `long.jsonld`"), "{stderr}");
    assert!(stdout.contains("set.jsonld:5:3") && stdout.contains("1 file could not be checked"), "{stdout}");
    let (status, stdout, _) = run(folder.path(), &[&["stats", "--keep-going"][..], &limit].concat());
    assert!(status == 2 && stdout.contains("set.jsonld"), "{stdout}");
    let (status, stdout, stderr) = run(folder.path(), &[&["stats"][..], &limit].concat());
    assert!(
        status == 2 && stdout.is_empty() && stderr.contains("too-large]: `long.jsonld`"),
        "{stdout}{stderr}"
    );
}
