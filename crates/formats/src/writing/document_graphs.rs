//! The documents among loaded quads, each in its own graph, and the names that the catalog has for their files.

use std::collections::HashMap;

use super::document_file_names::file_stem;
use crate::rewriting::{IndexedGraph, QuadsByGraph};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{CATALOG_GRAPH, is_beside_documents};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::evalgraph;

/// The graphs of quads, with the paths of their files.
pub struct DocumentGraphs<'q> {
    graphs: QuadsByGraph<'q>,
    /// By the graph of the document.
    paths: HashMap<BufferTermId, &'q str>,
}

impl<'q> DocumentGraphs<'q> {
    /// Finds the graphs and the paths in quads that were loaded with the catalog.
    pub fn from_quads(quads: &'q QuadBuffer) -> Self {
        let graphs = QuadsByGraph::new(quads);
        let mut paths = HashMap::new();
        let catalog = quads.find_iri(CATALOG_GRAPH);
        if let (Some(catalog), Some(path)) = (catalog, quads.find_iri(evalgraph::PATH)) {
            for quad in graphs.quads_of(Some(catalog)).filter(|quad| quad.predicate == path) {
                if let TermRef::Literal { lexical, .. } = quads.term(quad.object) {
                    paths.entry(quad.subject).or_insert(lexical);
                }
            }
        }
        Self { graphs, paths }
    }

    /// Returns the quads by graph.
    pub fn graphs(&self) -> &QuadsByGraph<'q> {
        &self.graphs
    }

    /// Returns the graphs of documents in order of arrival, without sidecars and the catalog.
    pub fn documents(&self) -> Vec<Option<BufferTermId>> {
        let names = self.graphs.names().iter().copied();
        names.filter(|graph| is_document(self.graphs.quads(), *graph)).collect()
    }

    /// Returns the statements of a graph.
    pub fn graph(&self, name: Option<BufferTermId>) -> IndexedGraph<'q> {
        self.graphs.graph(name)
    }

    /// Returns the name of a graph's document: the stem of its file.
    pub fn name_of(&self, graph: Option<BufferTermId>) -> String {
        match graph.map(|graph| self.graphs.quads().term(graph)) {
            Some(TermRef::Iri(graph)) => self.stem_of(graph),
            _ => "dataset".to_owned(),
        }
    }

    /// Returns the stem of a graph's file.
    pub fn stem_of(&self, graph: &str) -> String {
        file_stem(graph, self.path_of_name(graph))
    }

    /// Returns the path of a graph's file, if the catalog has it.
    pub fn path_of(&self, graph: BufferTermId) -> Option<&'q str> {
        self.paths.get(&graph).copied()
    }

    /// Like [`Self::path_of`], but by the name of the graph.
    pub fn path_of_name(&self, graph: &str) -> Option<&'q str> {
        self.path_of(self.graphs.quads().find_iri(graph)?)
    }
}

/// Returns whether a graph belongs to a document, and is neither a sidecar nor the catalog.
pub fn is_document(quads: &QuadBuffer, graph: Option<BufferTermId>) -> bool {
    match graph.map(|graph| quads.term(graph)) {
        Some(TermRef::Iri(graph)) => !is_beside_documents(graph),
        _ => true,
    }
}
