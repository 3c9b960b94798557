//! The tables that map what models answered, and what was run, to the graph and back.

use super::run_folder_name::{run_of_folder, task_of_folder};
use crate::records::{
    ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    ValueContext, group, member, record, value,
};
use MemberForm::{Computed, Json, Nodes, OfFile, Position, Values};
use evalgraph_json::{JsonDocument, TokenId};

/// A path from the question of an instance.
macro_rules! question {
    ($rest:literal) => {
        concat!("parentItem:Question@question(id)/", $rest)
    };
}

/// What a model answered to the instances of a scenario.
pub(super) const RESPONSES: FileShape = FileShape { root: &RESPONSES_FILE, records: RecordPlacement::InRoot };

/// What was run.
pub(super) const SPECIFICATION: FileShape =
    FileShape { root: &SPECIFICATION_FILE, records: RecordPlacement::InRoot };

/// What a run was about.
pub(super) const SCENARIO: FileShape = FileShape { root: &SCENARIO_FILE, records: RecordPlacement::InRoot };

const RESPONSES_FILE: RecordShape =
    record("responses", "Dataset+eg:ModelResponses", ObjectIdentity::Blank, RESPONSES_MEMBERS);

const RESPONSES_MEMBERS: &[RecordMember] = &[
    member("", "eg:runName", OfFile(run_of_folder)),
    member("", "eg:task", OfFile(task_of_folder)),
    member("adapter_spec", "eg:adapterSpecification", Json),
    member("adapter_spec", "eg:answeringModel", Computed(model)),
    member("request_states", "eg:response", Nodes(&RESPONSE)),
    member("annotator_specs", "eg:annotatorSpecifications", Json),
];

const RESPONSE: RecordShape = record(
    "response",
    "Answer+eg:GeneratedAnswer+eg:ModelResponse",
    ObjectIdentity::Record { kind: "response", key: "id" },
    RESPONSE_MEMBERS,
);

const RESPONSE_MEMBERS: &[RecordMember] = &[
    group(
        "instance",
        &[
            value("id", question!("identifier")),
            member("input", "eg:instanceInput", Json),
            member("input", question!("text"), Computed(|at| text_of(at.document, at.value))),
            member("references", "eg:references", Json),
            member("references", question!("acceptedAnswer:Answer@answer(id)/text"), Computed(right_answer)),
            value("split", "eg:split"),
            value("sub_split", "eg:subSplit"),
            member("perturbation", "eg:perturbation", Json),
            member("extra_data", "eg:extraData", Json),
            member("contrast_inputs", "eg:contrastInputs", Json),
            member("contrast_references", "eg:contrastReferences", Json),
        ],
    ),
    value("train_trial_index", "eg:replicate"),
    value("reference_index", "eg:referenceIndex"),
    value("request_mode", "eg:requestMode"),
    member("output_mapping", "eg:outputMapping", Json),
    member("request", "eg:modelRequest", Json),
    member("request", "eg:answeringModel", Computed(model)),
    member("result", "eg:modelResult", Json),
    member("result", "text", Computed(completion)),
    member("result", "eg:executionTime", Computed(seconds)),
    value("num_train_instances", "eg:trainInstanceCount"),
    value("prompt_truncated", "eg:isTruncated"),
    value("num_conditioning_tokens", "eg:conditioningTokens"),
    member("annotations", "eg:annotations", Json),
    member("", "position", Position),
];

const SPECIFICATION_FILE: RecordShape = RecordShape {
    name: "specification",
    node: "Dataset+eg:RunSpecification",
    identity: ObjectIdentity::Blank,
    members: &[
        value("name", "eg:runName"),
        member("scenario_spec", "eg:scenarioSpecification", Json),
        member("adapter_spec", "eg:adapterSpecification", Json),
        member("adapter_spec", "eg:answeringModel", Computed(model)),
        member("metric_specs", "eg:metricSpecifications", Json),
        member("data_augmenter_spec", "eg:augmenterSpecification", Json),
        member("groups", "keywords", Values),
        member("annotators", "eg:annotators", Json),
    ],
};

const SCENARIO_FILE: RecordShape = RecordShape {
    name: "scenario",
    node: "Dataset+eg:EvaluationScenario",
    identity: ObjectIdentity::Blank,
    members: &[
        value("name", "name"),
        value("description", "description"),
        member("tags", "keywords", Values),
        value("definition_path", "eg:definitionPath"),
    ],
};

/// Returns the member of an object, or `None` for another value.
fn inner(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    document.is_object(object).then(|| document.get(object, key)).flatten()
}

/// The model of a request, or of all requests.
fn model(at: &ValueContext<'_>) -> Option<ComputedValue> {
    ComputedValue::string(at.document, inner(at.document, at.value, "model")?)
}

/// The text of an input or output.
fn text_of(document: &JsonDocument, content: TokenId) -> Option<ComputedValue> {
    ComputedValue::string(document, inner(document, content, "text").unwrap_or(content))
}

/// The text of the first reference that is right.
fn right_answer(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let mut references = document.items(at.value);
    references.find_map(|reference| {
        let tags = inner(document, reference, "tags").filter(|&tags| document.is_array(tags))?;
        let mut tags = document.items(tags);
        tags.find(|&tag| document.string(tag).is_some_and(|tag| tag == "correct"))?;
        text_of(document, inner(document, reference, "output")?)
    })
}

/// The first text that the model completed. It may be the letter of a reference, which the other tables need as it is.
fn completion(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let completions = inner(document, at.value, "completions").filter(|&list| document.is_array(list))?;
    text_of(document, document.items(completions).next()?)
}

fn seconds(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let time = inner(at.document, at.value, "request_time")?;
    at.document.number(time).and_then(|_| ComputedValue::scalar(at.document, time))
}
