//! The questions of any inputs as a dataset directory of train.json, or only as its rows.

use super::corpora::TrainCorpora;
use super::items::{joined, questions_of_documents};
use super::losses::{report_defaults, report_faults, report_losses};
use super::written_files::{WrittenFile, WrittenFiles};
use crate::input::corpus::{CORPUS, ROWS};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_formats::train::{TrainWriteOptions, dataset_of_items};
use evalgraph_rdf::QuadBuffer;

/// The name of the form.
const FORM: &str = "train";

/// Writes the questions of all graphs as a dataset: the corpus files, then the rows, the files of `corpora` as they
/// are, and a note with their numbers.
///
/// # Errors
///
/// `convert::no-questions` for inputs without questions.
pub(super) fn train_files(
    quads: &QuadBuffer,
    options: TrainWriteOptions,
    corpora: TrainCorpora,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let had_failed = report.has_failed();
    let (items, name) = joined(questions_of_documents(quads, FORM, report)?);
    let dataset = dataset_of_items(&items, options, &corpora.names);
    report_losses(dataset.losses.iter(), FORM, &name, report);
    report_faults(
        &dataset.faults,
        FORM,
        &name,
        Some(&help!["the numbers of the rows: ", setting("ids").to("index")]),
        report,
    );
    report_defaults(&dataset.defaults, &name, report);
    report.check(had_failed)?;
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{} {many}", thousands(count as u64)),
    };
    let rows = counted(items.len(), "row", "rows");
    let files = dataset.corpus.len() + corpora.count();
    let message = format!("{rows}, and {} in the corpus", counted(files, "file", "files"));
    let note = Diagnostic::new(FindingSeverity::Note, "train::written", message);
    let corpus = dataset.corpus.into_iter().map(|(name, text)| (format!("{CORPUS}/{name}"), text));
    let files = corpus.chain([(ROWS.to_owned(), dataset.rows)]);
    let files = files.map(|(path, text)| WrittenFile { path, text }).collect();
    Ok(WrittenFiles { files, copies: corpora.into_copies(), note: Some(note) })
}
