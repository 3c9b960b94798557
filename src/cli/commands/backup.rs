//! `evalgraph backup`: writes the store into one file, and reads the file back.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::PathBuf;

use clap::Args;

use crate::cli::output::ResultOutput;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::input_options::StoreChoice;
use evalgraph_engine::workspace::store_backup::check_written;

const EXAMPLES: &str = "\
Examples:
  evalgraph backup store.tar.zst
  evalgraph backup store.tar --store experiments/
  evalgraph backup - | ssh host 'cat > store.tar'

The backup has one state of the store, also while other processes change it: the graphs, the texts of
the files, and a SHA-256 of each part and of the whole. It is written beside FILE, read back and
checked, and only then gets its name. A damaged store is not backed up: repair it first.
`evalgraph restore` makes a store from it, and so does `tar`.";

/// The arguments of `backup`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BackupArguments {
    /// Backup to write, or `-` for stdout; .gz and .zst are compressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
}

/// Runs `backup`.
pub(super) fn run(arguments: &BackupArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let store = arguments.store.open_store()?;
    let backup = store.backup()?;
    let mut output = ResultOutput::open(Some(&arguments.file))?;
    let sha256 = backup.write(&mut output).map_err(|error| output.stop(&error))?;
    let name = arguments.file.display().to_string();
    let is_checked = output.finish_checked(|file| Ok(check_written(&store, file, &name, &sha256)?))?;
    let (count, bytes) = (backup.documents(), thousands(backup.bytes()));
    let graphs = if count == 1 { "graph" } else { "graphs" };
    let checked = if is_checked { "read back and checked" } else { "not read back, since it is not a file" };
    let message = format!("`{name}` is a backup of {count} {graphs}, {bytes} bytes; it was {checked}");
    report.add(&Diagnostic::new(FindingSeverity::Note, "backup::written", message));
    Ok(CommandAnswer::Yes)
}
