//! Finds the places of some nodes, properties and values of a document, while the document is processed a second time.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::sink::{HandleQuad, QuadSink};
pub use super::term_hasher::HashedTerm;
use super::term_hasher::{LabelledQuads, QuadHashes, TermHasher};
use evalgraph_json::{JsonDocument, TokenId};

/// A term of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentTerm<'t> {
    /// An IRI.
    Iri(&'t str),
    /// A blank node, identified by how many others the document passes to a sink before it.
    BlankNode(u64),
    /// A literal.
    Literal(oxrdf::LiteralRef<'t>),
}

/// A node, property or value whose place is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedPlace<'t> {
    /// The node. Without a property or value, its place is the first statement about it, or else its first mention.
    pub node: DocumentTerm<'t>,
    /// The IRI of a property of the node; its place is the first statement with that property.
    pub predicate: Option<&'t str>,
    /// A value of the node; of the property, if there is one.
    pub value: Option<DocumentTerm<'t>>,
}

/// The part of a quad that a wanted place refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuadPart {
    /// The subject.
    Subject,
    /// The predicate.
    Predicate,
    /// The object.
    Object,
}

/// The first quad with a wanted node, property or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlace {
    /// The part of the quad that was wanted.
    pub part: QuadPart,
    /// The number of the quad among all that the sink has received.
    pub quad: u64,
    /// Its tokens, if it comes from a JSON-LD document.
    pub tokens: Option<QuadTokens>,
}

/// The tokens of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuadTokens {
    /// The document, by its number among [`FoundPlaces::documents`].
    pub document: usize,
    /// The value that is the subject.
    pub subject: Option<TokenId>,
    /// The `@id` of the subject, if the subject has nothing else to point to.
    pub subject_id: Option<TokenId>,
    /// The key of the property.
    pub key: TokenId,
    /// The value that is the object; for a list, its first item.
    pub object: TokenId,
    /// The `@id` of the object, if the object has nothing else to point to.
    pub object_id: Option<TokenId>,
}

/// The wanted places that were found.
#[derive(Debug, Default)]
pub struct FoundPlaces {
    /// The places found, in the order of the wanted places.
    pub places: Vec<Option<FoundPlace>>,
    /// The JSON-LD documents that places are in.
    pub documents: Vec<Arc<JsonDocument>>,
    /// How many quads there were.
    pub quads: u64,
    /// `true` if the quads with blank nodes are the expected ones, or none were expected.
    pub is_as_expected: bool,
}

/// The places that are wanted of a node.
#[derive(Debug, Clone, Copy, Default)]
struct WantedOfNode {
    /// The place of the node as such.
    alone: Option<WantedIndex>,
    /// `true` if properties, statements, or values of any property are wanted.
    property: bool,
    statement: bool,
    value: bool,
}

/// The number of a wanted place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WantedIndex(u32);

/// Receives the quads of a document and records the wanted places.
#[derive(Debug)]
pub struct PlaceFinder {
    terms: TermHasher,
    /// The wanted places that are not found yet, by node, property and value; the last one if several are equal.
    wanted: HashMap<HashedTerm, WantedIndex, RandomState>,
    nodes: HashMap<HashedTerm, WantedOfNode, RandomState>,
    /// For each wanted place: the previous one that is equal to it.
    alike: Vec<Option<WantedIndex>>,
    found: FoundPlaces,
    /// The places where wanted nodes are first mentioned.
    mentions: HashMap<HashedTerm, FoundPlace, RandomState>,
    /// The key and value of the quad that comes next.
    next: Option<(TokenId, TokenId)>,
    /// The `@id`s of objects that have nothing else to point to, in the document that is being processed.
    ids: HashMap<TokenId, TokenId, RandomState>,
    /// The tokens of the wanted nodes in the document that is being processed.
    tokens: HashMap<HashedTerm, Vec<TokenId>, RandomState>,
    /// The found places whose document has not ended, each with its subject.
    open: Vec<(WantedIndex, HashedTerm)>,
    is_mentioned_here: bool,
    /// The quads with blank nodes that are expected, and those that were received.
    expected: Option<[QuadHashes; 2]>,
}

impl PlaceFinder {
    /// Begins to look for places.
    pub fn new<'t>(wanted: impl IntoIterator<Item = WantedPlace<'t>>) -> Self {
        let mut finder = Self {
            terms: TermHasher::new(),
            wanted: HashMap::default(),
            nodes: HashMap::default(),
            alike: Vec::new(),
            found: FoundPlaces::default(),
            mentions: HashMap::default(),
            next: None,
            ids: HashMap::default(),
            tokens: HashMap::default(),
            open: Vec::new(),
            is_mentioned_here: false,
            expected: None,
        };
        for (index, place) in (0..).map(WantedIndex).zip(wanted) {
            let before = finder.want(index, place);
            finder.alike.push(before);
        }
        finder.found.places = vec![None; finder.alike.len()];
        finder
    }

    /// Expects the document to have certain quads with blank nodes, which `hand` passes to a sink; other quads are not
    /// compared. `number` returns the number of a blank node from its label there. The result is in
    /// [`FoundPlaces::is_as_expected`].
    pub fn expecting<N: Fn(&str) -> Option<u64>>(
        mut self,
        number: N,
        hand: impl FnOnce(&mut LabelledQuads<N>),
    ) -> Self {
        let hashes = QuadHashes::new();
        let mut quads = LabelledQuads { hasher: self.terms.clone(), number, hashes };
        hand(&mut quads);
        self.expected = Some([quads.hashes, QuadHashes::new()]);
        self
    }

    /// Records that a place is wanted; returns the previous one that is equal to it.
    fn want(&mut self, index: WantedIndex, place: WantedPlace<'_>) -> Option<WantedIndex> {
        let node = self.term(place.node);
        let predicate = place.predicate.map(|predicate| self.iri(predicate));
        let value = place.value.map(|value| self.term(value));
        let of_node = self.nodes.entry(node).or_default();
        match (predicate, value) {
            (None, None) => return of_node.alone.replace(index),
            (Some(_), None) => of_node.property = true,
            (Some(_), Some(_)) => of_node.statement = true,
            (None, Some(_)) => of_node.value = true,
        }
        let key = self.terms.hash((node, predicate, value));
        self.wanted.insert(key, index)
    }

    /// The places that were found. For a node without statements, it is the place where it is mentioned.
    pub fn finish(mut self) -> FoundPlaces {
        let mentioned = self.nodes.iter().filter_map(|(node, of_node)| {
            let place = self.mentions.get(node)?;
            Some((of_node.alone?, place))
        });
        for (index, place) in mentioned {
            for index in chain(&self.alike, Some(index)) {
                self.found.places[index.0 as usize] = Some(place.clone());
            }
        }
        self.found.is_as_expected = self.expected.is_none_or(|[expected, came]| expected.are_those_of(came));
        self.found
    }

    fn term(&mut self, term: DocumentTerm<'_>) -> HashedTerm {
        match term {
            DocumentTerm::Iri(iri) => self.iri(iri),
            DocumentTerm::BlankNode(number) => self.terms.numbered(number),
            DocumentTerm::Literal(literal) => match literal.language() {
                Some(language) => self.language_string(literal.value(), language),
                None => {
                    let datatype = self.iri(literal.datatype().as_str());
                    self.typed_literal(literal.value(), datatype)
                }
            },
        }
    }

    /// Returns the tokens of the quad that was just received, as far as they are known.
    fn take_tokens(&mut self) -> Option<QuadTokens> {
        let (key, object) = self.next.take()?;
        let (document, object_id) = (self.found.documents.len(), self.ids.get(&object).copied());
        Some(QuadTokens { document, subject: None, subject_id: None, key, object, object_id })
    }

    /// Records the place of all parts of a quad that are wanted.
    fn find_parts(&mut self, quad: HandleQuad<HashedTerm>, place: &FoundPlace) {
        let HandleQuad { subject, predicate, object, .. } = quad;
        let Some(of_node) = self.nodes.get_mut(&subject) else { return };
        let WantedOfNode { property, statement, value, .. } = *of_node;
        // The first statement about a node is its place, so the node is not wanted any more.
        let alone = of_node.alone.take();
        self.found_at(alone, QuadPart::Subject, subject, place);
        let forms = [
            (property, QuadPart::Predicate, Some(predicate), None),
            (statement, QuadPart::Object, Some(predicate), Some(object)),
            (value, QuadPart::Object, None, Some(object)),
        ];
        for (is_wanted, part, predicate, object) in forms {
            if is_wanted {
                let found = self.wanted.remove(&self.terms.hash((subject, predicate, object)));
                self.found_at(found, part, subject, place);
            }
        }
    }

    /// Records the place of a wanted place and of those equal to it.
    fn found_at(
        &mut self,
        wanted: Option<WantedIndex>,
        part: QuadPart,
        node: HashedTerm,
        place: &FoundPlace,
    ) {
        for index in chain(&self.alike, wanted) {
            self.found.places[index.0 as usize] = Some(FoundPlace { part, ..place.clone() });
            if place.tokens.is_some() {
                self.open.push((index, node));
            }
        }
    }
}

/// A wanted place, and the previous ones that are equal to it.
fn chain(
    alike: &[Option<WantedIndex>],
    last: Option<WantedIndex>,
) -> impl Iterator<Item = WantedIndex> + use<'_> {
    std::iter::successors(last, |index| alike[index.0 as usize])
}

impl QuadSink for PlaceFinder {
    type Term = HashedTerm;

    const HEARS_PLACES: bool = true;

    fn iri(&mut self, iri: &str) -> HashedTerm {
        self.terms.iri(iri)
    }

    fn blank_node(&mut self) -> HashedTerm {
        self.terms.blank_node()
    }

    fn string(&mut self, value: &str) -> HashedTerm {
        self.terms.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: HashedTerm) -> HashedTerm {
        self.terms.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> HashedTerm {
        self.terms.language_string(value, language)
    }

    fn quad(
        &mut self,
        subject: HashedTerm,
        predicate: HashedTerm,
        object: HashedTerm,
        graph: Option<HashedTerm>,
    ) {
        if let Some([_, came]) = &mut self.expected {
            came.add(&self.terms, [subject, predicate, object], graph);
        }
        let tokens = self.take_tokens();
        let place = FoundPlace { part: QuadPart::Object, quad: self.found.quads, tokens };
        self.found.quads += 1;
        self.find_parts(HandleQuad::new([subject, predicate, object], None), &place);
        // A mention is used only for a node without statements (`finish`).
        if self.nodes.contains_key(&object) && !self.mentions.contains_key(&object) {
            self.is_mentioned_here |= place.tokens.is_some();
            self.mentions.insert(object, place);
        }
    }

    fn node_at(&mut self, token: TokenId, node: HashedTerm) {
        if self.nodes.contains_key(&node) {
            self.tokens.entry(node).or_default().push(token);
        }
    }

    fn id_at(&mut self, object: TokenId, id: TokenId) {
        self.ids.insert(object, id);
    }

    fn quad_at(&mut self, key: TokenId, value: TokenId) {
        self.next = Some((key, value));
    }

    /// Anything that is not a term is identified by its text.
    fn stand_in(&mut self, text: &str) -> HashedTerm {
        // Other sinks make a blank node here, so the count of blank nodes must go on.
        self.terms.blank_node();
        self.iri(text)
    }

    /// A lost statement has a place, too. If the node of a graph is lost, everything in the graph is lost.
    fn lost_quad(&mut self, lost: HandleQuad<HashedTerm>, _cause: u32) {
        let Some(tokens) = self.take_tokens() else { return };
        let place = FoundPlace { part: QuadPart::Object, quad: self.found.quads, tokens: Some(tokens) };
        self.find_parts(lost, &place);
        if let Some(graph) = lost.graph {
            let alone = self.nodes.get_mut(&graph).and_then(|of_node| of_node.alone.take());
            self.found_at(alone, QuadPart::Subject, graph, &place);
        }
    }

    fn document_end(&mut self, document: &Arc<JsonDocument>) {
        if !self.open.is_empty() || self.is_mentioned_here {
            self.found.documents.push(Arc::clone(document));
        }
        for (index, node) in self.open.drain(..) {
            let place = self.found.places[index.0 as usize].as_mut();
            let nodes = self.tokens.get(&node).map(Vec::as_slice).unwrap_or_default();
            if let Some(tokens) = place.and_then(|place| place.tokens.as_mut()) {
                tokens.settle(nodes, document);
                tokens.subject_id = tokens.subject.and_then(|subject| self.ids.get(&subject).copied());
            }
        }
        self.ids.clear();
        self.is_mentioned_here = false;
        self.tokens.clear();
    }
}

impl QuadTokens {
    /// Finds the subject among the tokens of its node: it is the innermost object that contains the key. If the
    /// property is reversed, the subject is the value, and the object is around it.
    fn settle(&mut self, nodes: &[TokenId], document: &JsonDocument) {
        let around = nodes.iter().filter(|&&node| node < self.key && self.key < document.after(node));
        self.subject = match around.max() {
            Some(node) => Some(*node),
            None if nodes.contains(&self.object) => Some(self.object),
            None => nodes.first().copied(),
        };
    }
}
