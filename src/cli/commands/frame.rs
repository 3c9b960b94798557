//! `evalgraph frame`: the Framing Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::{CompactionArguments, FramingArguments, OperationArguments};
use crate::cli::operation::process;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::Report;
use crate::load::operation::Operation;

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
    compaction: CompactionArguments,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `frame`.
pub(super) fn run(arguments: &FrameArguments, report: &mut Report) -> Result<Answer, Stop> {
    let FramingArguments { frame, frame_url, .. } = &arguments.framing;
    let operation = Operation::frame(frame, arguments.framing.options()).living_at(frame_url.clone());
    let operation = arguments.compaction.applied_to(operation);
    process(&arguments.operation, &output_form::FRAME, &operation, report)
}
