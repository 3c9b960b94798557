//! Checks a trait, as written, against the rules of a form's reader. A refused trait is left out and reported, so that
//! the reader does not refuse the whole file.

use super::checkpoint_form::{CheckpointForm, CheckpointWriteOptions, WritePurpose};
use super::version_2_traits::{MemberTexts, number_of, quoted};
use crate::checkpoint::model::{CheckpointQuestion, PlacedValue, PropertyValue, RubricTrait};
use crate::checkpoint::traits::{TraitKind, TraitScope};
use crate::checkpoint::{CheckpointProfile, CheckpointPrograms};

/// Settings with whole numbers, for a trait that a model judges.
const NUMBERS: [&str; 4] =
    ["min_score", "max_score", "deep_judgment_max_excerpts", "deep_judgment_excerpt_retry_attempts"];

/// Returns the reader of a form, if a file is written for it and the reader refuses wrong values.
fn reader<'o>(
    form: CheckpointForm,
    options: &CheckpointWriteOptions<'o>,
) -> Option<(CheckpointProfile, &'o dyn CheckpointPrograms)> {
    let profile = match form {
        CheckpointForm::Library => CheckpointProfile::Library,
        CheckpointForm::Interface => CheckpointProfile::Interface,
        CheckpointForm::Specification | CheckpointForm::Version2(_) => return None,
    };
    match options.purpose {
        WritePurpose::File(programs) => Some((profile, programs)),
        WritePurpose::Graph => None,
    }
}

/// Returns why the reader of the form would refuse a trait.
pub(super) fn refusal_of_trait(
    read: &RubricTrait<'_>,
    form: CheckpointForm,
    options: &CheckpointWriteOptions<'_>,
) -> Option<String> {
    let (profile, programs) = reader(form, options)?;
    if is_plain(read) {
        return None;
    }
    programs.refusal_of_rating(profile, rating(read, form), read.scope == TraitScope::Global)
}

/// Returns why the library would refuse a scenario.
pub(super) fn refusal_of(scenario: &PlacedValue<'_>, options: &CheckpointWriteOptions<'_>) -> Option<String> {
    let (_, programs) = reader(CheckpointForm::Library, options)?;
    programs.refusal_of_scenario(scenario.as_json())
}

/// Returns the properties of a question that the library refuses: each `finished` that is not a boolean.
pub(super) fn refused_properties<'q, 'd>(
    question: &'q CheckpointQuestion<'d>,
    form: CheckpointForm,
    options: &CheckpointWriteOptions<'_>,
) -> Vec<&'q PropertyValue<'d>> {
    let Some((CheckpointProfile::Library, programs)) = reader(form, options) else { return Vec::new() };
    let finished = question.properties.iter().filter(|property| property.name == "finished");
    finished
        .filter(|property| {
            programs.refuses_boolean(property.value.as_ref().map_or("null", PlacedValue::as_json))
        })
        .collect()
}

/// Returns whether a trait is plain and needs no check: a model judges it, with booleans and whole numbers.
fn is_plain(read: &RubricTrait<'_>) -> bool {
    let (worst, best) = read.range();
    let number = |text: &str| number_of(text, CheckpointForm::Interface).parse::<f64>().unwrap_or_default();
    let has_range = number(&worst) < number(&best);
    let is_plain_setting = |property: &PropertyValue<'_>| {
        let json = property.value.as_ref().map_or("null", PlacedValue::as_json);
        let is_whole = json.bytes().all(|byte| byte.is_ascii_digit());
        matches!(json, "true" | "false") || NUMBERS.contains(&property.name.as_str()) && is_whole
    };
    matches!(read.kind, TraitKind::Boolean | TraitKind::Score)
        && has_range
        && !read.name.shown().trim().is_empty()
        && read.properties.iter().all(is_plain_setting)
}

/// Returns the rating as it would be written, reduced to the parts that readers check.
fn rating(read: &RubricTrait<'_>, form: CheckpointForm) -> String {
    let (worst, best) = read.range();
    let property = |name: &str, json: Option<&str>| {
        let mut members = MemberTexts::default();
        members.text("name", name);
        members.maybe_json("value", json);
        members.object()
    };
    let given = read.properties.iter();
    let given = given.map(|given| property(&given.name, given.value.as_ref().map(PlacedValue::as_json)));
    let kind = kind_of_callable(read, form).map(|kind| property("kind", Some(&quoted(kind))));
    let properties: Vec<String> = given.chain(kind).collect();
    let description = read.description.as_ref().map(|text| quoted(&text.shown()));
    let mut members = MemberTexts::default();
    members.text("@type", "Rating");
    members.text("name", &read.name.shown());
    members.add("description", description.as_deref().unwrap_or("null"));
    members.add("bestRating", &number_of(&best, form));
    members.add("worstRating", &number_of(&worst, form));
    members.text("additionalType", &type_name(read, form));
    members.add("additionalProperty", &format!("[{}]", properties.join(",")));
    members.object()
}

/// Returns a kind for a callable that states none: the library assumes a boolean, and the user interface requires a
/// kind.
pub(super) fn kind_of_callable(read: &RubricTrait<'_>, form: CheckpointForm) -> Option<&'static str> {
    let is_untold = form == CheckpointForm::Interface
        && read.kind == TraitKind::Callable
        && read.setting("kind").is_none();
    is_untold.then(|| read.rated_kind().name())
}

/// Returns the value of `additionalType`.
pub(super) fn type_name(read: &RubricTrait<'_>, form: CheckpointForm) -> String {
    let stem = match read.kind {
        TraitKind::Boolean | TraitKind::Score => "RubricTrait",
        TraitKind::Literal | TraitKind::Template => "LLMRubricTrait",
        TraitKind::Regex => "RegexTrait",
        TraitKind::Callable => "CallableTrait",
        TraitKind::Metric => "MetricRubricTrait",
        TraitKind::Agentic => "AgenticRubricTrait",
        TraitKind::Dynamic => "DynamicRubricTrait",
    };
    let scope = match read.scope {
        TraitScope::Global => "Global",
        TraitScope::Question => "QuestionSpecific",
    };
    let prefix = if form == CheckpointForm::Library { "karenina:" } else { "" };
    format!("{prefix}{scope}{stem}")
}
