//! The table of `docs/filled-in.md` is the whole truth: each scalar of what is written of
//! each fixture in each form stands in the fixture, or in the table; and each row of the table is seen.

use crate::cli::input::evalgraph;
use crate::karenina::fixtures::{fixtures_in, path};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The forms of questions with their arguments.
const FORMS: [(&str, &[&str]); 9] = [
    ("train", &["train"]),
    ("train", &["train", "--impossible", "false"]),
    ("kwanzaa", &["kwanzaa"]),
    ("rlcf", &["rlcf"]),
    ("hf-chat", &["hf-chat"]),
    ("karenina", &["karenina"]),
    ("karenina-gui", &["karenina-gui"]),
    ("karenina-spec", &["karenina-spec"]),
    ("karenina-v2", &["karenina-v2"]),
];

const FILES: [&str; 12] = [
    "train/awkward-rows.json",
    "train/general-knowledge/train.json",
    "train/lines.jsonl",
    "train/support-desk.json",
    "train/wrong-types.json",
    "kwanzaa/each-category.json",
    "kwanzaa/refusal.json",
    "kwanzaa/variants.json",
    "rlcf/export.json",
    "rlcf/tasks.jsonl",
    "across/library.json",
    "across/tenancy.jsonld",
];

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    form: String,
    member: String,
    value: String,
}

fn table() -> Vec<Row> {
    let page = include_str!("../../../docs/filled-in.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let plain = |cell: &str| cell.trim().trim_matches('`').to_owned();
    rows.filter(|row| !row.starts_with("| `--to`"))
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            Row { form: plain(cells[1]), member: plain(cells[2]), value: plain(cells[3]) }
        })
        .collect()
}

impl Row {
    /// Returns whether it is of a form: what one of Karenina's fills in, the others may, too.
    fn is_of(&self, form: &str) -> bool {
        self.form == form || (self.form == "karenina" && form.starts_with("karenina-"))
    }

    fn allows(&self, form: &str, member: &str, value: &Value) -> bool {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fits = match self.value.as_str() {
            "a number" => value.is_number(),
            "a time" => text.starts_with("2026-01-01T00:00:00") || is_time(&text),
            "empty" => text.is_empty(),
            "an id" => text.starts_with("urn:uuid:") || is_made_id(&text),
            "a class" => text.ends_with("Trait"),
            "a kind" => matches!(text.as_str(), "boolean" | "score"),
            "code" => text.len() >= 40,
            "a name" => !text.is_empty(),
            "a template" => text.starts_with("class Answer(BaseAnswer):"),
            "a remark" => text.starts_with("Made from a question of another system."),
            expected => text == expected,
        };
        fits && self.member == member && self.is_of(form)
    }
}

fn is_time(text: &str) -> bool {
    text.len() >= 10
        && text.bytes().zip("0000-00-00".bytes()).all(|(found, form)| match form {
            b'0' => found.is_ascii_digit(),
            form => found == form,
        })
}

fn is_made_id(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-'))
}

/// The scalars of a value with their keys. A property goes by its name, and JSON in a text counts.
fn scalars(value: &Value, key: &str, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Null => {}
        Value::Array(items) => items.iter().for_each(|item| scalars(item, key, found)),
        Value::Object(object) => {
            let name = object.get("name").and_then(Value::as_str);
            let property = name.filter(|_| object.get("@type").is_some_and(|class| class == "PropertyValue"));
            if let (Some(name), Some(value)) = (property, object.get("value")) {
                return scalars(value, name, found);
            }
            for (key, value) in object.iter().filter(|(key, _)| !matches!(key.as_str(), "@context" | "@type"))
            {
                scalars(value, key, found);
            }
        }
        Value::String(text) => {
            if let Ok(inner @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
                return scalars(&inner, key, found);
            }
            found.push((key.to_owned(), value.clone()));
        }
        scalar => found.push((key.to_owned(), scalar.clone())),
    }
}

fn scalars_of(text: &str) -> Vec<(String, Value)> {
    let parsed = serde_json::from_str(text);
    let json = parsed.unwrap_or_else(|_| {
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("lines of JSON")).collect()
    });
    let mut found = Vec::new();
    scalars(&json, "", &mut found);
    found
}

/// Returns whether a scalar stands in the input: a number by its value, a boolean under a key that is like it, a
/// text whole, or put together of texts of the input and of nothing else.
fn stands_in(input: &[(String, Value)], key: &str, value: &Value) -> bool {
    match value {
        Value::Bool(_) => input.iter().any(|(from, found)| found == value && (key.contains(from.as_str()))),
        Value::Number(number) => input.iter().any(|(_, found)| found.as_f64() == number.as_f64()),
        Value::String(text) => {
            let number = text.parse::<f64>().ok();
            let is_same = |found: &Value| match found.as_str() {
                Some(found) => found == text,
                None => number.is_some() && found.as_f64() == number,
            };
            input.iter().any(|(_, found)| is_same(found)) || is_put_together(input, text)
        }
        _ => false,
    }
}

/// Returns whether nothing is left of a text without the texts of the input, its headings and its numbers.
fn is_put_together(input: &[(String, Value)], text: &str) -> bool {
    let mut parts: Vec<&str> = input.iter().filter_map(|(_, found)| found.as_str()).collect();
    parts.retain(|part| part.len() >= 4);
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let mut rest = text.to_owned();
    for part in parts {
        rest = rest.replace(part, " ");
    }
    let allowed = |word: &str| word == "Documents:" || (word.starts_with('[') && word.ends_with(']'));
    !text.trim().is_empty() && rest.split_whitespace().all(allowed)
}

/// What was filled in: rows of the table that were seen, and scalars that have none.
fn filled_in(folder: &Path, name: &str, (form, arguments): (&str, &[&str])) -> (BTreeSet<Row>, Vec<String>) {
    let table = table();
    let input = path(name);
    let mut program = evalgraph(folder);
    program.env("SOURCE_DATE_EPOCH", "1767225600").arg("convert").arg(&input).arg("--to").args(arguments);
    let run = program.output().expect("the program starts");
    let told = String::from_utf8(run.stderr).expect("the program speaks UTF-8");
    if run.status.code() == Some(2) && told.contains("convert::no-questions") {
        return Default::default();
    }
    if run.status.code() != Some(0) {
        return (BTreeSet::new(), vec![format!("{name} to {form}: {told}")]);
    }
    let input = scalars_of(&fs::read_to_string(input).expect("the fixture is there"));
    let mut seen = BTreeSet::new();
    let mut missing = Vec::new();
    let written = String::from_utf8(run.stdout).expect("files are UTF-8");
    for (key, value) in scalars_of(&written) {
        let mut rows = table.iter().filter(|row| row.allows(form, &key, &value));
        match (rows.next(), stands_in(&input, &key, &value)) {
            (Some(row), _) => drop(seen.insert(row.clone())),
            (None, true) => {}
            (None, false) => missing.push(format!("{name} to {form}: `{key}`: {value:.100}")),
        }
    }
    (seen, missing)
}

#[test]
fn what_is_written_stands_in_the_file_or_in_the_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<String> = fixtures_in("karenina").into_iter().chain(FILES.map(str::to_owned)).collect();
    // Conversations of samples are those of the contract, filled with what the sample says.
    let is_contract = |file: &str, form: &str| {
        form == "hf-chat" && (file.starts_with("kwanzaa/") || file.ends_with("library.json"))
    };
    let pairs = files.iter().flat_map(|file| FORMS.iter().map(move |form| (file, *form)));
    let pairs: Vec<_> = pairs.filter(|(file, form)| !is_contract(file, form.0)).collect();
    let found: Vec<(BTreeSet<Row>, Vec<String>)> =
        pairs.par_iter().map(|(file, form)| filled_in(folder.path(), file, *form)).collect();
    let (seen, missing): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let missing: BTreeSet<String> = missing.into_iter().flatten().collect();
    assert!(missing.is_empty(), "{} values are in no table:\n{:#?}", missing.len(), missing);
    let seen: BTreeSet<Row> = seen.into_iter().flatten().collect();
    let unseen: Vec<Row> = table().into_iter().filter(|row| !seen.contains(row)).collect();
    assert!(unseen.is_empty(), "rows of the table that nothing shows: {unseen:#?}");
}
