//! `evalgraph flatten`: the Flattening Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::{CompactionArguments, ContextArguments, OperationArguments};
use crate::cli::operation::process;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::Report;
use crate::load::operation::Operation;

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
    compaction: CompactionArguments,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `flatten`.
pub(super) fn run(arguments: &FlattenArguments, report: &mut Report) -> Result<Answer, Stop> {
    let ContextArguments { context, context_url } = &arguments.context;
    let operation = Operation::flatten(context.clone()).living_at(context_url.clone());
    let operation = arguments.compaction.applied_to(operation);
    process(&arguments.operation, &output_form::FLATTEN, &operation, report)
}
