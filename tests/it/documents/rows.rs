//! The rows of the tables in `tests/documents`. A row is a line of seven cells with tabs between them;
//! `tests/documents/README.md` says what each cell may hold.

use std::fs;
use std::path::{Path, PathBuf};

use super::changes::Change;
use super::facts::Fact;
use crate::fixture_files;

/// A statement of a document, a command, and what it has to say.
pub(super) struct Row {
    /// The file and line of the row.
    pub(super) place: String,
    pub(super) document: &'static str,
    pub(super) section: String,
    pub(super) statement: String,
    pub(super) command: String,
    pub(super) change: Option<Change>,
    pub(super) status: i32,
    pub(super) expected: Expected,
}

pub(super) enum Expected {
    /// Results of these rules that the unchanged file does not have. The first rule is the one of the statement; the
    /// others follow from the same change.
    Rules { rules: Vec<String>, place: Place },
    /// No result that the unchanged file does not have, or none of one rule.
    Conforms { without: Option<String> },
    /// A message with a code.
    Message { code: String, fact: Option<Fact> },
    /// What the command writes.
    Output(Fact),
    /// A text in another file of the project, which does what this table cannot.
    Elsewhere { file: String, text: String },
}

/// The place of a result.
pub(super) enum Place {
    /// At the changed value, or at the object that it was removed from.
    OfChange,
    /// At this pointer.
    At(String),
    /// Anywhere, with a message that contains this text.
    Anywhere(String),
}

/// The rows of a document.
pub(super) fn of_document(document: &'static str) -> Vec<Row> {
    let path = folder().join(format!("{document}.tsv"));
    let text = fs::read_to_string(path).expect("there is a table for each document");
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(index, line)| row(document, index + 1, line)).collect()
}

fn row(document: &'static str, number: usize, line: &str) -> Row {
    let place = format!("tests/documents/{document}.tsv:{number}");
    let cells: Vec<&str> = line.split('\t').collect();
    let [section, statement, command, change, status, rule, fact] = cells[..] else {
        panic!("{place}: {} cells instead of 7", cells.len());
    };
    Row {
        document,
        section: section.to_owned(),
        statement: statement.to_owned(),
        command: command.to_owned(),
        change: (!change.is_empty()).then(|| Change::read(change)),
        status: status.parse().unwrap_or_else(|_| panic!("{place}: `{status}` is not an exit status")),
        expected: Expected::read(rule, fact),
        place,
    }
}

impl Expected {
    fn read(rule: &str, fact: &str) -> Self {
        if let Some(file) = rule.strip_prefix("see ") {
            return Self::Elsewhere { file: file.to_owned(), text: fact.to_owned() };
        }
        match rule {
            "" => Self::Output(Fact::read(fact)),
            "conforms" => Self::Conforms { without: fact.strip_prefix("without ").map(str::to_owned) },
            code if code.contains("::") => {
                let fact = (!fact.is_empty()).then(|| Fact::read(fact));
                Self::Message { code: code.to_owned(), fact }
            }
            rules => {
                let rules = rules.split(", ").map(str::to_owned).collect();
                Self::Rules { rules, place: Place::read(fact) }
            }
        }
    }
}

impl Place {
    fn read(fact: &str) -> Self {
        match (fact, fact.strip_prefix("names ")) {
            ("", _) => Self::OfChange,
            // The root has an empty pointer.
            ("at", _) => Self::At(String::new()),
            ("any", _) => Self::Anywhere(String::new()),
            (_, Some(text)) => Self::Anywhere(text.to_owned()),
            (fact, None) => Self::At(fact.strip_prefix("at ").expect("a place begins with `at`").to_owned()),
        }
    }
}

/// The commands of a row, each with its words.
pub(super) fn commands(command: &str) -> Vec<Vec<String>> {
    command.split(" && ").map(words).collect()
}

/// The words of a command, as a shell separates them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for sign in command.chars() {
        match (sign, quote) {
            (' ', None) => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            ('"' | '\'', None) => quote = Some(sign),
            (sign, Some(open)) if sign == open => quote = None,
            (sign, _) => word.push(sign),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The folder of the tables.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents")
}

/// The file or folder that a command of a document means by a name: one that is kept for the table, or a fixture.
pub(super) fn base(document: &str, name: &str) -> Option<PathBuf> {
    let places = [folder().join("base"), fixture_files::root()];
    places.into_iter().map(|place| place.join(document).join(name)).find(|path| path.exists())
}

impl Row {
    /// The files and folders that its commands name and that are there before they are run.
    pub(super) fn inputs(&self) -> Vec<String> {
        let words = commands(&self.command).into_iter().flat_map(|words| words.into_iter().skip(1));
        words.filter(|word| !word.starts_with('-') && base(self.document, word).is_some()).collect()
    }
}

#[test]
fn words_are_separated_as_a_shell_does() {
    let words = words(r#"evalgraph add 'How "often"?' "a b" --answer=' x'"#);
    assert_eq!(words, ["evalgraph", "add", "How \"often\"?", "a b", "--answer= x"]);
}

#[test]
fn no_row_stands_in_a_table_twice() {
    for document in super::DOCUMENTS {
        let text = fs::read_to_string(folder().join(format!("{document}.tsv"))).expect("there is a table");
        let mut seen = std::collections::HashSet::new();
        for line in text.lines() {
            assert!(seen.insert(line), "{document}.tsv has a row twice: {line}");
        }
    }
}
