//! The solutions of a query as rows of numbers, part by part.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use oxiri::Iri;
use oxrdf::Term;

use super::context::Engine;
use super::data::Data;
use super::distinct::Known;
use super::limits::{Ticks, Unfit};
use super::parts::{FIRST, FIRST_OF_FEW, Parts};
use super::plan::Plan;
use super::steps::Steps;
use super::table::{Column, Number, Table, Vars};
use crate::environment::EvaluationError;
use crate::evaluate::Evaluation;
use evalgraph_store::TermId;

/// The solutions of a query as rows of numbers.
pub(super) struct Answer<'d> {
    pub(super) plan: Plan,
    pub(super) data: Data<'d>,
    evaluation: Evaluation,
    base: Option<Iri<String>>,
    steps: Option<Rc<Steps>>,
    kept: RefCell<HashMap<*const (), Table>>,
    parts: Parts<'d>,
    table: Table,
    /// The next row of the table.
    next: usize,
    /// How many rows are to be left out and shown.
    to_leave_out: usize,
    to_show: usize,
    /// The rows that were found, if equal ones are one.
    known: Option<Known>,
}

impl<'d> Answer<'d> {
    /// Begins to find the solutions.
    ///
    /// # Errors
    ///
    /// The end of its time, and errors of the evaluation.
    pub(super) fn of(
        plan: Plan,
        data: Data<'d>,
        base: Option<&Iri<String>>,
        evaluation: &Evaluation,
        steps: Option<Rc<Steps>>,
    ) -> Result<Self, EvaluationError> {
        let mut answer = Self {
            data,
            evaluation: evaluation.clone(),
            base: base.cloned(),
            steps,
            kept: RefCell::default(),
            parts: Parts::none(),
            table: Table::default(),
            next: 0,
            to_leave_out: plan.start,
            to_show: plan.length.unwrap_or(usize::MAX),
            known: plan.is_distinct.then(Known::default),
            plan,
        };
        if answer.to_show == 0 {
            return Ok(answer);
        }
        let first = if answer.to_show < FIRST { FIRST_OF_FEW.max(answer.to_show) } else { FIRST };
        answer.parts = Parts::of(&answer.engine(), &answer.plan.root, first);
        answer.find().map_err(Unfit::into_error)?;
        Ok(answer)
    }

    fn engine(&self) -> Engine<'_, 'd> {
        Engine {
            data: &self.data,
            view: &self.data.view,
            evaluation: &self.evaluation,
            names: &self.plan.names,
            base: self.base.as_ref(),
            ticks: Ticks::of(&self.evaluation.deadline.cancellation),
            steps: Cell::new(self.steps.as_deref()),
            part: Cell::new(None),
            rest: Cell::new(None),
            kept: &self.kept,
        }
    }

    /// Finds the solutions of the next part, if there is one.
    fn find(&mut self) -> Result<bool, Unfit> {
        let (mut parts, mut known) = (std::mem::replace(&mut self.parts, Parts::none()), self.known.take());
        let engine = self.engine();
        let wanted = Vars::of(self.plan.vars.iter().copied());
        let Some(mut table) = parts.next(&engine, &self.plan.root, wanted)? else { return Ok(false) };
        if let Some(known) = &mut known {
            let unbound = Column::of(vec![0; table.rows]);
            let columns: Vec<&Column> =
                wanted.iter().map(|var| table.column(var).unwrap_or(&unbound)).collect();
            let first = known.add(&columns, table.rows, &engine.ticks)?.first;
            table = table.filtered(&first, &engine.ticks)?;
        }
        (self.parts, self.known, self.table, self.next) = (parts, known, table, 0);
        Ok(true)
    }

    /// The next row of the table that is shown, if there is one.
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
            if !self.find().map_err(Unfit::into_error)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The numbers of a row, by the columns of the answer.
    pub(super) fn numbers(&self, row: usize) -> impl Iterator<Item = Number> {
        self.plan.vars.iter().map(move |var| self.table.numbers(*var).map_or(0, |numbers| numbers[row]))
    }

    /// The terms of a row.
    pub(super) fn terms(&self, row: usize) -> Vec<Option<Term>> {
        self.numbers(row).map(|number| Some(self.data.view.term(TermId::of_number(number)?))).collect()
    }
}
