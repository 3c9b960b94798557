//! The table of what is expected of each foreign file: `fixtures/foreign/expected.tsv`, whose columns the README beside
//! it explains.

use crate::fixture_files::{FOREIGN, root};
use std::fs;

const COLUMNS: &str = "file\toptions\tverdict\tquestions\tquestion\tanswer\tcontexts\tcode\thelp";

/// A file, the options that it is read with, and the outcome.
pub(super) struct Row {
    pub(super) file: String,
    pub(super) options: Vec<String>,
    pub(super) verdict: Verdict,
}

pub(super) enum Verdict {
    Read(Reading),
    Refused(Refusal),
}

/// What is in the graph of a file.
pub(super) struct Reading {
    /// The text and the answer of the first question.
    pub(super) first: [String; 2],
    /// The number of contexts of each question.
    pub(super) contexts: Vec<String>,
    /// The code of a warning that has to be reported.
    pub(super) warning: String,
}

/// What the message of a refusal says. An empty text is in every message.
pub(super) struct Refusal {
    pub(super) code: String,
    pub(super) help: String,
}

impl Row {
    /// The name for people.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.file, self.options.join(" ")).trim_end().to_owned()
    }

    fn of(line: &str) -> Self {
        let cells: Vec<String> = line.split('\t').map(unescaped).collect();
        let cells = <[String; 9]>::try_from(cells).unwrap_or_else(|_| panic!("nine columns: {line}"));
        let [file, options, verdict, questions, question, answer, contexts, code, help] = cells;
        let verdict = match verdict.as_str() {
            "read" => {
                let contexts = contexts.split(',').filter(|_| questions != "0");
                let contexts: Vec<String> = contexts.map(str::to_owned).collect();
                assert_eq!(questions, contexts.len().to_string(), "a number of contexts a question: {line}");
                Verdict::Read(Reading { first: [question, answer], contexts, warning: code })
            }
            "refused" => Verdict::Refused(Refusal { code, help }),
            _ => panic!("it is read or refused: {line}"),
        };
        Self { file, options: arguments(&options), verdict }
    }
}

/// The rows of the table.
pub(super) fn rows() -> Vec<Row> {
    let table = fs::read_to_string(root().join(FOREIGN).join("expected.tsv")).expect("the table is there");
    let (columns, rows) = table.split_once('\n').expect("the table has rows");
    assert_eq!(columns, COLUMNS);
    rows.lines().map(Row::of).collect()
}

/// The arguments of a cell with options, each of which has a value.
fn arguments(options: &str) -> Vec<String> {
    let options = options.split(" & ").filter_map(|option| option.split_once(' '));
    options.flat_map(|(name, value)| [name.to_owned(), value.to_owned()]).collect()
}

fn unescaped(cell: &str) -> String {
    let mut text = String::new();
    let mut characters = cell.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('\\') => '\\',
                other => panic!("no escape of the table: {other:?} in {cell}"),
            },
            other => other,
        });
    }
    text
}
