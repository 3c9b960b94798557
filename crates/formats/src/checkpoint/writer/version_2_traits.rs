//! Writes traits as the definitions of version 2.0: lists by kind, with the settings that each kind
//! has there.

use super::checkpoint_form::{CheckpointForm, Version2Shape, WritePurpose};
use super::ledger::{ConversionLedger, PartPath};
use crate::checkpoint::identifiers::interface_rating_id;
use crate::checkpoint::model::{PlacedValue, RubricTrait};
use crate::checkpoint::traits::{TraitKind, TraitScope};
use TraitKind::{Boolean, Callable, Literal, Metric, Regex, Score};
use evalgraph_diagnostics::article::with_article;
use evalgraph_json::number::is_number;
use evalgraph_json::write_string;
use std::borrow::Cow;

/// The settings of a trait that a model judges.
const JUDGED: [&str; 10] = [
    "deep_judgment_enabled",
    "deep_judgment_excerpt_enabled",
    "deep_judgment_search_enabled",
    "deep_judgment_max_excerpts",
    "deep_judgment_fuzzy_match_threshold",
    "deep_judgment_excerpt_retry_attempts",
    "higher_is_better",
    "classes",
    "min_score",
    "max_score",
];

/// A list of a rubric: its key, and the settings of its traits.
struct RubricList {
    key: &'static str,
    kinds: &'static [TraitKind],
    settings: &'static [&'static str],
    /// `true` if the list is written even if it is empty.
    is_required: bool,
}

const fn list(
    key: &'static str,
    kinds: &'static [TraitKind],
    settings: &'static [&'static str],
) -> RubricList {
    RubricList { key, kinds, settings, is_required: false }
}

/// The list of traits that a model judges.
const fn judged(key: &'static str, kinds: &'static [TraitKind]) -> RubricList {
    RubricList { is_required: true, ..list(key, kinds, &JUDGED) }
}

const METRIC_SETTINGS: [&str; 5] =
    ["evaluation_mode", "metrics", "tp_instructions", "tn_instructions", "repeated_extraction"];
const METRIC: RubricList = list("metric_traits", &[Metric], &METRIC_SETTINGS);
const TRAITS: RubricList = judged("traits", &[Boolean, Score]);

const LISTS_A: [RubricList; 1] = [TRAITS];

const LISTS_B: [RubricList; 3] = [
    TRAITS,
    list(
        "manual_traits",
        &[Regex, Callable],
        &["pattern", "callable_name", "case_sensitive", "invert_result"],
    ),
    METRIC,
];

const LISTS_C: [RubricList; 4] = [
    judged("llm_traits", &[Boolean, Score, Literal]),
    list("regex_traits", &[Regex], &["pattern", "case_sensitive", "invert_result"]),
    list(
        "callable_traits",
        &[Callable],
        &["callable_code", "kind", "min_score", "max_score", "invert_result"],
    ),
    METRIC,
];

fn lists(shape: Version2Shape) -> &'static [RubricList] {
    match shape {
        Version2Shape::A => &LISTS_A,
        Version2Shape::B => &LISTS_B,
        Version2Shape::C => &LISTS_C,
    }
}

impl RubricList {
    fn holds(&self, read: &RubricTrait<'_>) -> bool {
        // A callable in `manual_traits` has a name and no code; a callable with code has no name.
        let is_named = read.kind != Callable || read.setting("callable_name").is_some();
        self.kinds.contains(&read.kind) && (self.key != "manual_traits" || is_named)
    }
}

/// Returns the traits as a rubric; `null` if there are none.
pub(super) fn rubric<'d>(
    traits: &[RubricTrait<'d>],
    shape: Version2Shape,
    purpose: WritePurpose<'_>,
    part: &PartPath<'_>,
    ledger: &mut ConversionLedger<'d>,
) -> String {
    let lists = lists(shape);
    let mut written: Vec<Vec<String>> = lists.iter().map(|_| Vec::new()).collect();
    let mut latest = 0;
    for read in traits {
        let path = part.named(&read.name);
        let Some(at) = lists.iter().position(|list| list.holds(read)) else {
            ledger.loss(kind_in_words(read), path, read.origin);
            continue;
        };
        if at < latest {
            ledger.loss(
                "position of a trait among those of other kinds",
                format!("{part}#order"),
                read.origin,
            );
        }
        latest = latest.max(at);
        // These members have no field in version 2.0, whatever the kind of the trait.
        let made = interface_rating_id(&read.name.shown());
        let id = read.id.as_ref().filter(|id| id.shown() != made);
        ledger.lose_value("`@id` of a trait", path.field("id"), id);
        lose_values(ledger, read, &path);
        ledger.lose_others(&read.others, "a trait", &path);
        let all;
        let settings = match purpose {
            WritePurpose::File(_) => lists[at].settings,
            WritePurpose::Graph => {
                all = setting_names(read);
                &all
            }
        };
        written[at].push(definition(read, settings, Some((&path, ledger))));
    }
    if written.iter().all(Vec::is_empty) {
        return "null".to_owned();
    }
    let mut members = MemberTexts::default();
    for (list, traits) in lists.iter().zip(&written) {
        if list.is_required || !traits.is_empty() {
            members.add(list.key, &format!("[{}]", traits.join(",")));
        }
    }
    members.object()
}

/// Describes a trait with words that are the same for all traits of its kind.
pub(super) fn kind_in_words(read: &RubricTrait<'_>) -> String {
    let scope = match read.scope {
        TraitScope::Global => "global",
        TraitScope::Question => "question",
    };
    format!("{scope} trait of kind {}", read.kind.name())
}

/// Records the value of a trait as lost, because a definition has none.
pub(super) fn lose_values<'d>(
    ledger: &mut ConversionLedger<'d>,
    read: &RubricTrait<'d>,
    part: &PartPath<'_>,
) {
    ledger.lose_value("`ratingValue` of a trait", part.field("rating_value"), read.rating_value.as_ref());
    let explanation = read.rating_explanation.as_ref();
    ledger.lose_value("`ratingExplanation` of a trait", part.field("rating_explanation"), explanation);
}

/// Returns a metric as an object.
pub(super) fn metric_definition(read: &RubricTrait<'_>) -> String {
    definition(read, &METRIC_SETTINGS, None)
}

/// Returns a trait with all its settings, as in a JSON string of the first specification.
pub(super) fn judged_definition(read: &RubricTrait<'_>) -> String {
    definition(read, &setting_names(read), None)
}

fn setting_names<'t>(read: &'t RubricTrait<'_>) -> Vec<&'t str> {
    read.properties.iter().map(|property| property.name.as_str()).collect()
}

/// Returns a trait as an object. Settings that the list does not have are recorded as lost.
fn definition<'d>(
    read: &RubricTrait<'d>,
    settings: &[&str],
    mut ledger: Option<(&PartPath<'_>, &mut ConversionLedger<'d>)>,
) -> String {
    let mut members = MemberTexts::default();
    members.text("name", &read.name.shown());
    members.maybe("description", read.description.as_ref());
    let says_kind = matches!(read.kind, Boolean | Score | Literal);
    if says_kind {
        members.text("kind", read.kind.name());
    }
    let is_score = read.kind == Score;
    for (key, end) in [("min_score", &read.worst), ("max_score", &read.best)] {
        if let Some(end) = end.as_ref().filter(|_| is_score) {
            members.add(key, &number_of(&end.shown(), CheckpointForm::Interface));
        }
    }
    let mut names: Vec<&str> = Vec::new();
    // Implied settings are written only if programs of other forms read the definition.
    let says_all = ledger.is_none();
    for property in read.properties.iter().filter(|property| says_all || !property.is_implied) {
        let name = property.name.as_str();
        let end = match name {
            "kind" if says_kind => continue,
            "min_score" if is_score => Some(&read.worst),
            "max_score" if is_score => Some(&read.best),
            _ => None,
        };
        if end.is_none() && settings.contains(&name) && !names.contains(&name) {
            members.add(name, property.value.as_ref().map_or("null", PlacedValue::as_json));
            names.push(name);
            continue;
        }
        let Some((part, ledger)) = &mut ledger else { continue };
        let (subject, origin) = match (end, &property.value) {
            (None, _) => (format!("`{name}` of {} trait", with_article(read.kind.name())), property.origin),
            (Some(end), Some(value)) if value.as_f64() != end.as_ref().and_then(PlacedValue::as_f64) => {
                (format!("`{name}` of a trait that gives another range"), value.origin)
            }
            (Some(_), _) => continue,
        };
        ledger.loss(subject, part.field("properties").field(name), origin);
    }
    members.object()
}

/// The members of an object, in order.
#[derive(Default)]
pub(super) struct MemberTexts(Vec<String>);

impl MemberTexts {
    pub(super) fn add(&mut self, key: &str, json: &str) {
        self.0.push(format!("{}:{json}", quoted(key)));
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.add(key, &quoted(text));
    }

    /// Adds a member with the text of a value, if there is one.
    pub(super) fn maybe(&mut self, key: &str, value: Option<&PlacedValue<'_>>) {
        if let Some(value) = value {
            self.text(key, &value.shown());
        }
    }

    /// Adds a member, if there is JSON for it.
    pub(super) fn maybe_json(&mut self, key: &str, json: Option<&str>) {
        if let Some(json) = json {
            self.add(key, json);
        }
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Sorts members by `order`; members that it lacks come last.
    pub(super) fn sort(&mut self, order: &[&str]) {
        let is_of = |member: &str, name: &str| {
            member[1..].strip_prefix(name).is_some_and(|rest| rest.starts_with('"'))
        };
        let rank = |member: &String| order.iter().position(|name| is_of(member, name));
        self.0.sort_by_key(|member| rank(member).unwrap_or(order.len()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn object(&self) -> String {
        format!("{{{}}}", self.0.join(","))
    }
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    write_string(text, &mut json);
    json
}

/// Returns a number in the spelling of a form: the library writes a fraction, the others omit a zero fraction. A string
/// or boolean that only Karenina's reader accepts as a number becomes a number.
pub(super) fn number_of(text: &str, form: CheckpointForm) -> Cow<'_, str> {
    let text = match text.trim() {
        "true" => "1",
        "false" => "0",
        text => text,
    };
    let number: Cow<'_, str> = match is_number(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.parse::<f64>().unwrap_or_default().to_string()),
    };
    let is_plain = !number.contains(['.', 'e', 'E']);
    if form == CheckpointForm::Library {
        return if is_plain { Cow::Owned(format!("{number}.0")) } else { number };
    }
    match number.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => {
            Cow::Owned(whole.to_owned())
        }
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::{CheckpointForm, number_of};

    #[test]
    fn numbers_are_spelled_as_each_form_spells_them() {
        let cases = [
            ("1", "1.0", "1"),
            ("5.0", "5.0", "5"),
            ("-2.50", "-2.50", "-2.50"),
            ("1e3", "1e3", "1e3"),
            ("12345678901234567890", "12345678901234567890.0", "12345678901234567890"),
            (" 4 ", "4.0", "4"),
            ("true", "1.0", "1"),
            (".5", "0.5", "0.5"),
            ("05", "5.0", "5"),
            ("+3", "3.0", "3"),
        ];
        for (text, library, others) in cases {
            assert_eq!(number_of(text, CheckpointForm::Library), library, "{text}");
            assert_eq!(number_of(text, CheckpointForm::Interface), others, "{text}");
        }
    }
}
