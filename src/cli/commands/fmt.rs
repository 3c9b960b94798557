//! `evalgraph fmt`: gives checkpoint files the standard layout.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::io::Write;
use std::path::Path;

use clap::Args;

use crate::cli::arguments::OutputArguments;
use crate::cli::in_place::keeps_compression;
use crate::cli::output::{write, write_text};
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::{Diagnostic, RunReport, SourceText};
use evalgraph_engine::input::find::find_sources;
use evalgraph_engine::input::guard::SecretGuard;
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::origin::DocumentOrigin;
use evalgraph_engine::input::source::{InputSource, RawInput};
use evalgraph_engine::input::syntax::RecordSyntax;
use evalgraph_formats::checkpoint::checkpoint_layout::format;
use evalgraph_json::{decode, parse};
use evalgraph_rdf::RdfFormat;

const EXAMPLES: &str = "\
Examples:
  evalgraph fmt checkpoint.jsonld
  evalgraph fmt checkpoints/ --check
  evalgraph fmt - < checkpoint.jsonld > formatted.jsonld

Keys are in the order in which the program that the file is from writes them, followed by keys that
it does not know, with two spaces per level and one value per line. Strings and numbers keep their
spelling, and arrays keep their order. JSON that is not a checkpoint keeps the order of its keys. A
key that occurs twice in an object is an error, since formatting would lose one of the two. Files
are changed in place: written beside the old one and renamed, and left alone if nothing changes.

The exit status is 0 on success, 1 with --check if a file would change, 2 if a file cannot be
formatted; then none is changed.";

/// The arguments of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FmtArguments {
    /// Files, folders, globs, or `-` for stdin to stdout
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// Change nothing, and list the files that would change
    #[arg(long, conflicts_with = "output")]
    check: bool,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

/// A file and its layout.
struct FormattedFile {
    source: InputSource,
    name: String,
    text: String,
    differs: bool,
}

/// Runs `fmt`.
pub(super) fn run(arguments: &FmtArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    output_form::FMT.check(arguments.output.output.as_deref(), report)?;
    let sources = sources(&arguments.inputs, report);
    let mut files = Vec::new();
    for source in sources {
        match formatted(source, &arguments.reading) {
            Ok(file) => files.push(file),
            Err(faults) => report.add_all(&faults),
        }
    }
    unless_failed(report)?;
    if arguments.check {
        return check(&files);
    }
    if let Some(path) = &arguments.output.output {
        let [file] = files.as_slice() else {
            let message = format!("`-o` takes one file, but the input is {}", files.len());
            return Err(Diagnostic::error("input::several", message).into());
        };
        return write_text(&file.text, Some(path)).map(|()| CommandAnswer::Yes);
    }
    for file in &files {
        match &file.source {
            InputSource::File(path) | InputSource::Part(path, _) if file.differs => {
                write_text(&file.text, Some(path))?;
            }
            InputSource::File(_) | InputSource::Part(..) => {}
            InputSource::Stdin | InputSource::Url(_) | InputSource::Stored(_) => {
                write_text(&file.text, None)?;
            }
        }
    }
    Ok(CommandAnswer::Yes)
}

/// The files that the arguments name. Directories contribute only files with a JSON extension.
fn sources(arguments: &[String], report: &mut RunReport) -> Vec<InputSource> {
    let (sources, faults) = find_sources(arguments);
    report.add_all(&faults);
    let is_named = |path: &Path| arguments.iter().any(|argument| Path::new(argument) == path);
    let is_json = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        RdfFormat::from_file_name(&name) == Some(RdfFormat::JsonLd)
    };
    let wanted = |source: &InputSource| match source {
        InputSource::File(path) | InputSource::Part(path, _) => is_named(path) || is_json(path),
        InputSource::Stdin | InputSource::Url(_) | InputSource::Stored(_) => true,
    };
    sources.into_iter().filter(wanted).collect()
}

fn formatted(source: InputSource, reading: &ReadingOptions) -> Result<FormattedFile, Vec<Diagnostic>> {
    let one = |fault: Box<Diagnostic>| vec![*fault];
    let RawInput { origin: DocumentOrigin { name, syntax, .. }, bytes, .. } =
        source.read(reading.limits.size, &reading.files_read).map_err(one)?;
    let syntax = RecordSyntax::from_file_name(&name).unwrap_or(syntax);
    if let RecordSyntax::Csv | RecordSyntax::Yaml = syntax {
        let what = if syntax == RecordSyntax::Csv { "a table" } else { "YAML" };
        let message = format!("this is {what}, and `fmt` lays out JSON only");
        let fault = Diagnostic::error("fmt::format", message).at(SourceText::new(name, b"").place(0..0));
        return Err(vec![
            fault.with_help("`evalgraph new FILE` makes a checkpoint from a table of questions"),
        ]);
    }
    let limits = reading.limits;
    let original = bytes.clone();
    let guard = SecretGuard::from_bytes(&bytes);
    let parsed = decode(&name, bytes).and_then(|text| parse(name.as_str(), text, limits));
    let mut document = guard.checked(parsed).map_err(one)?;
    if let Some(places) = guard.found(&mut document) {
        return Err(vec![secret(&name, &places)]);
    }
    let text = format(&document)?;
    let differs = original != text.as_bytes();
    if let (true, InputSource::File(path)) = (differs, &source) {
        keeps_compression(path, "fmt::compressed").map_err(one)?;
    }
    Ok(FormattedFile { source, name, text, differs })
}

/// Returns the error for a file with API keys: a layout keeps every value, and no output may show keys.
fn secret(name: &str, places: &str) -> Diagnostic {
    let message = format!("the file contains API keys, which no output may show: {places}");
    let fault = Diagnostic::error("fmt::secret", message).at(SourceText::new(name, b"").place(0..0));
    fault.with_help("remove them from the file; a program reads them from its environment")
}

fn check(files: &[FormattedFile]) -> Result<CommandAnswer, CommandStop> {
    let mut differing = files.iter().filter(|file| file.differs).peekable();
    let answer = if differing.peek().is_some() { CommandAnswer::No } else { CommandAnswer::Yes };
    write(None, |output| differing.try_for_each(|file| writeln!(output, "{}", visible(&file.name))))?;
    Ok(answer)
}
