//! A dataset of questions that any system has: `train.json` as the evaluator's own files look, and the
//! documents that its corpus needs.
//!
//! Ids are the indexes of rows. A document is named by its file where the questions name one; its text
//! is all that the questions quote of it.

use crate::json::write_string;
use crate::source::counts::Counts;
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
    /// What was filled in, with how often.
    pub defaults: Counts,
    /// What a dataset has no place for, with how often.
    pub losses: Counts,
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
    defaults: Counts,
    losses: Counts,
}

impl Writer {
    fn new(options: WriteOptions) -> Self {
        let (names, passages) = (Names::default(), BTreeMap::new());
        let (defaults, losses) = (Counts::new(), Counts::new());
        Self { options, json: "[".to_owned(), names, passages, defaults, losses }
    }

    fn row(&mut self, index: usize, item: &Item) {
        self.note_losses(index, item);
        let is_impossible = item.is_impossible == Some(true);
        let answer = match (&item.answer, &item.no_answer) {
            (Some(answer), _) => answer.as_str(),
            (None, Some(none)) => none.as_str(),
            (None, None) if is_impossible => "-",
            (None, None) => {
                self.defaults.add("`answer` is empty");
                ""
            }
        };
        self.json.push_str(if index > 0 { ",\n  {" } else { "\n  {" });
        let _ = write!(self.json, "\n    \"id\": {index}");
        for (key, text) in [("question", item.question.as_str()), ("answer", answer)] {
            let _ = write!(self.json, ",\n    \"{key}\": ");
            write_string(text, &mut self.json);
        }
        match (item.is_impossible, self.options.impossible) {
            (Some(is_impossible), _) => self.is_impossible(is_impossible),
            (None, Impossible::False) => {
                self.defaults.add("`is_impossible` is false");
                self.is_impossible(false);
            }
            (None, Impossible::Omit) => {}
        }
        self.json.push_str(",\n    \"contexts\": [");
        let begin = self.json.len();
        for context in &item.contexts {
            self.context(index, context, begin);
        }
        self.json.push_str(if self.json.len() > begin { "\n    ]\n  }" } else { "]\n  }" });
    }

    fn note_losses(&mut self, index: usize, item: &Item) {
        let has_other_id = !item.local_id.is_empty() && item.local_id != index.to_string();
        let losses = &mut self.losses;
        losses.add_if(has_other_id, "the id of a question");
        losses.add_if(!item.keywords.is_empty(), "keywords");
        losses.add_if(item.date_created.is_some(), "the date of making of a question");
        losses.add_if(item.date_modified.is_some(), "the date of the last change of a question");
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
        let Self { options, json: mut rows, names, passages, mut defaults, mut losses } = self;
        for (document, file) in names.renamed() {
            if file.strip_suffix(".txt") == Some(document) {
                defaults.add(&format!("the extension of the file `{file}`"));
            } else {
                losses
                    .add(&format!("the name of the document `{document}`, which becomes the file `{file}`,"));
            }
        }
        let mut corpus = BTreeMap::new();
        if options.with_corpus {
            let (with, without): (Vec<_>, Vec<_>) =
                passages.into_iter().partition(|(_, passages)| !passages.is_empty());
            for _ in without {
                losses.add("a document without a text in the corpus");
            }
            corpus = with.into_iter().map(|(name, passages)| (name, passages.join("\n\n"))).collect();
        }
        rows.push_str(if rows.len() > 1 { "\n]" } else { "]" });
        WrittenDataset { rows, corpus, defaults, losses }
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
}

impl Names {
    /// The file of a document: its name where that is a safe basename of a text file.
    fn file_of(&mut self, name: &str) -> String {
        if let Some(known) = self.files.get(name) {
            return known.clone();
        }
        let file = self.free(&safe_name(name));
        self.files.insert(name.to_owned(), file.clone());
        file
    }

    /// The documents whose files are called otherwise, with these.
    fn renamed(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().map(|(name, file)| (name.as_str(), file.as_str()));
        files.filter(|(name, file)| name != file)
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
