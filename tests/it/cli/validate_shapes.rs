//! `validate --shapes`: verdicts, lines, forms of the report, and mistakes in shapes.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
@prefix s: <http://schema.org/> .
ex:Question a sh:NodeShape ;
    sh:targetClass s:Question ;
    sh:property ex:short .
ex:short sh:path s:text ; sh:maxLength 30 ; sh:message \"a question has at most 30 characters\" .
";

const CHECKPOINT: &str = "fixtures/karenina/m-history.jsonld";

/// Runs `validate` over a checkpoint with shapes; returns the exit status, stdout and stderr.
fn validate(shapes: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shapes.ttl");
    fs::write(&path, shapes).expect("there is room");
    let mut program = Command::new(crate::program::PATH);
    program.args(["validate", CHECKPOINT, "--shapes"]).arg(&path).args(arguments);
    let output = program.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_result_has_the_line_of_its_value() {
    let (status, stdout, _) = validate(SHAPES, &["--format", "jsonl"]);
    assert_eq!(status, Some(1));
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let source = fs::read_to_string(CHECKPOINT).expect("the fixture can be read");
    let source: Vec<&str> = source.lines().collect();
    assert!(!lines.is_empty());
    for line in &lines {
        assert_eq!(line["sourceShape"], "http://example.org/short");
        assert_eq!(line["resultMessage"], "a question has at most 30 characters");
        assert_eq!(line["file"], CHECKPOINT);
        let number =
            line["line"].as_u64().and_then(|number| usize::try_from(number).ok()).expect("it has a line");
        let value = line["value"].as_str().expect("it has a value");
        assert!(
            source[number - 1].contains(value),
            "{value} stands in line {number}: {}",
            source[number - 1]
        );
    }
}

#[test]
fn a_conforming_file_is_answered_with_zero() {
    let shapes = SHAPES.replace("30", "3000");
    let (status, stdout, _) = validate(&shapes, &[]);
    assert_eq!((status, stdout.contains("conforms to")), (Some(0), true), "{stdout}");
}

#[test]
fn conforming_over_nothing_is_no_yes() {
    let shapes = SHAPES.replace("s:Question", "ex:Nothing");
    let (status, _, stderr) = validate(&shapes, &[]);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("shacl::unmatched"), "{stderr}");
    let (status, ..) = validate(&shapes, &["--allow-unmatched"]);
    assert_eq!(status, Some(0));
}

#[test]
fn a_warning_stands_against_conformance_as_shacl_has_it() {
    let shapes = SHAPES.replace("sh:maxLength", "sh:severity sh:Warning ; sh:maxLength");
    let (status, stdout, _) = validate(&shapes, &["--format", "ttl"]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("sh:conforms false"), "{stdout}");
}

#[test]
fn the_other_namespace_of_schema_org_is_meant_too() {
    let shapes = SHAPES.replace("http://schema.org/", "https://schema.org/");
    let (status, _, stderr) = validate(&shapes, &[]);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("shacl::schema-org"), "{stderr}");
    let (_, _, stderr) = validate(&shapes, &["--plain"]);
    assert!(!stderr.contains("shacl::schema-org"), "{stderr}");
}

#[test]
fn a_mistake_in_shapes_has_its_line() {
    let shapes = SHAPES.replace("sh:maxLength 30", "sh:maxLenght 30");
    let (status, stdout, stderr) = validate(&shapes, &[]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("shapes.ttl:7:"), "{stderr}");
    assert!(stderr.contains("shacl::unknown-term") && stderr.contains("sh:maxLength"), "{stderr}");
}

#[test]
fn rules_and_shapes_come_in_one_report() {
    let (_, stdout, _) = validate(SHAPES, &["--profile", "karenina", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let profiles: Vec<&str> =
        report.as_array().expect("it is a list").iter().filter_map(|file| file["dialect"].as_str()).collect();
    assert!(profiles.len() == 2 && profiles[1] == "shapes", "{profiles:?}");
}

#[test]
fn a_report_in_rdf_needs_shapes() {
    let mut program = Command::new(crate::program::PATH);
    let output = program.args(["validate", CHECKPOINT, "--format", "ttl"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("output::format"));
}

#[test]
fn a_misspelt_name_of_shapes_is_told() {
    let mut program = Command::new(crate::program::PATH);
    let output = program.args(["validate", CHECKPOINT, "--shapes", "kareninna"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `karenina`?"));
}

#[test]
fn a_store_is_held_against_shapes_as_its_files_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("store.evalgraph");
    let program = || Command::new(crate::program::PATH);
    program().args(["init"]).arg(&store).assert().success();
    program().args(["load", CHECKPOINT, "--store"]).arg(&store).assert().success();
    let of = |arguments: &[&str], store: Option<&std::path::Path>| {
        let mut run = program();
        run.arg("validate").args(arguments).args(["--shapes", "karenina-spec", "--format", "json"]);
        if let Some(store) = store {
            run.arg("--store").arg(store);
        }
        let output = run.output().expect("it runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        (output.status.code(), report[0]["violations"].clone(), report[0]["rules"].clone())
    };
    let (of_file, of_store) = (of(&[CHECKPOINT], None), of(&[], Some(&store)));
    assert_eq!(of_file, of_store);
}

#[test]
fn a_verdict_stays_where_results_are_not_shown() {
    let shapes = SHAPES.replace("sh:maxLength", "sh:severity sh:Warning ; sh:maxLength");
    let (status, stdout, _) = validate(&shapes, &["--severity", "violation"]);
    assert_eq!((status, stdout.contains("does not conform")), (Some(1), true), "{stdout}");
    let (_, stdout, _) = validate(&shapes, &["--severity", "violation", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(report[0]["conforms"], false);
}

#[test]
fn tests_fail_where_the_command_does() {
    let shapes = SHAPES.replace("sh:maxLength", "sh:severity sh:Warning ; sh:maxLength");
    let (status, stdout, _) = validate(&shapes, &["--format", "junit"]);
    assert_eq!((status, stdout.contains("<failure ")), (Some(1), true), "{stdout}");
}
