//! Every command over every fixture of every format, before and after a change that matters: what the command says
//! has to change with it, or to say that it has no place for it.
//!
//! Each file meets a share of the commands; `EVALGRAPH_MATRIX=all` touches ten times as many places of each file.

mod plain_texts;

use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, OF_SHAPES};
use crate::share::one_of;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mutation {
    /// One value is another of its kind.
    Changed,
    /// One member has another name.
    Renamed,
    /// The last record of the longest list is gone.
    Removed,
}

/// Which mutations have to show in what a command says.
const ALL: &[Mutation] = &[Mutation::Changed, Mutation::Renamed, Mutation::Removed];

/// Commands that make something of a file: how they are called, and which mutations have to show. `FILE` is the file,
/// `BASE` the same before the mutation.
///
/// Summaries need to show only that a record is gone.
const COMMANDS: [(&[&str], &[Mutation]); 14] = [
    (&["diff", "BASE", "FILE"], ALL),
    (&["canon", "FILE"], ALL),
    (&["query", "FILE", "-q", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "--format", "nt"], ALL),
    (&["convert", "FILE", "--to", "nq"], ALL),
    (&["convert", "FILE", "--to", "same"], ALL),
    (&["convert", "FILE", "--to", "karenina", "--report-loss"], ALL),
    (&["convert", "FILE", "--to", "karenina-v2", "--report-loss"], ALL),
    (&["convert", "FILE", "--to", "train", "--no-corpus", "--report-loss"], ALL),
    (&["convert", "FILE", "--to", "kwanzaa", "--report-loss"], ALL),
    (&["convert", "FILE", "--to", "rlcf", "--report-loss"], ALL),
    (&["stats", "FILE"], &[Mutation::Removed]),
    (&["stats", "FILE", "--format", "json"], &[Mutation::Removed]),
    (&["validate", "FILE", "--format", "json"], &[Mutation::Removed]),
    (&["check", "FILE", "--format", "json"], &[Mutation::Removed]),
];

/// Losses that a command tells by what they are a part of: a step of the place, the form, and the word that the
/// command uses.
const TOLD_AS_A_WHOLE: [(&str, &str, &str); 18] = [
    ("hasPart", "karenina", "scenario"),
    ("hasPart", "", "template"),
    // Version 2.0 has no JSON-LD, so that its losses have no place in the file.
    ("answer_template", "", "template"),
    ("rating", "", "trait"),
    ("traits", "", "trait"),
    ("llm_traits", "", "trait"),
    ("publisher", "", "publisher"),
    ("answer_attribution", "", "answer_attribution"),
    // What a request returned is one value of JSON.
    ("result", "", "result"),
    ("sources", "", "source"),
    ("date_created", "", "date"),
    ("accuracy_score", "", "rating"),
    ("transparency_score", "", "rating"),
    // A row that is left out goes with its contexts.
    ("contexts", "", "leave"),
    ("filename", "", "document"),
    ("question_id", "", "id"),
    // Answers of models have no place in other systems.
    ("ai_response", "", "ai_response"),
    ("created_at", "", "date"),
];

/// The fixtures that hold data as programs write them.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                // Files at fault have tests of their own, corpora are read with their rows, and figures are not input.
                if !["bad", "broken", "corpus", "errors", FOREIGN, "frames", "hostile", OF_SHAPES, "worked"]
                    .contains(&name.as_str())
                {
                    folders.push(path);
                }
            } else if ["json", "jsonl", "jsonld", "csv", "yaml"]
                .iter()
                .any(|end| path.extension() == Some(end.as_ref()))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The values of a file: one, or one a line.
fn values(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter().map(|value| value.expect("it is JSON")).collect()
}

fn text(values: &[Value], is_lines: bool) -> String {
    let line = |value: &Value| if is_lines { format!("{value}\n") } else { format!("{value:#}\n") };
    values.iter().map(line).collect()
}

/// The places of values that are neither lists nor objects, contexts left out.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter().filter(|(key, _)| *key != "@context") {
                leaves(value, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                leaves(value, &format!("{pointer}/{at}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

/// The place of the longest list of objects.
fn longest_list(value: &Value, pointer: &str, best: &mut (usize, String)) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter().filter(|(key, _)| *key != "@context") {
                longest_list(
                    value,
                    &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
                    best,
                );
            }
        }
        Value::Array(list) => {
            if list.len() > best.0 && list.iter().all(Value::is_object) {
                *best = (list.len(), pointer.to_owned());
            }
            for (at, value) in list.iter().enumerate() {
                longest_list(value, &format!("{pointer}/{at}"), best);
            }
        }
        _ => {}
    }
}

/// A mutated file: its text, and the name of the member that was touched.
struct Mutant {
    mutation: Mutation,
    text: String,
    place: String,
    member: String,
}

/// The last step of a pointer that is a name.
fn member(pointer: &str) -> String {
    let name = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err());
    name.unwrap_or_default().replace("~1", "/").replace("~0", "~")
}

/// Which tenths of a file's values, and of its names, are touched.
fn shares() -> [&'static [usize]; 2] {
    const EACH: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    if std::env::var_os("EVALGRAPH_MATRIX").is_some() { [EACH, EACH] } else { [&[6], &[4]] }
}

fn mutants(text_of_file: &str, is_lines: bool) -> Vec<Mutant> {
    let whole = Value::Array(values(text_of_file));
    let mut places = Vec::new();
    leaves(&whole, "", &mut places);
    let mut made = Vec::new();
    let mut add = |mutation, mutated: &Value, place: &str| {
        let text = text(mutated.as_array().expect("it is a list"), is_lines);
        made.push(Mutant { mutation, text, place: place.to_owned(), member: member(place) });
    };
    let [changed, renamed] = shares();
    for share in changed {
        let Some(place) = places.get(places.len() * share / 10) else { continue };
        let mut mutated = whole.clone();
        let value = mutated.pointer_mut(place).expect("it was found there");
        *value = match &*value {
            Value::Null => Value::from("changed"),
            Value::Bool(yes) => Value::from(!yes),
            Value::Number(number) if number.is_f64() => {
                Value::from(number.as_f64().expect("a double") + 0.25)
            }
            Value::Number(number) => match number.as_i64() {
                Some(number) => Value::from(number + 1),
                None => Value::from(number.as_u64().expect("an integer") - 1),
            },
            Value::String(text) => Value::from(format!("{text} changed")),
            Value::Array(_) | Value::Object(_) => unreachable!("leaves are neither"),
        };
        add(Mutation::Changed, &mutated, place);
    }
    for share in renamed {
        let Some(place) = places.get(places.len() * share / 10) else { continue };
        let (parent, key) = place.rsplit_once('/').expect("a place has a step");
        let mut mutated = whole.clone();
        let Some(object) = mutated.pointer_mut(parent).and_then(Value::as_object_mut) else { continue };
        let key = key.replace("~1", "/").replace("~0", "~");
        let renamed = object.iter().map(|(name, value)| {
            let name = if *name == key { format!("{name}_renamed") } else { name.clone() };
            (name, value.clone())
        });
        *object = renamed.collect();
        add(Mutation::Renamed, &mutated, place);
    }
    let mut longest = (1, String::new());
    longest_list(&whole, "", &mut longest);
    if longest.0 > 1 {
        let mut mutated = whole.clone();
        let list = mutated.pointer_mut(&longest.1).and_then(Value::as_array_mut).expect("it was found there");
        list.pop();
        add(Mutation::Removed, &mutated, &format!("{}/{}", longest.1, longest.0 - 1));
    }
    made
}

/// What a command says of the file in a folder: its exit status, stdout and findings.
fn said(folder: &Path, command: &[&str], name: &str) -> (i32, String, String) {
    let base = format!("base/{name}");
    let arguments = command.iter().map(|argument| match *argument {
        "FILE" => name,
        "BASE" => base.as_str(),
        other => other,
    });
    let arguments: Vec<&str> = arguments.chain(["--diagnostics", "json"]).collect();
    run(folder, &arguments)
}

/// The graph of the file in a folder, a line a quad.
fn graph(folder: &Path, name: &str) -> BTreeSet<String> {
    let (_, n_quads, _) = said(folder, &["convert", "FILE", "--to", "nq"], name);
    n_quads.lines().map(str::to_owned).collect()
}

/// The local names of properties and classes in quads that only one of two graphs has.
fn touched(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Vec<String> {
    let local = |iri: &str| {
        iri.rsplit(['/', '#', ':', '<']).next().unwrap_or_default().trim_end_matches('>').to_owned()
    };
    let names = before.symmetric_difference(after).flat_map(|quad| {
        let mut terms = quad.split(' ').skip(1);
        let (property, object) = (terms.next().unwrap_or_default(), terms.next().unwrap_or_default());
        [local(property), if property.ends_with("#type>") { local(object) } else { String::new() }]
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns whether a finding says that a place, or what it is in the graph, goes nowhere.
fn is_told(command: &[&str], findings: &str, mutant: &Mutant, touched: &[String]) -> bool {
    // The mutant's place is in the list of the file's values.
    let place = mutant.place.splitn(3, '/').nth(2).map_or(String::new(), |rest| format!("/{rest}"));
    findings.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).any(|finding| {
        let message = finding["message"].as_str().unwrap_or_default();
        let names = touched.iter().chain([&mutant.member]);
        // A node without its name is lost with all that stands in it.
        let is_above = finding["pointer"].as_str().is_some_and(|pointer| {
            let pointer = pointer.strip_suffix("/@id").unwrap_or(pointer);
            finding["cost"].as_u64() > Some(0) && !pointer.is_empty() && place.starts_with(pointer)
        });
        // A group of members is named by the way to it.
        let is_group = message.split('`').skip(1).step_by(2).any(|quoted| {
            let group = format!("/{}/", quoted.replace('.', "/"));
            quoted.contains('.') && place.contains(&group)
        });
        let words = || message.split(|letter: char| !letter.is_alphanumeric() && !"_@".contains(letter));
        let is_whole = TOLD_AS_A_WHOLE.iter().any(|(step, form, word)| {
            let is_part = place.split('/').any(|found| found == *step);
            let is_written = command.iter().any(|argument| argument.starts_with(form));
            is_part && is_written && words().any(|found| found.trim_end_matches('s') == *word)
        });
        is_above || is_group || is_whole || names.into_iter().any(|name| words().any(|word| word == name))
    })
}

/// The silent cells of a fixture, by its number.
fn silent(number: usize, path: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let shown = path.strip_prefix(&root).expect("it is a fixture").display().to_string();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let original = fs::read_to_string(path).expect("the fixture is there");
    let is_lines = name.ends_with(".jsonl");
    let (base, mutants) = match path.extension().and_then(|end| end.to_str()) {
        Some("csv") => (original.clone(), plain_texts::of_table(&original, shares())),
        Some("yaml") => (original.clone(), plain_texts::of_yaml(&original, shares())),
        _ => (text(&values(&original), is_lines), mutants(&original, is_lines)),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("base")).expect("the folder is ours");
    fs::write(folder.path().join("base").join(&name), &base).expect("the folder is ours");
    fs::write(folder.path().join(&name), &base).expect("the folder is ours");
    let graph_before = graph(folder.path(), &name);
    let commands = COMMANDS.iter().enumerate().filter(|(at, _)| (number + at).is_multiple_of(one_of(6)));
    let commands: Vec<_> = commands.map(|(_, command)| command).collect();
    let before: Vec<_> = commands.iter().map(|(command, _)| said(folder.path(), command, &name)).collect();
    let mut silent = Vec::new();
    for mutant in mutants {
        fs::write(folder.path().join(&name), &mutant.text).expect("the folder is ours");
        let touched = touched(&graph_before, &graph(folder.path(), &name));
        for ((command, shows), before) in commands.iter().zip(&before) {
            if !shows.contains(&mutant.mutation) {
                continue;
            }
            let after = said(folder.path(), command, &name);
            // Of a document without a context the check says just that.
            let is_of_none = command[0] == "check" && after.1.contains("its context may be missing");
            let is_silent = after == *before && after.0 != 2 && !is_of_none;
            if is_silent && !is_told(command, &after.2, &mutant, &touched) {
                silent.push(format!(
                    "{shown}: {:?} {} {}: {}",
                    mutant.mutation,
                    mutant.place,
                    mutant.member,
                    command.join(" ")
                ));
            }
        }
    }
    silent
}

#[test]
fn no_command_is_silent_over_a_change_that_matters() {
    let silent: Vec<String> =
        fixtures().par_iter().enumerate().flat_map_iter(|(number, path)| silent(number, path)).collect();
    assert!(silent.is_empty(), "{} silent cells:\n{}", silent.len(), silent.join("\n"));
}
