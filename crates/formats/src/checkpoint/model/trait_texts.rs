//! Reads the definitions of global traits that a property of the root contains as a JSON string.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs`.

use super::checkpoint_reader::CheckpointReader;
use super::rating_traits::is_same;
use super::{Checkpoint, PlacedValue, PropertyValue, RubricTrait};
use crate::checkpoint::traits::{TRAIT_TEXTS, TraitScope};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::{JsonDocument, Limits, parse};

impl<'d> CheckpointReader<'d> {
    /// Takes the properties that contain global traits. Their definitions take precedence over a rating of the same
    /// name.
    pub(super) fn take_trait_texts(&mut self, checkpoint: &mut Checkpoint<'d>) {
        for (name, list) in TRAIT_TEXTS {
            let is_text = |property: &PropertyValue<'d>| property.name == name;
            let Some(at) = checkpoint.properties.iter().position(is_text) else { continue };
            let property = &checkpoint.properties[at];
            let Some(value) = property.value.as_ref() else { continue };
            let text = value.as_str().map(|text| text.into_owned());
            let inner = text.and_then(|text| parse(name, text, Limits::default()).ok());
            let Some(inner) = inner.filter(|inner| inner.is_array(inner.root())) else {
                let message =
                    format!("`{name}` is not a string with a JSON list of traits; it stays a property");
                let token = value.origin.token;
                self.find(FindingSeverity::Warning, "karenina::no-json", message, token);
                continue;
            };
            let property = checkpoint.properties.remove(at);
            let traits = self.inner_traits(&inner, list, &property);
            // A string that only repeats ratings adds nothing and does not change their order.
            let is_repeated =
                |read: &RubricTrait<'d>| checkpoint.global_traits.iter().any(|known| repeats(read, known));
            if list == "traits" || !traits.iter().all(is_repeated) {
                self.merge(traits, &mut checkpoint.global_traits);
            }
        }
    }

    /// Reads the traits of a JSON string; the place of each part is the place of the string.
    fn inner_traits(
        &mut self,
        inner: &JsonDocument,
        list: &str,
        property: &PropertyValue<'d>,
    ) -> Vec<RubricTrait<'d>> {
        let origin = property.value.as_ref().map_or(property.origin, |value| value.origin);
        let mut reader = CheckpointReader::new(inner, self.dialect);
        let traits = reader.definitions(list, inner.root(), TraitScope::Global);
        for finding in std::mem::take(&mut reader.findings) {
            self.find(finding.severity, "karenina::trait-text", finding.message, origin.token);
        }
        let here = |value: PlacedValue<'_>| PlacedValue::json(value.as_json().to_owned(), origin);
        let property_here = |property: PropertyValue<'_>| PropertyValue {
            is_implied: property.is_implied,
            ..PropertyValue::new(property.name, property.value.map(here), origin)
        };
        let own = |read: RubricTrait<'_>| RubricTrait {
            description: read.description.map(here),
            best: read.best.map(here),
            worst: read.worst.map(here),
            properties: read.properties.into_iter().map(property_here).collect(),
            ..RubricTrait::new(origin, read.kind, TraitScope::Global, here(read.name))
        };
        traits.into_iter().map(own).collect()
    }

    /// Puts the traits of a JSON string first, in its order, then the traits that only ratings define.
    fn merge(&mut self, traits: Vec<RubricTrait<'d>>, global: &mut Vec<RubricTrait<'d>>) {
        let mut merged = Vec::with_capacity(traits.len().max(global.len()));
        for mut read in traits {
            let known = global.iter().position(|known| known.name == read.name);
            if let Some(known) = known.map(|at| global.remove(at)) {
                if !is_same(&known, &read) {
                    let message = format!(
                        "the rating `{}` differs from the trait in `global_rubric_traits`, which takes precedence",
                        read.name.shown()
                    );
                    let warning = Diagnostic::warning("karenina::trait-text", message);
                    self.find_beside(
                        warning,
                        known.origin.token,
                        read.origin.token,
                        "the definition that is used",
                    );
                }
                read.id = known.id;
                read.rating_value = known.rating_value;
                read.rating_explanation = known.rating_explanation;
                read.others = known.others;
                let mut lacking = known.properties;
                lacking.retain(|property| read.property(&property.name).is_none());
                read.properties.append(&mut lacking);
            }
            merged.push(read);
        }
        merged.append(global);
        *global = merged;
    }
}

/// Returns whether the trait of a JSON string adds nothing to the trait of a rating.
fn repeats(read: &RubricTrait<'_>, known: &RubricTrait<'_>) -> bool {
    let own = read.properties.iter().filter(|property| !property.is_implied);
    let is_there = |property: &PropertyValue<'_>| {
        known.properties.iter().any(|other| other.name == property.name && other.value == property.value)
    };
    read.name == known.name && is_same(known, read) && own.into_iter().all(is_there)
}
