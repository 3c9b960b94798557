//! The texts of a row of quads, as bytes: those of the subject and the object. The predicate and the graph are in lists.

use oxrdf::vocab::{rdf, xsd};

use super::hashed_terms::is_blank_node;
use evalgraph_store::{EncodedQuad, RdfTermKind, TermDictionary};

/// The object of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowObject<'r> {
    Iri(&'r str),
    BlankNode,
    Literal { lexical: &'r str, datatype: &'r str, language: Option<&'r str> },
}

/// The texts of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowTexts<'r> {
    /// The IRI of the subject; `None` for a blank node.
    pub(super) subject: Option<&'r str>,
    pub(super) object: RowObject<'r>,
}

/// The first byte: what the object is.
const IRI: u8 = 0;
const BLANK_NODE: u8 = 1;
const STRING: u8 = 2;
const LANGUAGE: u8 = 3;
const TYPED: u8 = 4;
/// Added to the first byte if the subject is a blank node.
const BLANK_SUBJECT: u8 = 8;

impl<'r> RowTexts<'r> {
    /// Returns the texts of a quad.
    pub(super) fn from_quad(quad: EncodedQuad, terms: &'r TermDictionary) -> Self {
        let subject = (!is_blank_node(quad.subject, terms)).then(|| terms.lexical(quad.subject));
        let object = match terms.kind(quad.object) {
            RdfTermKind::Iri => RowObject::Iri(terms.lexical(quad.object)),
            RdfTermKind::BlankNode => RowObject::BlankNode,
            _ => RowObject::Literal {
                lexical: terms.lexical(quad.object),
                datatype: terms.datatype(quad.object).map_or("", |datatype| terms.lexical(datatype)),
                language: terms.language(quad.object),
            },
        };
        Self { subject, object }
    }

    /// Appends the texts as bytes.
    pub(super) fn write(&self, output: &mut Vec<u8>) {
        let (kind, text, beside) = match self.object {
            RowObject::Iri(iri) => (IRI, iri, ""),
            RowObject::BlankNode => (BLANK_NODE, "", ""),
            RowObject::Literal { lexical, language: Some(language), .. } => (LANGUAGE, lexical, language),
            RowObject::Literal { lexical, datatype, .. } if datatype == xsd::STRING.as_str() => {
                (STRING, lexical, "")
            }
            RowObject::Literal { lexical, datatype, .. } => (TYPED, lexical, datatype),
        };
        output.push(if self.subject.is_none() { kind | BLANK_SUBJECT } else { kind });
        for text in [self.subject.unwrap_or_default(), text, beside] {
            output.extend_from_slice(&(text.len() as u64).to_le_bytes()[..LENGTH]);
            output.extend_from_slice(text.as_bytes());
        }
    }

    /// Reads the bytes that [`Self::write`] has written. `None` if they are damaged.
    pub(super) fn from_bytes(bytes: &'r [u8]) -> Option<Self> {
        let (first, mut rest) = bytes.split_first()?;
        let mut next = || {
            let (length, after) = rest.split_first_chunk::<LENGTH>()?;
            let (text, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            str::from_utf8(text).ok()
        };
        let (subject, text, beside) = (next()?, next()?, next()?);
        let object = match first & !BLANK_SUBJECT {
            IRI => RowObject::Iri(text),
            BLANK_NODE => RowObject::BlankNode,
            kind => {
                let (datatype, language) = match kind {
                    STRING => (xsd::STRING.as_str(), None),
                    LANGUAGE => (rdf::LANG_STRING.as_str(), Some(beside)),
                    TYPED => (beside, None),
                    _ => return None,
                };
                RowObject::Literal { lexical: text, datatype, language }
            }
        };
        Some(Self { subject: (first & BLANK_SUBJECT == 0).then_some(subject), object })
    }
}

/// The bytes of the length of a text.
const LENGTH: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_written() {
        let literal = |datatype, language| RowObject::Literal { lexical: "a\0b", datatype, language };
        for object in [
            RowObject::Iri("urn:a"),
            RowObject::BlankNode,
            literal(xsd::STRING.as_str(), None),
            literal(rdf::LANG_STRING.as_str(), Some("de-at")),
            literal("urn:datatype", None),
        ] {
            for subject in [None, Some("urn:s"), Some("")] {
                let texts = RowTexts { subject, object };
                let mut bytes = Vec::new();
                texts.write(&mut bytes);
                assert_eq!(RowTexts::from_bytes(&bytes), Some(texts));
                bytes.pop();
                assert!(RowTexts::from_bytes(&bytes).is_none());
            }
        }
    }
}
