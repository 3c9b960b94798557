//! `evalgraph sample`: some random nodes of a class, with everything said about them.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::arguments::{OutputArguments, rdf_formats};
use crate::cli::output::write;
use crate::cli::output_form;
use crate::cli::preferences::preferences;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::api::{LoadedData, Loader};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::rdf::write_format;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::{LoadOptions, ReadSession};
use evalgraph_formats::random_split::chosen;
use evalgraph_rdf::{QuadBuffer, RdfFormat};
use evalgraph_sparql::{ExecuteOptions, Prologue, Query, QueryParameter, QueryResults};
use evalgraph_store::DefaultGraph;

const EXAMPLES: &str = "\
Examples:
  evalgraph sample checkpoint.jsonld
  evalgraph sample checkpoints/ --class s:Rating --count 5
  evalgraph sample data.ttl --class http://xmlns.com/foaf/0.1/Person --seed 7 --to jsonld

The same seed selects the same nodes of the same data. Without INPUT, nodes of the store are selected.";

/// The maximum number of nodes: each needs a separate lookup.
const MOST: u64 = 1_000;

/// The arguments of `sample`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SampleArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Class of the nodes: an IRI, or a prefixed name
    #[arg(long, value_name = "CLASS", default_value = "s:Question")]
    class: String,
    /// How many nodes
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    count: u64,
    /// Which nodes are drawn
    #[arg(long, value_name = "NUMBER", default_value_t = 42)]
    seed: u64,
    /// Format to write (default: by name of -o, else ttl)
    #[arg(long, alias = "format", value_name = "FORMAT", value_parser = rdf_formats())]
    to: Option<RdfFormat>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// Runs `sample`.
pub(super) fn run(arguments: &SampleArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.input.reading.strictness);
    let path = arguments.output.output.as_deref();
    let format = output_form::SAMPLE.rdf(path, arguments.to, report)?.unwrap_or(RdfFormat::Turtle);
    let loader = Loader::from_options(&arguments.input, &arguments.loading);
    let loaded = LoadedData::read(&loader, LoadPurpose::Quads, report)?;
    let prologue = Prologue { prefixes: preferences()?.prefixes(loaded.prefixes()), ..Prologue::default() };
    let of_class = |text: &str| -> Result<Query, CommandStop> {
        let class = QueryParameter::parse(&format!("class={}", arguments.class))?;
        Ok(Query::parse_in(text, "sample", &prologue)?.with_parameters(&[class], &[])?)
    };
    let nodes = of_class("SELECT ?node { ?node a ?class }")?;
    let view = loaded.dataset().view(DefaultGraph::Union);
    let QueryResults::Solutions(solutions) = nodes.execute(view.clone(), ExecuteOptions::default())? else {
        return Ok(CommandAnswer::No);
    };
    let mut known = 0;
    for solution in solutions {
        solution?;
        known += 1;
    }
    if known == 0 {
        let fault = Diagnostic::new(
            FindingSeverity::Note,
            "sample::none",
            format!("no node has the class `{}`", arguments.class),
        );
        report.add(&fault.with_help("`evalgraph schema` lists the classes"));
        return Ok(CommandAnswer::No);
    }
    let mut quads = QuadBuffer::new();
    for place in chosen(known, arguments.count as usize, arguments.seed) {
        let text = format!("DESCRIBE ?node {{ ?node a ?class }} OFFSET {place} LIMIT 1");
        let QueryResults::Graph(triples) =
            of_class(&text)?.execute(view.clone(), ExecuteOptions::default())?
        else {
            continue;
        };
        triples.copy_into(&mut quads)?;
    }
    let session =
        ReadSession::new(&arguments.loading.iris, &arguments.loading.json_ld, &arguments.input.reading)?;
    for (name, namespace) in nodes.prefixes().iter() {
        quads.declare_prefix(name, namespace);
    }
    write(path, |output| write_format(&quads, format, &session, &JsonLdShape::Expanded, output, report))?;
    Ok(CommandAnswer::Yes)
}
