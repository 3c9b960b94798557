//! The graphs of a server as sources: each as the file that it was made of, with later changes, where its sidecar is there,
//! else as N-Quads.

use std::collections::HashMap;
use std::fmt::Write as _;

use oxrdf::{GraphName, Quad};

use super::restoring::{as_n_quads, restored_text};
use crate::diagnostic::{Failure, Report};
use crate::input::origin::StoredName;
use crate::input::source::{InputSource, StoredText};
use crate::rdf::iri::percent_decode;
use crate::rdf::minted::{dataset_and_part, document_name, is_beside_documents, sidecar_graph};
use crate::rdf::{QuadBuffer, RdfFormat, ReadOptions, read_within};
use crate::sparql::SparqlServer;

/// How many documents are asked for at once: a request costs the way to the server and back.
const AT_ONCE: usize = 50;

/// The name of what stands in no named graph.
const UNNAMED: &str = "default-graph";

/// The graphs of documents on a server, and what it has in no named graph.
///
/// # Errors
///
/// A server without an answer, and a file that cannot be written any more.
pub(super) fn server_sources(
    server: &dyn SparqlServer,
    report: &mut Report,
) -> Result<Vec<InputSource>, Failure> {
    let (names, files) = (server.graphs()?, server.files()?);
    let documents: Vec<&String> = names.iter().filter(|name| !is_beside_documents(name)).collect();
    let mut sources = Vec::with_capacity(documents.len());
    for batch in documents.chunks(AT_ONCE) {
        let mut found: HashMap<&str, Document> =
            batch.iter().map(|name| (name.as_str(), Document::default())).collect();
        let sidecar = |name: &str| sidecar_graph(name).filter(|sidecar| names.binary_search(sidecar).is_ok());
        let sidecars: HashMap<String, &str> =
            batch.iter().filter_map(|name| Some((sidecar(name)?, name.as_str()))).collect();
        let graphs: Vec<Option<String>> =
            batch.iter().map(|name| name.to_string()).chain(sidecars.keys().cloned()).map(Some).collect();
        for quad in server.quads(&graphs)? {
            let quad = quad?;
            let GraphName::NamedNode(graph) = &quad.graph_name else { continue };
            let document = sidecars.get(graph.as_str()).copied().unwrap_or(graph.as_str());
            if let Some(document) = found.get_mut(document) {
                document.take(&quad, sidecars.contains_key(graph.as_str()));
            }
        }
        for name in batch {
            let document = found.remove(name.as_str()).unwrap_or_default();
            let file = files.get(name.as_str()).map_or(name.as_str(), String::as_str);
            sources.push(InputSource::Stored(document.text(name, file, report)?));
        }
    }
    let mut unnamed = Document::default();
    for quad in server.quads(&[None])? {
        unnamed.take(&quad?, false);
    }
    if !unnamed.lines.is_empty() {
        sources.push(InputSource::Stored(unnamed.text(UNNAMED, UNNAMED, report)?));
    }
    report.add_all(&server.remarks());
    Ok(sources)
}

/// A document, as its quads come.
#[derive(Default)]
struct Document {
    /// Its graph as N-Triples.
    lines: String,
    /// The quads of both graphs as N-Quads, where there is a sidecar.
    with_sidecar: String,
    has_sidecar: bool,
}

impl Document {
    fn take(&mut self, quad: &Quad, is_of_sidecar: bool) {
        self.has_sidecar |= is_of_sidecar;
        // Writing into a text does not fail.
        let _ = writeln!(self.with_sidecar, "{quad} .");
        if !is_of_sidecar {
            let _ = writeln!(self.lines, "{} {} {} .", quad.subject, quad.predicate, quad.object);
        }
    }

    fn text(self, graph: &str, file: &str, report: &mut Report) -> Result<StoredText, Failure> {
        let dataset =
            dataset_and_part(graph).map(|(dataset, part)| StoredName { dataset, part, system: None });
        if self.has_sidecar {
            let mut quads = QuadBuffer::new();
            let options = ReadOptions { format: RdfFormat::NQuads, base: None };
            let text = self.with_sidecar.as_bytes();
            let faults = read_within(file, text, options, u64::MAX, &mut quads).err().unwrap_or_default();
            report.add_all(&faults);
            if let Some(restored) = restored_text(&quads, graph, file, report)? {
                let dataset = dataset.map(|dataset| StoredName { system: restored.system, ..dataset });
                // The name of a dataset does not tell the form of its file.
                let is_dataset = document_name(graph).is_some_and(|name| percent_decode(name) == file);
                let name =
                    if is_dataset { format!("{file}.{}", restored.extension) } else { file.to_owned() };
                return Ok(StoredText { name, bytes: restored.text.into_bytes(), dataset, is_graph: false });
            }
        }
        Ok(StoredText { name: as_n_quads(file), bytes: self.lines.into_bytes(), dataset, is_graph: true })
    }
}
