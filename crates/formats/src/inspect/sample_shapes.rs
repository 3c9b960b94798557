//! The table that maps a sample of a log to the graph and back: the question, what the model answered, and the scores.

use super::sample_texts::{answer_text, group_of, joined_targets, question_text, what_failed};
use super::score_values::{rating, run_text, sample_verdict, tokens};
use crate::records::{
    ComputedContent, ComputedValue, MemberCondition, MemberForm, ObjectIdentity, RecordMember, RecordShape,
    ValueContext, member, record, value,
};
use MemberForm::{Any, Computed, DateTime, Entries, EntryKey, Json, OfFile, Position, Text, Where};

/// A path from the answer of the model.
macro_rules! answer {
    ($rest:literal) => {
        concat!("itemReviewed:Answer+eg:GeneratedAnswer#answer/", $rest)
    };
}

/// A path from the question.
macro_rules! question {
    ($rest:literal) => {
        concat!("itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(id)/", $rest)
    };
}

/// A sample in one epoch.
pub(super) const SAMPLE: RecordShape =
    record("sample", "Review+eg:SampleResult", ObjectIdentity::Record { kind: "result", key: "id" }, MEMBERS);

/// A list has this text in a condition.
const LIST: &str = "{}";

/// Here conditions see a value only where it is a list.
const HAS_TARGETS: &[MemberCondition] = &[MemberCondition { key: "target", admits: |text| text == LIST }];

const HAS_MESSAGES: &[MemberCondition] = &[MemberCondition { key: "input", admits: |text| text == LIST }];

const MEMBERS: &[RecordMember] = &[
    member("", "eg:answeringModel", OfFile(|file| run_text(file, "model"))),
    member("", "eg:runName", OfFile(|file| run_text(file, "run_id"))),
    member("", "eg:task", OfFile(|file| run_text(file, "task"))),
    member("id", question!("identifier"), Text),
    value("epoch", "eg:replicate"),
    member("input", question!("text"), Computed(question_text)),
    member("input", "eg:inputMessages", Where(HAS_MESSAGES, &Json)),
    value("input", "eg:input"),
    member("choices", "eg:choices", Json),
    member("target", question!("acceptedAnswer:Answer@answer(id)/text"), Computed(joined_targets)),
    member("target", "eg:targets", Where(HAS_TARGETS, &Json)),
    value("target", question!("acceptedAnswer:Answer@answer(id)/text")),
    member("sandbox", "eg:sandbox", Json),
    member("files", "eg:files", Json),
    value("setup", "eg:setup"),
    member("messages", "eg:messages", Json),
    member("output", "eg:modelOutput", Json),
    member("", answer!("text"), Computed(answer_text)),
    member("scores", "reviewRating", Entries(&SCORE)),
    member("scores", "eg:verifyResult", Computed(sample_verdict)),
    member("score", "eg:singleScore", Json),
    member("metadata", "eg:sampleMetadata", Json),
    member("metadata", "eg:sampleGroup", Computed(group_of)),
    member("store", "eg:store", Json),
    member("events", "eg:events", Json),
    member("events_data", "eg:eventsData", Json),
    member("timelines", "eg:timelines", Json),
    member("transcript", "eg:transcript", Json),
    member("model_usage", "eg:modelUsage", Json),
    member("model_usage", "eg:inputTokens", Computed(|at| count(at, "input_tokens"))),
    member("model_usage", "eg:outputTokens", Computed(|at| count(at, "output_tokens"))),
    member("model_usage", "eg:totalTokens", Computed(|at| count(at, "total_tokens"))),
    member("role_usage", "eg:roleUsage", Json),
    member("started_at", "eg:startedAt", DateTime),
    member("completed_at", "dateCreated", DateTime),
    value("total_time", "eg:executionTime"),
    value("working_time", "eg:workingTime"),
    value("uuid", "eg:uuid"),
    member("invalidation", "eg:invalidation", Json),
    member("error", "eg:sampleError", Json),
    member("error", "eg:failureReason", Computed(what_failed)),
    member("error_retries", "eg:errorRetries", Json),
    member("attachments", "eg:attachments", Json),
    member("limit", "eg:sampleLimit", Json),
    member("message_pool", "eg:messagePool", Json),
    member("call_pool", "eg:callPool", Json),
    member("", "position", Position),
];

const SCORE: RecordShape = RecordShape {
    name: "score",
    node: "Rating+eg:SampleScore",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "reviewAspect", EntryKey),
        member("value", "ratingValue", Computed(rating)),
        member("value", "eg:scoreValue", Any),
        member("answer", "eg:extractedAnswer", Any),
        value("explanation", "ratingExplanation"),
        member("metadata", "eg:scoreDetails", Json),
        member("history", "eg:scoreHistory", Json),
    ],
};

fn count(at: &ValueContext<'_>, key: &str) -> Option<ComputedValue> {
    let count = tokens(at.document, at.value, key)?;
    Some(ComputedValue { content: ComputedContent::Number(count.to_string()), found_in: at.value })
}
