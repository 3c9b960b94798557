//! The tables that map the objects of a dataset file to the graph and back.
//!
//! A sample is the item of a feed whose question has the answer that is expected. The output of
//! retrieval is the result of a search; its chunks belong to their sample, since another sample may
//! have another text under the same `chunk_id`. Documents, organisations and licences belong to the
//! dataset: all its samples share them.

use super::chat::{asked_question, completeness_of_answer, given_answer};
use crate::records::{
    FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape, group, member, record,
    value,
};
use MemberForm::{Alone, DateTime, Derived, Excerpt, Json, Nodes, Position, Text, Value, Values};

/// A path from the document that a source is of.
macro_rules! work {
    ($rest:literal) => {
        concat!("isPartOf:CreativeWork@doc(doc_id)/", $rest)
    };
}

/// A path from the text of a result.
macro_rules! chunk {
    ($($rest:literal),+) => {
        concat!("item:Quotation#chunk/", $($rest),+)
    };
}

/// A path from the document that a result is of.
macro_rules! document {
    ($rest:literal) => {
        chunk!("isPartOf:CreativeWork@doc(doc_id)/", $rest)
    };
}

/// A path from the question of a sample.
macro_rules! question {
    ($($rest:literal),+) => {
        concat!("item:Question+LearningResource#question/", $($rest),+)
    };
}

/// A path from the review of a sample.
macro_rules! review {
    ($rest:literal) => {
        question!("review:Review#review/", $rest)
    };
}

/// A path from the answer of a sample.
macro_rules! answer {
    ($($rest:literal),+) => {
        question!("acceptedAnswer:Answer#answer/", $($rest),+)
    };
}

/// A path from the search of an answer.
macro_rules! summary {
    ($rest:literal) => {
        answer!("eg:retrievalSummary:SearchAction#retrieval-summary/", $rest)
    };
}

/// A path from the making of an answer.
macro_rules! creation {
    ($rest:literal) => {
        answer!("eg:provenance:CreateAction#creation/", $rest)
    };
}

/// A path from the question that a conversation is about.
macro_rules! asked {
    ($rest:literal) => {
        concat!("item:Conversation#conversation/about:Question+eg:AskedQuestion#question/", $rest)
    };
}

/// The path to a figure of a dataset.
macro_rules! figure {
    ($name:literal) => {
        concat!("variableMeasured:PropertyValue{name=", $name, "}/value")
    };
}

/// A dataset file.
pub const DATASET_FILE: FileShape = FileShape { root: &DATASET, records: RecordPlacement::InRoot };

/// A file with one answer, as the answer of a sample without other members.
pub const ANSWER_FILE: FileShape =
    FileShape { root: &ANSWERS, records: RecordPlacement::One("dataFeedElement", &ANSWER) };

/// A file with conversations.
pub const CHAT_FILE: FileShape =
    FileShape { root: &CONVERSATIONS, records: RecordPlacement::Items("dataFeedElement", &CONVERSATION) };

const ANSWERS: RecordShape = record("file", "DataFeed+eg:AnswerFile", ObjectIdentity::Blank, &[]);

const CONVERSATIONS: RecordShape = record("file", "DataFeed+eg:Conversations", ObjectIdentity::Blank, &[]);

const ANSWER: RecordShape = record(
    "answer",
    "DataFeedItem+eg:TrainingSample",
    ObjectIdentity::Record { kind: "", key: "" },
    EXPECTED_OUTPUT,
);

const CONVERSATION: RecordShape = RecordShape {
    name: "conversation",
    node: "DataFeedItem+eg:Conversation",
    identity: ObjectIdentity::Record { kind: "chat", key: "" },
    members: &[
        member("messages", "item:Conversation#conversation/hasPart", Nodes(&MESSAGE)),
        member("", "item:Conversation#conversation/position", Position),
        member("messages", asked!("text"), Derived(&Excerpt(asked_question))),
        member("messages", asked!("acceptedAnswer:Answer#answer/text"), Derived(&Excerpt(given_answer))),
        member(
            "messages",
            asked!("acceptedAnswer:Answer#answer/eg:completeness"),
            Derived(&Excerpt(completeness_of_answer)),
        ),
    ],
};

const MESSAGE: RecordShape = RecordShape {
    name: "message",
    node: "Message+eg:ChatMessage",
    identity: ObjectIdentity::Inner,
    members: &[value("role", "eg:role"), value("content", "text"), member("", "position", Position)],
};

const DATASET: RecordShape = RecordShape {
    name: "dataset",
    node: "DataFeed+eg:TrainingDataset",
    identity: ObjectIdentity::Blank,
    members: &[
        value("dataset_version", "version"),
        member("created_at", "dateCreated", DateTime),
        member("updated_at", "dateModified", DateTime),
        value("description", "description"),
        group(
            "statistics",
            &[
                value("total_samples", figure!("total_samples")),
                group(
                    "by_category",
                    &[
                        value("citation", figure!("by_category.citation")),
                        value("refusal", figure!("by_category.refusal")),
                        value("grounded_answer", figure!("by_category.grounded_answer")),
                        value("format_compliance", figure!("by_category.format_compliance")),
                    ],
                ),
                group(
                    "by_persona",
                    &[
                        value("educator", figure!("by_persona.educator")),
                        value("researcher", figure!("by_persona.researcher")),
                        value("creator", figure!("by_persona.creator")),
                        value("builder", figure!("by_persona.builder")),
                    ],
                ),
                group(
                    "by_difficulty",
                    &[
                        value("easy", figure!("by_difficulty.easy")),
                        value("medium", figure!("by_difficulty.medium")),
                        value("hard", figure!("by_difficulty.hard")),
                    ],
                ),
            ],
        ),
        member("samples", "dataFeedElement", Nodes(&SAMPLE)),
    ],
};

const SAMPLE: RecordShape = record(
    "sample",
    "DataFeedItem+eg:TrainingSample",
    ObjectIdentity::Record { kind: "", key: "sample_id" },
    SAMPLE_MEMBERS,
);

const SAMPLE_MEMBERS: &[RecordMember] = &[
    member("", question!("position"), Position),
    value("sample_id", "identifier"),
    value("category", question!("teaches")),
    value("persona", question!("audience:EducationalAudience/educationalRole")),
    value("user_query", question!("text")),
    member(
        "retrieved_context",
        question!("eg:search:SearchAction#retrieval/result:ItemList/itemListElement"),
        Nodes(&RETRIEVAL_RESULT),
    ),
    group("expected_output", EXPECTED_OUTPUT),
    group(
        "metadata",
        &[
            value("difficulty", question!("educationalLevel")),
            member("principle_focus", question!("about"), Nodes(&PRINCIPLE)),
            value(
                "quality_score",
                review!("reviewRating:Rating{reviewAspect=quality,worstRating=0,bestRating=1}/ratingValue"),
            ),
            value("reviewer", review!("author:Person/name")),
            value("notes", review!("reviewBody")),
            value("edge_case", "eg:edgeCase"),
            value("failure_mode", "eg:failureMode"),
        ],
    ),
];

const EXPECTED_OUTPUT: &[RecordMember] = &[
    value("version", answer!("schemaVersion")),
    value("persona", answer!("audience:EducationalAudience/educationalRole")),
    value("model_mode", answer!("eg:modelMode")),
    group(
        "toggles",
        &[
            value("require_citations", answer!("eg:requireCitations")),
            value("primary_sources_only", answer!("eg:primarySourcesOnly")),
            value("creative_mode", answer!("eg:creativeMode")),
        ],
    ),
    group(
        "answer",
        &[
            value("text", answer!("text")),
            value("confidence", answer!("eg:confidence")),
            value("tone", answer!("eg:tone")),
            value("completeness", answer!("eg:completeness")),
        ],
    ),
    member("sources", answer!("citation"), Nodes(&SOURCE)),
    group(
        "retrieval_summary",
        &[
            value("query", summary!("query")),
            value("top_k", summary!("eg:topK")),
            member("namespaces", summary!("eg:namespace"), Values),
            member("filters", summary!("eg:filters"), Json),
            member("results", summary!("result:ItemList/itemListElement"), Nodes(&SUMMARY_RESULT)),
            value("execution_time_ms", summary!("eg:executionTimeMs")),
            value("embedding_model", summary!("instrument:SoftwareApplication/name")),
        ],
    ),
    group(
        "unknowns",
        &[
            member("unsupported_claims", answer!("mentions"), Nodes(&UNSUPPORTED_CLAIM)),
            member("missing_context", answer!("eg:missingContext"), Values),
            member("clarifying_questions", answer!("comment"), Nodes(&CLARIFYING_QUESTION)),
            member("out_of_scope", answer!("eg:outOfScope"), Values),
        ],
    ),
    group(
        "integrity",
        &[
            value("citation_required", answer!("eg:citationRequired")),
            value("citations_provided", answer!("eg:citationsProvided")),
            value("retrieval_confidence", answer!("eg:retrievalConfidence")),
            value("fallback_behavior", answer!("eg:fallbackBehavior")),
            member("safety_flags", answer!("eg:safetyFlag"), Values),
        ],
    ),
    group(
        "provenance",
        &[
            member("generated_at", creation!("endTime"), DateTime),
            value("retrieval_run_id", creation!("eg:retrievalRunId")),
            value("assistant_message_id", creation!("eg:assistantMessageId")),
            value("session_id", creation!("eg:sessionId")),
            value(
                "model_version",
                creation!("instrument:SoftwareApplication{applicationSubCategory=model}/softwareVersion"),
            ),
            value(
                "adapter_version",
                creation!("instrument:SoftwareApplication{applicationSubCategory=adapter}/softwareVersion"),
            ),
        ],
    ),
];

/// A result of retrieval for the question.
const RETRIEVAL_RESULT: RecordShape = RecordShape {
    name: "result",
    node: "ListItem+eg:RetrievalResult",
    identity: ObjectIdentity::Inner,
    members: &[
        value("rank", "position"),
        value("score", "eg:score"),
        value("chunk_id", chunk!("identifier")),
        value("doc_id", document!("identifier")),
        value("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name")),
        value("content", chunk!("text")),
        group(
            "metadata",
            &[
                value("citation_label", document!("name")),
                value("canonical_url", document!("url")),
                value(
                    "source_org",
                    document!("sourceOrganization:Organization@organization(source_org)/name"),
                ),
                member("year", document!("datePublished"), Text),
                value("content_type", document!("genre")),
                value("license", document!("license:CreativeWork@license(license)/name")),
                member("tags", document!("keywords"), Values),
            ],
        ),
    ],
};

/// A source that the answer cites.
const SOURCE: RecordShape = RecordShape {
    name: "source",
    node: "Quotation+eg:Source",
    identity: ObjectIdentity::Inner,
    members: &[
        value("citation_label", work!("name")),
        value("canonical_url", work!("url")),
        value("source_org", work!("sourceOrganization:Organization@organization(source_org)/name")),
        member("year", work!("datePublished"), Text),
        value("content_type", work!("genre")),
        value("license", work!("license:CreativeWork@license(license)/name")),
        value("namespace", "isPartOf:Collection@namespace(namespace)/name"),
        value("doc_id", work!("identifier")),
        value("chunk_id", "identifier"),
        member("tags", work!("keywords"), Values),
        value("relevance_score", "eg:relevanceScore"),
        member("", "position", Position),
    ],
};

/// A result of retrieval as the answer gives it. `metadata` of its second shape, with the members
/// that a sample's results have, is kept whole.
const SUMMARY_RESULT: RecordShape = RecordShape {
    name: "result of the answer",
    node: "ListItem+eg:SummaryResult",
    identity: ObjectIdentity::Inner,
    members: &[
        value("rank", "position"),
        value("score", "eg:score"),
        value("snippet", chunk!("abstract")),
        value("citation_label", document!("name")),
        value("canonical_url", document!("url")),
        value("chunk_id", chunk!("identifier")),
        value("doc_id", document!("identifier")),
        value("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name")),
        value("content", chunk!("text")),
        member("metadata", "eg:resultMetadata", Json),
    ],
};

/// One of the Nguzo Saba.
const PRINCIPLE: RecordShape = record(
    "principle",
    "DefinedTerm+eg:Principle",
    ObjectIdentity::Inner,
    &[member("name", "name", Alone(&Value))],
);

/// The member of a record that is only a text.
const TEXT: &[RecordMember] = &[member("text", "text", Alone(&Value))];

/// A claim that an answer would make without a source.
const UNSUPPORTED_CLAIM: RecordShape =
    record("claim", "Claim+eg:UnsupportedClaim", ObjectIdentity::Inner, TEXT);

/// A question that an answer asks back: a comment, since the dataset does not ask it.
const CLARIFYING_QUESTION: RecordShape =
    record("question", "Comment+eg:ClarifyingQuestion", ObjectIdentity::Inner, TEXT);
