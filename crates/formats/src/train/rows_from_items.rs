//! Writes questions of any system as a dataset: `train.json` in the form of the evaluator's own files, and the
//! documents of its corpus.
//!
//! Rows keep the ids of their questions, so that the results of a run can be joined with the questions. A document
//! keeps the name of its file if questions name one. Its text consists of all passages that questions quote.

use super::file_names::CorpusFileNames;
use super::passages::CorpusPassages;
use super::row_ids::row_ids;
use crate::counts::ConversionCounts;
use crate::items::{ItemContext, QuestionItem};
use crate::rewriting::{JsonStyle, StyledJson};
use crate::writing::{ImpossibleDefault, RowWriteOptions};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// A dataset.
#[derive(Debug)]
pub struct WrittenDataset {
    /// The text of `train.json`.
    pub rows: String,
    /// The texts of the corpus files, by name.
    pub corpus: BTreeMap<String, String>,
    /// The values that were filled in, with their counts.
    pub defaults: ConversionCounts,
    /// The parts of questions that a dataset has no place for, with their counts.
    pub losses: ConversionCounts,
    /// The values that the rules refuse but the dataset keeps, with their counts.
    pub faults: ConversionCounts,
}

/// Writes questions as a dataset, in their order. `on_disk` are the names of files that the corpus already has:
/// contexts keep these names, and no text replaces such a file.
pub fn dataset_of_items(
    items: &[QuestionItem],
    options: RowWriteOptions,
    on_disk: &HashSet<String>,
) -> WrittenDataset {
    let mut writer = TrainRowWriter {
        options,
        json: StyledJson::new(JsonStyle::default()),
        names: CorpusFileNames::from_items(items, options.with_corpus, on_disk),
        on_disk,
        passages: BTreeMap::new(),
        defaults: ConversionCounts::new(),
        losses: ConversionCounts::new(),
        faults: ConversionCounts::new(),
    };
    writer.json.open('[');
    let ids = row_ids(items, options.ids, &mut writer.defaults, &mut writer.losses);
    for _ in ids.iter().filter(|id| id.starts_with('"')) {
        writer.faults.add("an `id` that is not an integer");
    }
    for (index, (item, id)) in items.iter().zip(ids).enumerate() {
        writer.row(index, &id, item);
    }
    writer.finish()
}

struct TrainRowWriter<'d> {
    options: RowWriteOptions,
    on_disk: &'d HashSet<String>,
    json: StyledJson,
    names: CorpusFileNames,
    /// The passages of each file.
    passages: BTreeMap<String, CorpusPassages>,
    defaults: ConversionCounts,
    losses: ConversionCounts,
    faults: ConversionCounts,
}

impl TrainRowWriter<'_> {
    fn row(&mut self, index: usize, id: &str, item: &QuestionItem) {
        item.note_details(&mut self.losses);
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
        self.json.item().open('{').key("id").scalar(id);
        self.json.key("question").string(&item.question);
        self.json.key("answer").string(answer);
        let is_filled_in =
            item.is_impossible.is_none() && self.options.impossible == ImpossibleDefault::False;
        self.defaults.add_if(is_filled_in, "`is_impossible` is false");
        if is_filled_in || item.is_impossible.is_some() {
            self.json.key("is_impossible").scalar(if is_impossible { "true" } else { "false" });
        }
        self.json.key("contexts").open('[');
        for context in &item.contexts {
            self.context(index, context);
        }
        self.json.close(']');
        self.json.close('}');
    }

    /// Writes a context with the name of its file, or as a plain string if it has no file.
    fn context(&mut self, index: usize, context: &ItemContext) {
        let text = context.text.as_deref();
        let name = match (self.names.file_of(context), text) {
            (Some(file), _) => file,
            (None, Some(text)) if self.options.with_corpus => self.names.file_with(text, index),
            (None, Some(text)) => return self.json.item().string(text),
            (None, None) => return,
        };
        self.json.item().open('{').key("filename").string(&name);
        if let Some(text) = text {
            self.json.key("text").string(text);
        }
        self.json.close('}');
        if !self.on_disk.contains(&name) {
            let passages = self.passages.entry(name).or_default();
            text.into_iter().for_each(|text| passages.add(text));
        }
    }

    fn finish(self) -> WrittenDataset {
        let Self { options, mut json, names, passages, mut defaults, mut losses, faults, .. } = self;
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
        json.close(']');
        WrittenDataset { rows: json.finish(), corpus, defaults, losses, faults }
    }
}
