//! What the rows of the dataset files become in the graph: tasks with their ground truth. The task
//! type, which only the name of the file gives, is said of each.

use super::dataset_files::DatasetFile;
use crate::source::records::{Form, Identity, Member, RecordShape, member};
use Form::{Json, Text, Value, Values};

const fn row(node: &'static str, members: &'static [Member]) -> RecordShape {
    RecordShape { name: "DatasetRow", node, identity: Identity::Record { kind: "row", key: "id" }, members }
}

const ID: Member = member("id", "identifier", Text);
const TEXT: Member = member("text", "text", Value);
const FACTS: Member = member("facts", "eg:facts", Value);

/// The shapes of the files, in the order of [`DatasetFile::ALL`].
static ROWS: [RecordShape; 8] = [
    row(
        "Question+eg:DatasetRow{additionalType=COMPLIANCE_RISK_SPOTTING}",
        &[ID, TEXT, member("risk_labels", "eg:riskLabels", Values), member("severity", "eg:severity", Value)],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=DOC_CLAUSE_CLASSIFICATION}",
        &[ID, TEXT, member("unit", "eg:unit", Value), member("labels", "eg:labels", Values)],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=DOCTRINE_APPLICATION}",
        &[
            ID,
            FACTS,
            member("question", "text", Value),
            member("label", "acceptedAnswer:Answer#ground-truth/text", Value),
            member("rationale", "acceptedAnswer:Answer#ground-truth/eg:rationale", Value),
        ],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=DRAFTING_GENERATION_PARALLEL}",
        &[
            ID,
            member("source", "text", Value),
            member("target", "acceptedAnswer:Answer#ground-truth/text", Value),
            member("task", "eg:task", Value),
        ],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=NAMED_ENTITY_BIO}",
        // Which tag stands at which token is what they say.
        &[ID, member("tokens", "eg:tokens", Json), member("tags", "eg:tags", Json)],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=NLI_ENTAILMENT}",
        &[
            ID,
            member("premise", "eg:premise", Value),
            member("hypothesis", "eg:hypothesis", Value),
            member("label", "acceptedAnswer:Answer#ground-truth/text", Value),
        ],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=SUMMARIZATION_PAIRS}",
        &[
            ID,
            member("document", "text", Value),
            member("summary", "acceptedAnswer:Answer#ground-truth/text", Value),
        ],
    ),
    row(
        "Question+eg:DatasetRow{additionalType=VIOLATION_OUTCOME_PREDICTION}",
        &[ID, FACTS, member("outcome", "acceptedAnswer:Answer#ground-truth/text", Value)],
    ),
];

/// The shape of the rows of a file.
pub(super) fn row_shape(file: &DatasetFile) -> &'static RecordShape {
    let at = DatasetFile::ALL.iter().position(|known| known.stem == file.stem).unwrap_or(0);
    &ROWS[at]
}
