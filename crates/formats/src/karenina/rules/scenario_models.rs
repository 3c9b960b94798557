//! Scenarios of Karenina's library as tables of fields: nodes with their questions, edges, criteria of the outcome.
//!
//! Functions in a scenario are Python expressions. They are never run here: only their brackets, quotes and names are
//! checked.

use super::library_models::NODE_QUESTIONS;
use super::library_table::SCENARIO_PARTS;
use super::model_config::MODEL;
use super::python::may_be_function;
use super::scenario_checks;
use crate::checking::schema::{
    FieldPlace, NON_EMPTY, ObjectSchema, SchemaChecker, SchemaFieldType, closed_part, defaulted, optional,
    part, required,
};
use SchemaFieldType::{AnyObject, Array, By, ByKey, Object, OneOf, Text};
use evalgraph_json::{JsonKind, TokenId};

pub(super) static SCENARIO: ObjectSchema = part(&[
    defaulted("@type", OneOf(&["karenina:Scenario"])),
    required("name", Text),
    defaulted("description", Text),
    required("entryNode", Text),
    required("nodes", ByKey(&Object(&NODE))),
    required("edges", Array(&Object(&EDGE))),
    defaulted("outcomeCriteria", Array(&Object(&CRITERION))),
    defaulted("metadata", AnyObject),
])
.by(&SCENARIO_PARTS);

static NODE: ObjectSchema = part(&[
    defaulted("@type", OneOf(&["karenina:ScenarioNode"])),
    required("nodeId", Text),
    required("question", Object(&NODE_QUESTIONS)),
    optional("modelOverride", By(look_at_override)),
    optional("toolFilter", By(look_at_filter)),
    optional("stateUpdateSource", By(look_at_function)),
    optional("questionData", Object(&QUESTION_DATA)),
    optional("agentIdentity", Text),
    defaulted("metadata", AnyObject),
])
.also(look_at_texts);

static OVERRIDE: ObjectSchema =
    part(&[optional("answering_model", Object(&MODEL)), optional("parsing_model", Object(&MODEL))]);
static FILTER: ObjectSchema = part(&[required("remove", Array(&Object(&TOOL)))]);
static TOOL: ObjectSchema = part(&[required("server", Text), optional("tool", Text)]);

/// A question as the library holds it in memory.
static QUESTION_DATA: ObjectSchema = closed_part(&[
    required("question", NON_EMPTY),
    required("raw_answer", NON_EMPTY),
    defaulted("keywords", Array(&Text)),
    optional("few_shot_examples", Array(&ByKey(&Text))),
    defaulted("date_created", Text),
    defaulted("date_modified", Text),
    optional("answer_template", Text),
    optional("answer_notes", Text),
    optional("author", AnyObject),
    optional("sources", Array(&AnyObject)),
    optional("custom_metadata", AnyObject),
    optional("question_rubric", AnyObject),
    optional("question_dynamic_rubric", AnyObject),
    optional("workspace_path", Text),
    // The library computes the id and ignores this one.
    optional("id", SchemaFieldType::Json),
    optional("tags", By(look_at_tags)),
]);

static EDGE: ObjectSchema = part(&[
    required("source", Text),
    required("target", Text),
    optional("condition", By(scenario_checks::look_at_condition)),
    optional("conditionSource", By(look_at_function)),
    optional("handover", Text),
]);

static CRITERION: ObjectSchema = part(&[
    required("name", Text),
    defaulted("description", Text),
    optional("check", By(scenario_checks::look_at_outcome)),
    optional("evaluateSource", By(look_at_function)),
]);

/// Checks a function. An empty string is treated as missing; the library runs any other string on loading, and the
/// result must be a function.
fn look_at_function(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    reader.value(spot, value, &Text);
    if reader.document.string(value).is_some_and(|text| !text.is_empty() && !may_be_function(&text)) {
        let message = format!("`{}` is not a Python expression that yields a function", spot.key);
        reader.fault(spot, Some(value), message);
    }
}

/// Checks a part of a scenario; an empty object is treated as missing.
fn look_at_part(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId, model: &SchemaFieldType) {
    let is_empty = reader.document.is_object(value) && reader.document.members(value).next().is_none();
    if !is_empty {
        reader.value(spot, value, model);
    }
}

fn look_at_override(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    look_at_part(reader, spot, value, &Object(&OVERRIDE));
}

fn look_at_filter(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    look_at_part(reader, spot, value, &Object(&FILTER));
}

/// Checks `tags`, the old name of `keywords`. It is used only without `keywords`, and the library drops its nulls.
fn look_at_tags(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    let document = reader.document;
    if document.get(spot.object, "keywords").is_some()
        || document.is_object(value)
        || document.is_string(value)
    {
        return;
    }
    if !document.is_array(value) {
        let is_nothing =
            document.kind(value) == JsonKind::False || document.number(value).is_some_and(is_zero);
        if !is_nothing {
            reader.value(spot, value, &Array(&Text));
        }
        return;
    }
    for tag in document.items(value).filter(|&tag| document.kind(tag) != JsonKind::Null) {
        reader.value(spot, tag, &Text);
    }
}

fn is_zero(number: &str) -> bool {
    number.parse() == Ok(0.0)
}

/// Checks the texts of a node's question, which must not be empty in a node without `questionData`.
fn look_at_texts(reader: &mut SchemaChecker<'_>, node: TokenId) {
    let document = reader.document;
    if reader.present(node, "questionData").is_some() {
        return;
    }
    let Some(question) = document.get(node, "question") else { return };
    let answer = document.get(question, "acceptedAnswer");
    for object in [Some(question), answer].into_iter().flatten() {
        if let Some(text) = document.get(object, "text").filter(|&text| document.is_string(text)) {
            reader.value(FieldPlace { object, key: "text" }, text, &NON_EMPTY);
        }
    }
}
