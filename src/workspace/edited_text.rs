//! A document of the store as the file that it is by now: as it was read, with what updates have changed.

use std::path::Path;

use super::stored_document::{name_of, stored_name};
use crate::convert::arrival::report_unwritten;
use crate::convert::same::in_its_version;
use crate::diagnostic::{Failure, Report, Severity};
use crate::input::source::StoredText;
use crate::rdf::minted::{document_name, is_beside_documents};
use crate::rdf::{QuadBuffer, RdfFormat};
use crate::source::sidecar::Datasets;
use crate::store::{DocumentGraph, EncodedQuad, Snapshot, Store, StoredDocument};

/// The text of a document that an update has changed or made: its file where it has a sidecar, else N-Quads.
///
/// # Errors
///
/// A store that is damaged, and a file that cannot be written any more.
pub(crate) fn edited_text(
    store: &Store,
    snapshot: &Snapshot,
    document: &StoredDocument,
    report: &mut Report,
) -> Result<StoredText, Failure> {
    let graphs = store.graphs_of(document)?;
    let terms = snapshot.dataset().dictionary();
    let mut quads = QuadBuffer::new();
    terms.copy_into(graphs.iter().flat_map(DocumentGraph::quads), &mut quads);
    check(snapshot)?;
    let (entry, name) = (&document.entry, name_of(&document.entry));
    let datasets = Datasets::of(&quads);
    if datasets.names().any(|known| known == entry.graph) {
        match datasets.restore(&entry.graph) {
            Ok(mut file) => {
                file.reading = file.reading.of_name(&name);
                report.add_all(&file.findings);
                let (text, _) = in_its_version(&file, &entry.graph, report)?;
                report_unwritten(&datasets, &file, &text, &name, report);
                return Ok(StoredText { name, bytes: text.into_bytes(), dataset: stored_name(entry) });
            }
            // The update took away what the file began with; what it left is to be seen all the same.
            Err(mut fault) => {
                fault.severity = Severity::Warning;
                report.add(&fault.with_help("it is read as N-Quads"));
            }
        }
    }
    // What a file has outside of named graphs goes to a graph that is named after the file.
    let is_named_after_file = document_name(&entry.graph).is_some();
    let mut bytes = Vec::new();
    for graph in graphs.iter().filter(|graph| !is_beside_documents(terms.lexical(graph.name))) {
        let name = (!graph.is_default || !is_named_after_file).then_some(graph.name);
        for quad in graph.quads() {
            terms.write_n_quad(EncodedQuad { graph: name, ..quad }, &mut bytes);
        }
    }
    check(snapshot)?;
    Ok(StoredText { name: as_n_quads(&name), bytes, dataset: stored_name(entry) })
}

fn check(snapshot: &Snapshot) -> Result<(), Failure> {
    match snapshot.dataset().fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}

/// The name of a file with another ending, so that its format and its dataset are told by it.
fn as_n_quads(name: &str) -> String {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let stem = match RdfFormat::from_file_name(plain) {
        Some(_) => Path::new(plain).with_extension("").display().to_string(),
        None => plain.to_owned(),
    };
    format!("{stem}.nq")
}
