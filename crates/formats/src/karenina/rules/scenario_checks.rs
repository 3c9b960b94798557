//! The checks in a scenario: conditions of its edges, and criteria of its outcome. Both use one of the library's
//! comparisons for a value.

use super::library_table::LIBRARY;
use crate::checking::schema::{
    FieldPlace, NumberBound, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, defaulted, optional,
    part, required,
};
use NumberBound::AtLeast;
use SchemaFieldType::{
    Array, Boolean, By, ByKey, Either, Integer, IntegerOf, Json, Number, NumberOf, Object, OneOf, Text,
};
use evalgraph_diagnostics::article::with_article;
use evalgraph_json::TokenId;

const MODE: SchemaField = defaulted("mode", OneOf(&["relative", "absolute"]));
const DECAY: SchemaField = defaulted("decay", OneOf(&["linear", "quadratic"]));
const NORMALIZE: SchemaField = defaulted("normalize", Array(&NORMALIZER));
static NORMALIZER: SchemaFieldType =
    Either(&[Text, Object(&SYNONYMS)], "the name of a normalizer or an object with a `mapping`");
const MARGIN: SchemaField = required("margin", NumberOf(NumberBound::Above(0.0)));

static SYNONYMS: ObjectSchema = part(&[required("mapping", ByKey(&Text))]);
static NONE: ObjectSchema = part(&[]);
static NORMALIZED: ObjectSchema = part(&[NORMALIZE]);
static SUBSTRINGS: ObjectSchema = part(&[required("substrings", Array(&Text)), NORMALIZE]);
static REGEX: ObjectSchema = part(&[required("pattern", Text), defaulted("flags", Array(&Text))]);
static SEMANTIC: ObjectSchema = part(&[defaulted("threshold", Number)]);
static TOLERANCE: ObjectSchema = part(&[required("tolerance", Number), MODE]);
static RANGE: ObjectSchema = part(&[
    optional("min", Number),
    optional("max", Number),
    defaulted("exclusive_min", Boolean),
    defaulted("exclusive_max", Boolean),
]);
static EXCLUSIVE: ObjectSchema = part(&[defaulted("exclusive", Boolean)]);
static GRADED: ObjectSchema = part(&[
    required("cutoff", NumberOf(NumberBound::Above(0.0))),
    optional("full_credit", NumberOf(AtLeast(0.0))),
    MODE,
    DECAY,
])
.also(|reader, object| look_at_order(reader, object, "full_credit", "cutoff"));
static RANGE_GRADED: ObjectSchema = part(&[
    required("min", Number),
    required("max", Number),
    MARGIN,
    MODE,
    DECAY,
    defaulted("exclusive_min", Boolean),
    defaulted("exclusive_max", Boolean),
])
.also(|reader, object| look_at_order(reader, object, "min", "max"));
static THRESHOLD_GRADED: ObjectSchema = part(&[
    required("direction", OneOf(&["max", "min"])),
    MARGIN,
    MODE,
    DECAY,
    defaulted("exclusive", Boolean),
]);
static SETS: ObjectSchema = part(&[defaulted("mode", Text), optional("min_overlap", Integer)]);
static DATE: ObjectSchema = part(&[optional("format", Text)]);
static DATE_TOLERANCE: ObjectSchema =
    part(&[required("tolerance", Integer), defaulted("unit", OneOf(&["days", "hours", "minutes"]))]);
static DATE_RANGE: ObjectSchema = part(&[optional("min", Text), optional("max", Text)]);
static TRACE_REGEX: ObjectSchema = part(&[required("pattern", Text), optional("count_min", Integer)]);
static TRACE_CONTAINS: ObjectSchema = part(&[required("substring", Text)]);
static TRACE_LENGTH: ObjectSchema =
    part(&[optional("min", Integer), optional("max", Integer), defaulted("unit", Text)]);

/// The comparisons, by name.
static COMPARISONS: [(&str, &ObjectSchema); 23] = [
    ("BooleanMatch", &NONE),
    ("ExactMatch", &NORMALIZED),
    ("ContainsAny", &SUBSTRINGS),
    ("ContainsAll", &SUBSTRINGS),
    ("RegexMatch", &REGEX),
    ("SemanticMatch", &SEMANTIC),
    ("NumericExact", &NONE),
    ("NumericTolerance", &TOLERANCE),
    ("NumericRange", &RANGE),
    ("NumericMinimum", &EXCLUSIVE),
    ("NumericMaximum", &EXCLUSIVE),
    ("NumericGraded", &GRADED),
    ("NumericRangeGraded", &RANGE_GRADED),
    ("NumericThresholdGraded", &THRESHOLD_GRADED),
    ("SetContainment", &SETS),
    ("OrderedMatch", &NORMALIZED),
    ("LiteralMatch", &NONE),
    ("DateMatch", &DATE),
    ("DateTolerance", &DATE_TOLERANCE),
    ("DateRange", &DATE_RANGE),
    ("TraceRegex", &TRACE_REGEX),
    ("TraceContains", &TRACE_CONTAINS),
    ("TraceLength", &TRACE_LENGTH),
];

const COMPARISON: SchemaField = required("verify_with", By(look_at_comparison));
const OF_NODES: SchemaField =
    optional("node_id", Either(&[Text, Array(&Text)], "the name of a node or an array of such names"));

static STATE_CHECK: ObjectSchema = part(&[
    defaulted("type", OneOf(&["state_check"])),
    required("field", Text),
    optional("expected", Json),
    COMPARISON,
]);

/// The checks of an outcome, by both names of their type.
static OUTCOMES: [(&str, &str, &ObjectSchema); 8] = [
    ("turn_check", "TurnCheck", &TURN),
    ("result_check", "ResultCheck", &RESULT),
    ("cross_turn_check", "CrossTurnCheck", &CROSS),
    ("all_of", "AllOf", &CONDITIONS),
    ("any_of", "AnyOf", &CONDITIONS),
    ("at_least_n", "AtLeastN", &AT_LEAST),
    ("count_turns", "CountTurns", &TURNS),
    ("first_match_index", "FirstMatchIndex", &TURNS),
];

static TURN: ObjectSchema =
    part(&[required("scope", By(look_at_scope)), required("field", Text), COMPARISON]);
static RESULT: ObjectSchema = part(&[required("field", Text), COMPARISON]);
static CROSS: ObjectSchema = part(&[
    required("source_turn", By(look_at_turn)),
    required("source_field", Text),
    required("target_turn", By(look_at_turn)),
    required("target_field", Text),
    required("comparison", OneOf(&["eq", "neq", "contains", "gt", "gte", "lt", "lte"])),
    NORMALIZE,
]);
static CONDITIONS: ObjectSchema = part(&[defaulted("conditions", Array(&By(look_at_nested)))]);
static AT_LEAST: ObjectSchema =
    part(&[required("n", IntegerOf(AtLeast(0.0))), defaulted("conditions", Array(&By(look_at_nested)))]);
static TURNS: ObjectSchema = part(&[OF_NODES, optional("verify_result", Boolean)]);

/// The turns that a check applies to, by both names of their type.
static SCOPES: [(&str, &str, &ObjectSchema); 5] = [
    ("last_turn", "LastTurn", &NONE),
    ("first_turn", "FirstTurn", &NONE),
    ("turn_at", "TurnAt", &AT),
    ("any_turn", "AnyTurn", &SOME),
    ("all_turns", "AllTurns", &SOME),
];
static AT: ObjectSchema = part(&[required("index", Integer)]);
static SOME: ObjectSchema = part(&[OF_NODES]);

static CONDITION: SchemaFieldType = Object(&STATE_CHECK);
static CONDITION_LIST: SchemaFieldType = Array(&CONDITION);

/// Reads the condition of an edge, which is one check or a list of checks.
pub(super) fn look_at_condition(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    let is_list = reader.document.is_array(value);
    reader.value(spot, value, if is_list { &CONDITION_LIST } else { &CONDITION });
}

/// Reads the check of a criterion; an empty object is treated as missing.
pub(super) fn look_at_outcome(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    let document = reader.document;
    if !document.is_object(value) {
        reader.value(spot, value, &SchemaFieldType::AnyObject);
    } else if document.members(value).next().is_some() {
        look_at_check(reader, spot, value);
    }
}

/// Reads a member of a composed check; a member that is not an object is accepted.
fn look_at_nested(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    if reader.document.is_object(value) {
        look_at_check(reader, spot, value);
    }
}

fn look_at_check(reader: &mut SchemaChecker<'_>, spot: FieldPlace, check: TokenId) {
    let document = reader.document;
    let named = document.get(check, "type");
    let word = named.map_or(Some("count_turns".into()), |named| document.string(named));
    let known = OUTCOMES
        .iter()
        .find(|(tag, class, _)| word.as_deref().is_some_and(|word| word == *tag || word == *class));
    let model = known.map(|(_, _, model)| *model);
    look_at_model(reader, spot, check, model, "check of an outcome");
    if let Some(model) = model {
        look_at_what_is_restored(reader, check, model);
    }
}

/// Checks the comparisons in a check whose type has none. The library restores them before it looks at the type.
fn look_at_what_is_restored(reader: &mut SchemaChecker<'_>, check: TokenId, class: &ObjectSchema) {
    let document = reader.document;
    let has = |key| class.has(key);
    if let Some(comparison) = document.get(check, "verify_with").filter(|&value| document.is_object(value))
        && !has("verify_with")
    {
        look_at_comparison(reader, FieldPlace { object: check, key: "verify_with" }, comparison);
    }
    let nested = document.get(check, "conditions").filter(|_| !has("conditions"));
    for inner in nested.into_iter().flat_map(|list| document.items(list)) {
        if document.is_object(inner) {
            look_at_what_is_restored(reader, inner, &NONE);
        }
    }
}

fn look_at_comparison(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    if !reader.document.is_object(value) {
        return reader.value(spot, value, &SchemaFieldType::AnyObject);
    }
    let word = reader.text(value, "type");
    let known = COMPARISONS.iter().find(|(name, _)| word.as_deref() == Some(name));
    look_at_model(reader, spot, value, known.map(|(_, model)| *model), "comparison");
}

fn look_at_scope(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    look_at_turns(reader, spot, value, true);
}

fn look_at_turn(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    look_at_turns(reader, spot, value, false);
}

fn look_at_turns(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId, by_class: bool) {
    let word = reader.text(value, "type");
    let is_named = |word: &str, tag: &str, class: &str| word == tag || by_class && word == class;
    let known =
        SCOPES.iter().find(|(tag, class, _)| word.as_deref().is_some_and(|word| is_named(word, tag, class)));
    look_at_model(reader, spot, value, known.map(|(_, _, model)| *model), "choice of turns");
}

/// Checks an object by the model that its `type` names.
fn look_at_model(
    reader: &mut SchemaChecker<'_>,
    spot: FieldPlace,
    value: TokenId,
    model: Option<&'static ObjectSchema>,
    what: &str,
) {
    if let Some(model) = model {
        return reader.object(value, model);
    }
    let named = reader.document.get(value, "type");
    let message = match named {
        Some(named) => {
            format!("{} is not {} that the library knows", reader.show(named), with_article(what))
        }
        None => format!("a {what} has no `type`"),
    };
    reader.fault(spot, named.or(Some(value)), message);
}

/// Checks that one number is below another, if both are present.
fn look_at_order(reader: &mut SchemaChecker<'_>, object: TokenId, below: &'static str, above: &str) {
    let number = |key| LIBRARY.number(reader.document, reader.document.get(object, key)?);
    if let (Some(least), Some(most)) = (number(below), number(above))
        && least >= most
    {
        reader.fault_at(object, below, format!("`{below}` is {least}, not below `{above}`, {most}"));
    }
}
