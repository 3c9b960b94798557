//! The graphs of a server as sources. Each becomes the file that it was made from, with later changes, if its sidecar
//! exists, and otherwise N-Quads.

use std::collections::HashMap;
use std::fmt::Write as _;

use oxrdf::{GraphName, Quad};

use super::restored_text::{as_n_quads, restored_text};
use crate::input::origin::StoredName;
use crate::input::source::{InputSource, StoredText};
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_rdf::iri::percent_decode;
use evalgraph_rdf::minted::{dataset_and_part, document_name, is_beside_documents, sidecar_graph};
use evalgraph_rdf::{QuadBuffer, RdfFormat, ReadOptions, read_within};
use evalgraph_sparql::SparqlServer;

/// How many documents are requested at a time. Each request takes a round trip to the server.
const AT_ONCE: usize = 50;

/// The name for quads that are not in a named graph.
const UNNAMED: &str = "default-graph";

/// Returns the graphs of documents on a server, and the quads that are not in a named graph.
///
/// # Errors
///
/// A server without an answer, and a file that can no longer be written.
pub(super) fn server_sources(
    server: &dyn SparqlServer,
    report: &mut RunReport,
) -> Result<Vec<InputSource>, RunFailure> {
    let (mut names, files) = (server.graphs()?, server.files()?);
    names.retain(|name| !is_beside_documents(name));
    let mut sources = Vec::with_capacity(names.len());
    for batch in names.chunks(AT_ONCE) {
        let documents = read_documents(server, batch)?;
        for (name, document) in batch.iter().zip(documents) {
            let file = files.get(name).map_or(name.as_str(), String::as_str);
            sources.push(InputSource::Stored(document.text(name, file, report)?));
        }
    }
    let mut unnamed = ServerDocument::default();
    for quad in server.quads(&[None])? {
        unnamed.take(&quad?, false);
    }
    if !unnamed.lines.is_empty() {
        sources.push(InputSource::Stored(unnamed.text(UNNAMED, UNNAMED, report)?));
    }
    report.add_all(&server.remarks());
    Ok(sources)
}

/// Reads the graphs of these names together with their sidecars, which users do not name.
fn read_documents(server: &dyn SparqlServer, names: &[String]) -> Result<Vec<ServerDocument>, RunFailure> {
    let (mut places, mut graphs) = (HashMap::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        let sidecar = sidecar_graph(name).map(|sidecar| (sidecar, (place, true)));
        for (graph, part) in [(name.clone(), (place, false))].into_iter().chain(sidecar) {
            graphs.push(Some(graph.clone()));
            places.insert(graph, part);
        }
    }
    let mut documents: Vec<ServerDocument> = names.iter().map(|_| ServerDocument::default()).collect();
    for quad in server.quads(&graphs)? {
        let quad = quad?;
        if let GraphName::NamedNode(graph) = &quad.graph_name
            && let Some(&(place, is_of_sidecar)) = places.get(graph.as_str())
        {
            documents[place].take(&quad, is_of_sidecar);
        }
    }
    Ok(documents)
}

/// A document, as its quads arrive: as N-Quads.
#[derive(Default)]
struct ServerDocument {
    lines: String,
    of_sidecar: String,
}

impl ServerDocument {
    fn take(&mut self, quad: &Quad, is_of_sidecar: bool) {
        let lines = if is_of_sidecar { &mut self.of_sidecar } else { &mut self.lines };
        // Writing into a string does not fail.
        let _ = writeln!(lines, "{quad} .");
    }

    fn text(self, graph: &str, file: &str, report: &mut RunReport) -> Result<StoredText, RunFailure> {
        let Self { lines, of_sidecar } = self;
        let mut dataset =
            dataset_and_part(graph).map(|(dataset, part)| StoredName { dataset, part, system: None });
        if !of_sidecar.is_empty() {
            // Blank node labels mean the same in both graphs.
            let quads = read_n_quads(file, &(lines.clone() + &of_sidecar), report);
            if let Some(restored) = restored_text(&quads, graph, file, report)? {
                if let Some(dataset) = &mut dataset {
                    dataset.system = restored.system;
                }
                // The name of a dataset does not reveal the form of its file.
                let is_dataset = document_name(graph).is_some_and(|name| percent_decode(name) == file);
                let name =
                    if is_dataset { format!("{file}.{}", restored.extension) } else { file.to_owned() };
                let bytes = restored.text.into_bytes().into();
                return Ok(StoredText { name, bytes, dataset, is_graph: false, is_elsewhere: true });
            }
        }
        // The graph of a document has no name in its file.
        let bytes = lines.replace(&format!(" <{graph}> .\n"), " .\n").into_bytes().into();
        Ok(StoredText { name: as_n_quads(file), bytes, dataset, is_graph: true, is_elsewhere: true })
    }
}

fn read_n_quads(name: &str, text: &str, report: &mut RunReport) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    let faults = read_within(name, text.as_bytes(), options, u64::MAX, &mut quads).err();
    report.add_all(&faults.unwrap_or_default());
    quads
}
