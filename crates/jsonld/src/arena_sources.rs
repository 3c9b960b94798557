//! The documents of an arena's tokens: one, or two if framing has added values of the frame to those of the document.

use super::expanded_arena::{ExpandedArena, ValueObject};
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;
use std::sync::Arc;

/// The document, and the frame if the result may have values of it.
///
/// Tokens are numbers below [`JsonDocument::token_count`]. The tokens of the frame follow those of the document, so
/// each token identifies its document.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArenaSources<'d> {
    pub(super) document: &'d Arc<JsonDocument>,
    pub(super) frame: Option<&'d Arc<JsonDocument>>,
}

impl<'d> ArenaSources<'d> {
    pub(super) fn one(document: &'d Arc<JsonDocument>) -> Self {
        Self { document, frame: None }
    }

    /// Returns the document of a token, and the token within that document.
    #[inline]
    pub(super) fn locate(self, token: TokenId) -> (&'d Arc<JsonDocument>, TokenId) {
        match self.frame {
            Some(frame) if token.index() >= self.document.token_count() => {
                (frame, TokenId::from_index(token.index() - self.document.token_count()))
            }
            _ => (self.document, token),
        }
    }

    /// Returns the arena's token for a token of the frame.
    pub(super) fn of_frame(self, token: TokenId) -> TokenId {
        TokenId::from_index(self.document.token_count() + token.index())
    }

    /// Returns the text of a string or key of either document.
    #[inline]
    pub(super) fn string(self, token: TokenId) -> Option<Cow<'d, str>> {
        let (document, token) = self.locate(token);
        document.string(token)
    }

    /// Returns whether two scalars or JSON literals are equal as JSON.
    pub(super) fn same_scalar(self, left: TokenId, right: TokenId) -> bool {
        let ((left_document, left), (right_document, right)) = (self.locate(left), self.locate(right));
        if left == right && Arc::ptr_eq(left_document, right_document) {
            return true;
        }
        match (left_document.number(left), right_document.number(right)) {
            (Some(left), Some(right)) => same_number(left, right),
            (None, None) => super::context::same_json(left_document, left, right_document, right),
            _ => false,
        }
    }

    /// Returns whether two value objects have the same entries.
    pub(super) fn same_value(self, arena: &ExpandedArena, left: &ValueObject, right: &ValueObject) -> bool {
        if left.datatype != right.datatype || !self.same_scalar(left.token, right.token) {
            return false;
        }
        let (left, right) = (arena.extra(left), arena.extra(right));
        let index = |index: Option<TokenId>| index.and_then(|index| self.string(index));
        left.language == right.language
            && left.direction == right.direction
            && index(left.index) == index(right.index)
    }
}

/// Compares numbers by value. Integers are compared as written, because large ones that differ may be equal as doubles.
fn same_number(left: &str, right: &str) -> bool {
    let is_integer = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    left == right
        || !(is_integer(left) && is_integer(right))
            && matches!((left.parse::<f64>(), right.parse::<f64>()), (Ok(left), Ok(right)) if left == right)
}
