//! `evalgraph init`: creates an empty store.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::workspace::chosen_store::create;

const EXAMPLES: &str = "\
Examples:
  evalgraph init
  evalgraph init experiments/";

/// The arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArguments {
    /// Folder in which to make `.evalgraph`
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Runs `init`.
pub(super) fn run(arguments: &InitArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let folder = create(&arguments.folder)?;
    let message = format!("`{}` is an empty store", folder.display());
    let help = "`evalgraph load FILE…` fills it; queries in this folder and below then need no files";
    report.add(&Diagnostic::new(FindingSeverity::Note, "store::made", message).with_help(help));
    Ok(CommandAnswer::Yes)
}
