//! The rows against the program. An unchanged file is checked once for each command, and changed copies of it are
//! checked together where files of a document do not refer to each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::changes::Changed;
use super::rows::{Expected, Place, Row, commands};
use super::runs::{Found, Run, run, run_words, stage};

/// The documents whose files have no rules about each other.
const WITH_SINGLE_FILES: [&str; 2] = ["karenina", "train"];
/// Results that files of a few samples have in any case.
const OF_FEW_SAMPLES: [&str; 3] = ["W-24", "W-25", "W-26"];

/// What a command says of the files as they are, by document and command.
type Unchanged<'a> = HashMap<(&'a str, &'a str), Run>;

/// Says which rows do not hold.
pub(super) fn faults(rows: &[Row]) -> Vec<String> {
    let unchanged = run_unchanged(rows);
    let (together, alone): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| is_together(row));
    let mut groups: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in together {
        groups.entry((row.document, row.command.as_str())).or_default().push(row);
    }
    let groups: Vec<Vec<&Row>> = groups.into_values().collect();
    let of_groups = groups.par_iter().flat_map_iter(|group| check_together(group, &unchanged));
    let mut faults: Vec<String> = of_groups.collect();
    faults.par_extend(alone.par_iter().filter_map(|row| shown(row, check_alone(row, &unchanged))));
    faults.sort();
    faults
}

/// Says where a fault is.
fn shown(row: &Row, fault: Option<String>) -> Option<String> {
    let change = row.change.as_ref().map_or("", |change| change.written.as_str());
    fault.map(|fault| format!("{}: {}: `{}`, {change}: {fault}", row.place, row.statement, row.command))
}

fn run_unchanged(rows: &[Row]) -> Unchanged<'_> {
    let first: BTreeMap<(&str, &str), &Row> = rows
        .iter()
        .filter(|row| row.change.is_some() && !matches!(row.expected, Expected::Output(_)))
        .map(|row| ((row.document, row.command.as_str()), row))
        .collect();
    let runs = first.into_par_iter().map(|(key, row)| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        stage(row, folder.path(), false);
        (key, run(row, folder.path()))
    });
    runs.collect()
}

/// Returns whether a row can be checked in one run with others: its command validates one file, a value of which is
/// changed.
fn is_together(row: &Row) -> bool {
    let commands = commands(&row.command);
    WITH_SINGLE_FILES.contains(&row.document)
        && commands.len() == 1
        && commands[0].get(1).is_some_and(|word| word == "validate")
        && !row.command.contains("--format")
        && row.inputs().len() == 1
        && row.change.as_ref().is_some_and(|change| change.is_of_value())
        && match &row.expected {
            // Shapes hold for the union of all files.
            Expected::Rules { .. } => !row.command.contains("--shapes"),
            Expected::Conforms { without } => without.is_none(),
            _ => false,
        }
}

fn check_together(rows: &[&Row], unchanged: &Unchanged<'_>) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = rows[0].inputs().remove(0);
    let mut files = Vec::new();
    let mut changes = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        // A file keeps its name, which may say what it is.
        let own = folder.path().join(index.to_string());
        fs::create_dir(&own).expect("the folder is ours");
        changes.push(stage(row, &own, true));
        files.push(format!("{index}/{input}"));
    }
    let mut words = commands(&rows[0].command).remove(0);
    let at = words.iter().position(|word| *word == input).expect("the command names its input");
    words.splice(at..=at, files.iter().cloned());
    let together = run_words(folder.path(), &words);
    if together.status == 2 {
        // One of the files was not checked, so the report says nothing about it.
        return rows.iter().filter_map(|row| shown(row, check_alone(row, unchanged))).collect();
    }
    let mut by_file: HashMap<String, Vec<Found>> = HashMap::new();
    for found in together.results() {
        by_file.entry(found.file.clone().unwrap_or_default()).or_default().push(found);
    }
    let of_rows = rows.iter().zip(&files).zip(&changes);
    let faults = of_rows.filter_map(|((row, file), changed)| {
        let results = by_file.remove(file).unwrap_or_default();
        let status = i32::from(results.iter().any(|found| found.severity == "violation"));
        let base = &unchanged[&(row.document, row.command.as_str())];
        let fault = check_results(row, status, &new_results(results, base.results()), changed.as_ref());
        shown(row, fault.or_else(|| check_base(row, base)))
    });
    faults.collect()
}

fn check_alone(row: &Row, unchanged: &Unchanged<'_>) -> Option<String> {
    if let Expected::Elsewhere { file, text } = &row.expected {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let content = fs::read_to_string(path).unwrap_or_default();
        return (!content.contains(text)).then(|| format!("{file} has no `{text}`"));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let changed = stage(row, folder.path(), true);
    let made = run(row, folder.path());
    let base = unchanged.get(&(row.document, row.command.as_str())).filter(|_| row.change.is_some());
    let wrong_status = || {
        (made.status != row.status)
            .then(|| format!("exit status {}: {}{}", made.status, made.stderr, made.stdout))
    };
    let fault = match &row.expected {
        Expected::Output(fact) => wrong_status().or_else(|| fact.fault(folder.path(), &made)),
        Expected::Message { code, fact } => {
            let code = format!("[{code}]");
            if base.is_some_and(|base| base.stderr.contains(&code)) {
                return Some("the unchanged file has the message, too".to_owned());
            }
            let is_missing = !made.stderr.contains(&code);
            let missing = is_missing.then(|| format!("no message {code}: {}", made.stderr));
            let fault = || fact.as_ref().and_then(|fact| fact.fault(folder.path(), &made));
            missing.or_else(wrong_status).or_else(fault)
        }
        _ => {
            let results = new_results(made.results(), base.map(Run::results).unwrap_or_default());
            let fault = check_results(row, made.status, &results, changed.as_ref());
            fault.map(|fault| format!("{fault} {}", made.stderr))
        }
    };
    fault.or_else(|| check_base(row, base?))
}

/// The results without those that the unchanged file has.
fn new_results(mut results: Vec<Found>, base: Vec<Found>) -> Vec<Found> {
    for known in base {
        let is_known = |found: &Found| {
            (&found.rule, &found.pointer, &found.message) == (&known.rule, &known.pointer, &known.message)
        };
        if let Some(at) = results.iter().position(is_known) {
            results.remove(at);
        }
    }
    results
}

/// Checks that the unchanged file keeps the rule of a row.
fn check_base(row: &Row, base: &Run) -> Option<String> {
    let Expected::Rules { rules, .. } = &row.expected else { return None };
    let results = base.results();
    let broken =
        results.iter().find(|found| found.rule == rules[0] && !OF_FEW_SAMPLES.contains(&&*found.rule));
    broken.map(|found| format!("the unchanged file breaks the rule, too: {}", found.message))
}

/// Says what is otherwise with new results.
fn check_results(row: &Row, status: i32, results: &[Found], changed: Option<&Changed>) -> Option<String> {
    let otherwise = || Some(format!("exit status {status}, {results:#?}"));
    let found: BTreeSet<&str> = results.iter().map(|found| &*found.rule).collect();
    let is_expected = status == row.status
        && match (&row.expected, &row.change) {
            (Expected::Conforms { without: Some(rule) }, _) => !found.contains(&**rule),
            (Expected::Conforms { without: None }, change) => change.is_none() || results.is_empty(),
            (Expected::Rules { rules, .. }, Some(_)) => {
                found == rules.iter().map(String::as_str).collect::<BTreeSet<_>>()
            }
            (Expected::Rules { rules, .. }, None) => rules.iter().all(|rule| found.contains(&**rule)),
            _ => false,
        };
    if !is_expected {
        return otherwise();
    }
    let Expected::Rules { rules, place } = &row.expected else { return None };
    let of_rule: Vec<&Found> = results.iter().filter(|found| found.rule == rules[0]).collect();
    let pointers = match (place, changed) {
        (Place::Anywhere(text), _) => {
            return if of_rule.iter().any(|found| found.message.contains(text)) { None } else { otherwise() };
        }
        (Place::At(pointer), _) => vec![pointer.clone()],
        (Place::OfChange, Some(changed)) => changed.pointers.clone(),
        (Place::OfChange, None) => return None,
    };
    let is_there = |found: &&Found| pointers.contains(&found.pointer.clone().unwrap_or_default());
    if !of_rule.iter().all(is_there) {
        return otherwise();
    }
    let lines = &changed?.laid.as_ref()?.lines;
    let has_its_line =
        |found: &Found| found.pointer.as_ref().is_none_or(|at| found.line == lines.get(at).copied());
    if results.iter().all(has_its_line) { None } else { otherwise() }
}
