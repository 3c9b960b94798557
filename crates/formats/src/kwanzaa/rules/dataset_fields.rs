//! The fields of a dataset file: those that its schema asks for, and those that the shipped code asks for.

use super::contract_fields;
use super::string_forms::{DATASET_VERSION, DATE_TIME, FRACTION, SAMPLE_ID, URI};
use crate::checking::schema::{
    ANY, NON_EMPTY, NumberBound, ObjectSchema, SchemaFieldType, defaulted, optional, part, required,
};
use crate::checking::{FormatRule, violation};
use crate::kwanzaa::{CATEGORIES, DIFFICULTIES, PERSONAS, PRINCIPLES};
use NumberBound::{AtLeast, Within};
use SchemaFieldType::{
    Array, ArrayOf, Boolean, ByKey, Form, Integer, IntegerOf, Object, OneOf, Text, TextOf,
};

pub(super) const DATASET: FormatRule =
    violation("W-TrainingDataset", "the fields of the dataset must be there, with allowed values");
const STATISTICS: FormatRule =
    violation("W-Statistics", "the fields of `statistics` must be there, with allowed values");
pub(super) const SAMPLE: FormatRule =
    violation("W-TrainingSample", "the fields of a sample must be there, with allowed values");
const RESULT: FormatRule =
    violation("W-RetrievalResult", "the fields of `retrieved_context` must be there, with allowed values");
const RESULT_METADATA: FormatRule = violation(
    "W-RetrievalMetadata",
    "the fields of a result's `metadata` must be there, with allowed values",
);
const METADATA: FormatRule =
    violation("W-SampleMetadata", "the fields of a sample's `metadata` must be there, with allowed values");

/// The rules of these tables.
pub(super) const RULES: [FormatRule; 6] = [DATASET, STATISTICS, SAMPLE, RESULT, RESULT_METADATA, METADATA];

const YEAR: SchemaFieldType = IntegerOf(Within(1600.0, 2100.0));

/// The dataset by its schema. The samples are looked at one by one.
pub(super) static SCHEMA_DATASET: ObjectSchema = part(&[
    required("dataset_version", Form(&DATASET_VERSION)),
    required("created_at", Form(&DATE_TIME)),
    optional("description", Text),
    optional("statistics", Object(&SCHEMA_STATISTICS)),
])
.by(&DATASET);

const COUNT: SchemaFieldType = Integer;

static SCHEMA_STATISTICS: ObjectSchema = part(&[
    optional("total_samples", COUNT),
    optional("by_category", Object(&BY_CATEGORY)),
    optional("by_persona", Object(&BY_PERSONA)),
    optional("by_difficulty", Object(&BY_DIFFICULTY)),
])
.by(&STATISTICS);

static BY_CATEGORY: ObjectSchema = part(&[
    optional("citation", COUNT),
    optional("refusal", COUNT),
    optional("grounded_answer", COUNT),
    optional("format_compliance", COUNT),
])
.by(&STATISTICS);

static BY_PERSONA: ObjectSchema = part(&[
    optional("educator", COUNT),
    optional("researcher", COUNT),
    optional("creator", COUNT),
    optional("builder", COUNT),
])
.by(&STATISTICS);

static BY_DIFFICULTY: ObjectSchema =
    part(&[optional("easy", COUNT), optional("medium", COUNT), optional("hard", COUNT)]).by(&STATISTICS);

/// The dataset by the shipped code, which accepts any names in its counts.
pub(super) static CODE_DATASET: ObjectSchema = part(&[
    required("dataset_version", Form(&DATASET_VERSION)),
    required("created_at", Form(&DATE_TIME)),
    optional("description", Text),
    optional("statistics", Object(&CODE_STATISTICS)),
])
.by(&DATASET);

static CODE_STATISTICS: ObjectSchema = part(&[
    required("total_samples", IntegerOf(AtLeast(0.0))),
    defaulted("by_category", ByKey(&Integer)),
    defaulted("by_persona", ByKey(&Integer)),
    defaulted("by_difficulty", ByKey(&Integer)),
])
.by(&STATISTICS);

/// A sample by the schema of the dataset.
pub(super) static SCHEMA_SAMPLE: ObjectSchema = part(&[
    required("sample_id", Form(&SAMPLE_ID)),
    required("category", OneOf(&CATEGORIES)),
    required("persona", OneOf(&PERSONAS)),
    required("user_query", TextOf(10, 500)),
    required("retrieved_context", Array(&Object(&SCHEMA_RESULT))),
    required("expected_output", Object(&contract_fields::OUTLINE)),
    required("metadata", Object(&SCHEMA_METADATA)),
])
.by(&SAMPLE);

static SCHEMA_RESULT: ObjectSchema = part(&[
    required("rank", IntegerOf(AtLeast(1.0))),
    required("score", FRACTION),
    required("chunk_id", Text),
    required("doc_id", Text),
    required("namespace", Text),
    required("content", TextOf(0, 2000)),
    required("metadata", Object(&SCHEMA_RESULT_METADATA)),
])
.by(&RESULT);

static SCHEMA_RESULT_METADATA: ObjectSchema = part(&[
    required("citation_label", Text),
    required("canonical_url", Form(&URI)),
    required("source_org", Text),
    required("year", YEAR),
    required("content_type", Text),
    required("license", Text),
    optional("tags", Array(&Text)),
])
.by(&RESULT_METADATA);

static SCHEMA_METADATA: ObjectSchema = part(&[
    required("difficulty", OneOf(&DIFFICULTIES)),
    required("principle_focus", Array(&OneOf(&PRINCIPLES))),
    required("quality_score", FRACTION),
    optional("reviewer", Text),
    optional("notes", Text),
    optional("failure_mode", Text),
    optional("edge_case", Boolean),
])
.by(&METADATA);

/// A sample by the shipped code.
pub(super) static CODE_SAMPLE: ObjectSchema = part(&[
    required("sample_id", Form(&SAMPLE_ID)),
    required("category", OneOf(&CATEGORIES)),
    required("persona", OneOf(&PERSONAS)),
    required("user_query", TextOf(1, 500)),
    defaulted("retrieved_context", Array(&Object(&CODE_RESULT))),
    required("expected_output", Object(&contract_fields::CODE_ANSWER)),
    required("metadata", Object(&CODE_METADATA)),
])
.by(&SAMPLE);

static CODE_RESULT: ObjectSchema = part(&[
    required("rank", IntegerOf(AtLeast(1.0))),
    required("score", FRACTION),
    required("chunk_id", NON_EMPTY),
    required("doc_id", NON_EMPTY),
    required("namespace", NON_EMPTY),
    required("content", TextOf(0, 2000)),
    required("metadata", Object(&CODE_RESULT_METADATA)),
])
.by(&RESULT);

static CODE_RESULT_METADATA: ObjectSchema = part(&[
    required("citation_label", TextOf(1, 500)),
    required("canonical_url", Text),
    required("source_org", TextOf(1, 200)),
    required("year", YEAR),
    required("content_type", TextOf(1, 100)),
    required("license", TextOf(1, 200)),
    optional("tags", Array(&Text)),
])
.by(&RESULT_METADATA);

static CODE_METADATA: ObjectSchema = part(&[
    required("difficulty", OneOf(&DIFFICULTIES)),
    required("principle_focus", ArrayOf(&OneOf(&PRINCIPLES), 1, ANY)),
    required("quality_score", FRACTION),
    optional("reviewer", Text),
    optional("notes", Text),
    optional("failure_mode", Text),
    optional("edge_case", Boolean),
])
.by(&METADATA);
