//! `check` over metadata of Croissant: both sets of rules, each finding at its line, ids as the document has them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::run;
use crate::schema_org::croissant::changes::{Change, OF_FIXTURES};

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/croissant")
}

/// A folder with the changed documents, by their numbers.
fn changed() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (number, change) in OF_FIXTURES.iter().enumerate() {
        let text = serde_json::to_string_pretty(&change.made(&fixtures())).expect("it is JSON");
        fs::write(folder.path().join(name(number)), text).expect("the folder is ours");
    }
    folder
}

fn name(number: usize) -> String {
    format!("{number:02}.json")
}

/// A finding as the table of changes writes it.
fn row(finding: &Value) -> String {
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let node = match text("node") {
        node if node.starts_with("[") => "_:".to_owned(),
        node => node,
    };
    let suggest = finding["suggest"].as_str().map(|name| format!("> {name}")).unwrap_or_default();
    let parts = [text("code"), node, text("property"), text("term"), suggest];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{} @ {}", parts.join(" "), text("pointer"))
}

#[test]
fn metadata_that_are_right_conform_to_both() {
    let (status, stdout, stderr) =
        run(&fixtures(), &["check", "owls-1.1.json", "tides-1.0.json", "--strict"]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let first = "owls-1.1.json: conforms to schema.org and Croissant (JSON-LD)";
    assert!(stdout.starts_with(first), "{stdout}");
}

/// The documents have no base: their ids are relative.
#[test]
fn each_change_is_found_at_its_line() {
    let folder = changed();
    let (_, stdout, _) = run(folder.path(), &["check", ".", "--format", "jsonl"]);
    let found: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let complaint = |(number, change): (usize, &Change)| {
        let of_file = found
            .iter()
            .filter(|finding| finding["file"].as_str().is_some_and(|file| file.ends_with(&name(number))));
        let mut rows: Vec<String> = of_file.clone().map(row).collect();
        rows.sort();
        let has_lines = of_file.clone().all(|finding| finding["line"].is_u64());
        (rows != change.finds || !has_lines).then(|| format!("{}: {rows:#?}", change.name))
    };
    let complaints: Vec<String> = OF_FIXTURES.iter().enumerate().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_rule_has_its_level_its_section_and_its_explanation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(fixtures().join("tides-1.0.json")).expect("it is there");
    let path = folder.path().join("tides.json");
    fs::write(&path, text.replace("\"sha256\": \"3b\"", "").replace("3b0d1ce9", "x")).expect("it is ours");
    let (status, stdout, _) = run(folder.path(), &["check", "tides.json"]);
    assert_eq!(status, 0, "{stdout}");
    let page = "see https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html#checksums";
    assert!(stdout.contains("croissant-checksum warning") && stdout.contains(page), "{stdout}");
    let (status, stdout, _) =
        run(folder.path(), &["check", "tides.json", "--level", "croissant-checksum=error"]);
    assert_eq!(status, 1, "{stdout}");
    let (status, stdout, _) = run(folder.path(), &["explain", "croissant-checksum"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("croissant-checksum (warning; `check`, Croissant)"), "{stdout}");
    let (_, sarif, _) = run(folder.path(), &["check", "tides.json", "--format", "sarif"]);
    assert!(sarif.contains("croissant-spec-1.1.html#checksums"), "{sarif}");
}

#[test]
fn rules_of_croissant_are_none_of_other_documents() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = r#"{"@context": "https://schema.org", "@type": "Dataset", "@id": "set",
        "description": "Made from http://mlcommons.org/croissant/1.1 metadata."}"#;
    fs::write(folder.path().join("set.json"), text).expect("the folder is ours");
    let (_, json, _) = run(folder.path(), &["check", "set.json", "--format", "json"]);
    assert!(!json.contains("croissant-") && json.contains("relative-iri"), "{json}");
}
