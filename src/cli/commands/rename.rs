//! `evalgraph rename`: gives a record of a file another id.

use std::path::PathBuf;

use clap::Args;

use crate::cli::argument_order::check_order;
use crate::cli::in_place_records::{InPlaceArguments, open_in_place};
use crate::cli::output::{write, write_text};
use crate::cli::unified_diff::write_diff;
use crate::cli::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
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
    #[command(flatten)]
    change: InPlaceArguments,
}

/// Runs `rename`.
pub(super) fn run(arguments: &RenameArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let RenameArguments { id, new, file, change } = arguments;
    check_order([id.as_str(), new], &[file], "evalgraph rename ID NEW FILE")?;
    let session = change.session(report)?;
    let opened = open_in_place(file, &session, report)?;
    let changed = renamed(&opened, id, new, &session, report)?;
    unless_failed(report)?;
    if change.dry_run {
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
