//! Literals in other shapes: compound literals (blank nodes), and JSON texts.

use crate::diagnostic::shortened::cut;
use crate::json::{self, Limits};
use crate::jsonld::error::{JsonLdError, JsonLdErrorCode, Outcome};

/// How much of a literal is shown in a message.
const SHOWN: usize = 60;

/// A blank node that means a literal: its value, language and direction.
#[derive(Debug, Clone, Copy)]
pub(in crate::jsonld) struct CompoundLiteral<'q> {
    pub(in crate::jsonld) value: &'q str,
    pub(in crate::jsonld) language: Option<&'q str>,
    pub(in crate::jsonld) direction: &'q str,
}

/// The value of a JSON literal.
pub(in crate::jsonld) fn parse_json_literal(lexical: &str) -> Outcome<json::Document> {
    json::parse("JSON literal", lexical.to_owned(), Limits::default()).map_err(|fault| {
        let shown = cut(lexical, SHOWN);
        let message = format!("the JSON literal `{shown}` is not JSON: {}", fault.message);
        JsonLdError::without_place(JsonLdErrorCode::InvalidJsonLiteral, message)
    })
}

pub(in crate::jsonld) fn is_direction(text: &str) -> bool {
    matches!(text, "ltr" | "rtl")
}
