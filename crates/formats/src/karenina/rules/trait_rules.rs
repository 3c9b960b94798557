//! Traits as the Python library extracts them from a checkpoint: it collects the properties of a rating, fills in
//! missing ones, and reads the result as one object of [`trait_models`](super::trait_models).

use super::library_table::{KIND, LIBRARY, NAMES, READ};
use super::trait_models::{AGENTIC, CALLABLE, JUDGED, METRIC, OLD_REGEX, REGEX};
use crate::checking::schema::{
    CoercionMode, FieldPlace, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, SchemaFinding,
};
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId, parse};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

/// A kind of trait: the end of its type's name, its name in a dynamic trait, its fields.
struct LibraryTraitKind {
    stem: &'static str,
    dynamic: &'static str,
    model: &'static ObjectSchema,
}

static KINDS: [LibraryTraitKind; 5] = [
    LibraryTraitKind { stem: "RegexTrait", dynamic: "regex", model: &REGEX },
    LibraryTraitKind { stem: "CallableTrait", dynamic: "callable", model: &CALLABLE },
    LibraryTraitKind { stem: "MetricRubricTrait", dynamic: "metric", model: &METRIC },
    LibraryTraitKind { stem: "AgenticRubricTrait", dynamic: "agentic", model: &AGENTIC },
    // A model judges the traits of all other types.
    LibraryTraitKind { stem: "", dynamic: "llm", model: &JUDGED },
];

impl LibraryTraitKind {
    /// Returns the default of an absent property as JSON, or `None` if the library leaves the field out. A field
    /// without a default is also left out if the property is null.
    fn default_of(&self, property: &str) -> Option<&'static str> {
        Some(match property {
            "min_score" | "max_score" => return None,
            "pattern" | "callable_code" => "\"\"",
            "kind" if self.dynamic != "llm" => "\"boolean\"",
            "higher_is_better" if self.dynamic != "metric" => "true",
            "case_sensitive" | "repeated_extraction" | "deep_judgment_excerpt_enabled" => "true",
            "invert_result" | "deep_judgment_enabled" | "deep_judgment_search_enabled" => "false",
            "materialize_trace" | "persist_trace" => "false",
            "metrics" | "tp_instructions" | "tn_instructions" => "[]",
            "evaluation_mode" => "\"tp_only\"",
            "context_mode" => "\"trace_and_workspace\"",
            "max_turns" => "15",
            "timeout_seconds" => "120",
            _ => "null",
        })
    }
}

/// The names of the traits in a rubric.
#[derive(Default)]
pub(super) struct RubricNames {
    names: HashSet<String>,
}

impl RubricNames {
    /// Adds the trait of a rating.
    pub(super) fn add(&mut self, reader: &mut SchemaChecker<'_>, rating: TokenId) {
        if let Some(name) = reader.text(rating, "name") {
            self.add_name(reader, FieldPlace { object: rating, key: "name" }, &name);
        }
    }

    fn add_name(
        &mut self,
        reader: &mut SchemaChecker<'_>,
        FieldPlace { object, key }: FieldPlace,
        name: &str,
    ) {
        reader.look(&NAMES);
        if name.contains('.') {
            let message =
                format!("the name `{name}` has a dot, which results use to name the parts of a trait");
            reader.fault_at(object, key, message);
        }
        if !self.names.insert(name.to_owned()) {
            reader.fault_at(object, key, format!("another trait of the rubric has the name `{name}`"));
        }
    }
}

/// Returns the properties of an object that have a name, in order.
pub(super) fn properties_named<'d>(
    document: &'d JsonDocument,
    object: TokenId,
    name: &'d str,
) -> impl Iterator<Item = TokenId> + use<'d> {
    let list = document.get(object, "additionalProperty");
    let properties = list.into_iter().flat_map(|list| document.items(list));
    properties.filter(move |&property| {
        let found = document.get(property, "name").and_then(|found| document.string(found));
        found.is_some_and(|found| found == name)
    })
}

/// Checks a rating as a trait whose type ends in `stem`. Returns whether the library reads it at all.
pub(super) fn look_at_rating(reader: &mut SchemaChecker<'_>, rating: TokenId, stem: &str) -> bool {
    let document = reader.document;
    if stem != "DynamicRubricTrait" {
        let kind = KINDS.iter().find(|kind| kind.stem == stem).unwrap_or(&KINDS[4]);
        look_at_trait(reader, rating, kind, false);
        return true;
    }
    let tag = properties_named(document, rating, "dynamic_trait_type").last();
    let value = tag.and_then(|tag| document.get(tag, "value"));
    let word = value.and_then(|value| document.string(value));
    let named = if tag.is_none() { Some("llm") } else { word.as_deref() };
    let Some(kind) = KINDS.iter().find(|kind| Some(kind.dynamic) == named) else {
        let message = match value {
            Some(value) => format!("of type {}", reader.show(value)),
            None => "whose `dynamic_trait_type` has no value".to_owned(),
        };
        let message = format!("the library leaves out a dynamic trait {message}");
        reader.rule = &READ;
        reader.fault(FieldPlace { object: rating, key: "dynamic_trait_type" }, value, message);
        return false;
    };
    look_at_trait(reader, rating, kind, true);
    let description = reader.present(rating, "description");
    let summary = properties_named(document, rating, "summary").last();
    let has_summary = summary.is_some_and(|summary| reader.present(summary, "value").is_some());
    if description.is_none() && !has_summary {
        let message = "a dynamic trait has neither `summary` nor `description`";
        reader.fault(FieldPlace { object: rating, key: "description" }, description, message);
    }
    true
}

fn look_at_trait(
    reader: &mut SchemaChecker<'_>,
    rating: TokenId,
    kind: &'static LibraryTraitKind,
    is_dynamic: bool,
) {
    reader.look(&KIND);
    let arguments = TraitFields::from_rating(reader, rating, kind, is_dynamic);
    // If the text is invalid JSON, that was reported when the file was read.
    let depth = Limits { depth: usize::MAX, ..Limits::default() };
    let Ok(read) = parse("trait", arguments.text(), depth) else { return };
    let mut inner = SchemaChecker::new(&read, CoercionMode::Lax(LIBRARY), &KIND);
    inner.object(read.root(), kind.model);
    for fault in inner.faults {
        let (spot, value) = arguments.place(&read, rating, &fault);
        // The types of name and description are checked with the fields of the rating.
        let is_text = value.is_some_and(|value| reader.document.is_string(value));
        let is_told = matches!(fault.spot.key, "name" | "description") && !is_text;
        if !is_told || kind.dynamic == "agentic" {
            reader.fault(spot, value, fault.message);
        }
    }
}

/// A field of a trait: its value as JSON, and the value that it came from.
struct TraitField {
    key: &'static str,
    json: String,
    /// The value that it came from, and whether that was used unchanged.
    origin: Option<(TokenId, bool)>,
}

/// The fields from which the library makes a trait.
struct TraitFields(Vec<TraitField>);

impl TraitFields {
    fn from_rating(
        reader: &SchemaChecker<'_>,
        rating: TokenId,
        kind: &LibraryTraitKind,
        is_dynamic: bool,
    ) -> Self {
        let document = reader.document;
        let argument = |field: &'static SchemaField| match field.key {
            key @ ("name" | "description") => {
                let value = reader.present(rating, key);
                // An agentic trait without a description gets an empty one from the library.
                let none = if key == "description" && kind.dynamic == "agentic" { "\"\"" } else { "null" };
                let json = value.map_or(none, |value| document.raw(value)).to_owned();
                Some(TraitField { key, json, origin: value.map(|value| (value, true)) })
            }
            // The `summary` of a dynamic trait is not checked.
            "summary" if is_dynamic => None,
            key => TraitField::from_field(document, rating, field, kind.default_of(key)),
        };
        let mut arguments = Self(kind.model.fields.iter().filter_map(argument).collect());
        if kind.dynamic == "llm" {
            arguments.settle_kind(document, rating);
        }
        arguments
    }

    /// Determines the kind of a trait that a model judges, and drops the fields that are not used for that kind.
    fn settle_kind(&mut self, document: &JsonDocument, rating: TokenId) {
        let Some(kind) = self.0.iter_mut().find(|argument| argument.key == "kind") else { return };
        if kind.json.starts_with('{') {
            self.0.retain(|argument| matches!(argument.key, "name" | "description" | "kind" | "summary"));
            return;
        }
        if kind.json == "null" {
            let number = |key| document.get(rating, key).and_then(|value| LIBRARY.number(document, value));
            let is_boolean = (number("bestRating"), number("worstRating")) == (Some(1.0), Some(0.0));
            kind.json = if is_boolean { "\"boolean\"" } else { "\"score\"" }.to_owned();
        } else if !matches!(kind.json.as_str(), "\"literal\"" | "\"boolean\"") {
            // Any other kind is read as a score.
            kind.json = "\"score\"".to_owned();
        }
        if kind.json != "\"literal\"" {
            self.0.retain(|argument| argument.key != "classes");
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for TraitField { key, json, .. } in &self.0 {
            let before = if text.is_empty() { '{' } else { ',' };
            // Writing to a string cannot fail.
            let _ = write!(text, "{before}\"{key}\":{json}");
        }
        text + "}"
    }

    /// Returns the place in the checkpoint of a fault in the trait.
    fn place(
        &self,
        read: &JsonDocument,
        rating: TokenId,
        fault: &SchemaFinding,
    ) -> (FieldPlace, Option<TokenId>) {
        let at = fault.value.unwrap_or(fault.spot.object);
        let root = read.root();
        let holder = read.members(root).find(|member| member.value <= at && at < read.after(member.value));
        let key = holder.map_or(fault.spot.key, |member| self.key_of(read.symbol_text(member.symbol)));
        let spot = FieldPlace { object: rating, key };
        let origin = self.0.iter().find(|argument| argument.key == key).and_then(|argument| argument.origin);
        let value = match (origin, holder) {
            (Some((value, true)), Some(member)) => {
                Some(TokenId::from_index(value.index() + at.index() - member.value.index()))
            }
            (Some((value, _)), _) => Some(value),
            (None, _) => None,
        };
        (spot, value)
    }

    fn key_of(&self, key: &str) -> &'static str {
        self.0.iter().map(|argument| argument.key).find(|known| *known == key).unwrap_or("")
    }
}

impl TraitField {
    /// Makes a field from the last property of its name; `None` if the field is left out. A string may contain a list
    /// or classes as JSON; any other value of such a field is treated as an empty list or as null.
    fn from_field(
        document: &JsonDocument,
        rating: TokenId,
        field: &SchemaField,
        default: Option<&str>,
    ) -> Option<Self> {
        let key = field.key;
        let Some(holder) = properties_named(document, rating, key).last() else {
            return default.map(|json| Self { key, json: json.to_owned(), origin: None });
        };
        let none = if matches!(field.holds, SchemaFieldType::Array(_)) { "[]" } else { "null" };
        let value = document.get(holder, "value").filter(|&value| document.kind(value) != JsonKind::Null);
        let Some(value) = value else {
            return default.map(|_| Self { key, json: none.to_owned(), origin: Some((holder, false)) });
        };
        let is_same = match field.holds {
            SchemaFieldType::Array(_) => document.is_array(value),
            SchemaFieldType::ByKey(_) | SchemaFieldType::Object(_) => document.is_object(value),
            _ => true,
        };
        let is_json = |text: &Cow<'_, str>| parse("json", text.to_string(), Limits::default()).is_ok();
        let json = match document.string(value) {
            _ if is_same => document.raw(value).to_owned(),
            Some(text) if !matches!(field.holds, SchemaFieldType::Object(_)) && is_json(&text) => {
                text.into_owned()
            }
            _ => none.to_owned(),
        };
        Some(Self { key, json, origin: Some((value, is_same)) })
    }
}

/// Properties that contain the checkpoint's traits as JSON in older files: the name and the kind of trait.
const LEGACY: [(&str, &str); 3] = [
    ("global_regex_rubric_traits", "regex"),
    ("global_callable_rubric_traits", "callable"),
    ("global_metric_rubric_traits", "metric"),
];

/// Checks the traits that properties of the checkpoint contain as JSON.
pub(super) fn look_at_legacy_traits(reader: &mut SchemaChecker<'_>, root: TokenId, rubric: &mut RubricNames) {
    let document = reader.document;
    for (name, word) in LEGACY {
        let Some(kind) = KINDS.iter().find(|kind| kind.dynamic == word) else { continue };
        for property in properties_named(document, root, name) {
            let Some(value) = document.get(property, "value") else { continue };
            // The library ignores invalid JSON, and all items from the first one that is not an object.
            let Some(text) = document.string(value) else { continue };
            let Ok(list) = parse(name, text.into_owned(), Limits::default()) else { continue };
            let spot = FieldPlace { object: property, key: "value" };
            for item in list.items(list.root()).take_while(|&item| list.is_object(item)) {
                let mut inner = SchemaChecker::new(&list, CoercionMode::Lax(LIBRARY), &KIND);
                let is_old = word == "regex" && list.get(item, "invert_result").is_none();
                let is_old = is_old && list.get(item, "invert").is_some();
                inner.object(item, if is_old { &OLD_REGEX } else { kind.model });
                reader.look(&KIND);
                for fault in inner.faults {
                    reader.fault(spot, Some(value), format!("{} in the JSON of `{name}`", fault.message));
                }
                let own = list.get(item, "name").and_then(|name| list.string(name));
                if let Some(own) = own {
                    rubric.add_name(reader, spot, &own);
                }
            }
        }
    }
}
