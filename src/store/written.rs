//! Literals as they are written. The evaluator hands only values to functions, in which `01` is `1`. Functions that
//! need the written form find here the last term that the evaluator has looked at.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::rdf::vocabulary::evaluator;
use oxrdf::{Literal, NamedNode, Term};
use spareval::ExpressionTerm;

/// The last term that an evaluation has looked at, noted if one of its functions wants it.
#[derive(Default)]
pub struct Written {
    is_wanted: AtomicBool,
    last: Mutex<Option<Seen>>,
}

/// A term that an evaluation has looked at.
pub(crate) struct Seen {
    pub(crate) value: ExpressionTerm,
    /// The literal itself, if its value can be written in several ways.
    pub(crate) literal: Option<Term>,
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Written").field("is_wanted", &self.is_wanted()).finish_non_exhaustive()
    }
}

impl Written {
    /// Begins to note terms.
    pub(crate) fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    pub(super) fn see(&self, value: ExpressionTerm, literal: Option<Term>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Seen { value, literal });
    }

    /// Takes the noted term.
    pub(crate) fn take(&self) -> Option<Seen> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Disguises a literal whose written form differs from that of its value, so that the evaluator keeps the form.
pub(crate) fn keep_written(term: Term) -> Term {
    let Term::Literal(literal) = &term else { return term };
    if Term::from(ExpressionTerm::from(term.clone())) == term {
        return term;
    }
    let datatype =
        NamedNode::new_unchecked(format!("{}{}", evaluator::WRITTEN_AS, literal.datatype().as_str()));
    Literal::new_typed_literal(literal.value(), datatype).into()
}

/// Restores a literal that [`keep_written`] disguised; none for any other literal.
pub(super) fn kept_as_written(value: &str, datatype: &NamedNode) -> Option<Term> {
    let datatype = NamedNode::new_unchecked(datatype.as_str().strip_prefix(evaluator::WRITTEN_AS)?);
    Some(Literal::new_typed_literal(value, datatype).into())
}
