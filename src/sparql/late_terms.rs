//! A dataset whose terms stay numbers until they are shown.
//!
//! Ordering and CONSTRUCT look at many more terms than they return. `spareval` makes a term of every value of
//! every solution; over this dataset it makes a blank node that holds a number, which costs no allocation,
//! and the term itself is made when it is needed.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Rc;

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use oxrdf::{BlankNode, Term};
use spareval::{ExpressionTerm, InternalQuad, QueryableDataset};

/// The number of a term.
pub(super) type TermId = u32;

/// A dataset and the numbers of the terms that came out of it.
pub(super) struct LateTerms<'a, D: QueryableDataset<'a>> {
    shared: Rc<Shared<D, D::InternalTerm>>,
}

struct Shared<D, T> {
    dataset: D,
    numbering: RefCell<Numbering<T>>,
}

struct Numbering<T> {
    numbers: HashMap<T, TermId, RandomState>,
    terms: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    fn number(&mut self, term: T) -> TermId {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let number =
            TermId::try_from(self.terms.len()).expect("a dataset has fewer than four thousand million terms");
        self.terms.push(term.clone());
        self.numbers.insert(term, number);
        number
    }
}

impl<'a, D: QueryableDataset<'a>> Clone for LateTerms<'a, D> {
    fn clone(&self) -> Self {
        Self { shared: Rc::clone(&self.shared) }
    }
}

impl<'a, D: QueryableDataset<'a>> LateTerms<'a, D> {
    pub(super) fn new(dataset: D) -> Self {
        let numbering = Numbering { numbers: HashMap::default(), terms: Vec::new() };
        Self { shared: Rc::new(Shared { dataset, numbering: RefCell::new(numbering) }) }
    }

    /// The number behind a value of a solution over this dataset.
    pub(super) fn id(value: &Term) -> Option<TermId> {
        match value {
            Term::BlankNode(node) => node.as_ref().unique_id().and_then(|id| TermId::try_from(id).ok()),
            _ => None,
        }
    }

    /// The number of a term that the query itself names.
    pub(super) fn id_of_constant(&self, term: Term) -> Result<TermId, D::Error> {
        let term = self.shared.dataset.internalize_term(term)?;
        Ok(self.shared.numbering.borrow_mut().number(term))
    }

    /// The term of a number.
    pub(super) fn term(&self, id: TermId) -> Result<Term, D::Error> {
        self.shared.dataset.externalize_term(self.internal(id))
    }

    /// The value of a number, for comparisons.
    pub(super) fn value(&self, id: TermId) -> Result<ExpressionTerm, D::Error> {
        self.shared.dataset.externalize_expression_term(self.internal(id))
    }

    fn internal(&self, id: TermId) -> D::InternalTerm {
        self.shared.numbering.borrow().terms[id as usize].clone()
    }
}

impl<'a, D: QueryableDataset<'a>> QueryableDataset<'a> for LateTerms<'a, D> {
    type InternalTerm = D::InternalTerm;
    type Error = D::Error;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Self::InternalTerm>,
        predicate: Option<&Self::InternalTerm>,
        object: Option<&Self::InternalTerm>,
        graph_name: Option<Option<&Self::InternalTerm>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Self::InternalTerm>, Self::Error>> + use<'a, D> {
        self.shared.dataset.internal_quads_for_pattern(subject, predicate, object, graph_name)
    }

    fn internal_named_graphs(
        &self,
    ) -> impl Iterator<Item = Result<Self::InternalTerm, Self::Error>> + use<'a, D> {
        self.shared.dataset.internal_named_graphs()
    }

    fn contains_internal_graph_name(&self, graph_name: &Self::InternalTerm) -> Result<bool, Self::Error> {
        self.shared.dataset.contains_internal_graph_name(graph_name)
    }

    fn internalize_term(&self, term: Term) -> Result<Self::InternalTerm, Self::Error> {
        self.shared.dataset.internalize_term(term)
    }

    fn externalize_term(&self, term: Self::InternalTerm) -> Result<Term, Self::Error> {
        let number = self.shared.numbering.borrow_mut().number(term);
        Ok(BlankNode::new_from_unique_id(u128::from(number)).into())
    }

    fn externalize_expression_term(&self, term: Self::InternalTerm) -> Result<ExpressionTerm, Self::Error> {
        self.shared.dataset.externalize_expression_term(term)
    }

    fn internalize_expression_term(&self, term: ExpressionTerm) -> Result<Self::InternalTerm, Self::Error> {
        self.shared.dataset.internalize_expression_term(term)
    }

    fn internal_term_effective_boolean_value(
        &self,
        term: Self::InternalTerm,
    ) -> Result<Option<bool>, Self::Error> {
        self.shared.dataset.internal_term_effective_boolean_value(term)
    }
}
