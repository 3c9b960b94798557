//! The files that other harnesses wrote, compared with themselves: every result has its partner, and nothing differs.

use crate::beside::suites;
use crate::cli::input::run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

#[test]
#[ignore = "needs ../shared/suites"]
fn a_file_with_results_equals_itself_and_any_other_is_refused() {
    let folder = suites().join("evaluation");
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let mut compared = 0;
    for file in &files {
        let name = file.display().to_string();
        let (status, stdout, stderr) = run(Path::new("."), &["compare", &name, &name, "--format", "jsonl"]);
        if status == 2 {
            assert!(stdout.is_empty() && stderr.contains("error["), "{name}: {stderr}");
            continue;
        }
        assert_eq!(status, 0, "{name}: {stderr}");
        compared += 1;
        for line in stdout.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            let kind = line["kind"].as_str().expect("a kind");
            assert!(kind != "flip" && kind != "unpaired", "{name}: {line}");
            if kind == "comparison" {
                let difference = line["difference"].as_f64();
                assert!(difference.is_none_or(|difference| difference == 0.0), "{name}: {line}");
                assert_ne!(line["verdict"], "worse", "{name}: {line}");
            }
        }
    }
    // Logs of Inspect, samples of lm-eval and of Every Eval Ever.
    assert!(compared >= 15, "{compared} of {} files have results", files.len());
}
