//! `evalgraph flatten`: the Flattening Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::OperationArguments;
use crate::cli::output::Output;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::{Failure, Report};
use crate::jsonld::Layout;
use crate::load::json_ld::{CompactionOptions, ContextOptions, JsonLd, StrayIds, report_warnings};
use crate::load::parsing::Parsed;

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
    context: ContextOptions,
    #[command(flatten)]
    compaction: CompactionOptions,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `flatten`.
pub(super) fn run(arguments: &FlattenArguments, report: &mut Report) -> Result<Answer, Stop> {
    let operation = &arguments.operation;
    report.set_strictness(operation.reading.strictness);
    output_form::FLATTEN.check(operation.output.output.as_deref(), report)?;
    let mut json_ld = JsonLd::new(&operation.iris, &operation.json_ld, &operation.reading)?
        .with_compaction(arguments.compaction);
    let context = json_ld.context(&arguments.context)?;
    let Parsed { document, origin } = json_ld.parse_only("flatten", &operation.input, report)?;
    json_ld.with_processor(&origin, |mut processor| {
        let flattened = processor.flatten(&document, context.as_ref()).map_err(|error| error.diagnostic())?;
        report_warnings(flattened.warnings(), StrayIds::Dropped, report);
        if report.has_failed() {
            return Err(Failure::Reported.into());
        }
        let mut output = Output::open(operation.output.output.as_deref())?;
        flattened.write_to(Layout::Indented, &mut output).map_err(|error| output.stop(&error))?;
        output.finish()
    })?;
    Ok(Answer::Yes)
}
