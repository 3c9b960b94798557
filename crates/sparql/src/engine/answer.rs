//! The solutions of a query as rows of numbers, part by part.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use oxiri::Iri;
use oxrdf::Term;

use super::distinct::DistinctRowSet;
use super::limits::{CancellationTicker, SolutionTableError};
use super::parts::{FIRST, FIRST_OF_FEW, SolutionParts};
use super::plan_evaluator::PlanEvaluator;
use super::query_plan::QueryPlan;
use super::queryable_dataset::QueryableDataset;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableSet};
use super::steps::ExplanationSteps;
use crate::environment::EvaluationError;
use crate::evaluate::LimitedEvaluation;
use evalgraph_store::TermId;

/// The solutions of a query as rows of numbers.
pub(super) struct NumberedSolutions<'d> {
    pub(super) plan: QueryPlan,
    pub(super) data: QueryableDataset<'d>,
    evaluation: LimitedEvaluation,
    base: Option<Iri<String>>,
    steps: Option<Rc<ExplanationSteps>>,
    kept: RefCell<HashMap<*const (), SolutionTable>>,
    parts: SolutionParts<'d>,
    table: SolutionTable,
    /// The next row of the table.
    next: usize,
    /// How many rows are left to skip, and then to show.
    to_leave_out: usize,
    to_show: usize,
    /// The rows found so far, if only distinct rows are shown.
    known: Option<DistinctRowSet>,
}

impl<'d> NumberedSolutions<'d> {
    /// Finds the solutions of the first part.
    ///
    /// # Errors
    ///
    /// The time limit, and errors of the evaluation.
    pub(super) fn new(
        plan: QueryPlan,
        data: QueryableDataset<'d>,
        base: Option<&Iri<String>>,
        evaluation: &LimitedEvaluation,
        steps: Option<Rc<ExplanationSteps>>,
    ) -> Result<Self, EvaluationError> {
        let mut answer = Self {
            data,
            evaluation: evaluation.clone(),
            base: base.cloned(),
            steps,
            kept: RefCell::default(),
            parts: SolutionParts::none(),
            table: SolutionTable::default(),
            next: 0,
            to_leave_out: plan.start,
            to_show: plan.length.unwrap_or(usize::MAX),
            known: plan.is_distinct.then(DistinctRowSet::default),
            plan,
        };
        if answer.to_show == 0 {
            return Ok(answer);
        }
        let first = if answer.to_show < FIRST { FIRST_OF_FEW.max(answer.to_show) } else { FIRST };
        answer.parts = SolutionParts::new(&answer.engine(), &answer.plan.root, first);
        answer.find().map_err(SolutionTableError::into_error)?;
        Ok(answer)
    }

    fn engine(&self) -> PlanEvaluator<'_, 'd> {
        PlanEvaluator {
            data: &self.data,
            view: &self.data.view,
            evaluation: &self.evaluation,
            names: &self.plan.names,
            base: self.base.as_ref(),
            ticks: CancellationTicker::new(&self.evaluation.deadline.cancellation),
            steps: Cell::new(self.steps.as_deref()),
            part: Cell::new(None),
            rest: Cell::new(None),
            kept: &self.kept,
        }
    }

    /// Finds the solutions of the next part, if there is one.
    fn find(&mut self) -> Result<bool, SolutionTableError> {
        let (mut parts, mut known) =
            (std::mem::replace(&mut self.parts, SolutionParts::none()), self.known.take());
        let engine = self.engine();
        let wanted = VariableSet::from_numbers(self.plan.vars.iter().copied());
        let Some(mut table) = parts.next(&engine, &self.plan.root, wanted)? else { return Ok(false) };
        if let Some(known) = &mut known {
            let unbound = SolutionColumn::from_numbers(vec![0; table.rows]);
            let columns: Vec<&SolutionColumn> =
                wanted.iter().map(|var| table.column(var).unwrap_or(&unbound)).collect();
            let first = known.add(&columns, table.rows, &engine.ticks)?.first;
            table = table.filtered(&first, &engine.ticks)?;
        }
        (self.parts, self.known, self.table, self.next) = (parts, known, table, 0);
        Ok(true)
    }

    /// The next row of the table to show, if there is one.
    pub(super) fn next_row(&mut self) -> Result<Option<usize>, EvaluationError> {
        while self.to_show > 0 {
            let left = self.table.rows - self.next;
            if left > self.to_leave_out {
                let row = self.next + self.to_leave_out;
                (self.next, self.to_leave_out) = (row + 1, 0);
                self.to_show -= 1;
                return Ok(Some(row));
            }
            self.to_leave_out -= left;
            self.next = self.table.rows;
            if !self.find().map_err(SolutionTableError::into_error)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The numbers of a row, by the columns of the answer.
    pub(super) fn numbers(&self, row: usize) -> impl Iterator<Item = BindingNumber> {
        self.plan.vars.iter().map(move |var| self.table.numbers(*var).map_or(0, |numbers| numbers[row]))
    }

    /// The terms of a row.
    pub(super) fn terms(&self, row: usize) -> Vec<Option<Term>> {
        self.numbers(row).map(|number| Some(self.data.view.term(TermId::of_number(number)?))).collect()
    }
}
