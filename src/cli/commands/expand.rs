//! `evalgraph expand`: the Expansion Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::OperationArguments;
use crate::cli::output::Output;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::{Failure, Report};
use crate::jsonld::Layout;
use crate::load::json_ld::{JsonLd, StrayIds, report_warnings};
use crate::load::parsing::Parsed;

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
pub(super) fn run(arguments: &ExpandArguments, report: &mut Report) -> Result<Answer, Stop> {
    let operation = &arguments.operation;
    report.set_strictness(operation.reading.strictness);
    output_form::EXPAND.check(operation.output.output.as_deref(), report)?;
    let json_ld = JsonLd::new(&operation.iris, &operation.json_ld, &operation.reading)?;
    let Parsed { document, origin } = json_ld.parse_only("expand", &operation.input, report)?;
    json_ld.with_processor(&origin, |mut processor| {
        let expanded = processor.expand(&document).map_err(|error| error.diagnostic())?;
        report_warnings(&expanded.warnings, StrayIds::Dropped, report);
        if report.has_failed() {
            return Err(Failure::Reported.into());
        }
        let mut output = Output::open(operation.output.output.as_deref())?;
        expanded.write_to(Layout::Indented, &mut output).map_err(|error| output.stop(&error))?;
        output.finish()
    })?;
    Ok(Answer::Yes)
}
