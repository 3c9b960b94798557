//! What the processor drops, counted: each with its place and its cost in triples.

use super::context::processing::shorten;
use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::json::{Document, TokenId};
use std::sync::Arc;

/// The kind of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningCode {
    /// An IRI with characters that no IRI has, or a malformed one.
    InvalidIri,
    /// A relative IRI without a base.
    RelativeIri,
    /// A key that the context maps to nothing.
    UnmappedKey,
    /// A value that no property points to.
    FreeFloatingValue,
    /// A null where a value should be.
    NullValue,
    /// A language tag that is not well formed.
    InvalidLanguageTag,
    /// A blank node as predicate.
    BlankNodePredicate,
    /// A key or value of a context that looks like a keyword and is none.
    KeywordLike,
    /// A list that compaction has no place for beside another one.
    SecondList,
    /// A number that no double holds.
    NumberOutOfRange,
    /// A language or direction where there is no text that it could be of.
    TagWithoutValue,
    /// The direction of a text, which a plain literal of RDF does not hold.
    DroppedDirection,
}

impl WarningCode {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidIri => "invalid IRI",
            Self::RelativeIri => "relative IRI",
            Self::UnmappedKey => "unmapped key",
            Self::FreeFloatingValue => "free-floating value",
            Self::NullValue => "null value",
            Self::InvalidLanguageTag => "invalid language tag",
            Self::BlankNodePredicate => "blank node predicate",
            Self::KeywordLike => "keyword-like term",
            Self::SecondList => "second list",
            Self::NumberOutOfRange => "number out of range",
            Self::TagWithoutValue => "tag without value",
            Self::DroppedDirection => "dropped direction",
        }
    }
}

/// One loss, small until it is shown.
#[derive(Debug, Clone)]
pub struct Warning {
    /// What kind it is.
    pub code: WarningCode,
    /// The document, which may be a context.
    pub document: Arc<Document>,
    /// The key or value.
    pub token: TokenId,
    /// How many triples are missing because of it. Filled in once the sink has counted.
    pub cost: u64,
}

impl Warning {
    /// The warning as a finding; `source` is the text of its document.
    ///
    /// `kept` says that the id was minted and nothing is lost.
    pub fn diagnostic(&self, source: &SourceText<'_>, kept: bool) -> Diagnostic {
        let text = match self.document.string(self.token) {
            Some(text) => shorten(&text),
            None => shorten(self.document.raw(self.token)),
        };
        let place = self.document.place_in(source, self.token);
        let (message, help) = self.words(&text, kept);
        let mut diagnostic =
            Diagnostic::new(Severity::Warning, self.code.as_str(), message).at(place).with_cost(self.cost);
        diagnostic.help.extend(help.map(str::to_owned));
        diagnostic
    }

    fn words(&self, text: &str, kept: bool) -> (String, Option<&'static str>) {
        match self.code {
            WarningCode::InvalidIri if kept => {
                (format!("`{text}` is no IRI; it is kept under an encoded id"), None)
            }
            WarningCode::InvalidIri => (
                format!("`{text}` is no IRI: what it names is dropped"),
                Some("percent-encode spaces, quotes, `<`, `>`, `{`, `}`, `|`, `\\`, `^` and backticks"),
            ),
            WarningCode::RelativeIri if kept => (
                format!("`{text}` is a relative IRI, and there is no base; it is kept under an encoded id"),
                None,
            ),
            WarningCode::RelativeIri => (
                format!("`{text}` is a relative IRI, and there is no base: what it names is dropped"),
                Some("give a base with `--base IRI`"),
            ),
            WarningCode::UnmappedKey => (
                format!("the context maps `{text}` to no IRI: its value is dropped"),
                Some("define the term in `@context`, or add `@vocab`"),
            ),
            WarningCode::FreeFloatingValue => {
                (format!("no property points to the value `{text}`: it is dropped"), None)
            }
            WarningCode::NullValue => ("a null stands for no value: it is dropped".to_owned(), None),
            WarningCode::InvalidLanguageTag => {
                (format!("`{text}` is not a well-formed language tag: the value is dropped"), None)
            }
            WarningCode::BlankNodePredicate => (
                format!("`{text}` is a blank node as predicate: its values are dropped"),
                Some("`to-rdf --generalized-rdf` keeps them in N-Quads"),
            ),
            WarningCode::SecondList => (
                format!("a list of `{text}` is dropped: its term in the context holds one list"),
                Some("take `\"@container\": \"@list\"` from the term, and each list is kept as it is"),
            ),
            WarningCode::NumberOutOfRange => (
                format!("`{text}` is out of the range of a double: it becomes infinite or 0"),
                Some("keep its digits: write it as a text, or under a term with `\"@type\": \"@json\"`"),
            ),
            WarningCode::TagWithoutValue => (
                format!("`{text}` is the language or direction of no text: it is dropped"),
                Some("put it beside `@value`, or into the context, where it is that of every text"),
            ),
            WarningCode::DroppedDirection => (
                format!("the direction of `{text}` is in no triple: it is dropped"),
                Some("`to-rdf --rdf-direction i18n-datatype` keeps it"),
            ),
            WarningCode::KeywordLike => {
                (format!("`{text}` looks like a keyword and is none: it is ignored"), None)
            }
        }
    }
}
