//! The table that maps the aggregated results of a model to the graph and back, and that of an index of such files.

use crate::records::{
    ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    ValueContext, group, is_date_time, member, record, value,
};
use MemberForm::{Computed, Json, Nodes, Position};

/// The results of a run.
pub(super) const RUN: FileShape = FileShape { root: &FILE, records: RecordPlacement::InRoot };

/// An index of files, one a line or in an array.
pub(super) const INDEX: FileShape =
    FileShape { root: &INDEX_FILE, records: RecordPlacement::Items("hasPart", &INDEXED_FILE) };

const FILE: RecordShape = record(
    "run",
    "Dataset+cr:EvaluationTask+eg:EvaluationRun+eg:AggregatedRun",
    ObjectIdentity::Blank,
    RUN_MEMBERS,
);

const RUN_MEMBERS: &[RecordMember] = &[
    value("schema_version", "eg:schemaVersion"),
    value("evaluation_id", "eg:runName"),
    value("evaluation_timestamp", "eg:evaluationTimestamp"),
    member("evaluation_timestamp", "dateCreated", Computed(time)),
    value("retrieved_timestamp", "eg:retrievedTimestamp"),
    group(
        "source_metadata",
        &[
            value("source_name", "eg:sourceName"),
            value("source_type", "eg:sourceType"),
            value("source_organization_name", "publisher:Organization#publisher/name"),
            value("source_organization_url", "publisher:Organization#publisher/url"),
            value("source_organization_logo_url", "publisher:Organization#publisher/logo"),
            value("evaluator_relationship", "eg:evaluatorRelationship"),
            member("additional_details", "eg:sourceDetails", Json),
        ],
    ),
    group(
        "eval_library",
        &[
            value("name", "eg:harness:SoftwareApplication#harness/name"),
            value("version", "eg:harness:SoftwareApplication#harness/softwareVersion"),
            member("additional_details", "eg:harnessDetails", Json),
        ],
    ),
    group(
        "model_info",
        &[
            value("name", "eg:modelName"),
            value("id", "eg:answeringModel"),
            value("developer", "eg:modelDeveloper"),
            value("inference_platform", "eg:inferencePlatform"),
            member("inference_engine", "eg:inferenceEngine", Json),
            member("additional_details", "eg:modelDetails", Json),
        ],
    ),
    member("evaluation_results", "cr:evaluationResults", Nodes(&RUN_RESULT)),
    group(
        "detailed_evaluation_results",
        &[
            value("format", "eg:samplesFormat"),
            value("file_path", "eg:samplesFile"),
            value("hash_algorithm", "eg:samplesHashAlgorithm"),
            value("checksum", "eg:samplesChecksum"),
            value("total_rows", "eg:samplesCount"),
            member("additional_details", "eg:samplesDetails", Json),
        ],
    ),
];

const RUN_RESULT: RecordShape = RecordShape {
    name: "result of a run",
    node: "cr:EvaluationResult+eg:RunResult",
    identity: ObjectIdentity::Inner,
    members: &[
        value("evaluation_result_id", "eg:evaluationResultId"),
        value("evaluation_name", "eg:task"),
        member("", "cr:metric", Computed(metric)),
        member("source_data", "eg:sourceData", Json),
        value("evaluation_timestamp", "eg:evaluationTimestamp"),
        group("metric_config", METRIC),
        group(
            "score_details",
            &[
                value("score", "cr:value"),
                member("details", "eg:scoreDetails", Json),
                group(
                    "uncertainty",
                    &[
                        group(
                            "standard_error",
                            &[value("value", "eg:standardError"), value("method", "eg:standardErrorMethod")],
                        ),
                        member("confidence_interval", "eg:confidenceInterval", Json),
                        value("standard_deviation", "eg:standardDeviation"),
                        value("num_samples", "eg:sampleCount"),
                        value("num_bootstrap_samples", "eg:bootstrapCount"),
                    ],
                ),
            ],
        ),
        member("generation_config", "eg:generationConfiguration", Json),
        member("", "position", Position),
    ],
};

const METRIC: &[RecordMember] = &[
    value("evaluation_description", "description"),
    value("metric_id", "eg:metricId"),
    value("metric_name", "eg:metricName"),
    value("metric_kind", "eg:metricKind"),
    value("metric_unit", "eg:metricUnit"),
    member("metric_parameters", "eg:metricParameters", Json),
    value("lower_is_better", "eg:lowerIsBetter"),
    value("score_type", "eg:scoreType"),
    member("level_names", "eg:levelNames", Json),
    member("level_metadata", "eg:levelMetadata", Json),
    value("has_unknown_level", "eg:hasUnknownLevel"),
    value("min_score", "worstRating"),
    value("max_score", "bestRating"),
    member("llm_scoring", "eg:modelScoring", Json),
    member("additional_details", "eg:metricDetails", Json),
];

const INDEX_FILE: RecordShape = record("file", "Dataset+eg:RunIndex", ObjectIdentity::Blank, &[]);

const INDEXED_FILE: RecordShape = RecordShape {
    name: "indexed file",
    node: "DataDownload+eg:IndexedRun",
    identity: ObjectIdentity::Record { kind: "file", key: "object_uuid" },
    members: &[
        value("benchmark", "eg:task"),
        value("eval_schema_version", "eg:schemaVersion"),
        value("legacy_path", "eg:legacyPath"),
        value("object_path", "eg:objectPath"),
        value("object_uuid", "identifier"),
        value("record_type", "eg:recordType"),
        value("sha256", "sha256"),
        value("size_bytes", "eg:sizeInBytes"),
        member("", "position", Position),
    ],
};

/// The name of the metric, or the most exact description of it that the file has.
fn metric(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let configuration = at.member("metric_config").filter(|&value| document.is_object(value));
    let of_metric = |key: &&str| ComputedValue::string(document, document.get(configuration?, key)?);
    let named = ["metric_name", "metric_id", "metric_kind"].iter().find_map(of_metric);
    named.or_else(|| ComputedValue::string(document, at.member("evaluation_name")?))
}

/// The time as `xsd:dateTime` has it. Times are in that form, or in seconds since 1970.
fn time(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let text = at.document.string(at.value)?;
    if is_date_time(&text) {
        return ComputedValue::text(text, at.value);
    }
    ComputedValue::unix_time(text.parse().ok()?, at.value)
}
