//! The solutions of a query, found part by part: those of the first triples of the first pattern come before others are looked for.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use oxiri::Iri;
use oxrdf::Term;

use super::context::Engine;
use super::data::Data;
use super::limits::{Ticks, Unfit};
use super::plan::Plan;
use super::steps::Steps;
use super::table::{Number, Table, Vars};
use crate::diagnostic::Diagnostic;
use crate::sparql::environment::EvaluationError;
use crate::sparql::evaluate::Evaluation;
use crate::store::TermId;

/// The length of the first part, where all solutions are wanted and where some are; and how much longer each next one is.
const FIRST: usize = 1 << 12;
const FIRST_OF_FEW: usize = 1 << 6;
const GROWTH: usize = 1 << 6;

/// The solutions of a query as rows of numbers.
pub(super) struct Answer<'d> {
    pub(super) plan: Plan,
    pub(super) data: Data<'d>,
    evaluation: Evaluation,
    base: Option<Iri<String>>,
    steps: Option<Rc<Steps>>,
    /// The part of the first pattern that comes next; none if the table is the last one.
    part: Option<Range<usize>>,
    /// The length of the longest part that does not have too many solutions, as far as that is known.
    longest: usize,
    table: Table,
    /// The next row of the table.
    next: usize,
    /// How many rows are to be left out and shown.
    to_leave_out: usize,
    to_show: usize,
    /// The rows that were found, if equal ones are one.
    known: Option<HashSet<Box<[Number]>, RandomState>>,
}

impl<'d> Answer<'d> {
    /// Begins to find the solutions; none if what the query needs is not for the engine.
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
    ) -> Result<Option<Self>, EvaluationError> {
        let to_show = plan.length.unwrap_or(usize::MAX);
        let first = match &steps {
            _ if to_show < FIRST => FIRST_OF_FEW.max(to_show),
            Some(_) => usize::MAX,
            None => FIRST,
        };
        let mut answer = Self {
            data,
            evaluation: evaluation.clone(),
            base: base.cloned(),
            steps,
            part: Some(0..first),
            longest: usize::MAX,
            table: Table::default(),
            next: 0,
            to_leave_out: plan.start,
            to_show,
            known: plan.is_distinct.then(HashSet::default),
            plan,
        };
        if !answer.engine().is_divisible(&answer.plan.root) {
            answer.part = None;
        }
        if to_show == 0 {
            answer.part = None;
            return Ok(Some(answer));
        }
        match answer.find(answer.part.clone()) {
            Ok(()) => Ok(Some(answer)),
            Err(Unfit::TooLarge | Unfit::NotTaken) => Ok(None),
            Err(Unfit::Failed(error)) => Err(error),
        }
    }

    fn engine(&self) -> Engine<'_, 'd> {
        Engine {
            data: &self.data,
            view: &self.data.view,
            evaluation: &self.evaluation,
            names: &self.plan.names,
            base: self.base.as_ref(),
            ticks: Ticks::of(&self.evaluation.deadline.cancellation),
            steps: self.steps.as_deref(),
            part: Cell::new(None),
            has_more: Cell::new(false),
        }
    }

    /// Finds the solutions of a part, and notes which part comes next.
    fn find(&mut self, part: Option<Range<usize>>) -> Result<(), Unfit> {
        let engine = self.engine();
        engine.part.set(part.clone());
        let table = engine.run(&self.plan.root, Vars::of(self.plan.vars.iter().copied()))?;
        let has_more = engine.has_more.get();
        self.part = part.filter(|_| has_more).map(|part| {
            let length = part.len().saturating_mul(GROWTH).min(self.longest);
            part.end..part.end.saturating_add(length)
        });
        (self.table, self.next) = (table, 0);
        Ok(())
    }

    /// Finds the solutions of the next part. One with too many of them is divided.
    fn find_next(&mut self, mut part: Range<usize>) -> Result<(), EvaluationError> {
        loop {
            match self.find(Some(part.clone())) {
                Ok(()) => return Ok(()),
                Err(Unfit::Failed(error)) => return Err(error),
                Err(Unfit::TooLarge) if part.len() > 1 => {
                    self.longest = part.len().div_ceil(GROWTH);
                    part.end = part.start + self.longest;
                }
                Err(Unfit::TooLarge | Unfit::NotTaken) => {
                    let message = "one triple has too many solutions with the others of the query";
                    return Err(Box::new(Diagnostic::error("sparql::evaluation", message)));
                }
            }
        }
    }

    /// The next row of the table that is shown, if there is one.
    pub(super) fn next_row(&mut self) -> Result<Option<usize>, EvaluationError> {
        while self.to_show > 0 {
            if self.next == self.table.rows {
                match self.part.take() {
                    Some(part) => self.find_next(part)?,
                    None => return Ok(None),
                }
                continue;
            }
            let row = self.next;
            self.next += 1;
            if !self.is_new(row) {
                continue;
            }
            if self.to_leave_out > 0 {
                self.to_leave_out -= 1;
                continue;
            }
            self.to_show -= 1;
            return Ok(Some(row));
        }
        Ok(None)
    }

    fn is_new(&mut self, row: usize) -> bool {
        let Some(mut known) = self.known.take() else { return true };
        let is_new = known.insert(self.numbers(row).collect());
        self.known = Some(known);
        is_new
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
