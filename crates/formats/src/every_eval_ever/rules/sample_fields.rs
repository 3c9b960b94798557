//! The fields of the result of a sample, and what its type of interaction requires.

use super::evaluation_rule_table::{INTERACTION, SAMPLE};
use crate::checking::schema::{
    NumberBound, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, closed_part, defaulted, optional,
    part, required,
};
use SchemaFieldType::{Array, Boolean, ByKey, IntegerOf, Number, NumberOf, Object, OneOf, Text};
use evalgraph_json::TokenId;

/// A number that is not negative.
const COUNT: SchemaFieldType = IntegerOf(NumberBound::AtLeast(0.0));
/// A time that is not negative.
const TIME: SchemaFieldType = NumberOf(NumberBound::AtLeast(0.0));
/// Texts by key.
pub(super) const TEXTS: SchemaFieldType = ByKey(&Text);

/// The result of a sample.
pub(super) const SAMPLE_RESULT: ObjectSchema = closed_part(FIELDS).by(&SAMPLE).also(check_interaction);

const FIELDS: &[SchemaField] = &[
    required("schema_version", Text),
    required("evaluation_id", Text),
    required("model_id", Text),
    required("evaluation_name", Text),
    defaulted("evaluation_result_id", Text),
    required("sample_id", Text),
    optional("sample_hash", Text),
    required("interaction_type", OneOf(&["single_turn", "multi_turn", "agentic"])),
    required("input", Object(&INPUT)),
    optional("output", Object(&OUTPUT)),
    optional("messages", Array(&Object(&MESSAGE))),
    required("answer_attribution", Array(&Object(&ATTRIBUTION))),
    required("evaluation", Object(&EVALUATION)),
    optional("token_usage", Object(&USAGE)),
    optional("performance", Object(&PERFORMANCE)),
    optional("error", Text),
    optional("metadata", TEXTS),
];

const INPUT: ObjectSchema = part(&[
    required("raw", Text),
    optional("formatted", Text),
    required("reference", Array(&Text)),
    optional("choices", Array(&Text)),
]);

const OUTPUT: ObjectSchema =
    part(&[required("raw", Array(&Text)), optional("reasoning_trace", Array(&Text))]);

const MESSAGE: ObjectSchema = part(&[
    required("turn_idx", COUNT),
    required("role", Text),
    optional("content", Text),
    optional("reasoning_trace", Text),
    optional("tool_calls", Array(&Object(&CALL))),
    optional("tool_call_id", Array(&Text)),
]);

const CALL: ObjectSchema =
    part(&[required("id", Text), required("name", Text), optional("arguments", TEXTS)]);

const ATTRIBUTION: ObjectSchema = part(&[
    required("turn_idx", COUNT),
    required("source", Text),
    required("extracted_value", Text),
    required("extraction_method", Text),
    required("is_terminal", Boolean),
]);

const EVALUATION: ObjectSchema = part(&[
    required("score", Number),
    required("is_correct", Boolean),
    optional("num_turns", IntegerOf(NumberBound::AtLeast(1.0))),
    optional("tool_calls_count", COUNT),
]);

const USAGE: ObjectSchema = part(&[
    required("input_tokens", COUNT),
    required("output_tokens", COUNT),
    required("total_tokens", COUNT),
    optional("input_tokens_cache_write", COUNT),
    optional("input_tokens_cache_read", COUNT),
    optional("reasoning_tokens", COUNT),
]);

const PERFORMANCE: ObjectSchema = part(&[
    optional("latency_ms", TIME),
    optional("time_to_first_token_ms", TIME),
    optional("generation_time_ms", TIME),
    optional("additional_details", TEXTS),
]);

/// Checks that the output has the form that the type of interaction requires.
fn check_interaction(checker: &mut SchemaChecker<'_>, sample: TokenId) {
    let kind = checker.text(sample, "interaction_type");
    let (needed, refused) = match kind.as_deref() {
        Some("single_turn") => ("output", "messages"),
        Some("multi_turn" | "agentic") => ("messages", "output"),
        _ => return,
    };
    let kind = kind.unwrap_or_default();
    checker.look(&INTERACTION);
    if checker.present(sample, needed).is_none() {
        checker.fault_at(sample, needed, format!("the interaction is `{kind}`, and `{needed}` is missing"));
    }
    if checker.present(sample, refused).is_some() {
        checker.fault_at(
            sample,
            refused,
            format!("the interaction is `{kind}`, so `{refused}` must be null"),
        );
    }
}
