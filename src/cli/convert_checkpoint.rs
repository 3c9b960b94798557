//! `evalgraph convert` to a form that Karenina's programs load, with its report of losses.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Stop;
use super::arguments::InputArguments;
use super::checkpoints::{CheckpointDocument, checkpoint_documents};
use super::json_ld::JsonLd;
use super::loss_report::report_changes;
use super::output::Output;
use super::report::Report;
use super::same::is_folder;
use super::target::shapes;
use super::time_of_run::time_of_run;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::writer::{Form, Purpose, Version2Shape, WriteOptions, Written, write};

use std::io::Write;

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
}

impl CheckpointArguments {
    /// A flag that was given, if one was.
    pub(super) fn flag(&self) -> Option<&'static str> {
        let flags = [("--report-loss", self.report_loss), ("--touch", self.touch)];
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
    let destination = destination(path, documents.len())?;
    let paths = paths(&documents, destination, form)?;
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
    for (text, path) in texts.into_iter().zip(paths) {
        let Some(text) = text else { continue };
        let mut output = Output::open(path.as_deref())?;
        output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
        output.finish()?;
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

fn destination(path: Option<&Path>, documents: usize) -> Result<Destination, Stop> {
    match path {
        Some(path) if is_folder(path) => {
            std::fs::create_dir_all(path).map_err(|error| {
                let reason = super::input::plain(&error);
                let message = format!("the folder `{}` cannot be made: {reason}", path.display());
                Diagnostic::error("output::unwritable", message)
            })?;
            Ok(Destination::Folder(path.to_owned()))
        }
        path if documents <= 1 => Ok(Destination::One(path.map(Path::to_owned))),
        _ => {
            let message = format!("{documents} checkpoints do not go into one file");
            Err(Diagnostic::error("output::several", message)
                .with_help("give a folder, which gets a file for each: `-o FOLDER/`")
                .into())
        }
    }
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
