//! `evalgraph shell`: runs queries on files or the store, one after the other.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::shell::ShellSession;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::api::Loader;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::read_session::{LoadOptions, ReadSession};

const EXAMPLES: &str = "\
Examples:
  evalgraph shell checkpoints/
  evalgraph shell
  echo '.run overview' | evalgraph shell checkpoints/
  echo 'load new.jsonld' | evalgraph shell         (a file beside the store, until the end)

Data are read once. A query ends with the line that closes its last bracket, or with a blank line; Tab completes
words of SPARQL and names in the data; `.help` lists the commands, which need no dot. Ctrl-C empties the line, or ends
the running query. The shell changes nothing: use `update`, `set` and `add` for that.";

/// The arguments of `shell`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShellArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// Runs `shell`.
pub(super) fn run(arguments: &ShellArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.input.reading.strictness);
    let session =
        ReadSession::new(&arguments.loading.iris, &arguments.loading.json_ld, &arguments.input.reading)?;
    let loader = Loader::from_options(&arguments.input, &arguments.loading);
    ShellSession::open(&loader, &session, report)?.run()
}
