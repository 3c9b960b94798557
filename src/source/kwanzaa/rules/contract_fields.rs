//! The fields of the expected answer: the whole contract `answer_json`, the outline of it that the schema
//! of a dataset asks for, and what the shipped code looks at when it loads a dataset.

use super::fields::FieldType::{
    self, AnyArray, AnyObject, AnyObjects, Anything, Boolean, Filled, Form as Formed, Fraction, Integer,
    Object, Objects, OneOf, Text, Texts,
};
use super::fields::{Class, Form, class, optional, required};
use crate::source::checking::{Rule, violation};
use crate::source::kwanzaa::PERSONAS;

pub(super) const ANSWER_JSON: Rule = violation("W-AnswerJson", "the fields of `expected_output`");
const TOGGLES: Rule = violation("W-Toggles", "the fields of `toggles`");
const ANSWER: Rule = violation("W-Answer", "the fields of `answer`");
const SOURCE: Rule = violation("W-Source", "the fields of `sources`");
const SUMMARY: Rule = violation("W-RetrievalSummary", "the fields of `retrieval_summary`");
pub(super) const FILTERS: Rule = violation("W-Filters", "the fields of `filters`");
const RESULT: Rule = violation("W-Result", "the fields of `results` in `retrieval_summary`");
const UNKNOWNS: Rule = violation("W-Unknowns", "the fields of `unknowns`");
const INTEGRITY: Rule = violation("W-Integrity", "the fields of `integrity`");
const PROVENANCE: Rule = violation("W-Provenance", "the fields of `provenance`");

/// The rules of the contract.
pub(super) const RULES: [Rule; 10] =
    [ANSWER_JSON, TOGGLES, ANSWER, SOURCE, SUMMARY, FILTERS, RESULT, UNKNOWNS, INTEGRITY, PROVENANCE];

/// Those of them that the shipped code has something to say about.
pub(super) const CODE_RULES: [Rule; 4] = [ANSWER_JSON, ANSWER, SUMMARY, UNKNOWNS];

/// Those of them that the outline has something to say about.
pub(super) const OUTLINE_RULES: [Rule; 7] =
    [ANSWER_JSON, TOGGLES, ANSWER, SUMMARY, UNKNOWNS, INTEGRITY, PROVENANCE];

const ANY: usize = usize::MAX;
const YEAR: FieldType = Integer(1600, 2100);
const MODES: [&str; 4] = ["base_adapter_rag", "base_only", "adapter_only", "creative"];
const TONES: [&str; 5] = ["neutral", "educational", "conversational", "formal", "creative"];
const COMPLETENESS: [&str; 3] = ["complete", "partial", "insufficient_data"];
const CONFIDENCE: [&str; 4] = ["high", "medium", "low", "none"];
const FALLBACKS: [&str; 4] = ["not_needed", "creative_generation", "refusal", "clarification_requested"];

/// The contract: no other keys at the top.
pub(super) static CONTRACT: Class = Class {
    rule: ANSWER_JSON,
    fields: &[
        required("version", Formed(Form::AnswerVersion)),
        optional("persona", OneOf(&PERSONAS)),
        optional("model_mode", OneOf(&MODES)),
        optional("toggles", Object(&TOGGLES_OBJECT)),
        required("answer", Object(&ANSWER_OBJECT)),
        required("sources", Objects(&SOURCE_OBJECT, 0, 100)),
        required("retrieval_summary", Object(&SUMMARY_OBJECT)),
        required("unknowns", Object(&UNKNOWNS_OBJECT)),
        optional("integrity", Object(&INTEGRITY_OBJECT)),
        optional("provenance", Object(&PROVENANCE_OBJECT)),
    ],
    is_closed: true,
};

static TOGGLES_OBJECT: Class = class(
    TOGGLES,
    &[
        required("require_citations", Boolean),
        required("primary_sources_only", Boolean),
        required("creative_mode", Boolean),
    ],
);

static ANSWER_OBJECT: Class = class(
    ANSWER,
    &[
        required("text", Text(1, 10_000)),
        optional("confidence", Fraction),
        optional("tone", OneOf(&TONES)),
        optional("completeness", OneOf(&COMPLETENESS)),
    ],
);

static SOURCE_OBJECT: Class = class(
    SOURCE,
    &[
        required("citation_label", Text(1, 500)),
        required("canonical_url", Formed(Form::Uri)),
        required("source_org", Text(1, 200)),
        required("year", YEAR),
        required("content_type", Text(1, 100)),
        required("license", Text(1, 200)),
        required("namespace", Text(1, 100)),
        required("doc_id", Text(1, 200)),
        required("chunk_id", Text(1, 200)),
        optional("tags", Texts(0, 50, 100)),
        optional("relevance_score", Fraction),
    ],
);

static SUMMARY_OBJECT: Class = class(
    SUMMARY,
    &[
        required("query", Text(1, 1000)),
        required("top_k", Integer(1, 100)),
        required("namespaces", Texts(1, 20, 100)),
        required("results", Objects(&RESULT_OBJECT, 0, 100)),
        optional("filters", Object(&FILTERS_OBJECT)),
        optional("execution_time_ms", Integer(0, i64::MAX)),
        optional("embedding_model", Text(0, ANY)),
    ],
);

static FILTERS_OBJECT: Class = class(
    FILTERS,
    &[
        optional("content_type", Texts(0, ANY, ANY)),
        optional("year", Integer(i64::MIN, i64::MAX)),
        optional("year_gte", YEAR),
        optional("year_lte", YEAR),
        optional("source_org", Texts(0, ANY, ANY)),
        optional("tags", Texts(0, ANY, ANY)),
    ],
);

static RESULT_OBJECT: Class = class(
    RESULT,
    &[
        required("rank", Integer(1, i64::MAX)),
        required("score", Fraction),
        required("citation_label", Text(1, 500)),
        required("canonical_url", Formed(Form::Uri)),
        required("doc_id", Text(1, 200)),
        required("chunk_id", Text(1, 200)),
        required("namespace", Text(1, 100)),
        optional("snippet", Text(0, 2000)),
    ],
);

static UNKNOWNS_OBJECT: Class = class(
    UNKNOWNS,
    &[
        required("unsupported_claims", Texts(0, ANY, 1000)),
        required("missing_context", Texts(0, ANY, 1000)),
        required("clarifying_questions", Texts(0, ANY, 500)),
        optional("out_of_scope", Texts(0, ANY, 1000)),
    ],
);

static INTEGRITY_OBJECT: Class = class(
    INTEGRITY,
    &[
        optional("citation_required", Boolean),
        optional("citations_provided", Boolean),
        optional("retrieval_confidence", OneOf(&CONFIDENCE)),
        optional("fallback_behavior", OneOf(&FALLBACKS)),
        optional("safety_flags", Texts(0, ANY, 200)),
    ],
);

static PROVENANCE_OBJECT: Class = class(
    PROVENANCE,
    &[
        required("generated_at", Formed(Form::DateTime)),
        optional("retrieval_run_id", Formed(Form::Uuid)),
        optional("assistant_message_id", Formed(Form::Uuid)),
        optional("session_id", Formed(Form::Uuid)),
        optional("model_version", Text(0, ANY)),
        optional("adapter_version", Text(0, ANY)),
    ],
);

/// What the schema of a dataset asks of an expected answer: its parts, their types and their words, but
/// neither lengths nor counts nor what is in a source or a result.
pub(super) static OUTLINE: Class = class(
    ANSWER_JSON,
    &[
        required("version", Formed(Form::AnswerVersion)),
        optional("persona", OneOf(&PERSONAS)),
        optional("model_mode", OneOf(&MODES)),
        optional("toggles", Object(&OUTLINE_TOGGLES)),
        required("answer", Object(&OUTLINE_ANSWER)),
        required("sources", AnyObjects),
        required("retrieval_summary", Object(&OUTLINE_SUMMARY)),
        required("unknowns", Object(&OUTLINE_UNKNOWNS)),
        optional("integrity", Object(&OUTLINE_INTEGRITY)),
        optional("provenance", Object(&OUTLINE_PROVENANCE)),
    ],
);

static OUTLINE_TOGGLES: Class = class(
    TOGGLES,
    &[
        optional("require_citations", Boolean),
        optional("primary_sources_only", Boolean),
        optional("creative_mode", Boolean),
    ],
);

static OUTLINE_ANSWER: Class = class(
    ANSWER,
    &[
        required("text", Text(1, 10_000)),
        optional("confidence", Fraction),
        optional("tone", OneOf(&TONES)),
        optional("completeness", OneOf(&COMPLETENESS)),
    ],
);

static OUTLINE_SUMMARY: Class = class(
    SUMMARY,
    &[
        required("query", Text(0, ANY)),
        required("top_k", Integer(i64::MIN, i64::MAX)),
        required("namespaces", Texts(0, ANY, ANY)),
        required("results", AnyArray),
        optional("filters", AnyObject),
    ],
);

static OUTLINE_UNKNOWNS: Class = class(
    UNKNOWNS,
    &[
        required("unsupported_claims", Texts(0, ANY, ANY)),
        required("missing_context", Texts(0, ANY, ANY)),
        required("clarifying_questions", Texts(0, ANY, ANY)),
        optional("out_of_scope", Texts(0, ANY, ANY)),
    ],
);

static OUTLINE_INTEGRITY: Class = class(
    INTEGRITY,
    &[
        optional("citation_required", Boolean),
        optional("citations_provided", Boolean),
        optional("retrieval_confidence", OneOf(&CONFIDENCE)),
        optional("fallback_behavior", OneOf(&FALLBACKS)),
    ],
);

static OUTLINE_PROVENANCE: Class = class(PROVENANCE, &[optional("generated_at", Formed(Form::DateTime))]);

/// What the shipped code asks of an expected answer: which parts there are, and which keys they have.
pub(super) static CODE_ANSWER: Class = class(
    ANSWER_JSON,
    &[
        required("version", Formed(Form::AnswerVersion)),
        optional("persona", Text(0, ANY)),
        optional("model_mode", Text(0, ANY)),
        optional("toggles", AnyObject),
        required("answer", Object(&CODE_ANSWER_TEXT)),
        required("sources", AnyObjects),
        required("retrieval_summary", Object(&CODE_SUMMARY)),
        required("unknowns", Object(&CODE_UNKNOWNS)),
        optional("integrity", AnyObject),
        optional("provenance", AnyObject),
    ],
);

static CODE_ANSWER_TEXT: Class = class(ANSWER, &[required("text", Filled)]);

static CODE_SUMMARY: Class = class(
    SUMMARY,
    &[
        required("query", Anything),
        required("top_k", Anything),
        required("namespaces", Anything),
        required("results", Anything),
    ],
);

static CODE_UNKNOWNS: Class = class(
    UNKNOWNS,
    &[
        required("unsupported_claims", Anything),
        required("missing_context", Anything),
        required("clarifying_questions", Anything),
    ],
);
