//! The named queries about runs of models.

use crate::cli::input::run;
use crate::karenina::fixtures::path;

/// The queries of this file.
pub(crate) const NAMES: [&str; 10] = [
    "contamination",
    "cost",
    "duplicate-results",
    "flaky-samples",
    "flips",
    "item-difficulty",
    "judge-agreement",
    "leaderboard",
    "missing-samples",
    "same-model",
];

const FILES: [&str; 5] = [
    "across/review.json",
    "runs/heron/harbour_samples.jsonl",
    "runs/otter/harbour_samples.jsonl",
    "runs/training.jsonl",
    "runs/two-models.csv",
];

#[test]
fn every_query_about_runs_says_what_the_files_say() {
    for name in NAMES {
        let arguments = [&["query"][..], &FILES, &["-n", name, "--format", "csv"]].concat();
        let (status, stdout, stderr) = run(&path(""), &arguments);
        assert_eq!(status, 0, "{name}: {stderr}");
        assert!(stdout.lines().count() > 1, "{name} has no row");
        insta::assert_snapshot!(format!("runs_{}", name.replace('-', "_")), stdout);
    }
}
