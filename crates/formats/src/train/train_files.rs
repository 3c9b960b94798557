//! The questions of any inputs as a dataset directory of train.json, or only as its rows.

use super::{TRAIN, dataset_of_items};
use crate::corpus::{CORPUS, ROWS};
use crate::writing::loss_reports::{report_defaults, report_faults, report_losses};
use crate::writing::written_questions::{joined, questions_of_documents};
use crate::writing::{FormOptions, FormWriter, SystemForm, WrittenFile, WrittenFiles};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_rdf::QuadBuffer;

/// The name of the form.
const FORM: &str = TRAIN.name();

/// The forms of the system.
pub(super) static FORMS: [SystemForm; 1] = [SystemForm {
    name: FORM,
    extension: "json",
    writer: FormWriter::Graphs(train_files),
    has_corpus: true,
    takes_prompts: false,
}];

/// Writes the questions of all graphs as a dataset: the corpus files, then the rows, and a note with their numbers and
/// that of the documents which the corpus already has.
///
/// # Errors
///
/// `convert::no-questions` for inputs without questions.
fn train_files(
    quads: &QuadBuffer,
    options: &FormOptions<'_>,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let had_failed = report.has_failed();
    let (items, name) = joined(questions_of_documents(quads, FORM, report)?);
    let dataset = dataset_of_items(&items, options.rows, &options.corpus.names);
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
    let files = dataset.corpus.len() + options.corpus.count;
    let message = format!("{rows}, and {} in the corpus", counted(files, "file", "files"));
    let note = Diagnostic::new(FindingSeverity::Note, "train::written", message);
    let corpus = dataset.corpus.into_iter().map(|(name, text)| (format!("{CORPUS}/{name}"), text));
    let files = corpus.chain([(ROWS.to_owned(), dataset.rows)]);
    let files = files.map(|(path, text)| WrittenFile { path, text }).collect();
    Ok(WrittenFiles { files, copies: Vec::new(), note: Some(note) })
}
