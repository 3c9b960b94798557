//! Writes a document into a store piece by piece, with at most one piece and some millions of triples in memory.
//! `StoreChange` is defined in `store_change.rs`.

use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;

use super::kept_source::{CompressedText, SourceWriter, write_source};
use super::manifest::{DocumentEntry, StoredDocument};
use super::new_terms::properties;
use super::segment::{GraphFacts, SegmentWriter};
use super::sorted_runs::SortedTripleRuns;
use super::store_change::StoreChange;
use super::store_location::StoreLocation;
use crate::dictionary::TermId;
use crate::document_builder::{DocumentBuilder, DocumentParts, EncodedTriple};
use crate::part::GraphPart;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::minted::{is_beside_documents, is_sidecar};

/// A graph with at least this many triples, a hundred megabytes, is sorted in files.
const IN_MEMORY: usize = 8 << 20;

/// How many bytes a triple takes in its three orders.
const BYTES_OF_TRIPLE: u64 = 24;

/// A document that is being written. It counts only once it is finished.
pub struct DocumentWriter<'c> {
    change: &'c mut StoreChange,
    default_graph: NewGraph,
    named_graphs: BTreeMap<TermId, NewGraph>,
    text: Option<SourceWriter>,
    whole_text: Option<CompressedText>,
    in_memory: usize,
}

impl StoreChange {
    /// Begins a document that arrives piece by piece.
    pub fn document(&mut self) -> DocumentWriter<'_> {
        DocumentWriter {
            change: self,
            default_graph: NewGraph::default(),
            named_graphs: BTreeMap::new(),
            text: None,
            whole_text: None,
            in_memory: IN_MEMORY,
        }
    }
}

impl std::fmt::Debug for DocumentWriter<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("DocumentWriter").finish_non_exhaustive()
    }
}

/// The part of a graph that has arrived so far.
#[derive(Debug, Default)]
struct NewGraph {
    triples: Vec<EncodedTriple>,
    runs: SortedTripleRuns,
    by_name_only: bool,
    is_sidecar: bool,
}

impl NewGraph {
    /// An empty graph of that name, which is empty for a blank node.
    fn of_name(name: &str) -> Self {
        Self { by_name_only: is_beside_documents(name), is_sidecar: is_sidecar(name), ..Self::default() }
    }
}

/// A graph that has arrived completely, with its name.
struct WholeGraph {
    name: TermId,
    /// `true` if it is the default graph of the document.
    is_default: bool,
    graph: NewGraph,
}

impl DocumentWriter<'_> {
    /// Sets how many triples of a graph may be in memory; larger graphs are sorted in files.
    #[must_use]
    pub fn with_triples_in_memory(mut self, triples: usize) -> Self {
        self.in_memory = triples.max(1);
        self
    }

    /// Adds quads of the document.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions. After it the change can no longer be committed.
    pub fn piece(&mut self, piece: DocumentBuilder) -> Result<(), Box<Diagnostic>> {
        let taken = self.take(piece);
        self.change.noting(taken)
    }

    fn take(&mut self, piece: DocumentBuilder) -> io::Result<()> {
        let DocumentParts { dictionary, default_graph, named_graphs } = piece.into_parts();
        let triples = default_graph.iter().chain(named_graphs.iter().flat_map(|(_, triples)| triples));
        let properties = properties(&dictionary, triples);
        let numbers = self.change.numbers_of(&dictionary, &properties)?;
        let number = |id: TermId| numbers[id.index()];
        let renumbered = |triple: EncodedTriple| triple.map(number);
        self.graph(None, default_graph.into_iter().map(renumbered));
        for (name, triples) in named_graphs {
            let name = (number(name), dictionary.iri(name));
            self.graph(Some(name), triples.into_iter().map(renumbered));
        }
        // The texts are written. They are freed before triples are sorted.
        drop(dictionary);
        let Self { change, default_graph, named_graphs, in_memory, .. } = self;
        let graphs = std::iter::once(default_graph).chain(named_graphs.values_mut());
        graphs.filter(|graph| graph.triples.len() >= *in_memory).try_for_each(|graph| spill(change, graph))
    }

    /// Adds triples whose terms have the numbers of the store: to the named graph with that number and IRI (empty for a
    /// blank node), or to the default graph.
    pub(super) fn graph(
        &mut self,
        name: Option<(TermId, &str)>,
        triples: impl Iterator<Item = EncodedTriple>,
    ) {
        let graph = match name {
            Some((number, iri)) => self.named_graphs.entry(number).or_insert_with(|| NewGraph::of_name(iri)),
            None => &mut self.default_graph,
        };
        graph.triples.extend(triples);
    }

    /// Appends to the text that the document was read from.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::piece`].
    pub fn text(&mut self, text: &[u8]) -> Result<(), Box<Diagnostic>> {
        let written = self.append(text);
        self.change.noting(written)
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        let writer = match &mut self.text {
            Some(writer) => writer,
            none => {
                let name = self.change.next_name("source");
                none.insert(SourceWriter::create(self.change.medium(), &name)?)
            }
        };
        writer.text(text)
    }

    /// Sets the whole text that the document was read from.
    pub fn whole_text(&mut self, text: CompressedText) {
        self.whole_text = Some(text);
    }

    /// Finishes the document, which replaces the one with the same graph, and returns how many quads it has.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::piece`].
    pub fn finish(self, entry: DocumentEntry) -> Result<u64, Box<Diagnostic>> {
        self.finish_with(entry, |_| None)
    }

    /// Finishes the document with a last piece, which is made from the number of quads and must contain only quads of
    /// the catalog.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::piece`].
    pub fn finish_with(
        mut self,
        entry: DocumentEntry,
        last: impl FnOnce(u64) -> Option<DocumentBuilder>,
    ) -> Result<u64, Box<Diagnostic>> {
        let written = self.write(entry, last);
        let document = self.change.noting(written)?;
        let quads = document.entry.quads;
        self.change.documents.put(document);
        Ok(quads)
    }

    /// Writes the graphs. Sidecar and catalog come last.
    pub(super) fn write(
        &mut self,
        mut entry: DocumentEntry,
        last: impl FnOnce(u64) -> Option<DocumentBuilder>,
    ) -> io::Result<StoredDocument> {
        let kept = self.write_text(&entry.graph)?;
        let name = self.change.number_of_iri(&entry.graph)?;
        let default_graph = std::mem::take(&mut self.default_graph);
        let (beside, named_graphs): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.named_graphs).into_iter().partition(|(_, graph)| graph.by_name_only);
        self.named_graphs = beside;
        let default_graph = WholeGraph { name, is_default: true, graph: default_graph };
        let graphs = std::iter::once(default_graph).chain(whole_graphs(named_graphs)).collect::<Vec<_>>();
        let triples = |graph: &NewGraph| graph.triples.len() as u64;
        let all = || graphs.iter().map(|whole| &whole.graph).chain(self.named_graphs.values());
        let bytes = all().map(triples).sum::<u64>() * BYTES_OF_TRIPLE;
        let is_in_memory = all().all(|graph| graph.runs.is_empty());
        let graphs = match is_in_memory && self.change.is_shared(&entry.graph, bytes) {
            true => self.write_shared(&mut entry, graphs, last)?,
            false => self.write_own(&mut entry, graphs, last)?,
        };
        Ok(StoredDocument { graphs, kept, entry })
    }

    /// Writes graphs to a separate file.
    fn write_own(
        &mut self,
        entry: &mut DocumentEntry,
        graphs: Vec<WholeGraph>,
        last: impl FnOnce(u64) -> Option<DocumentBuilder>,
    ) -> io::Result<StoreLocation> {
        let file = self.change.next_name("graphs");
        let mut segment = SegmentWriter::create(self.change.medium(), &file)?;
        entry.quads = write_graphs(self.change, graphs, &mut segment)?;
        let beside = self.beside(last(entry.quads))?;
        write_graphs(self.change, beside, &mut segment)?;
        Ok(StoreLocation::whole(segment.finish()?))
    }

    /// Writes graphs that are in memory to a shared file.
    fn write_shared(
        &mut self,
        entry: &mut DocumentEntry,
        graphs: Vec<WholeGraph>,
        last: impl FnOnce(u64) -> Option<DocumentBuilder>,
    ) -> io::Result<StoreLocation> {
        let parts: Vec<(GraphPart, bool)> = graphs.into_iter().filter_map(part).collect();
        let counted = parts.iter().filter(|(_, is_sidecar)| !is_sidecar);
        entry.quads = counted.map(|(part, _)| part.graph.get().len() as u64).sum();
        let beside = self.beside(last(entry.quads))?.into_iter().filter_map(part);
        let parts: Vec<GraphPart> = parts.into_iter().chain(beside).map(|(part, _)| part).collect();
        self.change.shared_graphs(&parts)
    }

    /// The graphs of sidecar and catalog, including those of a last piece.
    fn beside(&mut self, last: Option<DocumentBuilder>) -> io::Result<Vec<WholeGraph>> {
        if let Some(last) = last {
            self.take(last)?;
        }
        Ok(whole_graphs(std::mem::take(&mut self.named_graphs)).collect())
    }

    /// Writes the text, if there is one.
    fn write_text(&mut self, graph: &str) -> io::Result<Option<StoreLocation>> {
        if let Some(text) = self.text.take() {
            return Ok(Some(StoreLocation::whole(text.finish()?)));
        }
        let Some(text) = self.whole_text.take() else { return Ok(None) };
        if self.change.is_shared(graph, text.0.len() as u64) {
            return self.change.shared_text(&text.0).map(Some);
        }
        let name = self.change.next_name("source");
        write_source(self.change.medium(), &name, &text).map(|facts| Some(StoreLocation::whole(facts)))
    }
}

/// The named graphs of a document.
fn whole_graphs(named: BTreeMap<TermId, NewGraph>) -> impl Iterator<Item = WholeGraph> {
    named.into_iter().map(|(name, graph)| WholeGraph { name, is_default: false, graph })
}

/// Writes graphs, and returns how many quads they have apart from sidecars.
fn write_graphs(
    change: &mut StoreChange,
    graphs: Vec<WholeGraph>,
    segment: &mut SegmentWriter,
) -> io::Result<u64> {
    let mut quads = 0;
    let (whole, spilled): (Vec<_>, Vec<_>) =
        graphs.into_iter().partition(|whole| whole.graph.runs.is_empty());
    let parts: Vec<(GraphPart, bool)> = whole.into_par_iter().filter_map(part).collect();
    for (part, is_sidecar) in parts {
        segment.part(&part)?;
        quads += if is_sidecar { 0 } else { part.graph.get().len() as u64 };
    }
    for WholeGraph { name, is_default, mut graph } in spilled {
        // What is still in memory becomes the last run, so the merge sees all triples.
        spill(change, &mut graph)?;
        let NewGraph { runs, by_name_only, is_sidecar, .. } = graph;
        let facts = GraphFacts { name, is_default, by_name_only };
        let triples = segment.runs(change.medium(), facts, &runs)?;
        runs.remove(change.medium())?;
        quads += if is_sidecar { 0 } else { triples };
    }
    Ok(quads)
}

/// Moves the triples of a graph from memory to a file.
fn spill(change: &mut StoreChange, graph: &mut NewGraph) -> io::Result<()> {
    let triples = std::mem::take(&mut graph.triples);
    if triples.is_empty() {
        return Ok(());
    }
    let name = change.next_name("run");
    graph.runs.add(change.medium(), name, triples)
}

/// A graph that is in memory, and `true` if it is a sidecar.
fn part(WholeGraph { name, is_default, graph }: WholeGraph) -> Option<(GraphPart, bool)> {
    let NewGraph { triples, by_name_only, is_sidecar, .. } = graph;
    let part = GraphPart::of_triples(name, is_default, triples)?;
    Some((GraphPart { by_name_only, ..part }, is_sidecar))
}
