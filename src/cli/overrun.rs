//! Ends a run whose query does not listen when its time is over: a sort, a regular expression or
//! the combinations of a join go on for as long as they take.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::interrupts::{self, INTERRUPTED};
use super::output;
use super::report::Report;
use crate::diagnostic::Diagnostic;

/// The run under way, while a query is evaluated. The timer's thread finds here what it needs.
static RUN: Mutex<Option<Report>> = Mutex::new(None);

/// A run that may be ended by [`end`] until it is dropped.
pub(super) struct Watched<'r> {
    report: &'r mut Report,
}

/// Lets [`end`] end the run. Holds the report meanwhile.
pub(super) fn watch(report: &mut Report) -> Watched<'_> {
    *run() = Some(mem::take(report));
    Watched { report }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(report) = run().take() {
            *self.report = report;
        }
    }
}

/// Ends the process with the finding as its last, unless the query has come to its end.
pub(super) fn end(finding: &Diagnostic) {
    // Held to the end, so that the run cannot go on meanwhile.
    let mut run = run();
    let Some(report) = run.as_mut() else { return };
    output::remove_unfinished();
    report.add(finding);
    report.finish();
    std::process::exit(status(finding));
}

/// The exit status of a run that ends with a finding.
pub(super) fn status(finding: &Diagnostic) -> i32 {
    if finding.code == INTERRUPTED { interrupts::status() } else { 2 }
}

fn run() -> MutexGuard<'static, Option<Report>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}
