//! Special forms of literals: compound literals (blank nodes) and JSON literals.

use crate::error::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_diagnostics::shortened::cut;
use evalgraph_json::Limits;

/// How much of a literal is shown in a message.
const SHOWN: usize = 60;

/// A blank node that represents a literal: its value, language and direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompoundLiteral<'q> {
    pub(crate) value: &'q str,
    pub(crate) language: Option<&'q str>,
    pub(crate) direction: &'q str,
}

/// Parses the value of a JSON literal.
pub(crate) fn parse_json_literal(lexical: &str) -> JsonLdOutcome<evalgraph_json::JsonDocument> {
    evalgraph_json::parse("JSON literal", lexical.to_owned(), Limits::default()).map_err(|fault| {
        let shown = cut(lexical, SHOWN);
        let message = format!("the JSON literal `{shown}` is not JSON: {}", fault.message);
        JsonLdError::without_place(JsonLdErrorCode::InvalidJsonLiteral, message)
    })
}

pub(crate) fn is_direction(text: &str) -> bool {
    matches!(text, "ltr" | "rtl")
}
