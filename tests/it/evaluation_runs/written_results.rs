//! `convert --to every-eval-ever`: results of every system are written as samples that the schema accepts, with their scores.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Files with results, and the number of their scores.
const FILES: [(&str, usize); 7] = [
    ("every-eval-ever/boats_samples.jsonl", 4),
    ("runs/heron/harbour_samples.jsonl", 40),
    ("runs/two-models.csv", 96),
    ("inspect/boats.json", 0),
    ("lm-eval/samples_boats_2026-03-01T09-00-00.123456.jsonl", 0),
    ("results/results-export.json", 1),
    ("verification/results-today.json", 1),
];

fn written(file: &str) -> Vec<Value> {
    let file = path(file).display().to_string();
    let (status, stdout, stderr) = run(Path::new("."), &["convert", &file, "--to", "every-eval-ever"]);
    assert_eq!(status, 0, "{file}: {stderr}");
    stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn the_results_of_every_system_become_samples_that_the_schema_accepts() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, count) in FILES {
        let samples = written(file);
        assert!(!samples.is_empty() && (count == 0 || samples.len() == count), "{file}: {}", samples.len());
        let lines: String = samples.iter().map(|sample| format!("{sample}\n")).collect();
        fs::write(folder.path().join("samples.jsonl"), lines).expect("our folder");
        let (status, stdout, stderr) = run(folder.path(), &["validate", "samples.jsonl"]);
        assert_eq!(status, 0, "{file}: {stdout}{stderr}");
    }
}

#[test]
fn a_score_keeps_its_model_its_sample_and_its_value() {
    let samples = written("runs/two-models.csv");
    let first = &samples[0];
    assert_eq!(
        [&first["model_id"], &first["sample_id"], &first["input"]["raw"]],
        [&json!("example/otter"), &json!("b1"), &json!("In which year was the Otter built?")]
    );
    assert_eq!(first["metadata"]["replicate"], "1");
    let right = samples.iter().filter(|sample| sample["evaluation"]["is_correct"] == true).count();
    let scores: f64 = samples.iter().filter_map(|sample| sample["evaluation"]["score"].as_f64()).sum();
    assert_eq!(right as f64, scores);
    // The samples of a file of this form stay as they are.
    let own = written("every-eval-ever/boats_samples.jsonl");
    let text = fs::read_to_string(path("every-eval-ever/boats_samples.jsonl")).expect("the fixture is there");
    let before: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(own.len(), before.len());
    for (own, before) in own.iter().zip(&before) {
        assert_eq!(
            (&own["evaluation"], &own["input"]["raw"]),
            (&before["evaluation"], &before["input"]["raw"])
        );
    }
}

#[test]
fn inputs_without_results_are_refused() {
    let file = path("train/general-knowledge/train.json").display().to_string();
    let (status, stdout, stderr) = run(Path::new("."), &["convert", &file, "--to", "every-eval-ever"]);
    assert_eq!((status, &*stdout), (2, ""));
    assert!(stderr.contains("convert::no-results"), "{stderr}");
}
