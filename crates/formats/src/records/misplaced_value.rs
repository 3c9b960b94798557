//! Values of a kind that does not fit their place in a file, such as a string in place of an object.
//!
//! Such a value does not become what the table says for its place, so each is reported.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::article::with_article;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// A value in a place that expects another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MisplacedValue {
    /// The value.
    pub value: TokenId,
    /// The expected kind.
    pub expected: PlaceExpectation,
}

/// The kind of value that a place expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceExpectation {
    /// A record or another object with that name, in a list or on its own.
    Object(&'static str),
    /// The object under that key.
    Member(&'static str),
    /// The list of objects under that key.
    List(&'static str),
    /// A value in the list under that key.
    Item(&'static str),
    /// A string or another single value under that key.
    Scalar(&'static str),
}

impl MisplacedValue {
    /// Returns the warning about the value, without its place.
    pub fn diagnostic(&self, document: &JsonDocument) -> Diagnostic {
        let kind = match document.kind(self.value) {
            JsonKind::Null => "null",
            JsonKind::True | JsonKind::False => "a boolean",
            JsonKind::Number => "a number",
            JsonKind::Array => "a list",
            JsonKind::Object => "an object",
            _ => "a string",
        };
        let message = match self.expected {
            PlaceExpectation::Object(name) => {
                format!("expected {} (an object), found {kind}", with_article(name))
            }
            PlaceExpectation::Member(key) => format!("`{key}` is {kind}, but should be an object"),
            PlaceExpectation::List(key) => format!("`{key}` is {kind}, but should be a list of objects"),
            PlaceExpectation::Scalar(key) => format!("`{key}` is {kind}, but should be a single value"),
            PlaceExpectation::Item(key) => {
                format!("the list `{key}` contains {kind}, but should contain single values")
            }
        };
        Diagnostic::warning(Self::CODE, format!("{message}; queries do not find it"))
    }

    /// The code of the warning.
    pub const CODE: &'static str = "records::misplaced";
}
