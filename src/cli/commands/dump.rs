//! `evalgraph dump`: the quads of the store or of a server.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;

use crate::cli::arguments::{EndpointArguments, OutputArguments, ShapeArguments, rdf_formats};
use crate::cli::output::ResultOutput;
use crate::cli::rdf_output::write_quads;
use crate::cli::time_of_run::time_of_run;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::input::clock::RunClock;
use evalgraph_engine::input::input_options::{IriOptions, ReadingOptions, RunInputs, StoreChoice};
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::read_session::{JsonLdSettings, ReadSession};
use evalgraph_engine::workspace::chosen_store::document_named;
use evalgraph_engine::workspace::store_dump::DumpCompanions;
use evalgraph_rdf::minted::{dataset_and_part, is_beside_documents};
use evalgraph_rdf::{QuadBuffer, RdfFormat};
use evalgraph_sparql::SparqlServer;
use evalgraph_store::{
    Dataset, EncodedQuad, StoreFolder, StoreSnapshot, StoredDocument, TermDictionary, TermId,
};

const EXAMPLES: &str = "\
Examples:
  evalgraph dump > all.nq
  evalgraph dump run-7.jsonld --to trig
  evalgraph dump --whole -o all.nq.zst           (`load` makes the same documents of it)
  evalgraph dump --endpoint http://localhost:3030/ds -o all.nq.gz";

/// How many bytes of N-Quads are written at a time.
const CHUNK: usize = 1 << 16;

/// The arguments of `dump`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DumpArguments {
    /// Only these graphs: IRI, dataset, or file
    #[arg(value_name = "GRAPH")]
    graphs: Vec<String>,
    /// Format to write (default: by name of -o, else nq)
    #[arg(long, alias = "format", value_name = "FORMAT", value_parser = rdf_formats())]
    to: Option<RdfFormat>,
    /// Write the catalog and sidecars, too
    #[arg(long)]
    all_graphs: bool,
    /// Write all that `load` needs for the same documents
    ///
    /// In N-Quads: the catalog, the sidecars that files can be written from, and the facts about each document
    #[arg(long, conflicts_with = "endpoint")]
    whole: bool,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    iris: GroupedOptions<IriOptions>,
}

/// Runs `dump`.
pub(super) fn run(arguments: &DumpArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let format = output_form::DUMP.rdf(path, arguments.to, report)?.unwrap_or(RdfFormat::NQuads);
    let others = [("--store", arguments.store.store.is_some())];
    if let Some(server) = arguments.endpoint.open(&arguments.iris.net, &others, report)? {
        return dump_server(&*server, arguments, format, report);
    }
    let store = arguments.store.open_store()?;
    let snapshot = store.snapshot()?;
    let dataset = snapshot.dataset();
    let companions = match arguments.whole {
        true => Some(companions(arguments, format, &store, &snapshot, report)?),
        false => None,
    };
    let quads =
        quads_of(arguments, &store, &snapshot)?.chain(companions.iter().flat_map(DumpCompanions::quads));
    let terms = companions.as_ref().map_or(dataset.dictionary(), DumpCompanions::dictionary);
    if format == RdfFormat::NQuads {
        let mut output = ResultOutput::open(path)?;
        write_n_quads(dataset, terms, quads, &mut output)?;
        output.finish()?;
    } else {
        let mut buffer = QuadBuffer::new();
        terms.copy_into(quads, &mut buffer);
        check(dataset)?;
        write_buffer(buffer, arguments, format, report)?;
    }
    Ok(CommandAnswer::Yes)
}

/// Makes what `load` needs beside the quads of the store.
fn companions(
    arguments: &DumpArguments,
    format: RdfFormat,
    store: &StoreFolder,
    snapshot: &StoreSnapshot,
    report: &mut RunReport,
) -> Result<DumpCompanions, CommandStop> {
    // Other formats have no graph names, or give blank nodes other labels, by which the facts name graphs.
    if format != RdfFormat::NQuads {
        let message = format!("a whole dump is N-Quads, which keeps the labels of blank nodes, not {format}");
        let fault = Diagnostic::error("output::format", message);
        return Err(fault.with_help("leave `--to` out, or write to a file with the name `….nq`").into());
    }
    let session = ReadSession::new(&arguments.iris, &JsonLdSettings::default(), &ReadingOptions::default())?;
    let input = RunInputs { clock: RunClock::Asked(time_of_run), ..RunInputs::default() };
    let loader = DocumentLoading::new(&input, &session, false, report.shows_all());
    let known = snapshot.documents()?;
    let documents: Vec<&StoredDocument> = match arguments.graphs.as_slice() {
        [] => known.iter().collect(),
        names => names.iter().map(|name| document_named(known, name)).collect::<Result<_, _>>()?,
    };
    Ok(DumpCompanions::new(&loader, store, snapshot, &documents, report)?)
}

fn write_buffer(
    quads: QuadBuffer,
    arguments: &DumpArguments,
    format: RdfFormat,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    let mut session =
        ReadSession::new(&arguments.iris, &JsonLdSettings::default(), &ReadingOptions::default())?;
    let shape = arguments.shape.shape(format, &mut session)?;
    write_quads(quads, format, arguments.output.output.as_deref(), &session, &shape, report)
}

/// Writes the quads of a server, as a stream if the format allows it.
fn dump_server(
    server: &dyn SparqlServer,
    arguments: &DumpArguments,
    format: RdfFormat,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let quads = server.quads(&graphs_of(server, arguments)?)?;
    if format == RdfFormat::NQuads {
        let mut output = ResultOutput::open(arguments.output.output.as_deref())?;
        for quad in quads {
            writeln!(output, "{} .", quad?).map_err(|error| output.stop(&error))?;
        }
        output.finish()?;
    } else {
        let mut buffer = QuadBuffer::new();
        buffer.extend_quads(quads)?;
        write_buffer(buffer, arguments, format, report)?;
    }
    report.add_all(&server.remarks());
    Ok(CommandAnswer::Yes)
}

/// The graphs of a server to write: the named ones, or else all graphs and the quads in no named graph.
fn graphs_of(
    server: &dyn SparqlServer,
    arguments: &DumpArguments,
) -> Result<Vec<Option<String>>, CommandStop> {
    let mut graphs = server.graphs()?;
    graphs.retain(|graph| arguments.all_graphs || !is_beside_documents(graph));
    if arguments.graphs.is_empty() {
        return Ok(graphs.into_iter().map(Some).chain([None]).collect());
    }
    let files = server.files()?;
    let graph_named = |name: &String| {
        let dataset = |graph: &str| dataset_and_part(graph).map(|(dataset, _)| dataset);
        let is_meant = |graph: &&String| {
            *graph == name || dataset(graph).as_ref() == Some(name) || files.get(*graph) == Some(name)
        };
        let mut meant = graphs.iter().filter(is_meant);
        match (meant.next(), meant.next()) {
            (Some(graph), None) => Ok(Some(graph.clone())),
            (None, _) => Err(no_graph(&format!("{} has no graph `{name}`", server.place()))),
            (Some(one), Some(other)) => {
                Err(no_graph(&format!("`{name}` matches both `{one}` and `{other}`")))
            }
        }
    };
    arguments.graphs.iter().map(graph_named).collect()
}

fn no_graph(message: &str) -> CommandStop {
    Diagnostic::error("store::unknown-graph", message).into()
}

/// Returns the quads to write: all graphs of the named documents, or of all documents. Sidecars and the catalog are
/// included only with `--all-graphs`.
fn quads_of<'s>(
    arguments: &DumpArguments,
    store: &StoreFolder,
    snapshot: &'s StoreSnapshot,
) -> Result<Box<dyn Iterator<Item = EncodedQuad> + 's>, CommandStop> {
    let dataset = snapshot.dataset();
    if !arguments.graphs.is_empty() {
        let mut names = BTreeSet::new();
        for name in &arguments.graphs {
            let document = document_named(snapshot.documents()?, name)?;
            names.extend(store.graph_names_of(document)?);
        }
        let is_beside = |name: &TermId| is_beside_documents(dataset.dictionary().lexical(*name));
        names.retain(|name| arguments.all_graphs || arguments.whole || !is_beside(name));
        return Ok(Box::new(names.into_iter().flat_map(|name| dataset.graph_quads(name))));
    }
    match arguments.all_graphs || arguments.whole {
        true => Ok(Box::new(dataset.quads())),
        false => Ok(Box::new(dataset.quads_of_data())),
    }
}

fn write_n_quads(
    dataset: &Dataset,
    terms: &TermDictionary,
    quads: impl Iterator<Item = EncodedQuad>,
    output: &mut ResultOutput,
) -> Result<(), CommandStop> {
    let mut chunk = Vec::with_capacity(CHUNK + (CHUNK >> 2));
    for quad in quads {
        terms.write_n_quad(quad, &mut chunk);
        if chunk.len() >= CHUNK {
            check(dataset)?;
            output.write_all(&chunk).map_err(|error| output.stop(&error))?;
            chunk.clear();
        }
    }
    check(dataset)?;
    output.write_all(&chunk).map_err(|error| output.stop(&error))
}

fn check(dataset: &Dataset) -> Result<(), CommandStop> {
    match dataset.fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}
