//! The numbers of the terms of a dataset, and the kinds of terms.

use std::fmt;
use std::num::NonZeroU32;

use oxrdf::LiteralRef;

use evalgraph_rdf::vocabulary::{rdf, xsd};

/// The number of a term in a [`TermDictionary`](super::TermDictionary).
///
/// Numbers are assigned in the order in which terms are first seen, from 1. Since 0 is unused, an `Option<TermId>` is
/// as small as a `TermId`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU32);

impl TermId {
    pub(super) const FIRST: Self = Self(NonZeroU32::MIN);

    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The id with that index.
    ///
    /// # Panics
    /// If the index is 0 or exceeds 32 bits: a dataset has at most 4,294,967,295 terms.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        let number = u32::try_from(index).expect("a dataset holds at most 4,294,967,295 terms");
        Self(NonZeroU32::new(number).expect("terms are numbered from 1"))
    }

    /// The id with a number that was assigned before. No term has the number 0: a 0 in a damaged file becomes a number
    /// without a term.
    #[inline]
    pub(super) fn from_number(number: u32) -> Self {
        Self(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX))
    }

    /// The number, from 1 on.
    #[inline]
    pub fn number(self) -> u32 {
        self.0.get()
    }

    /// The id with a number; none for 0, which no term has.
    #[inline]
    pub fn of_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// The kind of a term. Datatypes that queries compute with have separate kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RdfTermKind {
    /// An IRI.
    Iri,
    /// A blank node; it has no text.
    BlankNode,
    /// An `xsd:string`.
    String,
    /// A string with a language.
    LangString,
    /// An `xsd:integer`.
    Integer,
    /// An `xsd:decimal`.
    Decimal,
    /// An `xsd:double`.
    Double,
    /// An `xsd:float`.
    Float,
    /// An `xsd:boolean`.
    Boolean,
    /// An `xsd:dateTime`.
    DateTime,
    /// An `xsd:date`.
    Date,
    /// An `rdf:JSON`.
    Json,
    /// A literal of any other datatype.
    OtherTyped,
}

/// The kinds by number, and the datatype of those that have one. The datatypes are the first
/// terms of every dictionary, in this order.
pub(super) const KINDS: [(RdfTermKind, &str); 13] = [
    (RdfTermKind::Iri, ""),
    (RdfTermKind::BlankNode, ""),
    (RdfTermKind::String, xsd::STRING),
    (RdfTermKind::LangString, rdf::LANG_STRING),
    (RdfTermKind::Integer, xsd::INTEGER),
    (RdfTermKind::Decimal, xsd::DECIMAL),
    (RdfTermKind::Double, xsd::DOUBLE),
    (RdfTermKind::Float, xsd::FLOAT),
    (RdfTermKind::Boolean, xsd::BOOLEAN),
    (RdfTermKind::DateTime, xsd::DATE_TIME),
    (RdfTermKind::Date, xsd::DATE),
    (RdfTermKind::Json, rdf::JSON),
    (RdfTermKind::OtherTyped, ""),
];

/// The number of the first kind that has a datatype; its datatype is the first term.
const FIRST_DATATYPE_KIND: usize = RdfTermKind::String as usize;

const WELL_KNOWN_DATATYPES: usize = RdfTermKind::OtherTyped as usize - FIRST_DATATYPE_KIND;

impl RdfTermKind {
    /// The kind with that number, as files store it.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        KINDS.get(usize::from(number)).map(|(kind, _)| *kind)
    }

    /// The kind of literals of a datatype, if the datatype has its own kind.
    #[inline]
    pub(super) fn of_datatype(datatype: TermId) -> Option<Self> {
        let index = datatype.index();
        (index <= WELL_KNOWN_DATATYPES).then(|| KINDS[index - 1 + FIRST_DATATYPE_KIND].0)
    }

    /// The kind of a literal.
    pub fn of_literal(literal: LiteralRef<'_>) -> Self {
        if literal.language().is_some() {
            return Self::LangString;
        }
        let datatype = literal.datatype();
        let known = KINDS.iter().find(|(_, known)| *known == datatype.as_str());
        known.map(|(kind, _)| *kind).filter(|kind| *kind != Self::LangString).unwrap_or(Self::OtherTyped)
    }

    /// The datatype of the literals of this kind.
    pub(super) fn datatype(self) -> Option<TermId> {
        let kind = self as usize;
        (FIRST_DATATYPE_KIND..Self::OtherTyped as usize)
            .contains(&kind)
            .then(|| TermId::from_index(kind - FIRST_DATATYPE_KIND + 1))
    }
}

impl fmt::Display for TermId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
