//! `validate --shapes --each`: inputs one by one.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::run;
use crate::cli::report_schemas::list;

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:Pet a sh:NodeShape ; sh:targetClass ex:Pet ; sh:property ex:owner .
ex:owner sh:path ex:owner ; sh:class ex:Person .
ex:Person a sh:NodeShape ; sh:targetClass ex:Person ; sh:nodeKind sh:IRI .
ex:Ghost a sh:NodeShape ; sh:targetClass ex:Ghost ; sh:nodeKind sh:IRI .
";

const PREFIX: &str = "@prefix ex: <http://example.org/> .\n";

/// A folder with a pet in each of two files, whose owner is in the second one, and shapes.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: String| {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    };
    write("a.ttl", format!("{PREFIX}[] a ex:Pet ; ex:owner ex:ann ."));
    write("b.ttl", format!("{PREFIX}[] a ex:Pet ; ex:owner ex:ann . ex:ann a ex:Person ."));
    write("c.ttl", format!("{PREFIX}[] a ex:Pet ; ex:owner [] ."));
    write("shapes.ttl", SHAPES.to_owned());
    folder
}

const UNION: &[&str] = &["validate", "a.ttl", "b.ttl", "--shapes", "shapes.ttl"];

#[test]
fn a_file_is_judged_by_itself() {
    let folder = folder();
    let (status, _, stderr) = run(folder.path(), UNION);
    assert_eq!(status, 0, "{stderr}");
    let (status, stdout, stderr) = run(folder.path(), &[UNION, &["--each", "--format", "json"]].concat());
    assert_eq!(status, 1, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let verdicts: Vec<(&str, bool)> = list(&report)
        .iter()
        .filter_map(|file| Some((file["file"].as_str()?, file["conforms"].as_bool()?)))
        .collect();
    assert_eq!(verdicts, [("a.ttl", false), ("b.ttl", true)]);
    let (_, stdout, _) = run(folder.path(), &[UNION, &["--each"]].concat());
    assert!(stdout.contains("total: 2 files, 1 conforms, 1 does not; 1 violation"), "{stdout}");
}

#[test]
fn a_shape_that_one_file_has_nothing_for_is_no_idle_shape() {
    let (_, _, stderr) = run(folder().path(), &[UNION, &["--each"]].concat());
    assert!(stderr.contains("1 of 3 shapes with targets"), "{stderr}");
    assert!(stderr.contains("example.org/Ghost") && !stderr.contains("example.org/Person"), "{stderr}");
}

#[test]
fn the_report_in_rdf_is_one() {
    let folder = folder();
    let arguments = ["validate", "a.ttl", "b.ttl", "c.ttl", "--shapes", "shapes.ttl", "--each"];
    let (status, stdout, _) = run(folder.path(), &[&arguments[..], &["--format", "nt"]].concat());
    assert_eq!(status, 1);
    let count = |text: &str| stdout.lines().filter(|line| line.contains(text)).count();
    assert_eq!((count("#ValidationReport>"), count("#conforms>"), count("#ValidationResult>")), (1, 1, 2));
    // The blank nodes of two files are two.
    let focus = stdout.lines().filter(|line| line.contains("#focusNode>"));
    let nodes: std::collections::BTreeSet<&str> = focus.filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(nodes.len(), 2, "{stdout}");
}

#[test]
fn a_file_that_cannot_be_read_is_passed_over() {
    let folder = folder();
    fs::write(folder.path().join("a.ttl"), "ex:").expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &[UNION, &["--each"]].concat());
    assert_eq!(status, 2, "{stderr}");
    assert!(
        stdout.contains("b.ttl: conforms to") && stdout.contains("1 file could not be checked"),
        "{stdout}"
    );
}

#[test]
fn documents_of_a_store_are_judged_by_themselves() {
    let folder = folder();
    for arguments in [&["init"][..], &["load", "a.ttl", "b.ttl"]] {
        let (status, _, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 0, "{stderr}");
    }
    let (status, stdout, _) = run(folder.path(), &["validate", "--shapes", "shapes.ttl", "--each"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("a.ttl: does not conform") && stdout.contains("b.ttl: conforms"), "{stdout}");
}
