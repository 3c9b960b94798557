//! The common part of the commands that change records of files in place: their options, and how files are opened.

use std::path::Path;

use clap::Args;

use super::CommandStop;
use super::arguments::ProcessorArguments;
use super::arguments::option_groups::GroupedOptions;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::selection::opened_records::OpenedRecords;

/// The options of commands that change records in place.
#[derive(Debug, Args)]
pub(super) struct InPlaceArguments {
    /// Print the change as a diff, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    processor: ProcessorArguments,
}

impl InPlaceArguments {
    /// Creates the processor.
    pub(super) fn session(&self, report: &mut RunReport) -> Result<ReadSession, RunFailure> {
        report.set_strictness(self.reading.strictness);
        self.processor.session(&self.reading)
    }
}

/// Opens a file that is to be changed in place.
///
/// # Errors
///
/// Fails if the file cannot be read, has no records, or has parts that would be lost.
pub(super) fn open_in_place(
    path: &Path,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<OpenedRecords, CommandStop> {
    let opened = OpenedRecords::read(&InputSource::File(path.to_owned()), session, report)?;
    opened.check_is_whole()?;
    Ok(opened)
}
