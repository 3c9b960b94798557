//! The table that maps the samples of a task to the graph and back: a row for each document and filter.

use super::harness_file_name::{run_of_name, task_of_name};
use super::metric_names::{is_metric, rating, row_aspect, row_verdict};
use super::row_texts::{answer_text, question_text};
use crate::records::{
    FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape, member, record, value,
};
use MemberForm::{Alone, Any, Computed, EntryKey, Json, OfFile, OtherMembers, Position, Text, Values};

/// A path from the question.
macro_rules! question {
    ($rest:literal) => {
        concat!("itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(doc_id)/", $rest)
    };
}

/// A file of samples, one a line or in an array.
pub(super) const SAMPLES: FileShape =
    FileShape { root: &FILE, records: RecordPlacement::Items("eg:result", &ROW) };

const FILE: RecordShape =
    record("file", "Dataset+eg:EvaluationSamples+eg:TaskSamples", ObjectIdentity::Blank, &[]);

const ROW: RecordShape = record(
    "sample",
    "Review+eg:SampleResult",
    ObjectIdentity::Record { kind: "result", key: "doc_id" },
    MEMBERS,
);

const MEMBERS: &[RecordMember] = &[
    member("", "eg:task", OfFile(task_of_name)),
    member("", "eg:runName", OfFile(run_of_name)),
    member("doc_id", question!("identifier"), Text),
    member("doc", "eg:sourceDocument", Json),
    member("", question!("text"), Computed(question_text)),
    member("target", question!("acceptedAnswer:Answer@answer(doc_id)/text"), Text),
    member("arguments", "eg:requests", Json),
    member("resps", "eg:responses", Json),
    member("filtered_resps", "eg:filteredResponses", Json),
    member("", "itemReviewed:Answer+eg:GeneratedAnswer#answer/text", Computed(answer_text)),
    value("filter", "eg:filter"),
    member("metrics", "eg:rowMetric", Values),
    value("doc_hash", "eg:sampleHash"),
    value("prompt_hash", "eg:promptHash"),
    value("target_hash", "eg:targetHash"),
    member("", "eg:verifyResult", Computed(row_verdict)),
    member("", "reviewRating", OtherMembers(is_metric, &METRIC)),
    member("", "position", Position),
];

const METRIC: RecordShape = RecordShape {
    name: "metric",
    node: "Rating+eg:SampleScore",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "eg:metricKey", EntryKey),
        member("", "reviewAspect", Computed(row_aspect)),
        member("", "ratingValue", Computed(rating)),
        member("", "eg:scoreValue", Alone(&Any)),
    ],
};
