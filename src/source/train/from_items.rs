//! A dataset of questions that any system has: `train.json` as the evaluator's own files look, and the
//! documents that its corpus needs.
//!
//! Rows keep the ids that their questions have, so that the results of a run can be joined with them. A
//! document is named by its file where the questions name one; its text is all that the questions quote
//! of it.

use super::file_names::FileNames;
use super::passages::Passages;
use super::row_ids::{RowIds, row_ids};
use crate::json::write_string;
use crate::source::counts::Counts;
use crate::source::items::{Item, ItemContext};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Tells what is written of a question that does not say whether it is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impossible {
    /// `false`.
    False,
    /// Nothing.
    #[default]
    Omit,
}

/// Tells how a dataset is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// What is written of a question that does not say whether it is impossible.
    pub impossible: Impossible,
    /// Whether the texts of contexts become files of a corpus.
    pub with_corpus: bool,
    /// The ids of the rows.
    pub ids: RowIds,
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

/// Writes questions as a dataset, in their order.
pub fn dataset_of_items(items: &[Item], options: WriteOptions) -> WrittenDataset {
    let mut writer = Writer::new(options, FileNames::of(items));
    let ids = row_ids(items, options.ids, &mut writer.defaults, &mut writer.losses);
    for (index, (item, id)) in items.iter().zip(ids).enumerate() {
        writer.row(index, &id, item);
    }
    writer.finish()
}

struct Writer {
    options: WriteOptions,
    json: String,
    names: FileNames,
    /// The passages of each file, in the order in which they came.
    passages: BTreeMap<String, Passages>,
    defaults: Counts,
    losses: Counts,
}

impl Writer {
    fn new(options: WriteOptions, names: FileNames) -> Self {
        let passages = BTreeMap::new();
        let (defaults, losses) = (Counts::new(), Counts::new());
        Self { options, json: "[".to_owned(), names, passages, defaults, losses }
    }

    fn row(&mut self, index: usize, id: &str, item: &Item) {
        self.note_losses(item);
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
        let _ = write!(self.json, "\n    \"id\": {id}");
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

    fn note_losses(&mut self, item: &Item) {
        let losses = &mut self.losses;
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
        let name = match (self.names.file_of(context), text) {
            (Some(file), _) => Some(file),
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
            passages.add(text);
        }
    }

    fn finish(self) -> WrittenDataset {
        let Self { options, json: mut rows, names, passages, mut defaults, mut losses } = self;
        names.note_changes(&mut defaults, &mut losses);
        let mut corpus = BTreeMap::new();
        if options.with_corpus {
            let (with, without): (Vec<_>, Vec<_>) =
                passages.into_iter().partition(|(_, passages)| !passages.is_empty());
            for _ in without {
                losses.add("a document without a text in the corpus");
            }
            corpus =
                with.into_iter().map(|(name, passages)| (name, passages.into_texts().join("\n\n"))).collect();
        }
        rows.push_str(if rows.len() > 1 { "\n]" } else { "]" });
        WrittenDataset { rows, corpus, defaults, losses }
    }
}
