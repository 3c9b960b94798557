//! `evalgraph flatten`: the Flattening Algorithm, exactly as in the specification.

use clap::Args;

use crate::cli::arguments::{ContextArguments, OperationArguments};
use crate::cli::operation_command::process;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;

const EXAMPLES: &str = "\
Examples:
  evalgraph flatten checkpoint.jsonld
  evalgraph flatten checkpoint.jsonld --context karenina
  evalgraph flatten - --base https://example.org/ < document.jsonld";

/// The arguments of `flatten`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FlattenArguments {
    #[command(flatten)]
    context: ContextArguments,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `flatten`.
pub(super) fn run(
    arguments: &FlattenArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let operation = arguments.context.applied_to(JsonLdOperation::flatten(arguments.context.context.clone()));
    process(&arguments.operation, &output_form::FLATTEN, &operation, report)
}
