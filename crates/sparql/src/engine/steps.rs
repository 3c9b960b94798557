//! The steps of an evaluation, as its explanation shows them: the expected and found numbers of solutions, and the
//! time.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::time::Duration;

use super::solution_table::SolutionTable;

/// The steps so far, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct ExplanationSteps {
    taken: RefCell<Vec<ExplanationStep>>,
    /// The places of the steps that have not ended, each within the one before it.
    open: RefCell<Vec<usize>>,
    /// The number of parts of the whole evaluation.
    parts: Cell<usize>,
}

/// A step: what it did in all parts of the solutions.
#[derive(Debug)]
struct ExplanationStep {
    within: Option<usize>,
    label: String,
    expected: Option<f64>,
    rows: usize,
    /// The number of columns of the solutions.
    columns: usize,
    time: Duration,
    /// The part of the enclosing step in which it last began, and the number of its own parts.
    part: usize,
    parts: usize,
}

impl ExplanationSteps {
    /// Records that a step begins, within those that have not ended. Returns its place. A step that repeats one of an
    /// earlier part is the same step.
    pub(super) fn begin(&self, label: String, expected: Option<f64>) -> usize {
        let (mut taken, mut open) = (self.taken.borrow_mut(), self.open.borrow_mut());
        let within = open.last().copied();
        let part = within.map_or(self.parts.get(), |place| taken[place].parts);
        // Within one part, two steps with the same label are different steps.
        let known =
            taken.iter().position(|step| step.within == within && step.label == label && step.part < part);
        let place = known.unwrap_or(taken.len());
        if known.is_none() {
            let time = Duration::ZERO;
            taken.push(ExplanationStep {
                within,
                label,
                expected: None,
                rows: 0,
                columns: 0,
                time,
                part,
                parts: 1,
            });
        }
        let step = &mut taken[place];
        (step.part, step.parts) = (part, step.parts + 1);
        if let Some(expected) = expected {
            *step.expected.get_or_insert(0.0) += expected;
        }
        open.push(place);
        place
    }

    /// Records that another part of the innermost open step begins.
    pub(super) fn next_part(&self) {
        match self.open.borrow().last() {
            Some(place) => self.taken.borrow_mut()[*place].parts += 1,
            None => self.parts.set(self.parts.get() + 1),
        }
    }

    /// Records that a step has ended, and what it has found.
    pub(super) fn end(&self, place: usize, found: Option<&SolutionTable>, time: Duration) {
        let step = &mut self.taken.borrow_mut()[place];
        if let Some(table) = found {
            step.rows += table.rows;
            step.columns = step.columns.max(table.columns.len());
        }
        step.time += time;
        let mut open = self.open.borrow_mut();
        while open.pop().is_some_and(|last| last != place) {}
    }

    /// A line for each step.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, None, 0);
        text
    }

    /// The lines of the steps within another one.
    fn write(&self, text: &mut String, within: Option<usize>, depth: usize) {
        for (place, step) in self.taken.borrow().iter().enumerate().filter(|(_, step)| step.within == within)
        {
            let ExplanationStep { label, expected, rows, columns, time, .. } = step;
            let expected = expected.map(|rows| format!("{rows:.0} expected, ")).unwrap_or_default();
            let (indent, milliseconds) = (depth * 2, time.as_secs_f64() * 1000.0);
            let found = format!("{rows} solutions of {columns} columns");
            let line = writeln!(text, "{:indent$}{label}  [{expected}{found}, {milliseconds:.3} ms]", "");
            line.expect("a string takes all text");
            self.write(text, Some(place), depth + 1);
        }
    }
}
