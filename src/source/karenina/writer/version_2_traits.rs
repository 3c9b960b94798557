//! Writes traits as the definitions of version 2.0: lists by kind, with the settings that each kind
//! has there.

use super::form::{Form, Purpose, Version2Shape};
use super::ledger::Ledger;
use crate::json::number::is_number;
use crate::json::write_string;
use crate::source::karenina::checkpoint::{Trait, Value};
use crate::source::karenina::identifiers::interface_rating_id;
use crate::source::karenina::traits::{TraitKind, TraitScope};
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

/// A list of a rubric: its key, and the settings of a trait in it.
struct List {
    key: &'static str,
    kinds: &'static [TraitKind],
    settings: &'static [&'static str],
    /// Whether the list is there even if it is empty.
    is_required: bool,
}

const NUMBERS: [TraitKind; 2] = [TraitKind::Boolean, TraitKind::Score];

const METRIC: List = List {
    key: "metric_traits",
    kinds: &[TraitKind::Metric],
    settings: &["evaluation_mode", "metrics", "tp_instructions", "tn_instructions", "repeated_extraction"],
    is_required: false,
};

const TRAITS: List = List { key: "traits", kinds: &NUMBERS, settings: &JUDGED, is_required: true };

const LISTS_A: [List; 1] = [TRAITS];

const LISTS_B: [List; 3] = [
    TRAITS,
    List {
        key: "manual_traits",
        kinds: &[TraitKind::Regex, TraitKind::Callable],
        settings: &["pattern", "callable_name", "case_sensitive", "invert_result"],
        is_required: false,
    },
    METRIC,
];

const LISTS_C: [List; 4] = [
    List {
        key: "llm_traits",
        kinds: &[TraitKind::Boolean, TraitKind::Score, TraitKind::Literal],
        settings: &JUDGED,
        is_required: true,
    },
    List {
        key: "regex_traits",
        kinds: &[TraitKind::Regex],
        settings: &["pattern", "case_sensitive", "invert_result"],
        is_required: false,
    },
    List {
        key: "callable_traits",
        kinds: &[TraitKind::Callable],
        settings: &["callable_code", "kind", "min_score", "max_score", "invert_result"],
        is_required: false,
    },
    METRIC,
];

fn lists(shape: Version2Shape) -> &'static [List] {
    match shape {
        Version2Shape::A => &LISTS_A,
        Version2Shape::B => &LISTS_B,
        Version2Shape::C => &LISTS_C,
    }
}

impl List {
    fn holds(&self, read: &Trait<'_>) -> bool {
        // A function that stands there by its name alone has no code, and the reverse.
        let is_named = read.kind != TraitKind::Callable || read.setting("callable_name").is_some();
        self.kinds.contains(&read.kind) && (self.key != "manual_traits" || is_named)
    }
}

/// The traits as a rubric; `null` where there are none.
pub(super) fn rubric<'d>(
    traits: &[Trait<'d>],
    shape: Version2Shape,
    purpose: Purpose,
    part: &str,
    ledger: &mut Ledger<'d>,
) -> String {
    let mut written: Vec<Vec<String>> = lists(shape).iter().map(|_| Vec::new()).collect();
    let mut latest = 0;
    for read in traits {
        let path = format!("{part}/{}", read.name.shown());
        let Some(at) = lists(shape).iter().position(|list| list.holds(read)) else {
            let scope = match read.scope {
                TraitScope::Global => "global",
                TraitScope::Question => "question",
            };
            ledger.loss(format!("{scope} trait of kind {}", read.kind.name()), path, read.origin);
            continue;
        };
        if at < latest {
            ledger.loss("place of a trait among those of other kinds", format!("{part}#order"), read.origin);
        }
        latest = latest.max(at);
        lose_fields(read, &path, ledger);
        let all;
        let settings = match purpose {
            Purpose::File => lists(shape)[at].settings,
            Purpose::Graph => {
                all = setting_names(read);
                &all
            }
        };
        written[at].push(definition(read, settings, Some((&path, ledger))));
    }
    if written.iter().all(Vec::is_empty) {
        return "null".to_owned();
    }
    let lists =
        lists(shape).iter().zip(&written).filter(|(list, traits)| list.is_required || !traits.is_empty());
    let lists: Vec<String> =
        lists.map(|(list, traits)| format!("{}:[{}]", quoted(list.key), traits.join(","))).collect();
    format!("{{{}}}", lists.join(","))
}

/// A metric as an object.
pub(super) fn metric_definition(read: &Trait<'_>) -> String {
    definition(read, METRIC.settings, None)
}

/// A trait with all its settings, as the first specification has it in a text.
pub(super) fn judged_definition(read: &Trait<'_>) -> String {
    definition(read, &setting_names(read), None)
}

fn setting_names<'t>(read: &'t Trait<'_>) -> Vec<&'t str> {
    read.properties.iter().map(|property| property.name.as_str()).collect()
}

/// A trait as an object. Settings that the list does not have are lost.
fn definition<'d>(
    read: &Trait<'d>,
    settings: &[&str],
    mut ledger: Option<(&str, &mut Ledger<'d>)>,
) -> String {
    let mut members = vec![format!("\"name\":{}", quoted(&read.name.shown()))];
    if let Some(description) = &read.description {
        members.push(format!("\"description\":{}", quoted(&description.shown())));
    }
    let is_score = read.kind == TraitKind::Score;
    match read.kind {
        TraitKind::Boolean => members.push("\"kind\":\"boolean\"".to_owned()),
        TraitKind::Literal => members.push("\"kind\":\"literal\"".to_owned()),
        TraitKind::Score => {
            members.push("\"kind\":\"score\"".to_owned());
            for (key, value) in [("min_score", &read.worst), ("max_score", &read.best)] {
                if let Some(value) = value {
                    let number = number_of(&value.shown(), Form::Interface).into_owned();
                    members.push(format!("\"{key}\":{number}"));
                }
            }
        }
        _ => {}
    }
    let is_own = |name: &str| match name {
        "kind" => matches!(read.kind, TraitKind::Boolean | TraitKind::Score | TraitKind::Literal),
        "min_score" | "max_score" => is_score,
        _ => false,
    };
    let mut names: Vec<&str> = Vec::new();
    // What the form takes for granted is said where its own reader is not the only one.
    let says_all = ledger.is_none();
    for property in read.properties.iter().filter(|property| says_all || !property.is_implied) {
        let name = property.name.as_str();
        let json = property.value.as_ref().map_or("null", Value::as_json);
        if is_own(name) {
            lose_contradiction(read, property.value.as_ref(), name, &mut ledger);
        } else if settings.contains(&name) && !names.contains(&name) {
            members.push(format!("{}:{json}", quoted(name)));
            names.push(name);
        } else if let Some((part, ledger)) = &mut ledger {
            let subject = format!("`{name}` of a {} trait", read.kind.name());
            ledger.loss(subject, format!("{part}/properties/{name}"), property.origin);
        }
    }
    format!("{{{}}}", members.join(","))
}

/// A setting that says another range than the rating.
fn lose_contradiction<'d>(
    read: &Trait<'d>,
    value: Option<&Value<'d>>,
    name: &str,
    ledger: &mut Option<(&str, &mut Ledger<'d>)>,
) {
    let own = match name {
        "min_score" => &read.worst,
        "max_score" => &read.best,
        _ => return,
    };
    let Some(value) = value.filter(|value| value.as_f64() != own.as_ref().and_then(Value::as_f64)) else {
        return;
    };
    if let Some((part, ledger)) = ledger {
        let subject = format!("`{name}` of a trait that says another range");
        ledger.loss(subject, format!("{part}/properties/{name}"), value.origin);
    }
}

/// Notes what version 2.0 has no field for, whatever the kind.
fn lose_fields<'d>(read: &Trait<'d>, part: &str, ledger: &mut Ledger<'d>) {
    let made = interface_rating_id(&read.name.shown());
    let id = read.id.as_ref().filter(|id| id.shown() != made);
    let fields = [
        ("@id", "id", id),
        ("ratingValue", "rating_value", read.rating_value.as_ref()),
        ("ratingExplanation", "rating_explanation", read.rating_explanation.as_ref()),
    ];
    for (key, field, value) in fields {
        if let Some(value) = value {
            ledger.loss(format!("`{key}` of a trait"), format!("{part}/{field}"), value.origin);
        }
    }
    for other in &read.others {
        let subject = format!("`{}` of a trait", other.key);
        ledger.loss(subject, format!("{part}/others/{}", other.key), other.value.origin);
    }
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    write_string(text, &mut json);
    json
}

/// A number as a form spells it: the library with a fraction, the others without one that is zero.
/// What is a number only to Karenina's reader, a string or a boolean, becomes one.
pub(super) fn number_of(text: &str, form: Form) -> Cow<'_, str> {
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
    if form == Form::Karenina {
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
    use super::{Form, number_of};

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
            assert_eq!(number_of(text, Form::Karenina), library, "{text}");
            assert_eq!(number_of(text, Form::Interface), others, "{text}");
        }
    }
}
