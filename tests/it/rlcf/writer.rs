//! `convert --to rlcf`: questions of any system as tasks for experts, which keep to the rules.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use evalgraph::json::{Limits, parse};
use evalgraph::source::rlcf::rules::{RecordRegister, RlcfProfile, RlcfRuleSettings, validate};
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
    let mut register = RecordRegister::default();
    register.add(&document, &told);
    for profile in RlcfProfile::ALL {
        let report = validate(&document, &told, profile, &RlcfRuleSettings::default(), &register);
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

/// A file without records and questions is an error, beside others it is left out.
#[test]
fn what_has_neither_records_nor_questions_is_left_out() {
    let summary = "evaluation/rag_general_knowledge_evaluation_summary.json";
    for (to, other) in [("rlcf", "lines.jsonl"), ("train", "lines.jsonl"), ("kwanzaa", "lines.jsonl")] {
        let (status, text, stderr) = run(&path("train"), &["convert", summary, "--to", to]);
        assert_eq!((status, text.as_str()), (2, ""), "{to}");
        assert!(stderr.contains("error[convert::no-questions]: the inputs have n"), "{to}: {stderr}");
        let (status, text, stderr) = run(&path("train"), &["convert", summary, other, "--to", to]);
        assert_eq!(status, 0, "{to}: {stderr}");
        assert!(text.len() > 100);
        let what = if to == "rlcf" { "neither records nor" } else { "no" };
        let note = format!("`rag_general_knowledge_evaluation_summary` has {what} questions and is left out");
        let note = format!("note[convert::no-questions]: {note}");
        assert!(stderr.contains(&note), "{to}: {stderr}");
    }
}

/// Lines of quads with the blank nodes by what is said of them, as far as that tells them apart.
fn lines(quads: &str) -> Vec<String> {
    canonical(quads).lines().map(str::to_owned).collect()
}

fn canonical(quads: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.nq"), quads).expect("the folder is ours");
    let (status, text, stderr) = run(folder.path(), &["canon", "a.nq"]);
    assert_eq!(status, 0, "{stderr}");
    text
}

/// Every record of every fixture is written, and says what it said.
#[test]
fn each_file_of_records_is_written_with_all_its_records() {
    let root = path("rlcf");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = crate::rlcf::round_trip::fixtures(&["json", "jsonl", "yaml"]);
    assert!(files.len() > 45);
    for file in files {
        let file = file.to_str().expect("names are UTF-8");
        let to = |folder: &std::path::Path, file: &str, to: &str| {
            let (status, text, stderr) = run(folder, &["convert", file, "--from", "rlcf", "--to", to]);
            assert_eq!(status, 0, "{file} to {to}: {stderr}");
            assert!(!stderr.contains("convert::loss"), "{file} to {to}: {stderr}");
            text
        };
        // Of a path with its folders, so that kinds and names are told alike.
        let place = folder.path().join(file);
        let written = place.with_extension("json");
        fs::create_dir_all(place.parent().expect("it is in the folder")).expect("the folder is ours");
        fs::write(&written, to(&root, file, "rlcf")).expect("the folder is ours");
        let again = written.strip_prefix(folder.path()).expect("it is in the folder").display().to_string();
        assert_eq!(lines(&to(folder.path(), &again, "nq")), lines(&to(&root, file, "nq")), "{file}");
    }
}

#[test]
fn files_become_one_export_with_all_their_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("all.json").display().to_string();
    let files =
        ["users.json", "credentials.json", "tasks.jsonl", "responses.json", "feedback.jsonl", "ratings.json"];
    let arguments = [&["convert"], &files[..], &["--to", "rlcf", "-o", &output]].concat();
    let (status, _, stderr) = run(&path("rlcf"), &arguments);
    assert_eq!(status, 0, "{stderr}");
    assert!(!stderr.contains("convert::loss"), "{stderr}");
    let export: Value =
        serde_json::from_str(&fs::read_to_string(&output).expect("it was written")).expect("JSON");
    let counts = |key: &str| export[key].as_array().map_or(0, Vec::len);
    assert_eq!(
        ["users", "credentials", "tasks", "responses", "feedback", "ratings"].map(counts),
        [5, 5, 12, 12, 14, 4]
    );
    let ids: Vec<_> = list(&export["feedback"]).map(|one| one["id"].as_u64()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    let (status, text, stderr) = run(folder.path(), &["validate", "all.json"]);
    assert_eq!(status, 0, "{text}{stderr}");
    assert!(text.contains("(rlcf/export)"), "{text}");
    // What two files say alike is there once, what they say differently is a fault.
    let more = "replies/users/2.json";
    let (status, _, stderr) = run(&path("rlcf"), &["convert", "users.json", more, "--to", "rlcf"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[rlcf::clash]: "), "{stderr}");
    assert!(stderr.contains("are the same User, but differ"), "{stderr}");
    let copy = folder.path().join("copy.json").display().to_string();
    fs::copy(path("rlcf/credentials.json"), &copy).expect("the fixture is there");
    let (status, text, stderr) = run(&path("rlcf"), &["convert", "credentials.json", &copy, "--to", "rlcf"]);
    assert_eq!(status, 0, "{stderr}");
    let export: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(list(&export["credentials"]).count(), 5);
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("an array").iter()
}

#[test]
fn questions_are_tasks_behind_those_that_are_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [tasks, users] = ["rlcf/tasks.jsonl", "rlcf/users.json"].map(|name| path(name).display().to_string());
    let rows = path("train/lines.jsonl").display().to_string();
    let arguments = ["convert", &tasks, &users, &rows, "--to", "rlcf", "-o", "all.json"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let text = fs::read_to_string(folder.path().join("all.json")).expect("it was written");
    let export: Value = serde_json::from_str(&text).expect("it is JSON");
    let ids: Vec<u64> = list(&export["tasks"]).filter_map(|task| task["id"].as_u64()).collect();
    assert!(ids.len() > 12);
    assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
    assert_eq!(list(&export["users"]).count(), 5);
    assert_eq!(export["tasks"][12]["task_type"], "QA");
    let arguments = ["convert", &tasks, &users, &rows, "--to", "rlcf", "-o", "each/"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    for name in ["tasks", "users", "lines"] {
        let text =
            fs::read_to_string(folder.path().join(format!("each/{name}.json"))).expect("it was written");
        assert!(serde_json::from_str::<Value>(&text).expect("it is JSON").is_array(), "{name}");
    }
}

#[test]
fn replies_become_one_export() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("all.json").display().to_string();
    let arguments = ["convert", "replies", "--from", "rlcf", "--to", "rlcf", "-o", &output];
    let (status, _, stderr) = run(&path("rlcf"), &arguments);
    assert_eq!(status, 0, "{stderr}");
    // What two replies say of one user stands there once, and nothing of it is lost.
    assert!(!stderr.contains("convert::loss"), "{stderr}");
    let export: Value =
        serde_json::from_str(&fs::read_to_string(&output).expect("it was written")).expect("JSON");
    assert_eq!(list(&export["users"]).count(), 2);
    for key in
        ["credentials", "tasks", "responses", "feedback", "ratings", "assignments", "metrics", "model_config"]
    {
        assert!(!export[key].is_null(), "{key}");
    }
    let (status, text, _) = run(folder.path(), &["validate", "all.json"]);
    assert_eq!(status, 0, "{text}");
}
