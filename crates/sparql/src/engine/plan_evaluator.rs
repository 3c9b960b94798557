//! The state that all parts of an evaluation share.

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

/// One evaluation. Its methods are in `accumulators.rs`, `basic_graph_pattern.rs`, `closure.rs`, `division.rs`,
/// `equality.rs`, `estimates.rs`, `exists.rs`, `folded_expressions.rs`, `graphs.rs`, `group_by.rs`, `labels.rs`,
/// `lateral.rs`, `order_by.rs`, `row_conditions.rs`, `run.rs`, `service.rs` and `table_expressions.rs`.
pub(super) struct PlanEvaluator<'e, 'd> {
    pub(super) data: &'e QueryableDataset<'d>,
    pub(super) view: &'e DatasetView<'d>,
    pub(super) evaluation: &'e LimitedEvaluation,
    pub(super) names: &'e [Variable],
    /// The base against which expressions resolve relative IRIs.
    pub(super) base: Option<&'e Iri<String>>,
    pub(super) ticks: CancellationTicker<'e>,
    /// The steps, if they are to be shown.
    pub(super) steps: Cell<Option<&'e ExplanationSteps>>,
    /// The part of the first pattern to evaluate, until its solutions are found; `rest` is then what follows it.
    pub(super) part: Cell<Option<TriplePart<'d>>>,
    pub(super) rest: Cell<Option<TriplePart<'d>>>,
    /// The solutions of nodes and triple patterns that all parts have in common, by the addresses of these.
    pub(super) kept: &'e RefCell<HashMap<*const (), SolutionTable>>,
}

/// The number of a term of a query. A term that the dataset does not have gets a new one.
pub(super) fn known(view: &DatasetView<'_>, term: Term) -> TermId {
    view.intern_named(term)
}
