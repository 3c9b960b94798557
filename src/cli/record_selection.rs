//! The common part of the commands that write a file of the same kind with some of its records, or with all in another
//! order: their arguments, and how the result is written.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::ProcessorArguments;
use super::arguments::option_groups::GroupedOptions;
use super::output::{write, write_text};
use super::output_folder::{FolderArguments, OutputFolder};
use super::output_form::{is_folder, known_extension};
use super::unified_diff::write_diff;
use super::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::find::find_sources;
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::selection::opened_records::OpenedRecords;

/// The arguments of commands that choose records.
#[derive(Debug, Args)]
pub(super) struct SelectionArguments {
    /// Files with records, folders or globs, or `-`
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// Output file; a folder for several inputs
    ///
    /// The form stays that of the input. It is compressed if its name ends in .gz or .zst
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Print what would change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// A command that chooses records.
#[derive(Debug, Clone, Copy)]
pub(super) struct SelectionCommand {
    /// Its name.
    pub(super) name: &'static str,
    /// The code of the note about how many records there are.
    pub(super) summary: &'static str,
    /// `true` if it keeps all records, so that their number says nothing.
    pub(super) keeps_all: bool,
}

/// A file with its new text.
struct SelectedFile {
    opened: OpenedRecords,
    text: String,
    kept: usize,
    linked: usize,
}

impl SelectionArguments {
    /// Reads each input, lets the command choose its records, and writes the results.
    ///
    /// # Errors
    ///
    /// Fails if an input cannot be read, if the choice fails, or if the output cannot be written.
    pub(super) fn run(
        &self,
        command: SelectionCommand,
        report: &mut RunReport,
        mut choose: impl FnMut(&mut OpenedRecords, &mut RunReport) -> Result<Vec<usize>, CommandStop>,
    ) -> Result<CommandAnswer, CommandStop> {
        report.set_strictness(self.reading.strictness);
        let (sources, faults) = find_sources(&self.inputs);
        report.add_all(&faults);
        unless_failed(report)?;
        self.check_output(command, &sources)?;
        let session = self.processor.session(&self.reading)?;
        let mut files = Vec::new();
        for source in &sources {
            let mut opened = OpenedRecords::read(source, &session, report)?;
            if !self.dry_run && self.replaces(source) {
                opened.check_is_whole()?;
            }
            let chosen = choose(&mut opened, report)?;
            let list = opened.list()?;
            let (text, linked) = list.text_with(&chosen);
            if chosen.len() < list.len() && list.has_statistics() {
                let message = format!("the statistics of `{}` are counted anew", source.name());
                report.add(&Diagnostic::new(FindingSeverity::Note, "selection::statistics", message));
            }
            drop(list);
            files.push(SelectedFile { opened, text, kept: chosen.len(), linked });
        }
        unless_failed(report)?;
        let summary = summary(command, &files);
        let has_records = files.iter().any(|file| file.kept > 0);
        if self.dry_run {
            write(None, |output| {
                files.iter().try_for_each(|file| {
                    let before = file.opened.file.written_text();
                    write_diff(&file.opened.source.name(), before, &file.text, output)
                })
            })?;
        } else {
            self.write_files(&files)?;
        }
        report.add_all(&summary);
        Ok(if has_records || command.keeps_all { CommandAnswer::Yes } else { CommandAnswer::No })
    }

    /// Returns whether a source is the output as well, in the folder of the output or by its own path.
    fn replaces(&self, source: &InputSource) -> bool {
        let (InputSource::File(input), Some(output)) = (source, self.output.as_deref()) else { return false };
        let written = match (is_folder(output), input.file_name()) {
            (true, Some(name)) => output.join(name),
            _ => output.to_owned(),
        };
        let real = |path: &Path| path.canonicalize().ok();
        real(&written).is_some_and(|written| Some(written) == real(input))
    }

    /// Writes one file, or several into a folder: those that have records left.
    fn write_files(&self, files: &[SelectedFile]) -> Result<(), CommandStop> {
        let folder = self.output.as_deref().filter(|path| is_folder(path) || files.len() > 1);
        let Some(folder) = folder else {
            return files.iter().try_for_each(|file| write_text(&file.text, self.output.as_deref()));
        };
        let mut folder = OutputFolder::new(folder, self.folder);
        for file in files.iter().filter(|file| file.kept > 0) {
            let name = match &file.opened.source {
                InputSource::File(path) => {
                    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
                }
                _ => "stdin.json".to_owned(),
            };
            folder.add(&name, file.text.clone())?;
        }
        folder.write()
    }

    /// Refuses an output of another form, and several inputs without a folder.
    fn check_output(&self, command: SelectionCommand, sources: &[InputSource]) -> Result<(), CommandStop> {
        let name = command.name;
        if self.dry_run {
            return Ok(());
        }
        let Some(output) = self.output.as_deref() else {
            if sources.len() < 2 {
                return Ok(());
            }
            let message = format!("{} inputs would be written one after the other", sources.len());
            let fault = Diagnostic::error("selection::output", message);
            return Err(fault.with_help(format!("name a folder for the files: `{name} … -o DIR/`")).into());
        };
        if sources.len() > 1 {
            return super::output_form::check_folder(name, output);
        }
        let Some(InputSource::File(input)) = sources.first() else { return Ok(()) };
        let forms = [input.as_path(), output].map(text_form);
        if is_folder(output) || forms[1].is_none() || forms[0] == forms[1] {
            return Ok(());
        }
        let message =
            format!("`{name}` writes the form of its input, and `{}` has another", output.display());
        let help = format!("write it to a file named like `{}`, and convert that", input.display());
        Err(Diagnostic::error("selection::form", message).with_help(help).into())
    }
}

/// The family of texts that an extension belongs to.
fn text_form(path: &Path) -> Option<String> {
    let extension = known_extension(path)?;
    Some(match extension.as_str() {
        "jsonld" | "json-ld" => "json".to_owned(),
        "ndjson" => "jsonl".to_owned(),
        _ => extension,
    })
}

/// Says how many records were kept, and what else was left out.
fn summary(command: SelectionCommand, files: &[SelectedFile]) -> Option<Diagnostic> {
    let all: usize = files.iter().map(|file| file.opened.facts.len()).sum();
    let kept: usize = files.iter().map(|file| file.kept).sum();
    let linked: usize = files.iter().map(|file| file.linked).sum();
    if command.keeps_all {
        return None;
    }
    let mut message = format!("{} of {} records", thousands(kept as u64), thousands(all as u64));
    if files.len() > 1 {
        message += &format!(" of {} files", files.len());
    }
    if linked > 0 {
        let linked = thousands(linked as u64);
        message += &format!("; {linked} items of other lists that belong to the others are left out, too");
    }
    Some(Diagnostic::new(FindingSeverity::Note, command.summary, message))
}
