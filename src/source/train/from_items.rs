//! A dataset of questions that any system has: `train.json` as the evaluator's own files look, and the
//! documents that its corpus needs.
//!
//! Ids are the indexes of rows. A document is named by its file where the questions name one; its text
//! is all that the questions quote of it.

use crate::diagnostic::{Diagnostic, Severity};
use crate::json::write_string;
use crate::source::items::{Item, ItemContext};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is written of a question that does not say whether it is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impossible {
    /// `false`.
    #[default]
    False,
    /// Nothing.
    Omit,
}

/// How a dataset is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// What is written of a question that does not say whether it is impossible.
    pub impossible: Impossible,
    /// Whether the texts of contexts become files of a corpus.
    pub with_corpus: bool,
}

/// A dataset.
#[derive(Debug)]
pub struct WrittenDataset {
    /// The text of `train.json`.
    pub rows: String,
    /// The files of the corpus by their names.
    pub corpus: BTreeMap<String, String>,
    /// What had to be changed or filled in.
    pub findings: Vec<Diagnostic>,
}

/// Extensions of files that are no text, whatever is known of their content.
const NO_TEXT: [&str; 16] = [
    "pdf", "docx", "pptx", "xlsx", "doc", "ppt", "xls", "odt", "ods", "odp", "epub", "zip", "png", "jpg",
    "jpeg", "gif",
];

/// The most bytes of a file's name that every system takes.
const LONGEST_NAME: usize = 255;

/// Writes questions as a dataset, in their order.
pub fn dataset_of_items(items: &[Item], options: WriteOptions) -> WrittenDataset {
    let mut writer = Writer::new(options);
    for (index, item) in items.iter().enumerate() {
        writer.row(index, item);
    }
    writer.finish()
}

struct Writer {
    options: WriteOptions,
    json: String,
    names: Names,
    /// The passages of each file, in the order in which they came.
    passages: BTreeMap<String, Vec<String>>,
    without_answer: u64,
    without_question: u64,
}

impl Writer {
    fn new(options: WriteOptions) -> Self {
        let (names, passages) = (Names::default(), BTreeMap::new());
        Self { options, json: "[".to_owned(), names, passages, without_answer: 0, without_question: 0 }
    }

    fn row(&mut self, index: usize, item: &Item) {
        let is_impossible = item.is_impossible == Some(true);
        let answer = match (&item.answer, &item.no_answer) {
            (Some(answer), _) => answer.as_str(),
            (None, Some(none)) => none.as_str(),
            (None, None) if is_impossible => "-",
            (None, None) => {
                self.without_answer += 1;
                ""
            }
        };
        self.without_question += u64::from(item.question.trim().is_empty());
        self.json.push_str(if index > 0 { ",\n  {" } else { "\n  {" });
        let _ = write!(self.json, "\n    \"id\": {index}");
        for (key, text) in [("question", item.question.as_str()), ("answer", answer)] {
            let _ = write!(self.json, ",\n    \"{key}\": ");
            write_string(text, &mut self.json);
        }
        match (item.is_impossible, self.options.impossible) {
            (Some(is_impossible), _) => self.is_impossible(is_impossible),
            (None, Impossible::False) => self.is_impossible(false),
            (None, Impossible::Omit) => {}
        }
        self.json.push_str(",\n    \"contexts\": [");
        let begin = self.json.len();
        for context in &item.contexts {
            self.context(index, context, begin);
        }
        self.json.push_str(if self.json.len() > begin { "\n    ]\n  }" } else { "]\n  }" });
    }

    fn is_impossible(&mut self, is_impossible: bool) {
        let _ = write!(self.json, ",\n    \"is_impossible\": {is_impossible}");
    }

    /// A context with the name of its file; a plain text where no file has it.
    fn context(&mut self, index: usize, context: &ItemContext, begin: usize) {
        let text = context.text.as_deref();
        let name = match (context.name.as_deref().filter(|name| !name.is_empty()), text) {
            (Some(name), _) => Some(self.names.file_of(name)),
            (None, Some(text)) if self.options.with_corpus => Some(self.names.file_with(text, index)),
            (None, Some(_)) => None,
            (None, None) => return,
        };
        self.json.push_str(if self.json.len() > begin { ",\n      " } else { "\n      " });
        let Some(name) = name else {
            write_string(text.unwrap_or_default(), &mut self.json);
            return;
        };
        self.json.push_str("{\n        \"filename\": ");
        write_string(&name, &mut self.json);
        if let Some(text) = text {
            self.json.push_str(",\n        \"text\": ");
            write_string(text, &mut self.json);
        }
        self.json.push_str("\n      }");
        let passages = self.passages.entry(name).or_default();
        if let Some(text) = text {
            add_passage(passages, text);
        }
    }

    fn finish(self) -> WrittenDataset {
        let mut findings = self.names.findings;
        let note = |count: u64, code: &'static str, one: &str, many: &str| {
            let message = if count == 1 { format!("one {one}") } else { format!("{count} {many}") };
            (count > 0).then(|| Diagnostic::warning(code, message))
        };
        findings.extend(note(
            self.without_answer,
            "train::answer",
            "question has no answer: it gets an empty one",
            "questions have no answer: they get empty ones",
        ));
        findings.extend(note(
            self.without_question,
            "train::question",
            "row has no text of a question",
            "rows have no text of a question",
        ));
        let mut corpus = BTreeMap::new();
        if self.options.with_corpus {
            let (with, without): (Vec<_>, Vec<_>) =
                self.passages.into_iter().partition(|(_, passages)| !passages.is_empty());
            findings.extend(note(
                without.len() as u64,
                "train::no-text",
                "document is named without a text: the corpus lacks it",
                "documents are named without a text: the corpus lacks them",
            ));
            corpus = with.into_iter().map(|(name, passages)| (name, passages.join("\n\n"))).collect();
        }
        let mut rows = self.json;
        rows.push_str(if rows.len() > 1 { "\n]" } else { "]" });
        WrittenDataset { rows, corpus, findings }
    }
}

/// Adds a passage to those of a file: what another one holds is not said twice.
fn add_passage(passages: &mut Vec<String>, text: &str) {
    if passages.iter().any(|known| known.contains(text)) {
        return;
    }
    passages.retain(|known| !text.contains(known.as_str()));
    passages.push(text.to_owned());
}

/// The names of files that documents get.
#[derive(Default)]
struct Names {
    /// By the name that the questions have.
    files: HashMap<String, String>,
    /// The files of texts that no document has.
    texts: HashMap<String, String>,
    taken: HashSet<String>,
    findings: Vec<Diagnostic>,
}

impl Names {
    /// The file of a document: its name where that is a safe basename of a text file.
    fn file_of(&mut self, name: &str) -> String {
        if let Some(known) = self.files.get(name) {
            return known.clone();
        }
        let safe = safe_name(name);
        let file = self.free(&safe);
        if file != safe {
            let message = format!("two documents would be the file `{safe}`: `{name}` becomes `{file}`");
            self.findings.push(Diagnostic::warning("train::same-file", message));
        } else if file != name {
            let message = format!("the document `{name}` becomes the file `{file}`");
            self.findings.push(Diagnostic::new(Severity::Note, "train::file-name", message));
        }
        self.files.insert(name.to_owned(), file.clone());
        file
    }

    fn file_with(&mut self, text: &str, index: usize) -> String {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let file = self.free(&format!("context-{index}.txt"));
        self.texts.insert(text.to_owned(), file.clone());
        file
    }

    /// A name that no other file has, capitals aside: some systems do not tell them apart.
    fn free(&mut self, wanted: &str) -> String {
        let (stem, extension) = wanted.rsplit_once('.').unwrap_or((wanted, ""));
        let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let free = names.find(|name| !self.taken.contains(&name.to_lowercase()));
        let name = free.expect("there are more numbers than documents");
        self.taken.insert(name.to_lowercase());
        name
    }
}

/// A basename that leads nowhere else and says that it is a text.
fn safe_name(name: &str) -> String {
    let is_unsafe = |character: char| matches!(character, '/' | '\\') || character.is_control();
    let mut safe: String =
        name.chars().map(|character| if is_unsafe(character) { '_' } else { character }).collect();
    if safe.starts_with('.') || safe.trim().is_empty() {
        safe.insert(0, '_');
    }
    let extension = safe.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !extension.bytes().all(|byte| byte.is_ascii_digit());
    let is_text = is_extension && !NO_TEXT.contains(&extension.to_ascii_lowercase().as_str());
    let suffix = if is_text { format!(".{extension}") } else { ".txt".to_owned() };
    let stem = if is_text { &safe[..safe.len() - suffix.len()] } else { safe.as_str() };
    let mut length = stem.len().min(LONGEST_NAME - suffix.len() - "-9999".len());
    while !stem.is_char_boundary(length) {
        length -= 1;
    }
    format!("{}{suffix}", &stem[..length])
}
