//! `evalgraph queries`: the named queries, with their titles and parameters.

use clap::{Args, ValueEnum};

use super::report::Report;
use super::{Answer, Stop};

const EXAMPLES: &str = "\
Examples:
  evalgraph queries
  evalgraph queries overview
  evalgraph queries --format json";

/// The arguments of `queries`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueriesArguments {
    /// Show the text of one query
    name: Option<String>,
    /// The form of the list
    #[arg(long, value_name = "FORM", default_value = "table")]
    format: ListForm,
}

/// The forms of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListForm {
    /// A table for a person
    Table,
    /// JSON
    Json,
}

/// Runs `queries`.
pub(super) fn run(arguments: QueriesArguments, report: &mut Report) -> Result<Answer, Stop> {
    let _ = (arguments, report);
    Ok(Answer::Yes)
}
