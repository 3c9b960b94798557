//! `evalgraph merge`: merges several checkpoints into one.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::arguments::{OutputArguments, preferences};
use crate::cli::output::write_text;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_engine::convert::checkpoint::merged;
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::load::checkpoint_file::{check_size, checkpoint, read_files};
use evalgraph_formats::checkpoint::checkpoint_merge::MergePreference;
use evalgraph_formats::checkpoint::model::Checkpoint;

const EXAMPLES: &str = "\
Examples:
  evalgraph merge a.jsonld b.jsonld -o all.jsonld
  evalgraph merge parts/*.jsonld -o all.jsonld --prefer newest

The first file stays as it is, and the questions that it lacks are copied after its own. A question
is identified by its id, or else by its text. A question that differs only in its dates is taken from
the file where it is newer. Any other difference is a conflict: it is shown with both lines, and
nothing is written unless --prefer says which file counts. The same applies to global traits. The
name, description, dates and other metadata are those of the first file, or with --prefer newest
those of the file with the latest dateModified. Anything that is not copied is a warning.

The exit status is 0 if everything was merged, 2 if not.";

/// The arguments of `merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MergeArguments {
    /// Files, folders or globs, in the order of merging
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// Which file counts if two disagree
    #[arg(long, value_name = "WHICH", value_parser = preferences())]
    prefer: Option<MergePreference>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

/// Runs `merge`.
pub(super) fn run(arguments: &MergeArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    output_form::MERGE.check(path, report)?;
    let files = read_files(&arguments.inputs, &arguments.reading, report)?;
    let checkpoints: Result<Vec<Checkpoint<'_>>, RunFailure> =
        files.iter().map(|(_, document)| checkpoint(document, report)).collect();
    let text = merged(&checkpoints?, arguments.prefer, report)?;
    let name = path.map_or_else(|| "the result".to_owned(), |path| path.display().to_string());
    check_size(&name, text.len(), report);
    unless_failed(report)?;
    write_text(&text, path)?;
    Ok(CommandAnswer::Yes)
}
