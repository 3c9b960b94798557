//! What a command writes: a value in its output or in a file, or a text.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::runs::Run;

/// A statement about what a command writes.
pub(super) enum Fact {
    /// Stdout contains a text.
    Prints(String),
    /// Stderr contains a text.
    Says(String),
    /// Stdout has the values of a file.
    SameAs(String),
    /// There is a file.
    Exists(String),
    /// A file contains a text.
    Contains(String, String),
    /// The output, or a file, is JSON that has a value at a pointer, or none.
    Value { file: Option<String>, pointer: String, value: Option<Value> },
}

/// Makes a fact about the output of its text.
type OfOutput = fn(String) -> Fact;

impl Fact {
    pub(super) fn read(text: &str) -> Self {
        let of_output: [(&str, OfOutput); 3] =
            [("prints ", Self::Prints), ("says ", Self::Says), ("same as ", Self::SameAs)];
        for (word, fact) in of_output {
            if let Some(rest) = text.strip_prefix(word) {
                return fact(rest.to_owned());
            }
        }
        if text.starts_with('/') {
            return Self::of_value(None, text);
        }
        let (file, fact) = text.split_once(' ').expect("a fact about a file names it first");
        match fact.strip_prefix("contains ") {
            Some(part) => Self::Contains(file.to_owned(), part.to_owned()),
            None if fact == "exists" => Self::Exists(file.to_owned()),
            None => Self::of_value(Some(file.to_owned()), fact),
        }
    }

    fn of_value(file: Option<String>, text: &str) -> Self {
        if let Some(pointer) = text.strip_suffix(" absent") {
            return Self::Value { file, pointer: pointer.to_owned(), value: None };
        }
        let (pointer, value) = text.split_once(" = ").expect("a fact says what the value is");
        let value = serde_json::from_str(value).expect("the value is JSON");
        Self::Value { file, pointer: pointer.to_owned(), value: Some(value) }
    }

    /// Says what is otherwise after a command was run in a folder.
    pub(super) fn fault(&self, folder: &Path, run: &Run) -> Option<String> {
        let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
        match self {
            Self::Prints(text) => {
                (!run.stdout.contains(text)).then(|| format!("stdout has no `{text}`: {}", run.stdout))
            }
            Self::Says(text) => {
                (!run.stderr.contains(text)).then(|| format!("stderr has no `{text}`: {}", run.stderr))
            }
            Self::SameAs(file) => {
                let expected = read(file).expect("the file is there");
                (values(&expected) != values(&run.stdout))
                    .then(|| format!("differs from {file}: {}", run.stdout))
            }
            Self::Exists(file) => (!folder.join(file).exists()).then(|| format!("there is no file {file}")),
            Self::Contains(file, text) => {
                let content = read(file).unwrap_or_default();
                (!content.contains(text)).then(|| format!("{file} has no `{text}`: {content}"))
            }
            Self::Value { file, pointer, value } => {
                let written = match file {
                    Some(file) => read(file).unwrap_or_default(),
                    None => run.stdout.clone(),
                };
                let document = values(&written);
                // One line of JSON is a list of one value where the fact is about a list.
                let found = document.as_ref().and_then(|document| match pointer.strip_prefix("/0") {
                    Some(rest) if document.is_object() => document.pointer(rest),
                    _ => document.pointer(pointer),
                });
                (!is_equal(found, value.as_ref())).then(|| format!("{pointer} is {found:?} in {written}"))
            }
        }
    }
}

/// The values of a text of JSON, or of one with a value on each line.
fn values(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .ok()
        .or_else(|| text.lines().map(|line| serde_json::from_str::<Value>(line).ok()).collect())
}

/// Numbers are equal up to the error of adding them in another order.
fn is_equal(found: Option<&Value>, expected: Option<&Value>) -> bool {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    match (number(found), number(expected)) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
        _ => found == expected,
    }
}
