//! Documents of a store after an update. Their quads use the numbers that terms have in the store, which preserves the
//! identity of blank nodes.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::RandomState;
use oxrdf::Term;

use super::dataset::Dataset;
use super::dictionary::{RdfTermKind, TermDictionary, TermId};
use super::disk::{DocumentEntry, StoreFolder, StoredDocument};
use super::document_builder::EncodedTriple;
pub use super::encoded_quads::DocumentGraph;
use super::revision::{DatasetRevision, GraphChange};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::percent_decode;
use evalgraph_rdf::minted::document_name;
use evalgraph_rdf::quad_buffer::{self, BufferLiteralKind, BufferQuad, TermRef};

/// Documents in their new state.
#[derive(Debug)]
pub struct StoreEdits {
    pub(super) dictionary: TermDictionary,
    /// How many terms the store had.
    known: usize,
    /// The numbers of terms that are new to the store, by their numbers in the revision.
    of_revision: HashMap<TermId, TermId, RandomState>,
    /// The documents. Callers may add documents, and put graphs into them.
    pub documents: Vec<EditedDocument>,
}

/// A document in its new state.
#[derive(Debug)]
pub struct EditedDocument {
    /// The facts about the document. Its quads are counted when they are written.
    pub entry: DocumentEntry,
    /// Its graphs, which may contain a triple several times.
    pub graphs: Vec<DocumentGraph>,
}

impl EditedDocument {
    /// The graph of that name.
    pub fn graph(&self, name: TermId) -> Option<&DocumentGraph> {
        self.graphs.iter().find(|graph| graph.name == name)
    }

    /// Replaces the graphs of that name by `graph`.
    pub fn put(&mut self, graph: DocumentGraph) {
        self.graphs.retain(|known| known.name != graph.name);
        self.graphs.push(graph);
    }
}

impl StoreEdits {
    /// The documents of a store that a revision has changed. A changed graph that belongs to no document becomes a
    /// separate document.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn from_revision(
        revision: &DatasetRevision<'_>,
        dataset: &Dataset,
        store: &StoreFolder,
        documents: &[StoredDocument],
    ) -> Result<Self, Box<Diagnostic>> {
        let dictionary = dataset.dictionary().clone();
        let known = dictionary.len();
        let of_revision = HashMap::default();
        let mut edits = Self { dictionary, known, of_revision, documents: Vec::new() };
        let changes: Vec<GraphChange> =
            revision.changes().into_iter().map(|change| edits.in_store(change, revision)).collect();
        let owners = GraphOwners::new(&edits.dictionary, store, documents, &changes)?;
        let mut of_documents: BTreeMap<usize, Vec<&GraphChange>> = BTreeMap::new();
        for change in &changes {
            for at in owners.of_graph(change.graph) {
                of_documents.entry(*at).or_default().push(change);
            }
        }
        for (at, of_document) in of_documents {
            edits.change(&documents[at], store, &of_document, |graph| owners.takes(at, graph))?;
        }
        for change in changes.into_iter().filter(|change| !owners.know(change.graph)) {
            edits.add_document(change);
        }
        Ok(edits)
    }

    /// No documents yet, with the numbers of a dataset.
    pub fn none_of(dataset: &Dataset) -> Self {
        Self::of_documents(dataset.dictionary().clone(), Vec::new())
    }

    /// Documents in their new state, with the numbers of `dictionary`.
    pub(super) fn of_documents(dictionary: TermDictionary, documents: Vec<EditedDocument>) -> Self {
        let known = dictionary.len();
        Self { dictionary, known, of_revision: HashMap::default(), documents }
    }

    /// The terms, including new ones.
    pub fn dictionary(&self) -> &TermDictionary {
        &self.dictionary
    }

    /// The number in the store of a term of the revision, or `None` if no change has the term.
    pub fn number_in_store(&self, id: TermId) -> Option<TermId> {
        if id.index() <= self.known { Some(id) } else { self.of_revision.get(&id).copied() }
    }

    /// The number of an IRI.
    pub fn iri(&mut self, iri: &str) -> TermId {
        self.dictionary.intern_iri(iri)
    }

    /// The number of a string.
    pub fn string(&mut self, text: &str) -> TermId {
        self.dictionary.intern_string(text)
    }

    /// Quads of a buffer as triples of the store; `node` gives the number of a blank node that the store has.
    pub fn triples<'q>(
        &mut self,
        buffer: &QuadBuffer,
        quads: impl Iterator<Item = &'q BufferQuad>,
        node: impl Fn(quad_buffer::BufferTermId) -> Option<TermId>,
    ) -> Vec<[TermId; 3]> {
        let mut numbers: HashMap<quad_buffer::BufferTermId, TermId, RandomState> = HashMap::default();
        let mut number = |edits: &mut Self, id| {
            *numbers.entry(id).or_insert_with(|| match buffer.term(id) {
                TermRef::BlankNode => node(id).unwrap_or_else(|| edits.dictionary.fresh_blank_node()),
                TermRef::Iri(iri) => edits.iri(iri),
                TermRef::Literal { lexical, kind } => match kind {
                    BufferLiteralKind::String => edits.dictionary.intern_string(lexical),
                    BufferLiteralKind::Language(language) => edits.language_string(lexical, language),
                    BufferLiteralKind::Datatype(_, datatype) => edits.typed_literal(lexical, datatype),
                },
            })
        };
        quads.map(|quad| [quad.subject, quad.predicate, quad.object].map(|id| number(self, id))).collect()
    }

    fn language_string(&mut self, value: &str, language: &str) -> TermId {
        self.dictionary.intern_language_string(value, &language.to_ascii_lowercase())
    }

    fn typed_literal(&mut self, lexical: &str, datatype: &str) -> TermId {
        let datatype = self.iri(datatype);
        self.dictionary.intern_typed_literal(lexical, datatype)
    }

    /// Translates a change to the numbers of the store.
    fn in_store(&mut self, change: GraphChange, revision: &DatasetRevision<'_>) -> GraphChange {
        let GraphChange { graph, added, removed } = change;
        let added = added.into_iter().map(|triple| triple.map(|id| self.term(id, revision))).collect();
        // Removed triples were in the store, whose terms keep their numbers in the revision.
        GraphChange { graph: self.term(graph, revision), added, removed }
    }

    fn term(&mut self, id: TermId, revision: &DatasetRevision<'_>) -> TermId {
        if id.index() <= self.known {
            return id;
        }
        if let Some(number) = self.of_revision.get(&id) {
            return *number;
        }
        let number = match revision.term(id) {
            Term::NamedNode(node) => self.iri(node.as_str()),
            Term::BlankNode(_) => self.dictionary.fresh_blank_node(),
            Term::Literal(literal) => match literal.language() {
                Some(language) => self.language_string(literal.value(), language),
                None => self.typed_literal(literal.value(), literal.datatype().as_str()),
            },
        };
        self.of_revision.insert(id, number);
        number
    }

    /// Applies changes to the graphs of a document. Added triples go in only where the document `takes` the graph.
    fn change(
        &mut self,
        document: &StoredDocument,
        store: &StoreFolder,
        changes: &[&GraphChange],
        takes: impl Fn(TermId) -> bool,
    ) -> Result<(), Box<Diagnostic>> {
        let mut graphs = store.graphs_of(document)?;
        let own = self.dictionary.find_stored(RdfTermKind::Iri, &document.entry.graph);
        let mut places: HashMap<(TermId, bool), usize, RandomState> = HashMap::default();
        for (place, graph) in graphs.iter().enumerate() {
            places.insert((graph.name, graph.is_default), place);
        }
        for change in changes {
            let removed: HashSet<EncodedTriple, RandomState> = change.removed.iter().copied().collect();
            let place_of = |is_default| places.get(&(change.graph, is_default)).copied();
            // A document may have the graph twice: as its default graph and as a named graph.
            for place in [false, true].into_iter().filter_map(place_of) {
                graphs[place].triples.retain(|triple| !removed.contains(triple));
            }
            if !takes(change.graph) {
                continue;
            }
            let is_default = own == Some(change.graph);
            match place_of(is_default) {
                Some(place) => graphs[place].triples.extend(&change.added),
                None => {
                    let (name, triples) = (change.graph, change.added.clone());
                    graphs.push(DocumentGraph { name, is_default, triples });
                }
            }
        }
        let is_edited = document.entry.source.is_some();
        let entry = DocumentEntry { is_edited, ..document.entry.clone() };
        self.documents.push(EditedDocument { entry, graphs });
        Ok(())
    }

    /// Makes a document of a graph that belongs to none.
    fn add_document(&mut self, change: GraphChange) {
        let graph = match self.dictionary.kind(change.graph) {
            RdfTermKind::Iri => self.dictionary.lexical(change.graph).to_owned(),
            // A blank node can name a graph of a document, but never one that an update creates.
            _ => return,
        };
        let dataset = document_name(&graph).map_or_else(|| graph.clone(), percent_decode);
        let entry = DocumentEntry { graph, dataset, quads: 0, source: None, is_edited: false };
        let graph = DocumentGraph { name: change.graph, is_default: true, triples: change.added };
        self.documents.push(EditedDocument { entry, graphs: vec![graph] });
    }
}

/// The documents that have the graphs changed by a revision.
struct GraphOwners {
    /// The documents that have a graph, by the graph. The first one takes the added triples.
    documents: BTreeMap<TermId, Vec<usize>>,
}

impl GraphOwners {
    fn new(
        dictionary: &TermDictionary,
        store: &StoreFolder,
        documents: &[StoredDocument],
        changes: &[GraphChange],
    ) -> Result<Self, Box<Diagnostic>> {
        let mut owners = Self { documents: BTreeMap::new() };
        let changed: HashSet<TermId, RandomState> = changes.iter().map(|change| change.graph).collect();
        let is_changed = |graph: &TermId| changed.contains(graph);
        // The document whose name is that of the graph comes first, so it takes the added triples.
        for (at, document) in documents.iter().enumerate() {
            let own = dictionary.find_stored(RdfTermKind::Iri, &document.entry.graph).filter(is_changed);
            own.into_iter().for_each(|graph| owners.add(graph, at));
        }
        for (at, document) in documents.iter().enumerate() {
            for name in store.graph_names_of(document)?.into_iter().filter(is_changed) {
                owners.add(name, at);
            }
        }
        Ok(owners)
    }

    fn add(&mut self, graph: TermId, document: usize) {
        let documents = self.documents.entry(graph).or_default();
        // A document named like the graph was added first, and comes up again among the owners of its graphs.
        if documents.last() != Some(&document) && documents.first() != Some(&document) {
            documents.push(document);
        }
    }

    fn know(&self, graph: TermId) -> bool {
        self.documents.contains_key(&graph)
    }

    fn of_graph(&self, graph: TermId) -> &[usize] {
        self.documents.get(&graph).map_or(&[], Vec::as_slice)
    }

    fn takes(&self, document: usize, graph: TermId) -> bool {
        self.documents.get(&graph).and_then(|documents| documents.first()) == Some(&document)
    }
}
