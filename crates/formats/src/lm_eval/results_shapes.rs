//! The table that maps the results of a run to the graph and back: the metrics of each task, and the model.

use super::harness_file_name::run_of_name;
use super::metric_names::{is_result, lower_is_better, result_aspect, standard_error};
use crate::records::{
    ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    ValueContext, member, record, value,
};
use MemberForm::{Alone, Any, Computed, Entries, EntryKey, Json, OfFile, OtherMembers, Position};
use evalgraph_json::{JsonDocument, TokenId};

/// The results of a run.
pub(super) const RESULTS: FileShape = FileShape { root: &FILE, records: RecordPlacement::InRoot };

const FILE: RecordShape = record(
    "results",
    "Dataset+cr:EvaluationTask+eg:EvaluationRun+eg:HarnessResults",
    ObjectIdentity::Blank,
    MEMBERS,
);

const MEMBERS: &[RecordMember] = &[
    member("", "eg:runName", OfFile(run_of_name)),
    member("", "eg:answeringModel", Computed(|at| model(at.document, at.object))),
    member("results", "eg:taskResult", Entries(&TASK)),
    member("groups", "eg:groupResult", Entries(&TASK_GROUP)),
    member("group_subtasks", "eg:groupTasks", Json),
    member("configs", "eg:taskConfigurations", Json),
    member("versions", "eg:taskVersions", Json),
    member("n-shot", "eg:shotCounts", Json),
    member("higher_is_better", "eg:metricDirections", Json),
    member("n-samples", "eg:taskSampleCounts", Json),
    member("config", "eg:runConfiguration", Json),
    value("git_hash", "eg:gitHash"),
    value("date", "eg:runDate"),
    member("date", "dateCreated", Computed(created)),
    value("pretty_env_info", "eg:environment"),
    value("transformers_version", "eg:transformersVersion"),
    value("lm_eval_version", "eg:harnessVersion"),
    value("upper_git_hash", "eg:upperGitHash"),
    member("tokenizer_pad_token", "eg:padToken", Json),
    member("tokenizer_eos_token", "eg:endToken", Json),
    member("tokenizer_bos_token", "eg:beginToken", Json),
    value("eot_token_id", "eg:endOfTurnTokenId"),
    value("max_length", "eg:maximumLength"),
    member("task_hashes", "eg:taskHashes", Json),
    value("model_source", "eg:modelSource"),
    value("model_name", "eg:modelName"),
    value("model_name_sanitized", "eg:modelFileName"),
    value("system_instruction", "eg:systemInstruction"),
    value("system_instruction_sha", "eg:systemInstructionHash"),
    value("fewshot_as_multiturn", "eg:shotsAreTurns"),
    value("chat_template", "eg:chatTemplate"),
    value("chat_template_sha", "eg:chatTemplateHash"),
    value("start_time", "eg:startClock"),
    value("end_time", "eg:endClock"),
    value("total_evaluation_time_seconds", "eg:evaluationSeconds"),
];

const TASK: RecordShape = record("results of a task", "eg:TaskResult", ObjectIdentity::Inner, TASK_MEMBERS);

const TASK_GROUP: RecordShape =
    record("results of a group", "eg:TaskGroupResult", ObjectIdentity::Inner, TASK_MEMBERS);

const TASK_MEMBERS: &[RecordMember] = &[
    member("", "eg:task", EntryKey),
    value("alias", "alternateName"),
    member("", "cr:evaluationResults", OtherMembers(is_result, &RESULT)),
    member("", "position", Position),
];

const RESULT: RecordShape = RecordShape {
    name: "metric",
    node: "cr:EvaluationResult+eg:RunResult",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "eg:metricKey", EntryKey),
        member("", "cr:metric", Computed(result_aspect)),
        member("", "cr:value", Alone(&Any)),
        member("", "eg:task", Computed(|at| at.outer_key_text())),
        member("", "eg:standardError", Computed(standard_error)),
        member("", "eg:lowerIsBetter", Computed(lower_is_better)),
        member("", "eg:sampleCount", Computed(sample_count)),
        member("", "position", Position),
    ],
};

/// The arguments of a model that are its name.
const MODEL_ARGUMENTS: [&str; 3] = ["pretrained", "model", "path"];

/// Returns the model: its name, otherwise the argument that names it.
pub(super) fn model(document: &JsonDocument, root: TokenId) -> Option<ComputedValue> {
    let member = |object, key: &str| document.is_object(object).then(|| document.get(object, key)).flatten();
    let named =
        member(root, "model_name").filter(|&name| document.string(name).is_some_and(|name| !name.is_empty()));
    if let Some(name) = named {
        return ComputedValue::string(document, name);
    }
    let configuration = member(root, "config")?;
    let arguments = member(configuration, "model_args");
    let argument = arguments.and_then(|arguments| {
        if document.is_object(arguments) {
            let name = MODEL_ARGUMENTS.iter().find_map(|key| document.get(arguments, key))?;
            return ComputedValue::string(document, name);
        }
        let text = document.string(arguments)?;
        let value = |key: &&str| {
            let mut pairs = text.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| name.trim() == *key).map(|(_, value)| value.trim().to_owned())
        };
        ComputedValue::text(MODEL_ARGUMENTS.iter().find_map(value)?, arguments)
    });
    argument.or_else(|| ComputedValue::string(document, member(configuration, "model")?))
}

fn created(at: &ValueContext<'_>) -> Option<ComputedValue> {
    ComputedValue::unix_time(at.document.number(at.value)?.parse().ok()?, at.value)
}

/// How many samples of the task were evaluated.
fn sample_count(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let member = |object, key: &str| document.is_object(object).then(|| document.get(object, key)).flatten();
    let of_task = member(member(document.root(), "n-samples")?, at.outer_key?)?;
    let count = member(of_task, "effective").filter(|&count| document.number(count).is_some())?;
    ComputedValue::scalar(document, count)
}
