//! `evalgraph stats`: what each file is and what it holds.

use clap::Args;

use super::arguments::{InputArguments, OutputArguments};
use super::queries::ListForm;
use super::query::LoadingArguments;
use super::report::Report;
use super::{Answer, Stop};

const EXAMPLES: &str = "\
Examples:
  evalgraph stats checkpoint.jsonld
  evalgraph stats 'runs/**/*.jsonld' --format json
  evalgraph stats unknown.jsonld --explain";

/// The arguments of `stats`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct StatsArguments {
    #[command(flatten)]
    input: InputArguments,
    /// Say which mark decided the dialect of each file
    #[arg(long)]
    explain: bool,
    /// The form of the figures
    #[arg(long, value_name = "FORM", default_value = "table")]
    format: ListForm,
    #[command(flatten)]
    loading: LoadingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `stats`.
pub(super) fn run(arguments: StatsArguments, report: &mut Report) -> Result<Answer, Stop> {
    let _ = (arguments, report);
    Ok(Answer::Yes)
}
