//! A folder of replies of RLCF's API: its files are parts of one dataset, each with a graph of its own.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PREFIXES: &str = "PREFIX s: <http://schema.org/> PREFIX eg: <urn:evalgraph:vocab:> ";

/// The rows of the answer, without names of columns.
fn query(folder: &Path, inputs: &[&str], text: &str) -> Vec<String> {
    let text = format!("{PREFIXES}{text}");
    let arguments = [&["query"], inputs, &["-q", &text, "--from", "rlcf", "--format", "csv"]].concat();
    let (status, stdout, stderr) = run(folder, &arguments);
    assert_eq!(status, 0, "{stderr}");
    stdout.lines().skip(1).map(str::to_owned).collect()
}

fn graphs(folder: &Path, inputs: &[&str]) -> Vec<String> {
    let rows =
        query(folder, inputs, "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g");
    let name = |row: &String| row.split(',').next().unwrap_or_default().to_owned();
    rows.iter().map(name).map(|name| name.replace("urn:evalgraph:graph:", "")).collect()
}

/// A folder with files.
fn folder(files: &[(&str, Value)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, value) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder is ours");
        fs::write(path, value.to_string()).expect("the folder is ours");
    }
    folder
}

const AUTHORS: &str = "SELECT ?f ?name { ?f a eg:Feedback ; s:author ?u . ?u s:name ?name }";

fn user(id: u64, name: &str) -> Value {
    json!({"id": id, "username": name, "authority_score": 0.5, "track_record_score": 0.5,
           "baseline_credential_score": 0.5})
}

fn feedback(id: u64, user: u64) -> Value {
    json!({"id": id, "user_id": user, "response_id": 1, "accuracy_score": 8.0, "utility_score": 7.0,
           "transparency_score": 6.0, "feedback_data": {"position": "correct"}})
}

#[test]
fn feedback_finds_its_users_in_another_file_of_the_folder() {
    let joined = ["urn:evalgraph:rlcf:replies:feedback/1,sven_ek"];
    assert_eq!(query(&path("rlcf"), &["replies"], AUTHORS), joined);
    let one_by_one = ["replies/feedback/all.json", "replies/users/all.json"];
    assert_eq!(query(&path("rlcf"), &one_by_one, AUTHORS), joined);
    let named = query(&path("rlcf"), &["replies", "--dataset", "court"], AUTHORS);
    assert_eq!(named, ["urn:evalgraph:rlcf:court:feedback/1,sven_ek"]);
}

#[test]
fn each_file_has_a_graph_of_its_own() {
    let names = graphs(&path("rlcf"), &["replies"]);
    let expected = ["users/2", "users/all", "tasks/all", "config/model", "config/tasks", "analytics/system"];
    for part in expected {
        assert!(names.contains(&format!("replies/{part}")), "{part}: {names:?}");
    }
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 13);
    // A file alone is known by its own name, as is one whose path is not a request's.
    assert_eq!(graphs(&path("rlcf"), &["replies/users/2.json"]), ["2"]);
    assert!(names.contains(&"exported_dataset".to_owned()), "{names:?}");
}

#[test]
fn tables_in_one_folder_are_one_dataset_and_others_are_not() {
    let users = json!([user(1, "ada_lind")]);
    let of_user = json!([feedback(1, 1)]);
    let made = folder(&[("db/users.json", users.clone()), ("db/feedback.json", of_user.clone())]);
    assert_eq!(query(made.path(), &["db"], AUTHORS), ["urn:evalgraph:rlcf:db:feedback/1,ada_lind"]);
    assert_eq!(graphs(made.path(), &["db"]), ["db/feedback", "db/users"]);
    // Here two folders, there two years: nothing says that the users of one are those of the other.
    let made = folder(&[("a/users.json", users.clone()), ("b/feedback.json", of_user.clone())]);
    assert_eq!(query(made.path(), &["a", "b"], AUTHORS), [""; 0]);
    let made = folder(&[("users_2025.json", users.clone()), ("feedback_2025.json", of_user)]);
    assert_eq!(query(made.path(), &["."], AUTHORS), [""; 0]);
    assert_eq!(graphs(made.path(), &["."]), ["feedback_2025", "users_2025"]);
    // An export is a whole dataset by itself.
    let made = folder(&[("users.json", users.clone()), ("tasks.json", json!({"users": users, "tasks": []}))]);
    assert_eq!(graphs(made.path(), &["users.json", "tasks.json"]).len(), 2);
    assert_eq!(query(made.path(), &["."], "SELECT DISTINCT ?u { ?u a eg:User }").len(), 2);
}

#[test]
fn the_same_file_twice_is_one_file() {
    let made = folder(&[("r/users.json", json!([user(1, "ada_lind")]))]);
    assert_eq!(graphs(made.path(), &["r/users.json", "./r/users.json"]), ["users"]);
}

#[test]
fn records_without_ids_stay_those_of_their_file() {
    let degree = |value: &str| json!([{"type": "ACADEMIC_DEGREE", "value": value, "weight": 1.0}]);
    let made = folder(&[
        ("r/users/1/credentials.json", degree("JD")),
        ("r/users/2/credentials.json", degree("PhD")),
    ]);
    let rows = query(made.path(), &["r"], "SELECT DISTINCT ?c { ?c a eg:CredentialCreate }");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|iri| iri.starts_with("urn:evalgraph:rlcf:r:")), "{rows:?}");
}

#[test]
fn each_file_comes_back_to_its_place() {
    let made = tempfile::tempdir().expect("a temporary folder");
    let root = path("rlcf");
    let arguments = ["convert", "replies", "--from", "rlcf", "--to", "nq", "--with", "sidecar,catalog", "-o"];
    let quads = made.path().join("quads.nq").display().to_string();
    let (status, _, stderr) = run(&root, &[&arguments[..], &[&quads]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    let text = fs::read_to_string(&quads).expect("it was written");
    fs::write(&quads, shuffled(&text, 11)).expect("the folder is ours");
    let (status, _, stderr) = run(made.path(), &["convert", "quads.nq", "--to", "same", "-o", "back/"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let files = crate::rlcf::round_trip::fixtures(&["json", "jsonl"]);
    let replies: Vec<_> = files.iter().filter(|file| file.starts_with("replies")).collect();
    assert_eq!(replies.len(), 13);
    for file in replies {
        let place = made.path().join("back").join(file.strip_prefix("replies").expect("it is one"));
        let back = fs::read_to_string(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        assert_eq!(back, fs::read_to_string(root.join(file)).expect("the fixture is there"));
    }
}

/// What experts make of a task needs the users of one file, the feedback of another and the responses of a
/// third.
#[test]
fn the_catalog_weighs_the_opinions_of_all_parts() {
    let text = fs::read_to_string(path("rlcf/worked/export.json")).expect("the fixture is there");
    let export: Value = serde_json::from_str(&text).expect("the fixture is JSON");
    let parts: Vec<(String, Value)> = export
        .as_object()
        .expect("it is an object")
        .iter()
        .filter(|(_, list)| list.is_array())
        .map(|(key, list)| (format!("worked/{key}/all.json"), list.clone()))
        .collect();
    assert!(parts.len() > 3);
    let files: Vec<(&str, Value)> = parts.iter().map(|(name, list)| (name.as_str(), list.clone())).collect();
    let made = folder(&files);
    let findings = "SELECT (STRAFTER(STR(?t), 'task/') AS ?task) ?d ?c { GRAPH <urn:evalgraph:graph:catalog> \
                    { ?t eg:disagreement ?d ; eg:contested ?c } } ORDER BY ?task";
    let whole = query(&path("rlcf/worked"), &["export.json"], findings);
    assert!(whole.len() > 5, "{whole:?}");
    assert_eq!(query(made.path(), &["worked"], findings), whole);
    let quads = ["convert", "worked", "--from", "rlcf", "--to", "nq", "--with", "catalog", "-o", "q.nq"];
    let (status, _, stderr) = run(made.path(), &quads);
    assert_eq!(status, 0, "{stderr}");
    let text = format!("{PREFIXES}{findings}");
    let (_, stdout, _) = run(made.path(), &["query", "q.nq", "-q", &text, "--format", "csv"]);
    assert_eq!(stdout.lines().skip(1).collect::<Vec<_>>(), whole);
}

#[test]
fn a_folder_of_replies_validates_with_errors_and_empty_ones_among_them() {
    let folder = folder(&[
        ("replies/users/all.json", json!([user(1, "anna")])),
        ("replies/bias_reports/all.json", json!([])),
        ("replies/assignments/all.json", json!([])),
        ("replies/analytics/task_distribution.json", json!({"QA": 4, "STATUTORY_RULE_QA": 2})),
        ("replies/exported_dataset.jsonl", json!({"detail": "Nothing found."})),
    ]);
    let (status, stdout, stderr) = run(folder.path(), &["validate", "replies"]);
    assert_eq!(status, 0, "{stderr}");
    for told in [
        "replies/analytics/task_distribution.json: conforms to seed (rlcf/TaskDistribution)",
        "replies/bias_reports/all.json: conforms to seed (rlcf/no records)",
        "replies/exported_dataset.jsonl:1:11: the file contains an API error, not data",
    ] {
        assert!(stdout.contains(told), "{told}\n{stdout}");
    }
    let (status, _, _) = run(folder.path(), &["validate", "replies", "--strict"]);
    assert_ne!(status, 0);
    // By itself it is not data, whatever it is called.
    for command in ["stats", "validate", "query"] {
        let mut arguments = vec![command, "replies/exported_dataset.jsonl"];
        arguments.extend((command == "query").then_some(["-q", "ASK {}"]).into_iter().flatten());
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 2, "{command}: {stderr}");
        assert!(
            stderr.contains("exported_dataset.jsonl:1:1: error[input::error-reply]"),
            "{command}: {stderr}"
        );
    }
}

#[test]
fn counts_of_tasks_by_type_are_in_the_graph_and_come_back() {
    let text = json!({"QA": 4, "NLI": 2}).to_string();
    let folder = folder(&[("analytics/task_distribution.json", json!({"QA": 4, "NLI": 2}))]);
    let name = "analytics/task_distribution.json";
    let (status, back, stderr) = run(folder.path(), &["convert", name, "--to", "same", "--strict"]);
    assert_eq!((status, back.as_str(), stderr.as_str()), (0, text.as_str(), ""));
    let rows = query(
        folder.path(),
        &[name],
        "SELECT ?type ?n { ?d eg:taskCount ?o . ?o s:variableMeasured ?type ; s:value ?n } ORDER BY ?type",
    );
    assert_eq!(rows, ["NLI,2", "QA,4"]);
}
