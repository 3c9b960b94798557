//! The rules for results of evaluations in the common form: each finds its fault at its place, and nothing else, in a file
//! that was good before.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::json::{JsonDocument, Limits, parse, parse_lines};
use evalgraph::source::every_eval_ever::rules::{EvaluationProfile, validate};
use evalgraph::source::registry::recognise;
use evalgraph::source::system_name::SystemName;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn text(name: &str) -> String {
    fs::read_to_string(path("every-eval-ever").join(name)).expect("the fixture is there")
}

fn check(document: &JsonDocument) -> RuleReport {
    let system = SystemName::from_name("every-eval-ever");
    let recognised = system.and_then(|system| system.entry().recognise_for_rules(document));
    validate(document, &recognised.expect("the rules assume a kind"), EvaluationProfile::Seed)
}

fn check_value(value: &Value) -> RuleReport {
    let document = parse("file.json", value.to_string(), Limits::default()).expect("it is JSON");
    check(&document)
}

fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let results = report.results.iter();
    let results = results.map(|result| {
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), pointer.expect("a result is at a value of the file"))
    });
    results.collect()
}

/// Results on samples.
fn samples() -> Value {
    let text = text("boats_samples.jsonl");
    text.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON")).collect()
}

/// The results of a run.
fn run() -> Value {
    serde_json::from_str(&text("run.json")).expect("it is JSON")
}

struct Case {
    rule: &'static str,
    place: &'static str,
    good: fn() -> Value,
    change: fn(&mut Value),
}

const fn of_samples(rule: &'static str, place: &'static str, change: fn(&mut Value)) -> Case {
    Case { rule, place, good: samples, change }
}

const fn of_run(rule: &'static str, place: &'static str, change: fn(&mut Value)) -> Case {
    Case { rule, place, good: run, change }
}

fn remove(object: &mut Value, key: &str) {
    object.as_object_mut().expect("an object").remove(key);
}

const CASES: [Case; 24] = [
    of_samples("E-1", "/4", |file| file.as_array_mut().expect("records").push(json!("a text"))),
    of_samples("E-2", "/0", |file| remove(&mut file[0], "sample_id")),
    of_samples("E-2", "/0/input", |file| remove(&mut file[0]["input"], "reference")),
    of_samples("E-2", "/0/evaluation/score", |file| file[0]["evaluation"]["score"] = json!("1.0")),
    of_samples("E-2", "/0/token_usage/input_tokens", |file| {
        file[0]["token_usage"]["input_tokens"] = json!(-1);
    }),
    of_samples("E-2", "/0/metadata/subject", |file| file[0]["metadata"]["subject"] = json!(7)),
    of_samples("E-2", "/0/comment", |file| file[0]["comment"] = json!("a key of our own")),
    of_samples("E-2", "/0/interaction_type", |file| file[0]["interaction_type"] = json!("single")),
    of_samples("E-2", "/0/evaluation_result_id", |file| file[0]["evaluation_result_id"] = json!(null)),
    of_samples("E-3", "/1", |file| remove(&mut file[1], "output")),
    of_samples("E-3", "/1/messages", |file| file[1]["messages"] = json!([])),
    of_samples("E-3", "/2/messages", |file| file[2]["messages"] = json!(null)),
    of_samples("E-8", "/3/schema_version", |file| file[3]["schema_version"] = json!("0.2.2")),
    of_run("E-4", "", |file| remove(file, "eval_library")),
    of_run("E-4", "/source_metadata/source_type", |file| {
        file["source_metadata"]["source_type"] = json!("leaderboard");
    }),
    of_run("E-4", "/model_info/additional_details/size", |file| {
        file["model_info"]["additional_details"]["size"] = json!(7);
    }),
    of_run("E-4", "/evaluation_results/0/metric_config/max_score", |file| {
        file["evaluation_results"][0]["metric_config"]["max_score"] = json!("high");
    }),
    of_run("E-4", "/evaluation_results/0/generation_config/generation_args/seed", |file| {
        file["evaluation_results"][0]["generation_config"]["generation_args"]["seed"] = json!(1);
    }),
    of_run("E-5", "/evaluation_results/0/metric_config", |file| {
        remove(&mut file["evaluation_results"][0]["metric_config"], "max_score");
    }),
    of_run("E-5", "/evaluation_results/1/metric_config", |file| {
        remove(&mut file["evaluation_results"][1]["metric_config"], "has_unknown_level");
    }),
    of_run("E-6", "/evaluation_results/1/source_data", |file| {
        remove(&mut file["evaluation_results"][1]["source_data"], "url");
    }),
    of_run("E-6", "/evaluation_results/2/source_data/source_type", |file| {
        file["evaluation_results"][2]["source_data"]["source_type"] = json!("book");
    }),
    of_run("E-6", "/evaluation_results/2/source_data", |file| {
        file["evaluation_results"][2]["source_data"] = json!(["knots"]);
    }),
    of_run("E-7", "/detailed_evaluation_results/file_path", |file| {
        file["detailed_evaluation_results"]["file_path"] = json!("samples.jsonl");
    }),
];

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    for Case { rule, place, good, change } in CASES {
        let mut changed = good();
        change(&mut changed);
        assert_eq!(found(&check_value(&changed)), [(rule.to_owned(), place.to_owned())].into(), "{rule}");
    }
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    CASES.iter().map(|case| ("seed".to_owned(), case.rule, case.place.to_owned())).collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    [samples(), run()].iter().map(|file| ("seed".to_owned(), check_value(file))).collect()
}

#[test]
fn the_fixtures_conform_and_each_bad_one_has_one_fault() {
    for file in [samples(), run()] {
        assert_eq!(found(&check_value(&file)), BTreeSet::new());
    }
    let bad = [
        ("score-of-text", "E-2", "/0/evaluation/score"),
        ("other-key", "E-2", "/0/comment"),
        ("no-output", "E-3", "/1"),
    ];
    for (name, rule, place) in bad {
        let name = format!("bad/{name}.jsonl");
        let document = parse_lines(name.as_str(), text(&name), Limits::default()).expect("it is JSON Lines");
        let recognised = recognise(&document, None, None).expect("it is clear").expect("it is of a system");
        let report = validate(&document, &recognised, EvaluationProfile::Seed);
        assert_eq!(found(&report), [(rule.to_owned(), place.to_owned())].into(), "{name}");
    }
}
