//! `evalgraph convert --to rlcf`: the questions of any inputs as tasks for experts.

use std::path::Path;

use super::Stop;
use super::convert_items::{joined, questions_of_documents, write_folder, write_text};
use super::loss_report::{report_defaults, report_losses};
use super::report::Report;
use super::same::is_folder;
use super::time_of_run::time_of_run;
use crate::rdf::QuadBuffer;
use crate::source::rlcf::tasks_of_items;

/// The name on the command line.
const FORM: &str = "rlcf";

/// Writes the questions of all graphs as an array of tasks, in a folder as one of each input.
///
/// # Errors
///
/// `convert::no-questions` where there are none, and those of the output.
pub(super) fn write_tasks(quads: &QuadBuffer, path: Option<&Path>, report: &mut Report) -> Result<(), Stop> {
    let had_failed = report.has_failed();
    // The program keeps times in UTC without saying so.
    let time = time_of_run()?.format("%Y-%m-%dT%H:%M:%S").to_string();
    let folder = path.filter(|path| is_folder(path));
    let mut documents = questions_of_documents(quads, FORM, report)?;
    if folder.is_none() {
        documents = vec![joined(documents)];
    }
    let mut texts = Vec::with_capacity(documents.len());
    for (items, name) in documents {
        let written = tasks_of_items(&items, &time);
        report_losses(written.losses.iter(), (FORM, &name), report);
        report_defaults(&written.defaults, &name, report);
        texts.push((written.tasks, name));
    }
    if report.has_failed() && !had_failed {
        return Err(Stop::Failed);
    }
    if let Some(folder) = folder {
        return write_folder(texts, folder, "json");
    }
    texts.into_iter().try_for_each(|(text, _)| write_text(&text, path))
}
