//! `evalgraph new`: a checkpoint from a table of questions and answers.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::Path;

use clap::Args;

use crate::cli::arguments::OutputArguments;
use crate::cli::output::write_text;
use crate::cli::time_of_run::time_of_run;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_engine::input::find::find_sources;
use evalgraph_engine::input::guard::SecretGuard;
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::origin::DocumentOrigin;
use evalgraph_engine::input::source::{InputSource, RawInput};
use evalgraph_engine::input::syntax::SHEET_SEPARATOR;
use evalgraph_engine::input::whole_input::whole_input;
use evalgraph_engine::load::checkpoint_file::{check_size, checkpoint};
use evalgraph_formats::checkpoint::question_table::{
    COLUMNS, QuestionTableFormat, TableOptions, checkpoint_of,
};
use evalgraph_formats::checkpoint::writer::{CheckpointForm, CheckpointWriteOptions, WritePurpose, write};
use evalgraph_formats::registry::{checkpoint_programs, recognise, system_of_rows};
use evalgraph_formats::rows::{RowFormat, RowOptions, read_rows};
use evalgraph_json::{JsonDocument, Limits, decode, parse};

const EXAMPLES: &str = "\
Examples:
  evalgraph new questions.csv -o checkpoint.jsonld
  evalgraph new questions.xlsx --sheet Questions -o checkpoint.jsonld
  evalgraph new questions.jsonl -o checkpoint.jsonld --map-column question=prompt --map-column answer=gold

The table has a row for each question: the columns question and answer, and optionally id,
template, keywords (with ; or , between them), finished, dateCreated, dateModified, author,
sources, few_shot_examples, answer_notes. Any other column becomes a property custom_NAME. Empty
cells are ignored. A question without an id gets the id that the Python library would give it, with
a number if it is repeated; one without a template gets the library's default stub. Missing dates
are those of the run.

The checkpoint is in the form that today's Python library loads. With SOURCE_DATE_EPOCH in the
environment, a run can be repeated.";

/// The arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NewArguments {
    /// CSV, JSON lines or an Excel workbook; `-` for stdin
    input: String,
    /// Name of the checkpoint (default: that of the file)
    #[arg(long = "checkpoint-name", alias = "name", value_name = "NAME")]
    name: Option<String>,
    /// What the checkpoint is about
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
    /// The limits on the table, such as its size after decompression.
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

/// Runs `new`.
pub(super) fn run(arguments: &NewArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let reading = &arguments.reading;
    report.set_strictness(reading.strictness);
    output_form::NEW.check(arguments.output.output.as_deref(), report)?;
    let is_known = |key: &str| COLUMNS.contains(&key);
    if let Some((key, column)) = reading.rows.columns.iter().find(|(key, _)| !is_known(key)) {
        let message = format!("`{key}` is not a column of a checkpoint; known are {}", COLUMNS.join(", "));
        let fault = Diagnostic::error("new::column", message);
        let fault = match is_known(column) {
            true => fault.with_help(format!("the other way round: `--map-column {column}={key}`")),
            false => fault,
        };
        return Err(fault.into());
    }
    let (sources, faults) = find_sources(std::slice::from_ref(&arguments.input));
    report.add_all(&faults);
    let [source] = sources.as_slice() else {
        if sources.len() > 1 {
            let message = format!("`new` takes one table, but `{}` is {}", arguments.input, sources.len());
            return Err(Diagnostic::error("input::several", message).into());
        }
        return Err(RunFailure::Reported.into());
    };
    let RawInput { origin: DocumentOrigin { name, .. }, bytes, cells, findings, .. } =
        whole_input(source, reading)?;
    report.add_all(&findings);
    let guard = SecretGuard::from_bytes(&bytes);
    let text = guard.checked(decode(&name, bytes))?;
    let sheet_separator = cells.as_ref().map(|_| SHEET_SEPARATOR);
    let in_cells = |fault: Diagnostic| match &cells {
        Some(cells) => cells.named(fault),
        None => fault,
    };
    let options = TableOptions {
        rows: RowOptions { separator: sheet_separator.or(reading.rows.separator), ..reading.rows.clone() },
        name: arguments.name.clone().unwrap_or_else(|| stem(source)),
        description: arguments.description.clone(),
    };
    let format = if cells.is_some() { QuestionTableFormat::Csv } else { format_of(&name, &text) };
    let limits = reading.limits;
    if let Some(fault) = other_than_a_table(&name, &text, limits) {
        return Err(fault.into());
    }
    let text = if guard.is_needed() {
        let rows = rows_of(&name, text, format, options.rows.separator, limits);
        let rows = rows.map_err(|fault| Box::new(in_cells(*fault)));
        let mut rows = guard.checked(rows)?;
        guard.hide_in_records(&mut rows, report);
        rows.written_text().to_owned()
    } else {
        text
    };
    let made = checkpoint_of(&name, text, format, &options, limits);
    let (json, questions) = made.map_err(|faults| {
        let faults: Vec<Diagnostic> = faults.into_iter().map(in_cells).collect();
        reported(&faults, report)
    })?;
    let text = written(&name, json, &options.name, report)?;
    check_size("the checkpoint", text.len(), report);
    unless_failed(report)?;
    write_text(&text, arguments.output.output.as_deref())?;
    let message = if questions == 1 { "1 question".to_owned() } else { format!("{questions} questions") };
    report.add(&Diagnostic::new(FindingSeverity::Note, "new::questions", message));
    Ok(CommandAnswer::Yes)
}

/// The fault of a text that is one JSON object of a system without tables, such as a log with samples.
fn other_than_a_table(name: &str, text: &str, limits: Limits) -> Option<Diagnostic> {
    let is_object = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let document = is_object.then(|| parse(name, text.to_owned(), limits).ok()).flatten()?;
    let recognised = recognise(&document, None, None).ok().flatten()?;
    if Some(recognised.system) == system_of_rows() {
        return None;
    }
    let message = format!("the file is not a table: it is `{}`", recognised.dialect());
    let help = "make a checkpoint of its questions: `evalgraph convert FILE --to karenina`";
    Some(Diagnostic::error("new::column", message).at(document.place(document.root())).with_help(help))
}

/// The rows of a table.
fn rows_of(
    name: &str,
    text: String,
    format: QuestionTableFormat,
    separator: Option<u8>,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let format = match format {
        QuestionTableFormat::Csv => RowFormat::Csv,
        QuestionTableFormat::JsonLines => RowFormat::JsonLines,
    };
    let options = RowOptions { separator, ..RowOptions::default() };
    read_rows(name, text, format, &options, limits)
}

/// Returns the checkpoint in the form of Karenina's Python library, including all required parts.
fn written(name: &str, json: String, dataset: &str, report: &mut RunReport) -> Result<String, CommandStop> {
    // The checkpoint is nested more deeply than the table.
    let limits = Limits { size: u64::MAX, depth: usize::MAX };
    let document = parse(name, json, limits)?;
    let checkpoint = checkpoint(&document, report)?;
    let options = CheckpointWriteOptions {
        dataset,
        now: time_of_run()?,
        touch: false,
        purpose: WritePurpose::File(checkpoint_programs()),
    };
    let written = write(&checkpoint, CheckpointForm::Library, &options);
    Ok(written.map_err(|faults| reported(&faults, report))?.text)
}

fn reported(faults: &[Diagnostic], report: &mut RunReport) -> RunFailure {
    report.add_all(faults);
    RunFailure::Reported
}

/// Returns the format given by the name, or else by the content: JSON begins with a bracket.
fn format_of(name: &str, text: &str) -> QuestionTableFormat {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    match Path::new(plain).extension().and_then(|extension| extension.to_str()) {
        Some("csv" | "tsv") => QuestionTableFormat::Csv,
        Some("jsonl" | "ndjson") => QuestionTableFormat::JsonLines,
        _ if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) => {
            QuestionTableFormat::JsonLines
        }
        _ => QuestionTableFormat::Csv,
    }
}

fn stem(source: &InputSource) -> String {
    let InputSource::File(path) = source else { return "questions".to_owned() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    Path::new(plain).file_stem().map_or_else(|| name.clone(), |stem| stem.to_string_lossy().into_owned())
}
