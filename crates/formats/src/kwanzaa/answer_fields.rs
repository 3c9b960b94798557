//! The fields of an expected answer, one table for each class of objects: where each value goes in the graph, and what
//! the profiles require of it.
//!
//! Three sources describe the answer: the contract `answer_json`, the outline of it in the schema of a dataset, and the
//! shipped code, which checks only a few of the keys.

use super::known_words::PERSONAS;
use super::rules::class_rules as rules;
use super::rules::kwanzaa_profile::{CODE, CONTRACT, SEED};
use super::rules::string_forms::{ANSWER_VERSION, DATE_TIME, FRACTION, URI, UUID};
use crate::checking::schema::NumberBound::{AtLeast, Within};
use crate::checking::schema::SchemaFieldType::{
    AnyObject, Array, ArrayOf, Boolean, Filled, Form, Integer, IntegerOf, Json as AnyJson, Object, OneOf,
    Text, TextOf,
};
use crate::checking::schema::{ObjectSchema, SchemaFieldType, optional, part};
use crate::field_table::{FieldRow, class_of, may, members_of, must, object, row, scalar};
use crate::records::MemberForm::{Alone, DateTime, Json, Nodes, Position, Text as AsText, Value, Values};
use crate::records::{ObjectIdentity, RecordMember, RecordShape, record};

/// A field of Kwanzaa's files, with what each of the three profiles asks.
pub(super) type KwanzaaField = FieldRow<3>;

/// A path from the question of a sample.
macro_rules! question {
    ($($rest:literal),+) => {
        concat!("item:Question+LearningResource#question/", $($rest),+)
    };
}

/// A path from the answer of a sample.
macro_rules! answer {
    ($($rest:literal),+) => {
        concat!("item:Question+LearningResource#question/acceptedAnswer:Answer#answer/", $($rest),+)
    };
}

/// A path from the search of an answer.
macro_rules! summary {
    ($rest:literal) => {
        answer!("eg:retrievalSummary:SearchAction#retrieval-summary/", $rest)
    };
}

/// A path from the creation of an answer.
macro_rules! creation {
    ($rest:literal) => {
        answer!("eg:provenance:CreateAction#creation/", $rest)
    };
}

/// A path from the document of a source.
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

/// A path from the document of a result.
macro_rules! document {
    ($rest:literal) => {
        chunk!("isPartOf:CreativeWork@doc(doc_id)/", $rest)
    };
}

pub(super) use {chunk, document, question};

pub(super) const YEAR: SchemaFieldType = IntegerOf(Within(1600.0, 2100.0));
const MODES: [&str; 4] = ["base_adapter_rag", "base_only", "adapter_only", "creative"];
const TONES: [&str; 5] = ["neutral", "educational", "conversational", "formal", "creative"];
const COMPLETENESS: [&str; 3] = ["complete", "partial", "insufficient_data"];
const CONFIDENCE: [&str; 4] = ["high", "medium", "low", "none"];
const FALLBACKS: [&str; 4] = ["not_needed", "creative_generation", "refusal", "clarification_requested"];

const ANSWER_JSON: &[KwanzaaField] = &[
    scalar("version", answer!("schemaVersion")).by(SEED | CONTRACT | CODE, must(Form(&ANSWER_VERSION))),
    scalar("persona", answer!("audience:EducationalAudience/educationalRole"))
        .by(SEED | CONTRACT, may(OneOf(&PERSONAS)))
        .by(CODE, may(Text)),
    scalar("model_mode", answer!("eg:modelMode")).by(SEED | CONTRACT, may(OneOf(&MODES))).by(CODE, may(Text)),
    object("toggles", members_of!(TOGGLES))
        .by(SEED, may(Object(&SEED_TOGGLES)))
        .by(CONTRACT, may(Object(&CONTRACT_TOGGLES)))
        .by(CODE, may(AnyObject)),
    object("answer", members_of!(ANSWER))
        .by(SEED | CONTRACT, must(Object(&CONTRACT_ANSWER)))
        .by(CODE, must(Object(&CODE_ANSWER_TEXT))),
    row("sources", answer!("citation"), Nodes(&SOURCE_SHAPE))
        .by(CONTRACT, must(ArrayOf(const { &Object(&CONTRACT_SOURCE) }, 0, 100)))
        .by(SEED | CODE, must(Array(&AnyObject))),
    object("retrieval_summary", members_of!(SUMMARY))
        .by(SEED, must(Object(&SEED_SUMMARY)))
        .by(CONTRACT, must(Object(&CONTRACT_SUMMARY)))
        .by(CODE, must(Object(&CODE_SUMMARY))),
    object("unknowns", members_of!(UNKNOWNS))
        .by(SEED, must(Object(&SEED_UNKNOWNS)))
        .by(CONTRACT, must(Object(&CONTRACT_UNKNOWNS)))
        .by(CODE, must(Object(&CODE_UNKNOWNS))),
    object("integrity", members_of!(INTEGRITY))
        .by(SEED, may(Object(&SEED_INTEGRITY)))
        .by(CONTRACT, may(Object(&CONTRACT_INTEGRITY)))
        .by(CODE, may(AnyObject)),
    object("provenance", members_of!(PROVENANCE))
        .by(SEED, may(Object(&SEED_PROVENANCE)))
        .by(CONTRACT, may(Object(&CONTRACT_PROVENANCE)))
        .by(CODE, may(AnyObject)),
];

/// The members of an expected answer.
pub(super) const EXPECTED_OUTPUT: &[RecordMember] = members_of!(ANSWER_JSON);
/// The contract. Other keys are not allowed at the top level.
pub(super) static CONTRACT_ANSWER_JSON: ObjectSchema =
    class_of!(ANSWER_JSON, CONTRACT).by(&rules::ANSWER_JSON).closed();
/// The outline of an expected answer: its parts, their types and their words, but not lengths, counts, or the fields
/// of a source or a result.
pub(super) static SEED_ANSWER_JSON: ObjectSchema = class_of!(ANSWER_JSON, SEED).by(&rules::ANSWER_JSON);
/// The expected answer that the shipped code requires: its parts, and their keys.
pub(super) static CODE_ANSWER_JSON: ObjectSchema = class_of!(ANSWER_JSON, CODE).by(&rules::ANSWER_JSON);

const TOGGLES: &[KwanzaaField] = &[
    scalar("require_citations", answer!("eg:requireCitations"))
        .by(SEED, may(Boolean))
        .by(CONTRACT, must(Boolean)),
    scalar("primary_sources_only", answer!("eg:primarySourcesOnly"))
        .by(SEED, may(Boolean))
        .by(CONTRACT, must(Boolean)),
    scalar("creative_mode", answer!("eg:creativeMode")).by(SEED, may(Boolean)).by(CONTRACT, must(Boolean)),
];
static SEED_TOGGLES: ObjectSchema = class_of!(TOGGLES, SEED).by(&rules::TOGGLES);
static CONTRACT_TOGGLES: ObjectSchema = class_of!(TOGGLES, CONTRACT).by(&rules::TOGGLES);

const ANSWER: &[KwanzaaField] = &[
    scalar("text", answer!("text")).by(CONTRACT, must(TextOf(1, 10_000))).by(CODE, must(Filled)),
    scalar("confidence", answer!("eg:confidence")).by(CONTRACT, may(FRACTION)),
    scalar("tone", answer!("eg:tone")).by(CONTRACT, may(OneOf(&TONES))),
    scalar("completeness", answer!("eg:completeness")).by(CONTRACT, may(OneOf(&COMPLETENESS))),
];
static CONTRACT_ANSWER: ObjectSchema = class_of!(ANSWER, CONTRACT).by(&rules::ANSWER);
static CODE_ANSWER_TEXT: ObjectSchema = class_of!(ANSWER, CODE).by(&rules::ANSWER);

/// A source that the answer cites.
const SOURCE: &[KwanzaaField] = &[
    scalar("citation_label", work!("name")).by(CONTRACT, must(TextOf(1, 500))),
    scalar("canonical_url", work!("url")).by(CONTRACT, must(Form(&URI))),
    scalar("source_org", work!("sourceOrganization:Organization@organization(source_org)/name"))
        .by(CONTRACT, must(TextOf(1, 200))),
    row("year", work!("datePublished"), AsText).by(CONTRACT, must(YEAR)),
    scalar("content_type", work!("genre")).by(CONTRACT, must(TextOf(1, 100))),
    scalar("license", work!("license:CreativeWork@license(license)/name")).by(CONTRACT, must(TextOf(1, 200))),
    scalar("namespace", "isPartOf:Collection@namespace(namespace)/name").by(CONTRACT, must(TextOf(1, 100))),
    scalar("doc_id", work!("identifier")).by(CONTRACT, must(TextOf(1, 200))),
    scalar("chunk_id", "identifier").by(CONTRACT, must(TextOf(1, 200))),
    row("tags", work!("keywords"), Values).by(CONTRACT, may(ArrayOf(&TextOf(0, 100), 0, 50))),
    scalar("relevance_score", "eg:relevanceScore").by(CONTRACT, may(FRACTION)),
    row("", "position", Position),
];
pub(super) static CONTRACT_SOURCE: ObjectSchema = class_of!(SOURCE, CONTRACT).by(&rules::SOURCE);
pub(super) const SOURCE_SHAPE: RecordShape =
    record("source", "Quotation+eg:Source", ObjectIdentity::Inner, members_of!(SOURCE));

const SUMMARY: &[KwanzaaField] = &[
    scalar("query", summary!("query"))
        .by(SEED, must(Text))
        .by(CONTRACT, must(TextOf(1, 1000)))
        .by(CODE, must(AnyJson)),
    scalar("top_k", summary!("eg:topK"))
        .by(SEED, must(Integer))
        .by(CONTRACT, must(IntegerOf(Within(1.0, 100.0))))
        .by(CODE, must(AnyJson)),
    row("namespaces", summary!("eg:namespace"), Values)
        .by(SEED, must(Array(&Text)))
        .by(CONTRACT, must(ArrayOf(&TextOf(0, 100), 1, 20)))
        .by(CODE, must(AnyJson)),
    row("filters", summary!("eg:filters"), Json)
        .by(SEED, may(AnyObject))
        .by(CONTRACT, may(Object(&CONTRACT_FILTERS))),
    row("results", summary!("result:ItemList/itemListElement"), Nodes(&SUMMARY_RESULT))
        .by(SEED, must(Array(&AnyJson)))
        .by(CONTRACT, must(ArrayOf(const { &Object(&CONTRACT_RESULT) }, 0, 100)))
        .by(CODE, must(AnyJson)),
    scalar("execution_time_ms", summary!("eg:executionTimeMs")).by(CONTRACT, may(IntegerOf(AtLeast(0.0)))),
    scalar("embedding_model", summary!("instrument:SoftwareApplication/name")).by(CONTRACT, may(Text)),
];
static SEED_SUMMARY: ObjectSchema = class_of!(SUMMARY, SEED).by(&rules::SUMMARY);
static CONTRACT_SUMMARY: ObjectSchema = class_of!(SUMMARY, CONTRACT).by(&rules::SUMMARY);
static CODE_SUMMARY: ObjectSchema = class_of!(SUMMARY, CODE).by(&rules::SUMMARY);

/// The filters are one JSON literal in the graph, so they have no paths.
static CONTRACT_FILTERS: ObjectSchema = part(&[
    optional("content_type", Array(&Text)),
    optional("year", Integer),
    optional("year_gte", YEAR),
    optional("year_lte", YEAR),
    optional("source_org", Array(&Text)),
    optional("tags", Array(&Text)),
])
.by(&rules::FILTERS);

/// A retrieved result as the answer states it. If `metadata` has its second form, with the members of a sample's
/// results, it becomes a JSON literal.
const RESULT: &[KwanzaaField] = &[
    scalar("rank", "position").by(CONTRACT, must(IntegerOf(AtLeast(1.0)))),
    scalar("score", "eg:score").by(CONTRACT, must(FRACTION)),
    scalar("snippet", chunk!("abstract")).by(CONTRACT, may(TextOf(0, 2000))),
    scalar("citation_label", document!("name")).by(CONTRACT, must(TextOf(1, 500))),
    scalar("canonical_url", document!("url")).by(CONTRACT, must(Form(&URI))),
    scalar("chunk_id", chunk!("identifier")).by(CONTRACT, must(TextOf(1, 200))),
    scalar("doc_id", document!("identifier")).by(CONTRACT, must(TextOf(1, 200))),
    scalar("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name"))
        .by(CONTRACT, must(TextOf(1, 100))),
    scalar("content", chunk!("text")),
    row("metadata", "eg:resultMetadata", Json),
];
pub(super) static CONTRACT_RESULT: ObjectSchema = class_of!(RESULT, CONTRACT).by(&rules::RESULT);
pub(super) const SUMMARY_RESULT: RecordShape =
    record("result of the answer", "ListItem+eg:SummaryResult", ObjectIdentity::Inner, members_of!(RESULT));

const UNKNOWNS: &[KwanzaaField] = &[
    row("unsupported_claims", answer!("mentions"), Nodes(&UNSUPPORTED_CLAIM))
        .by(SEED, must(Array(&Text)))
        .by(CONTRACT, must(Array(&TextOf(0, 1000))))
        .by(CODE, must(AnyJson)),
    row("missing_context", answer!("eg:missingContext"), Values)
        .by(SEED, must(Array(&Text)))
        .by(CONTRACT, must(Array(&TextOf(0, 1000))))
        .by(CODE, must(AnyJson)),
    row("clarifying_questions", answer!("comment"), Nodes(&CLARIFYING_QUESTION))
        .by(SEED, must(Array(&Text)))
        .by(CONTRACT, must(Array(&TextOf(0, 500))))
        .by(CODE, must(AnyJson)),
    row("out_of_scope", answer!("eg:outOfScope"), Values)
        .by(SEED, may(Array(&Text)))
        .by(CONTRACT, may(Array(&TextOf(0, 1000)))),
];
static SEED_UNKNOWNS: ObjectSchema = class_of!(UNKNOWNS, SEED).by(&rules::UNKNOWNS);
static CONTRACT_UNKNOWNS: ObjectSchema = class_of!(UNKNOWNS, CONTRACT).by(&rules::UNKNOWNS);
static CODE_UNKNOWNS: ObjectSchema = class_of!(UNKNOWNS, CODE).by(&rules::UNKNOWNS);

const INTEGRITY: &[KwanzaaField] = &[
    scalar("citation_required", answer!("eg:citationRequired")).by(SEED | CONTRACT, may(Boolean)),
    scalar("citations_provided", answer!("eg:citationsProvided")).by(SEED | CONTRACT, may(Boolean)),
    scalar("retrieval_confidence", answer!("eg:retrievalConfidence"))
        .by(SEED | CONTRACT, may(OneOf(&CONFIDENCE))),
    scalar("fallback_behavior", answer!("eg:fallbackBehavior")).by(SEED | CONTRACT, may(OneOf(&FALLBACKS))),
    row("safety_flags", answer!("eg:safetyFlag"), Values).by(CONTRACT, may(Array(&TextOf(0, 200)))),
];
static SEED_INTEGRITY: ObjectSchema = class_of!(INTEGRITY, SEED).by(&rules::INTEGRITY);
static CONTRACT_INTEGRITY: ObjectSchema = class_of!(INTEGRITY, CONTRACT).by(&rules::INTEGRITY);

const PROVENANCE: &[KwanzaaField] = &[
    row("generated_at", creation!("endTime"), DateTime)
        .by(SEED, may(Form(&DATE_TIME)))
        .by(CONTRACT, must(Form(&DATE_TIME))),
    scalar("retrieval_run_id", creation!("eg:retrievalRunId")).by(CONTRACT, may(Form(&UUID))),
    scalar("assistant_message_id", creation!("eg:assistantMessageId")).by(CONTRACT, may(Form(&UUID))),
    scalar("session_id", creation!("eg:sessionId")).by(CONTRACT, may(Form(&UUID))),
    scalar(
        "model_version",
        creation!("instrument:SoftwareApplication{applicationSubCategory=model}/softwareVersion"),
    )
    .by(CONTRACT, may(Text)),
    scalar(
        "adapter_version",
        creation!("instrument:SoftwareApplication{applicationSubCategory=adapter}/softwareVersion"),
    )
    .by(CONTRACT, may(Text)),
];
static SEED_PROVENANCE: ObjectSchema = class_of!(PROVENANCE, SEED).by(&rules::PROVENANCE);
static CONTRACT_PROVENANCE: ObjectSchema = class_of!(PROVENANCE, CONTRACT).by(&rules::PROVENANCE);

/// The member of a record that is only a string.
const TEXT: &[RecordMember] = &[crate::records::member("text", "text", Alone(&Value))];

/// A claim that an answer would make without a source.
const UNSUPPORTED_CLAIM: RecordShape =
    record("claim", "Claim+eg:UnsupportedClaim", ObjectIdentity::Inner, TEXT);

/// A question that an answer asks the user. It is a comment, since it is not a question of the dataset.
const CLARIFYING_QUESTION: RecordShape =
    record("question", "Comment+eg:ClarifyingQuestion", ObjectIdentity::Inner, TEXT);
