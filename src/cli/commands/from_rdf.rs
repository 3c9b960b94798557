//! `evalgraph from-rdf`: RDF to expanded JSON-LD, by the Serialize RDF as JSON-LD Algorithm.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::{ArgAction, Args};

use crate::cli::arguments::{OutputArguments, ProcessorArguments, rdf_directions};
use crate::cli::output::write;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::convert::json_ld_shape::{JsonLdShape, write_json_ld};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document_quads::QuadChanges;
use evalgraph_engine::load::quads::read_all;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_jsonld::RdfDirection;

const EXAMPLES: &str = "\
Examples:
  evalgraph from-rdf data.nq
  evalgraph from-rdf data.ttl --use-native-types true -o data.jsonld
  curl -s https://example.org/data | evalgraph from-rdf -

The result is expanded. A blank node that is used once, as a list or as a compound literal, is
written where it is used; if it is mentioned elsewhere as well, it stays a node.";

/// The arguments of `from-rdf`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FromRdfArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
    /// How RDF represents a base direction
    ///
    /// Without it no direction is recognised
    #[arg(long, value_name = "FORM", value_parser = rdf_directions())]
    rdf_direction: Option<RdfDirection>,
    /// Write JSON booleans and numbers
    ///
    /// They have no lexical forms
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    use_native_types: bool,
    /// Keep `rdf:type` a property, not `@type`
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    use_rdf_type: bool,
}

/// Runs `from-rdf`.
pub(super) fn run(
    arguments: &FromRdfArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    output_form::FROM_RDF.check(path, report)?;
    let mut session = arguments.processor.session(&arguments.input.reading)?;
    session.options.rdf_direction = arguments.rdf_direction;
    session.options.use_native_types = arguments.use_native_types;
    session.options.use_rdf_type = arguments.use_rdf_type;
    let sources = sources(&arguments.input, report)?;
    let quads = read_all(&sources, &arguments.input, &session, QuadChanges::Nothing, report)?;
    write(path, |output| write_json_ld(&quads, &session, &JsonLdShape::Expanded, output, report))?;
    Ok(CommandAnswer::Yes)
}
