//! The terms of a validation: those of the data, and those that occur only in shapes or queries.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use oxrdf::{BlankNode, Literal, Term};

use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{RdfTermKind, TermDictionary, TermId};

/// The terms of the data, and additional terms, whose numbers follow those of the data.
#[derive(Debug)]
pub(super) struct ValidationTerms<'d> {
    dictionary: &'d TermDictionary,
    beside: RwLock<AdditionalTerms>,
}

#[derive(Debug, Default)]
struct AdditionalTerms {
    terms: Vec<Term>,
    ids: HashMap<Term, TermId>,
}

impl<'d> ValidationTerms<'d> {
    pub(super) fn new(dictionary: &'d TermDictionary) -> Self {
        Self { dictionary, beside: RwLock::default() }
    }

    pub(super) fn dictionary(&self) -> &'d TermDictionary {
        self.dictionary
    }

    /// The number of a term of a shapes graph. A blank node of a shapes graph is not in the data, and gets a name that
    /// is not used there.
    pub(super) fn of_shapes(&self, term: &Term) -> TermId {
        if let Term::BlankNode(node) = term {
            let apart = BlankNode::new_unchecked(format!("shapes-{}", node.as_str()));
            return self.beside(&apart.into());
        }
        self.dictionary.find(term.as_ref()).unwrap_or_else(|| self.beside(term))
    }

    /// The number of a term that a query over the data has returned.
    pub(super) fn of_query(&self, term: &Term) -> TermId {
        let known = match term {
            Term::BlankNode(node) => self.dictionary.find_blank_node(node.as_str()),
            other => self.dictionary.find(other.as_ref()),
        };
        known.unwrap_or_else(|| self.beside(term))
    }

    fn beside(&self, term: &Term) -> TermId {
        let mut beside = self.beside.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = beside.ids.get(term) {
            return *id;
        }
        let id = TermId::from_index(self.dictionary.len() + 1 + beside.terms.len());
        beside.terms.push(term.clone());
        beside.ids.insert(term.clone(), id);
        id
    }

    /// Returns whether a term is one of the data.
    pub(super) fn is_of_data(&self, id: TermId) -> bool {
        id.index() <= self.dictionary.len()
    }

    /// The term as an oxrdf term.
    pub(super) fn term(&self, id: TermId) -> Term {
        if self.is_of_data(id) { self.dictionary.term(id) } else { self.with_beside(id, Term::clone) }
    }

    /// Passes an additional term to a function.
    fn with_beside<T>(&self, id: TermId, take: impl FnOnce(&Term) -> T) -> T {
        let beside = self.beside.read().unwrap_or_else(PoisonError::into_inner);
        take(&beside.terms[id.index() - self.dictionary.len() - 1])
    }

    pub(super) fn kind(&self, id: TermId) -> RdfTermKind {
        if self.is_of_data(id) {
            return self.dictionary.kind(id);
        }
        self.with_beside(id, |term| match term {
            Term::NamedNode(_) => RdfTermKind::Iri,
            Term::BlankNode(_) => RdfTermKind::BlankNode,
            Term::Literal(literal) => RdfTermKind::of_literal(literal.as_ref()),
        })
    }

    /// The value of an integer of the data, if it fits into 64 bits.
    pub(super) fn short_integer(&self, id: TermId) -> Option<i64> {
        let is_integer = self.is_of_data(id) && self.dictionary.kind(id) == RdfTermKind::Integer;
        if is_integer { self.dictionary.lexical(id).parse().ok() } else { None }
    }

    /// Passes the IRI or the lexical form of a term to a function; none for a blank node.
    pub(super) fn with_text<T>(&self, id: TermId, take: impl FnOnce(Option<&str>) -> T) -> T {
        if self.is_of_data(id) {
            let is_blank = self.dictionary.kind(id) == RdfTermKind::BlankNode;
            return take((!is_blank).then(|| self.dictionary.lexical(id)));
        }
        self.with_beside(id, |term| {
            take(match term {
                Term::NamedNode(node) => Some(node.as_str()),
                Term::Literal(literal) => Some(literal.value()),
                Term::BlankNode(_) => None,
            })
        })
    }

    /// Passes the language of a literal to a function.
    pub(super) fn with_language<T>(&self, id: TermId, take: impl FnOnce(Option<&str>) -> T) -> T {
        if self.is_of_data(id) {
            return take(self.dictionary.language(id));
        }
        self.with_beside(id, |term| {
            take(match term {
                Term::Literal(literal) => literal.language(),
                _ => None,
            })
        })
    }

    /// Passes the lexical form and the datatype of a literal to a function; none for other terms.
    pub(super) fn with_literal<T>(&self, id: TermId, take: impl FnOnce(&str, &str) -> T) -> Option<T> {
        match self.kind(id) {
            RdfTermKind::Iri | RdfTermKind::BlankNode => return None,
            _ => {}
        }
        if self.is_of_data(id) {
            let datatype = self
                .dictionary
                .datatype(id)
                .map_or(rdf::LANG_STRING, |datatype| self.dictionary.lexical(datatype));
            return Some(take(self.dictionary.lexical(id), datatype));
        }
        self.with_beside(id, |term| match term {
            Term::Literal(literal) => Some(take(literal.value(), Literal::datatype(literal).as_str())),
            _ => None,
        })
    }
}
