//! Ends a run whose query does not listen when its time is over: a sort, a regular expression or
//! the combinations of a join go on for as long as they take.

use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::report::Report;
use crate::diagnostic::Diagnostic;

/// The run under way, while a query is evaluated. The timer's thread finds here what it needs.
static RUN: Mutex<Option<Run>> = Mutex::new(None);

struct Run {
    report: Report,
    unfinished: Option<PathBuf>,
}

/// A run that may be ended by [`end`] until it is dropped.
pub(super) struct Watched<'r> {
    report: &'r mut Report,
}

/// Lets [`end`] end the run. Holds the report meanwhile; `unfinished` is the file that must not
/// stay.
pub(super) fn watch(report: &mut Report, unfinished: Option<PathBuf>) -> Watched<'_> {
    *run() = Some(Run { report: mem::take(report), unfinished });
    Watched { report }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(run) = run().take() {
            *self.report = run.report;
        }
    }
}

/// Ends the process with the finding as its last, unless the query has come to its end.
pub(super) fn end(finding: &Diagnostic) {
    // Held to the end, so that the run cannot go on meanwhile.
    let mut run = run();
    let Some(run) = run.as_mut() else { return };
    if let Some(file) = &run.unfinished {
        // Nobody can be told more than that the run has failed.
        let _ = fs::remove_file(file);
    }
    run.report.add(finding);
    run.report.finish();
    std::process::exit(2);
}

fn run() -> MutexGuard<'static, Option<Run>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}
