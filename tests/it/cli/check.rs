//! `check`: what it finds, in which words, by which rules, and with which status it ends.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use evalgraph::schema_org::{CheckLevel, CheckRule};
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::{evalgraph, run};
use crate::cli::report_schemas::{hold_junit, hold_sarif, list};

/// A document with an error, a misused term, a tolerated form, and what its graph does not have.
const FAULTY: &str = r#"{
  "@context": { "@vocab": "http://schema.org/", "titel": null, "sameAs": { "@type": "@id" } },
  "@id": "http://example.org/set",
  "@type": "Dataset",
  "nmae": "Cells",
  "sameAs": "http://example.org/a b",
  "titel": "Cells",
  "creator": "Ann",
  "about": { "@id": "../here", "name": "Here" },
  "hasPart": { "@type": "Question", "dateCreated": "soon" }
}
"#;
const GOOD: &str = r#"{ "@context": "https://schema.org", "@type": "Question", "text": "Why?" }"#;

/// A folder with a document that has faults, and one that has none.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder, "faulty.jsonld", FAULTY);
    write(&folder, "good.jsonld", GOOD);
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("the folder is ours");
}

/// The findings as JSON Lines.
fn findings(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let (_, stdout, _) = run(folder, &[&["check", "--format", "jsonl"], arguments].concat());
    stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The rules and lines of findings, in their order.
fn places(findings: &[Value]) -> Vec<String> {
    let place = |finding: &Value| {
        format!("{} {}", finding["code"].as_str().expect("a finding has a code"), finding["line"])
    };
    findings.iter().map(place).collect()
}

#[test]
fn each_finding_has_its_line() {
    let found = findings(folder().path(), &["faulty.jsonld", "good.jsonld"]);
    let lines = [
        "unknown-property 5",
        "datatype 10",
        "bad-iri 6",
        "dropped-key 7",
        "text-for-object 8",
        "no-type 9",
        "relative-iri 9",
    ];
    assert_eq!(places(&found), lines);
}

#[test]
fn a_finding_has_the_words_of_the_check() {
    let found = findings(folder().path(), &["faulty.jsonld"]);
    let wanted = serde_json::json!({
        "code": "unknown-property", "level": "error", "node": "http://example.org/set", "property": "nmae",
        "term": "nmae", "suggest": "name", "page": "https://schema.org/name",
        "message": "`nmae` is not a property of schema.org",
        "file": "faulty.jsonld", "line": 5, "column": 3, "pointer": "/nmae",
    });
    assert_eq!(found[0], wanted);
    let keys =
        |value: &Value| value.as_object().expect("it is an object").keys().cloned().collect::<Vec<_>>();
    assert!(found.iter().all(|finding| keys(finding) == keys(&wanted)), "{found:#?}");
    assert_eq!(found[1]["node"], "_:");
    let (_, csv, _) = run(folder().path(), &["check", "faulty.jsonld", "--format", "csv"]);
    assert_eq!(
        csv.lines().next(),
        Some("code,level,node,property,term,suggest,page,message,file,line,column,pointer")
    );
}

#[test]
fn text_says_what_to_write_and_where_to_read() {
    let (status, stdout, stderr) = run(folder().path(), &["check", "faulty.jsonld"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(
        stdout.starts_with("faulty.jsonld: does not conform to schema.org (JSON-LD): 1 violation"),
        "{stdout}"
    );
    for line in ["      write `name`: https://schema.org/name", "      see https://schema.org/dateCreated"] {
        assert!(stdout.lines().any(|known| known == line), "{line} in {stdout}");
    }
}

#[test]
fn what_is_lost_is_told_once() {
    let (_, _, stderr) = run(folder().path(), &["check", "faulty.jsonld"]);
    assert_eq!(stderr, "");
    let (_, _, stderr) = run(folder().path(), &["to-rdf", "faulty.jsonld"]);
    assert!(stderr.contains("unmapped key") || stderr.contains("invalid IRI"), "{stderr}");
}

#[test]
fn every_form_of_the_report_has_the_name_to_write() {
    let folder = folder();
    let of = |form: &str| {
        let (status, stdout, stderr) = run(folder.path(), &["check", "faulty.jsonld", "--format", form]);
        assert_eq!(status, 1, "{form}: {stderr}");
        stdout
    };
    for form in ["text", "table", "json", "sarif", "junit", "github", "gitlab", "markdown", "html"] {
        let report = of(form);
        assert!(report.contains("name") && report.contains("https://schema.org/name"), "{form}: {report}");
    }
    hold_junit(&of("junit"));
    let sarif: Value = serde_json::from_str(&of("sarif")).expect("it is JSON");
    hold_sarif(&sarif);
    let run = &sarif["runs"][0];
    let rules: BTreeSet<&str> =
        list(&run["tool"]["driver"]["rules"]).iter().filter_map(|rule| rule["id"].as_str()).collect();
    let is_told = |code: &CheckRule| code.level() != CheckLevel::Off && !code.is_of_croissant();
    let on = CheckRule::all().filter(is_told).map(CheckRule::name);
    assert_eq!(rules, on.collect());
    assert!(list(&run["tool"]["driver"]["rules"]).iter().all(|rule| rule["helpUri"].is_string()));
    assert_eq!(run["results"][0]["properties"]["page"], "https://schema.org/name");
    assert_eq!(run["results"][0]["properties"]["suggest"], "name");
}

#[test]
fn the_status_follows_the_levels() {
    let folder = folder();
    let status = |arguments: &[&str]| run(folder.path(), &[&["check"], arguments].concat()).0;
    assert_eq!(status(&["good.jsonld"]), 0);
    assert_eq!(status(&["faulty.jsonld"]), 1);
    let no_error = ["faulty.jsonld", "--level", "unknown-property=info"];
    assert_eq!(status(&no_error), 0);
    assert_eq!(status(&[&no_error[..], &["--strict"]].concat()), 1);
    assert_eq!(status(&["good.jsonld", "--strict"]), 0);
    assert_eq!(status(&["faulty.jsonld", "--level", "unknown-property=off", "--level", "datatype=error"]), 1);
    assert_eq!(status(&["faulty.jsonld", "nowhere.jsonld"]), 2);
}

#[test]
fn a_rule_of_another_level_is_told_at_that_level() {
    let levels = ["--level", "bad-iri=error", "--level", "datatype=off", "--level", "dropped-key=info"];
    let found = findings(folder().path(), &[&["faulty.jsonld"], &levels[..]].concat());
    let level =
        |code: &str| found.iter().find(|finding| finding["code"] == code).map(|finding| &finding["level"]);
    assert_eq!(level("bad-iri").expect("it is told"), "error");
    assert_eq!(level("dropped-key").expect("it is told"), "info");
    assert_eq!(level("datatype"), None);
}

#[test]
fn a_rule_that_is_none_brings_the_nearest() {
    for (level, help) in [
        ("domian=off", "did you mean `domain`?"),
        ("domain=fatal", "known are error, warning, info, off"),
        ("domain", "expected `CODE=LEVEL`"),
    ] {
        let (status, _, stderr) = run(folder().path(), &["check", "good.jsonld", "--level", level]);
        assert!(status == 2 && stderr.contains(help), "{stderr}");
    }
}

#[test]
fn a_file_that_cannot_be_read_takes_nothing_from_the_others() {
    let folder = folder();
    write(&folder, "broken.jsonld", "{\n  \"name\": ");
    let (status, stdout, stderr) =
        run(folder.path(), &["check", "broken.jsonld", "faulty.jsonld", "good.jsonld"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("broken.jsonld:2:"), "{stderr}");
    assert!(stdout.contains("good.jsonld: conforms to schema.org"), "{stdout}");
    assert!(stdout.contains("1 file could not be checked"), "{stdout}");
}

#[test]
fn pending_terms_are_told_where_they_are_asked_for() {
    let folder = folder();
    let text = r#"{ "@context": "https://schema.org", "@type": "Rating", "ratingExplanation": "Fine." }"#;
    write(&folder, "pending.jsonld", text);
    assert!(findings(folder.path(), &["pending.jsonld"]).is_empty());
    let found = findings(folder.path(), &["pending.jsonld", "--pending"]);
    assert_eq!(places(&found), ["pending 1"]);
    assert_eq!((&found[0]["node"], &found[0]["property"]), (&"".into(), &"ratingExplanation".into()));
}

#[test]
fn a_vocabulary_may_be_a_table_or_rdf() {
    let folder = folder();
    let table = "kind\tname\tup\tdom\trng\tsup\tinv\tlay\n\
                 C\tDataset\tThing\t\t\t\t\tcore\nC\tThing\t\t\t\t\t\tcore\nP\tnmae\t\tThing\t\t\t\tcore\n";
    write(&folder, "terms.tsv", table);
    let turtle = "@prefix s: <https://schema.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        s:Thing a rdfs:Class . s:Dataset a rdfs:Class ; rdfs:subClassOf s:Thing .
        s:nmae a rdf:Property ; s:domainIncludes s:Thing .";
    write(&folder, "terms.ttl", turtle);
    for file in ["terms.tsv", "terms.ttl"] {
        let found = findings(folder.path(), &["faulty.jsonld", "--schema-org", file]);
        let unknown: Vec<&Value> = found
            .iter()
            .filter(|finding| finding["code"] == "unknown-property")
            .map(|finding| &finding["term"])
            .collect();
        assert!(!unknown.is_empty() && !unknown.contains(&&"nmae".into()), "{file}: {found:#?}");
    }
    write(&folder, "broken.tsv", &table.replace("P\t", "Q\t"));
    let (status, _, stderr) = run(folder.path(), &["check", "good.jsonld", "--schema-org", "broken.tsv"]);
    assert!(
        status == 2 && stderr.contains("broken.tsv:4:") && stderr.contains("schema-org::table"),
        "{stderr}"
    );
    let (status, _, stderr) = run(folder.path(), &["check", "good.jsonld", "--schema-org", "good.jsonld"]);
    assert!(status == 2 && stderr.contains("good.jsonld: error[schema-org::release]"), "{stderr}");
}

#[test]
fn every_form_of_input_is_checked() {
    let folder = folder();
    let page = format!("<html>\n<script type=\"application/ld+json\">\n{FAULTY}</script>\n</html>\n");
    write(&folder, "page.html", &page);
    assert_eq!(places(&findings(folder.path(), &["page.html"]))[0], "unknown-property 7");
    write(
        &folder,
        "data.ttl",
        "@prefix s: <https://schema.org/> .\n<urn:x> a s:Dataset ;\n  s:nmae 'Cells' .\n",
    );
    assert_eq!(places(&findings(folder.path(), &["data.ttl"])), ["unknown-property 3"]);
    let mut piped = evalgraph(folder.path());
    let output =
        piped.args(["check", "-", "--format", "jsonl"]).write_stdin(FAULTY).output().expect("it runs");
    let first = String::from_utf8(output.stdout).expect("it is text");
    let first: Value = serde_json::from_str(first.lines().next().unwrap_or_default()).expect("it is JSON");
    assert_eq!((&first["file"], &first["line"]), (&"-".into(), &5.into()));
}

#[test]
fn a_forgotten_context_is_a_finding() {
    let folder = folder();
    write(&folder, "bare.jsonld", r#"{ "@type": "Dataset", "name": "Cells" }"#);
    let (status, stdout, stderr) = run(folder.path(), &["check", "bare.jsonld", "--format", "jsonl"]);
    assert!(status == 1 && stdout.starts_with("{\"code\":\"no-schema-org\""), "{stdout}{stderr}");
}

#[test]
fn an_item_of_a_list_has_its_own_line() {
    let folder = folder();
    let text = r#"{
  "@context": { "@vocab": "http://schema.org/" },
  "@type": "Dataset",
  "dateCreated": { "@list": [
    "2026-01-01",
    [
      "soon"
    ]
  ] },
  "about": { "@list": [
    { "@id": "http://example.org/a b",
      "@type": "Thing" },
    { "@id": "http://example.org/c d" }
  ] }
}"#;
    write(&folder, "lists.jsonld", text);
    let found = findings(folder.path(), &["lists.jsonld"]);
    assert_eq!(places(&found), ["datatype 7", "bad-iri 11", "bad-iri 13"]);
    let turtle = "@prefix s: <https://schema.org/> .\n[] a s:Dataset ; s:dateCreated (\n  '2026-01-01'\n  'soon' ) .\n";
    write(&folder, "lists.ttl", turtle);
    assert_eq!(places(&findings(folder.path(), &["lists.ttl"])), ["datatype 4"]);
}

#[test]
fn namespaces_are_told_as_the_file_has_them() {
    let folder = folder();
    let text = "@prefix s: <https://schema.org/> . @prefix h: <http://schema.org/> .\n<urn:x> a s:Dataset ;\n  h:name 'x' .\n";
    write(&folder, "mixed.ttl", text);
    assert_eq!(places(&findings(folder.path(), &["mixed.ttl"])), ["namespace-mixed 3"]);
}

#[test]
fn what_a_baseline_has_is_left_out() {
    let folder = folder();
    for old in ["old.sarif", "old.json"] {
        let (status, _, stderr) = run(folder.path(), &["check", "faulty.jsonld", "-o", old]);
        assert_eq!(status, 1, "{stderr}");
        let (status, stdout, stderr) = run(folder.path(), &["check", "faulty.jsonld", "--baseline", old]);
        assert_eq!(status, 0, "{stderr}");
        assert!(
            stdout.contains("has no new violation of schema.org") && stderr.contains("7 results are"),
            "{stderr}"
        );
    }
    let (_, stdout, _) =
        run(folder.path(), &["check", "faulty.jsonld", "--severity", "violation", "--format", "jsonl"]);
    assert_eq!(stdout.lines().count(), 1);
}

#[test]
fn the_library_finds_the_same() {
    let folder = folder();
    let path = folder.path().join("faulty.jsonld").display().to_string();
    let checked = evalgraph::check([path.clone()]).expect("it can be checked");
    let mut written = Vec::new();
    checked.write(evalgraph::ReportFormat::JsonLines, &mut written).expect("memory takes all");
    let (_, stdout, _) = run(folder.path(), &["check", &path, "--format", "jsonl"]);
    assert_eq!(String::from_utf8(written).expect("it is text"), stdout);
    assert!(!checked.conforms());
}
