//! `convert --to rlcf`: questions of any system as tasks for experts, which keep to the rules.

use crate::cli_input::run;
use crate::karenina_fixtures::path;
use evalgraph::json::{Limits, parse};
use evalgraph::source::rlcf::rules::{Profile, Register, Settings, validate};
use evalgraph::source::rlcf::tell;
use serde_json::Value;
use std::fs;

#[test]
fn a_checkpoint_becomes_tasks_that_experts_can_evaluate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(path("karenina/p2-genomics.jsonld"), folder.path().join("c.jsonld"))
        .expect("the fixture is there");
    let (status, text, stderr) = run(folder.path(), &["convert", "c.jsonld", "--to", "rlcf"]);
    assert_eq!(status, 0, "{stderr}");
    let tasks: Vec<Value> = serde_json::from_str(&text).expect("it is an array");
    assert_eq!(tasks.len(), 6);
    assert_eq!(tasks[0]["id"], 1);
    assert_eq!(tasks[0]["task_type"], "QA");
    assert!(tasks[0]["ground_truth_data"]["validated_answer"].is_string(), "{}", tasks[0]);
    for said in
        ["filled in for `c`: `context` is empty (6 times)", "warning[convert::loss]: rlcf cannot hold"]
    {
        assert!(stderr.contains(said), "{stderr}");
    }
    let document = parse("tasks.json", text, Limits::default()).expect("it is JSON");
    let told = tell(&document, "tasks.json", None).expect("they are tasks");
    let mut register = Register::default();
    register.add(&document, &told);
    for profile in Profile::ALL {
        let report = validate(&document, &told, profile, (&Settings::default(), &register));
        assert_eq!(report.results.len(), 0, "{profile}: {:?}", report.results);
        assert_eq!(report.subjects, 6);
    }
}

#[test]
fn tasks_become_tasks_again() {
    let (status, text, stderr) = run(&path("rlcf"), &["convert", "tasks.jsonl", "--to", "rlcf"]);
    assert_eq!(status, 0, "{stderr}");
    let tasks: Vec<Value> = serde_json::from_str(&text).expect("it is an array");
    let first = &tasks[0];
    let question = "Within how many days must a notice of defects be given under the model sale agreement?";
    assert_eq!(first["input_data"]["question"], question);
    assert_eq!(first["ground_truth_data"]["validated_answer"], "Within fourteen days of delivery.");
    assert_eq!(first["created_at"], "2026-02-01T09:00:00.000123");
}

#[test]
fn an_input_without_questions_is_an_error() {
    let (status, text, stderr) = run(&path("rlcf"), &["convert", "users.json", "--to", "rlcf"]);
    assert_eq!((status, text.as_str()), (2, ""));
    assert!(stderr.contains("error[convert::no-questions]: the inputs have no questions"), "{stderr}");
}
