//! The fields of a run with its results, and what depends on the values of some of them.

use super::evaluation_rule_table::{RUN, SAMPLES_FILE, SCALE, SOURCE};
use super::sample_fields::TEXTS;
use crate::checking::schema::{
    ANY, FieldPlace, NumberBound, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, closed_part,
    defaulted, optional, part, required,
};
use SchemaFieldType::{
    AnyObject, Array, ArrayOf, Boolean, By, Either, Integer, IntegerOf, Number, NumberOf, Object, OneOf, Text,
};
use evalgraph_json::TokenId;

/// A run.
pub(super) const RUN_FILE: ObjectSchema = closed_part(FIELDS).by(&RUN);

const FIELDS: &[SchemaField] = &[
    required("schema_version", Text),
    required("evaluation_id", Text),
    defaulted("evaluation_timestamp", Text),
    required("retrieved_timestamp", Text),
    required("source_metadata", Object(&SOURCE_METADATA)),
    required("eval_library", Object(&LIBRARY)),
    required("model_info", Object(&MODEL)),
    required("evaluation_results", Array(&Object(&RESULT))),
    defaulted("detailed_evaluation_results", Object(&DETAILED)),
];

const SOURCE_METADATA: ObjectSchema = part(&[
    defaulted("source_name", Text),
    required("source_type", OneOf(&["documentation", "evaluation_run"])),
    required("source_organization_name", Text),
    defaulted("source_organization_url", Text),
    defaulted("source_organization_logo_url", Text),
    required("evaluator_relationship", OneOf(&["first_party", "third_party", "collaborative", "other"])),
    defaulted("additional_details", TEXTS),
]);

const LIBRARY: ObjectSchema =
    part(&[required("name", Text), required("version", Text), defaulted("additional_details", TEXTS)]);

const MODEL: ObjectSchema = part(&[
    required("name", Text),
    required("id", Text),
    defaulted("developer", Text),
    defaulted("inference_platform", Text),
    defaulted("inference_engine", Object(&ENGINE)),
    required("additional_details", Object(&MODEL_DETAILS)),
]);

const ENGINE: ObjectSchema = part(&[defaulted("name", Text), defaulted("version", Text)]);

const MODEL_DETAILS: ObjectSchema = part(&[
    required("deployment_type", OneOf(&["self_deployed", "externally_managed", "unknown"])),
    required("model_availability", OneOf(&["open_weights", "closed_weights", "unknown"])),
])
.also(check_texts);

const RESULT: ObjectSchema = part(&[
    defaulted("evaluation_result_id", Text),
    required("evaluation_name", Text),
    required("source_data", By(check_source)),
    defaulted("evaluation_timestamp", Text),
    required("metric_config", Object(&METRIC)),
    required("score_details", Object(&SCORE)),
    defaulted("generation_config", Object(&GENERATION)),
]);

/// A bound of a scale.
const BOUND: SchemaFieldType = Either(&[Number, OneOf(&["Infinity", "-Infinity"])], "a number or infinity");

const METRIC: ObjectSchema = part(&[
    defaulted("evaluation_description", Text),
    defaulted("metric_id", Text),
    defaulted("metric_name", Text),
    defaulted("metric_kind", Text),
    defaulted("metric_unit", Text),
    defaulted("metric_parameters", AnyObject),
    required("lower_is_better", Boolean),
    defaulted("score_type", OneOf(&["binary", "continuous", "levels"])),
    defaulted("level_names", Array(&Text)),
    defaulted("level_metadata", Array(&Text)),
    defaulted("has_unknown_level", Boolean),
    optional("min_score", BOUND),
    optional("max_score", BOUND),
    defaulted("llm_scoring", Object(&MODEL_SCORING)),
    defaulted("additional_details", TEXTS),
])
.also(check_scale);

const MODEL_SCORING: ObjectSchema = part(&[
    required("judges", ArrayOf(&Object(&JUDGE), 1, ANY)),
    required("input_prompt", Text),
    defaulted("aggregation_method", OneOf(&["majority_vote", "average", "weighted_average", "median"])),
    defaulted("expert_baseline", Number),
    defaulted("additional_details", TEXTS),
]);

const JUDGE: ObjectSchema = part(&[
    required("model_info", Object(&MODEL)),
    defaulted("temperature", Number),
    defaulted("weight", Number),
    defaulted("additional_details", TEXTS),
]);

const SCORE: ObjectSchema = part(&[
    required("score", Number),
    defaulted("details", TEXTS),
    defaulted("uncertainty", Object(&UNCERTAINTY)),
]);

const UNCERTAINTY: ObjectSchema = part(&[
    defaulted("standard_error", Object(&STANDARD_ERROR)),
    defaulted("confidence_interval", Object(&INTERVAL)),
    defaulted("standard_deviation", Number),
    defaulted("num_samples", Integer),
    defaulted("num_bootstrap_samples", Integer),
]);

const STANDARD_ERROR: ObjectSchema = part(&[required("value", Number), defaulted("method", Text)]);

const INTERVAL: ObjectSchema = part(&[
    required("lower", Number),
    required("upper", Number),
    defaulted("confidence_level", NumberOf(NumberBound::Within(0.0, 1.0))),
    defaulted("method", Text),
]);

const GENERATION: ObjectSchema =
    part(&[defaulted("generation_args", Object(&ARGUMENTS)), defaulted("additional_details", TEXTS)]);

const ARGUMENTS: ObjectSchema = closed_part(&[
    optional("temperature", Number),
    optional("top_p", Number),
    optional("top_k", Number),
    defaulted("max_tokens", IntegerOf(NumberBound::AtLeast(1.0))),
    defaulted("execution_command", Text),
    defaulted("reasoning", Boolean),
    defaulted("prompt_template", Text),
    defaulted("agentic_eval_config", AnyObject),
    defaulted("eval_plan", AnyObject),
    defaulted("eval_limits", AnyObject),
    defaulted("sandbox", AnyObject),
    defaulted("max_attempts", Integer),
    defaulted("incorrect_attempt_feedback", Text),
]);

const DETAILED: ObjectSchema = part(&[
    required("format", OneOf(&["jsonl"])),
    required("file_path", Text),
    defaulted("hash_algorithm", OneOf(&["sha256", "md5"])),
    defaulted("checksum", Text),
    defaulted("total_rows", Integer),
    defaulted("additional_details", TEXTS),
])
.also(check_samples_file);

const OF_URL: ObjectSchema = part(&[
    required("dataset_name", Text),
    required("url", ArrayOf(&Text, 1, ANY)),
    defaulted("additional_details", TEXTS),
]);

const OF_HUB: ObjectSchema = part(&[
    required("dataset_name", Text),
    defaulted("hf_repo", Text),
    defaulted("hf_split", Text),
    defaulted("samples_number", Integer),
    defaulted("sample_ids", Array(&Text)),
    defaulted("additional_details", TEXTS),
]);

const OF_OTHERS: ObjectSchema =
    part(&[required("dataset_name", Text), defaulted("additional_details", TEXTS)]);

/// Checks the source by the fields of its type.
fn check_source(checker: &mut SchemaChecker<'_>, place: FieldPlace, value: TokenId) {
    let outer = checker.rule;
    checker.look(&SOURCE);
    if !checker.accepts(value, &AnyObject) {
        checker.fault(place, Some(value), "`source_data` is not an object");
    } else {
        let class = match checker.text(value, "source_type").as_deref() {
            Some("url") => Some(&OF_URL),
            Some("hf_dataset") => Some(&OF_HUB),
            Some("other") => Some(&OF_OTHERS),
            _ => None,
        };
        match class {
            Some(class) => checker.object(value, class),
            None => checker.fault_at(value, "source_type", "`source_type` must be url, hf_dataset or other"),
        }
    }
    checker.rule = outer;
}

/// Checks that all values of an object are strings.
fn check_texts(checker: &mut SchemaChecker<'_>, object: TokenId) {
    checker.value(FieldPlace { object, key: "additional_details" }, object, &TEXTS);
}

/// Checks that a scale has what its type requires.
fn check_scale(checker: &mut SchemaChecker<'_>, metric: TokenId) {
    let kind = checker.text(metric, "score_type");
    let needed: [&'static str; 2] = match kind.as_deref() {
        Some("levels") => ["level_names", "has_unknown_level"],
        Some("continuous") => ["min_score", "max_score"],
        _ => return,
    };
    let kind = kind.unwrap_or_default();
    checker.look(&SCALE);
    for key in needed {
        if checker.document.get(metric, key).is_none() {
            checker.fault_at(metric, key, format!("`score_type` is `{kind}`, and `{key}` is missing"));
        }
    }
}

/// Checks the path of the file with the samples.
fn check_samples_file(checker: &mut SchemaChecker<'_>, detailed: TokenId) {
    let Some(path) = checker.text(detailed, "file_path") else { return };
    checker.look(&SAMPLES_FILE);
    if !is_samples_path(&path) {
        let message = format!(
            "`{path}` does not have the form `data/BENCHMARK/DEVELOPER/MODEL/UUID_samples.jsonl` with a random UUID"
        );
        checker.fault_at(detailed, "file_path", message);
    }
}

/// Returns whether a path consists of `data`, three folders, and a random UUID before `_samples.jsonl`.
fn is_samples_path(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let ["data", folders @ .., file] = parts.as_slice() else { return false };
    let Some(uuid) = file.strip_suffix("_samples.jsonl") else { return false };
    let groups: Vec<&str> = uuid.split('-').collect();
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let begins = |at: usize, with: &str| groups[at].starts_with(|first: char| with.contains(first));
    folders.len() == 3
        && folders.iter().all(|folder| !folder.is_empty())
        && groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| is_hex(group))
        && begins(2, "4")
        && begins(3, "89ABab")
}
