//! Files of evaluation runs: how they are recognised, what is counted, what queries find, and that they come back.

use crate::cli::input::run;
use crate::cli::query_figures::stats;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The files with their kinds.
const FILES: [(&str, &str); 4] = [
    ("every-eval-ever/boats_samples.jsonl", "every-eval-ever/sample results"),
    ("every-eval-ever/one-sample.json", "every-eval-ever/sample results"),
    ("every-eval-ever/run.json", "every-eval-ever/run"),
    ("every-eval-ever/index.jsonl", "every-eval-ever/run index"),
];

fn convert(folder: &Path, file: &str, options: &[&str]) -> String {
    let (status, text, stderr) = run(folder, &[&["convert", file], options].concat());
    assert_eq!((status, &*stderr), (0, ""), "{file}");
    text
}

fn query(file: &str, name: &str) -> Vec<Value> {
    let file = path(file).display().to_string();
    let (status, rows, stderr) = run(Path::new("."), &["query", &file, "-n", name, "--format", "jsonl"]);
    assert_eq!((status, &*stderr), (0, ""), "{file}");
    rows.lines().map(|row| serde_json::from_str(row).expect("a row is JSON")).collect()
}

#[test]
fn every_file_comes_back_from_its_shuffled_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (seed, (name, _)) in FILES.into_iter().enumerate() {
        let text = fs::read_to_string(path(name)).expect("the fixture is there");
        assert_eq!(convert(&path(""), name, &["--to", "same"]), text, "{name}");
        let quads = convert(&path(""), name, &["--to", "nq", "--with", "sidecar"]);
        fs::write(folder.path().join("quads.nq"), shuffled(&quads, seed as u64)).expect("the folder is ours");
        assert_eq!(convert(folder.path(), "quads.nq", &["--to", "same"]), text, "{name}");
    }
}

#[test]
fn files_are_recognised_by_their_content() {
    for (name, kind) in FILES {
        let figures = &stats(Path::new("."), &[path(name).display().to_string()])[0];
        assert_eq!((figures["kind"].as_str(), &figures["warnings"]), (Some(kind), &json!(0)), "{name}");
    }
}

#[test]
fn results_are_counted() {
    let of = |name: &str| stats(Path::new("."), &[path(name).display().to_string()])[0].clone();
    let figures = of("every-eval-ever/boats_samples.jsonl");
    let counted = ["results", "questions", "verified", "failed", "withoutVerdict", "errors", "totalTokens"];
    assert_eq!(counted.map(|key| figures[key].as_u64()), [4, 4, 2, 2, 0, 1, 27].map(Some));
    assert_eq!(figures["tasks"], json!({"boats": 2, "tides": 2}));
    let figures = of("every-eval-ever/run.json");
    assert_eq!((&figures["runResults"], &figures["answeringModel"]), (&json!(3), &json!("example/otter")));
    assert_eq!(figures["resultsByMetric"], json!({"Accuracy": 1, "quality": 1}));
}

/// Two tasks of a file have samples with the same ids, which are different questions.
#[test]
fn named_queries_find_results_runs_and_ratings() {
    let results = query("every-eval-ever/boats_samples.jsonl", "results");
    let cells = |row: &Value| {
        ["id", "question_text", "answer", "passed", "failure", "seconds"].map(|key| row[key].clone())
    };
    let expected = [
        json!(["2", "And at Dover?", null, false, "the model did not answer in time", null]),
        json!(["1", "When is the next high tide at Brest?", "At 16:40.", true, null, null]),
        json!(["2", "Which bay is smallest?", "Sand Bay", false, null, null]),
        json!(["1", "Which boat is oldest?", "It is the Otter.", true, null, 1.25]),
    ];
    assert_eq!(results.iter().map(|row| json!(cells(row))).collect::<Vec<_>>(), expected);
    let runs = query("every-eval-ever/boats_samples.jsonl", "runs");
    let figures = ["run", "results", "questions", "passed", "models"].map(|key| runs[0][key].clone());
    assert_eq!(json!(figures), json!(["boats/example_otter/1764000000", 4, 4, 2, 1]));
    let ratings = query("every-eval-ever/boats_samples.jsonl", "ratings");
    let ratings: Vec<Value> = ratings.iter().map(|row| json!([row["aspect"], row["value"]])).collect();
    let expected = [
        json!(["boats.accuracy", 1.0]),
        json!(["tides", 1]),
        json!(["boats.accuracy", 0]),
        json!(["tides", 0.0]),
    ];
    assert_eq!(ratings, expected);
}

#[test]
fn other_systems_get_the_questions_and_references() {
    let file = path("every-eval-ever/boats_samples.jsonl").display().to_string();
    let (status, rows, stderr) = run(Path::new("."), &["convert", &file, "--to", "train"]);
    assert_eq!(status, 0, "{stderr}");
    let rows: Vec<Value> = serde_json::from_str(&rows).expect("rows are JSON");
    let mut pairs: Vec<[&Value; 2]> = rows.iter().map(|row| [&row["question"], &row["answer"]]).collect();
    pairs.sort_by_key(|pair| pair[0].to_string());
    assert_eq!(pairs[1], [&json!("When is the next high tide at Brest?"), &json!("At 16:40.")]);
    assert_eq!(pairs[3], [&json!("Which boat is oldest?"), &json!("Otter")]);
    assert_eq!(pairs.len(), 4);
}
