//! The rules for samples and results of the harness: each finds its fault at its place, and nothing else, in a file that was good before.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::json::{Limits, parse};
use evalgraph::source::lm_eval::rules::{HarnessProfile, validate};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn check(file: &Value) -> RuleReport {
    let document = parse("file.json", file.to_string(), Limits::default()).expect("it is JSON");
    validate(&document, HarnessProfile::Seed)
}

fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let results = report.results.iter();
    let results = results.map(|result| {
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), pointer.expect("a result is at a value of the file"))
    });
    results.collect()
}

/// The samples of the fixtures.
fn samples() -> Value {
    let file = path("lm-eval/samples_boats_2026-03-01T09-00-00.123456.jsonl");
    let text = fs::read_to_string(file).expect("the fixture is there");
    text.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON")).collect()
}

/// The results of the fixtures, as if all samples had been evaluated.
fn results() -> Value {
    let file = path("lm-eval/results_2026-03-01T09-00-00.123456.json");
    let text = fs::read_to_string(file).expect("the fixture is there");
    let mut results: Value = serde_json::from_str(&text).expect("it is JSON");
    results["n-samples"]["boats"]["effective"] = json!(4);
    results
}

/// The rule, the place of the fault, the good file, and the change that makes the fault.
type Case = (&'static str, &'static str, fn() -> Value, fn(&mut Value));

fn remove(object: &mut Value, key: &str) {
    object.as_object_mut().expect("an object").remove(key);
}

const CASES: [Case; 7] = [
    ("L-1", "/2", samples, |rows| remove(&mut rows[2], "target")),
    ("L-1", "/4", samples, |rows| rows.as_array_mut().expect("rows").push(json!("a text"))),
    ("L-2", "/2/metrics/1", samples, |rows| remove(&mut rows[2], "bleu")),
    ("L-3", "/1/doc_id", samples, |rows| rows[1]["filter"] = json!("strict-match")),
    ("L-4", "/results/boats/perplexity,none", results, |run| {
        run["results"]["boats"]["perplexity,none"] = json!("12.5");
    }),
    ("L-4", "/groups/harbour/acc,none", results, |run| run["groups"]["harbour"]["acc,none"] = json!(null)),
    ("L-5", "/n-samples/boats/effective", results, |run| run["n-samples"]["boats"]["effective"] = json!(3)),
];

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    for (rule, place, good, change) in CASES {
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
    [samples(), results()].iter().map(|file| ("seed".to_owned(), check(file))).collect()
}

#[test]
fn good_files_conform() {
    for file in [samples(), results()] {
        assert_eq!(found(&check(&file)), BTreeSet::new());
    }
}
