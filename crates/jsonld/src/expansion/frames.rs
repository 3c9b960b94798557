//! The `frameExpansion` flag of the Expansion Algorithm (section 5.1): entries that are allowed in a frame but not in a
//! document.
//!
//! The arena stores the patterns as properties: the ids and types of a frame, and the entries of a value pattern,
//! become properties named by their keyword. An empty node object means the wildcard.
//! [`frame_object`](crate::framing::frame_object) reads them.
//!
//! `ExpansionAlgorithm` is defined in `expansion/mod.rs`.

use crate::context::relative::RelativeIriRule;
use crate::context::{ActiveContext, BaseDirection};
use crate::expanded_arena::{ExpandedArena, ExpandedElement, NO_DATATYPE, NONE, ValueObject};
use crate::expansion::{ExpansionAlgorithm, NodeTaker, ObjectExpansion};
use crate::name_interner::Keyword;
use crate::{JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonKind, JsonMember, TokenId};
use std::rc::Rc;

/// In a frame, this string asks for a null in the result.
const NULL: &str = "@null";

impl<T: NodeTaker> ExpansionAlgorithm<'_, '_, T> {
    /// Expands a frame. Its objects become the items at the top of the arena, even if the frame has only `@graph`.
    pub(crate) fn run_frame(mut self) -> JsonLdOutcome<ExpandedArena> {
        self.framing = true;
        self.expand_document()?;
        self.arena.top = self.elements;
        Ok(self.arena)
    }

    /// Expands a keyword that allows more values in a frame than in a document; returns `false` for other keywords.
    pub(crate) fn expand_frame_keyword(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &ObjectExpansion,
        keyword: Keyword,
        member: JsonMember,
    ) -> JsonLdOutcome<bool> {
        let start = self.elements.len();
        match keyword {
            Keyword::Default => self.expand_default(context, frame, member)?,
            Keyword::Embed | Keyword::Explicit | Keyword::OmitDefault | Keyword::RequireAll => {
                let token = self.flag(member.value);
                self.elements.push(scalar(token));
            }
            Keyword::Id | Keyword::Type | Keyword::Value | Keyword::Language | Keyword::Direction => {
                let document = self.document;
                let single = (!document.is_array(member.value)).then_some(member.value);
                for item in single.into_iter().chain(document.items(member.value)) {
                    if self.is_empty_object(item) {
                        let wildcard = self.arena.add_node(item, None, None, &[]);
                        self.elements.push(ExpandedElement::Node(wildcard));
                    } else {
                        self.expand_pattern(context, frame, keyword, item)?;
                    }
                }
            }
            _ => return Ok(false),
        }
        self.add_property(frame, keyword.name(), member.key, start);
        Ok(true)
    }

    fn is_empty_object(&self, token: TokenId) -> bool {
        self.document.is_object(token) && self.document.members(token).next().is_none()
    }

    /// Expands one value of a keyword, except for the wildcard.
    fn expand_pattern(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &ObjectExpansion,
        keyword: Keyword,
        item: TokenId,
    ) -> JsonLdOutcome {
        let document = self.document;
        match keyword {
            Keyword::Id if document.is_string(item) => {
                let name = self.expand_token_iri(context, item, RelativeIriRule::Document);
                let Some(name) = name else {
                    let message = format!("`{}` is not an IRI", self.shown(item));
                    return Err(self.error(JsonLdErrorCode::InvalidFrame, item, message));
                };
                self.elements.push(ExpandedElement::Type { name, token: item });
                Ok(())
            }
            Keyword::Id => self.refuse(JsonLdErrorCode::InvalidIdValue, item, "an IRI or the wildcard `{}`"),
            Keyword::Type if document.is_object(item) => self.expand_type_default(frame, item),
            Keyword::Type => self.expand_type(frame, item),
            Keyword::Value => self.expand_value_pattern(context, frame, item),
            Keyword::Language if document.is_string(item) => {
                self.elements.push(scalar(item));
                Ok(())
            }
            Keyword::Language => self.refuse(
                JsonLdErrorCode::InvalidLanguageTaggedString,
                item,
                "a language tag or the wildcard `{}`",
            ),
            _ if document.string(item).is_some_and(|text| BaseDirection::from_text(&text).is_some()) => {
                self.elements.push(scalar(item));
                Ok(())
            }
            _ => {
                self.refuse(JsonLdErrorCode::InvalidBaseDirection, item, "`ltr`, `rtl` or the wildcard `{}`")
            }
        }
    }

    fn refuse(&self, code: JsonLdErrorCode, token: TokenId, wanted: &str) -> JsonLdOutcome {
        Err(self.error(code, token, format!("`{}` is not {wanted}", self.shown(token))))
    }

    /// `@value` of a value pattern: a scalar, or any JSON value if the type is `@json`.
    fn expand_value_pattern(
        &mut self,
        context: &ActiveContext,
        frame: &ObjectExpansion,
        item: TokenId,
    ) -> JsonLdOutcome {
        let datatype =
            if self.input_type_is_json(context, frame.object) { Keyword::Json.name() } else { NO_DATATYPE };
        match self.document.kind(item) {
            JsonKind::Null if datatype == NO_DATATYPE => Ok(()),
            JsonKind::Object | JsonKind::Array if datatype == NO_DATATYPE => self.refuse(
                JsonLdErrorCode::InvalidValueObjectValue,
                item,
                "a string, number, boolean or the wildcard `{}`",
            ),
            _ => {
                self.elements.push(ExpandedElement::Value(ValueObject {
                    token: item,
                    datatype,
                    extra: NONE,
                }));
                Ok(())
            }
        }
    }

    /// `@type` may be a default object. Its values are types.
    fn expand_type_default(&mut self, frame: &ObjectExpansion, object: TokenId) -> JsonLdOutcome {
        let document = self.document;
        let context = Rc::clone(&frame.type_context);
        let default = document.members(object).find(|member| {
            matches!(
                self.meaning(&context, member.symbol),
                crate::context::KeyMeaning::Keyword(Keyword::Default)
            )
        });
        let Some(default) = default else {
            return self.refuse(
                JsonLdErrorCode::InvalidTypeValue,
                object,
                "a type, the wildcard `{}` or an object with `@default`",
            );
        };
        let start = self.elements.len();
        let single = (!document.is_array(default.value)).then_some(default.value);
        for item in single.into_iter().chain(document.items(default.value)) {
            if self.is_null_name(item) {
                self.elements.push(ExpandedElement::Null);
            } else {
                self.expand_type(frame, item)?;
            }
        }
        let values = self.arena.add_elements(self.elements.drain(start..));
        let property = self.arena.add_property(Keyword::Default.name(), default.key, values);
        let node = self.arena.add_node(object, None, None, &[property]);
        self.elements.push(ExpandedElement::Node(node));
        Ok(())
    }

    fn is_null_name(&self, token: TokenId) -> bool {
        self.document.string(token).is_some_and(|text| text == NULL)
    }

    /// `@default`: values as in a document, and `@null`.
    fn expand_default(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &ObjectExpansion,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let document = self.document;
        let single = (!document.is_array(member.value)).then_some(member.value);
        // Defaults are values of the result, not patterns, so they are expanded as in a document.
        self.framing = false;
        for item in single.into_iter().chain(document.items(member.value)) {
            if self.is_null_name(item) {
                self.elements.push(ExpandedElement::Null);
            } else {
                self.expand_element(context, frame.property, item, false)?;
            }
        }
        self.framing = true;
        Ok(())
    }

    /// Returns the value of a framing flag, without an array or value object around it.
    fn flag(&self, value: TokenId) -> TokenId {
        let document = self.document;
        let mut inner = value;
        loop {
            let next = if document.is_array(inner) {
                document.items(inner).next()
            } else if document.is_object(inner) {
                document.get(inner, Keyword::Value.as_str())
            } else {
                None
            };
            match next {
                Some(next) => inner = next,
                None => return inner,
            }
        }
    }
}

fn scalar(token: TokenId) -> ExpandedElement {
    ExpandedElement::Value(ValueObject { token, datatype: NO_DATATYPE, extra: NONE })
}
