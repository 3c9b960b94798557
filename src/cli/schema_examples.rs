//! The examples of `evalgraph schema`: some random nodes of a class, with everything said about them.

use std::path::Path;

use clap::Args;

use crate::cli::arguments::rdf_formats;
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

/// The maximum number of nodes: each needs a separate lookup.
const MOST: u64 = 1_000;

/// The options for examples.
#[derive(Debug, Args)]
pub(super) struct ExampleArguments {
    /// Show some nodes with everything said about them
    #[arg(long, conflicts_with = "format")]
    pub(super) examples: bool,
    /// Class of the nodes: an IRI, or a prefixed name
    #[arg(long, value_name = "CLASS", default_value = "s:Question", requires = "examples")]
    class: String,
    /// How many nodes
    #[arg(long, value_name = "NUMBER", default_value_t = 3, requires = "examples",
          value_parser = clap::value_parser!(u64).range(1..=MOST))]
    count: u64,
    /// Which nodes are drawn
    #[arg(long, value_name = "NUMBER", default_value_t = 42, requires = "examples")]
    seed: u64,
    /// Format of the nodes (default: by name of -o, else ttl)
    #[arg(long, value_name = "FORMAT", value_parser = rdf_formats(), requires = "examples")]
    to: Option<RdfFormat>,
}

/// Writes examples. The same seed selects the same nodes of the same data.
///
/// # Errors
///
/// Fails if the data cannot be loaded, or if the output cannot be written.
pub(super) fn write_examples(
    arguments: &ExampleArguments,
    input: &RunInputs,
    loading: &LoadOptions,
    path: Option<&Path>,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let format = output_form::SCHEMA_EXAMPLES.rdf(path, arguments.to, report)?.unwrap_or(RdfFormat::Turtle);
    let loader = Loader::from_options(input, loading);
    let loaded = LoadedData::read(&loader, LoadPurpose::Quads, report)?;
    let prologue = Prologue { prefixes: preferences()?.prefixes(loaded.prefixes()), ..Prologue::default() };
    let of_class = |text: &str| -> Result<Query, CommandStop> {
        let class = QueryParameter::parse(&format!("class={}", arguments.class))?;
        Ok(Query::parse_in(text, "schema --examples", &prologue)?.with_parameters(&[class], &[])?)
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
            "schema::no-examples",
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
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    for (name, namespace) in nodes.prefixes().iter() {
        quads.declare_prefix(name, namespace);
    }
    write(path, |output| write_format(&quads, format, &session, &JsonLdShape::Expanded, output, report))?;
    Ok(CommandAnswer::Yes)
}
