//! `evalgraph templates`: the answer templates of a checkpoint as files, and back.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, Subcommand};

use crate::cli::arguments::OutputArguments;
use crate::cli::output::write_text;
use crate::cli::output_folder::{FolderArguments, OutputFolder};
use crate::cli::output_form::{self, check_folder};
use crate::cli::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::path_text::plain;
use evalgraph_engine::load::checkpoint_file::{checkpoint, read_one};
use evalgraph_formats::checkpoint::template_files::{TemplateFile, replace_templates, template_files};

const EXAMPLES: &str = "\
Examples:
  evalgraph templates out checkpoint.jsonld -o templates
  evalgraph templates in checkpoint.jsonld templates -o edited.jsonld

Each template is a file with only the text of the template, named by the id of its question.
Characters that file systems do not allow become `_`, and a part of the id's MD5 distinguishes names
that would then be the same. Templates are only text, and are never run. An existing file with other
content, such as an edited template, is an error unless --force is given.";

const IN_HELP: &str = "\
Only templates whose files differ are changed; every other byte of the checkpoint stays the same.
A file without a question and a question without a file are warnings; the template then stays.";

/// The arguments of `templates`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TemplatesArguments {
    #[command(subcommand)]
    direction: TemplatesDirection,
}

#[derive(Debug, Subcommand)]
enum TemplatesDirection {
    /// Write each template to a file
    Out(OutArguments),
    /// Take edited templates back into the checkpoint
    In(InArguments),
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct OutArguments {
    /// Checkpoint, or `-` for stdin
    input: String,
    /// Folder of the files; it is created if it is missing
    #[arg(short, long, value_name = "DIRECTORY")]
    output: PathBuf,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

#[derive(Debug, Args)]
#[command(after_help = IN_HELP)]
struct InArguments {
    /// Checkpoint that the templates belong to
    input: String,
    /// Folder with the edited files
    directory: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

/// Runs `templates`.
pub(super) fn run(
    arguments: &TemplatesArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    match &arguments.direction {
        TemplatesDirection::Out(arguments) => out(arguments, report),
        TemplatesDirection::In(arguments) => take_in(arguments, report),
    }
}

fn out(arguments: &OutArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    check_folder("templates out", &arguments.output)?;
    let (_, document) = read_one(&arguments.input, &arguments.reading, report)?;
    let checkpoint = checkpoint(&document, report)?;
    let files = template_files(&checkpoint);
    if !files.is_empty() && files.iter().all(|file| file.text().is_none()) {
        let questions = checkpoint.items.len();
        let message = format!(
            "the checkpoint has no template to write: it has {questions} questions, and none of them has one"
        );
        report.add(&Diagnostic::warning("templates::nothing", message));
        return Ok(CommandAnswer::No);
    }
    let mut folder = OutputFolder::new(&arguments.output, arguments.folder);
    let mut count = 0;
    for file in files {
        let Some(text) = file.text() else { continue };
        folder.add(&file.name, text)?;
        count += 1;
    }
    folder.write()?;
    report.add(&note("templates::written", count, "written"));
    Ok(CommandAnswer::Yes)
}

fn take_in(arguments: &InArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    output_form::TEMPLATES_IN.check(arguments.output.output.as_deref(), report)?;
    let (_, document) = read_one(&arguments.input, &arguments.reading, report)?;
    let checkpoint = checkpoint(&document, report)?;
    let mut found = python_files(&arguments.directory)?;
    let mut texts = Vec::new();
    for file in template_files(&checkpoint) {
        let path = found.remove(OsStr::new(&file.name));
        match (file.template, path) {
            (Some(template), Some(path)) => match read_text(&path) {
                Ok(text) => texts.push((template.clone(), text)),
                Err(fault) => report.add(&fault),
            },
            (Some(_), None) => report.add(&missing(&file)),
            (None, Some(path)) => report.add(&without_place(&file, &path)),
            (None, None) => {}
        }
    }
    for path in found.values() {
        let message = format!("`{}` does not belong to any question of the checkpoint", path.display());
        report.add(&Diagnostic::warning("templates::unknown", message));
    }
    unless_failed(report)?;
    let (text, changed) = replace_templates(&checkpoint, texts);
    write_text(&text, arguments.output.output.as_deref())?;
    report.add(&note("templates::changed", changed, "changed"));
    Ok(CommandAnswer::Yes)
}

fn note(code: &'static str, count: usize, what: &str) -> Diagnostic {
    let message = if count == 1 { format!("1 template {what}") } else { format!("{count} templates {what}") };
    Diagnostic::new(FindingSeverity::Note, code, message)
}

fn missing(file: &TemplateFile<'_, '_>) -> Diagnostic {
    let message = format!("there is no file `{}` for the question `{}`", file.name, file.question);
    Diagnostic::warning("templates::missing", message)
}

fn without_place(file: &TemplateFile<'_, '_>, path: &Path) -> Diagnostic {
    let message =
        format!("the question `{}` has no template that `{}` could replace", file.question, path.display());
    Diagnostic::warning("templates::no-place", message)
}

fn unusable(path: &Path, what: &str, error: &io::Error) -> Diagnostic {
    let message = format!("`{}` {what}: {}", path.display(), plain(error));
    Diagnostic::error("templates::directory", message)
}

/// The Python files of a directory, by name. Names may be any bytes.
fn python_files(directory: &Path) -> Result<BTreeMap<OsString, PathBuf>, CommandStop> {
    let unreadable = |error: io::Error| CommandStop::from(unusable(directory, "cannot be read", &error));
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "py") {
            files.insert(path.file_name().unwrap_or_default().to_owned(), path);
        }
    }
    Ok(files)
}

fn read_text(path: &Path) -> Result<String, Box<Diagnostic>> {
    let fault = |reason: &str| {
        let message = format!("`{}` cannot be read: {reason}", path.display());
        Box::new(Diagnostic::error("templates::unreadable", message))
    };
    let bytes = fs::read(path).map_err(|error| fault(&plain(&error)))?;
    String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8"))
}
