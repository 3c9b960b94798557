//! Statistics about RLCF's files: records by kind, tasks by type and status.

use super::kinds::RecordKind;
use crate::corpus::{Corpus, GoldDocuments};
use crate::named_figures::{NamedFigure, RecordTally, by_value, count};
use crate::records::{FileShape, each_record};
use evalgraph_json::{JsonDocument, TokenId};
use std::collections::BTreeMap;

/// Counts the records of a file that its table reads, including records inside others: credentials of users, responses
/// to tasks.
#[derive(Debug)]
pub(super) struct CountedRecords {
    shape: FileShape,
    kinds: BTreeMap<RecordKind, u64>,
    task_types: BTreeMap<String, u64>,
    task_statuses: BTreeMap<String, u64>,
}

impl CountedRecords {
    /// Creates a counter for a file of this shape.
    pub(super) fn new(shape: FileShape) -> Self {
        let (kinds, task_types, task_statuses) = Default::default();
        Self { shape, kinds, task_types, task_statuses }
    }
}

impl RecordTally for CountedRecords {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        each_record(document, &self.shape, &mut |shape, value| {
            let Some(kind) = RecordKind::of_name(shape.name) else { return };
            *self.kinds.entry(kind).or_default() += 1;
            if matches!(kind, RecordKind::LegalTask | RecordKind::LegalTaskCreate | RecordKind::YamlTask) {
                count_text(&mut self.task_types, document, value, "task_type");
                count_text(&mut self.task_statuses, document, value, "status");
            }
        });
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let kinds = self.kinds.iter().map(|(kind, records)| {
            let (key, label) = kind.called();
            count(key, label, *records)
        });
        let tables = [
            ("tasksByType", "tasks by type", &self.task_types),
            ("tasksByStatus", "tasks by status", &self.task_statuses),
        ];
        let told = tables.into_iter().filter(|(_, _, counts)| !counts.is_empty());
        kinds.chain(told.map(|(key, label, counts)| by_value(key, label, counts))).collect()
    }
}

fn count_text(counts: &mut BTreeMap<String, u64>, document: &JsonDocument, object: TokenId, key: &str) {
    let text = document.get(object, key).filter(|&value| document.is_string(value));
    if let Some(text) = text.and_then(|value| document.string(value)) {
        *counts.entry(text.into_owned()).or_default() += 1;
    }
}
