//! A hash of a triple that depends only on the texts of its terms, so it is the same in every version and on every
//! machine. All blank nodes hash to one constant, since each side has its own labels.

use oxrdf::TermRef;
use twox_hash::{XxHash3_64, XxHash3_128};

use evalgraph_store::{RdfTermKind, TermDictionary, TermId};

/// A term, given by its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermText<'t> {
    Iri(&'t str),
    /// A number that is unique among the blank nodes of one side.
    BlankNode(u64),
    Literal(LiteralText<'t>),
}

/// A literal, given by its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LiteralText<'t> {
    pub(super) lexical: &'t str,
    pub(super) datatype: &'t str,
    /// Empty unless the datatype is `rdf:langString`.
    pub(super) language: &'t str,
}

impl<'t> TermText<'t> {
    /// The term with an id.
    pub(super) fn from_id(id: TermId, terms: &'t TermDictionary) -> Self {
        match terms.kind(id) {
            RdfTermKind::Iri => Self::Iri(terms.lexical(id)),
            RdfTermKind::BlankNode => Self::BlankNode(id.index() as u64),
            _ => Self::Literal(LiteralText {
                lexical: terms.lexical(id),
                datatype: terms.datatype(id).map_or("", |datatype| terms.lexical(datatype)),
                language: terms.language(id).unwrap_or_default(),
            }),
        }
    }

    /// A term of a server's response.
    pub(super) fn of_answer(term: TermRef<'t>) -> Self {
        match term {
            TermRef::NamedNode(node) => Self::Iri(node.as_str()),
            TermRef::BlankNode(node) => Self::BlankNode(XxHash3_64::oneshot(node.as_str().as_bytes())),
            TermRef::Literal(literal) => Self::Literal(LiteralText {
                lexical: literal.value(),
                datatype: literal.datatype().as_str(),
                language: literal.language().unwrap_or_default(),
            }),
        }
    }

    /// Appends the term. Neither IRIs nor language tags contain line ends, so different terms give different bytes.
    fn write(self, text: &mut Vec<u8>) {
        match self {
            Self::Iri(iri) => text.extend_from_slice(iri.as_bytes()),
            Self::BlankNode(_) => text.push(b'_'),
            Self::Literal(LiteralText { lexical, datatype, language }) => {
                text.push(b'\n');
                text.extend_from_slice(datatype.as_bytes());
                text.push(b'\n');
                // RDF 1.1, section 3.3: language tags are compared without regard to case.
                text.extend(language.bytes().map(|byte| byte.to_ascii_lowercase()));
                text.push(b'\n');
                text.extend_from_slice(lexical.as_bytes());
            }
        }
        text.push(b'\n');
    }
}

/// The hash of a triple. `text` is a buffer for reuse.
pub(super) fn hash_of(triple: [TermText<'_>; 3], text: &mut Vec<u8>) -> u128 {
    text.clear();
    triple.into_iter().for_each(|term| term.write(text));
    XxHash3_128::oneshot(text)
}
