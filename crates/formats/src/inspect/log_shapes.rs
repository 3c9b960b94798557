//! The table that maps a log to the graph and back: the task, the model, the results of scorers, and the samples.

use super::sample_shapes::SAMPLE;
use super::score_values::{is_uncertainty, run_text};
use crate::records::{
    ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    ValueContext, group, member, record, value,
};
use MemberForm::{Any, Computed, DateTime, Entries, EntryKey, Json, Nodes, OfFile, Position, Values};

/// A log.
pub(super) const LOG: FileShape = FileShape { root: &FILE, records: RecordPlacement::InRoot };

const FILE: RecordShape = record(
    "log",
    "Dataset+cr:EvaluationTask+eg:EvaluationRun+eg:EvaluationLog",
    ObjectIdentity::Blank,
    MEMBERS,
);

const MEMBERS: &[RecordMember] = &[
    value("version", "eg:logVersion"),
    value("status", "eg:runStatus"),
    group("eval", RUN),
    member("plan", "eg:plan", Json),
    group(
        "results",
        &[
            value("total_samples", "eg:totalSamples"),
            value("completed_samples", "eg:completedSamples"),
            member("early_stopping", "eg:earlyStopping", Json),
            member("scores", "eg:scorerResult", Nodes(&SCORER)),
            member("metadata", "eg:resultsMetadata", Json),
            member("sample_reductions", "eg:sampleReductions", Json),
        ],
    ),
    group(
        "stats",
        &[
            member("started_at", "eg:startedAt", DateTime),
            member("completed_at", "eg:completedAt", DateTime),
            member("model_usage", "eg:modelUsage", Json),
            member("role_usage", "eg:roleUsage", Json),
        ],
    ),
    member("error", "eg:runError", Json),
    value("invalidated", "eg:isInvalidated"),
    member("tags", "keywords", Values),
    member("metadata", "eg:runMetadata", Json),
    member("log_updates", "eg:logUpdates", Json),
    member("samples", "eg:result", Nodes(&SAMPLE)),
    member("reductions", "eg:reductions", Json),
];

const RUN: &[RecordMember] = &[
    value("eval_set_id", "eg:evaluationSetId"),
    value("eval_id", "eg:evaluationId"),
    value("run_id", "eg:runName"),
    member("created", "dateCreated", DateTime),
    value("task", "eg:task"),
    value("task_id", "eg:taskId"),
    value("task_version", "eg:taskVersion"),
    value("task_file", "eg:taskFile"),
    value("task_display_name", "eg:taskDisplayName"),
    value("task_registry_name", "eg:taskRegistryName"),
    member("task_attribs", "eg:taskAttributes", Json),
    member("task_args", "eg:taskArguments", Json),
    member("task_args_passed", "eg:taskArgumentsPassed", Json),
    value("solver", "eg:solver"),
    member("solver_args", "eg:solverArguments", Json),
    member("solver_args_passed", "eg:solverArgumentsPassed", Json),
    member("tags", "eg:taskTag", Values),
    member("dataset", "eg:sourceData", Json),
    member("sandbox", "eg:sandbox", Json),
    value("model", "eg:answeringModel"),
    member("model_generate_config", "eg:generationConfiguration", Json),
    value("model_base_url", "eg:modelBaseUrl"),
    member("model_args", "eg:modelArguments", Json),
    member("model_roles", "eg:modelRoles", Json),
    member("config", "eg:runConfiguration", Json),
    member("revision", "eg:revision", Json),
    member("packages", "eg:packages", Json),
    member("metadata", "eg:taskMetadata", Json),
    member("scorers", "eg:scorers", Json),
    member("metrics", "eg:metrics", Json),
    member("viewer", "eg:viewer", Json),
];

/// The results of one scorer, or of one of its values.
const SCORER: RecordShape = RecordShape {
    name: "score of a run",
    node: "eg:ScorerResult",
    identity: ObjectIdentity::Inner,
    members: &[
        value("name", "name"),
        value("scorer", "eg:scorer"),
        value("reducer", "eg:reducer"),
        value("scored_samples", "eg:sampleCount"),
        value("unscored_samples", "eg:unscoredSamples"),
        member("params", "eg:scorerParameters", Json),
        member("metrics", "cr:evaluationResults", Entries(&METRIC)),
        member("metadata", "eg:scorerMetadata", Json),
        member("", "position", Position),
    ],
};

const METRIC: RecordShape = RecordShape {
    name: "metric",
    node: "cr:EvaluationResult+eg:RunResult",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "eg:metricKey", EntryKey),
        value("name", "cr:metric"),
        member("value", "cr:value", Any),
        member("params", "eg:metricParameters", Json),
        member("options", "eg:metricOptions", Json),
        value("group", "eg:metricGroup"),
        member("metadata", "eg:metricDetails", Json),
        member("", "eg:scorer", Computed(scorer)),
        member("", "eg:task", OfFile(|file| run_text(file, "task"))),
        member("", "eg:standardError", Computed(standard_error)),
        member("", "position", Position),
    ],
};

fn scorer(at: &ValueContext<'_>) -> Option<ComputedValue> {
    ComputedValue::string(at.document, at.document.get(at.outer?, "name")?)
}

/// The standard error, which the log has as a metric of its own beside the others.
fn standard_error(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    if at.key.is_none_or(is_uncertainty) {
        return None;
    }
    let metrics = document.get(at.outer?, "metrics").filter(|&metrics| document.is_object(metrics))?;
    let error = document.get(metrics, "stderr").filter(|&error| document.is_object(error))?;
    let value = document.get(error, "value").filter(|&value| document.number(value).is_some())?;
    ComputedValue::scalar(document, value)
}
