//! The terms of a collection of quads, each with a number and the text that identifies it.

use std::collections::HashMap;
use std::sync::Arc;

use evalgraph::rdf::QuadSink;
use foldhash::fast::RandomState;
use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode, Term};

/// The number of a term.
pub(crate) type CollectedNumber = u32;

/// A term. A blank node has the label that its owner gave it, which may be any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CollectedTerm<'t> {
    Iri(&'t str),
    BlankNode(&'t str),
    String(&'t str),
    /// A string with a language.
    Language(&'t str, &'t str),
    /// A literal with a datatype.
    Typed(&'t str, &'t str),
}

impl<'t> CollectedTerm<'t> {
    /// Returns a literal. One with the datatype `xsd:string` is a string without a datatype (RDF 1.1 Concepts, 3.3).
    pub(crate) fn literal(value: &'t str, language: Option<&'t str>, datatype: Option<&'t str>) -> Self {
        match (language, datatype) {
            (Some(language), _) => Self::Language(value, language),
            (None, Some(datatype)) if datatype != xsd::STRING.as_str() => Self::Typed(value, datatype),
            (None, _) => Self::String(value),
        }
    }

    /// Returns the term of a query or a text.
    pub(crate) fn from_term(term: &'t Term) -> Self {
        match term {
            Term::NamedNode(node) => Self::Iri(node.as_str()),
            Term::BlankNode(node) => Self::BlankNode(node.as_str()),
            Term::Literal(literal) => {
                Self::literal(literal.value(), literal.language(), Some(literal.datatype().as_str()))
            }
        }
    }

    /// Returns the term as queries have it.
    pub(crate) fn to_term(self) -> Term {
        match self {
            Self::Iri(iri) => NamedNode::new_unchecked(iri).into(),
            Self::BlankNode(label) => BlankNode::new_unchecked(label).into(),
            Self::String(value) => Literal::new_simple_literal(value).into(),
            Self::Language(value, language) => {
                Literal::new_language_tagged_literal_unchecked(value, language.to_ascii_lowercase()).into()
            }
            Self::Typed(value, datatype) => {
                Literal::new_typed_literal(value, NamedNode::new_unchecked(datatype)).into()
            }
        }
    }

    /// Adds the term to a sink. Each blank node is a new one there.
    pub(crate) fn add_to<S: QuadSink>(self, sink: &mut S) -> S::Term {
        match self {
            Self::Iri(iri) => sink.iri(iri),
            Self::BlankNode(label) => sink.labelled_blank_node(label),
            Self::String(value) => sink.string(value),
            Self::Language(value, language) => sink.language_string(value, language),
            Self::Typed(value, datatype) => {
                let datatype = sink.iri(datatype);
                sink.typed_literal(value, datatype)
            }
        }
    }

    /// Appends the text that identifies the term.
    fn write_key(self, key: &mut String) {
        match self {
            Self::Iri(iri) => {
                key.push('<');
                key.push_str(iri);
            }
            Self::BlankNode(label) => {
                key.push('_');
                key.push_str(label);
            }
            Self::String(value) => {
                key.push('"');
                key.push_str(value);
            }
            Self::Language(value, language) => {
                key.push('@');
                // Tags are equal regardless of case (RDF 1.1 Concepts, 3.3), and they have no spaces.
                key.extend(language.chars().map(|character| character.to_ascii_lowercase()));
                key.push(' ');
                key.push_str(value);
            }
            Self::Typed(value, datatype) => {
                // An IRI that a user makes may have any characters, so its length comes first.
                key.push('^');
                key.push_str(&datatype.len().to_string());
                key.push(' ');
                key.push_str(datatype);
                key.push_str(value);
            }
        }
    }

    /// Returns the term that a text identifies.
    fn from_key(key: &'t str) -> Self {
        let mut rest = key.chars();
        let kind = rest.next();
        let rest = rest.as_str();
        match kind {
            Some('_') => Self::BlankNode(rest),
            Some('"') => Self::String(rest),
            Some('@') => {
                let (language, value) = rest.split_once(' ').unwrap_or_default();
                Self::Language(value, language)
            }
            Some('^') => {
                let (length, text) = rest.split_once(' ').unwrap_or_default();
                let (datatype, value) = text.split_at(length.parse().unwrap_or_default());
                Self::Typed(value, datatype)
            }
            _ => Self::Iri(rest),
        }
    }
}

/// The text that identifies a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CollectedKey(Arc<str>);

impl CollectedKey {
    /// Returns the text of a term.
    pub(crate) fn new(term: CollectedTerm<'_>) -> Self {
        let mut key = String::new();
        term.write_key(&mut key);
        Self(key.into())
    }

    /// The term.
    pub(crate) fn term(&self) -> CollectedTerm<'_> {
        CollectedTerm::from_key(&self.0)
    }
}

/// Terms, each once, numbered from 0.
#[derive(Debug, Default)]
pub(crate) struct CollectedTerms {
    numbers: HashMap<CollectedKey, CollectedNumber, RandomState>,
    keys: Vec<CollectedKey>,
}

impl CollectedTerms {
    /// Returns the number of a term, which may be new.
    ///
    /// # Panics
    ///
    /// For the 4,294,967,296th term, as the store does.
    pub(crate) fn intern(&mut self, key: &CollectedKey) -> CollectedNumber {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = CollectedNumber::try_from(self.keys.len())
            .ok()
            .filter(|number| *number != CollectedNumber::MAX)
            .expect("a collection holds fewer than 4,294,967,295 terms");
        self.numbers.insert(key.clone(), number);
        self.keys.push(key.clone());
        number
    }

    /// Returns the number of a term, or `None` if it is unknown.
    pub(crate) fn find(&self, key: &CollectedKey) -> Option<CollectedNumber> {
        self.numbers.get(key).copied()
    }

    /// Returns the text of a term.
    pub(crate) fn key(&self, number: CollectedNumber) -> &CollectedKey {
        &self.keys[number as usize]
    }

    /// Returns how many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }
}
