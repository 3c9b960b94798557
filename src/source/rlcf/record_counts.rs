//! Figures of files of RLCF: how many records of which kind they have, and their tasks by type and status.

use super::kinds::RecordKind;
use crate::json::{Document, TokenId};
use crate::source::records::{FileShape, each_record};
use std::collections::BTreeMap;

/// Records by kind. Those inside of others count, too: credentials of users, responses of tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordCounts {
    kinds: BTreeMap<RecordKind, u64>,
    task_types: BTreeMap<String, u64>,
    task_statuses: BTreeMap<String, u64>,
}

impl RecordCounts {
    /// Counts the records of a file, or of a part of it.
    pub fn add(&mut self, document: &Document, shape: &FileShape) {
        each_record(document, shape, &mut |shape, value| {
            let Some(kind) = RecordKind::of_name(shape.name) else { return };
            *self.kinds.entry(kind).or_default() += 1;
            if is_task(kind) {
                count(&mut self.task_types, document, value, "task_type");
                count(&mut self.task_statuses, document, value, "status");
            }
        });
    }

    /// The kinds of which there are records, each with how many.
    pub fn kinds(&self) -> impl Iterator<Item = (RecordKind, u64)> {
        self.kinds.iter().map(|(kind, count)| (*kind, *count))
    }

    /// The tasks that say of which type they are, by it.
    pub fn task_types(&self) -> &BTreeMap<String, u64> {
        &self.task_types
    }

    /// The tasks that say their status, by it.
    pub fn task_statuses(&self) -> &BTreeMap<String, u64> {
        &self.task_statuses
    }
}

/// Tells whether a record is a task, or will be one.
fn is_task(kind: RecordKind) -> bool {
    matches!(kind, RecordKind::LegalTask | RecordKind::LegalTaskCreate | RecordKind::YamlTask)
}

fn count(counts: &mut BTreeMap<String, u64>, document: &Document, object: TokenId, key: &str) {
    let text = document.get(object, key).filter(|&value| document.is_string(value));
    if let Some(text) = text.and_then(|value| document.string(value)) {
        *counts.entry(text.into_owned()).or_default() += 1;
    }
}
