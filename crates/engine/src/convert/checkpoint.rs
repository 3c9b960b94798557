//! Checkpoints in a form that their programs load, with a report of the losses.

use super::checkpoints::CheckpointDocument;
use crate::input::input_options::RunInputs;
use evalgraph_diagnostics::{
    AlreadyReported, Diagnostic, FindingSeverity, ReportedResult, RunFailure, RunReport,
};
use evalgraph_formats::checkpoint::checkpoint_merge::{MergePreference, merge};
use evalgraph_formats::checkpoint::model::Checkpoint;
use evalgraph_formats::checkpoint::writer::{
    CheckpointForm, CheckpointWriteOptions, WritePurpose, WrittenCheckpoint as WrittenForm, write,
};
use evalgraph_formats::registry::checkpoint_programs;
use evalgraph_formats::writing::loss_reports::report_changes;
use evalgraph_formats::writing::{WrittenFile, parsed};
use evalgraph_json::JsonDocument;

/// The settings for writing checkpoints.
#[derive(Debug, Clone, Default)]
pub struct CheckpointOptions {
    /// `true` to list each loss and each default with its lines.
    pub lists_losses: bool,
    /// `true` to set the checkpoint's `dateModified` to the time of the run.
    pub touch: bool,
    /// The input that wins if several inputs for one file disagree about a question.
    pub prefer: Option<MergePreference>,
}

/// Writes documents in a form: one file per document if `takes_several`, otherwise one file for all.
///
/// # Errors
///
/// Documents that contradict each other, and an invalid input unless `keep_going` is set.
pub fn checkpoint_files(
    documents: &[CheckpointDocument],
    form: CheckpointForm,
    options: &CheckpointOptions,
    takes_several: bool,
    input: &RunInputs,
    report: &mut RunReport,
) -> Result<Vec<WrittenFile>, RunFailure> {
    let now = input.clock.now()?;
    let into_one = documents.len() > 1 && !takes_several;
    if into_one {
        refuse_contradictions(documents, options.prefer, report)?;
    }
    let had_failed = report.has_failed();
    let mut texts = Vec::with_capacity(documents.len());
    for document in documents {
        let how = CheckpointWriteOptions {
            dataset: &document.dataset,
            now,
            touch: options.touch,
            purpose: WritePurpose::File(checkpoint_programs()),
        };
        let converted = convert(document, form, &how, report).map(|converted| {
            let name = document.document.name();
            report_changes(&converted.changes, form, name, options.lists_losses, report);
            converted.text
        });
        texts.push(converted);
    }
    report.check(had_failed || input.keep_going)?;
    if into_one {
        texts = vec![Ok(one_text(documents, texts, form, options.prefer, report)?)];
    }
    let texts = documents.iter().zip(texts).filter_map(|(document, text)| Some((&document.stem, text.ok()?)));
    Ok(texts.map(|(stem, text)| WrittenFile::of_stem(stem, form.extension(), text)).collect())
}

fn convert<'d>(
    document: &'d CheckpointDocument,
    form: CheckpointForm,
    options: &CheckpointWriteOptions<'_>,
    report: &mut RunReport,
) -> ReportedResult<WrittenForm<'d>> {
    let reading = report.ok_or_report(Checkpoint::read(&document.document))?;
    report.add_all(&reading.findings);
    if reading.findings.iter().any(|finding| finding.severity == FindingSeverity::Error) {
        return Err(AlreadyReported);
    }
    write(&reading.checkpoint, form, options).map_err(|faults| report.reported(&faults))
}

/// Reports inputs that contradict each other, with the lines of the files. Contradictions between files in different
/// dialects are found during their conversion.
fn refuse_contradictions(
    documents: &[CheckpointDocument],
    prefer: Option<MergePreference>,
    report: &mut RunReport,
) -> Result<(), RunFailure> {
    let checkpoints = checkpoints_in(documents.iter().map(|document| &*document.document));
    let Ok(checkpoints) = checkpoints else { return Ok(()) };
    if checkpoints.windows(2).any(|pair| pair[0].dialect != pair[1].dialect) {
        return Ok(());
    }
    merge(&checkpoints, prefer).map(drop).map_err(|faults| report.reported(&faults).into())
}

/// Merges converted checkpoints into one text.
fn one_text(
    documents: &[CheckpointDocument],
    texts: Vec<ReportedResult<String>>,
    form: CheckpointForm,
    prefer: Option<MergePreference>,
    report: &mut RunReport,
) -> Result<String, RunFailure> {
    let mut files = Vec::with_capacity(texts.len());
    for (document, text) in documents.iter().zip(texts) {
        let Ok(text) = text else { continue };
        files.push(parsed(format!("{} as {form}", document.document.name()), text)?);
    }
    merged(&checkpoints_in(files.iter())?, prefer, report)
}

fn checkpoints_in<'d>(
    documents: impl Iterator<Item = &'d JsonDocument>,
) -> Result<Vec<Checkpoint<'d>>, Box<Diagnostic>> {
    documents.map(|document| Ok(Checkpoint::read(document)?.checkpoint)).collect()
}

/// Merges checkpoints, and returns the text of the result.
///
/// # Errors
///
/// Files that contradict each other; the contradictions are reported.
pub fn merged(
    checkpoints: &[Checkpoint<'_>],
    prefer: Option<MergePreference>,
    report: &mut RunReport,
) -> Result<String, RunFailure> {
    let merged = merge(checkpoints, prefer).map_err(|faults| report.reported(&faults))?;
    report.add_all(&merged.warnings);
    if merged.decided > 0 {
        let plural = if merged.decided == 1 { "conflict was" } else { "conflicts were" };
        let message = format!("{} {plural} decided by preference", merged.decided);
        report.add(&Diagnostic::new(FindingSeverity::Note, "merge::decided", message));
    }
    Ok(merged.text)
}
