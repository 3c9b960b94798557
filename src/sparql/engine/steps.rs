//! The steps of an evaluation, as its explanation shows them: how many solutions were expected and found, and how long it took.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::time::Duration;

/// The steps so far, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Steps {
    depth: Cell<usize>,
    taken: RefCell<Vec<Step>>,
}

#[derive(Debug)]
struct Step {
    depth: usize,
    label: String,
    expected: Option<f64>,
    rows: usize,
    time: Duration,
}

impl Steps {
    /// Notes that a step begins, within those that have not ended; returns its place.
    pub(super) fn begin(&self, label: String, expected: Option<f64>) -> usize {
        let depth = self.depth.replace(self.depth.get() + 1);
        let mut taken = self.taken.borrow_mut();
        taken.push(Step { depth, label, expected, rows: 0, time: Duration::ZERO });
        taken.len() - 1
    }

    /// Notes that a step has ended.
    pub(super) fn end(&self, place: usize, rows: usize, time: Duration) {
        let step = &mut self.taken.borrow_mut()[place];
        self.depth.set(step.depth);
        (step.rows, step.time) = (rows, time);
    }

    /// A line for each step.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for Step { depth, label, expected, rows, time } in self.taken.borrow().iter() {
            let expected = expected.map(|rows| format!("{rows:.0} expected, ")).unwrap_or_default();
            let (indent, milliseconds) = (depth * 2, time.as_secs_f64() * 1000.0);
            let line =
                writeln!(text, "{:indent$}{label}  [{expected}{rows} solutions, {milliseconds:.3} ms]", "");
            line.expect("a string takes all text");
        }
        text
    }
}
