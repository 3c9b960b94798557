//! The dataset files that come with RLCF: rows without a task type, which the name of the file gives,
//! and with input and ground truth side by side. In the graph they are tasks with their ground truth, of
//! each of which the task type is said.

use crate::source::records::{Form, Identity, Member, RecordShape, member};
use Form::{Json, Text, Value, Values};

/// A dataset file.
#[derive(Debug)]
pub struct DatasetFile {
    /// Its name without extension, and that of its rows for a user who says what they are.
    pub stem: &'static str,
    /// The task type of its rows, as the shipped enumeration has it.
    pub task_type: &'static str,
    /// The keys that are input.
    pub input: &'static [&'static str],
    /// The keys that are ground truth.
    pub ground_truth: &'static [&'static str],
    /// What its rows become.
    pub(super) shape: RecordShape,
}

const ID: Member = member("id", "identifier", Text);
const TEXT: Member = member("text", "text", Value);
const FACTS: Member = member("facts", "eg:facts", Value);

/// The right answer under its key.
const fn answer(key: &'static str) -> Member {
    member(key, "acceptedAnswer:Answer#ground-truth/text", Value)
}

/// The files as a table: stem and task type, the keys of the input and of the ground truth, the members.
macro_rules! files {
    ($($stem:literal, $task_type:literal, $input:expr, $ground_truth:expr, $members:expr;)*) => {
        [$(DatasetFile {
            stem: $stem,
            task_type: $task_type,
            input: &$input,
            ground_truth: &$ground_truth,
            shape: RecordShape {
                name: "DatasetRow",
                node: concat!("Question+eg:DatasetRow{additionalType=", $task_type, "}"),
                identity: Identity::Record { kind: "row", key: "id" },
                members: &$members,
            },
        }),*]
    };
}

static FILES: [DatasetFile; 8] = files! {
    "compliance_risk_spotting", "COMPLIANCE_RISK_SPOTTING", ["text"], ["risk_labels", "severity"],
        [ID, TEXT, member("risk_labels", "eg:riskLabels", Values), member("severity", "eg:severity", Value)];
    "doc_clause_classification", "DOC_CLAUSE_CLASSIFICATION", ["text", "unit"], ["labels"],
        [ID, TEXT, member("unit", "eg:unit", Value), member("labels", "eg:labels", Values)];
    "doctrine_application", "DOCTRINE_APPLICATION", ["facts", "question"], ["label", "rationale"], [
        ID,
        FACTS,
        member("question", "text", Value),
        answer("label"),
        member("rationale", "acceptedAnswer:Answer#ground-truth/eg:rationale", Value),
    ];
    "drafting_generation_parallel", "DRAFTING_GENERATION_PARALLEL", ["source", "task"], ["target"],
        [ID, member("source", "text", Value), answer("target"), member("task", "eg:task", Value)];
    // Which tag stands at which token is what they say.
    "named_entity_bio", "NAMED_ENTITY_BIO", ["tokens"], ["tags"],
        [ID, member("tokens", "eg:tokens", Json), member("tags", "eg:tags", Json)];
    "nli_entailment", "NLI_ENTAILMENT", ["premise", "hypothesis"], ["label"], [
        ID,
        member("premise", "eg:premise", Value),
        member("hypothesis", "eg:hypothesis", Value),
        answer("label"),
    ];
    "summarization_pairs", "SUMMARIZATION_PAIRS", ["document"], ["summary"],
        [ID, member("document", "text", Value), answer("summary")];
    "violation_outcome_prediction", "VIOLATION_OUTCOME_PREDICTION", ["facts"], ["outcome"],
        [ID, FACTS, answer("outcome")];
};

impl DatasetFile {
    /// All of them.
    pub const ALL: &'static [Self] = &FILES;

    /// The file of that name, without folder and extension.
    pub fn of_stem(stem: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|file| file.stem == stem)
    }

    /// The file whose rows are of that task type.
    pub fn of_task_type(task_type: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|file| file.task_type == task_type)
    }
}

/// A file is told by its name.
impl PartialEq for DatasetFile {
    fn eq(&self, other: &Self) -> bool {
        self.stem == other.stem
    }
}

impl Eq for DatasetFile {}
