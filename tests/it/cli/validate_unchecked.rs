//! `validate` over files of which some cannot be read: the others are reported, and every form of the report tells.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::run;
use crate::cli::report_schemas::{hold_junit, hold_keys, hold_sarif, list};
use crate::karenina::fixtures::path;

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <http://schema.org/> .
<urn:x:Question> a sh:NodeShape ; sh:targetClass s:Question ; sh:property <urn:x:short> .
<urn:x:short> sh:path s:text ; sh:maxLength 3000 .
";

/// A folder with a checkpoint that conforms, one that does not end, and shapes.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = fs::read(path("karenina/p2-genomics.jsonld")).expect("the fixture can be read");
    fs::write(folder.path().join("good.jsonld"), good).expect("the folder is ours");
    fs::write(folder.path().join("broken.jsonld"), "{\n  \"name\": ").expect("the folder is ours");
    fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("the folder is ours");
    folder
}

const RULES: &[&str] = &["validate", "broken.jsonld", "good.jsonld", "nowhere.jsonld"];
const BY_SHAPES: &[&str] =
    &["validate", "broken.jsonld", "good.jsonld", "nowhere.jsonld", "--shapes", "shapes.ttl"];

/// Runs a validation that reports in a form.
fn report(arguments: &[&str], form: &str) -> String {
    let folder = folder();
    let (status, stdout, stderr) = run(folder.path(), &[arguments, &["--format", form]].concat());
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("broken.jsonld:2:") && stderr.contains("nowhere.jsonld"), "{stderr}");
    stdout
}

#[test]
fn the_rest_is_reported_by_rules_and_by_shapes() {
    for arguments in [RULES, BY_SHAPES] {
        let text = report(arguments, "text");
        assert!(text.contains("conforms to"), "{text}");
        assert!(text.contains("2 files could not be checked"), "{text}");
        for form in ["table", "github", "markdown", "html"] {
            let report = report(arguments, form);
            assert!(report.contains("2 files could not be checked"), "{form}: {report}");
        }
    }
}

#[test]
fn going_on_needs_no_option() {
    let folder = folder();
    let with = run(folder.path(), &[RULES, &["--keep-going"]].concat());
    assert_eq!(run(folder.path(), RULES), with);
}

#[test]
fn programs_read_which_file_it_was() {
    for arguments in [RULES, BY_SHAPES] {
        let json: Value = serde_json::from_str(&report(arguments, "json")).expect("it is JSON");
        let file = list(&json).iter().find(|file| file["file"] == "broken.jsonld").expect("it is told");
        hold_keys(file, &["file", "conforms", "error"], &[]);
        assert_eq!((&file["conforms"], &file["error"]["line"]), (&Value::Null, &Value::from(2)));
        let sarif: Value = serde_json::from_str(&report(arguments, "sarif")).expect("it is JSON");
        hold_sarif(&sarif);
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(list(&invocation["toolExecutionNotifications"]).len(), 2);
        let root = hold_junit(&report(arguments, "junit"));
        assert_eq!(root.attributes["errors"], "2");
        let github = report(arguments, "github");
        assert!(github.contains("::error file=broken.jsonld,line=2"), "{github}");
        let gitlab: Value = serde_json::from_str(&report(arguments, "gitlab")).expect("it is JSON");
        let blocker = list(&gitlab).iter().find(|entry| entry["location"]["path"] == "broken.jsonld");
        assert_eq!(blocker.expect("it is told")["severity"], "blocker");
    }
}

#[test]
fn a_report_with_such_a_file_is_a_baseline() {
    for form in ["json", "sarif"] {
        let folder = folder();
        let saved = format!("old.{form}");
        run(folder.path(), &[RULES, &["-o", &saved]].concat());
        let (status, _, stderr) = run(folder.path(), &["validate", "good.jsonld", "--baseline", &saved]);
        assert_eq!(status, 0, "{stderr}");
    }
}

#[test]
fn nothing_conforms_where_nothing_was_read() {
    for arguments in
        [&["validate", "broken.jsonld"][..], &["validate", "broken.jsonld", "--shapes", "shapes.ttl"]]
    {
        let (status, stdout, stderr) = run(folder().path(), arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    }
}

#[test]
fn a_report_in_rdf_is_about_the_rest() {
    let turtle = report(BY_SHAPES, "ttl");
    assert!(turtle.contains("sh:conforms true"), "{turtle}");
}
