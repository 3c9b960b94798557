//! Files of evaluation runs: how they are recognised, what is counted, what queries find, and that they come back.

use crate::cli::input::run;
use crate::cli::query_figures::stats;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The files with their kinds.
const FILES: [(&str, &str); 13] = [
    ("every-eval-ever/boats_samples.jsonl", "every-eval-ever/sample results"),
    ("every-eval-ever/one-sample.json", "every-eval-ever/sample results"),
    ("every-eval-ever/run.json", "every-eval-ever/run"),
    ("every-eval-ever/index.jsonl", "every-eval-ever/run index"),
    ("inspect/boats.json", "inspect/log"),
    ("lm-eval/samples_boats_2026-03-01T09-00-00.123456.jsonl", "lm-eval/samples"),
    ("lm-eval/samples_boats-of-old.jsonl", "lm-eval/samples"),
    ("lm-eval/results_2026-03-01T09-00-00.123456.json", "lm-eval/results"),
    ("helm/boats-port=brest,model=example_small/scenario_state.json", "helm/responses"),
    ("helm/boats-port=brest,model=example_small/per_instance_stats.json", "helm/instance statistics"),
    ("helm/boats-port=brest,model=example_small/stats.json", "helm/run statistics"),
    ("helm/boats-port=brest,model=example_small/run_spec.json", "helm/specification"),
    ("helm/boats-port=brest,model=example_small/scenario.json", "helm/scenario"),
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

/// The cells of a row of an answer.
fn cells(row: &Value, keys: &[&str]) -> Value {
    keys.iter().map(|key| row[*key].clone()).collect()
}

/// Epochs are repeats of one question. Letters are numbers, and lists stay lists.
#[test]
fn samples_of_a_log_are_results() {
    let mut results = query("inspect/boats.json", "results");
    results.sort_by_key(|row| row["node"].to_string());
    let keys = ["id", "replicate", "question_text", "answer", "answering_model", "run", "passed", "failure"];
    let expected = [
        json!(["1", 1, "Which boat is oldest?", "Otter", "example/small", "Run1", true, null]),
        json!(["1", 2, "Which boat is oldest?", "Heron", "example/small", "Run1", false, null]),
        json!([
            "bay",
            1,
            "Which bay is smallest?\nA) Pebble Bay\nB) Sand Bay",
            "A",
            "example/small",
            "Run1",
            null,
            null
        ]),
        json!(["blue", 1, "A shade of blue?", "navy", "example/small", "Run1", true, null]),
        json!([
            "depth",
            1,
            "How deep is it?\n\nAt the pier.",
            "How deep is it?",
            "example/small",
            "Run1",
            null,
            null
        ]),
        json!([
            "speed",
            1,
            "How fast is it?",
            null,
            "example/small",
            "Run1",
            null,
            "the sandbox did not start"
        ]),
    ];
    assert_eq!(results.iter().map(|row| cells(row, &keys)).collect::<Vec<_>>(), expected);
    let ratings = query("inspect/boats.json", "ratings");
    let mut ratings: Vec<String> =
        ratings.iter().map(|row| format!("{} {}", row["aspect"], row["value"])).collect();
    ratings.sort();
    let expected =
        ["\"length\" 0.25", "\"match\" 0", "\"match\" 0", "\"match\" 0.5", "\"match\" 1", "\"match\" 1"];
    assert_eq!(ratings, expected);
    let figures = &stats(Path::new("."), &[path("inspect/boats.json").display().to_string()])[0];
    let counted = ["results", "questions", "verified", "failed", "withoutVerdict", "errors", "totalTokens"];
    assert_eq!(counted.map(|key| figures[key].as_u64()), [6, 5, 2, 1, 3, 1, 144].map(Some));
    assert_eq!((&figures["runResults"], &figures["runStatus"]), (&json!(2), &json!("success")));
}

/// A row for each filter is a result of its own, and the filter belongs to the name of the metric.
#[test]
fn rows_of_a_task_are_results() {
    let file = "lm-eval/samples_boats_2026-03-01T09-00-00.123456.jsonl";
    let mut results = query(file, "results");
    results.sort_by_key(|row| row["node"].to_string());
    let keys = ["id", "question_text", "answer", "run", "passed"];
    let run = "2026-03-01T09-00-00.123456";
    let expected = [
        json!(["0", "Which boat is oldest?", "[invalid]", run, false]),
        json!(["0", "Which boat is oldest?", "Otter", run, true]),
        json!(["1", "How deep is the bay?", "7", run, true]),
        json!(["2", "The smallest bay is", "-3.2", run, false]),
    ];
    assert_eq!(results.iter().map(|row| cells(row, &keys)).collect::<Vec<_>>(), expected);
    let ratings = query(file, "ratings");
    let mut ratings: Vec<String> =
        ratings.iter().map(|row| format!("{} {}", row["aspect"], row["value"])).collect();
    ratings.sort();
    let expected = [
        "\"acc\" 0",
        "\"acc_norm\" 1",
        "\"exact_match\" 1.0",
        "\"exact_match,flexible-extract\" 1.0",
        "\"exact_match,strict-match\" 0.0",
        "\"f1\" 0.5",
    ];
    assert_eq!(ratings, expected);
}

/// The statistics name neither the run nor the task, which are in the name of the folder.
#[test]
fn statistics_of_instances_are_results() {
    let folder = "helm/boats-port=brest,model=example_small";
    let results = query(&format!("{folder}/per_instance_stats.json"), "results");
    let results: Vec<Value> = results.iter().map(|row| cells(row, &["id", "run", "replicate"])).collect();
    let run = "boats-port=brest,model=example_small";
    assert_eq!(results, [json!(["id1", run, 0]), json!(["id2", run, 0])]);
    let ratings = query(&format!("{folder}/per_instance_stats.json"), "ratings");
    let mut ratings: Vec<String> =
        ratings.iter().map(|row| format!("{} {}", row["aspect"], row["value"])).collect();
    ratings.sort();
    let expected = ["\"exact_match\" 0.0", "\"exact_match\" 1.0", "\"f1_score\" 0.5", "\"f1_score\" 1.0"];
    assert_eq!(ratings, expected);
    let answers = query(&format!("{folder}/scenario_state.json"), "answers");
    let keys = ["question_text", "kind", "answer"];
    let mut answers: Vec<Value> = answers.iter().map(|row| cells(row, &keys)).collect();
    answers.sort_by_key(Value::to_string);
    let expected = [
        json!(["How deep is the bay?", "accepted", "7 metres"]),
        json!(["How deep is the bay?", "suggested", " 7 metres"]),
        json!(["Which boat is oldest?", "accepted", "Otter"]),
        json!(["Which boat is oldest?", "suggested", " B"]),
    ];
    assert_eq!(answers, expected);
}

/// The values of metrics over all samples have the same form, whatever harness wrote them.
#[test]
fn aggregated_results_have_metrics_values_and_errors() {
    let query = "PREFIX eg: <urn:evalgraph:vocab:> PREFIX cr: <http://mlcommons.org/croissant/>
        SELECT ?task ?metric ?value ?error ?lower { ?result a eg:RunResult, cr:EvaluationResult ; eg:task ?task ;
        cr:metric ?metric ; cr:value ?value OPTIONAL { ?result eg:standardError ?error }
        OPTIONAL { ?result eg:lowerIsBetter ?lower } } ORDER BY ?task ?metric ?value";
    let of = |name: &str| {
        let file = path(name).display().to_string();
        let (status, rows, stderr) = run(Path::new("."), &["query", &file, "-q", query]);
        assert_eq!((status, &*stderr), (0, ""), "{name}");
        rows
    };
    insta::assert_snapshot!(of("every-eval-ever/run.json"), @r"
    task,metric,value,error,lower
    boats,Accuracy,0.50,0.3536,false
    knots,knots,-3,,false
    tides,quality,0.5,,true
    ");
    insta::assert_snapshot!(of("inspect/boats.json"), @r"
    task,metric,value,error,lower
    boats,accuracy,0.5,0.22,
    boats,stderr,0.22,,
    ");
    insta::assert_snapshot!(of("lm-eval/results_2026-03-01T09-00-00.123456.json"), @r#"
    task,metric,value,error,lower
    boats,"exact_match,flexible-extract",0.5,0.25,false
    boats,"exact_match,strict-match",0.0,,false
    boats,"exact_match_stderr,flexible-extract",0.25,,
    boats,"exact_match_stderr,strict-match",N/A,,
    boats,perplexity,12.5,,true
    harbour,acc,0.5,0.1,
    harbour,acc_stderr,0.1,,
    "#);
    insta::assert_snapshot!(of("helm/boats-port=brest,model=example_small/stats.json"), @r"
    task,metric,value,error,lower
    boats-port=brest,exact_match,0.25,,
    boats-port=brest,exact_match,0.5,,
    boats-port=brest,f1_score,0.75,,
    ");
}

/// The files that others wrote, if they are there.
#[test]
fn files_of_others_are_read_and_come_back() {
    let Some(suites) = std::env::var_os("EVALGRAPH_SUITES") else {
        println!("SKIPPED: the files of others are found by EVALGRAPH_SUITES");
        return;
    };
    let root = Path::new(&suites).join("evaluation");
    let mut folders =
        ["inspect", "every-eval-ever/inspect", "every-eval-ever/lm_eval", "every-eval-ever/helm"]
            .map(|name| root.join(name))
            .to_vec();
    folders.extend(
        ["skill_reference_conversion", "community_evals_converter"]
            .map(|name| root.join("every-eval-ever").join(name)),
    );
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            println!("SKIPPED: {} is not there", folder.display());
            continue;
        };
        for entry in entries {
            let file = entry.expect("the folder can be read").path();
            let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
            if file.is_dir() {
                folders.push(file);
            } else if ["json", "jsonl", "eval"].contains(&extension.as_str()) {
                let name = file.display().to_string();
                let written = convert(Path::new("."), &name, &["--to", "same"]);
                let values = |text: &str| -> Vec<Value> {
                    let values = serde_json::Deserializer::from_str(text).into_iter();
                    values.collect::<Result<_, _>>().expect("it is JSON")
                };
                if extension != "eval" {
                    let text = fs::read_to_string(&file).expect("it can be read");
                    assert_eq!(values(&written), values(&text), "{name}");
                }
                count += 1;
            }
        }
    }
    println!("{count} files");
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
