//! `evalgraph rename`: gives a record of a file another id.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::ProcessorArguments;
use crate::cli::arguments::option_groups::GroupedOptions;
use crate::cli::output::{write, write_text};
use crate::cli::unified_diff::write_diff;
use crate::cli::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::selection::opened_records::OpenedRecords;
use evalgraph_engine::selection::renamed_record::renamed;

const EXAMPLES: &str = "\
Examples:
  evalgraph rename urn:uuid:question-1 urn:uuid:question-one checkpoint.jsonld
  evalgraph rename TRAIN_Q007 TRAIN_Q107 rows.json --dry-run

The file is changed in place. The id is changed where the record has it, and wherever else in the file
a member whose name ends in `id` refers to it. Every other byte stays. Nothing is written if another
record has the new id, or if the file would then say something else about its records.";

/// The arguments of `rename`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RenameArguments {
    /// Record: its id, or its exact question
    #[arg(value_name = "ID")]
    id: String,
    /// New id
    #[arg(value_name = "NEW")]
    new: String,
    /// File that is changed in place
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// Runs `rename`.
pub(super) fn run(arguments: &RenameArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    let RenameArguments { id, new, file, .. } = arguments;
    let session = arguments.processor.session(&arguments.reading)?;
    let opened = OpenedRecords::read(&InputSource::File(file.clone()), &session, report)?;
    opened.check_is_whole()?;
    let changed = renamed(&opened, id, new, &session, report)?;
    unless_failed(report)?;
    if arguments.dry_run {
        let (name, before) = (opened.source.name(), opened.file.written_text());
        write(None, |output| write_diff(&name, before, &changed.text, output))?;
        return Ok(CommandAnswer::Yes);
    }
    write_text(&changed.text, Some(file))?;
    let places = if changed.places == 1 { "place" } else { "places" };
    let message = format!("`{id}` is `{new}` in {} {places} of `{}`", changed.places, file.display());
    report.add(&Diagnostic::new(FindingSeverity::Note, "rename::summary", message));
    Ok(CommandAnswer::Yes)
}
