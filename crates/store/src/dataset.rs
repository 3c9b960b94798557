//! The dataset that queries run over: one dictionary, a named graph for each document, and the named
//! graphs inside documents. A dataset never changes once it is built.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::dictionary::{
    RdfTermKind, TermDictionary, TermId, datatype_of_stored, lexical_of_other_typed, store_other_typed,
};
use super::directory::{CandidateParts, FEW_PARTS, LazyDirectory};
use super::disk::StoreDamage;
use super::document_builder::{DocumentBuilder, EncodedQuad, EncodedTriple};
use super::part::GraphPart;
use super::triples::{EncodedTriplePattern, MergedTriples};
use evalgraph_diagnostics::Diagnostic;

/// A document and the graph that its default graph becomes.
#[derive(Debug)]
pub struct NamedDocument {
    /// The IRI of the graph.
    pub graph: String,
    /// The document's quads.
    pub builder: DocumentBuilder,
}

/// The default graph of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DefaultGraph {
    /// The union of all graphs, as a set.
    #[default]
    Union,
    /// The union of the default graphs of documents, as a set.
    Strict,
    /// Like [`Self::Strict`], but the default graphs of documents are not named graphs for `GRAPH ?g`, as the
    /// specifications require. `GRAPH` with the name of a document still finds its default graph.
    Unnamed,
}

/// An RDF dataset in memory, immutable.
///
/// A quad costs 24 bytes in its three orders and a share of its terms: on checkpoints less than 40 bytes in total, plus
/// the text of the terms. Other methods are in `view.rs`.
#[derive(Debug)]
pub struct Dataset {
    dictionary: TermDictionary,
    parts: Vec<GraphPart>,
    names: Vec<GraphName>,
    directory: LazyDirectory,
    damage: Option<StoreDamage>,
}

#[derive(Debug)]
struct GraphName {
    name: TermId,
    parts: Range<usize>,
}

impl Dataset {
    /// Merges documents. Each default graph goes into the graph of its document; named graphs keep
    /// their names.
    pub fn from_documents(documents: Vec<NamedDocument>) -> Self {
        let (mut dictionary, pieces) = merge(documents);
        let (parts, ()) = rayon::join(|| parts_of_pieces(pieces), || dictionary.shrink_to_fit());
        let parts = parts.into_iter().map(|part| part.seen_by(&dictionary)).collect();
        let dataset = Self::of_parts(dictionary, parts, None);
        dataset.directory.prepare(&dataset.parts, dataset.dictionary.len());
        dataset
    }

    /// A dataset of graphs whose terms are in `dictionary`. Faults found in its files go to `damage`.
    pub(super) fn of_parts(
        dictionary: TermDictionary,
        mut parts: Vec<GraphPart>,
        damage: Option<StoreDamage>,
    ) -> Self {
        // The parts of a graph become neighbours, so a name is a range. `position_of` searches the sorted names.
        parts.sort_by_key(|part| (part.name, !part.is_default));
        let mut names: Vec<GraphName> = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            match names.last_mut() {
                Some(last) if last.name == part.name => last.parts.end = position + 1,
                _ => names.push(GraphName { name: part.name, parts: position..position + 1 }),
            }
        }
        Self { dictionary, parts, names, directory: LazyDirectory::default(), damage }
    }

    /// Returns the first fault found in the files of the dataset. If there is one, no result from the dataset may be
    /// used.
    pub fn fault(&self) -> Option<&Diagnostic> {
        self.damage.as_ref()?.get()
    }

    /// Fails if a fault was found in the files of the dataset.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub(super) fn check(&self) -> Result<(), Box<Diagnostic>> {
        self.damage.as_ref().map_or(Ok(()), StoreDamage::check)
    }

    /// Reads all orders of all graphs, which finds the faults of their files.
    pub(super) fn check_orders(&self) {
        for part in &self.parts {
            for permutation in part.graph.get().permutations() {
                permutation.read();
            }
        }
    }

    pub(super) fn damage(&self) -> Option<&StoreDamage> {
        self.damage.as_ref()
    }

    /// The terms.
    pub fn dictionary(&self) -> &TermDictionary {
        &self.dictionary
    }

    pub(super) fn dictionary_mut(&mut self) -> &mut TermDictionary {
        &mut self.dictionary
    }

    /// Returns how many distinct quads there are.
    pub fn quad_count(&self) -> usize {
        self.names.iter().map(|name| self.count(name)).sum()
    }

    /// The names of the graphs that hold quads, in the order in which they were first seen.
    pub fn graphs(&self) -> impl Iterator<Item = TermId> + '_ {
        self.names.iter().map(|name| name.name)
    }

    /// The names of the graphs that a query sees without naming them: all except sidecars and the catalog.
    pub fn graphs_of_data(&self) -> impl Iterator<Item = TermId> + '_ {
        let seen = |name: &&GraphName| !self.parts[name.parts.start].by_name_only;
        self.names.iter().filter(seen).map(|name| name.name)
    }

    /// The predicates of all graphs except sidecars and the catalog, ascending.
    pub fn predicates_of_data(&self) -> Vec<TermId> {
        let parts = self.parts.iter().filter(|part| !part.by_name_only);
        let predicates: std::collections::HashSet<TermId> =
            parts.flat_map(|part| part.graph.get().predicates()).collect();
        let mut predicates: Vec<TermId> = predicates.into_iter().collect();
        predicates.sort_unstable();
        predicates
    }

    /// Returns how many distinct triples a graph has.
    pub fn graph_quad_count(&self, name: TermId) -> usize {
        self.position_of(name).map_or(0, |position| self.count(&self.names[position]))
    }

    fn count(&self, name: &GraphName) -> usize {
        match &self.parts[name.parts.clone()] {
            [part] => part.graph.get().len(),
            parts => MergedTriples::new(parts.iter().map(|part| part.graph.get())).count(),
        }
    }

    /// The quads of a graph, sorted by the order in which their terms were first seen.
    pub fn graph_quads(&self, name: TermId) -> impl Iterator<Item = EncodedQuad> + '_ {
        let triples = MergedTriples::new(self.parts_of(name).iter().map(|part| part.graph.get()));
        triples.map(move |triple| EncodedQuad::new(triple, Some(name)))
    }

    /// All quads, graph by graph.
    pub fn quads(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        self.graphs().flat_map(|name| self.graph_quads(name))
    }

    /// All quads except those of sidecars and the catalog, graph by graph.
    pub fn quads_of_data(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        self.graphs_of_data().flat_map(|name| self.graph_quads(name))
    }

    pub(super) fn parts(&self) -> &[GraphPart] {
        &self.parts
    }

    pub(super) fn parts_of(&self, name: TermId) -> &[GraphPart] {
        self.position_of(name).map_or(&[], |position| &self.parts[self.names[position].parts.clone()])
    }

    /// The parts that may hold triples that match a pattern.
    #[inline]
    pub(super) fn candidates(&self, pattern: EncodedTriplePattern) -> CandidateParts<'_> {
        self.candidates_in(0..self.parts.len(), pattern)
    }

    /// The parts of one graph that may hold triples that match a pattern. The catalog has a part for each document.
    #[inline]
    pub(super) fn candidates_of(&self, name: TermId, pattern: EncodedTriplePattern) -> CandidateParts<'_> {
        let range = self.position_of(name).map_or(0..0, |position| self.names[position].parts.clone());
        match range.len() <= FEW_PARTS {
            true => CandidateParts::all(&self.parts, range, pattern),
            false => self.candidates_in(range, pattern),
        }
    }

    fn candidates_in(&self, range: Range<usize>, pattern: EncodedTriplePattern) -> CandidateParts<'_> {
        let directory = self.directory.get(&self.parts, self.dictionary.len());
        CandidateParts::new(&self.parts, range, directory, pattern)
    }

    fn position_of(&self, name: TermId) -> Option<usize> {
        self.names.binary_search_by_key(&name, |name| name.name).ok()
    }
}

/// Triples of one document for one part; `ids` maps their terms to the numbers of the merged dictionary.
struct DocumentTriples {
    name: TermId,
    is_default: bool,
    triples: Vec<EncodedTriple>,
    /// The merged number of every term of the document; none if the numbers stay the same.
    ids: Option<Arc<[TermId]>>,
}

impl DocumentTriples {
    fn into_triples(self) -> Vec<EncodedTriple> {
        let mut triples = self.triples;
        if let Some(ids) = self.ids {
            for triple in &mut triples {
                *triple = triple.map(|id| ids[id.index()]);
            }
        }
        triples
    }
}

fn parts_of_pieces(mut pieces: Vec<DocumentTriples>) -> Vec<GraphPart> {
    pieces.sort_by_key(|piece| (piece.name, !piece.is_default));
    let mut groups: Vec<Vec<DocumentTriples>> = Vec::new();
    for piece in pieces {
        match groups.last_mut() {
            Some(group) if group[0].name == piece.name && group[0].is_default == piece.is_default => {
                group.push(piece);
            }
            _ => groups.push(vec![piece]),
        }
    }
    groups.into_par_iter().filter_map(part_of).collect()
}

fn part_of(group: Vec<DocumentTriples>) -> Option<GraphPart> {
    let (name, is_default) = group.first().map(|piece| (piece.name, piece.is_default))?;
    let mut pieces = group.into_iter();
    let mut triples = pieces.next()?.into_triples();
    for piece in pieces {
        triples.append(&mut piece.into_triples());
    }
    GraphPart::of_triples(name, is_default, triples)
}

/// Merges the dictionaries of all documents into that of the first one. The terms that a further document adds get
/// neighbouring numbers. The triples come document by document.
fn merge(documents: Vec<NamedDocument>) -> (TermDictionary, Vec<DocumentTriples>) {
    let mut documents = documents.into_iter().map(|document| (document.graph, document.builder.into_parts()));
    let mut pieces = Vec::new();
    let mut add =
        |name, default_graph, named_graphs: Vec<(TermId, Vec<EncodedTriple>)>, ids: Option<Arc<[TermId]>>| {
            pieces.push(DocumentTriples { name, is_default: true, triples: default_graph, ids: ids.clone() });
            for (name, triples) in named_graphs {
                let name = ids.as_ref().map_or(name, |ids| ids[name.index()]);
                pieces.push(DocumentTriples { name, is_default: false, triples, ids: ids.clone() });
            }
        };
    let Some((graph, first)) = documents.next() else { return (TermDictionary::new(), pieces) };
    let mut dictionary = first.dictionary;
    let name = dictionary.intern_iri(&graph);
    add(name, first.default_graph, first.named_graphs, None);
    let rest: Vec<_> = documents.collect();
    // Only the lookups run in parallel. Terms are added one document after another, so threads do not change their
    // numbers.
    let known: Vec<_> = rest.par_iter().map(|(_, parts)| look_up(&dictionary, &parts.dictionary)).collect();
    for ((graph, parts), known) in rest.into_iter().zip(known) {
        let ids = add_missing(&mut dictionary, &parts.dictionary, known);
        let name = dictionary.intern_iri(&graph);
        add(name, parts.default_graph, parts.named_graphs, Some(ids.into()));
    }
    (dictionary, pieces)
}

/// Looks up the terms of a document, by index: the known number, or the hash of an unknown term (the hash of a
/// [`RdfTermKind::OtherTyped`] is not used). This is the part of merging that runs in parallel over documents.
fn look_up(known: &TermDictionary, document: &TermDictionary) -> Vec<Result<TermId, u32>> {
    let hashes = document.hashes();
    let mut found = vec![Err(0)];
    found.reserve_exact(document.len());
    let mut scratch = String::new();
    for id in document.ids() {
        let kind = document.kind(id);
        let stored = document.stored(id);
        let hash = hashes[id.index()];
        found.push(match kind {
            // A blank node of another document is another node.
            RdfTermKind::BlankNode => Err(hash),
            // The stored text has the number of the datatype in this document. A datatype gets its number before its
            // literals, so `found` has it already.
            RdfTermKind::OtherTyped => found[datatype_of_stored(stored).index()]
                .and_then(|datatype| {
                    store_other_typed(&mut scratch, datatype, lexical_of_other_typed(stored));
                    known.find_stored(kind, &scratch).ok_or(hash)
                })
                .map_err(|_| hash),
            _ => known.find_hashed(hash, kind, stored).ok_or(hash),
        });
    }
    found
}

/// Adds the unknown terms and returns the merged number of every term.
fn add_missing(
    merged: &mut TermDictionary,
    document: &TermDictionary,
    known: Vec<Result<TermId, u32>>,
) -> Vec<TermId> {
    let mut ids = Vec::with_capacity(known.len());
    let mut scratch = String::new();
    ids.push(TermId::FIRST);
    for (id, known) in document.ids().zip(known.into_iter().skip(1)) {
        ids.push(known.unwrap_or_else(|hash| {
            let kind = document.kind(id);
            let stored = document.stored(id);
            match kind {
                RdfTermKind::BlankNode => merged.fresh_blank_node(),
                RdfTermKind::OtherTyped => {
                    let datatype = ids[datatype_of_stored(stored).index()];
                    store_other_typed(&mut scratch, datatype, lexical_of_other_typed(stored));
                    merged.intern_stored(kind, &scratch)
                }
                // `look_up` has not seen the terms that earlier documents have added, so this one may be known.
                _ => merged.intern_hashed(hash, kind, stored),
            }
        }));
    }
    ids
}
