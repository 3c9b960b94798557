//! Reads traits from rubric objects, which have one list for each kind, in version 2.0 and in the
//! fixtures of the user interface.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs`.

use super::callable_code::encoded;
use super::checkpoint_reader::CheckpointReader;
use super::{PlacedValue, PropertyValue, RubricTrait, UnknownMember};
use crate::checkpoint::traits::{FORMS, TraitKind, TraitScope, kind_in_rubric};
use crate::records::PlaceExpectation;
use evalgraph_diagnostics::FindingSeverity;
use evalgraph_json::{JsonKind, TokenId};

/// The values of `kind` for a trait that a model judges. `binary` is an old name of `boolean`.
const KINDS: [&str; 4] = ["boolean", "binary", "score", "literal"];

impl<'d> CheckpointReader<'d> {
    /// Reads the traits of a rubric in the order of its lists; its other keys go to `others` of its owner.
    pub(super) fn rubric(
        &mut self,
        rubric: TokenId,
        scope: TraitScope,
        others: &mut Vec<UnknownMember<'d>>,
    ) -> Vec<RubricTrait<'d>> {
        let document = self.document;
        let mut traits = Vec::new();
        for member in document.members(rubric) {
            let key = document.symbol_text(member.symbol);
            let Some(list) = FORMS.iter().map(|form| form.list).find(|&list| list == key) else {
                let is_said =
                    !matches!(key, "@type" | "@id") && document.kind(member.value) != JsonKind::Null;
                others.extend(is_said.then(|| self.other(key, member.value)));
                continue;
            };
            if self.document.is_scalar(member.value) {
                self.misplaced(member.value, PlaceExpectation::List(list));
            } else {
                traits.extend(self.definitions(list, member.value, scope));
            }
        }
        traits
    }

    /// Reads the traits of one list.
    pub(super) fn definitions(
        &mut self,
        list: &str,
        definitions: TokenId,
        scope: TraitScope,
    ) -> Vec<RubricTrait<'d>> {
        let mut traits = Vec::new();
        // In a file that was made from a graph, a list with one trait is written as the trait itself.
        for value in self.keyed.each(definitions) {
            if self.document.is_object(value) {
                traits.extend(self.definition(list, value, scope));
            } else {
                self.misplaced(value, PlaceExpectation::Object("trait"));
            }
        }
        traits
    }

    fn definition(&mut self, list: &str, definition: TokenId, scope: TraitScope) -> Option<RubricTrait<'d>> {
        let kind = kind_in_rubric(&self.keyed, list, definition)?;
        let is_judged = matches!(list, "traits" | "llm_traits");
        let (mut best, mut worst, mut properties) = (None, None, Vec::new());
        let keys = ["name", "description"];
        let [name, description] = self.scalars(definition, keys, |reader, key, value| match key {
            "@type" => {}
            "kind" if is_judged => properties.extend(reader.kind_setting(kind, value)),
            "max_score" if kind == TraitKind::Score => best = reader.scalar(key, value),
            "min_score" if kind == TraitKind::Score => worst = reader.scalar(key, value),
            "invert" => properties.push(reader.field("invert_result", value)),
            _ => properties.push(reader.field(key, value)),
        });
        let name = self.need(name, "karenina::no-name", "a trait without `name`", definition)?;
        let named = RubricTrait::new(self.origin(definition), kind, scope, name);
        let mut read = with_implied(RubricTrait { description, best, worst, properties, ..named });
        // A callable or agentic trait that yields a number has its range in the settings; a rating repeats it as best
        // and worst.
        let has_result = matches!(kind, TraitKind::Callable | TraitKind::Agentic);
        if has_result && read.rated_kind() == TraitKind::Score {
            read.best = read.setting("max_score").cloned();
            read.worst = read.setting("min_score").cloned();
        }
        self.encode_code(&mut read);
        self.check_range(&read);
        Some(read)
    }

    /// Returns `kind` as a setting, if the list does not imply it.
    fn kind_setting(&mut self, kind: TraitKind, value: TokenId) -> Option<PropertyValue<'d>> {
        if matches!(kind, TraitKind::Literal | TraitKind::Template) {
            return Some(self.field("kind", value));
        }
        let name = self.document.string(value);
        if !name.is_some_and(|name| KINDS.contains(&name.as_ref())) {
            let shown = PlacedValue::at(self.document, value);
            let message = format!("no kind of trait is called `{}`", shown.shown());
            self.find(FindingSeverity::Error, "karenina::trait-kind", message, value);
        }
        None
    }

    /// Encodes plain code as base64, which every form uses.
    pub(super) fn encode_code(&mut self, read: &mut RubricTrait<'d>) {
        let code = read.properties.iter_mut().find(|property| property.name == "callable_code");
        let Some(property) = code else { return };
        let Some(encoded) = property.value.as_ref().and_then(encoded) else { return };
        let name = read.name.shown();
        let message = format!("the code of the trait `{name}` is plain text; it is encoded as base64");
        self.find(FindingSeverity::Note, "karenina::plain-code", message, property.origin.token);
        property.value = Some(encoded);
    }
}

/// Adds the settings that version 2.0 assumes if a definition omits them. Readers of ratings assume other values or
/// require the settings.
fn with_implied(read: RubricTrait<'_>) -> RubricTrait<'_> {
    match read.kind {
        TraitKind::Regex => imply(read, &[("case_sensitive", "true"), ("invert_result", "false")]),
        TraitKind::Metric => imply(read, &NOT_REPEATED),
        _ => read,
    }
}

/// The user interface's default for a metric; the library has the opposite default.
pub(super) const NOT_REPEATED: [(&str, &str); 1] = [("repeated_extraction", "false")];

/// Adds settings that a trait does not have.
pub(super) fn imply<'d>(mut read: RubricTrait<'d>, implied: &[(&str, &'static str)]) -> RubricTrait<'d> {
    for &(name, value) in implied {
        if read.property(name).is_none() {
            let value = PlacedValue::json(value, read.origin);
            let property = PropertyValue::new(name, Some(value), read.origin);
            read.properties.push(PropertyValue { is_implied: true, ..property });
        }
    }
    read
}
