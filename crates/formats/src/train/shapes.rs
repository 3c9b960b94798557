//! The tables that map the rows of a dataset and of an evaluation to the graph.
//!
//! A question belongs to its row as in a Karenina checkpoint. The text that an impossible row has in place of an answer
//! does not become the text of an answer.

use crate::records::{
    FileShape, FoundText, MemberCondition, MemberForm, ObjectIdentity, RecordMember, RecordPlacement,
    RecordShape, group, member, record, value,
};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// A path from the question of a row.
macro_rules! question {
    ($rest:literal) => {
        concat!("item:Question#question/", $rest)
    };
}

/// A path from the accepted answer.
macro_rules! accepted {
    ($rest:literal) => {
        concat!("item:Question#question/acceptedAnswer:Answer#answer/", $rest)
    };
}

/// A path from the answer that a model generated.
macro_rules! generated {
    ($rest:literal) => {
        concat!("item:Question#question/suggestedAnswer:Answer+eg:GeneratedAnswer#generated/", $rest)
    };
}

/// `train.json`, or the same rows on lines or in a table.
pub const ROWS: FileShape =
    FileShape { root: &DATASET, records: RecordPlacement::Items("dataFeedElement", &ROW) };

/// The evaluator's records, one for each row that it has finished.
pub const EVALUATION_DATA: FileShape =
    FileShape { root: &EVALUATION, records: RecordPlacement::Items("dataFeedElement", &EVALUATION_ROW) };

/// The figures by row, in the order of the evaluation data.
pub const EVALUATION_RESULTS: FileShape = FileShape { root: &RESULTS, records: RecordPlacement::InRoot };

/// The means of the figures.
pub const EVALUATION_SUMMARY: FileShape = FileShape { root: &SUMMARY, records: RecordPlacement::InRoot };

/// The figures of ingestion and evaluation together.
pub const EVALUATION_METRICS: FileShape = FileShape { root: &METRICS, records: RecordPlacement::InRoot };

const DATASET: RecordShape = record("dataset", "DataFeed+eg:TrainDataset", ObjectIdentity::Blank, &[]);

/// The conditions under which the answer of a row says that there is no answer.
const HAS_NO_ANSWER: &[MemberCondition] = &[
    MemberCondition { key: "is_impossible", admits: |value| value == "true" },
    MemberCondition { key: "answer", admits: |value| matches!(value, "-" | "") },
];

pub(super) const ROW: RecordShape =
    record("row", "DataFeedItem+eg:TrainRow", ObjectIdentity::Record { kind: "", key: "id" }, ROW_MEMBERS);

const ROW_MEMBERS: &[RecordMember] = &[
    value("id", "eg:rowId"),
    member("id", "identifier", MemberForm::Derived(&MemberForm::Text)),
    value("query_id", "eg:queryId"),
    member("", question!("position"), MemberForm::Position),
    value("question", question!("text")),
    member("answer", question!("eg:noAnswer"), MemberForm::Where(HAS_NO_ANSWER, &MemberForm::Value)),
    member("answer", accepted!("text"), MemberForm::Derived(&MemberForm::Excerpt(first_answer))),
    member("answer", accepted!("eg:acceptedText"), MemberForm::OfList(&MemberForm::Values)),
    value("answer", accepted!("text")),
    value("is_impossible", question!("eg:isImpossible")),
    member("contexts", accepted!("isBasedOn"), MemberForm::Nodes(&CONTEXT)),
];

/// Returns the first of several accepted texts, which is the answer where a form has one answer only.
fn first_answer(document: &JsonDocument, answer: TokenId) -> Option<FoundText> {
    let is_scalar = |&item: &TokenId| document.is_scalar(item) && document.kind(item) != JsonKind::Null;
    if !document.is_array(answer) || !document.items(answer).all(|item| is_scalar(&item)) {
        return None;
    }
    let first = document.items(answer).next()?;
    Some((
        document.string(first).map_or_else(|| document.raw(first).to_owned(), |text| text.into_owned()),
        first,
    ))
}

/// A piece of a document that contains an answer. A plain string names no document.
pub(super) const CONTEXT: RecordShape = RecordShape {
    name: "context",
    node: "Quotation+eg:Context",
    identity: ObjectIdentity::Inner,
    members: &[
        value("filename", "isPartOf:DigitalDocument@file(filename)/name"),
        member("text", "text", MemberForm::Alone(&MemberForm::Value)),
        member("", "position", MemberForm::Position),
    ],
};

const EVALUATION: RecordShape =
    record("evaluation", "DataFeed+eg:EvaluationData", ObjectIdentity::Blank, &[]);

const EVALUATION_ROW: RecordShape = RecordShape {
    name: "evaluation row",
    node: "DataFeedItem+eg:EvaluationRow",
    identity: ObjectIdentity::Record { kind: "", key: "id" },
    members: &[
        value("id", "eg:rowId"),
        member("id", "identifier", MemberForm::Derived(&MemberForm::Text)),
        member("", question!("position"), MemberForm::Position),
        value("question", question!("text")),
        value("answer", question!("acceptedAnswer:Answer#answer/text")),
        value("generated_answer", generated!("text")),
        member("contexts", accepted!("isBasedOn"), MemberForm::Nodes(&CONTEXT)),
        member("generated_contexts", generated!("isBasedOn"), MemberForm::Nodes(&RETRIEVED_CONTEXT)),
        member(
            "retrieved_docs",
            "eg:retrieval:ItemList#retrieval/itemListElement",
            MemberForm::Nodes(&RETRIEVED),
        ),
        group("usage", ANSWER_USAGE),
    ],
};

const ANSWER_USAGE: &[RecordMember] = &[
    value("total_tokens", generated!("eg:totalTokens")),
    value("prompt_tokens", generated!("eg:promptTokens")),
    value("completion_tokens", generated!("eg:completionTokens")),
];

const RETRIEVED_CONTEXT: RecordShape = record(
    "retrieved context",
    "Quotation+eg:RetrievedContext",
    ObjectIdentity::Inner,
    &[
        member("text", "text", MemberForm::Alone(&MemberForm::Value)),
        member("", "position", MemberForm::Position),
    ],
);

/// A retrieved page: the stem of a file and the number of the page, in the order of retrieval.
const RETRIEVED: RecordShape = record(
    "retrieved document",
    "ListItem+eg:RetrievedDocument",
    ObjectIdentity::Inner,
    &[
        member("name", "name", MemberForm::Alone(&MemberForm::Value)),
        member("", "position", MemberForm::Position),
    ],
);

const RESULTS: RecordShape = RecordShape {
    name: "evaluation results",
    node: "Dataset+eg:EvaluationResults",
    identity: ObjectIdentity::Blank,
    members: &[
        member("nv_accuracy", "eg:judgement", MemberForm::Nodes(&ACCURACY)),
        member("nv_context_relevance", "eg:judgement", MemberForm::Nodes(&CONTEXT_RELEVANCE)),
        member("nv_response_groundedness", "eg:judgement", MemberForm::Nodes(&RESPONSE_GROUNDEDNESS)),
        group("token_usage", TOKEN_USAGE),
        member("token_usage_per_sample", "eg:tokenUsagePerSample", MemberForm::Json),
    ],
};

const ACCURACY: RecordShape =
    record("accuracy", "Review+eg:Accuracy{reviewAspect=nv_accuracy}", ObjectIdentity::Inner, SCORE);

const CONTEXT_RELEVANCE: RecordShape = record(
    "context relevance",
    "Review+eg:ContextRelevance{reviewAspect=nv_context_relevance}",
    ObjectIdentity::Inner,
    SCORE,
);

const RESPONSE_GROUNDEDNESS: RecordShape = record(
    "response groundedness",
    "Review+eg:ResponseGroundedness{reviewAspect=nv_response_groundedness}",
    ObjectIdentity::Inner,
    SCORE,
);

/// A figure from 0 to 1 about the row of the evaluation data with the same position.
const SCORE: &[RecordMember] = &[
    member(
        "value",
        "reviewRating:Rating{bestRating=1,worstRating=0}/ratingValue",
        MemberForm::Alone(&MemberForm::Value),
    ),
    member("", "position", MemberForm::Position),
];

const TOKEN_USAGE: &[RecordMember] = &[
    value("total_tokens", "eg:totalTokens"),
    value("prompt_tokens", "eg:promptTokens"),
    value("completion_tokens", "eg:completionTokens"),
    value("sample_count", "eg:samplesWithUsage"),
    value("mean_prompt_tokens", "eg:meanPromptTokens"),
    value("mean_completion_tokens", "eg:meanCompletionTokens"),
];

const SUMMARY: RecordShape = RecordShape {
    name: "evaluation summary",
    node: "Dataset+eg:EvaluationSummary",
    identity: ObjectIdentity::Blank,
    members: &[
        value("nv_accuracy_mean", "eg:meanAccuracy"),
        value("nv_context_relevance_mean", "eg:meanContextRelevance"),
        value("nv_response_groundedness_mean", "eg:meanResponseGroundedness"),
        group("token_usage", TOKEN_USAGE),
    ],
};

const METRICS: RecordShape = RecordShape {
    name: "evaluation metrics",
    node: "Dataset+eg:EvaluationMetrics",
    identity: ObjectIdentity::Blank,
    members: &[
        member("ingestion_metrics_list", "eg:ingestion", MemberForm::Nodes(&INGESTION)),
        member("evaluation_metrics", "eg:evaluationMetrics", MemberForm::Json),
        group("token_usage", TOKEN_USAGE),
    ],
};

const INGESTION: RecordShape = RecordShape {
    name: "ingestion",
    node: "eg:Ingestion",
    identity: ObjectIdentity::Inner,
    members: &[
        value("ingestion_time", "eg:ingestionTime"),
        value("total_pages", "eg:totalPages"),
        value("pages_per_second", "eg:pagesPerSecond"),
        value("total_files", "eg:totalFiles"),
        member("", "eg:ingestionIndex", MemberForm::Position),
    ],
};
