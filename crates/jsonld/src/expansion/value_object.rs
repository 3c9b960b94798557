//! Value objects of the Expansion Algorithm (section 5.1, step 15).
//!
//! `ExpansionAlgorithm` is defined in `expansion/mod.rs`.

use crate::expanded_arena::{ExpandedElement, NO_DATATYPE, NONE, ValueExtra, ValueObject};
use crate::expansion::{ActiveProperty, ElementCount, ExpansionAlgorithm, NodeTaker, ObjectExpansion};
use crate::name_interner::{InternedName, Keyword};
use crate::warning::WarningCode;
use crate::{JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::JsonKind;
use evalgraph_rdf::iri;

impl<T: NodeTaker> ExpansionAlgorithm<'_, '_, T> {
    /// Expansion 15: a value object.
    pub(crate) fn finish_value(&mut self, frame: &ObjectExpansion) -> JsonLdOutcome<ElementCount> {
        const ENTRIES: [Keyword; 5] =
            [Keyword::Direction, Keyword::Index, Keyword::Language, Keyword::Type, Keyword::Value];
        let types: Vec<ExpandedElement> = self.properties[frame.properties..]
            .iter()
            .filter(|property| property.name == Keyword::Type.name() && property.lost == NONE)
            .flat_map(|property| self.arena.values(property).to_vec())
            .collect();
        let others = self.properties[frame.properties..]
            .iter()
            .find(|property| property.lost == NONE && property.name != Keyword::Type.name());
        if let Some(other) = others {
            let message = format!("a value object cannot have `{}`", self.shown(other.key).trim_matches('"'));
            return Err(self.error(JsonLdErrorCode::InvalidValueObject, other.key, message));
        }
        let tagged = frame.has(Keyword::Language) || frame.has(Keyword::Direction);
        if !frame.only(&ENTRIES) || (frame.has(Keyword::Type) && tagged) {
            let message = if frame.only(&ENTRIES) {
                "a value object has either a type, or a language and direction"
            } else {
                "a value object has entries that do not belong there"
            };
            return Err(self.error(JsonLdErrorCode::InvalidValueObject, frame.object, message));
        }
        let token = frame.value.unwrap_or(frame.object);
        let is_json =
            matches!(types[..], [ExpandedElement::Type { name, .. }] if name == Keyword::Json.name());
        // Expansion 15.2: JSON literals may be null.
        if !is_json && self.document.kind(token) == JsonKind::Null {
            // Expansion 15.3.
            if matches!(frame.property, ActiveProperty::Term(_)) {
                let cause = self.warn(WarningCode::NullValue, token);
                self.elements.push(ExpandedElement::Missing { cause });
            }
            return Ok(ElementCount::Null);
        }
        // Expansion 15.4 and 15.5.
        if frame.language.is_some() && !self.document.is_string(token) {
            let message = format!("`{}` has a language but is not a string", self.shown(token));
            return Err(self.error(JsonLdErrorCode::InvalidLanguageTaggedValue, token, message));
        }
        let datatype = self.value_type(frame, &types)?;
        // Expansion 19.
        if frame.property.is_top() {
            self.warn(WarningCode::FreeFloatingValue, frame.object);
            return Ok(ElementCount::Null);
        }
        let language = frame.language.map(|language| {
            let mut buffer = String::new();
            let text = self.document.string_with(language, &mut buffer);
            self.contexts.names.intern(text)
        });
        let extra = self.arena.add_extra(ValueExtra {
            language,
            language_token: frame.language,
            direction: frame.direction,
            index: frame.index,
        });
        self.elements.push(ExpandedElement::Value(ValueObject { token, datatype, extra }));
        Ok(ElementCount::One)
    }

    /// Expansion 15.5: the type of a value is one IRI.
    fn value_type(&self, frame: &ObjectExpansion, types: &[ExpandedElement]) -> JsonLdOutcome<InternedName> {
        if !frame.has(Keyword::Type) {
            return Ok(NO_DATATYPE);
        }
        let place = match types.first() {
            Some(ExpandedElement::Type { token, .. }) => *token,
            _ => frame.object,
        };
        match types {
            [ExpandedElement::Type { name, .. }] if !frame.type_is_array => {
                let text = self.contexts.names.text(*name);
                if *name == Keyword::Json.name() || iri::is_iri(text) {
                    return Ok(*name);
                }
                let message = format!("`{text}` is not the IRI of a datatype");
                Err(self.error(JsonLdErrorCode::InvalidTypedValue, place, message))
            }
            _ => {
                let message = "the type of a value is one IRI, not an array";
                Err(self.error(JsonLdErrorCode::InvalidTypedValue, place, message))
            }
        }
    }
}
