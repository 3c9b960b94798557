//! Triples that share a graph name and a provenance.

use super::dictionary::{TermDictionary, TermId};
use super::encoded_quads::EncodedTriple;
use super::graph_index::{GraphIndex, sort_distinct};
use super::lazy_graph::LazyGraph;
use evalgraph_rdf::minted::is_beside_documents;

/// Triples that share a graph name and a provenance.
#[derive(Debug)]
pub(super) struct GraphPart {
    pub(super) name: TermId,
    /// `true` if the triples come from documents' default graphs.
    pub(super) is_default: bool,
    /// `true` if the graph is a sidecar or the catalog: only queries that name such a graph see it.
    pub(super) by_name_only: bool,
    pub(super) graph: LazyGraph,
}

impl GraphPart {
    /// Takes triples in any order; returns none if there are no triples.
    pub(super) fn of_triples(
        name: TermId,
        is_default: bool,
        mut triples: Vec<EncodedTriple>,
    ) -> Option<Self> {
        sort_distinct(&mut triples);
        let graph = (!triples.is_empty()).then(|| GraphIndex::from_sorted(triples))?;
        Some(Self { name, is_default, by_name_only: false, graph: graph.into() })
    }

    pub(super) fn seen_by(mut self, dictionary: &TermDictionary) -> Self {
        self.by_name_only = !self.is_default && is_beside_documents(dictionary.iri(self.name));
        self
    }
}
