//! The same losses are told by all commands that read a file: what one drops and names, all name.

use crate::cli::input::run;
use crate::fixture_files::{files_below, short};
use crate::share::one_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Small files, each with a loss: a key without meaning, an id that is not an IRI, a null in a list, a key
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
    for path in made.chain(files_below(".").into_iter().step_by(one_of(3))).collect::<Vec<_>>() {
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
    assert!(with_losses * one_of(3) > 20, "{with_losses}");
}

/// A format that has no place for a triple: whoever writes it says so, and with `--strict` writes nothing.
#[test]
fn what_a_format_cannot_hold_is_told_by_all_that_write_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let triples = "<http://e/a> <http://e/p> \"a\\u0001b\" .\n<http://e/a> <http://e/1> \"x\" .\n";
    fs::write(path.join("c.nq"), triples).expect("the folder is ours");
    let construct = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }";
    for command in [
        &["convert", "c.nq", "--to", "rdfxml"][..],
        &["query", "c.nq", "-q", construct, "--format", "rdfxml"],
        &["query", "c.nq", "-q", "DESCRIBE ?s { ?s ?p ?o }", "--format", "rdfxml"],
        &["update", "c.nq", "-q", "DELETE DATA { <http://e/x> <http://e/x> 1 }", "--to", "rdfxml"],
    ] {
        let (status, stdout, stderr) = run(path, command);
        assert_eq!(
            (status, stderr.matches("warning[convert::left-out]").count()),
            (0, 2),
            "{command:?}: {stderr}"
        );
        assert!(stdout.contains("</rdf:RDF>"), "{command:?}: {stdout}");
        let (status, stdout, stderr) = run(path, &[command, &["--strict"]].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{command:?}: {stderr}");
    }
}

/// A file whose records are told by a key that an update takes away: the options that read it are told.
#[test]
fn a_file_that_nothing_tells_any_more_is_told_with_what_reads_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let file = crate::karenina::fixtures::path("rlcf/accountability_reports.json");
    fs::copy(file, path.join("accountability_reports.json")).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["convert", "accountability_reports.json", "--to", "same"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let update = "DELETE WHERE { ?report eg:cycleStart ?start }";
    let (status, _, stderr) =
        run(path, &["update", "accountability_reports.json", "-q", update, "--to", "same", "-o", "out.json"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("note[sidecar::untold]"), "{stderr}");
    let (_, told) = stderr.split_once("read it with ").expect("the options are told");
    let options: Vec<&str> =
        told.split('`').skip(1).step_by(2).take(2).flat_map(|option| option.split(' ')).collect();
    assert!(run(path, &["stats", "out.json"]).2.contains("input::unknown"));
    let (status, stdout, stderr) = run(path, &[&["stats", "out.json"], &options[..]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("rlcf/AccountabilityReport records"), "{stdout}");
}

/// A member that nobody knows, in any object of a file of version 2.0, is in the graph or told.
#[test]
fn an_unknown_member_of_version_2_is_in_the_graph_or_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["karenina/v2a-mycology.json", "karenina/v2b-meteorology.json", "karenina/v2c-oceans.json"] {
        let text = fs::read_to_string(crate::karenina::fixtures::path(name)).expect("the file is there");
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        let mut pointers = Vec::new();
        objects(&value, String::new(), &mut pointers);
        let mut silent = Vec::new();
        for pointer in pointers {
            let mut marked = value.clone();
            let object = marked.pointer_mut(&pointer).and_then(Value::as_object_mut).expect("it is there");
            object.insert("MARK".to_owned(), serde_json::json!([{"name": "x"}]));
            fs::write(folder.path().join("marked.json"), marked.to_string()).expect("the folder is ours");
            let (_, stdout, stderr) = run(folder.path(), &["convert", "marked.json", "--to", "nq", "-v"]);
            // In `checkpoint` it would be a question, and is told as one.
            if !stdout.contains("MARK") && !stderr.contains("MARK") {
                silent.push(pointer);
            }
        }
        assert_eq!(silent, [""; 0], "{name}");
    }
}

/// The JSON Pointers of the objects in a value.
fn objects(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                objects(value, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
            found.push(pointer);
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| objects(item, format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}
