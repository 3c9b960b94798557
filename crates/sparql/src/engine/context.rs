//! What all parts of an evaluation have in common.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use oxiri::Iri;
use oxrdf::{Term, Variable};

use super::data::{Data, Part};
use super::limits::Ticks;
use super::steps::Steps;
use super::table::Table;
use crate::evaluate::Evaluation;
use evalgraph_store::{DatasetView, TermId};

/// One evaluation.
pub(super) struct Engine<'e, 'd> {
    pub(super) data: &'e Data<'d>,
    pub(super) view: &'e DatasetView<'d>,
    pub(super) evaluation: &'e Evaluation,
    pub(super) names: &'e [Variable],
    /// The IRI that expressions resolve others against.
    pub(super) base: Option<&'e Iri<String>>,
    pub(super) ticks: Ticks<'e>,
    /// The steps, where they are to be shown.
    pub(super) steps: Cell<Option<&'e Steps>>,
    /// The part of the first pattern that is looked at, until that is found; then what comes behind it.
    pub(super) part: Cell<Option<Part<'d>>>,
    pub(super) rest: Cell<Option<Part<'d>>>,
    /// The solutions of nodes and triple patterns that all parts have in common, by their places in memory.
    pub(super) kept: &'e RefCell<HashMap<*const (), Table>>,
}

/// The number of a term of a query; a new one if the dataset does not have it.
pub(super) fn known(view: &DatasetView<'_>, term: Term) -> TermId {
    view.intern_named(term)
}
