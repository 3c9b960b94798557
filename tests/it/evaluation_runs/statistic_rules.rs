//! The rules for the files of a run of HELM: each finds its fault at its place, and nothing else, in a file that was good before.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::json::{Limits, parse};
use evalgraph::source::helm::rules::{StatisticProfile, validate};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn check(file: &Value) -> RuleReport {
    let document = parse("file.json", file.to_string(), Limits::default()).expect("it is JSON");
    validate(&document, StatisticProfile::Seed)
}

fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let results = report.results.iter();
    let results = results.map(|result| {
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), pointer.expect("a result is at a value of the file"))
    });
    results.collect()
}

/// A file of the fixtures.
fn file(name: &str) -> Value {
    let path = path("helm/boats-port=brest,model=example_small").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("the fixture is there")).expect("it is JSON")
}

fn responses() -> Value {
    file("scenario_state.json")
}

fn instances() -> Value {
    file("per_instance_stats.json")
}

fn statistics() -> Value {
    file("stats.json")
}

/// The rule, the place of the fault, the good file, and the change that makes the fault.
type Case = (&'static str, &'static str, fn() -> Value, fn(&mut Value));

fn remove(object: &mut Value, key: &str) {
    object.as_object_mut().expect("an object").remove(key);
}

const CASES: [Case; 8] = [
    ("H-1", "/request_states/0/instance", responses, |file| {
        remove(&mut file["request_states"][0]["instance"], "id");
    }),
    ("H-1", "/request_states/0", responses, |file| remove(&mut file["request_states"][0], "instance")),
    ("H-1", "/request_states/1", responses, |file| remove(&mut file["request_states"][1], "request")),
    ("H-2", "/1", statistics, |file| remove(&mut file[1], "count")),
    ("H-2", "/0", statistics, |file| file[0]["name"] = json!("exact_match")),
    ("H-2", "/1/stats/0", instances, |file| file[1]["stats"][0] = json!(7)),
    ("H-3", "/1/instance_id", instances, |file| file[1] = file[0].clone()),
    ("H-4", "/request_states/1/result/success", responses, |file| {
        file["request_states"][1]["result"]["success"] = json!(false);
    }),
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
    [responses(), instances(), statistics()].iter().map(|file| ("seed".to_owned(), check(file))).collect()
}

#[test]
fn good_files_conform() {
    for file in [responses(), instances(), statistics()] {
        assert_eq!(found(&check(&file)), BTreeSet::new());
    }
}
