//! `evalgraph validate` as a person and a program see it.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::Value;
use std::fs;

const QUESTION: &str = r#"{
  "@context": {"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}},
  "@type": "DataFeed",
  "name": "",
  "dateCreated": "2026-01-01T00:00:00",
  "dateModified": "2026-01-01T00:00:00",
  "dataFeedElement": [
    {
      "@type": "DataFeedItem",
      "@id": "urn:x:1",
      "dateCreated": "2026-01-01T00:00:00",
      "dateModified": "2026-01-01T00:00:00",
      "item": {"@type": "Question", "text": "Why?", "acceptedAnswer": {"text": "So"}}
    }
  ]
}
"#;

fn folder_with(name: &str, content: impl AsRef<[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), content).expect("the folder is ours");
    folder
}

#[test]
fn results_are_grouped_by_rule_with_their_places() {
    let folder = folder_with("a.jsonld", QUESTION);
    let (status, stdout, stderr) = run(folder.path(), &["validate", "a.jsonld"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    insta::assert_snapshot!(stdout, @r#"
    a.jsonld: does not conform to karenina (dialect P2): 2 violations, 0 warnings, 0 info
      K-P-DataFeed violation: the fields of the checkpoint must have the types that the library reads
        1 result in 1 object checked
        a.jsonld:4:11: `name` is empty
          at /name
      K-P-Question violation: the fields of a question must have the types that the library reads
        1 result in 1 object checked
        a.jsonld:13:15: `hasPart` is missing
          at /dataFeedElement/0/item
    "#);
}

#[test]
fn what_each_rule_has_checked_is_told_where_all_is_told() {
    let folder = folder_with("a.jsonld", QUESTION);
    let (_, usual, _) = run(folder.path(), &["validate", "a.jsonld"]);
    let (status, stdout, _) = run(folder.path(), &["validate", "a.jsonld", "-v"]);
    assert_eq!(status, 1);
    let more = stdout.strip_prefix(&usual).expect("the rest is the same");
    insta::assert_snapshot!(more, @r#"
      objects checked: K-P-DataFeed 1, K-P-DataFeedItem 1, K-P-Question 1, K-P-Answer 1, K-P4 1, K-X1 1, K-X2 1, K-X9 1, K-X10 4
      nothing to check: K-P-SoftwareSourceCode, K-P-Rating, K-P-PropertyValue, K-P-Scenario, K-P1, K-P2, K-P3, K-P5, K-P6, K-P7, K-X3, K-X4, K-X5, K-X6, K-X7, K-X8, K-X11, K-X12, K-X13, K-X14
    "#);
}

#[test]
fn files_with_nothing_to_tell_are_a_line_each() {
    let files = ["tasks.jsonl", "feedback.jsonl", "users.json"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rlcf");
    let (status, stdout, _) = run(&folder, &[&["validate"], &files[..]].concat());
    assert_eq!(status, 0);
    insta::assert_snapshot!(stdout, @r#"
    tasks.jsonl: conforms to seed (rlcf/LegalTask records): 0 violations, 0 warnings, 0 info
    feedback.jsonl: conforms to seed (rlcf/Feedback records): 0 violations, 0 warnings, 0 info
    users.json: conforms to seed (rlcf/User records): 0 violations, 0 warnings, 0 info

    total: 3 files, all conform; 0 violations, 0 warnings, 0 info
    "#);
}

#[test]
fn the_machine_form_has_every_result_with_its_facts() {
    let folder = folder_with("a.jsonld", QUESTION);
    let (status, stdout, _) = run(folder.path(), &["validate", "a.jsonld", "--format", "json"]);
    assert_eq!(status, 1);
    let files: Value = serde_json::from_str(&stdout).expect("an array");
    let file = &files[0];
    assert_eq!((&file["conforms"], &file["violations"]), (&Value::from(false), &Value::from(2)));
    insta::assert_snapshot!(file["results"][0], @r#"{"rule":"K-P-DataFeed","profile":"karenina","severity":"violation","message":"`name` is empty","focus":"","path":"name","value":"\"\"","file":"a.jsonld","line":4,"column":11,"pointer":"/name","related":null}"#);
    assert_eq!(file["rules"][2]["id"], "K-P-Question");
    assert_eq!(file["rules"][2]["lookedAt"], 1);
}

#[test]
fn the_exit_status_is_the_answer() {
    let fixture = |name: &str| path(name).display().to_string();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| run(folder.path(), arguments).0;
    assert_eq!(run(&["validate", &fixture("karenina/p2-genomics.jsonld")]), 0);
    assert_eq!(run(&["validate", &fixture("karenina/s0-cell-biology.jsonld")]), 1);
    let two = [fixture("karenina/p2-scenario.jsonld"), fixture("karenina/s1-astronomy.jsonld")];
    assert_eq!(run(&["validate", &two[0], &two[1]]), 1);
    // Warnings count under `--strict`.
    assert_eq!(run(&["validate", &fixture("karenina/g-ecology.jsonld")]), 0);
    assert_eq!(run(&["validate", &fixture("karenina/g-ecology.jsonld"), "--strict"]), 1);
    assert_eq!(run(&["validate", "nowhere.jsonld"]), 2);
}

#[test]
fn what_cannot_be_checked_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases: [(&str, &[u8], &str); 6] = [
        ("a.nt", b"<x:s> <x:p> <x:o> .\n", "validate::format"),
        ("a.jsonld", b"{\"@context\": {}, \"@id\": \"urn:x:1\"}", "validate::profile"),
        ("b.jsonld", b"{\"@context\": {}, \"@type\": \"DataFeed\", ", "json::"),
        ("c.jsonld", b"\x00\xff\xfe\x01", "error["),
        ("v2.json", b"{\"version\": \"2.0\", \"checkpoint\": {}}", "validate::profile"),
        ("r.json", b"{\"format_version\": \"2.2\", \"results\": []}", "validate::profile"),
    ];
    for (name, content, code) in cases {
        fs::write(folder.path().join(name), content).expect("the folder is ours");
        let (status, stdout, stderr) = run(folder.path(), &["validate", name]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{name}: {stderr}");
        assert!(stderr.contains(code), "{name}: {stderr}");
    }
}

#[test]
fn a_file_that_no_rule_fits_is_not_passed_in_silence() {
    let empty = r#"{"@context": {"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}},
        "@type": "DataFeed", "name": "a", "version": "1", "dateCreated": "2026-01-01",
        "dateModified": "2026-01-01", "dataFeedElement": []}"#;
    let folder = folder_with("a.jsonld", empty);
    let (status, stdout, stderr) = run(folder.path(), &["validate", "a.jsonld"]);
    assert_eq!(status, 0);
    assert!(stdout.starts_with("a.jsonld: conforms to karenina"), "{stdout}");
    assert!(stderr.contains("warning[validate::nothing]: no questions were checked"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["validate", "a.jsonld", "--profile", "karenina-gui"]);
    assert_eq!(status, 0);
    assert!(stderr.contains("the file is of dialect P2: try `--profile karenina`"), "{stderr}");
}

#[test]
fn another_profile_is_asked_by_name() {
    let file = path("karenina/p2-genomics.jsonld").display().to_string();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (status, stdout, _) = run(folder.path(), &["validate", &file, "--profile", "karenina-gui"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("has a prefix, which the user interface does not accept"), "{stdout}");
    let (status, _, stderr) = run(folder.path(), &["validate", &file, "--profile", "kareina"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("karenina-spec, karenina, karenina-gui"), "{stderr}");
}

#[test]
fn the_context_of_the_specification_is_resolved() {
    let text = fs::read_to_string(path("karenina/s0-cell-biology.jsonld")).expect("the fixture is there");
    let other = text.replacen("\"http://schema.org/\"", "\"http://example.org/\"", 1);
    let folder = folder_with("a.jsonld", other);
    let (status, stdout, _) = run(folder.path(), &["validate", "a.jsonld"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("`Dataset`, `DataFeedItem`, `Question`, `Answer`, `SoftwareSourceCode` and 24 more are not schema.org's under this context"), "{stdout}");
    let broken = text.replacen("\"@container\": \"@set\"", "\"@container\": \"@bag\"", 1);
    fs::write(folder.path().join("b.jsonld"), broken).expect("the folder is ours");
    let (status, stdout, _) = run(folder.path(), &["validate", "b.jsonld"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("the context cannot be used: "), "{stdout}");
}

#[test]
fn thresholds_are_an_object_of_systems() {
    let folder = folder_with("a.jsonld", QUESTION);
    for (text, place) in [("[1]", "1:1"), ("\n 7", "2:2"), ("{\"trian\": {}}", "1:2")] {
        fs::write(folder.path().join("config.json"), text).expect("the folder is ours");
        let (status, _, stderr) = run(folder.path(), &["validate", "a.jsonld", "--config", "config.json"]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.starts_with(&format!("config.json:{place}: error[validate::config]")), "{stderr}");
        assert!(stderr.contains("there are `train`, `kwanzaa`, `rlcf`"), "{stderr}");
    }
}
