//! The traits of Karenina's library as tables of fields, one for each kind.
//!
//! A pattern is a regular expression in Python's syntax; only its syntax is checked. Code is decoded, not run.

use super::library_table::LIBRARY;
use super::model_config::AGENT_MODEL;
use super::python_pattern::fault_of_pattern;
use super::template_schema;
use crate::checking::schema::{
    FieldPlace, NON_EMPTY, NumberBound, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType,
    closed_part, defaulted, listed, optional, required,
};
use crate::checkpoint::model::is_base64_of_python;
use SchemaFieldType::{Array, Boolean, By, ByKey, Integer, IntegerOf, Number, Object, OneOf, Text};
use evalgraph_json::TokenId;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The kinds of traits, with the fields of each.
pub static TRAIT_CLASSES: [&ObjectSchema; 5] = [&REGEX, &CALLABLE, &METRIC, &AGENTIC, &JUDGED];

const METRICS: [&str; 3] = ["precision", "recall", "f1"];
const MATRIX_METRICS: [&str; 5] = ["precision", "recall", "f1", "specificity", "accuracy"];
const KINDS: &[&str] = &["boolean", "score", "literal"];
/// How many classes a literal trait has.
const CLASSES: std::ops::RangeInclusive<usize> = 2..=20;

const NAME: SchemaField = required("name", NON_EMPTY);
const DESCRIPTION: SchemaField = optional("description", Text);
const SUMMARY: SchemaField = optional("summary", Text);
const HIGHER: SchemaField = optional("higher_is_better", Boolean);
const LEAST: SchemaField = optional("min_score", Integer);
const MOST: SchemaField = optional("max_score", Integer);
const NAMED_CLASSES: SchemaField = optional("classes", ByKey(&Text));

pub(super) static REGEX: ObjectSchema = closed_part(&REGEX_FIELDS);
static REGEX_FIELDS: [SchemaField; 7] = regex_fields("invert_result");

/// A regular expression as in older files.
pub(super) static OLD_REGEX: ObjectSchema = closed_part(&OLD_REGEX_FIELDS);
static OLD_REGEX_FIELDS: [SchemaField; 7] = regex_fields("invert");

const fn regex_fields(invert: &'static str) -> [SchemaField; 7] {
    [
        NAME,
        DESCRIPTION,
        SUMMARY,
        required("pattern", By(look_at_pattern)),
        defaulted("case_sensitive", Boolean),
        defaulted(invert, Boolean),
        HIGHER,
    ]
}

pub(super) static CALLABLE: ObjectSchema = closed_part(&[
    NAME,
    DESCRIPTION,
    SUMMARY,
    required("kind", OneOf(KINDS)),
    required("callable_code", By(look_at_code)),
    LEAST,
    MOST,
    defaulted("invert_result", Boolean),
    NAMED_CLASSES,
    HIGHER,
])
.also(look_at_callable);

pub(super) static METRIC: ObjectSchema = closed_part(&[
    NAME,
    DESCRIPTION,
    SUMMARY,
    defaulted("evaluation_mode", OneOf(&["tp_only", "full_matrix"])),
    required("metrics", Array(&Text)),
    defaulted("tp_instructions", Array(&Text)),
    defaulted("tn_instructions", Array(&Text)),
    defaulted("repeated_extraction", Boolean),
    HIGHER,
])
.also(look_at_metric);

pub(super) static JUDGED: ObjectSchema = closed_part(&[
    NAME,
    DESCRIPTION,
    SUMMARY,
    required("kind", By(look_at_kind)),
    LEAST,
    MOST,
    NAMED_CLASSES,
    defaulted("deep_judgment_enabled", Boolean),
    defaulted("deep_judgment_excerpt_enabled", Boolean),
    optional("deep_judgment_max_excerpts", Integer),
    optional("deep_judgment_fuzzy_match_threshold", Number),
    optional("deep_judgment_excerpt_retry_attempts", Integer),
    defaulted("deep_judgment_search_enabled", Boolean),
    HIGHER,
])
.also(look_at_judged);

pub(super) static AGENTIC: ObjectSchema = closed_part(&[
    NAME,
    required("description", NON_EMPTY),
    SUMMARY,
    required("kind", By(look_at_kind)),
    HIGHER,
    LEAST,
    MOST,
    NAMED_CLASSES,
    defaulted("context_mode", OneOf(&["workspace_only", "trace_and_workspace", "trace_only"])),
    defaulted("materialize_trace", Boolean),
    defaulted("persist_trace", Boolean),
    defaulted("max_turns", IntegerOf(NumberBound::Above(0.0))),
    defaulted("timeout_seconds", IntegerOf(NumberBound::Above(0.0))),
    optional("model_override", Object(&AGENT_MODEL)),
])
.also(look_at_agentic);

fn look_at_code(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    match reader.document.string(value) {
        Some(text) if is_base64_of_python(&text) => {}
        Some(_) => reader.fault(spot, Some(value), "`callable_code` is not base64"),
        None => {
            let message = format!("`callable_code` is {}, not code in base64", reader.show(value));
            reader.fault(spot, Some(value), message);
        }
    }
}

fn look_at_pattern(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    reader.value(spot, value, &Text);
    if let Some(fault) = reader.document.string(value).and_then(|text| fault_of_pattern(&text)) {
        reader.fault(spot, Some(value), format!("`pattern` is not a Python regular expression: {fault}"));
    }
}

fn look_at_kind(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    if reader.document.is_object(value) {
        template_schema::look_at(reader, spot, value);
    } else {
        reader.value(spot, value, &OneOf(KINDS));
    }
}

fn look_at_callable(reader: &mut SchemaChecker<'_>, object: TokenId) {
    look_at_number_of_classes(reader, object);
    look_at_literal(reader, object);
}

fn look_at_literal(reader: &mut SchemaChecker<'_>, object: TokenId) {
    if is(reader, object, "kind", "literal") && class_names(reader, object).is_empty() {
        let value = reader.present(object, "classes");
        reader.fault(
            FieldPlace { object, key: "classes" },
            value,
            "a literal trait has no object of `classes`",
        );
    }
}

fn look_at_judged(reader: &mut SchemaChecker<'_>, object: TokenId) {
    look_at_number_of_classes(reader, object);
    look_at_class_texts(reader, object);
    if reader.present(object, "classes").is_none() {
        look_at_literal(reader, object);
    }
}

fn look_at_agentic(reader: &mut SchemaChecker<'_>, object: TokenId) {
    look_at_literal(reader, object);
    let kind = reader.document.get(object, "kind");
    let higher = reader.present(object, "higher_is_better");
    if let Some(higher) = higher.filter(|_| kind.is_some_and(|kind| reader.document.is_object(kind))) {
        let shown = reader.show(higher);
        let message = format!("`higher_is_better` is {shown}, but it must be null in a trait with a schema");
        reader.fault_at(object, "higher_is_better", message);
    }
    let materialize = reader.document.get(object, "materialize_trace");
    let is_on = materialize.is_some_and(|value| LIBRARY.boolean(reader.document, value) == Some(true));
    if is_on && is(reader, object, "context_mode", "workspace_only") {
        let message = "`materialize_trace` needs a trace, and `context_mode` is `workspace_only`";
        reader.fault_at(object, "materialize_trace", message);
    }
}

fn look_at_metric(reader: &mut SchemaChecker<'_>, object: TokenId) {
    let is_full = is(reader, object, "evaluation_mode", "full_matrix");
    let has_mode = reader.document.get(object, "evaluation_mode").is_some();
    // An unknown mode has its own finding and does not restrict the metrics.
    let allowed: &[&str] = if !has_mode || is(reader, object, "evaluation_mode", "tp_only") {
        &METRICS
    } else {
        &MATRIX_METRICS
    };
    let named = texts(reader, object, "metrics");
    if reader.document.get(object, "metrics").is_some() && named.is_empty() {
        reader.fault_at(object, "metrics", "`metrics` names no metric");
    }
    for metric in named.iter().map(|metric| &**metric).filter(|metric| !allowed.contains(metric)) {
        let message = format!("`{metric}` is not a metric here; known are {}", listed(allowed));
        reader.fault_at(object, "metrics", message);
    }
    let needed: &[&'static str] =
        if is_full { &["tp_instructions", "tn_instructions"] } else { &["tp_instructions"] };
    for &key in needed {
        if texts(reader, object, key).is_empty() {
            reader.fault_at(object, key, format!("`{key}` has no instruction, and the metric needs one"));
        }
    }
}

fn look_at_number_of_classes(reader: &mut SchemaChecker<'_>, object: TokenId) {
    let Some(classes) = reader.present(object, "classes") else { return };
    let names = class_names(reader, object);
    if reader.document.is_object(classes) && !CLASSES.contains(&names.len()) {
        let (least, most) = (CLASSES.start(), CLASSES.end());
        let message = format!("{} classes; a literal trait must have {least} to {most}", names.len());
        reader.fault_at(object, "classes", message);
    }
}

/// Checks the names and descriptions of the classes of a trait that a model judges.
fn look_at_class_texts(reader: &mut SchemaChecker<'_>, object: TokenId) {
    let spot = FieldPlace { object, key: "classes" };
    let mut seen = BTreeSet::new();
    for (name, value) in class_names(reader, object) {
        if name.trim().is_empty() {
            reader.fault(spot, Some(value), "the name of a class is blank");
        } else if !seen.insert(name.to_lowercase()) {
            reader.fault(spot, Some(value), format!("two classes are named `{name}`, ignoring case"));
        }
        if reader.document.string(value).is_some_and(|text| text.trim().is_empty()) {
            reader.fault(spot, Some(value), format!("the description of class `{name}` is blank"));
        }
    }
}

fn class_names(reader: &SchemaChecker<'_>, object: TokenId) -> Vec<(String, TokenId)> {
    let document = reader.document;
    let classes = document.get(object, "classes");
    let members = classes.into_iter().flat_map(|classes| document.members(classes));
    members.map(|member| (document.symbol_text(member.symbol).to_owned(), member.value)).collect()
}

fn texts<'d>(reader: &SchemaChecker<'d>, object: TokenId, key: &str) -> Vec<Cow<'d, str>> {
    let document = reader.document;
    let items = document.get(object, key).into_iter().flat_map(|array| document.items(array));
    items.filter_map(|item| document.string(item)).collect()
}

fn is(reader: &SchemaChecker<'_>, object: TokenId, key: &str, text: &str) -> bool {
    reader.text(object, key).is_some_and(|found| found == text)
}
