//! Literals by their kind in JSON: strings, numbers, Booleans, JSON.

use evalgraph_store::{RdfTermKind, TermDictionary, TermId};

/// The namespace of XML Schema's datatypes.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The integer types of XML Schema that have no [`RdfTermKind`].
const INTEGERS: [&str; 12] = [
    "byte",
    "int",
    "long",
    "negativeInteger",
    "nonNegativeInteger",
    "nonPositiveInteger",
    "positiveInteger",
    "short",
    "unsignedByte",
    "unsignedInt",
    "unsignedLong",
    "unsignedShort",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonLiteralKind {
    Text,
    Number,
    Boolean,
    Json,
}

impl JsonLiteralKind {
    pub(super) fn from_literal(dictionary: &TermDictionary, literal: TermId) -> Self {
        match dictionary.kind(literal) {
            RdfTermKind::Integer | RdfTermKind::Decimal | RdfTermKind::Double | RdfTermKind::Float => {
                Self::Number
            }
            RdfTermKind::Boolean => Self::Boolean,
            RdfTermKind::Json => Self::Json,
            RdfTermKind::OtherTyped => {
                Self::of_datatype(dictionary.datatype(literal).map_or("", |iri| dictionary.lexical(iri)))
            }
            _ => Self::Text,
        }
    }

    /// A string with a datatype of schema.org stays a string.
    fn of_datatype(iri: &str) -> Self {
        match iri.strip_prefix(XSD) {
            Some(name) if INTEGERS.contains(&name) => Self::Number,
            _ => Self::Text,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Boolean => "a Boolean",
            Self::Json => "a JSON value",
        }
    }
}
