//! The quads of one document on their way into a dataset. Each document has its own dictionary, so documents can be
//! read in parallel.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::RandomState;
use oxrdf::{GraphNameRef, NamedOrBlankNodeRef, Quad, QuadRef, TermRef};

use super::dictionary::{TermDictionary, TermId};
pub use super::encoded_quads::EncodedQuad;
pub(super) use super::encoded_quads::EncodedTriple;
use super::graph_index::sort_distinct;
use evalgraph_rdf::QuadSink;

/// Takes the terms and quads of one document. Other methods are in `copy.rs`.
#[derive(Debug, Default)]
pub struct DocumentBuilder {
    dictionary: TermDictionary,
    default_graph: Vec<EncodedTriple>,
    named_graphs: Vec<(TermId, Vec<EncodedTriple>)>,
    graph_positions: HashMap<TermId, usize, RandomState>,
    last_graph: usize,
    lost: Vec<(EncodedQuad, u32)>,
    blank_nodes: HashMap<String, TermId, RandomState>,
    prefixes: Vec<(String, String)>,
    is_finished: bool,
}

pub(super) struct DocumentParts {
    pub(super) dictionary: TermDictionary,
    pub(super) default_graph: Vec<EncodedTriple>,
    pub(super) named_graphs: Vec<(TermId, Vec<EncodedTriple>)>,
}

impl DocumentBuilder {
    /// A builder without quads.
    pub fn new() -> Self {
        Self::default()
    }

    /// The terms so far.
    pub fn dictionary(&self) -> &TermDictionary {
        &self.dictionary
    }

    /// The prefixes of the document, with their namespaces.
    pub fn prefixes(&self) -> &[(String, String)] {
        &self.prefixes
    }

    /// Adds a quad of owned terms. Equal blank node labels are one node within a builder.
    pub fn add_quad(&mut self, quad: QuadRef<'_>) {
        let subject = match quad.subject {
            NamedOrBlankNodeRef::NamedNode(node) => self.dictionary.intern_iri(node.as_str()),
            NamedOrBlankNodeRef::BlankNode(node) => self.labelled_blank_node(node.as_str()),
        };
        let predicate = self.dictionary.intern_iri(quad.predicate.as_str());
        let object = self.add_term(quad.object);
        let graph = match quad.graph_name {
            GraphNameRef::DefaultGraph => None,
            GraphNameRef::NamedNode(node) => Some(self.dictionary.intern_iri(node.as_str())),
            GraphNameRef::BlankNode(node) => Some(self.labelled_blank_node(node.as_str())),
        };
        self.quad(subject, predicate, object, graph);
    }

    /// Adds quads of owned terms, as the readers of other formats produce them.
    pub fn extend_quads(&mut self, quads: impl IntoIterator<Item = Quad>) {
        for quad in quads {
            self.add_quad(quad.as_ref());
        }
    }

    /// Sorts the quads, removes duplicates, and returns how many are left.
    pub fn finish(&mut self) -> usize {
        if !self.is_finished {
            sort_distinct(&mut self.default_graph);
            for (_, triples) in &mut self.named_graphs {
                sort_distinct(triples);
            }
            self.named_graphs.sort_unstable_by_key(|(name, _)| *name);
            let names = self.named_graphs.iter().enumerate();
            // Sorting has moved the graphs. `last_graph` may be another one now, so `quad` compares its name.
            self.graph_positions = names.map(|(position, (name, _))| (*name, position)).collect();
            self.is_finished = true;
        }
        self.default_graph.len() + self.named_graphs.iter().map(|(_, triples)| triples.len()).sum::<usize>()
    }

    /// The quads: the default graph first, each graph sorted by the order in which its terms were first seen. After
    /// [`Self::finish`] each quad occurs once.
    pub fn quads(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        let named = self.named_graphs.iter().map(|(name, triples)| (Some(*name), triples));
        std::iter::once((None, &self.default_graph))
            .chain(named)
            .flat_map(|(graph, triples)| triples.iter().map(move |triple| EncodedQuad::new(*triple, graph)))
    }

    /// The quads of the default graph, or of the graph with a name, in the same order.
    pub fn quads_of(&self, name: Option<TermId>) -> impl Iterator<Item = EncodedQuad> + '_ {
        let triples = match name {
            None => self.default_graph.as_slice(),
            Some(id) => {
                let position = self.graph_positions.get(&id);
                position.map_or(&[][..], |position| &self.named_graphs[*position].1)
            }
        };
        triples.iter().map(move |triple| EncodedQuad::new(*triple, name))
    }

    /// The names of the named graphs.
    pub fn graph_names(&self) -> impl Iterator<Item = TermId> + '_ {
        self.named_graphs.iter().map(|(name, _)| *name)
    }

    /// A document whose default graph is one graph of this one: the default graph, or the graph with that name. Terms
    /// keep their numbers, including the terms that the graph does not use.
    pub fn of_graph(&self, name: Option<TermId>) -> Self {
        let named = |id: TermId| self.named_graphs.iter().find(|(name, _)| *name == id);
        let triples = match name {
            None => self.default_graph.clone(),
            Some(id) => named(id).map_or_else(Vec::new, |(_, triples)| triples.clone()),
        };
        Self { dictionary: self.dictionary.clone(), default_graph: triples, ..Self::default() }
    }

    pub(super) fn default_graph(&self) -> &[EncodedTriple] {
        &self.default_graph
    }

    fn contains(&self, quad: EncodedQuad) -> bool {
        let triples = match quad.graph {
            None => Some(&self.default_graph),
            Some(name) => self.graph_positions.get(&name).map(|position| &self.named_graphs[*position].1),
        };
        let triple = [quad.subject, quad.predicate, quad.object];
        triples.is_some_and(|triples| triples.binary_search(&triple).is_ok())
    }

    pub(super) fn into_parts(self) -> DocumentParts {
        DocumentParts {
            dictionary: self.dictionary,
            default_graph: self.default_graph,
            named_graphs: self.named_graphs,
        }
    }

    fn add_term(&mut self, term: TermRef<'_>) -> TermId {
        match term {
            TermRef::NamedNode(node) => self.dictionary.intern_iri(node.as_str()),
            TermRef::BlankNode(node) => self.labelled_blank_node(node.as_str()),
            TermRef::Literal(literal) => {
                if let Some(language) = literal.language() {
                    return self.dictionary.intern_language_string(literal.value(), language);
                }
                let datatype = self.dictionary.intern_iri(literal.datatype().as_str());
                self.dictionary.intern_typed_literal(literal.value(), datatype)
            }
        }
    }

    fn labelled_blank_node(&mut self, label: &str) -> TermId {
        if let Some(id) = self.blank_nodes.get(label) {
            return *id;
        }
        let id = self.dictionary.fresh_blank_node();
        self.blank_nodes.insert(label.to_owned(), id);
        id
    }
}

impl QuadSink for DocumentBuilder {
    type Term = TermId;

    fn prefix(&mut self, name: &str, namespace: &str) {
        self.prefixes.push((name.to_owned(), namespace.to_owned()));
    }

    /// Reserves room for the usual content of a document of that size. Unused room costs addresses but no memory;
    /// growing in steps would copy everything again and again.
    fn expect(&mut self, bytes: usize, tokens: usize) {
        self.dictionary.reserve(bytes / 2, tokens / 5);
        self.default_graph.reserve(tokens / 2);
    }

    #[inline]
    fn iri(&mut self, iri: &str) -> TermId {
        self.dictionary.intern_iri(iri)
    }

    #[inline]
    fn blank_node(&mut self) -> TermId {
        self.dictionary.fresh_blank_node()
    }

    #[inline]
    fn string(&mut self, value: &str) -> TermId {
        self.dictionary.intern_string(value)
    }

    #[inline]
    fn typed_literal(&mut self, lexical: &str, datatype: TermId) -> TermId {
        self.dictionary.intern_typed_literal(lexical, datatype)
    }

    #[inline]
    fn language_string(&mut self, value: &str, language: &str) -> TermId {
        // Language tags are equal regardless of case (RDF 1.1 Concepts, section 3.3), and the SPARQL parser writes them
        // in lower case. If a tag kept its case, `"x"@EN` would never be found.
        if language.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return self.dictionary.intern_language_string(value, &language.to_ascii_lowercase());
        }
        self.dictionary.intern_language_string(value, language)
    }

    #[inline]
    fn quad(&mut self, subject: TermId, predicate: TermId, object: TermId, graph: Option<TermId>) {
        self.is_finished = false;
        let triple = [subject, predicate, object];
        let Some(name) = graph else {
            self.default_graph.push(triple);
            return;
        };
        // Quads of one graph come together, so the last graph is tried first.
        if let Some((last, triples)) = self.named_graphs.get_mut(self.last_graph)
            && *last == name
        {
            triples.push(triple);
            return;
        }
        let next = self.named_graphs.len();
        self.last_graph = *self.graph_positions.entry(name).or_insert(next);
        if self.last_graph == next {
            self.named_graphs.push((name, Vec::new()));
        }
        self.named_graphs[self.last_graph].1.push(triple);
    }

    fn lost_quad(&mut self, quad: EncodedQuad, cause: u32) {
        self.lost.push((quad, cause));
    }

    /// Returns how many distinct quads each cause of losses has cost since the last call. A quad that was lost twice
    /// counts for the first cause only; a lost quad that another statement supplies is not counted.
    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        let mut costs = BTreeMap::new();
        let lost = std::mem::take(&mut self.lost);
        if lost.is_empty() {
            return costs;
        }
        // `contains` searches sorted triples.
        self.finish();
        let mut seen = HashSet::with_capacity_and_hasher(lost.len(), RandomState::default());
        for (quad, cause) in lost {
            let cost = costs.entry(cause).or_insert(0);
            if seen.insert(quad) && !self.contains(quad) {
                *cost += 1;
            }
        }
        costs
    }
}
