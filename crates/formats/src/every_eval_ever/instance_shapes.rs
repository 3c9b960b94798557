//! The table that maps the results of a model on single samples to the graph and back.

use crate::records::{
    ComputedContent, ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement,
    RecordShape, ValueContext, group, member, record, value,
};
use MemberForm::{Computed, Json, Position, Values};

/// A path from the answer of the model.
macro_rules! answer {
    ($rest:literal) => {
        concat!("itemReviewed:Answer+eg:GeneratedAnswer#answer/", $rest)
    };
}

/// A path from the question. Several evaluations may have the same ids.
macro_rules! question {
    ($rest:literal) => {
        concat!(
            "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(evaluation_name,sample_id)/",
            $rest
        )
    };
}

/// A path from the score.
macro_rules! score {
    ($rest:literal) => {
        concat!("reviewRating:Rating+eg:SampleScore#score/", $rest)
    };
}

/// A file with results, one a line or in an array.
pub(super) const RESULTS: FileShape =
    FileShape { root: &FILE, records: RecordPlacement::Items("eg:result", &RESULT) };

/// A file that is one result.
pub(super) const ONE_RESULT: FileShape =
    FileShape { root: &SINGLE, records: RecordPlacement::One("eg:result", &RESULT) };

const FILE: RecordShape =
    record("file", "Dataset+eg:EvaluationSamples+eg:InstanceResults", ObjectIdentity::Blank, &[]);

const SINGLE: RecordShape =
    record("file", "Dataset+eg:EvaluationSamples+eg:SingleInstanceResult", ObjectIdentity::Blank, &[]);

/// The name of a result in messages.
pub(super) const RECORD: &str = "sample result";

const RESULT: RecordShape = record(
    RECORD,
    "Review+eg:SampleResult",
    ObjectIdentity::Record { kind: "result", key: "sample_id" },
    MEMBERS,
);

const MEMBERS: &[RecordMember] = &[
    value("schema_version", "eg:schemaVersion"),
    value("evaluation_id", "eg:runName"),
    value("model_id", "eg:answeringModel"),
    value("evaluation_name", "eg:task"),
    value("evaluation_result_id", "eg:evaluationResultId"),
    value("sample_id", question!("identifier")),
    value("sample_hash", "eg:sampleHash"),
    value("interaction_type", "eg:interactionType"),
    group(
        "input",
        &[
            value("raw", question!("text")),
            value("formatted", "eg:formattedInput"),
            member(
                "reference",
                question!("acceptedAnswer:Answer@answer(evaluation_name,sample_id)/text"),
                Values,
            ),
            member("choices", "eg:choices", Json),
        ],
    ),
    group(
        "output",
        &[
            member("raw", answer!("text"), Values),
            member("reasoning_trace", answer!("eg:reasoningTrace"), Values),
        ],
    ),
    member("messages", "eg:messages", Json),
    member("messages", answer!("text"), Computed(last_answer)),
    member("answer_attribution", "eg:answerAttribution", Json),
    group(
        "evaluation",
        &[
            value("score", score!("ratingValue")),
            member("score", score!("reviewAspect"), Computed(aspect)),
            value("is_correct", "eg:verifyResult"),
            value("num_turns", "eg:turnCount"),
            value("tool_calls_count", "eg:toolCallCount"),
        ],
    ),
    group(
        "token_usage",
        &[
            value("input_tokens", "eg:inputTokens"),
            value("output_tokens", "eg:outputTokens"),
            value("total_tokens", "eg:totalTokens"),
            value("input_tokens_cache_write", "eg:cacheWriteTokens"),
            value("input_tokens_cache_read", "eg:cacheReadTokens"),
            value("reasoning_tokens", "eg:reasoningTokens"),
        ],
    ),
    group(
        "performance",
        &[
            value("latency_ms", "eg:latencyMs"),
            member("latency_ms", "eg:executionTime", Computed(seconds)),
            value("time_to_first_token_ms", "eg:timeToFirstTokenMs"),
            value("generation_time_ms", "eg:generationTimeMs"),
            member("additional_details", "eg:performanceDetails", Json),
        ],
    ),
    value("error", "eg:failureReason"),
    member("metadata", "eg:sampleMetadata", Json),
    member("metadata", "eg:sampleGroup", Computed(group_of)),
    member("", "position", Position),
];

/// The last text of the assistant.
fn last_answer(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let text = |message| {
        let role = document.string(document.get(message, "role")?)?;
        let content = document.get(message, "content").filter(|_| role == "assistant")?;
        ComputedValue::string(document, content)
    };
    let is_said = |value: &ComputedValue| match &value.content {
        ComputedContent::Text(text) => !text.trim().is_empty(),
        _ => false,
    };
    let messages = document.items(at.value).filter(|&message| document.is_object(message));
    messages.filter_map(text).filter(is_said).last()
}

/// What the score is about: the aggregated result that it is part of, or the evaluation.
fn aspect(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let keys = ["evaluation_result_id", "evaluation_name"];
    keys.into_iter().find_map(|key| ComputedValue::string(at.document, at.member(key)?))
}

fn seconds(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let milliseconds: f64 = at.document.number(at.value)?.parse().ok()?;
    ComputedValue::number(milliseconds / 1000.0, at.value)
}

/// The samples that belong together, such as those about one text.
fn group_of(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let group = at.document.is_object(at.value).then(|| at.document.get(at.value, "group")).flatten()?;
    ComputedValue::scalar(at.document, group)
}
