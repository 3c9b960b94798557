//! What `stats` counts of records: RLCF's by kind, type and status, results of a verification, conversations,
//! judgements. The figures are those of the graph.

use crate::cli::input::run;
use crate::cli::query_figures::{data_files, number, rows, stats};
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The keys of the figures with the classes of the nodes that they count.
const CLASSES: [(&str, &str); 27] = [
    ("users", "User"),
    ("userRequests", "UserCreate"),
    ("bulkUserRequests", "BulkUserCreate"),
    ("credentials", "Credential"),
    ("credentialRequests", "CredentialCreate"),
    ("tasks", "LegalTask"),
    ("taskRequests", "LegalTaskCreate"),
    ("yamlTasks", "YamlTask"),
    ("statusUpdates", "TaskStatusUpdate"),
    ("responses", "Response"),
    ("responseRequests", "ResponseCreate"),
    ("feedback", "Feedback"),
    ("feedbackRequests", "FeedbackCreate"),
    ("ratings", "FeedbackRating"),
    ("ratingRequests", "FeedbackRatingCreate"),
    ("assignments", "TaskAssignment"),
    ("assignmentRequests", "TaskAssignmentCreate"),
    ("devilsAdvocates", "DevilsAdvocateAssignment"),
    ("accountabilityReports", "AccountabilityReport"),
    ("biasReports", "BiasReport"),
    ("exportRequests", "ExportRequest"),
    ("systemMetrics", "SystemMetrics"),
    ("yamlRequests", "YamlContentRequest"),
    ("modelConfigurations", "AIModelConfig"),
    ("scoringConfigurations", "ModelConfig"),
    ("taskConfigurations", "TaskConfig"),
    ("results", "VerificationResult"),
];

/// Counts by the path of a file and a word.
type Counts = BTreeMap<(String, String), u64>;

fn counts_in_graphs(files: &[String], pattern: &str) -> Counts {
    let query = format!(
        "SELECT ?path ?word (COUNT(DISTINCT ?x) AS ?n) {{ \
         GRAPH <urn:evalgraph:graph:catalog> {{ ?g eg:path ?path }} \
         GRAPH ?g {{ ?x a ?class {pattern} }} }} GROUP BY ?path ?word"
    );
    let rows = rows(Path::new("."), &["-q", &query], files);
    let cell = |row: &BTreeMap<String, String>, name: &str| row.get(name).cloned().unwrap_or_default();
    rows.iter().map(|row| ((cell(row, "path"), cell(row, "word")), number(row, "n"))).collect()
}

fn counts_of_stats(files: &[String], key: &str) -> Counts {
    let mut counts = Counts::new();
    for file in stats(Path::new("."), files) {
        let path = file["file"].as_str().expect("a path").to_owned();
        for (word, count) in file[key].as_object().into_iter().flatten() {
            counts.insert((path.clone(), word.clone()), count.as_u64().expect("a count"));
        }
    }
    counts
}

fn of_rlcf_and_results() -> Vec<String> {
    let is_wanted =
        |file: &String| file.contains("/rlcf/") || file.contains("/results/") || file.contains("review");
    data_files().into_iter().filter(is_wanted).collect()
}

#[test]
fn records_are_counted_as_the_graph_has_them() {
    let files = of_rlcf_and_results();
    let word = "FILTER(STRSTARTS(STR(?class), \"urn:evalgraph:vocab:\")) BIND(STRAFTER(STR(?class), \"vocab:\") AS ?word)";
    let in_graphs = counts_in_graphs(&files, word);
    let mut seen = 0;
    for file in stats(Path::new("."), &files) {
        let path = file["file"].as_str().expect("a path");
        for (key, class) in CLASSES {
            let in_graph = in_graphs.get(&(path.to_owned(), class.to_owned())).copied();
            assert_eq!(file[key].as_u64(), in_graph, "{path}: {key}");
            seen += usize::from(in_graph.is_some());
        }
    }
    assert!(seen > 45, "{seen}");
}

#[test]
fn tasks_are_counted_by_type_and_status() {
    let files = of_rlcf_and_results();
    let tasks = "VALUES ?class { eg:LegalTask eg:LegalTaskCreate eg:YamlTask } ?x";
    let by_type = counts_in_graphs(&files, &format!(". {tasks} s:additionalType ?word"));
    assert!(by_type.len() > 15, "{by_type:?}");
    assert_eq!(counts_of_stats(&files, "tasksByType"), by_type);
    let by_status = counts_in_graphs(&files, &format!(". {tasks} s:creativeWorkStatus ?word"));
    assert!(by_status.len() > 5, "{by_status:?}");
    assert_eq!(counts_of_stats(&files, "tasksByStatus"), by_status);
}

/// Records inside of others: by hand.
#[test]
fn an_export_of_nested_records_is_counted_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let export = json!({
        "users": [{"id": 1, "username": "a", "credentials": [
            {"id": 1, "type": "ACADEMIC_DEGREE", "value": "PhD", "weight": 0.3},
            {"id": 2, "type": "PROFESSIONAL_EXPERIENCE", "value": "4", "weight": 0.4}]}, {"id": 2, "username": "b"}],
        "tasks": [{"id": 1, "task_type": "QA", "status": "OPEN", "input_data": {"question": "q?"}, "responses": [
            {"id": 1, "task_id": 1, "output_data": {"message": "m"}, "feedback": [
                {"id": 1, "user_id": 1, "response_id": 1, "accuracy_score": 7, "ratings": [
                    {"id": 1, "feedback_id": 1, "user_id": 2, "helpfulness_score": 4}]}]}]}, null, "none"],
    });
    fs::write(folder.path().join("export.json"), export.to_string()).expect("the folder is ours");
    let files = ["export.json".to_owned()];
    let figures = &stats(folder.path(), &files)[0];
    let counted =
        ["users", "credentials", "tasks", "responses", "feedback", "ratings"].map(|key| &figures[key]);
    assert_eq!(counted, [2, 2, 1, 1, 1, 1]);
    assert_eq!(
        (&figures["tasksByType"], &figures["tasksByStatus"]),
        (&json!({"QA": 1}), &json!({"OPEN": 1}))
    );
    let (status, pieces, stderr) =
        run(folder.path(), &["stats", "export.json", "--in-pieces-of", "1", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(&serde_json::from_str::<Value>(&pieces).expect("it is JSON")[0], figures);
}

#[test]
fn results_of_a_verification_are_counted_by_verdict_model_and_run() {
    let text = fs::read_to_string(path("results/results-export.json")).expect("the fixture is there");
    let mut export: Value = serde_json::from_str(&text).expect("it is JSON");
    let first = export["results"][0].clone();
    let result = |id: &str, change: &dyn Fn(&mut Value)| {
        let mut result = first.clone();
        result["metadata"]["result_id"] = json!(id);
        change(&mut result);
        result
    };
    let results = export["results"].as_array_mut().expect("a list");
    results.push(result("1", &|result| {
        result["template"]["verify_result"] = json!(false);
        result["metadata"]["run_name"] = json!("night");
        result["metadata"]["answering"]["model_name"] = json!("model-c");
    }));
    results.push(result("2", &|result| {
        result["template"] = Value::Null;
        result["metadata"]["question_id"] = json!("other");
        result["metadata"]["failure"] = json!({"category": "timeout", "stage": "answer", "reason": "slow"});
        result["metadata"]["run_name"] = json!("night");
    }));
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("r.json"), export.to_string()).expect("the folder is ours");
    let figures = &stats(folder.path(), &["r.json".to_owned()])[0];
    let counted =
        ["results", "questions", "verified", "failed", "withoutVerdict"].map(|key| figures[key].as_u64());
    assert_eq!(counted, [3, 2, 1, 1, 1].map(Some));
    assert_eq!(figures["answeringModels"], json!({"model-a": 2, "model-c": 1}));
    assert_eq!(figures["parsingModels"], json!({"model-b": 3}));
    assert_eq!((&figures["runs"], &figures["failures"]), (&json!(["night"]), &json!({"timeout": 1})));
    let (_, text, _) = run(folder.path(), &["stats", "r.json"]);
    assert!(text.contains("  answering models   model-a 2, model-c 1\n"), "{text}");
    assert!(text.contains("  failures           timeout 1\n"), "{text}");
}

#[test]
fn conversations_and_judgements_are_counted() {
    let names = ["kwanzaa/chat.jsonl", "train/evaluation/rag_general_knowledge_evaluation_results.json"];
    let figures = stats(Path::new("."), &names.map(|name| path(name).display().to_string()));
    assert_eq!((&figures[0]["conversations"], &figures[0]["messages"]), (&json!(5), &json!(15)));
    assert_eq!(figures[0]["questions"], json!(5));
    assert_eq!(figures[0]["messagesByRole"], json!({"system": 5, "user": 5, "assistant": 5}));
    assert_eq!(figures[1]["nv_accuracy"], json!({"rows": 7, "mean": 5.25 / 7.0}));
    assert_eq!(figures[1]["nv_context_relevance"]["mean"], json!(4.0 / 7.0));
}
