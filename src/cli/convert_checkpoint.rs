//! `evalgraph convert` to a form that Karenina's programs load, with its report of losses.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Stop;
use super::arguments::InputArguments;
use super::checkpoint_file::check_size;
use super::checkpoints::{CheckpointDocument, checkpoint_documents};
use super::convert_items::{make_folder, write_text};
use super::json_ld::JsonLd;
use super::loss_report::report_changes;
use super::merge::{Preference, merged};
use super::output::refuse_links;
use super::output_form::is_folder;
use super::report::Report;
use super::target::shapes;
use super::time_of_run::time_of_run;
use crate::diagnostic::{Diagnostic, Severity};
use crate::json::{Limits, parse};
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

/// Where checkpoints go.
enum Destination {
    /// One file, or stdout.
    One(Option<PathBuf>),
    /// A file each in a folder.
    Folder(PathBuf),
}

/// Converts every input. Nothing is written before all are converted.
pub(super) fn convert_checkpoints(
    input: &InputArguments,
    (form, arguments): (Form, &CheckpointArguments),
    path: Option<&Path>,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<(), Stop> {
    let now = time_of_run()?;
    let documents = checkpoint_documents(input, json_ld, report)?;
    let destination = destination(path)?;
    let into_one = documents.len() > 1 && matches!(destination, Destination::One(_));
    let paths = paths(&documents, destination, form)?;
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
    if report.has_failed() && !(had_failed || input.keep_going) {
        return Err(Stop::Failed);
    }
    if into_one {
        let text = one_text(&documents, texts, (form, arguments.prefer), report)?;
        texts = vec![Some(text)];
    }
    for (text, path) in texts.iter().zip(&paths) {
        let name = path.as_ref().map_or_else(|| "the result".to_owned(), |path| path.display().to_string());
        check_size(&name, text.as_deref().unwrap_or_default(), report);
    }
    if report.has_failed() && !(had_failed || input.keep_going) {
        return Err(Stop::Failed);
    }
    for (text, path) in texts.into_iter().zip(paths) {
        let Some(text) = text else { continue };
        write_text(&text, path.as_deref())?;
    }
    Ok(())
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
) -> Result<(), Stop> {
    let readings = documents.iter().map(|document| Checkpoint::read(&document.document));
    let Ok(readings) = readings.collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    let checkpoints: Vec<Checkpoint<'_>> = readings.into_iter().map(|reading| reading.checkpoint).collect();
    if checkpoints.windows(2).any(|pair| pair[0].dialect != pair[1].dialect) {
        return Ok(());
    }
    merge(&checkpoints, prefer.map(Prefer::from)).map(drop).map_err(|faults| {
        report.add_all(&faults);
        Stop::Failed
    })
}

/// Converted checkpoints as one.
fn one_text(
    documents: &[CheckpointDocument],
    texts: Vec<Option<String>>,
    (form, prefer): (Form, Option<Preference>),
    report: &mut Report,
) -> Result<String, Stop> {
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

fn destination(path: Option<&Path>) -> Result<Destination, Stop> {
    let Some(folder) = path.filter(|path| is_folder(path)) else {
        return Ok(Destination::One(path.map(Path::to_owned)));
    };
    make_folder(folder)?;
    Ok(Destination::Folder(folder.to_owned()))
}

/// Where each document goes.
fn paths(
    documents: &[CheckpointDocument],
    destination: Destination,
    form: Form,
) -> Result<Vec<Option<PathBuf>>, Stop> {
    let folder = match destination {
        Destination::One(path) => return Ok(vec![path; documents.len()]),
        Destination::Folder(folder) => folder,
    };
    let mut taken = HashSet::new();
    let mut paths = Vec::with_capacity(documents.len());
    for document in documents {
        let path = folder.join(format!("{}.{}", document.stem, form.extension()));
        refuse_links(&folder, &path)?;
        if !taken.insert(path.clone()) {
            let message = format!("two inputs would be written to `{}`", path.display());
            let fault = Diagnostic::error("output::same-name", message);
            return Err(fault.with_help("convert them into a folder each").into());
        }
        paths.push(Some(path));
    }
    Ok(paths)
}

/// The parts of one kind among many, most of them first.
pub(super) fn counted<'s>(subjects: impl Iterator<Item = &'s str>) -> Vec<(&'s str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for subject in subjects {
        *counts.entry(subject).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}
