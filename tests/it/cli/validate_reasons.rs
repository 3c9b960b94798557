//! The reasons of results in the report of `validate --shapes`: why no alternative is met, and where.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

use crate::cli::report_schemas::{hold_junit, hold_sarif, list, text};

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:Person a sh:NodeShape ; sh:targetClass ex:Person ;
    sh:or (
        [ sh:property [ sh:path ex:name ; sh:minCount 1 ] ]
        [ sh:property [ sh:path ex:knows ; sh:node [ sh:property [ sh:path ex:age ; sh:datatype ex:years ] ] ] ]
    ) .
";

const DATA: &str = "\
@prefix ex: <http://example.org/> .
ex:ada a ex:Person ;
    ex:knows ex:mary .
ex:mary
    ex:age 5 .
";

/// Runs `validate` over data with shapes; returns stdout.
fn report(shapes: &str, data: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("shapes.ttl"), shapes).expect("there is room");
    fs::write(folder.path().join("data.ttl"), data).expect("there is room");
    let mut program = Command::new(crate::program::PATH);
    program.current_dir(folder.path()).args(["validate", "data.ttl", "--shapes", "shapes.ttl"]);
    let output = program.args(arguments).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn text_has_the_reasons_below_the_result() {
    let text = report(SHAPES, DATA, &[]);
    insta::assert_snapshot!(text, @r#"
    all files: does not conform to shapes.ttl (shapes): 1 violation, 0 warnings, 0 info
      http://example.org/Person violation: sh:or
        1 result in 1 object checked
        data.ttl:2:1: `http://example.org/ada` conforms to none of 2 inner shapes
          at http://example.org/ada
          because: option 1: `name` is missing, at least 1 is needed (data.ttl:2:1)
          because: option 2: the value `http://example.org/mary` of `knows` does not conform to the inner shape on `age` (data.ttl:3:14)
            because: the value `5` of `age` is of datatype `xsd:integer`, and has to be of `http://example.org/years` (data.ttl:5:12)
    "#);
}

#[test]
fn reports_for_people_have_them_as_well() {
    let markdown = report(SHAPES, DATA, &["--format", "markdown"]);
    let lines: Vec<&str> = markdown.lines().filter(|line| line.contains("- because: ")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
      - because: option 1: `name` is missing, at least 1 is needed (data.ttl:2:1)
      - because: option 2: the value `http://example.org/mary` of `knows` does not conform to the inner shape on `age` (data.ttl:3:14)
        - because: the value `5` of `age` is of datatype `xsd:integer`, and has to be of `http://example.org/years` (data.ttl:5:12)
    "#);
    let html = report(SHAPES, DATA, &["--format", "html"]);
    assert!(html.contains("<blockquote><p>because: option 1: <code>name</code> is missing"), "{html}");
    assert_eq!(html.matches("<blockquote>").count(), 2);
    assert_eq!(html.matches("</p></blockquote></blockquote></li>").count(), 1);
    let github = report(SHAPES, DATA, &["--format", "github"]);
    let first = github.lines().next().unwrap_or_default();
    assert!(first.contains("%0Abecause: option 1: ") && first.contains("%0A  because: "), "{first}");
    let junit = report(SHAPES, DATA, &["--format", "junit"]);
    hold_junit(&junit);
    assert!(junit.contains("\n    because: the value `5` of `age`"), "{junit}");
}

#[test]
fn json_nests_them() {
    let results = json(&report(SHAPES, DATA, &["--format", "json"]));
    let details = list(&results[0]["results"][0]["details"]);
    let of = |detail: &Value| (detail["alternative"].as_u64(), detail["line"].as_u64());
    assert_eq!(details.iter().map(of).collect::<Vec<_>>(), [(Some(1), Some(2)), (Some(2), Some(3))]);
    assert_eq!(text(&details[0]["path"]), "http://example.org/name");
    assert_eq!(text(&details[0]["rule"]), "http://example.org/Person <http://example.org/name>");
    assert_eq!(of(&details[1]["details"][0]), (None, Some(5)));
    let line = json(report(SHAPES, DATA, &["--format", "jsonl"]).lines().next().unwrap_or_default());
    assert_eq!(line["detail"][1]["detail"][0]["value"], details[1]["details"][0]["value"]);
    assert!(line["detail"][0].get("detail").is_none());
}

#[test]
fn sarif_has_their_places() {
    let log = json(&report(SHAPES, DATA, &["--format", "sarif"]));
    hold_sarif(&log);
    let related = list(&log["runs"][0]["results"][0]["relatedLocations"]);
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(related.iter().map(line).collect::<Vec<_>>(), [Some(2), Some(3), Some(5)]);
    assert!(text(&related[0]["message"]["text"]).starts_with("because: option 1: "));
}

#[test]
fn rdf_has_them_as_details() {
    let turtle = report(SHAPES, DATA, &["--format", "ttl"]);
    assert_eq!(turtle.matches("sh:detail").count(), 2, "{turtle}");
    assert_eq!(turtle.matches("a sh:ValidationResult").count(), 4, "{turtle}");
}

#[test]
fn many_reasons_are_counted() {
    let ages: Vec<String> = (0..100).map(|age| format!("{age}")).collect();
    let data = DATA.replace("ex:age 5", &format!("ex:age {}", ages.join(" , ")));
    let text = report(SHAPES, &data, &[]);
    assert_eq!(text.matches("because: ").count(), 2, "{text}");
    assert!(text.contains("\n      … and 100 more\n"), "{text}");
    let results = json(&report(SHAPES, &data, &["--format", "json"]));
    let inner = &results[0]["results"][0]["details"][1];
    assert_eq!((list(&inner["details"]).len(), inner["detailsLeftOut"].as_u64()), (20, Some(80)));
}

#[test]
fn a_long_value_floods_no_report_for_people() {
    let long = "x".repeat(1_000_000);
    let template = "sh:sparql [ sh:message \"{?value} is too long\" ; sh:select \"SELECT $this ?value WHERE { $this <http://example.org/p> ?value }\" ]";
    for component in ["sh:maxLength 3", template] {
        let shapes = format!(
            "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> . \
             ex:s a sh:NodeShape ; sh:targetSubjectsOf ex:p ; sh:property [ sh:path ex:p ; {component} ] ."
        );
        let data = format!("<http://example.org/n/{long}> <http://example.org/p> \"{long}\" .");
        for format in ["text", "table", "markdown", "github", "junit", "html"] {
            let report = report(&shapes, &data, &["--format", format]);
            assert!(report.len() < 20_000, "{format}: {} bytes", report.len());
            assert!(report.contains("xxx… ("), "{format}: {report}");
        }
        for format in ["json", "jsonl", "csv", "sarif", "ttl"] {
            let report = report(&shapes, &data, &["--format", format]);
            assert!(report.contains(&format!("\"{long}")) || report.contains(&long), "{format}");
        }
    }
}
