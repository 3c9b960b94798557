//! The labelled documents of `../shared/schemaorg/cases`: every finding that is expected, and no other, in process and
//! through the program.

use crate::beside::shared;
use crate::cli::input::run;
use crate::schema_org::{CheckedText, Row};
use evalgraph::schema_org::{CheckOptions, SchemaOrgFinding};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// How many cases there are at least.
const RECORDED_CASES: usize = 63;

/// A finding, with the name at fault and the name that was meant.
struct Told {
    row: Row,
    term: Option<String>,
    suggest: Option<String>,
}

impl From<SchemaOrgFinding> for Told {
    fn from(finding: SchemaOrgFinding) -> Self {
        let SchemaOrgFinding { code, level, node, property, term, suggest, .. } = finding;
        Self { row: [code.name().to_owned(), level.name().to_owned(), node, property], term, suggest }
    }
}

impl From<&Value> for Told {
    fn from(finding: &Value) -> Self {
        let text = |key: &str| finding[key].as_str().map(str::to_owned);
        let row = ["code", "level", "node", "property"].map(|key| text(key).unwrap_or_default());
        Self { row, term: text("term"), suggest: text("suggest") }
    }
}

fn is_pending(case: &Value) -> bool {
    case["options"]["pending"] == true
}

/// Checks the findings of a case against those that it expects; names and texts count where the case fixes them.
fn hold(case: &Value, found: &[Told]) -> Result<(), String> {
    let expected = case["expect"].as_array().expect("a case expects findings");
    let expected: Vec<Told> = expected.iter().map(Told::from).collect();
    let rows = |told: &[Told]| told.iter().map(|told| told.row.clone()).collect::<BTreeSet<Row>>();
    let is_met = |one: &Told| {
        let has = |wanted: &Option<String>, has: &Option<String>| wanted.is_none() || wanted == has;
        let is_it = |told: &&Told| {
            told.row == one.row && has(&one.term, &told.term) && has(&one.suggest, &told.suggest)
        };
        found.iter().any(|told| is_it(&told))
    };
    match rows(found) == rows(&expected) && expected.iter().all(is_met) {
        true => Ok(()),
        false => Err(format!("{}: {:?}\nexpected {}", case["id"], rows(found), case["expect"])),
    }
}

fn in_process(case: &Value) -> Result<(), String> {
    let options = CheckOptions { pending: is_pending(case), ..CheckOptions::default() };
    let found = CheckedText::new(&case["input"].to_string()).findings(&options);
    hold(case, &found.into_iter().map(Told::from).collect::<Vec<_>>())
}

/// As the program tells it: each finding stands in a line that has the name at fault.
fn through_the_program(case: &Value, folder: &Path) -> Result<(), String> {
    let text = serde_json::to_string_pretty(&case["input"]).expect("it is JSON");
    std::fs::write(folder.join("case.jsonld"), &text).expect("the folder is ours");
    let arguments = ["check", "case.jsonld", "--format", "jsonl", "--base", "https://example.org/doc"];
    let pending = if is_pending(case) { &["--pending"][..] } else { &[] };
    let (_, stdout, stderr) = run(folder, &[&arguments, pending].concat());
    let found: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    hold(case, &found.iter().map(Told::from).collect::<Vec<_>>())?;
    if !stderr.is_empty() {
        return Err(format!("{}: {stderr}", case["id"]));
    }
    let lines: Vec<&str> = text.lines().collect();
    for finding in found.iter().filter(|finding| finding["code"] != "no-schema-org") {
        let line = finding["line"].as_u64().and_then(|line| lines.get(usize::try_from(line).ok()? - 1));
        // An IRI may be written short.
        let name = finding["term"].as_str().and_then(|term| term.rsplit('/').next());
        let has_name = |line: &&str| name.is_none_or(|name| line.contains(name));
        let has_column = finding["column"].is_u64() && finding["pointer"].is_string();
        if !has_column || line.filter(|line| has_name(line)).is_none() {
            return Err(format!("{}: no place for {finding} in {line:?}", case["id"]));
        }
    }
    Ok(())
}

fn hold_all(hold: impl Fn(&Value) -> Result<(), String>) {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for entry in std::fs::read_dir(shared("schemaorg/cases")).expect("the cases can be read") {
        let path = entry.expect("the folder can be read").path();
        let case = std::fs::read_to_string(&path).expect("a case can be read");
        let case: Value = serde_json::from_str(&case).expect("a case is JSON");
        complaints.extend(hold(&case).err());
        seen += 1;
    }
    assert!(seen >= RECORDED_CASES, "{seen} cases are there");
    assert!(complaints.is_empty(), "{} of {seen}: {}", complaints.len(), complaints.join("\n"));
}

#[test]
#[ignore = "needs the cases beside the project"]
fn each_case_has_the_findings_that_are_expected_and_no_other() {
    hold_all(in_process);
}

#[test]
#[ignore = "needs the cases beside the project"]
fn the_program_finds_in_each_case_what_is_expected_with_its_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    hold_all(|case| through_the_program(case, folder.path()));
}
