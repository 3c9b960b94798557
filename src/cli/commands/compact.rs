//! `evalgraph compact`: the Compaction Algorithm, exactly as in the specification.

use clap::Args;

use crate::cli::arguments::{ContextArguments, OperationArguments};
use crate::cli::operation_command::process;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;

const EXAMPLES: &str = "\
Examples:
  evalgraph compact expanded.jsonld --context karenina
  evalgraph compact - -c context.jsonld --base https://example.org/ < document.jsonld
  evalgraph compact doc.jsonld -c https://example.org/context --map https://example.org/context=context.jsonld";

/// The arguments of `compact`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompactArguments {
    #[command(flatten)]
    context: ContextArguments,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `compact`.
pub(super) fn run(
    arguments: &CompactArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let context = arguments.context.context.clone().ok_or_else(no_context)?;
    let operation = arguments.context.applied_to(JsonLdOperation::compact(context));
    process(&arguments.operation, &output_form::COMPACT, &operation, report)
}

fn no_context() -> CommandStop {
    let names = "karenina, karenina-spec, karenina-gui, schema.org";
    Diagnostic::error("input::no-context", "`compact` needs a context")
        .with_help(format!("name a file, a URL or one of {names}: `--context FILE`"))
        .into()
}
