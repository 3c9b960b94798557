//! Value Expansion (section 5.3).

use crate::context::relative::Relative;
use crate::context::{ActiveContext, TermDefinition, TypeMapping};
use crate::expanded::{Element, Extra, Id, NO_DATATYPE, NONE, Value};
use crate::expansion::{Expander, NodeTaker};
use crate::names::{Keyword, NameId};
use evalgraph_json::TokenId;

impl<T: NodeTaker> Expander<'_, '_, T> {
    /// Returns the value or node object of a scalar or key under a property.
    #[inline]
    pub(crate) fn expand_value(
        &mut self,
        context: &ActiveContext,
        definition: Option<&TermDefinition>,
        token: TokenId,
    ) -> Element {
        let type_mapping = definition.and_then(|definition| definition.type_mapping);
        let is_string = !matches!(
            self.document.kind(token),
            evalgraph_json::Kind::Number | evalgraph_json::Kind::True | evalgraph_json::Kind::False
        );
        let datatype = match type_mapping {
            // Value Expansion 1 and 2.
            Some(TypeMapping::Id) if is_string => return self.reference(context, token, Relative::Document),
            Some(TypeMapping::Vocab) if is_string => {
                return self.reference(context, token, Relative::VocabThenDocument);
            }
            // Value Expansion 4.
            Some(TypeMapping::Iri(datatype)) => datatype,
            Some(TypeMapping::Json) => Keyword::Json.name(),
            Some(TypeMapping::Id | TypeMapping::Vocab | TypeMapping::None) | None => NO_DATATYPE,
        };
        let typed = matches!(type_mapping, Some(TypeMapping::Iri(_) | TypeMapping::Json));
        let extra = if is_string && !typed { self.string_extra(context, definition) } else { NONE };
        Element::Value(Value { token, datatype, extra })
    }

    /// Value Expansion 5: the language and direction of a plain string.
    #[inline]
    fn string_extra(&mut self, context: &ActiveContext, definition: Option<&TermDefinition>) -> u32 {
        let language = definition.and_then(|definition| definition.language).unwrap_or(context.language);
        let direction = definition.and_then(|definition| definition.direction).unwrap_or(context.direction);
        if language.is_none() && direction.is_none() {
            return NONE;
        }
        self.arena.add_extra(Extra { language, direction, ..Extra::default() })
    }

    fn reference(&mut self, context: &ActiveContext, token: TokenId, relative: Relative) -> Element {
        let name = self.expand_token_iri(context, token, relative);
        Element::Node(self.arena.add_node(token, Some(Id { name, token }), None, &[]))
    }

    /// IRI Expansion of a string or key.
    pub(crate) fn expand_token_iri(
        &mut self,
        context: &ActiveContext,
        token: TokenId,
        relative: Relative,
    ) -> Option<NameId> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = self.document.string_with(token, &mut buffer);
        let name = self.contexts.expand_iri(context, text, relative);
        self.buffer = buffer;
        name
    }
}
