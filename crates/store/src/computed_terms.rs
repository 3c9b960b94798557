//! The terms that a query has computed and that are not in the dataset. They share one buffer: sorting computed strings
//! can produce millions of them, and freeing them one by one would take as long as making them.

use std::hash::BuildHasher;
use std::str;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use oxrdf::vocab::xsd;
use oxrdf::{BlankNodeRef, LiteralRef, NamedNodeRef, Term, TermRef};

use super::term::RdfTermKind;

/// The kinds of the terms in the buffer.
const IRI: u8 = 0;
const BLANK_NODE: u8 = 1;
const STRING: u8 = 2;
/// Its language comes before it.
const LANG_STRING: u8 = 3;
/// Its datatype comes before it.
const TYPED: u8 = 4;

/// Separates the string from the language or datatype before it, neither of which contains this byte.
const END: u8 = 0;

/// Terms by their positions, each once.
#[derive(Debug, Default)]
pub(super) struct ComputedTerms {
    bytes: Vec<u8>,
    /// Where the terms end.
    ends: Vec<usize>,
    /// The positions of the terms.
    places: HashTable<u32>,
    hasher: RandomState,
}

impl ComputedTerms {
    /// The position of a term. A new term is added.
    pub(super) fn place(&mut self, term: TermRef<'_>) -> usize {
        let begin = self.bytes.len();
        write(term, &mut self.bytes);
        let Self { bytes, ends, places, hasher } = self;
        let bytes_at = |place: u32| bytes_of(bytes, ends, place as usize).unwrap_or_default();
        let own = &bytes[begin..];
        let hash = hasher.hash_one(own);
        if let Some(place) = places.find(hash, |place| bytes_at(*place) == own) {
            let place = *place as usize;
            bytes.truncate(begin);
            return place;
        }
        let place = ends.len();
        ends.push(bytes.len());
        // Numbers of terms have 32 bits.
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let bytes_at = |place: u32| bytes_of(bytes, ends, place as usize).unwrap_or_default();
        places.insert_unique(hash, number, |place| hasher.hash_one(bytes_at(*place)));
        place
    }

    /// The term at a position.
    pub(super) fn term(&self, place: usize) -> Option<Term> {
        self.get(place).map(Into::into)
    }

    pub(super) fn kind(&self, place: usize) -> Option<RdfTermKind> {
        Some(match self.get(place)? {
            TermRef::NamedNode(_) => RdfTermKind::Iri,
            TermRef::BlankNode(_) => RdfTermKind::BlankNode,
            TermRef::Literal(literal) => RdfTermKind::of_literal(literal),
        })
    }

    fn get(&self, place: usize) -> Option<TermRef<'_>> {
        let (what, text) = bytes_of(&self.bytes, &self.ends, place)?.split_first()?;
        let text = str::from_utf8(text).ok()?;
        let parts = || text.split_once(char::from(END));
        Some(match *what {
            IRI => NamedNodeRef::new_unchecked(text).into(),
            BLANK_NODE => BlankNodeRef::new_unchecked(text).into(),
            STRING => LiteralRef::new_simple_literal(text).into(),
            LANG_STRING => {
                let (language, text) = parts()?;
                LiteralRef::new_language_tagged_literal_unchecked(text, language).into()
            }
            _ => {
                let (datatype, text) = parts()?;
                LiteralRef::new_typed_literal(text, NamedNodeRef::new_unchecked(datatype)).into()
            }
        })
    }
}

fn bytes_of<'b>(bytes: &'b [u8], ends: &[usize], place: usize) -> Option<&'b [u8]> {
    let begin = if place == 0 { 0 } else { *ends.get(place - 1)? };
    bytes.get(begin..*ends.get(place)?)
}

/// Appends the bytes of a term. Different terms have different bytes.
fn write(term: TermRef<'_>, bytes: &mut Vec<u8>) {
    let (what, before, text) = match term {
        TermRef::NamedNode(node) => (IRI, None, node.as_str()),
        TermRef::BlankNode(node) => (BLANK_NODE, None, node.as_str()),
        TermRef::Literal(literal) => match literal.language() {
            Some(language) => (LANG_STRING, Some(language), literal.value()),
            None if literal.datatype() == xsd::STRING => (STRING, None, literal.value()),
            None => (TYPED, Some(literal.datatype().as_str()), literal.value()),
        },
    };
    bytes.push(what);
    if let Some(before) = before {
        bytes.extend(before.as_bytes());
        bytes.push(END);
    }
    bytes.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use oxrdf::{BlankNode, Literal, NamedNode};

    use super::*;

    #[test]
    fn each_term_has_a_place_and_comes_back() {
        let terms: Vec<Term> = vec![
            NamedNode::new_unchecked("a").into(),
            BlankNode::new_unchecked("a").into(),
            BlankNode::default().into(),
            Literal::new_simple_literal("a").into(),
            Literal::new_simple_literal("").into(),
            Literal::new_simple_literal("en\0a").into(),
            Literal::new_language_tagged_literal_unchecked("a", "en").into(),
            Literal::new_language_tagged_literal_unchecked("\0a", "en").into(),
            Literal::new_typed_literal("1", xsd::INTEGER).into(),
            Literal::new_typed_literal("1", xsd::DECIMAL).into(),
            Literal::new_typed_literal("", NamedNode::new_unchecked("")).into(),
        ];
        let mut computed = ComputedTerms::default();
        for _ in 0..2 {
            for (place, term) in terms.iter().enumerate() {
                assert_eq!(computed.place(term.as_ref()), place, "{term}");
            }
        }
        for (place, term) in terms.iter().enumerate() {
            assert_eq!(computed.term(place).as_ref(), Some(term));
        }
        assert_eq!(computed.term(terms.len()), None);
        assert_eq!(computed.kind(8), Some(RdfTermKind::Integer));
    }
}
