//! The fields of a dataset file, one table for each class of objects: where each value goes in the graph, and what the
//! profiles require of it.
//!
//! A sample is an item of a feed, whose question has the expected answer. The retrieved results are the result of a
//! search. Its chunks belong to their sample, because another sample may have another text under the same `chunk_id`.
//! Documents, organisations and licences belong to the dataset: all its samples share them.

use super::answer_fields::{
    CODE_ANSWER_JSON, EXPECTED_OUTPUT, KwanzaaField, SEED_ANSWER_JSON, YEAR, chunk, document, question,
};
use super::known_words::{
    BY_CATEGORY, BY_DIFFICULTY, BY_PERSONA, CATEGORIES, CATEGORY_COUNTS, DIFFICULTIES, DIFFICULTY_COUNTS,
    PERSONA_COUNTS, PERSONAS, PRINCIPLES,
};
use super::rules::class_rules as rules;
use super::rules::kwanzaa_profile::{CODE, SEED};
use super::rules::string_forms::{DATASET_VERSION, DATE_TIME, FRACTION, SAMPLE_ID, URI};
use crate::checking::schema::NumberBound::AtLeast;
use crate::checking::schema::SchemaFieldType::{
    Array, ArrayOf, Boolean, ByKey, Form, Integer, IntegerOf, Object, OneOf, Text, TextOf,
};
use crate::checking::schema::{ANY, NON_EMPTY, ObjectSchema};
use crate::field_table::{class_of, may, may_not_null, members_of, must, object, row, scalar};
use crate::records::MemberForm::{Alone, DateTime, Nodes, Position, Text as AsText, Value, Values};
use crate::records::{ObjectIdentity, RecordShape, member, record};

/// A path from the review of a sample.
macro_rules! review {
    ($rest:literal) => {
        question!("review:Review#review/", $rest)
    };
}

const DATASET: &[KwanzaaField] = &[
    scalar("dataset_version", "version").by(SEED | CODE, must(Form(&DATASET_VERSION))),
    row("created_at", "dateCreated", DateTime).by(SEED | CODE, must(Form(&DATE_TIME))),
    row("updated_at", "dateModified", DateTime),
    scalar("description", "description").by(SEED | CODE, may(Text)),
    object("statistics", members_of!(STATISTICS))
        .by(SEED, may(Object(&SEED_STATISTICS)))
        .by(CODE, may(Object(&CODE_STATISTICS))),
    // The samples are checked separately.
    row("samples", "dataFeedElement", Nodes(&SAMPLE_SHAPE)),
];
/// The dataset according to its schema.
pub(super) static SEED_DATASET: ObjectSchema = class_of!(DATASET, SEED).by(&rules::DATASET);
/// The dataset according to the shipped code, which accepts any names in its counts.
pub(super) static CODE_DATASET: ObjectSchema = class_of!(DATASET, CODE).by(&rules::DATASET);
pub(super) const DATASET_SHAPE: RecordShape =
    record("dataset", "DataFeed+eg:TrainingDataset", ObjectIdentity::Blank, members_of!(DATASET));

const STATISTICS: &[KwanzaaField] = &[
    scalar("total_samples", "variableMeasured:PropertyValue{name=total_samples}/value")
        .by(SEED, may(Integer))
        .by(CODE, must(IntegerOf(AtLeast(0.0)))),
    object("by_category", CATEGORY_COUNTS)
        .by(SEED, may(Object(&BY_CATEGORY)))
        .by(CODE, may_not_null(ByKey(&Integer))),
    object("by_persona", PERSONA_COUNTS)
        .by(SEED, may(Object(&BY_PERSONA)))
        .by(CODE, may_not_null(ByKey(&Integer))),
    object("by_difficulty", DIFFICULTY_COUNTS)
        .by(SEED, may(Object(&BY_DIFFICULTY)))
        .by(CODE, may_not_null(ByKey(&Integer))),
];
static SEED_STATISTICS: ObjectSchema = class_of!(STATISTICS, SEED).by(&rules::STATISTICS);
static CODE_STATISTICS: ObjectSchema = class_of!(STATISTICS, CODE).by(&rules::STATISTICS);

const SAMPLE: &[KwanzaaField] = &[
    row("", question!("position"), Position),
    scalar("sample_id", "identifier").by(SEED | CODE, must(Form(&SAMPLE_ID))),
    scalar("category", question!("teaches")).by(SEED | CODE, must(OneOf(&CATEGORIES))),
    scalar("persona", question!("audience:EducationalAudience/educationalRole"))
        .by(SEED | CODE, must(OneOf(&PERSONAS))),
    scalar("user_query", question!("text")).by(SEED, must(TextOf(10, 500))).by(CODE, must(TextOf(1, 500))),
    row(
        "retrieved_context",
        question!("eg:search:SearchAction#retrieval/result:ItemList/itemListElement"),
        Nodes(&RESULT_SHAPE),
    )
    .by(SEED, must(Array(const { &Object(&SEED_RESULT) })))
    .by(CODE, may_not_null(Array(const { &Object(&CODE_RESULT) }))),
    object("expected_output", EXPECTED_OUTPUT)
        .by(SEED, must(Object(&SEED_ANSWER_JSON)))
        .by(CODE, must(Object(&CODE_ANSWER_JSON))),
    object("metadata", members_of!(METADATA))
        .by(SEED, must(Object(&SEED_METADATA)))
        .by(CODE, must(Object(&CODE_METADATA))),
];
/// A sample according to the schema of the dataset.
pub(super) static SEED_SAMPLE: ObjectSchema = class_of!(SAMPLE, SEED).by(&rules::SAMPLE);
/// A sample according to the shipped code.
pub(super) static CODE_SAMPLE: ObjectSchema = class_of!(SAMPLE, CODE).by(&rules::SAMPLE);
pub(super) const SAMPLE_SHAPE: RecordShape = record(
    "sample",
    "DataFeedItem+eg:TrainingSample",
    ObjectIdentity::Record { kind: "", key: "sample_id" },
    members_of!(SAMPLE),
);

/// A retrieved result for the question.
const RESULT: &[KwanzaaField] = &[
    scalar("rank", "position").by(SEED | CODE, must(IntegerOf(AtLeast(1.0)))),
    scalar("score", "eg:score").by(SEED | CODE, must(FRACTION)),
    scalar("chunk_id", chunk!("identifier")).by(SEED, must(Text)).by(CODE, must(NON_EMPTY)),
    scalar("doc_id", document!("identifier")).by(SEED, must(Text)).by(CODE, must(NON_EMPTY)),
    scalar("namespace", chunk!("isPartOf:Collection@namespace(namespace)/name"))
        .by(SEED, must(Text))
        .by(CODE, must(NON_EMPTY)),
    scalar("content", chunk!("text")).by(SEED | CODE, must(TextOf(0, 2000))),
    object("metadata", members_of!(RESULT_METADATA))
        .by(SEED, must(Object(&SEED_RESULT_METADATA)))
        .by(CODE, must(Object(&CODE_RESULT_METADATA))),
];
pub(super) static SEED_RESULT: ObjectSchema = class_of!(RESULT, SEED).by(&rules::RETRIEVAL_RESULT);
static CODE_RESULT: ObjectSchema = class_of!(RESULT, CODE).by(&rules::RETRIEVAL_RESULT);
pub(super) const RESULT_SHAPE: RecordShape =
    record("result", "ListItem+eg:RetrievalResult", ObjectIdentity::Inner, members_of!(RESULT));

const RESULT_METADATA: &[KwanzaaField] = &[
    scalar("citation_label", document!("name")).by(SEED, must(Text)).by(CODE, must(TextOf(1, 500))),
    scalar("canonical_url", document!("url")).by(SEED, must(Form(&URI))).by(CODE, must(Text)),
    scalar("source_org", document!("sourceOrganization:Organization@organization(source_org)/name"))
        .by(SEED, must(Text))
        .by(CODE, must(TextOf(1, 200))),
    row("year", document!("datePublished"), AsText).by(SEED | CODE, must(YEAR)),
    scalar("content_type", document!("genre")).by(SEED, must(Text)).by(CODE, must(TextOf(1, 100))),
    scalar("license", document!("license:CreativeWork@license(license)/name"))
        .by(SEED, must(Text))
        .by(CODE, must(TextOf(1, 200))),
    row("tags", document!("keywords"), Values).by(SEED | CODE, may(Array(&Text))),
];
static SEED_RESULT_METADATA: ObjectSchema = class_of!(RESULT_METADATA, SEED).by(&rules::RESULT_METADATA);
static CODE_RESULT_METADATA: ObjectSchema = class_of!(RESULT_METADATA, CODE).by(&rules::RESULT_METADATA);

const METADATA: &[KwanzaaField] = &[
    scalar("difficulty", question!("educationalLevel")).by(SEED | CODE, must(OneOf(&DIFFICULTIES))),
    row("principle_focus", question!("about"), Nodes(&PRINCIPLE))
        .by(SEED, must(Array(&OneOf(&PRINCIPLES))))
        .by(CODE, must(ArrayOf(&OneOf(&PRINCIPLES), 1, ANY))),
    scalar(
        "quality_score",
        review!("reviewRating:Rating{reviewAspect=quality,worstRating=0,bestRating=1}/ratingValue"),
    )
    .by(SEED | CODE, must(FRACTION)),
    scalar("reviewer", review!("author:Person/name")).by(SEED | CODE, may(Text)),
    scalar("notes", review!("reviewBody")).by(SEED | CODE, may(Text)),
    scalar("edge_case", "eg:edgeCase").by(SEED | CODE, may(Boolean)),
    scalar("failure_mode", "eg:failureMode").by(SEED | CODE, may(Text)),
];
static SEED_METADATA: ObjectSchema = class_of!(METADATA, SEED).by(&rules::METADATA);
static CODE_METADATA: ObjectSchema = class_of!(METADATA, CODE).by(&rules::METADATA);

/// One of the Nguzo Saba.
const PRINCIPLE: RecordShape = record(
    "principle",
    "DefinedTerm+eg:Principle",
    ObjectIdentity::Inner,
    &[member("name", "name", Alone(&Value))],
);
