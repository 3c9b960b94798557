//! `evalgraph to-rdf`: JSON-LD to RDF, exactly as in the specification.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::arguments::{OutputArguments, ProcessorArguments, rdf_directions, rdf_formats};
use crate::cli::rdf_output::write_quads;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::input::input_options::{InputFormat, RunInputs};
use evalgraph_engine::load::document::Document;
use evalgraph_engine::load::document_quads::{QuadChanges, QuadRules};
use evalgraph_engine::load::json_ld_operation::format_of_any;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_jsonld::RdfDirection;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

const EXAMPLES: &str = "\
Examples:
  evalgraph to-rdf checkpoint.jsonld
  evalgraph to-rdf checkpoint.jsonld --to ttl
  evalgraph to-rdf doc.jsonld --base https://example.org/ --rdf-direction i18n-datatype";

/// The arguments of `to-rdf`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ToRdfArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Format to write (default: by name of -o, else nq)
    #[arg(long, alias = "format", value_name = "FORMAT", value_parser = rdf_formats())]
    to: Option<RdfFormat>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
    /// How to represent a base direction in RDF
    ///
    /// Without it directions are dropped
    #[arg(long, value_name = "FORM", value_parser = rdf_directions())]
    rdf_direction: Option<RdfDirection>,
    /// Keep blank nodes as predicates (nq only)
    #[arg(long)]
    generalized_rdf: bool,
}

/// Runs `to-rdf`.
pub(super) fn run(arguments: &ToRdfArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let to = output_form::TO_RDF.rdf(path, arguments.to, report)?.unwrap_or(RdfFormat::NQuads);
    if arguments.generalized_rdf && to != RdfFormat::NQuads {
        let message = format!("generalized RDF is written as N-Quads only, not as {to}");
        return Err(Diagnostic::error("output::format", message).with_help("leave `--to` out").into());
    }
    // The command follows the JSON-LD API: JSON is JSON-LD, even if it looks like records.
    let mut input = arguments.input.0.clone();
    let named = input.reading.named_format();
    input.reading.from = Some(InputFormat::Rdf(named.unwrap_or(RdfFormat::JsonLd)));
    let mut session = arguments.processor.session(&input.reading)?.taking_any();
    session.options.rdf_direction = arguments.rdf_direction;
    session.options.produce_generalized_rdf = arguments.generalized_rdf;
    let mut quads = QuadBuffer::new();
    for source in sources(&input, report)? {
        let before = quads.len();
        let Ok(read) = report.ok_or_report(session.read(&source)) else { continue };
        let format = named.unwrap_or_else(|| format_of_any(&read));
        let document = Document::from_input(read, format, &session, report)
            .and_then(|document| document.into_json_ld(report));
        let rules = QuadRules::new(QuadChanges::Nothing);
        let converted =
            document.and_then(|document| document.quads_into(rules, &session, &mut quads, report));
        if converted.is_err() {
            quads.truncate(before);
        }
    }
    input.check(report)?;
    write_quads(quads, to, path, &session, &JsonLdShape::Expanded, report)?;
    Ok(CommandAnswer::Yes)
}
