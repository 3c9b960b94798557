//! What all parts of an evaluation have in common.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use oxiri::Iri;
use oxrdf::{Term, Variable};

use super::limits::CancellationTicker;
use super::queryable_dataset::{QueryableDataset, TriplePart};
use super::solution_table::SolutionTable;
use super::steps::ExplanationSteps;
use crate::evaluate::LimitedEvaluation;
use evalgraph_store::{DatasetView, TermId};

/// One evaluation.
pub(super) struct PlanEvaluator<'e, 'd> {
    pub(super) data: &'e QueryableDataset<'d>,
    pub(super) view: &'e DatasetView<'d>,
    pub(super) evaluation: &'e LimitedEvaluation,
    pub(super) names: &'e [Variable],
    /// The IRI that expressions resolve others against.
    pub(super) base: Option<&'e Iri<String>>,
    pub(super) ticks: CancellationTicker<'e>,
    /// The steps, where they are to be shown.
    pub(super) steps: Cell<Option<&'e ExplanationSteps>>,
    /// The part of the first pattern that is looked at, until that is found; then what comes behind it.
    pub(super) part: Cell<Option<TriplePart<'d>>>,
    pub(super) rest: Cell<Option<TriplePart<'d>>>,
    /// The solutions of nodes and triple patterns that all parts have in common, by their places in memory.
    pub(super) kept: &'e RefCell<HashMap<*const (), SolutionTable>>,
}

/// The number of a term of a query; a new one if the dataset does not have it.
pub(super) fn known(view: &DatasetView<'_>, term: Term) -> TermId {
    view.intern_named(term)
}
