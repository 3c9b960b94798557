//! Literals as they are written. The evaluator knows a number by its value, in which `01` is `1`, and hands only that to
//! functions; they find here the term that it looked at last.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::rdf::vocabulary::evaluator;
use oxrdf::{Literal, NamedNode, Term};
use spareval::ExpressionTerm;

/// The term that an evaluation looked at last, where a function of the evaluation wants to know it.
#[derive(Default)]
pub struct Written {
    is_wanted: AtomicBool,
    last: Mutex<Option<Seen>>,
}

/// A term that an evaluation has looked at.
pub(crate) struct Seen {
    pub(crate) value: ExpressionTerm,
    /// The literal itself, where its value may be written in several ways.
    pub(crate) literal: Option<Term>,
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Written").field("is_wanted", &self.is_wanted()).finish_non_exhaustive()
    }
}

impl Written {
    /// Terms are noted from now on.
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

    /// The term that was looked at last.
    pub(crate) fn take(&self) -> Option<Seen> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A literal as it goes through the evaluator when it is to be kept as it is written.
pub(crate) fn keep_written(term: Term) -> Term {
    let Term::Literal(literal) = &term else { return term };
    if Term::from(ExpressionTerm::from(term.clone())) == term {
        return term;
    }
    let datatype =
        NamedNode::new_unchecked(format!("{}{}", evaluator::WRITTEN_AS, literal.datatype().as_str()));
    Literal::new_typed_literal(literal.value(), datatype).into()
}

/// The literal that comes out of the evaluator, where it was to be kept as it is written.
pub(super) fn kept_as_written(value: &str, datatype: &NamedNode) -> Option<Term> {
    let datatype = NamedNode::new_unchecked(datatype.as_str().strip_prefix(evaluator::WRITTEN_AS)?);
    Some(Literal::new_typed_literal(value, datatype).into())
}
