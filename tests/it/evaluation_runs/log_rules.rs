//! The rules for logs: each finds its fault at its place, and nothing else, in a file that was good before.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::json::{Limits, parse};
use evalgraph::source::inspect::rules::{LogProfile, validate};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn check(file: &Value) -> RuleReport {
    let document = parse("file.json", file.to_string(), Limits::default()).expect("it is JSON");
    validate(&document, LogProfile::Seed)
}

fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let results = report.results.iter();
    let results = results.map(|result| {
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), pointer.expect("a result is at a value of the file"))
    });
    results.collect()
}

/// The log of the fixtures without the sample that failed.
fn good() -> Value {
    let text = fs::read_to_string(path("inspect/boats.json")).expect("the fixture is there");
    let mut log: Value = serde_json::from_str(&text).expect("it is JSON");
    log["samples"].as_array_mut().expect("samples").pop();
    log["samples"][4]["error"] = json!(null);
    log
}

fn remove(object: &mut Value, key: &str) {
    object.as_object_mut().expect("an object").remove(key);
}

/// The rule, the place of the fault, and the change that makes it.
type Case = (&'static str, &'static str, fn(&mut Value));

const CASES: [Case; 12] = [
    ("I-1", "/eval", |log| remove(&mut log["eval"], "created")),
    ("I-1", "/eval/dataset", |log| log["eval"]["dataset"] = json!("boats")),
    ("I-1", "", |log| remove(log, "eval")),
    ("I-2", "/status", |log| log["status"] = json!("finished")),
    ("I-3", "/samples/1", |log| remove(&mut log["samples"][1], "input")),
    ("I-3", "/samples/1/epoch", |log| log["samples"][1]["epoch"] = json!("2")),
    ("I-3", "/samples/5", |log| log["samples"].as_array_mut().expect("samples").push(json!(7))),
    ("I-4", "/samples/1/id", |log| log["samples"][1]["epoch"] = json!(1)),
    ("I-5", "/samples/0/scores/match", |log| remove(&mut log["samples"][0]["scores"]["match"], "value")),
    ("I-5", "/samples/0/scores/match", |log| log["samples"][0]["scores"]["match"] = json!("C")),
    ("I-6", "/status", |log| log["status"] = json!("cancelled")),
    ("I-7", "/samples/0/error", |log| log["samples"][0]["error"] = json!({"message": "it stopped"})),
];

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    for (rule, place, change) in CASES {
        let mut changed = good();
        change(&mut changed);
        assert_eq!(found(&check(&changed)), [(rule.to_owned(), place.to_owned())].into(), "{rule}");
    }
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    CASES.iter().map(|case| ("seed".to_owned(), case.0, case.1.to_owned())).collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    vec![("seed".to_owned(), check(&good()))]
}

#[test]
fn a_good_log_conforms() {
    assert_eq!(found(&check(&good())), BTreeSet::new());
}
