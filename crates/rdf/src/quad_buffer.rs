//! A small in-memory dataset that keeps the order of its quads, between a reader and a writer that run no queries. It
//! stores each term and each quad once. For queries, use the store.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use oxrdf::{GraphName, Literal, NamedOrBlankNode, Quad as OwnedQuad, Term, Triple};

use super::node_places::NodePlaces;
pub use super::node_places::{BufferTermId, NodeTokens};
use super::sink::QuadSink;
use super::vocabulary::xsd;
use evalgraph_diagnostics::SourcePlace;
use evalgraph_json::{JsonDocument, TokenId};

/// A quad of handles of the buffer.
pub type BufferQuad = super::sink::HandleQuad<BufferTermId>;

impl BufferQuad {
    /// The hash of the quad. The low bits choose its slot in a table: quads with neighbouring terms are close together,
    /// which saves an access to distant memory for each. These groups are scattered, so none of them overflows far. The
    /// high bits, which distinguish the entries of a slot, are mixed.
    #[inline]
    fn hash(&self) -> u64 {
        const HIGH: u32 = 57;
        const NEIGHBOURS: u32 = 6;
        const WINDOW: u64 = 512;
        let [subject, predicate, object] =
            [self.subject, self.predicate, self.object].map(|term| u64::from(term.0));
        let graph = self.graph.map_or(0, |graph| u64::from(graph.0) + 1);
        let window =
            (subject >> NEIGHBOURS << 32 | object >> NEIGHBOURS).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 35;
        let place = 8 * (subject + object) + 3 * predicate + 5 * graph;
        let mixed = (subject << 32 | object).wrapping_mul(0xd6e8_feb8_6659_fd93)
            ^ predicate.wrapping_mul(0xa076_1d64_78bd_642f);
        (window & !(WINDOW - 1) | place & (WINDOW - 1)) & ((1 << HIGH) - 1) | mixed >> HIGH << HIGH
    }
}

/// A term as it is written. Blank nodes have no label: they are distinguished by their handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermRef<'t> {
    /// An IRI.
    Iri(&'t str),
    /// A blank node.
    BlankNode,
    /// A literal.
    Literal {
        /// The lexical form.
        lexical: &'t str,
        /// The kind of literal.
        kind: BufferLiteralKind<'t>,
    },
}

/// The kind of a literal, which determines the meaning of its lexical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferLiteralKind<'t> {
    /// An `xsd:string`.
    String,
    /// A string with a language.
    Language(&'t str),
    /// A value of another datatype.
    Datatype(BufferTermId, &'t str),
}

/// A term. Its text is a part of the buffer's single string, which contains all texts in the order in which they were
/// added.
#[derive(Debug, Clone, Copy)]
enum StoredTerm {
    Iri(BufferSpan),
    BlankNode(u32),
    String(BufferSpan),
    /// The language follows the lexical form.
    Language(BufferSpan, u32),
    Typed(BufferSpan, BufferTermId),
}

#[derive(Debug, Clone, Copy)]
struct BufferSpan {
    start: usize,
    length: u32,
}

impl BufferSpan {
    #[inline]
    fn slice_of(self, text: &str) -> &str {
        &text[self.start..self.start + self.length as usize]
    }
}

impl StoredTerm {
    #[inline(always)]
    fn key(self, text: &str) -> Option<TermKey<'_>> {
        match self {
            Self::Iri(iri) => Some(TermKey::Iri(iri.slice_of(text))),
            // Every blank node is different.
            Self::BlankNode(_) => None,
            Self::String(lexical) => Some(TermKey::String(lexical.slice_of(text))),
            Self::Language(span, lexical) => {
                let (lexical, language) = span.slice_of(text).split_at(lexical as usize);
                Some(TermKey::Language(lexical, language))
            }
            Self::Typed(lexical, datatype) => Some(TermKey::Typed(lexical.slice_of(text), datatype)),
        }
    }
}

/// The content that identifies a term: equal terms share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TermKey<'t> {
    Iri(&'t str),
    String(&'t str),
    Language(&'t str, &'t str),
    Typed(&'t str, BufferTermId),
}

/// Quads in the order in which they were added, each once. Other methods are in `interop.rs`.
#[derive(Debug, Default)]
pub struct QuadBuffer {
    terms: Vec<StoredTerm>,
    text: String,
    quads: Vec<BufferQuad>,
    prefixes: Vec<(String, String)>,
    prefix_names: HashSet<String>,
    blank_nodes: u32,
    /// The labels that documents assigned, by the number of the blank node.
    labels: Vec<Option<Box<str>>>,
    term_index: HashTable<BufferTermId>,
    quad_index: HashTable<u32>,
    lost: Vec<(BufferQuad, u32)>,
    hasher: FixedState,
    /// The node of each token of the document, if the caller wants them.
    nodes: Option<NodeTokens>,
    /// The places of nodes, if the caller wants them.
    places: Option<NodePlaces>,
    watch: Option<QuadBufferWatch>,
}

/// Returns whether to stop.
struct QuadBufferWatch(Box<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for QuadBufferWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// If the buffer has at least this many terms for each copied quad, the copied terms are kept in a map instead of a
/// table of all terms.
const OTHER_TERMS: usize = 8;

/// The terms of another sink, by the term that each is a copy of.
enum CopiedTerms<T> {
    Few(HashMap<BufferTermId, T>),
    /// By index.
    Many(Vec<Option<T>>),
}

impl<T: Copy> CopiedTerms<T> {
    #[inline]
    fn get(&self, id: BufferTermId) -> Option<T> {
        match self {
            Self::Few(terms) => terms.get(&id).copied(),
            Self::Many(terms) => terms[id.index()],
        }
    }

    fn set(&mut self, id: BufferTermId, term: T) {
        match self {
            Self::Few(terms) => {
                terms.insert(id, term);
            }
            Self::Many(terms) => terms[id.index()] = Some(term),
        }
    }
}

impl QuadBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets readers ask `is_over` whether to stop. If they do, the buffer is incomplete.
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.watch = Some(QuadBufferWatch(Box::new(is_over)));
        self
    }

    /// Keeps the node of each token of the next document, until [`Self::take_node_tokens`].
    pub fn keep_node_tokens(&mut self) {
        self.nodes = Some(NodeTokens::default());
    }

    /// Returns the node of each token of the last document, if the buffer keeps them.
    pub fn take_node_tokens(&mut self) -> Option<NodeTokens> {
        self.nodes.take()
    }

    /// Keeps the places of nodes in the documents that are read from now on.
    pub fn keep_places(&mut self) {
        self.places.get_or_insert_default();
    }

    /// Returns the places of some nodes, if the buffer kept them.
    pub fn places_of(&self, nodes: impl Iterator<Item = BufferTermId>) -> HashMap<BufferTermId, SourcePlace> {
        self.places.as_ref().map(|places| places.places_of(nodes)).unwrap_or_default()
    }

    /// Returns how many different quads were added.
    pub fn len(&self) -> usize {
        self.quads.len()
    }

    /// Returns whether no quad was added.
    pub fn is_empty(&self) -> bool {
        self.quads.is_empty()
    }

    /// The quads in the order in which they were added.
    pub fn quads(&self) -> &[BufferQuad] {
        &self.quads
    }

    /// Returns the total length of the texts of all terms.
    pub fn text_length(&self) -> usize {
        self.text.len()
    }

    /// Returns how many different terms were added.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The term of a handle.
    #[inline(always)]
    pub fn term(&self, id: BufferTermId) -> TermRef<'_> {
        match self.key(id) {
            None => TermRef::BlankNode,
            Some(TermKey::Iri(iri)) => TermRef::Iri(iri),
            Some(TermKey::String(lexical)) => TermRef::Literal { lexical, kind: BufferLiteralKind::String },
            Some(TermKey::Language(lexical, language)) => {
                TermRef::Literal { lexical, kind: BufferLiteralKind::Language(language) }
            }
            Some(TermKey::Typed(lexical, datatype)) => TermRef::Literal {
                lexical,
                kind: BufferLiteralKind::Datatype(datatype, self.iri_text(datatype)),
            },
        }
    }

    /// The number of a blank node in the order in which blank nodes were added, from 0; none for other terms.
    pub fn blank_node_number(&self, id: BufferTermId) -> Option<u32> {
        match self.terms[id.index()] {
            StoredTerm::BlankNode(number) => Some(number),
            _ => None,
        }
    }

    /// Returns how many different blank nodes were added.
    pub fn blank_node_count(&self) -> usize {
        self.blank_nodes as usize
    }

    /// The label that a document assigned to the blank node with that number. Two documents may have assigned the same
    /// label to two nodes.
    pub fn blank_node_label(&self, number: u32) -> Option<&str> {
        self.labels.get(number as usize)?.as_deref()
    }

    /// Returns whether any blank node has a label from its document.
    pub(super) fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Every IRI that was added, in that order.
    pub fn iris(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(|term| match term {
            StoredTerm::Iri(iri) => Some(iri.slice_of(&self.text)),
            _ => None,
        })
    }

    /// The handle of an IRI; none if it was not added.
    pub fn find_iri(&self, iri: &str) -> Option<BufferTermId> {
        let key = TermKey::Iri(iri);
        self.term_index.find(self.hasher.hash_one(key), |&id| self.key(id) == Some(key)).copied()
    }

    /// The prefixes that the documents declared, the first declaration of each name.
    pub fn prefixes(&self) -> &[(String, String)] {
        &self.prefixes
    }

    /// Records a prefix, so a writer can use it again.
    pub fn declare_prefix(&mut self, name: &str, namespace: &str) {
        if !self.prefix_names.contains(name) {
            self.prefix_names.insert(name.to_owned());
            self.prefixes.push((name.to_owned(), namespace.to_owned()));
        }
    }

    fn contains(&self, quad: &BufferQuad) -> bool {
        let hash = quad.hash();
        self.quad_index.find(hash, |&at| self.quads[at as usize] == *quad).is_some()
    }

    /// Removes the quads after the first `len`, for a document that turned out to be faulty.
    pub fn truncate(&mut self, len: usize) {
        while self.quads.len() > len {
            let at = self.quads.len() as u32 - 1;
            let hash = self.quads[at as usize].hash();
            if let Ok(entry) = self.quad_index.find_entry(hash, |&known| known == at) {
                entry.remove();
            }
            self.quads.pop();
        }
    }

    /// Passes everything to another sink. A blank node stays one blank node.
    pub fn copy_into<S: QuadSink>(&self, sink: &mut S) {
        self.copy_some_into(self.quads.iter().copied(), sink);
    }

    /// Passes quads of these terms to another sink. A blank node stays one blank node.
    pub fn copy_some_into<S: QuadSink>(&self, quads: impl Iterator<Item = BufferQuad>, sink: &mut S) {
        let is_few = quads.size_hint().1.is_some_and(|most| most < self.terms.len() / OTHER_TERMS);
        let mut copied = match is_few {
            true => CopiedTerms::Few(HashMap::new()),
            false => CopiedTerms::Many(vec![None; self.terms.len()]),
        };
        for quad in quads {
            let subject = self.copy_term(quad.subject, &mut copied, sink);
            let predicate = self.copy_term(quad.predicate, &mut copied, sink);
            let object = self.copy_term(quad.object, &mut copied, sink);
            let graph = quad.graph.map(|graph| self.copy_term(graph, &mut copied, sink));
            sink.quad(subject, predicate, object, graph);
        }
    }

    fn copy_term<S: QuadSink>(
        &self,
        id: BufferTermId,
        copied: &mut CopiedTerms<S::Term>,
        sink: &mut S,
    ) -> S::Term {
        if let Some(term) = copied.get(id) {
            return term;
        }
        let term = match self.term(id) {
            TermRef::Iri(iri) => sink.iri(iri),
            TermRef::BlankNode => {
                let label = self.blank_node_number(id).and_then(|number| self.blank_node_label(number));
                match label {
                    Some(label) => sink.labelled_blank_node(label),
                    None => sink.blank_node(),
                }
            }
            TermRef::Literal { lexical, kind } => match kind {
                BufferLiteralKind::String => sink.string(lexical),
                BufferLiteralKind::Language(language) => sink.language_string(lexical, language),
                BufferLiteralKind::Datatype(_, datatype) => {
                    let datatype = sink.iri(datatype);
                    sink.typed_literal(lexical, datatype)
                }
            },
        };
        copied.set(id, term);
        term
    }

    /// Removes the graph names, so that a triples format can represent the rest. A triple in several graphs becomes one
    /// triple.
    #[must_use]
    pub fn without_graph_names(mut self) -> Self {
        let quads = std::mem::take(&mut self.quads);
        self.quad_index.clear();
        for quad in quads {
            self.push_quad(BufferQuad { graph: None, ..quad });
        }
        self
    }

    /// Adds triples of owned terms to the default graph, as [`Self::extend_quads`] adds quads.
    ///
    /// # Errors
    ///
    /// The first error among the triples.
    pub fn extend_triples<E>(
        &mut self,
        triples: impl IntoIterator<Item = Result<Triple, E>>,
    ) -> Result<(), E> {
        let in_default_graph = |triple: Triple| triple.in_graph(GraphName::DefaultGraph);
        self.extend_quads(triples.into_iter().map(|triple| triple.map(in_default_graph)))
    }

    /// Adds quads of owned terms. Equal labels of blank nodes are one node within a call.
    ///
    /// # Errors
    ///
    /// The first error among the quads.
    pub fn extend_quads<E>(
        &mut self,
        quads: impl IntoIterator<Item = Result<OwnedQuad, E>>,
    ) -> Result<(), E> {
        let mut labels = HashMap::new();
        for quad in quads {
            let quad = quad?;
            let subject = match &quad.subject {
                NamedOrBlankNode::NamedNode(node) => self.iri(node.as_str()),
                NamedOrBlankNode::BlankNode(node) => self.labelled(node.as_str(), &mut labels),
            };
            let predicate = self.iri(quad.predicate.as_str());
            let object = match &quad.object {
                Term::NamedNode(node) => self.iri(node.as_str()),
                Term::BlankNode(node) => self.labelled(node.as_str(), &mut labels),
                Term::Literal(literal) => self.literal(literal),
            };
            let graph = match &quad.graph_name {
                GraphName::NamedNode(node) => Some(self.iri(node.as_str())),
                GraphName::BlankNode(node) => Some(self.labelled(node.as_str(), &mut labels)),
                GraphName::DefaultGraph => None,
            };
            self.push_quad(BufferQuad { subject, predicate, object, graph });
        }
        Ok(())
    }

    fn labelled(&mut self, label: &str, labels: &mut HashMap<String, BufferTermId>) -> BufferTermId {
        if let Some(&node) = labels.get(label) {
            return node;
        }
        let node = self.blank_node();
        labels.insert(label.to_owned(), node);
        node
    }

    /// The handle of a literal.
    pub fn literal(&mut self, literal: &Literal) -> BufferTermId {
        match literal.language() {
            Some(language) => self.language_string(literal.value(), language),
            None => {
                let datatype = self.iri(literal.datatype().as_str());
                self.typed_literal(literal.value(), datatype)
            }
        }
    }

    fn iri_text(&self, id: BufferTermId) -> &str {
        match self.terms[id.index()] {
            StoredTerm::Iri(iri) => iri.slice_of(&self.text),
            // The datatype must be the handle of an IRI. Anything else is a mistake of the caller; the plain string
            // datatype makes it visible without ending the program.
            _ => xsd::STRING,
        }
    }

    /// Returns the content of a term; none for a blank node, which equals no other term.
    #[inline]
    fn key(&self, id: BufferTermId) -> Option<TermKey<'_>> {
        self.terms[id.index()].key(&self.text)
    }

    fn intern(&mut self, key: TermKey<'_>) -> BufferTermId {
        let Self { term_index, hasher, terms, text, .. } = self;
        let key_of = |id: BufferTermId| terms[id.index()].key(text);
        let hash = hasher.hash_one(key);
        let rehash = |id: &BufferTermId| key_of(*id).map_or(0, |key| hasher.hash_one(key));
        let place = match term_index.entry(hash, |&id| key_of(id) == Some(key), rehash) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(place) => place,
        };
        let id = BufferTermId::from_index(terms.len());
        place.insert(id);
        let stored = match key {
            TermKey::Iri(iri) => StoredTerm::Iri(self.store(iri)),
            TermKey::String(lexical) => StoredTerm::String(self.store(lexical)),
            TermKey::Language(lexical, language) => {
                let span = self.store(lexical);
                let length = span.length + self.store(language).length;
                StoredTerm::Language(BufferSpan { length, ..span }, span.length)
            }
            TermKey::Typed(lexical, datatype) => StoredTerm::Typed(self.store(lexical), datatype),
        };
        self.terms.push(stored);
        id
    }

    fn store(&mut self, text: &str) -> BufferSpan {
        let start = self.text.len();
        self.text.push_str(text);
        let length = u32::try_from(text.len()).expect("inputs are limited to 4 GiB");
        BufferSpan { start, length }
    }

    fn push_quad(&mut self, quad: BufferQuad) {
        let Self { quads, quad_index, .. } = self;
        let hash = quad.hash();
        let rehash = |&at: &u32| quads[at as usize].hash();
        let Entry::Vacant(place) = quad_index.entry(hash, |&at| quads[at as usize] == quad, rehash) else {
            return;
        };
        place.insert(u32::try_from(quads.len()).expect("inputs are limited to far fewer quads"));
        quads.push(quad);
    }
}

impl QuadSink for QuadBuffer {
    type Term = BufferTermId;

    #[inline]
    fn is_over(&self) -> bool {
        self.watch.as_ref().is_some_and(|QuadBufferWatch(is_over)| is_over())
    }

    fn expect(&mut self, bytes: usize, tokens: usize) {
        // Most of the input becomes text of terms. One in four keys and values becomes a new term, and fewer than half
        // become a quad. Unused room costs nothing.
        self.text.reserve(bytes / 4 * 3);
        self.terms.reserve(tokens / 4);
        self.quads.reserve(tokens / 2);
        let Self { term_index, quad_index, terms, quads, text, hasher, .. } = self;
        term_index.reserve(tokens / 4, |id: &BufferTermId| match terms[id.index()].key(text) {
            Some(key) => hasher.hash_one(key),
            None => 0,
        });
        quad_index.reserve(tokens / 2, |&at: &u32| quads[at as usize].hash());
        if let Some(nodes) = &mut self.nodes {
            nodes.by_token.clear();
            nodes.by_token.resize(tokens, 0);
        } else if self.places.is_some() {
            self.keep_node_tokens();
        }
    }

    fn prefix(&mut self, name: &str, namespace: &str) {
        self.declare_prefix(name, namespace);
    }

    fn document_end(&mut self, document: &Arc<JsonDocument>) {
        if let (Some(places), Some(nodes)) = (&mut self.places, &self.nodes) {
            places.add(document, nodes.clone());
        }
    }

    fn node_at(&mut self, token: TokenId, node: BufferTermId) {
        if let Some(nodes) = &mut self.nodes {
            nodes.set(token, node);
        }
    }

    fn iri(&mut self, iri: &str) -> BufferTermId {
        self.intern(TermKey::Iri(iri))
    }

    fn blank_node(&mut self) -> BufferTermId {
        let id = BufferTermId::from_index(self.terms.len());
        self.terms.push(StoredTerm::BlankNode(self.blank_nodes));
        self.blank_nodes += 1;
        id
    }

    fn labelled_blank_node(&mut self, label: &str) -> BufferTermId {
        let node = self.blank_node();
        self.labels.resize_with(self.blank_nodes as usize, || None);
        if let Some(last) = self.labels.last_mut() {
            *last = Some(label.into());
        }
        node
    }

    fn string(&mut self, value: &str) -> BufferTermId {
        self.intern(TermKey::String(value))
    }

    fn typed_literal(&mut self, lexical: &str, datatype: BufferTermId) -> BufferTermId {
        if self.iri_text(datatype) == xsd::STRING {
            return self.string(lexical);
        }
        self.intern(TermKey::Typed(lexical, datatype))
    }

    fn language_string(&mut self, value: &str, language: &str) -> BufferTermId {
        self.intern(TermKey::Language(value, language))
    }

    fn quad(
        &mut self,
        subject: BufferTermId,
        predicate: BufferTermId,
        object: BufferTermId,
        graph: Option<BufferTermId>,
    ) {
        self.push_quad(BufferQuad { subject, predicate, object, graph });
    }

    fn lost_quad(&mut self, quad: BufferQuad, cause: u32) {
        self.lost.push((quad, cause));
    }

    /// Returns how many distinct quads each cause has cost since the last call. A quad that was lost twice counts for
    /// the first cause; a quad that is in the buffer is not counted.
    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        let mut seen = HashSet::new();
        let mut costs = BTreeMap::new();
        for (quad, cause) in std::mem::take(&mut self.lost) {
            let cost = costs.entry(cause).or_insert(0);
            if seen.insert(quad) && !self.contains(&quad) {
                *cost += 1;
            }
        }
        costs
    }
}
