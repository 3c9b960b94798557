//! Runs of the commands of a row, in a folder with the files that they name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::changes::Changed;
use super::rows::{Row, base, commands};
use crate::cli::input::run_at;

/// The time at which commands are run: the first moment of 2026.
const NOW: i64 = 1_767_225_600;

/// What a command has said.
pub(super) struct Run {
    pub(super) status: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// A result of a validation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) rule: String,
    pub(super) severity: String,
    pub(super) file: Option<String>,
    pub(super) pointer: Option<String>,
    pub(super) line: Option<u64>,
    pub(super) message: String,
}

/// Puts the inputs of a row into a folder, and changes one of them if asked to.
pub(super) fn stage(row: &Row, folder: &Path, is_changed: bool) -> Option<Changed> {
    let inputs = row.inputs();
    let change = row.change.as_ref().filter(|_| is_changed);
    let changed_file = change.map(|change| change.file(inputs.first().map(String::as_str)));
    let first_part = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> =
        inputs.iter().map(String::as_str).chain(changed_file).map(first_part).collect();
    for name in names {
        if let Some(path) = base(row.document, &name) {
            copy(&path, &folder.join(name));
        }
    }
    Some(change?.apply(folder, changed_file?))
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).expect("the folder is ours");
        return;
    }
    fs::create_dir_all(to).expect("the folder is ours");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Runs the commands of a row one after the other.
pub(super) fn run(row: &Row, folder: &Path) -> Run {
    let commands = commands(&row.command);
    let mut last = None;
    for (index, words) in commands.iter().enumerate() {
        let run = run_words(folder, words);
        let is_last = index + 1 == commands.len();
        if !is_last && run.status != 0 {
            return run;
        }
        last = Some(run);
    }
    last.expect("a row has a command")
}

/// Runs a command. The report of a validation is asked for in a form with the places of all results.
pub(super) fn run_words(folder: &Path, words: &[String]) -> Run {
    let (program, arguments) = words.split_first().expect("a command has words");
    assert_eq!(program, "evalgraph", "only the program itself is run");
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_report = ["validate", "check"].contains(&arguments[0]);
    if is_report && !arguments.iter().any(|word| ["--format", "--fix-context"].contains(word)) {
        arguments.extend(["--format", "jsonl"]);
    }
    let (status, stdout, stderr) = run_at(NOW, folder, &arguments);
    Run { status, stdout, stderr }
}

impl Run {
    /// The results of a validation; none of other commands.
    pub(super) fn results(&self) -> Vec<Found> {
        let lines = self.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| found(&line)).collect()
    }
}

/// Reads a line of a report. `check` has other keys than `validate`.
fn found(line: &Value) -> Option<Found> {
    let text = |keys: [&str; 2]| keys.iter().find_map(|key| line[key].as_str()).map(str::to_owned);
    Some(Found {
        rule: text(["sourceShape", "code"])?,
        severity: text(["resultSeverity", "level"])?,
        message: text(["resultMessage", "message"])?,
        file: line["file"].as_str().map(str::to_owned),
        pointer: line["pointer"].as_str().map(str::to_owned),
        line: line["line"].as_u64(),
    })
}
