//! `evalgraph frame`: the Framing Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::{FramingArguments, OperationArguments};
use crate::cli::output::Output;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::{Failure, Report};
use crate::jsonld::Layout;
use crate::load::json_ld::{CompactionOptions, JsonLd, StrayIds, report_warnings};
use crate::load::parsing::Parsed;

const EXAMPLES: &str = "\
Examples:
  evalgraph frame checkpoint.jsonld --frame questions.jsonld
  evalgraph frame - -f frame.jsonld --embed always < document.jsonld

A frame shows what is wanted: {\"@context\": {\"@vocab\": \"http://schema.org/\"}, \"@type\":
\"Question\"}";

/// The arguments of `frame`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FrameArguments {
    #[command(flatten)]
    framing: FramingArguments,
    #[command(flatten)]
    compaction: CompactionOptions,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `frame`.
pub(super) fn run(arguments: &FrameArguments, report: &mut Report) -> Result<Answer, Stop> {
    let operation = &arguments.operation;
    report.set_strictness(operation.reading.strictness);
    output_form::FRAME.check(operation.output.output.as_deref(), report)?;
    let mut json_ld = JsonLd::new(&operation.iris, &operation.json_ld, &operation.reading)?
        .with_compaction(arguments.compaction);
    let frame = json_ld.frame(
        &arguments.framing.frame,
        arguments.framing.frame_url.as_deref(),
        arguments.framing.options(),
    )?;
    let Parsed { document, origin } = json_ld.parse_only("frame", &operation.input, report)?;
    json_ld.with_processor(&origin, |mut processor| {
        let framed = processor.frame(&document, &frame).map_err(|error| error.diagnostic())?;
        report_warnings(&framed.warnings, StrayIds::Dropped, report);
        if report.has_failed() {
            return Err(Failure::Reported.into());
        }
        let mut output = Output::open(operation.output.output.as_deref())?;
        framed.write_to(Layout::Indented, &mut output).map_err(|error| output.stop(&error))?;
        output.finish()
    })?;
    Ok(Answer::Yes)
}
