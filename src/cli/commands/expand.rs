//! `evalgraph expand`: the Expansion Algorithm, exactly as in the specification.

use clap::Args;

use crate::cli::arguments::OperationArguments;
use crate::cli::operation_command::process;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;

const EXAMPLES: &str = "\
Examples:
  evalgraph expand checkpoint.jsonld
  evalgraph expand - --base https://example.org/ < document.jsonld
  evalgraph expand doc.jsonld --map https://example.org/context=context.jsonld
  evalgraph expand https://example.org/page.html --net --extract-all-scripts true";

/// The arguments of `expand`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExpandArguments {
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `expand`.
pub(super) fn run(arguments: &ExpandArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    process(&arguments.operation, &output_form::EXPAND, &JsonLdOperation::expand(), report)
}
