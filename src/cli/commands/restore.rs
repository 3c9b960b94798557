//! `evalgraph restore`: makes a store from a backup.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::PathBuf;

use clap::Args;

use crate::cli::run_ending::{listen, writer};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::input_options::StoreChoice;
use evalgraph_engine::workspace::store_backup::{RestoreOptions, restore};

const EXAMPLES: &str = "\
Examples:
  evalgraph restore store.tar.zst
  evalgraph restore store.tar.zst --store experiments/
  evalgraph restore store.tar.zst --force    (replace the store there)

Without `--store` the store is `.evalgraph` in the current folder. Everything is checked before the
store counts: a damaged backup changes nothing, and a store that is replaced stays until the new one
is complete. `evalgraph undo` brings back the store that was replaced.";

/// The arguments of `restore`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RestoreArguments {
    /// Backup to read, or `-` for stdin; .gz and .zst are opened
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the store that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
}

/// Runs `restore`.
pub(super) fn run(
    arguments: &RestoreArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    listen();
    let writer = writer("restore", false);
    let options = RestoreOptions {
        store: arguments.store.store.as_deref(),
        is_replacing: arguments.force,
        patience: arguments.store.wait,
    };
    let restored = restore(&arguments.file, options, &writer)?;
    let plural = if restored.graphs == 1 { "graph" } else { "graphs" };
    let (folder, count, quads) =
        (restored.folder.display(), thousands(restored.graphs as u64), thousands(restored.quads));
    let message = format!("`{folder}` has the {count} {plural} of the backup: {quads} quads");
    report.add(&Diagnostic::new(FindingSeverity::Note, "restore::made", message));
    Ok(CommandAnswer::Yes)
}
