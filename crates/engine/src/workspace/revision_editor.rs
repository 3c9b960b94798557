//! Completes a change of documents in the store. When a document is changed for the first time, makes its sidecar, so
//! that its file can be written again. Updates the catalog entries.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::stored_document::{kept_text, name_of, part_of};
use crate::input::source::InputSource;
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::load::quads::{CompanionGraph, load_one};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::catalog::{encode_content, encode_counts, is_of_file};
use evalgraph_formats::catalog_entries::TasksOfDataset;
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{CATALOG_GRAPH, is_beside_documents, sidecar_graph};
use evalgraph_rdf::quad_buffer::{self, BufferQuad};
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_store::{
    DatasetRevision, DocumentGraph, EditedDocument, EncodedQuad, RdfTermKind, StoreChange, StoreEdits,
    StoreFolder, StoredDocument, TermDictionary, TermId,
};

/// Turns a revision into edits of the store.
///
/// Other methods are in `change_settlement.rs`.
pub struct RevisionEditor<'e> {
    pub(crate) loader: &'e DocumentLoading<'e>,
    pub(crate) store: &'e StoreFolder,
    pub(crate) change: &'e StoreChange,
}

/// The documents that a revision has changed.
pub struct RevisionEdits {
    pub(crate) edits: StoreEdits,
    /// Findings about changes that are missing in the files written from the documents.
    pub unwritten: Vec<Diagnostic>,
    /// The names of the documents.
    pub changed: Vec<String>,
}

impl RevisionEditor<'_> {
    /// Returns the documents that a revision has changed, with their sidecars and catalog entries.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn edits(
        &self,
        revision: &DatasetRevision<'_>,
        report: &mut RunReport,
    ) -> Result<RevisionEdits, RunFailure> {
        // The sidecars come first, because `settle` needs them. The catalog comes last: `settle` may add changes.
        let mut edits = self.change.edits_of(revision)?;
        for at in 0..edits.documents.len() {
            let graph = &edits.documents[at].entry.graph;
            let before = self.change.documents().iter().find(|known| known.entry.graph == *graph);
            let Some(before) = before.filter(|before| !before.entry.is_edited) else { continue };
            if let Some(sidecar) = kept_sidecar(self.loader, self.store, before, &mut edits, report)? {
                edits.documents[at].put(sidecar);
            }
        }
        for at in 0..edits.documents.len() {
            if let Some(sidecar) = sidecar_of_what_is_left(at, &mut edits) {
                edits.documents[at].put(sidecar);
            }
        }
        let mut unwritten = Vec::new();
        for at in 0..edits.documents.len() {
            unwritten.extend(self.settle(at, &mut edits, report)?);
        }
        let changed = edits.documents.iter().map(|document| name_of(&document.entry)).collect();
        self.add_parts(&mut edits)?;
        let datasets = self.tasks_of_parts(&edits, report);
        for at in 0..edits.documents.len() {
            let whole = datasets.get(&edits.documents[at].entry.dataset);
            if let Some(catalog) = self.catalog(at, whole, &mut edits, report)? {
                edits.documents[at].put(catalog);
            }
        }
        Ok(RevisionEdits { edits, unwritten, changed })
    }

    /// Adds the unchanged parts of datasets with a changed part, because the catalog entries about a task depend on all
    /// parts.
    fn add_parts(&self, edits: &mut StoreEdits) -> Result<(), RunFailure> {
        let changed: BTreeSet<String> =
            edits.documents.iter().map(|edited| edited.entry.graph.clone()).collect();
        let of_parts = edits.documents.iter().filter(|edited| part_of(&edited.entry).is_some());
        let datasets: BTreeSet<String> = of_parts.map(|edited| edited.entry.dataset.clone()).collect();
        for document in self.change.documents() {
            let entry = &document.entry;
            let is_part = part_of(entry).is_some() && datasets.contains(&entry.dataset);
            if is_part && !changed.contains(&entry.graph) {
                let graphs = self.store.graphs_of(document)?;
                edits.documents.push(EditedDocument { entry: entry.clone(), graphs });
            }
        }
        Ok(())
    }

    /// Returns the tasks of datasets with several parts, by the name of the dataset.
    fn tasks_of_parts(&self, edits: &StoreEdits, report: &mut RunReport) -> HashMap<String, TasksOfDataset> {
        let parts = || edits.documents.iter().filter(|edited| part_of(&edited.entry).is_some());
        let names: BTreeSet<&String> = parts().map(|edited| &edited.entry.dataset).collect();
        let tasks = |name: &String| {
            let graphs = parts().filter(|edited| edited.entry.dataset == *name).flat_map(default_quads);
            let mut whole = QuadBuffer::new();
            edits.dictionary().copy_into(graphs, &mut whole);
            self.loader.tasks_of(&IndexedGraph::new(&whole, None), report)
        };
        let tasks: Vec<TasksOfDataset> = names.iter().copied().map(tasks).collect();
        names.into_iter().cloned().zip(tasks).collect()
    }

    /// Makes the catalog entries of a document again. `None` if it had none.
    fn catalog(
        &self,
        at: usize,
        whole: Option<&TasksOfDataset>,
        edits: &mut StoreEdits,
        report: &mut RunReport,
    ) -> Result<Option<DocumentGraph>, RunFailure> {
        let name = edits.iri(CATALOG_GRAPH);
        let (terms, document) = (edits.dictionary(), &edits.documents[at]);
        let Some(before) = document.graph(name) else { return Ok(None) };
        let (graph, dataset) = (document.entry.graph.clone(), document.entry.dataset.clone());
        let mut triples: Vec<[TermId; 3]> = before.triples.clone();
        triples.retain(|[subject, predicate, _]| {
            is_of_file(&graph, terms.lexical(*subject), terms.lexical(*predicate))
        });
        let of_system = |[subject, predicate, object]: &[TermId; 3]| {
            let is_system =
                terms.lexical(*predicate) == evalgraph::SYSTEM && terms.lexical(*subject) == graph;
            is_system.then(|| terms.lexical(*object).to_owned())
        };
        let Some(system) = triples.iter().find_map(of_system) else { return Ok(None) };
        let mut quads = QuadBuffer::new();
        terms.copy_into(default_quads(document), &mut quads);
        let of_data = document.graphs.iter().filter(|graph| !is_beside(terms, graph.name));
        let count: usize = of_data.map(|graph| graph.triples.len()).sum();
        let entries = self.loader.entries_of(&IndexedGraph::new(&quads, None), whole, report)?;
        let data = quads.len();
        encode_counts(&graph, entries.questions.len() as u64, count as u64, &mut quads);
        encode_content(&entries, &system, &dataset, &mut quads, |node| node);
        let known = node_numbers(&quads, terms);
        let of_catalog = &quads.quads()[data..];
        triples.extend(edits.triples(&quads, of_catalog.iter(), |node| known.get(&node).copied()));
        Ok(Some(DocumentGraph { name, is_default: false, triples }))
    }
}

fn is_beside(terms: &TermDictionary, graph: TermId) -> bool {
    terms.kind(graph) == RdfTermKind::Iri && is_beside_documents(terms.lexical(graph))
}

/// Returns the quads of a document outside of named graphs.
pub fn default_quads(document: &EditedDocument) -> impl Iterator<Item = EncodedQuad> + '_ {
    let graphs = document.graphs.iter().filter(|graph| graph.is_default);
    graphs.flat_map(DocumentGraph::quads).map(|quad| EncodedQuad { graph: None, ..quad })
}

/// Makes the sidecar of a document that no update has changed, for the nodes in the store. It contains what RDF cannot
/// express. `None` for a document without one.
///
/// # Errors
///
/// Files that are damaged or cannot be read.
pub fn kept_sidecar(
    loader: &DocumentLoading<'_>,
    store: &StoreFolder,
    document: &StoredDocument,
    edits: &mut StoreEdits,
    report: &mut RunReport,
) -> Result<Option<DocumentGraph>, RunFailure> {
    let Some(text) = store.compressed_source(document)? else { return Ok(None) };
    let mut part = report.part();
    let entry = &document.entry;
    let text = InputSource::Stored(kept_text(entry, text.into_bytes()));
    let (named, _) = loader.open_sources(vec![text], None, &Default::default(), &mut part);
    let Some(named) = named.into_iter().next() else { return Ok(None) };
    if matches!(named.opened.content, DocumentContent::Other(_)) {
        return Ok(None);
    }
    let mut quads = QuadBuffer::new();
    let time = loader.input.clock.now()?;
    let loaded = load_one(loader, &named, &[CompanionGraph::Sidecar], time, &mut quads, &mut part);
    let graphs = store.graphs_of(document)?;
    let sidecar = loaded.ok().and_then(|_| sidecar_of(&quads, &entry.graph, &graphs, edits));
    if sidecar.is_none() {
        let message = format!(
            "`{}` cannot be written as it was: commands that read files get its graph as N-Quads",
            name_of(entry)
        );
        report.add(&Diagnostic::new(FindingSeverity::Note, "store::no-sidecar", message));
    }
    Ok(sidecar)
}

/// Returns the sidecar of a document without statements about removed nodes, or `None` if it has no such statements.
fn sidecar_of_what_is_left(at: usize, edits: &mut StoreEdits) -> Option<DocumentGraph> {
    let graph = edits.documents[at].entry.graph.clone();
    let (document, name) = (edits.iri(&graph), edits.iri(&sidecar_graph(&graph)?));
    let (terms, edited) = (edits.dictionary(), &edits.documents[at]);
    let before = edited.graph(name)?;
    let of_data = edited.graphs.iter().filter(|graph| !is_beside(terms, graph.name));
    let left: HashSet<TermId> = of_data.flat_map(|graph| graph.triples.iter().flatten()).copied().collect();
    let is_left = |[subject, ..]: &&[TermId; 3]| *subject == document || left.contains(subject);
    let triples: Vec<[TermId; 3]> = before.triples.iter().filter(is_left).copied().collect();
    (triples.len() < before.triples.len()).then_some(DocumentGraph { name, is_default: false, triples })
}

/// Returns the numbers in the store of the blank nodes that were copied from it.
fn node_numbers(quads: &QuadBuffer, terms: &TermDictionary) -> HashMap<quad_buffer::BufferTermId, TermId> {
    let number = |node| {
        let label = quads.blank_node_label(quads.blank_node_number(node)?)?;
        Some((node, terms.find_blank_node(label)?))
    };
    let nodes = quads.quads().iter().flat_map(|quad| [quad.subject, quad.object]);
    nodes.filter_map(number).collect()
}

/// Translates the sidecar of a document that was read again to the nodes in the store. `None` if the document has
/// changed.
fn sidecar_of(
    quads: &QuadBuffer,
    graph: &str,
    before: &[DocumentGraph],
    edits: &mut StoreEdits,
) -> Option<DocumentGraph> {
    let sidecar = sidecar_graph(graph)?;
    let (document, name) = (quads.find_iri(graph)?, quads.find_iri(&sidecar)?);
    let is_sidecar = |quad: &&BufferQuad| quad.graph == Some(name);
    // Blank nodes are numbered in order of arrival.
    let mut arrived: HashMap<quad_buffer::BufferTermId, usize> = HashMap::new();
    for quad in quads.quads().iter().filter(|quad| !is_sidecar(quad)) {
        for node in [Some(quad.subject), Some(quad.object), quad.graph].into_iter().flatten() {
            if quads.blank_node_number(node).is_some() {
                let next = arrived.len();
                arrived.entry(node).or_insert(next);
            }
        }
    }
    let terms = edits.dictionary();
    let of_data = before.iter().filter(|graph| !is_beside(terms, graph.name));
    let terms_of_data = of_data.flat_map(|graph| graph.triples.iter().flatten().chain([&graph.name]));
    let known: BTreeSet<TermId> =
        terms_of_data.copied().filter(|term| terms.kind(*term) == RdfTermKind::BlankNode).collect();
    let known: Vec<TermId> = known.into_iter().collect();
    if known.len() != arrived.len() {
        return None;
    }
    let node = |node| arrived.get(&node).map(|at| known[*at]);
    let of_document = quads.quads().iter().filter(|quad| quad.graph == Some(document));
    let mut read_again = edits.triples(quads, of_document, node);
    let default = before.iter().filter(|graph| graph.is_default);
    let mut stored: Vec<[TermId; 3]> = default.flat_map(|graph| graph.triples.iter().copied()).collect();
    read_again.sort_unstable();
    stored.sort_unstable();
    if read_again != stored {
        return None;
    }
    let triples = edits.triples(quads, quads.quads().iter().filter(is_sidecar), node);
    Some(DocumentGraph { name: edits.iri(&sidecar), is_default: false, triples })
}
