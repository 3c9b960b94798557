//! There and back: each fixture in the form of each system and in its own again. The records are those
//! that they were, or each difference is in a member that was told to be lost or filled in on one of the
//! two ways.

use crate::cli::input::evalgraph;
use crate::karenina::fixtures::{fixtures_in, path};
use crate::share::one_of;
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Every form that questions are written in, with its arguments.
const FORMS: [(&str, &[&str]); 9] = [
    ("train", &["train", "--impossible", "omit"]),
    ("kwanzaa", &["kwanzaa"]),
    ("rlcf", &["rlcf"]),
    ("karenina", &["karenina"]),
    ("karenina-gui", &["karenina-gui"]),
    ("karenina-spec", &["karenina-spec"]),
    ("v2-a", &["karenina-v2", "--v2-shape", "a"]),
    ("v2-b", &["karenina-v2", "--v2-shape", "b"]),
    ("v2-c", &["karenina-v2", "--v2-shape", "c"]),
];

/// Files of questions that are of no checkpoint, with their system.
const FILES: [(&str, &str); 15] = [
    ("train", "train/awkward-rows.json"),
    ("train", "train/general-knowledge/train.json"),
    ("train", "train/lines.jsonl"),
    ("train", "train/support-desk.json"),
    ("train", "train/table.csv"),
    ("train", "train/wrong-types.json"),
    ("kwanzaa", "kwanzaa/citation.json"),
    ("kwanzaa", "kwanzaa/each-category.json"),
    ("kwanzaa", "kwanzaa/format-compliance.json"),
    ("kwanzaa", "kwanzaa/grounded-answer.json"),
    ("kwanzaa", "kwanzaa/refusal.json"),
    ("kwanzaa", "kwanzaa/variants.json"),
    ("rlcf", "rlcf/export.json"),
    ("rlcf", "rlcf/tasks.jsonl"),
    ("rlcf", "rlcf/tasks.yaml"),
];

/// Under which words a member is lost or filled in, where these are not the member's name in backticks. Of
/// traits in the forms of checkpoints `karenina_conversions` holds each by itself.
const WORDS: [(&str, &[&str]); 12] = [
    ("created_at", &["`dateCreated`"]),
    ("filename", &["the names of the documents", "the extension of the file", "the name of the document"]),
    ("contexts", &["the documents of a question"]),
    ("answer", &["the answer of a refusal says that there is none", "the answer of an impossible question"]),
    ("id", &["the id of a question", "the spelling of an id"]),
    ("sample_id", &["the id of a question", "the spelling of an id"]),
    ("custom_source_id", &["the id of a question", "the spelling of an id", "`@id` of an item"]),
    ("hasPart", &["a template"]),
    ("rating", &["a trait or rating", "trait of kind", "kind score of a trait"]),
    ("keywords", &["cannot hold keywords"]),
    ("dateCreated", &["the creation date"]),
    ("dateModified", &["the date of the last change"]),
];

struct Run {
    status: i32,
    told: String,
}

fn convert(folder: &Path, input: &str, form: &[&str], output: &str) -> Run {
    let mut program = evalgraph(folder);
    program.env("SOURCE_DATE_EPOCH", "1767225600").args(["convert", input, "--to"]).args(form);
    let run = program.args(["-o", output, "--report-loss", "-v"]).output().expect("the program starts");
    let told = String::from_utf8(run.stderr).expect("the program speaks UTF-8");
    Run { status: run.status.code().expect("the program ends by itself"), told }
}

/// The records of a file, each with its members as paths.
fn records(system: &str, text: &str) -> Vec<BTreeMap<String, String>> {
    let json: Value = serde_json::from_str(text).expect("it is JSON");
    let list = match system {
        "train" => &json,
        "kwanzaa" => &json["samples"],
        "rlcf" if json.is_array() => &json,
        "rlcf" => &json["tasks"],
        _ => &json["dataFeedElement"],
    };
    let flat = |record: &Value| {
        let mut members = BTreeMap::new();
        flatten(record, "", &mut members);
        members
    };
    list.as_array().map(|list| list.iter().map(flat).collect()).unwrap_or_default()
}

/// The scalars below a value by their paths. Null, an empty array and an empty object say nothing.
fn flatten(value: &Value, path: &str, members: &mut BTreeMap<String, String>) {
    match value {
        Value::Null => {}
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(item, &format!("{path}/{at}"), members);
            }
        }
        Value::Object(object) => flatten_object(object, path, members),
        Value::String(text) => {
            // Blanks in JSON that stands in a text are nobody's.
            let json = serde_json::from_str::<Value>(text).ok().filter(|json| !json.is_string());
            let shown = json.map_or_else(|| value.to_string(), |json| format!("{:?}", json.to_string()));
            members.insert(path.to_owned(), shown);
        }
        scalar => drop(members.insert(path.to_owned(), scalar.to_string())),
    }
}

fn flatten_object(object: &Map<String, Value>, path: &str, members: &mut BTreeMap<String, String>) {
    // A property of a checkpoint goes by its name.
    let name = object.get("name").and_then(Value::as_str).filter(|_| object.contains_key("value"));
    if let Some(name) = name.filter(|_| object["@type"] == "PropertyValue") {
        let above = path.rsplit_once('/').map_or("", |(above, _)| above);
        return flatten(&object["value"], &format!("{above}/{name}"), members);
    }
    for (key, value) in object {
        flatten(value, &format!("{path}/{key}"), members);
    }
}

fn question(record: &BTreeMap<String, String>) -> Option<&str> {
    let keys = ["/question", "/user_query", "/item/text"];
    let of_tasks = ["question", "text", "document", "source", "premise", "facts"];
    let of_tasks = of_tasks.iter().find_map(|key| record.get(&format!("/input_data/{key}")));
    of_tasks.map(String::as_str).or_else(|| keys.iter().find_map(|key| record.get(*key).map(String::as_str)))
}

/// Returns whether a member is named by what was told.
fn is_told(member: &str, told: &str) -> bool {
    let keys: Vec<&str> = member.split('/').filter(|key| key.parse::<usize>().is_err()).collect();
    let names = keys.iter().filter(|key| !matches!(**key, "" | "item"));
    let by_name = names.into_iter().any(|key| told.contains(&format!("{key}`")));
    let by_words =
        |(of, words): &(&str, &[&str])| keys.contains(of) && words.iter().any(|words| told.contains(words));
    by_name || WORDS.iter().any(by_words)
}

/// The differences of two files that nobody was told of.
fn untold(system: &str, before: &str, after: &str, told: &str) -> BTreeSet<String> {
    let (before, after) = (records(system, before), records(system, after));
    let mut differences = BTreeSet::new();
    let mut rest = after.iter().peekable();
    for record in &before {
        let same = rest.next_if(|after| question(after) == question(record));
        let Some(same) = same else {
            if !told.contains(" leaves out ") {
                differences.insert("a record".to_owned());
            }
            continue;
        };
        let members: BTreeSet<&String> = record.keys().chain(same.keys()).collect();
        for member in members.into_iter().filter(|member| record.get(*member) != same.get(*member)) {
            if !is_told(member, told) {
                let shown = |value: Option<&String>| value.map_or("nothing", String::as_str).to_owned();
                let (before, after) = (shown(record.get(member)), shown(same.get(member)));
                differences.insert(format!("{member}: {before:.80} became {after:.80}"));
            }
        }
    }
    if rest.next().is_some() {
        differences.insert("a record that was not there".to_owned());
    }
    differences
}

/// What comes back of a file and was not told. A checkpoint in any dialect, lines, tables and YAML are read
/// in their system's usual form first.
fn there_and_back(folder: &Path, system: &str, name: &str, form: (&str, &[&str])) -> Vec<String> {
    let file = |what: &str| format!("{}-{}-{what}", name.replace('/', "-"), form.0);
    let source = path(name).display().to_string();
    let base = file(if system == "karenina" { "base.jsonld" } else { "base.json" });
    let from = if system == "karenina" || !name.ends_with(".json") {
        let run = convert(folder, &source, &[system], &base);
        if run.status != 0 {
            return vec![format!("{name} to {system}: {}", run.told)];
        }
        base
    } else {
        source
    };
    let there =
        file(if form.0.starts_with('k') && form.0 != "kwanzaa" { "there.jsonld" } else { "there.json" });
    let first = convert(folder, &from, form.1, &there);
    if first.told.contains("error[convert::no-questions]") {
        return Vec::new();
    }
    if first.status != 0 {
        return vec![format!("{name} to {}: {}", form.0, first.told)];
    }
    let back = file(if system == "karenina" { "back.jsonld" } else { "back.json" });
    let second = convert(folder, &there, &[system], &back);
    if second.told.contains("error[convert::no-questions]") {
        return Vec::new();
    }
    if second.status != 0 {
        return vec![format!("{name} to {} and back: {}", form.0, second.told)];
    }
    let read = |file: &str| {
        let path = if Path::new(file).is_absolute() { file.into() } else { folder.join(file) };
        fs::read_to_string(path).expect("it was written")
    };
    let told = format!("{}{}", first.told, second.told);
    let found = untold(system, &read(&from), &read(&back), &told);
    found.into_iter().map(|difference| format!("{name} to {} and back: {difference}", form.0)).collect()
}

#[test]
fn what_comes_back_is_the_same_or_was_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let checkpoints = fixtures_in("karenina").into_iter().map(|name| ("karenina", name));
    let others = FILES.iter().map(|(system, name)| (*system, (*name).to_owned()));
    let files: Vec<(&str, String)> = checkpoints.chain(others).collect();
    let pairs = files.iter().flat_map(|file| FORMS.iter().map(move |form| (file, *form)));
    let pairs: Vec<_> = pairs.step_by(one_of(4)).collect();
    let untold: Vec<String> = pairs
        .par_iter()
        .flat_map(|((system, name), form)| there_and_back(folder.path(), system, name, *form))
        .collect();
    assert!(
        untold.is_empty(),
        "{} differences that nobody was told of:\n{}",
        untold.len(),
        untold.join("\n")
    );
}

/// What is impossible stays so in a checkpoint, and what stands in the place of an answer is none.
#[test]
fn a_checkpoint_of_impossible_rows_answers_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = path("train/support-desk.json").display().to_string();
    let copy = convert(folder.path(), &source, &["karenina"], "copy.jsonld");
    assert_eq!(copy.status, 0, "{}", copy.told);
    let mut program = evalgraph(folder.path());
    program.args(["query", &source, "copy.jsonld", "-n", "answered-elsewhere", "--format", "csv"]);
    let answered = program.output().expect("the program starts");
    let rows = String::from_utf8(answered.stdout).expect("the program speaks UTF-8");
    assert_eq!(rows.lines().count(), 1, "{rows}");
    let back = convert(folder.path(), "copy.jsonld", &["train"], "back.json");
    assert_eq!(back.status, 0, "{}", back.told);
    let read = |path: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(path).expect("it is there")).expect("it is JSON")
    };
    assert_eq!(read(&folder.path().join("back.json")), read(&path("train/support-desk.json")));
}
