//! `evalgraph frame`: the Framing Algorithm, exactly as in the specification.

use clap::builder::ValueParser;
use clap::{ArgAction, Args};

use crate::cli::arguments::{CompactionArguments, OperationArguments, choice};
use crate::cli::operation_command::process;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;
use evalgraph_jsonld::{FramingOptions, JsonLdEmbed};

const EXAMPLES: &str = "\
Examples:
  evalgraph frame checkpoint.jsonld --frame questions.jsonld
  evalgraph frame - --frame frame.jsonld --embed always < document.jsonld

A frame shows what is wanted: {\"@context\": {\"@vocab\": \"http://schema.org/\"}, \"@type\":
\"Question\"}";

/// The arguments of `frame`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FrameArguments {
    /// Frame: a file, a URL, or a name
    ///
    /// A URL that is mapped or built in, or karenina, karenina-spec, karenina-gui, which frame everything with that
    /// context
    #[arg(short_alias = 'f', long, value_name = "FRAME")]
    frame: String,

    /// URL to assume for the frame
    #[arg(long, value_name = "IRI")]
    frame_url: Option<String>,

    /// Where to embed nodes that others refer to
    #[arg(long, value_name = "once|always|never", default_value = "once", value_parser = embed(),
          hide_possible_values = true)]
    embed: JsonLdEmbed,

    /// Output only properties that the frame names
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    explicit: bool,

    /// Leave out properties that a node lacks
    ///
    /// Instead of writing them as null
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    omit_default: bool,

    /// Match nodes that have every property of the frame
    ///
    /// Instead of one of them
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    require_all: bool,

    /// Leave out `@graph` around a single result
    ///
    /// By default in JSON-LD 1.1 only
    #[arg(long, value_name = "true|false", action = ArgAction::Set)]
    omit_graph: Option<bool>,

    #[command(flatten)]
    compaction: CompactionArguments,
    #[command(flatten)]
    operation: OperationArguments,
}

fn embed() -> ValueParser {
    choice([("once", JsonLdEmbed::Once), ("always", JsonLdEmbed::Always), ("never", JsonLdEmbed::Never)])
}

/// Runs `frame`.
pub(super) fn run(arguments: &FrameArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let &FrameArguments { embed, explicit, omit_default, require_all, omit_graph, .. } = arguments;
    // The depth is controlled by the limits.
    let options = FramingOptions::default();
    let options = FramingOptions { embed, explicit, omit_default, require_all, omit_graph, ..options };
    let operation = JsonLdOperation::frame(&arguments.frame, options).living_at(arguments.frame_url.clone());
    let operation = arguments.compaction.applied_to(operation);
    process(&arguments.operation, &output_form::FRAME, &operation, report)
}
