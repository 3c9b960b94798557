//! Value Compaction (section 6.3).
//!
//! `CompactionAlgorithm` is defined in `compaction/mod.rs`.

use crate::JsonLdOutcome;
use crate::compaction::CompactionAlgorithm;
use crate::compaction::compacted_document::JsonPiece;
use crate::compaction::compaction_context::{CompactedProperty, CompactionContext, CompactionScope};
use crate::context::TypeMapping;
use crate::expanded_arena::{NO_DATATYPE, ValueObject};
use crate::name_interner::{InternedName, Keyword};
use evalgraph_json::{JsonKind, TokenId};

impl CompactionAlgorithm<'_, '_> {
    /// Compaction 6 and 7 for a value object: writes a scalar if the property supplies the other entries.
    pub(crate) fn compact_value(&mut self, active: CompactionScope<'_>, value: ValueObject) -> JsonLdOutcome {
        if active.property.definition.as_ref().is_some_and(|definition| definition.context.is_some()) {
            let (context, property) = self.property_scoped(active)?;
            return self.compact_value_under(&context, &property, value);
        }
        self.compact_value_under(active.context, active.property, value)
    }

    fn compact_value_under(
        &mut self,
        context: &CompactionContext,
        property: &CompactedProperty,
        value: ValueObject,
    ) -> JsonLdOutcome {
        if self.is_scalar(context, property, value) {
            self.push_scalar(value);
            return Ok(());
        }
        self.compact_value_object(context, property, value)
    }

    #[inline]
    pub(crate) fn push_scalar(&mut self, value: ValueObject) {
        let (document, token) = self.scalar(value);
        self.pieces.push_value(self.document, document, token);
    }

    /// Value Compaction 7 to 10: returns whether the property supplies all entries except the value itself.
    ///
    /// Step 7 would drop an index if the type fits. It is kept, as in steps 9 and 10. With steps 9 and 10, a value
    /// without a type would get the type of the property when it is read back, because an IRI that no term was selected
    /// for can still be a term.
    #[inline]
    fn is_scalar(
        &self,
        context: &CompactionContext,
        property: &CompactedProperty,
        value: ValueObject,
    ) -> bool {
        let extra = self.arena.extra(&value);
        if extra.index.is_some() && !property.container.has(Keyword::Index) {
            return false;
        }
        let definition = property.definition.as_deref();
        let type_mapping = definition.and_then(|definition| definition.type_mapping);
        if value.datatype != NO_DATATYPE {
            return match type_mapping {
                Some(TypeMapping::Iri(datatype)) => datatype == value.datatype,
                Some(TypeMapping::Json) => value.datatype == Keyword::Json.name(),
                _ => false,
            };
        }
        let (document, token) = self.scalar(value);
        let is_string = !matches!(
            document.kind(token),
            JsonKind::Number | JsonKind::True | JsonKind::False | JsonKind::Null
        );
        match type_mapping {
            Some(TypeMapping::None | TypeMapping::Json | TypeMapping::Iri(_)) => return false,
            // Only strings become IRIs (Value Expansion 1 and 2).
            Some(TypeMapping::Id | TypeMapping::Vocab) => return !is_string,
            None => {}
        }
        if !is_string {
            return true;
        }
        let language =
            definition.and_then(|definition| definition.language).unwrap_or(context.active.language);
        let direction =
            definition.and_then(|definition| definition.direction).unwrap_or(context.active.direction);
        self.is_same_language(language, extra.language) && direction == extra.direction
    }

    fn is_same_language(&self, left: Option<InternedName>, right: Option<InternedName>) -> bool {
        let names = &self.contexts.names;
        match (left, right) {
            (Some(left), Some(right)) => {
                left == right || names.text(left).to_lowercase() == names.text(right).to_lowercase()
            }
            (left, right) => left == right,
        }
    }

    /// Value Compaction 8 and 11: writes the value object with compacted keys.
    fn compact_value_object(
        &mut self,
        context: &CompactionContext,
        property: &CompactedProperty,
        value: ValueObject,
    ) -> JsonLdOutcome {
        let extra = self.arena.extra(&value);
        let document_order =
            [Keyword::Type, Keyword::Value, Keyword::Language, Keyword::Direction, Keyword::Index];
        let mut order = document_order;
        if self.options.ordered {
            order.sort_by_key(|keyword| keyword.as_str());
        }
        self.pieces.push(JsonPiece::OpenObject);
        for keyword in order {
            let alias = self.alias(context, keyword)?;
            let at = self.pieces.list.len();
            self.pieces.push(JsonPiece::Key(alias));
            match keyword {
                Keyword::Type if value.datatype != NO_DATATYPE => {
                    let datatype = self.compact_name(context, value.datatype, value.token)?;
                    self.pieces.push(JsonPiece::Name(datatype));
                }
                Keyword::Value => self.push_scalar(value),
                Keyword::Language if extra.language.is_some() => {
                    self.pieces.push(extra.language.map_or(JsonPiece::Null, JsonPiece::Name));
                }
                Keyword::Direction if extra.direction.is_some() => {
                    self.pieces.push_text(extra.direction.map_or("", |direction| direction.as_str()));
                }
                Keyword::Index => match extra.index {
                    Some(index) if !property.container.has(Keyword::Index) => self.push_index(index),
                    _ => self.pieces.list.truncate(at),
                },
                _ => self.pieces.list.truncate(at),
            }
        }
        self.pieces.push(JsonPiece::CloseObject);
        Ok(())
    }

    pub(crate) fn push_index(&mut self, index: TokenId) {
        let (document, token) = self.index(index);
        self.pieces.push_value(self.document, document, token);
    }

    /// Value Compaction 6: a reference under a property whose values are ids. Returns `false` and writes nothing if it
    /// stays an object.
    pub(crate) fn compact_reference(
        &mut self,
        context: &CompactionContext,
        property: &CompactedProperty,
        node: u32,
    ) -> JsonLdOutcome<bool> {
        let reference = self.arena.node(node);
        let type_mapping = property.definition.as_ref().and_then(|definition| definition.type_mapping);
        // The index is kept unless the property is an index map, as for values.
        if reference.index.is_some() && !property.container.has(Keyword::Index) {
            return Ok(false);
        }
        let Some(id) = reference.id else { return Ok(false) };
        match (type_mapping, id.name) {
            (Some(TypeMapping::Id | TypeMapping::Vocab), None) => self.pieces.push(JsonPiece::Null),
            (Some(TypeMapping::Id), Some(name)) => self.push_id(context, name, id.token)?,
            (Some(TypeMapping::Vocab), Some(name)) => {
                let name = self.compact_name(context, name, id.token)?;
                self.pieces.push(JsonPiece::Name(name));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes a compacted id.
    #[inline]
    pub(crate) fn push_id(
        &mut self,
        context: &CompactionContext,
        id: InternedName,
        token: TokenId,
    ) -> JsonLdOutcome {
        match self.compact_id(context, id, token)? {
            Some(text) => self.pieces.push_text(&text),
            None => self.pieces.push(JsonPiece::Name(id)),
        }
        Ok(())
    }
}
