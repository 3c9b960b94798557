//! The dataset files that come with RLCF. Their rows mix input and ground truth, and have no task type, which follows
//! from the name of the file. In the graph, the rows are tasks with their ground truth, and each states its task type.

use crate::records::{MemberForm, ObjectIdentity, RecordMember, RecordShape, member};
use MemberForm::{Json, Text, Value, Values};

/// A dataset file.
#[derive(Debug)]
pub struct DatasetFile {
    /// Its name without extension, by which users also name its rows.
    pub stem: &'static str,
    /// The task type of its rows, as the shipped enumeration spells it.
    pub task_type: &'static str,
    /// The keys that are input.
    pub input: &'static [&'static str],
    /// The keys that are ground truth.
    pub ground_truth: &'static [&'static str],
    /// The table of its rows.
    pub(super) shape: RecordShape,
}

const ID: RecordMember = member("id", "identifier", Text);
const TEXT: RecordMember = member("text", "text", Value);
const FACTS: RecordMember = member("facts", "eg:facts", Value);

/// Makes the member for the right answer.
const fn answer(key: &'static str) -> RecordMember {
    member(key, "acceptedAnswer:Answer#ground-truth/text", Value)
}

/// Makes the table of files: stem and task type, the keys of the input and of the ground truth, the members.
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
                identity: ObjectIdentity::Record { kind: "row", key: "id" },
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
    // The tags stay one JSON literal, because the answer is the sequence of tags.
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
    /// All dataset files.
    pub const ALL: &'static [Self] = &FILES;

    /// Returns the file with this name, without folder and extension.
    pub fn of_stem(stem: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|file| file.stem == stem)
    }

    /// Returns the file whose rows have this task type.
    pub fn of_task_type(task_type: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|file| file.task_type == task_type)
    }
}

/// Files are equal if their names are.
impl PartialEq for DatasetFile {
    fn eq(&self, other: &Self) -> bool {
        self.stem == other.stem
    }
}

impl Eq for DatasetFile {}
