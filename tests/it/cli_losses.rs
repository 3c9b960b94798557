//! The same losses are told by all commands that read a file: what one drops and names, all name.

use crate::cli_input::run;
use crate::fixture_files::{files_below, short};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Small files, each with a loss: a key without meaning, an id that is no IRI, a null in a list, a key
/// twice, and records with a key that their system does not have, in every syntax.
const MADE: [(&str, &str); 8] = [
    (
        "unmapped.jsonld",
        r#"{"@context": {"name": "http://schema.org/name"}, "@type": "http://schema.org/Thing", "mine": 1}"#,
    ),
    (
        "no-iri.jsonld",
        r#"{"@context": {"@vocab": "http://schema.org/"}, "@id": "a b", "@type": "Thing", "name": "x"}"#,
    ),
    (
        "null.jsonld",
        r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Thing", "name": [null, "x"]}"#,
    ),
    ("twice.jsonld", r#"{"@context": {"@vocab": "http://schema.org/"}, "name": "x", "name": "y"}"#),
    (
        "rows.json",
        r#"[{"id": "a", "question": "Why?", "answer": "So", "contexts": [], "mine": 1, "is_impossible": false}]"#,
    ),
    (
        "rows.jsonl",
        r#"{"id": "a", "question": "Why?", "answer": "So", "contexts": [], "mine": 1, "is_impossible": false}
"#,
    ),
    ("rows.csv", "id,question,answer,mine\na,Why?,So,1\n"),
    ("samples.yaml", "tasks:\n  - task_type: QA\n    mine: 1\n    input_data:\n      question: Why?\n"),
];

/// A finding: its code, line and column.
type Finding = (String, Option<u64>, Option<u64>);

/// What a command tells of the reading of a file.
fn told(folder: &Path, arguments: &[&str]) -> BTreeSet<Finding> {
    let (_, _, stderr) = run(folder, &[arguments, &["--diagnostics", "json"]].concat());
    let findings = stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let counted =
        findings.filter(|finding| finding["severity"] == "warning" || finding["severity"] == "error");
    counted
        .filter_map(|finding| {
            let code = finding["code"].as_str()?.to_owned();
            Some((code, finding["line"].as_u64(), finding["column"].as_u64()))
        })
        .collect()
}

/// Files whose values are lost to the specification and kept whole by loading: scenarios, and numbers in
/// odd places. `convert`, `canon` and `diff` tell these losses, too.
const KEPT_BY_LOADING: [&str; 3] =
    ["hostile/p2-hostile.jsonld", "karenina/p2-scenario.jsonld", "karenina/p2-dialogue.jsonld"];

#[test]
fn every_command_tells_the_same_losses() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (status, _, stderr) = run(folder.path(), &["init"]);
    assert_eq!(status, 0, "{stderr}");
    let made = MADE.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("the folder is ours");
        path
    });
    let mut with_losses = 0;
    for path in made.chain(files_below(".")).collect::<Vec<_>>() {
        let (file, name) = (path.display().to_string(), short(&path).trim_start_matches("./").to_owned());
        let query = told(folder.path(), &["query", &file, "-q", "ASK {}"]);
        with_losses += usize::from(!query.is_empty());
        for command in
            [&["stats", &file][..], &["load", &file], &["convert", &file, "--to", "nq", "--with", "catalog"]]
        {
            assert_eq!(told(folder.path(), command), query, "{name}: {command:?}");
        }
        // The sidecar has losses of its own.
        let mut same = told(folder.path(), &["convert", &file, "--to", "same"]);
        same.retain(|(code, ..)| !code.starts_with("sidecar::"));
        assert_eq!(same, query, "{name}: --to same");
        for command in [
            &["convert", &file, "--to", "nq"][..],
            &["canon", &file],
            &["diff", &file, &file, "--by", "triple"],
        ] {
            let told = told(folder.path(), command);
            assert!(told.is_superset(&query), "{name}: {command:?} {told:?} {query:?}");
            if !KEPT_BY_LOADING.contains(&name.as_str()) {
                assert_eq!(told, query, "{name}: {command:?}");
            }
        }
        // Records are read by their keys, without a graph; JSON-LD has one.
        if name.ends_with(".jsonld") {
            let figures = told(folder.path(), &["figures", &file]);
            assert!(figures.is_superset(&query), "{name}: {figures:?} {query:?}");
        }
    }
    assert!(with_losses > 20, "{with_losses}");
}
