//! Completes a change of a document: updates the second statement of facts that a document states twice, notes in the
//! sidecar that graph and file agree, and reports changes that the file cannot hold.
//!
//! `RevisionEditor` is defined in `revision_editor.rs`.

use std::collections::HashSet;

use super::revision_editor::{RevisionEditor, default_quads};
use super::stored_document::name_of;
use crate::convert::same::in_its_version;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::records::ValueSettlement;
use evalgraph_formats::sidecar::{ArrivalComparison, DocumentSidecars, RestoredFile};
use evalgraph_formats::writing::unwritten_statements::{arrival, diagnostics};
use evalgraph_jsonld::JsonLdOptions;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::sidecar_graph;
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_store::{
    DocumentGraph, EditedDocument, EncodedQuad, StoreEdits, StoredDocument, TermDictionary, TermId,
};

impl RevisionEditor<'_> {
    /// Updates facts that a changed document states twice. Returns findings about changes that are missing in the file
    /// written from it.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn settle(
        &self,
        at: usize,
        edits: &mut StoreEdits,
        report: &RunReport,
    ) -> Result<Vec<Diagnostic>, RunFailure> {
        let edited = &edits.documents[at];
        let graph = edited.entry.graph.clone();
        let before = self.change.documents().iter().find(|known| known.entry.graph == graph);
        let quads = quads_of(&edited.graphs, edits.dictionary());
        let datasets = DocumentSidecars::new(&quads);
        let Some(before) = before.filter(|_| datasets.names().any(|known| known == graph)) else {
            return Ok(Vec::new());
        };
        let mut new = QuadBuffer::new();
        edits.dictionary().copy_into(self.new_quads(edited, before)?.into_iter(), &mut new);
        let name = name_of(&edited.entry);
        let restored = match datasets.restore_after(&graph, &new) {
            Ok(restored) => restored,
            // From now on the document is read as N-Quads, which can express everything.
            Err(mut fault) => {
                fault.severity = FindingSeverity::Warning;
                return Ok(vec![fault.with_help(format!("`{name}` is read as N-Quads from now on"))]);
            }
        };
        let mut found = match in_file(&datasets, restored, &graph, &name, report) {
            Ok((restored, found)) => {
                apply(&restored, at, found.is_complete(), edits);
                found
            }
            Err(fault) => return Ok(fault.into_iter().map(|fault| *fault).collect()),
        };
        if !found.is_complete() && before.entry.is_edited {
            // Earlier changes were already reported.
            let known = self.arrival_before(before, &name, edits.dictionary(), report)?;
            found.unwritten.retain(|unwritten| !known.unwritten.contains(unwritten));
            found.is_renamed &= !known.is_renamed;
        }
        Ok(diagnostics(&found, &name))
    }

    /// Compares a document with its file, both as they were before the change.
    fn arrival_before(
        &self,
        before: &StoredDocument,
        name: &str,
        terms: &TermDictionary,
        report: &RunReport,
    ) -> Result<ArrivalComparison, RunFailure> {
        let quads = quads_of(&self.store.graphs_of(before)?, terms);
        let datasets = DocumentSidecars::new(&quads);
        let graph = &before.entry.graph;
        let Ok(restored) = datasets.restore(graph) else { return Ok(ArrivalComparison::default()) };
        let found = in_file(&datasets, restored, graph, name, report);
        Ok(found.map_or_else(|_| ArrivalComparison::default(), |(_, found)| found))
    }

    /// Returns the new quads of a document.
    fn new_quads(
        &self,
        document: &EditedDocument,
        before: &StoredDocument,
    ) -> Result<Vec<EncodedQuad>, RunFailure> {
        let before = self.store.graphs_of(before)?;
        let default = before.iter().filter(|graph| graph.is_default);
        let known: HashSet<[TermId; 3]> = default.flat_map(|graph| graph.triples.iter().copied()).collect();
        let is_new = |quad: &EncodedQuad| !known.contains(&[quad.subject, quad.predicate, quad.object]);
        Ok(default_quads(document).filter(is_new).collect())
    }
}

fn quads_of(graphs: &[DocumentGraph], terms: &TermDictionary) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    terms.copy_into(graphs.iter().flat_map(DocumentGraph::quads), &mut quads);
    quads
}

/// Compares a graph with the file written from it. If the file cannot be written, the error is empty, because the
/// document is then read as N-Quads.
fn in_file(
    datasets: &DocumentSidecars<'_>,
    mut restored: RestoredFile,
    graph: &str,
    name: &str,
    report: &RunReport,
) -> Result<(RestoredFile, ArrivalComparison), Option<Box<Diagnostic>>> {
    restored.reading = restored.reading.of_name(name);
    let mut part = report.part();
    let (text, _) = in_its_version(&restored, graph, &mut part).map_err(|_| None)?;
    let found = arrival(datasets, &restored, &text, JsonLdOptions::default(), name).map_err(Some)?;
    Ok((restored, found))
}

/// Applies the changes that make both statements of a fact agree. Notes in the sidecar if the whole document is in its
/// file.
fn apply(restored: &RestoredFile, at: usize, is_written: bool, edits: &mut StoreEdits) {
    if let Some((ValueSettlement { removed, added }, _)) = &restored.settled {
        let mut triples = |of: &QuadBuffer| edits.triples(of, of.quads().iter(), |_| None);
        let removed: HashSet<[TermId; 3]> = triples(removed).into_iter().collect();
        let added = triples(added);
        let graphs = &mut edits.documents[at].graphs;
        if let Some(graph) = graphs.iter_mut().find(|graph| graph.is_default) {
            graph.triples.retain(|triple| !removed.contains(triple));
            graph.triples.extend(added);
        }
    }
    let graph = edits.documents[at].entry.graph.clone();
    let Some(name) = sidecar_graph(&graph).filter(|_| is_written) else { return };
    let [document, predicate, name] = [graph.as_str(), evalgraph::DIGEST, &name].map(|iri| edits.iri(iri));
    let digest = edits.string(&restored.digests);
    if let Some(sidecar) = edits.documents[at].graphs.iter_mut().find(|graph| graph.name == name) {
        sidecar.triples.retain(|triple| triple[1] != predicate);
        sidecar.triples.push([document, predicate, digest]);
    }
}
