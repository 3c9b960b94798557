//! The fields of the expected answer: the whole contract `answer_json`, the outline of it that the schema
//! of a dataset asks for, and the fields that the shipped code reads when it loads a dataset.

use super::string_forms::{ANSWER_VERSION, DATE_TIME, FRACTION, URI, UUID};
use crate::checking::schema::{NumberBound, ObjectSchema, SchemaFieldType, optional, part, required};
use crate::checking::{FormatRule, violation};
use crate::kwanzaa::PERSONAS;
use NumberBound::{AtLeast, Within};
use SchemaFieldType::{
    AnyObject, Array, ArrayOf, Boolean, Filled, Form, Integer, IntegerOf, Json, Object, OneOf, Text, TextOf,
};

pub(super) const ANSWER_JSON: FormatRule =
    violation("W-AnswerJson", "the fields of `expected_output` must be there, with allowed values");
const TOGGLES: FormatRule =
    violation("W-Toggles", "the fields of `toggles` must be there, with allowed values");
const ANSWER: FormatRule = violation("W-Answer", "the fields of `answer` must be there, with allowed values");
const SOURCE: FormatRule =
    violation("W-Source", "the fields of `sources` must be there, with allowed values");
const SUMMARY: FormatRule =
    violation("W-RetrievalSummary", "the fields of `retrieval_summary` must be there, with allowed values");
pub(super) const FILTERS: FormatRule =
    violation("W-Filters", "the fields of `filters` must be there, with allowed values");
const RESULT: FormatRule = violation(
    "W-Result",
    "the fields of `results` in `retrieval_summary` must be there, with allowed values",
);
const UNKNOWNS: FormatRule =
    violation("W-Unknowns", "the fields of `unknowns` must be there, with allowed values");
const INTEGRITY: FormatRule =
    violation("W-Integrity", "the fields of `integrity` must be there, with allowed values");
const PROVENANCE: FormatRule =
    violation("W-Provenance", "the fields of `provenance` must be there, with allowed values");

/// The rules of the contract.
pub(super) const RULES: [FormatRule; 10] =
    [ANSWER_JSON, TOGGLES, ANSWER, SOURCE, SUMMARY, FILTERS, RESULT, UNKNOWNS, INTEGRITY, PROVENANCE];

/// The rules of the contract that the shipped code has, too.
pub(super) const CODE_RULES: [FormatRule; 4] = [ANSWER_JSON, ANSWER, SUMMARY, UNKNOWNS];

/// The rules of the contract that the outline has, too.
pub(super) const OUTLINE_RULES: [FormatRule; 7] =
    [ANSWER_JSON, TOGGLES, ANSWER, SUMMARY, UNKNOWNS, INTEGRITY, PROVENANCE];

const YEAR: SchemaFieldType = IntegerOf(Within(1600.0, 2100.0));
const MODES: [&str; 4] = ["base_adapter_rag", "base_only", "adapter_only", "creative"];
const TONES: [&str; 5] = ["neutral", "educational", "conversational", "formal", "creative"];
const COMPLETENESS: [&str; 3] = ["complete", "partial", "insufficient_data"];
const CONFIDENCE: [&str; 4] = ["high", "medium", "low", "none"];
const FALLBACKS: [&str; 4] = ["not_needed", "creative_generation", "refusal", "clarification_requested"];

/// The contract: no other keys at the top.
pub(super) static CONTRACT: ObjectSchema = part(&[
    required("version", Form(&ANSWER_VERSION)),
    optional("persona", OneOf(&PERSONAS)),
    optional("model_mode", OneOf(&MODES)),
    optional("toggles", Object(&TOGGLES_OBJECT)),
    required("answer", Object(&ANSWER_OBJECT)),
    required("sources", ArrayOf(&Object(&SOURCE_OBJECT), 0, 100)),
    required("retrieval_summary", Object(&SUMMARY_OBJECT)),
    required("unknowns", Object(&UNKNOWNS_OBJECT)),
    optional("integrity", Object(&INTEGRITY_OBJECT)),
    optional("provenance", Object(&PROVENANCE_OBJECT)),
])
.by(&ANSWER_JSON)
.closed();

static TOGGLES_OBJECT: ObjectSchema = part(&[
    required("require_citations", Boolean),
    required("primary_sources_only", Boolean),
    required("creative_mode", Boolean),
])
.by(&TOGGLES);

static ANSWER_OBJECT: ObjectSchema = part(&[
    required("text", TextOf(1, 10_000)),
    optional("confidence", FRACTION),
    optional("tone", OneOf(&TONES)),
    optional("completeness", OneOf(&COMPLETENESS)),
])
.by(&ANSWER);

static SOURCE_OBJECT: ObjectSchema = part(&[
    required("citation_label", TextOf(1, 500)),
    required("canonical_url", Form(&URI)),
    required("source_org", TextOf(1, 200)),
    required("year", YEAR),
    required("content_type", TextOf(1, 100)),
    required("license", TextOf(1, 200)),
    required("namespace", TextOf(1, 100)),
    required("doc_id", TextOf(1, 200)),
    required("chunk_id", TextOf(1, 200)),
    optional("tags", ArrayOf(&TextOf(0, 100), 0, 50)),
    optional("relevance_score", FRACTION),
])
.by(&SOURCE);

static SUMMARY_OBJECT: ObjectSchema = part(&[
    required("query", TextOf(1, 1000)),
    required("top_k", IntegerOf(Within(1.0, 100.0))),
    required("namespaces", ArrayOf(&TextOf(0, 100), 1, 20)),
    required("results", ArrayOf(&Object(&RESULT_OBJECT), 0, 100)),
    optional("filters", Object(&FILTERS_OBJECT)),
    optional("execution_time_ms", IntegerOf(AtLeast(0.0))),
    optional("embedding_model", Text),
])
.by(&SUMMARY);

static FILTERS_OBJECT: ObjectSchema = part(&[
    optional("content_type", Array(&Text)),
    optional("year", Integer),
    optional("year_gte", YEAR),
    optional("year_lte", YEAR),
    optional("source_org", Array(&Text)),
    optional("tags", Array(&Text)),
])
.by(&FILTERS);

static RESULT_OBJECT: ObjectSchema = part(&[
    required("rank", IntegerOf(AtLeast(1.0))),
    required("score", FRACTION),
    required("citation_label", TextOf(1, 500)),
    required("canonical_url", Form(&URI)),
    required("doc_id", TextOf(1, 200)),
    required("chunk_id", TextOf(1, 200)),
    required("namespace", TextOf(1, 100)),
    optional("snippet", TextOf(0, 2000)),
])
.by(&RESULT);

static UNKNOWNS_OBJECT: ObjectSchema = part(&[
    required("unsupported_claims", Array(&TextOf(0, 1000))),
    required("missing_context", Array(&TextOf(0, 1000))),
    required("clarifying_questions", Array(&TextOf(0, 500))),
    optional("out_of_scope", Array(&TextOf(0, 1000))),
])
.by(&UNKNOWNS);

static INTEGRITY_OBJECT: ObjectSchema = part(&[
    optional("citation_required", Boolean),
    optional("citations_provided", Boolean),
    optional("retrieval_confidence", OneOf(&CONFIDENCE)),
    optional("fallback_behavior", OneOf(&FALLBACKS)),
    optional("safety_flags", Array(&TextOf(0, 200))),
])
.by(&INTEGRITY);

static PROVENANCE_OBJECT: ObjectSchema = part(&[
    required("generated_at", Form(&DATE_TIME)),
    optional("retrieval_run_id", Form(&UUID)),
    optional("assistant_message_id", Form(&UUID)),
    optional("session_id", Form(&UUID)),
    optional("model_version", Text),
    optional("adapter_version", Text),
])
.by(&PROVENANCE);

/// The outline of an expected answer, as the schema of a dataset asks for it: its parts, their types
/// and their words, but neither lengths nor counts nor the fields of a source or a result.
pub(super) static OUTLINE: ObjectSchema = part(&[
    required("version", Form(&ANSWER_VERSION)),
    optional("persona", OneOf(&PERSONAS)),
    optional("model_mode", OneOf(&MODES)),
    optional("toggles", Object(&OUTLINE_TOGGLES)),
    required("answer", Object(&ANSWER_OBJECT)),
    required("sources", Array(&AnyObject)),
    required("retrieval_summary", Object(&OUTLINE_SUMMARY)),
    required("unknowns", Object(&OUTLINE_UNKNOWNS)),
    optional("integrity", Object(&OUTLINE_INTEGRITY)),
    optional("provenance", Object(&OUTLINE_PROVENANCE)),
])
.by(&ANSWER_JSON);

static OUTLINE_TOGGLES: ObjectSchema = part(&[
    optional("require_citations", Boolean),
    optional("primary_sources_only", Boolean),
    optional("creative_mode", Boolean),
])
.by(&TOGGLES);

static OUTLINE_SUMMARY: ObjectSchema = part(&[
    required("query", Text),
    required("top_k", Integer),
    required("namespaces", Array(&Text)),
    required("results", Array(&Json)),
    optional("filters", AnyObject),
])
.by(&SUMMARY);

static OUTLINE_UNKNOWNS: ObjectSchema = part(&[
    required("unsupported_claims", Array(&Text)),
    required("missing_context", Array(&Text)),
    required("clarifying_questions", Array(&Text)),
    optional("out_of_scope", Array(&Text)),
])
.by(&UNKNOWNS);

static OUTLINE_INTEGRITY: ObjectSchema = part(&[
    optional("citation_required", Boolean),
    optional("citations_provided", Boolean),
    optional("retrieval_confidence", OneOf(&CONFIDENCE)),
    optional("fallback_behavior", OneOf(&FALLBACKS)),
])
.by(&INTEGRITY);

static OUTLINE_PROVENANCE: ObjectSchema = part(&[optional("generated_at", Form(&DATE_TIME))]).by(&PROVENANCE);

/// The expected answer as the shipped code asks for it: its parts, and their keys.
pub(super) static CODE_ANSWER: ObjectSchema = part(&[
    required("version", Form(&ANSWER_VERSION)),
    optional("persona", Text),
    optional("model_mode", Text),
    optional("toggles", AnyObject),
    required("answer", Object(&CODE_ANSWER_TEXT)),
    required("sources", Array(&AnyObject)),
    required("retrieval_summary", Object(&CODE_SUMMARY)),
    required("unknowns", Object(&CODE_UNKNOWNS)),
    optional("integrity", AnyObject),
    optional("provenance", AnyObject),
])
.by(&ANSWER_JSON);

static CODE_ANSWER_TEXT: ObjectSchema = part(&[required("text", Filled)]).by(&ANSWER);

static CODE_SUMMARY: ObjectSchema = part(&[
    required("query", Json),
    required("top_k", Json),
    required("namespaces", Json),
    required("results", Json),
])
.by(&SUMMARY);

static CODE_UNKNOWNS: ObjectSchema = part(&[
    required("unsupported_claims", Json),
    required("missing_context", Json),
    required("clarifying_questions", Json),
])
.by(&UNKNOWNS);
