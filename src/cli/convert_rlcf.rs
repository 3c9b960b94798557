//! `evalgraph convert --to rlcf`: the questions of any inputs as tasks for experts.

use std::io::Write;
use std::path::Path;

use super::Stop;
use super::convert_train::items;
use super::output::Output;
use super::report::Report;
use super::time_of_run::time_of_run;
use crate::diagnostic::Diagnostic;
use crate::rdf::QuadBuffer;
use crate::source::rlcf::tasks_of_items;

/// Writes the questions of all graphs as an array of tasks.
///
/// # Errors
///
/// `convert::no-questions` where there are none, and those of the output.
pub(super) fn write_tasks(quads: &QuadBuffer, path: Option<&Path>, report: &mut Report) -> Result<(), Stop> {
    let had_failed = report.has_failed();
    let items = items(quads, "rlcf", report);
    if items.is_empty() {
        return Err(Diagnostic::error("convert::no-questions", "the inputs have no questions").into());
    }
    // The program keeps times in UTC without saying so.
    let time = time_of_run()?.format("%Y-%m-%dT%H:%M:%S").to_string();
    let written = tasks_of_items(&items, &time);
    report.add_all(&written.findings);
    if report.has_failed() && !had_failed {
        return Err(Stop::Failed);
    }
    let mut output = Output::open(path)?;
    output.write_all(written.tasks.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()
}
