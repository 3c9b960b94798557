//! The fields of a dataset file: what its schema asks for, and what the shipped code does.

use super::contract_fields;
use super::fields::FieldType::{
    Boolean, Counts, Form as Formed, Fraction, Integer, Names, Object, Objects, OneOf, Text, Texts,
};
use super::fields::{Class, FieldType, Form, class, defaulted, optional, required};
use crate::source::checking::{Rule, violation};
use crate::source::kwanzaa::{CATEGORIES, DIFFICULTIES, PERSONAS, PRINCIPLES};

pub(super) const DATASET: Rule = violation("W-TrainingDataset", "the fields of the dataset");
const STATISTICS: Rule = violation("W-Statistics", "the fields of `statistics`");
pub(super) const SAMPLE: Rule = violation("W-TrainingSample", "the fields of a sample");
const RESULT: Rule = violation("W-RetrievalResult", "the fields of `retrieved_context`");
const RESULT_METADATA: Rule = violation("W-RetrievalMetadata", "the fields of a result's `metadata`");
const METADATA: Rule = violation("W-SampleMetadata", "the fields of a sample's `metadata`");

/// The rules of these tables.
pub(super) const RULES: [Rule; 6] = [DATASET, STATISTICS, SAMPLE, RESULT, RESULT_METADATA, METADATA];

const ANY: usize = usize::MAX;
const YEAR: FieldType = Integer(1600, 2100);

/// The dataset by its schema. The samples are looked at one by one.
pub(super) static SCHEMA_DATASET: Class = class(
    DATASET,
    &[
        required("dataset_version", Formed(Form::DatasetVersion)),
        required("created_at", Formed(Form::DateTime)),
        optional("description", Text(0, ANY)),
        optional("statistics", Object(&SCHEMA_STATISTICS)),
    ],
);

const COUNT: FieldType = Integer(i64::MIN, i64::MAX);

static SCHEMA_STATISTICS: Class = class(
    STATISTICS,
    &[
        optional("total_samples", COUNT),
        optional("by_category", Object(&BY_CATEGORY)),
        optional("by_persona", Object(&BY_PERSONA)),
        optional("by_difficulty", Object(&BY_DIFFICULTY)),
    ],
);

static BY_CATEGORY: Class = class(
    STATISTICS,
    &[
        optional("citation", COUNT),
        optional("refusal", COUNT),
        optional("grounded_answer", COUNT),
        optional("format_compliance", COUNT),
    ],
);

static BY_PERSONA: Class = class(
    STATISTICS,
    &[
        optional("educator", COUNT),
        optional("researcher", COUNT),
        optional("creator", COUNT),
        optional("builder", COUNT),
    ],
);

static BY_DIFFICULTY: Class =
    class(STATISTICS, &[optional("easy", COUNT), optional("medium", COUNT), optional("hard", COUNT)]);

/// The dataset by the shipped code, which takes whatever names are counted.
pub(super) static CODE_DATASET: Class = class(
    DATASET,
    &[
        required("dataset_version", Formed(Form::DatasetVersion)),
        required("created_at", Formed(Form::DateTime)),
        optional("description", Text(0, ANY)),
        optional("statistics", Object(&CODE_STATISTICS)),
    ],
);

static CODE_STATISTICS: Class = class(
    STATISTICS,
    &[
        required("total_samples", Integer(0, i64::MAX)),
        defaulted("by_category", Counts),
        defaulted("by_persona", Counts),
        defaulted("by_difficulty", Counts),
    ],
);

/// A sample by the schema of the dataset.
pub(super) static SCHEMA_SAMPLE: Class = class(
    SAMPLE,
    &[
        required("sample_id", Formed(Form::SampleId)),
        required("category", OneOf(&CATEGORIES)),
        required("persona", OneOf(&PERSONAS)),
        required("user_query", Text(10, 500)),
        required("retrieved_context", Objects(&SCHEMA_RESULT, 0, ANY)),
        required("expected_output", Object(&contract_fields::OUTLINE)),
        required("metadata", Object(&SCHEMA_METADATA)),
    ],
);

static SCHEMA_RESULT: Class = class(
    RESULT,
    &[
        required("rank", Integer(1, i64::MAX)),
        required("score", Fraction),
        required("chunk_id", Text(0, ANY)),
        required("doc_id", Text(0, ANY)),
        required("namespace", Text(0, ANY)),
        required("content", Text(0, 2000)),
        required("metadata", Object(&SCHEMA_RESULT_METADATA)),
    ],
);

static SCHEMA_RESULT_METADATA: Class = class(
    RESULT_METADATA,
    &[
        required("citation_label", Text(0, ANY)),
        required("canonical_url", Formed(Form::Uri)),
        required("source_org", Text(0, ANY)),
        required("year", YEAR),
        required("content_type", Text(0, ANY)),
        required("license", Text(0, ANY)),
        optional("tags", Texts(0, ANY, ANY)),
    ],
);

static SCHEMA_METADATA: Class = class(
    METADATA,
    &[
        required("difficulty", OneOf(&DIFFICULTIES)),
        required("principle_focus", Names(0, &PRINCIPLES)),
        required("quality_score", Fraction),
        optional("reviewer", Text(0, ANY)),
        optional("notes", Text(0, ANY)),
        optional("failure_mode", Text(0, ANY)),
        optional("edge_case", Boolean),
    ],
);

/// A sample by the shipped code.
pub(super) static CODE_SAMPLE: Class = class(
    SAMPLE,
    &[
        required("sample_id", Formed(Form::SampleId)),
        required("category", OneOf(&CATEGORIES)),
        required("persona", OneOf(&PERSONAS)),
        required("user_query", Text(1, 500)),
        defaulted("retrieved_context", Objects(&CODE_RESULT, 0, ANY)),
        required("expected_output", Object(&contract_fields::CODE_ANSWER)),
        required("metadata", Object(&CODE_METADATA)),
    ],
);

static CODE_RESULT: Class = class(
    RESULT,
    &[
        required("rank", Integer(1, i64::MAX)),
        required("score", Fraction),
        required("chunk_id", Text(1, ANY)),
        required("doc_id", Text(1, ANY)),
        required("namespace", Text(1, ANY)),
        required("content", Text(0, 2000)),
        required("metadata", Object(&CODE_RESULT_METADATA)),
    ],
);

static CODE_RESULT_METADATA: Class = class(
    RESULT_METADATA,
    &[
        required("citation_label", Text(1, 500)),
        required("canonical_url", Text(0, ANY)),
        required("source_org", Text(1, 200)),
        required("year", YEAR),
        required("content_type", Text(1, 100)),
        required("license", Text(1, 200)),
        optional("tags", Texts(0, ANY, ANY)),
    ],
);

static CODE_METADATA: Class = class(
    METADATA,
    &[
        required("difficulty", OneOf(&DIFFICULTIES)),
        required("principle_focus", Names(1, &PRINCIPLES)),
        required("quality_score", Fraction),
        optional("reviewer", Text(0, ANY)),
        optional("notes", Text(0, ANY)),
        optional("failure_mode", Text(0, ANY)),
        optional("edge_case", Boolean),
    ],
);
