//! The one change that breaks a statement: a value in a JSON file, or a file of a folder.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::layout::{Laid, lay_out};

pub(super) struct Change {
    /// The file, where it is not the first one of the command.
    file: Option<String>,
    step: Step,
    /// The change as the table has it.
    pub(super) written: String,
}

enum Step {
    /// The value at a pointer becomes another one; `-` appends to an array.
    Set(String, Value),
    /// The value at a pointer is removed.
    Remove(String),
    /// The file has this content.
    Write(String),
    /// The file or folder is removed.
    Delete,
    /// The file has another path.
    Rename(String),
    /// The file is written in Latin-1.
    Latin1,
}

/// What a change has made.
pub(super) struct Changed {
    /// The pointers at which a result of the change may stand.
    pub(super) pointers: Vec<String>,
    /// The changed file, where it is JSON.
    pub(super) laid: Option<Laid>,
}

impl Change {
    /// Reads a change: `[FILE] /POINTER = JSON`, `[FILE] /POINTER removed`, or `FILE` with `= JSON`, `removed`,
    /// `renamed PATH` or `latin1`.
    pub(super) fn read(written: &str) -> Self {
        let (file, step) = match written.starts_with('/') {
            true => (None, written),
            false => {
                let (file, step) = written.split_once(' ').expect("a change says what is done to the file");
                (Some(file.to_owned()), step)
            }
        };
        Self { file, step: Step::read(step), written: written.to_owned() }
    }

    /// The file that is changed, of a command whose first input is this one.
    pub(super) fn file<'a>(&'a self, first: Option<&'a str>) -> &'a str {
        self.file.as_deref().or(first).expect("the command has an input")
    }

    /// Returns whether a value in the first input of the command is changed.
    pub(super) fn is_of_value(&self) -> bool {
        self.file.is_none() && matches!(self.step, Step::Set(..) | Step::Remove(_))
    }

    /// Changes a file in a folder.
    pub(super) fn apply(&self, folder: &Path, file: &str) -> Changed {
        let path = folder.join(file);
        let nothing = Changed { pointers: Vec::new(), laid: None };
        match &self.step {
            Step::Set(pointer, value) => set(&path, pointer, Some(value)),
            Step::Remove(pointer) => set(&path, pointer, None),
            Step::Write(content) => {
                make_folder(&path);
                fs::write(path, content).expect("the folder is ours");
                nothing
            }
            Step::Delete => {
                let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
                removed.expect("there is something to remove");
                nothing
            }
            Step::Rename(to) => {
                make_folder(&folder.join(to));
                fs::rename(path, folder.join(to)).expect("there is something to rename");
                nothing
            }
            Step::Latin1 => {
                let text = fs::read_to_string(&path).expect("the file is UTF-8");
                let byte = |sign: char| u8::try_from(u32::from(sign)).expect("Latin-1 has the character");
                fs::write(path, text.chars().map(byte).collect::<Vec<u8>>()).expect("the folder is ours");
                nothing
            }
        }
    }
}

impl Step {
    fn read(step: &str) -> Self {
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("the new value is JSON");
        if step.starts_with('/') {
            let (pointer, how) = step.split_once(' ').expect("a change says what the value becomes");
            return match how.strip_prefix("= ") {
                Some(value) => Self::Set(pointer.to_owned(), json(value)),
                None if how == "removed" => Self::Remove(pointer.to_owned()),
                None => panic!("`{how}` is not a change of a value"),
            };
        }
        match (step.strip_prefix("= ").map(json), step.strip_prefix("renamed ")) {
            (Some(Value::String(text)), _) => Self::Write(text),
            (Some(value), _) => Self::Write(lay_out(&value).text),
            (None, Some(path)) => Self::Rename(path.to_owned()),
            (None, None) if step == "removed" => Self::Delete,
            (None, None) if step == "latin1" => Self::Latin1,
            (None, None) => panic!("`{step}` is not a change of a file"),
        }
    }
}

fn make_folder(path: &Path) {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
}

/// Sets a value of a JSON file, or removes it.
fn set(path: &Path, pointer: &str, value: Option<&Value>) -> Changed {
    let text = fs::read_to_string(path).expect("the file is there");
    let mut document: Value = serde_json::from_str(&text).expect("the file is JSON");
    let pointers = edit(&mut document, pointer, value);
    let laid = lay_out(&document);
    fs::write(path, &laid.text).expect("the folder is ours");
    Changed { pointers, laid: Some(laid) }
}

/// Edits a document, and returns the pointers that a result about the change may have.
fn edit(document: &mut Value, pointer: &str, value: Option<&Value>) -> Vec<String> {
    let (around, key) = pointer.rsplit_once('/').expect("a pointer begins with `/`");
    let key = key.replace("~1", "/").replace("~0", "~");
    let parent = document.pointer_mut(around).unwrap_or_else(|| panic!("there is nothing at {around}"));
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(key, value.clone())),
        (Value::Object(members), None) => {
            drop(members.shift_remove(&key).expect("there is a member to remove"));
        }
        (Value::Array(items), Some(value)) if key == "-" => {
            items.push(value.clone());
            return vec![format!("{around}/{}", items.len() - 1)];
        }
        (Value::Array(items), value) => {
            let index: usize = key.parse().expect("the key of an array is a number");
            match value {
                Some(value) => items[index] = value.clone(),
                None => drop(items.remove(index)),
            }
        }
        (other, _) => panic!("`{other}` at {around} has no members"),
    }
    match value {
        Some(_) => vec![pointer.to_owned()],
        // What is missing is reported at the object around it.
        None => vec![pointer.to_owned(), around.to_owned()],
    }
}
