//! What becomes of a dataset file in the graph, and back: the tables of its objects.
//!
//! A sample is the item of a feed whose question has the answer that is expected. What retrieval found
//! is the result of a search; its chunks belong to their sample, for another sample may have another
//! text under the same `chunk_id`. Documents, organisations and licences are the dataset's, and so the
//! same wherever they are named.

use super::chat::{asked_question, completeness_of_answer, given_answer};
use crate::source::records::{FileShape, Form, Identity, Member, RecordShape, Records, member};

/// A path from the document that a source is of.
macro_rules! work {
    ($rest:literal) => {
        concat!("isPartOf:CreativeWork@doc(doc_id)/", $rest)
    };
}

/// A path from the text of a result.
macro_rules! chunk {
    ($rest:literal) => {
        concat!("item:Quotation#chunk/", $rest)
    };
}

/// A path from the document that a result is of.
macro_rules! document {
    ($rest:literal) => {
        concat!("item:Quotation#chunk/isPartOf:CreativeWork@doc(doc_id)/", $rest)
    };
}

/// A path from the question of a sample.
macro_rules! question {
    ($rest:literal) => {
        concat!("item:Question+LearningResource#question/", $rest)
    };
}

/// A path from the answer of a sample.
macro_rules! answer {
    ($rest:literal) => {
        concat!("item:Question+LearningResource#question/acceptedAnswer:Answer#answer/", $rest)
    };
}

/// A dataset file.
pub const DATASET_FILE: FileShape = FileShape { root: &DATASET, records: Records::InRoot };

/// A file with one answer, as the answer of a sample of which nothing else is known.
pub const ANSWER_FILE: FileShape =
    FileShape { root: &ANSWERS, records: Records::One("dataFeedElement", &ANSWER) };

/// A file with conversations.
pub const CHAT_FILE: FileShape =
    FileShape { root: &CONVERSATIONS, records: Records::Items("dataFeedElement", &CONVERSATION) };

const ANSWERS: RecordShape =
    RecordShape { name: "file", node: "DataFeed+eg:AnswerFile", identity: Identity::Blank, members: &[] };

const CONVERSATIONS: RecordShape =
    RecordShape { name: "file", node: "DataFeed+eg:Conversations", identity: Identity::Blank, members: &[] };

const ANSWER: RecordShape = RecordShape {
    name: "answer",
    node: "DataFeedItem+eg:TrainingSample",
    identity: Identity::Record { kind: "", key: "" },
    members: EXPECTED_OUTPUT,
};

const CONVERSATION: RecordShape = RecordShape {
    name: "conversation",
    node: "DataFeedItem+eg:Conversation",
    identity: Identity::Record { kind: "chat", key: "" },
    members: &[
        member("messages", "item:Conversation#conversation/hasPart", Form::Nodes(&MESSAGE)),
        member("", "item:Conversation#conversation/position", Form::Position),
        member(
            "messages",
            "item:Conversation#conversation/about:Question+eg:AskedQuestion#question/text",
            Form::Derived(&Form::Excerpt(asked_question)),
        ),
        member(
            "messages",
            "item:Conversation#conversation/about:Question+eg:AskedQuestion#question/acceptedAnswer:Answer#answer/text",
            Form::Derived(&Form::Excerpt(given_answer)),
        ),
        member(
            "messages",
            "item:Conversation#conversation/about:Question+eg:AskedQuestion#question/acceptedAnswer:Answer#answer/eg:completeness",
            Form::Derived(&Form::Excerpt(completeness_of_answer)),
        ),
    ],
};

const MESSAGE: RecordShape = RecordShape {
    name: "message",
    node: "Message+eg:ChatMessage",
    identity: Identity::Inner,
    members: &[
        member("role", "eg:role", Form::Value),
        member("content", "text", Form::Value),
        member("", "position", Form::Position),
    ],
};

const DATASET: RecordShape = RecordShape {
    name: "dataset",
    node: "DataFeed+eg:TrainingDataset",
    identity: Identity::Blank,
    members: &[
        member("dataset_version", "version", Form::Value),
        member("created_at", "dateCreated", Form::DateTime),
        member("updated_at", "dateModified", Form::DateTime),
        member("description", "description", Form::Value),
        member(
            "statistics",
            "",
            Form::Group(&[
                member(
                    "total_samples",
                    "variableMeasured:PropertyValue{name=total_samples}/value",
                    Form::Value,
                ),
                member(
                    "by_category",
                    "",
                    Form::Group(&[
                        member(
                            "citation",
                            "variableMeasured:PropertyValue{name=by_category.citation}/value",
                            Form::Value,
                        ),
                        member(
                            "refusal",
                            "variableMeasured:PropertyValue{name=by_category.refusal}/value",
                            Form::Value,
                        ),
                        member(
                            "grounded_answer",
                            "variableMeasured:PropertyValue{name=by_category.grounded_answer}/value",
                            Form::Value,
                        ),
                        member(
                            "format_compliance",
                            "variableMeasured:PropertyValue{name=by_category.format_compliance}/value",
                            Form::Value,
                        ),
                    ]),
                ),
                member(
                    "by_persona",
                    "",
                    Form::Group(&[
                        member(
                            "educator",
                            "variableMeasured:PropertyValue{name=by_persona.educator}/value",
                            Form::Value,
                        ),
                        member(
                            "researcher",
                            "variableMeasured:PropertyValue{name=by_persona.researcher}/value",
                            Form::Value,
                        ),
                        member(
                            "creator",
                            "variableMeasured:PropertyValue{name=by_persona.creator}/value",
                            Form::Value,
                        ),
                        member(
                            "builder",
                            "variableMeasured:PropertyValue{name=by_persona.builder}/value",
                            Form::Value,
                        ),
                    ]),
                ),
                member(
                    "by_difficulty",
                    "",
                    Form::Group(&[
                        member(
                            "easy",
                            "variableMeasured:PropertyValue{name=by_difficulty.easy}/value",
                            Form::Value,
                        ),
                        member(
                            "medium",
                            "variableMeasured:PropertyValue{name=by_difficulty.medium}/value",
                            Form::Value,
                        ),
                        member(
                            "hard",
                            "variableMeasured:PropertyValue{name=by_difficulty.hard}/value",
                            Form::Value,
                        ),
                    ]),
                ),
            ]),
        ),
        member("samples", "dataFeedElement", Form::Nodes(&SAMPLE)),
    ],
};

const SAMPLE: RecordShape = RecordShape {
    name: "sample",
    node: "DataFeedItem+eg:TrainingSample",
    identity: Identity::Record { kind: "", key: "sample_id" },
    members: SAMPLE_MEMBERS,
};

const SAMPLE_MEMBERS: &[Member] = &[
    member("", question!("position"), Form::Position),
    member("sample_id", "identifier", Form::Value),
    member("category", question!("teaches"), Form::Value),
    member("persona", question!("audience:EducationalAudience/educationalRole"), Form::Value),
    member("user_query", question!("text"), Form::Value),
    member(
        "retrieved_context",
        question!("eg:search:SearchAction#retrieval/result:ItemList/itemListElement"),
        Form::Nodes(&RETRIEVAL_RESULT),
    ),
    member("expected_output", "", Form::Group(EXPECTED_OUTPUT)),
    member(
        "metadata",
        "",
        Form::Group(&[
            member("difficulty", question!("educationalLevel"), Form::Value),
            member("principle_focus", question!("about"), Form::Nodes(&PRINCIPLE)),
            member(
                "quality_score",
                question!(
                    "review:Review#review/reviewRating:Rating{reviewAspect=quality,worstRating=0,bestRating=1}/ratingValue"
                ),
                Form::Value,
            ),
            member("reviewer", question!("review:Review#review/author:Person/name"), Form::Value),
            member("notes", question!("review:Review#review/reviewBody"), Form::Value),
            member("edge_case", "eg:edgeCase", Form::Value),
            member("failure_mode", "eg:failureMode", Form::Value),
        ]),
    ),
];

const EXPECTED_OUTPUT: &[Member] = &[
    member("version", answer!("schemaVersion"), Form::Value),
    member("persona", answer!("audience:EducationalAudience/educationalRole"), Form::Value),
    member("model_mode", answer!("eg:modelMode"), Form::Value),
    member(
        "toggles",
        "",
        Form::Group(&[
            member("require_citations", answer!("eg:requireCitations"), Form::Value),
            member("primary_sources_only", answer!("eg:primarySourcesOnly"), Form::Value),
            member("creative_mode", answer!("eg:creativeMode"), Form::Value),
        ]),
    ),
    member(
        "answer",
        "",
        Form::Group(&[
            member("text", answer!("text"), Form::Value),
            member("confidence", answer!("eg:confidence"), Form::Value),
            member("tone", answer!("eg:tone"), Form::Value),
            member("completeness", answer!("eg:completeness"), Form::Value),
        ]),
    ),
    member("sources", answer!("citation"), Form::Nodes(&SOURCE)),
    member(
        "retrieval_summary",
        "",
        Form::Group(&[
            member("query", answer!("eg:retrievalSummary:SearchAction#retrieval-summary/query"), Form::Value),
            member(
                "top_k",
                answer!("eg:retrievalSummary:SearchAction#retrieval-summary/eg:topK"),
                Form::Value,
            ),
            member(
                "namespaces",
                answer!("eg:retrievalSummary:SearchAction#retrieval-summary/eg:namespace"),
                Form::Values,
            ),
            member(
                "filters",
                answer!("eg:retrievalSummary:SearchAction#retrieval-summary/eg:filters"),
                Form::Json,
            ),
            member(
                "results",
                answer!("eg:retrievalSummary:SearchAction#retrieval-summary/result:ItemList/itemListElement"),
                Form::Nodes(&SUMMARY_RESULT),
            ),
            member(
                "execution_time_ms",
                answer!("eg:retrievalSummary:SearchAction#retrieval-summary/eg:executionTimeMs"),
                Form::Value,
            ),
            member(
                "embedding_model",
                answer!(
                    "eg:retrievalSummary:SearchAction#retrieval-summary/instrument:SoftwareApplication/name"
                ),
                Form::Value,
            ),
        ]),
    ),
    member(
        "unknowns",
        "",
        Form::Group(&[
            member("unsupported_claims", answer!("mentions"), Form::Nodes(&UNSUPPORTED_CLAIM)),
            member("missing_context", answer!("eg:missingContext"), Form::Values),
            member("clarifying_questions", answer!("comment"), Form::Nodes(&CLARIFYING_QUESTION)),
            member("out_of_scope", answer!("eg:outOfScope"), Form::Values),
        ]),
    ),
    member(
        "integrity",
        "",
        Form::Group(&[
            member("citation_required", answer!("eg:citationRequired"), Form::Value),
            member("citations_provided", answer!("eg:citationsProvided"), Form::Value),
            member("retrieval_confidence", answer!("eg:retrievalConfidence"), Form::Value),
            member("fallback_behavior", answer!("eg:fallbackBehavior"), Form::Value),
            member("safety_flags", answer!("eg:safetyFlag"), Form::Values),
        ]),
    ),
    member(
        "provenance",
        "",
        Form::Group(&[
            member("generated_at", answer!("eg:provenance:CreateAction#creation/endTime"), Form::DateTime),
            member(
                "retrieval_run_id",
                answer!("eg:provenance:CreateAction#creation/eg:retrievalRunId"),
                Form::Value,
            ),
            member(
                "assistant_message_id",
                answer!("eg:provenance:CreateAction#creation/eg:assistantMessageId"),
                Form::Value,
            ),
            member("session_id", answer!("eg:provenance:CreateAction#creation/eg:sessionId"), Form::Value),
            member(
                "model_version",
                answer!(
                    "eg:provenance:CreateAction#creation/instrument:SoftwareApplication{applicationSubCategory=model}/softwareVersion"
                ),
                Form::Value,
            ),
            member(
                "adapter_version",
                answer!(
                    "eg:provenance:CreateAction#creation/instrument:SoftwareApplication{applicationSubCategory=adapter}/softwareVersion"
                ),
                Form::Value,
            ),
        ]),
    ),
];

/// What retrieval found for the question.
const RETRIEVAL_RESULT: RecordShape = RecordShape {
    name: "result",
    node: "ListItem+eg:RetrievalResult",
    identity: Identity::Inner,
    members: &[
        member("rank", "position", Form::Value),
        member("score", "eg:score", Form::Value),
        member("chunk_id", chunk!("identifier"), Form::Value),
        member("doc_id", document!("identifier"), Form::Value),
        member("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name"), Form::Value),
        member("content", chunk!("text"), Form::Value),
        member(
            "metadata",
            "",
            Form::Group(&[
                member("citation_label", document!("name"), Form::Value),
                member("canonical_url", document!("url"), Form::Value),
                member(
                    "source_org",
                    document!("sourceOrganization:Organization@organization(source_org)/name"),
                    Form::Value,
                ),
                member("year", document!("datePublished"), Form::Text),
                member("content_type", document!("genre"), Form::Value),
                member("license", document!("license:CreativeWork@license(license)/name"), Form::Value),
                member("tags", document!("keywords"), Form::Values),
            ]),
        ),
    ],
};

/// What the answer cites.
const SOURCE: RecordShape = RecordShape {
    name: "source",
    node: "Quotation+eg:Source",
    identity: Identity::Inner,
    members: &[
        member("citation_label", work!("name"), Form::Value),
        member("canonical_url", work!("url"), Form::Value),
        member(
            "source_org",
            work!("sourceOrganization:Organization@organization(source_org)/name"),
            Form::Value,
        ),
        member("year", work!("datePublished"), Form::Text),
        member("content_type", work!("genre"), Form::Value),
        member("license", work!("license:CreativeWork@license(license)/name"), Form::Value),
        member("namespace", "isPartOf:Collection@namespace(namespace)/name", Form::Value),
        member("doc_id", work!("identifier"), Form::Value),
        member("chunk_id", "identifier", Form::Value),
        member("tags", work!("keywords"), Form::Values),
        member("relevance_score", "eg:relevanceScore", Form::Value),
        member("", "position", Form::Position),
    ],
};

/// What the answer says that retrieval found. In the second shape of such results, which has what the
/// sample has, `metadata` is kept whole.
const SUMMARY_RESULT: RecordShape = RecordShape {
    name: "result of the answer",
    node: "ListItem+eg:SummaryResult",
    identity: Identity::Inner,
    members: &[
        member("rank", "position", Form::Value),
        member("score", "eg:score", Form::Value),
        member("snippet", chunk!("abstract"), Form::Value),
        member("citation_label", document!("name"), Form::Value),
        member("canonical_url", document!("url"), Form::Value),
        member("chunk_id", chunk!("identifier"), Form::Value),
        member("doc_id", document!("identifier"), Form::Value),
        member("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name"), Form::Value),
        member("content", chunk!("text"), Form::Value),
        member("metadata", "eg:resultMetadata", Form::Json),
    ],
};

/// One of the Nguzo Saba.
const PRINCIPLE: RecordShape = RecordShape {
    name: "principle",
    node: "DefinedTerm+eg:Principle",
    identity: Identity::Inner,
    members: &[member("name", "name", Form::Alone(&Form::Value))],
};

/// What an answer would claim without a source.
const UNSUPPORTED_CLAIM: RecordShape = RecordShape {
    name: "claim",
    node: "Claim+eg:UnsupportedClaim",
    identity: Identity::Inner,
    members: &[member("text", "text", Form::Alone(&Form::Value))],
};

/// What an answer asks back: a comment, since it is none of the questions that a dataset asks.
const CLARIFYING_QUESTION: RecordShape = RecordShape {
    name: "question",
    node: "Comment+eg:ClarifyingQuestion",
    identity: Identity::Inner,
    members: &[member("text", "text", Form::Alone(&Form::Value))],
};
