//! `evalgraph convert` to a form that Karenina's programs load, with its report of losses.

use clap::Args;

use super::Stop;
use super::checkpoint_file::check_size;
use super::checkpoints::{CheckpointDocument, checkpoint_documents};
use super::merging::{Preference, merged};
use super::output::write_text;
use super::output_folder::Destination;
use super::target::shapes;
use crate::convert::losses::report_changes;
use crate::diagnostic::{Failure, Report, Severity};
use crate::input::options::Inputs;
use crate::json::{Limits, parse};
use crate::load::json_ld::JsonLd;
use crate::load::time_of_run::time_of_run;
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::merging::{Prefer, merge};
use crate::source::karenina::writer::{Form, Purpose, Version2Shape, WriteOptions, Written, write};

/// How checkpoints are written.
#[derive(Debug, Args)]
pub(super) struct CheckpointArguments {
    /// List what the form cannot hold and what had to be filled in, with the lines
    #[arg(long, help_heading = "Checkpoints")]
    pub(super) report_loss: bool,

    /// Set `dateModified` of the checkpoint to the time of the run
    #[arg(long, help_heading = "Checkpoints")]
    pub(super) touch: bool,

    /// The shape of karenina-v2: a until September 2025, b autumn 2025, c since then
    #[arg(long, value_name = "SHAPE", default_value = "c", value_parser = shapes(),
          help_heading = "Checkpoints")]
    pub(super) v2_shape: Version2Shape,

    /// What counts where several inputs go into one file and say different things of one question
    #[arg(long, value_name = "WHICH", help_heading = "Checkpoints")]
    pub(super) prefer: Option<Preference>,
}

impl CheckpointArguments {
    /// A flag that was given, if one was, and that is for checkpoints alone. What any conversion of
    /// questions loses can be listed.
    pub(super) fn flag(&self, loses: bool) -> Option<&'static str> {
        let flags = [("--report-loss", self.report_loss && !loses), ("--touch", self.touch)];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

/// Converts every input. Nothing is written before all are converted.
pub(super) fn convert_checkpoints(
    input: &Inputs,
    (form, arguments): (Form, &CheckpointArguments),
    destination: Destination<'_>,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<(), Stop> {
    let now = time_of_run()?;
    let documents = checkpoint_documents(input, json_ld, report)?;
    let folder = destination.folder();
    let into_one = documents.len() > 1 && folder.is_none();
    if into_one {
        refuse_contradictions(&documents, arguments.prefer, report)?;
    }
    let had_failed = report.has_failed();
    let mut texts = Vec::with_capacity(documents.len());
    for document in &documents {
        let options =
            WriteOptions { dataset: &document.dataset, now, touch: arguments.touch, purpose: Purpose::File };
        if let Some(written) = convert(document, form, &options, report) {
            report_changes(&written.changes, (form, document.document.name()), arguments.report_loss, report);
            texts.push(Some(written.text));
        } else {
            texts.push(None);
        }
    }
    let check_failures = |report: &Report| match report.has_failed() && !(had_failed || input.keep_going) {
        true => Err(Failure::Reported),
        false => Ok(()),
    };
    check_failures(report)?;
    if into_one {
        let text = one_text(&documents, texts, (form, arguments.prefer), report)?;
        texts = vec![Some(text)];
    }
    let texts = documents.iter().zip(texts).filter_map(|(document, text)| Some((text?, &document.stem)));
    let Some(mut folder) = folder else {
        let texts: Vec<String> = texts.map(|(text, _)| text).collect();
        let name = destination.path.map_or("the result".into(), |path| path.display().to_string());
        texts.iter().for_each(|text| check_size(&name, text.len(), report));
        check_failures(report)?;
        return texts.iter().try_for_each(|text| write_text(text, destination.path));
    };
    for (text, stem) in texts {
        let bytes = text.len();
        let path = folder.add_stem(stem, form.extension(), text)?;
        check_size(&path.display().to_string(), bytes, report);
    }
    check_failures(report)?;
    folder.write()
}

fn convert<'d>(
    document: &'d CheckpointDocument,
    form: Form,
    options: &WriteOptions<'_>,
    report: &mut Report,
) -> Option<Written<'d>> {
    let reading = Checkpoint::read(&document.document).map_err(|fault| report.add(&fault)).ok()?;
    report.add_all(&reading.findings);
    if reading.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return None;
    }
    write(&reading.checkpoint, form, options).map_err(|faults| report.add_all(&faults)).ok()
}

/// Says which inputs contradict each other, with the lines of the files; where these are of several
/// dialects, it turns out when they are converted.
fn refuse_contradictions(
    documents: &[CheckpointDocument],
    prefer: Option<Preference>,
    report: &mut Report,
) -> Result<(), Failure> {
    let readings = documents.iter().map(|document| Checkpoint::read(&document.document));
    let Ok(readings) = readings.collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    let checkpoints: Vec<Checkpoint<'_>> = readings.into_iter().map(|reading| reading.checkpoint).collect();
    if checkpoints.windows(2).any(|pair| pair[0].dialect != pair[1].dialect) {
        return Ok(());
    }
    merge(&checkpoints, prefer.map(Prefer::from)).map(drop).map_err(|faults| {
        report.add_all(&faults);
        Failure::Reported
    })
}

/// Converted checkpoints as one.
fn one_text(
    documents: &[CheckpointDocument],
    texts: Vec<Option<String>>,
    (form, prefer): (Form, Option<Preference>),
    report: &mut Report,
) -> Result<String, Failure> {
    let mut parsed = Vec::with_capacity(texts.len());
    for (document, text) in documents.iter().zip(texts) {
        let Some(text) = text else { continue };
        let name = format!("{} as {form}", document.document.name());
        parsed.push(parse(name, text, Limits { size: u64::MAX, ..Limits::default() })?);
    }
    let readings: Result<Vec<_>, _> = parsed.iter().map(Checkpoint::read).collect();
    let checkpoints: Vec<Checkpoint<'_>> = readings?.into_iter().map(|reading| reading.checkpoint).collect();
    merged(&checkpoints, prefer, report)
}
