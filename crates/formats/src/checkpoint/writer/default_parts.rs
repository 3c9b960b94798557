//! Values for missing parts of a file: dates, names, and ids by the rules of Karenina's programs.

use super::checkpoint_form::{CheckpointForm, CheckpointWriteOptions};
use crate::checkpoint::identifiers::{python_question_id, text_md5};
use crate::checkpoint::model::{Checkpoint, CheckpointItem};
use crate::numbering::NameNumbering;
use chrono::{DateTime, SecondsFormat, Utc};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The prefix of ids in the user interface.
pub(super) const ID_PREFIX: &str = "urn:uuid:";

/// Returns the time of the run in a form's date format: in the library's form without a time zone and to the
/// microsecond, in other forms in UTC and to the millisecond.
pub(super) fn timestamp(now: DateTime<Utc>, form: CheckpointForm) -> String {
    match form {
        CheckpointForm::Library => now.format("%Y-%m-%dT%H:%M:%S%.6f").to_string(),
        _ => now.to_rfc3339_opts(SecondsFormat::Millis, true),
    }
}

/// Makes an id for a checkpoint without one.
pub(super) fn checkpoint_id(now: DateTime<Utc>, form: CheckpointForm) -> String {
    let time = match form {
        CheckpointForm::Library => format!("{}.{:06}", now.timestamp(), now.timestamp_subsec_micros()),
        _ => now.timestamp_millis().to_string(),
    };
    format!("urn:uuid:karenina-checkpoint-{time}")
}

/// Returns the ids of the items of a checkpoint. A missing id is made from the text of the question, with a number if
/// that id is taken.
pub(super) fn item_ids(checkpoint: &Checkpoint<'_>, form: CheckpointForm) -> Vec<String> {
    let given = |item: &CheckpointItem<'_>| item.id.as_ref().map(|id| id.shown().into_owned());
    let mut taken: HashSet<String> = checkpoint.items.iter().filter_map(given).collect();
    let mut numbering = NameNumbering::default();
    let mut ids = Vec::with_capacity(checkpoint.items.len());
    for item in &checkpoint.items {
        let id = given(item).unwrap_or_else(|| {
            let text = item.question.text.shown();
            let base = match form {
                CheckpointForm::Library => python_question_id(&text),
                _ => format!("{ID_PREFIX}{}", text_md5(&text)),
            };
            let named = |number| if number == 0 { base.clone() } else { format!("{base}-{number}") };
            numbering.free(&base, 0, named, |id| !taken.contains(id))
        });
        taken.insert(id.clone());
        ids.push(id);
    }
    ids
}

/// Returns the items whose question repeats an earlier text, each with the number of earlier questions that have the
/// same text.
pub(super) fn repeats(checkpoint: &Checkpoint<'_>) -> HashMap<usize, usize> {
    let mut counts: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut repeats = HashMap::new();
    for (at, item) in checkpoint.items.iter().enumerate() {
        let count = counts.entry(item.question.text.shown()).or_default();
        if *count > 0 {
            repeats.insert(at, *count);
        }
        *count += 1;
    }
    repeats
}

/// Returns the key of an item in the user interface: its id without the prefix.
pub(super) fn key_of(id: &str) -> &str {
    id.strip_prefix(ID_PREFIX).unwrap_or(id)
}

/// Returns the id of the answer in an item.
pub(super) fn answer_id(item_id: &str) -> String {
    format!("urn:uuid:answer-{}", key_of(item_id))
}

/// Returns the id of the template in an item.
pub(super) fn template_id(item_id: &str) -> String {
    format!("urn:uuid:template-{}", key_of(item_id))
}

/// Returns a date of the checkpoint in place of a missing date of an item: the date of the same name, else the other
/// date, else the time of the run.
pub(super) fn root_date(
    checkpoint: &Checkpoint<'_>,
    wanted: DateField,
    options: &CheckpointWriteOptions<'_>,
    form: CheckpointForm,
) -> String {
    let [first, second] = wanted.order_values(&checkpoint.date_created, &checkpoint.date_modified);
    let found = first.as_ref().or(second.as_ref());
    found.map_or_else(|| timestamp(options.now, form), |date| date.shown().into_owned())
}

/// One of the two dates: its key in JSON-LD, and its field in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateField {
    pub(super) key: &'static str,
    pub(super) field: &'static str,
}

impl DateField {
    pub(super) const CREATED: Self = Self { key: "dateCreated", field: "date_created" };
    pub(super) const MODIFIED: Self = Self { key: "dateModified", field: "date_modified" };

    /// Orders two values by relevance for this date: its own value first, then the value of the other date.
    pub(super) fn order_values<T>(self, created: T, modified: T) -> [T; 2] {
        if self == Self::CREATED { [created, modified] } else { [modified, created] }
    }
}
