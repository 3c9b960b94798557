//! `evalgraph dump`: the quads of the store.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;

use crate::cli::arguments::{OutputArguments, ShapeArguments, rdf_formats};
use crate::cli::output::Output;
use crate::cli::rdf_output::write_quads;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::Report;
use crate::input::options::{IriOptions, ReadingOptions, StoreChoice};
use crate::load::json_ld::{JsonLd, JsonLdSettings};
use crate::rdf::minted::is_beside_documents;
use crate::rdf::{QuadBuffer, RdfFormat};
use crate::store::{Dataset, EncodedQuad, Snapshot, Store, TermId};
use crate::workspace::store::document_named;

const EXAMPLES: &str = "\
Examples:
  evalgraph dump > all.nq
  evalgraph dump run-7.jsonld --to trig
  evalgraph dump --all-graphs -o all.nq.zst";

/// How many bytes of N-Quads are written at once.
const CHUNK: usize = 1 << 16;

/// The arguments of `dump`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DumpArguments {
    /// Only these: a graph's IRI, its dataset, or the file that it was read from
    #[arg(value_name = "GRAPH")]
    graphs: Vec<String>,
    /// The format to write; without it the extension of the output file tells, else nq
    #[arg(long, value_name = "FORMAT", value_parser = rdf_formats())]
    to: Option<RdfFormat>,
    /// Write the catalog and sidecars, too
    #[arg(long)]
    all_graphs: bool,
    #[command(flatten)]
    store: StoreChoice,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    iris: IriOptions,
}

/// Runs `dump`.
pub(super) fn run(arguments: &DumpArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let format = output_form::DUMP.rdf(path, arguments.to, report)?.unwrap_or(RdfFormat::NQuads);
    let store = arguments.store.open_store()?;
    let snapshot = store.snapshot()?;
    let dataset = snapshot.dataset();
    let quads = quads_of(arguments, &store, &snapshot)?;
    if format == RdfFormat::NQuads {
        let mut output = Output::open(path)?;
        write_n_quads(dataset, quads, &mut output)?;
        output.finish()?;
    } else {
        let mut buffer = QuadBuffer::new();
        dataset.dictionary().copy_into(quads, &mut buffer);
        check(dataset)?;
        let mut json_ld =
            JsonLd::new(&arguments.iris, &JsonLdSettings::default(), &ReadingOptions::default())?;
        let shape = arguments.shape.shape(format, &mut json_ld)?;
        write_quads(buffer, format, path, &json_ld, &shape, report)?;
    }
    Ok(Answer::Yes)
}

/// Returns the quads to write: all graphs of the named documents, or of all; sidecars and the catalog only under
/// `--all-graphs`.
fn quads_of<'s>(
    arguments: &DumpArguments,
    store: &Store,
    snapshot: &'s Snapshot,
) -> Result<Box<dyn Iterator<Item = EncodedQuad> + 's>, Stop> {
    let dataset = snapshot.dataset();
    if !arguments.graphs.is_empty() {
        let mut names = BTreeSet::new();
        for name in &arguments.graphs {
            let document = document_named(snapshot.documents()?, name)?;
            names.extend(store.graph_names_of(document)?);
        }
        let is_beside = |name: &TermId| is_beside_documents(dataset.dictionary().lexical(*name));
        names.retain(|name| arguments.all_graphs || !is_beside(name));
        return Ok(Box::new(names.into_iter().flat_map(|name| dataset.graph_quads(name))));
    }
    match arguments.all_graphs {
        true => Ok(Box::new(dataset.quads())),
        false => Ok(Box::new(dataset.quads_of_data())),
    }
}

fn write_n_quads(
    dataset: &Dataset,
    quads: impl Iterator<Item = EncodedQuad>,
    output: &mut Output,
) -> Result<(), Stop> {
    let mut chunk = Vec::with_capacity(CHUNK + (CHUNK >> 2));
    for quad in quads {
        dataset.dictionary().write_n_quad(quad, &mut chunk);
        if chunk.len() >= CHUNK {
            check(dataset)?;
            output.write_all(&chunk).map_err(|error| output.stop(&error))?;
            chunk.clear();
        }
    }
    check(dataset)?;
    output.write_all(&chunk).map_err(|error| output.stop(&error))
}

fn check(dataset: &Dataset) -> Result<(), Stop> {
    match dataset.fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}
