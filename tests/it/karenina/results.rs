//! Karenina's verification results as today's library writes them: the export, the array and both tables.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use std::fs;

const FILES: [&str; 4] =
    ["results-today.json", "results-list.json", "results-table.csv", "results-of-job.csv"];

#[test]
fn every_form_is_in_the_graph_whole_and_comes_back() {
    let folder = path("verification");
    for name in FILES {
        let text = fs::read_to_string(folder.join(name)).expect("the fixture is there");
        let (status, back, stderr) = run(&folder, &["convert", name, "--to", "same", "--strict"]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        assert_eq!(back, text, "{name}");
        let (_, stats, _) = run(&folder, &["stats", name]);
        assert!(stats.contains("karenina/results "), "{name}: {stats}");
    }
}

#[test]
fn a_query_finds_why_a_run_failed() {
    let folder = path("verification");
    let query =
        "SELECT ?text ?why { ?r eg:failureReason|eg:error ?why ; s:itemReviewed/s:parentItem/s:text ?text }";
    for name in FILES {
        let (status, rows, stderr) = run(&folder, &["query", name, "-q", query, "--format", "csv"]);
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(
            rows, "text,why\r\nWhich planet is the largest?,the model did not answer in time\r\n",
            "{name}"
        );
    }
}

#[test]
fn what_a_model_has_answered_is_not_what_is_right() {
    let folder = path("verification");
    let query = "SELECT ?given ?right { ?r s:itemReviewed ?a . ?a a eg:GeneratedAnswer ; s:text ?given ;
        s:parentItem/s:acceptedAnswer/s:text ?right }";
    let (_, rows, stderr) = run(&folder, &["query", "results-today.json", "-q", query, "--format", "csv"]);
    assert_eq!(rows, "given,right\r\nIt is 144.,144\r\n", "{stderr}");
}

#[test]
fn the_evaluator_says_how_many_tokens_rows_took_on_average() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let usage = "{\"total_tokens\": 30, \"prompt_tokens\": 20, \"completion_tokens\": 10, \"sample_count\": 2, \
        \"mean_prompt_tokens\": 10.0, \"mean_completion_tokens\": 5.0}";
    let usage = usage.replace("        ", "");
    let files = [
        ("rag_a_results.json", format!("{{\"nv_accuracy\": [1.0], \"token_usage\": {usage}}}")),
        ("rag_a_summary.json", format!("{{\"nv_accuracy_mean\": 1.0, \"token_usage\": {usage}}}")),
        ("rag_a_metrics.json", format!("{{\"ingestion_metrics_list\": [], \"token_usage\": {usage}}}")),
    ];
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
        let (status, back, stderr) = run(folder.path(), &["convert", name, "--to", "same", "--strict"]);
        assert_eq!((status, back.as_str(), stderr.as_str()), (0, text.as_str(), ""), "{name}");
        let query = "SELECT ?n ?p ?c { ?s eg:samplesWithUsage ?n ; eg:meanPromptTokens ?p ; eg:meanCompletionTokens ?c }";
        let (_, rows, _) = run(folder.path(), &["query", name, "-q", query, "--format", "csv"]);
        assert_eq!(rows, "n,p,c\r\n2,10.0,5.0\r\n", "{name}");
    }
}
