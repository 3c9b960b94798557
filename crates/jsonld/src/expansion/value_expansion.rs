//! Value Expansion (section 5.3).
//!
//! `ExpansionAlgorithm` is defined in `expansion/mod.rs`.

use crate::context::relative::RelativeIriRule;
use crate::context::{ActiveContext, TermDefinition, TypeMapping};
use crate::expanded_arena::{ExpandedElement, IdEntry, NO_DATATYPE, NONE, ValueExtra, ValueObject};
use crate::expansion::{ExpansionAlgorithm, NodeTaker};
use crate::name_interner::{InternedName, Keyword};
use evalgraph_json::TokenId;

impl<T: NodeTaker> ExpansionAlgorithm<'_, '_, T> {
    /// Returns the value or node object of a scalar or key under a property.
    #[inline]
    pub(crate) fn expand_value(
        &mut self,
        context: &ActiveContext,
        definition: Option<&TermDefinition>,
        token: TokenId,
    ) -> ExpandedElement {
        let type_mapping = definition.and_then(|definition| definition.type_mapping);
        let is_string = !matches!(
            self.document.kind(token),
            evalgraph_json::JsonKind::Number
                | evalgraph_json::JsonKind::True
                | evalgraph_json::JsonKind::False
        );
        let datatype = match type_mapping {
            // Value Expansion 1 and 2.
            Some(TypeMapping::Id) if is_string => {
                return self.reference(context, token, RelativeIriRule::Document);
            }
            Some(TypeMapping::Vocab) if is_string => {
                return self.reference(context, token, RelativeIriRule::VocabThenDocument);
            }
            // Value Expansion 4.
            Some(TypeMapping::Iri(datatype)) => datatype,
            Some(TypeMapping::Json) => Keyword::Json.name(),
            Some(TypeMapping::Id | TypeMapping::Vocab | TypeMapping::None) | None => NO_DATATYPE,
        };
        let typed = matches!(type_mapping, Some(TypeMapping::Iri(_) | TypeMapping::Json));
        let extra = if is_string && !typed { self.string_extra(context, definition) } else { NONE };
        ExpandedElement::Value(ValueObject { token, datatype, extra })
    }

    /// Value Expansion 5: the language and direction of a plain string.
    #[inline]
    fn string_extra(&mut self, context: &ActiveContext, definition: Option<&TermDefinition>) -> u32 {
        let language = definition.and_then(|definition| definition.language).unwrap_or(context.language);
        let direction = definition.and_then(|definition| definition.direction).unwrap_or(context.direction);
        if language.is_none() && direction.is_none() {
            return NONE;
        }
        self.arena.add_extra(ValueExtra { language, direction, ..ValueExtra::default() })
    }

    fn reference(
        &mut self,
        context: &ActiveContext,
        token: TokenId,
        relative: RelativeIriRule,
    ) -> ExpandedElement {
        let name = self.expand_token_iri(context, token, relative);
        ExpandedElement::Node(self.arena.add_node(token, Some(IdEntry { name, token }), None, &[]))
    }

    /// IRI Expansion of a string or key.
    pub(crate) fn expand_token_iri(
        &mut self,
        context: &ActiveContext,
        token: TokenId,
        relative: RelativeIriRule,
    ) -> Option<InternedName> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = self.document.string_with(token, &mut buffer);
        let name = self.contexts.expand_iri(context, text, relative);
        self.buffer = buffer;
        name
    }
}
