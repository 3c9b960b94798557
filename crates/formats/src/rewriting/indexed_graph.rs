//! A graph of a buffer of quads, indexed by subject: the statements about each node, and the number of references to
//! it. One pass over a buffer finds the quads of all its graphs.

use crate::system_name::SystemName;
use evalgraph_rdf::minted::node_id;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, rdf, schema_org_alias};
use evalgraph_rdf::{QuadBuffer, QuadSink};
use hashbrown::HashMap;
use std::ops::Range;

/// The statements about a node: pairs of predicate and object.
pub type NodeStatements<'g> = &'g [(BufferTermId, BufferTermId)];

/// A graph numbers its own terms if the buffer has at least this many terms per statement of the graph. A buffer may
/// contain very many graphs, and the tables of each must not grow with all of them.
const OTHER_TERMS: usize = 8;

/// The places of terms in the tables of a graph.
#[derive(Debug)]
enum TermSlots {
    /// All terms of the buffer, by index, and how many there are.
    All(usize),
    /// The terms of the graph, in order of appearance.
    Own(Vec<BufferTermId>),
}

impl TermSlots {
    fn from_quads<'i>(quads: &QuadBuffer, chosen: impl Iterator<Item = &'i BufferQuad> + Clone) -> Self {
        let terms = quads.term_count();
        let most = terms / OTHER_TERMS;
        if chosen.clone().take(most).count() == most {
            return Self::All(terms);
        }
        let mut own: Vec<BufferTermId> =
            chosen.flat_map(|quad| [quad.subject, quad.predicate, quad.object]).collect();
        own.sort_unstable();
        own.dedup();
        Self::Own(own)
    }

    fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Own(terms) => terms.len(),
        }
    }

    #[inline]
    fn of_term(&self, term: BufferTermId) -> Option<usize> {
        match self {
            Self::All(_) => Some(term.index()),
            Self::Own(terms) => terms.binary_search(&term).ok(),
        }
    }

    fn term(&self, slot: usize) -> BufferTermId {
        match self {
            Self::All(_) => BufferTermId::from_index(slot),
            Self::Own(terms) => terms[slot],
        }
    }
}

/// The statements of one graph.
#[derive(Debug)]
pub struct IndexedGraph<'q> {
    quads: &'q QuadBuffer,
    slots: TermSlots,
    /// Where the statements of each term begin, by its slot.
    starts: Vec<u32>,
    statements: Vec<(BufferTermId, BufferTermId)>,
    /// How often each term is an object, by its slot.
    mentions: Vec<u32>,
    /// The subjects, in the order in which their terms appeared.
    subjects: Vec<BufferTermId>,
}

impl<'q> IndexedGraph<'q> {
    /// Returns the graph of that name; `None` is the default graph. The search looks at all quads: for many graphs, use
    /// [`QuadsByGraph`].
    pub fn new(quads: &'q QuadBuffer, name: Option<BufferTermId>) -> Self {
        Self::with_quads(quads, quads.quads().iter().filter(move |quad| quad.graph == name))
    }

    /// Makes a graph of chosen quads, whatever their graph names are.
    pub fn with_quads<'i>(
        quads: &'q QuadBuffer,
        chosen: impl Iterator<Item = &'i BufferQuad> + Clone,
    ) -> Self {
        let slots = TermSlots::from_quads(quads, chosen.clone());
        let slot = |term| slots.of_term(term).expect("each term of the quads has a slot");
        // Counting the statements of each subject first takes linear time, and keeps the order of its quads.
        let mut starts = vec![0_u32; slots.len() + 1];
        let mut mentions = vec![0_u32; slots.len()];
        for quad in chosen.clone() {
            starts[slot(quad.subject)] += 1;
            mentions[slot(quad.object)] += 1;
        }
        let mut subjects = Vec::new();
        let mut sum = 0;
        for (index, start) in starts.iter_mut().enumerate() {
            let count = std::mem::replace(start, sum);
            sum += count;
            if count > 0 {
                subjects.push(slots.term(index));
            }
        }
        let mut ends: Vec<u32> = starts.clone();
        let none = BufferTermId::from_index(0);
        let mut statements = vec![(none, none); sum as usize];
        for quad in chosen {
            let end = &mut ends[slot(quad.subject)];
            statements[*end as usize] = (quad.predicate, quad.object);
            *end += 1;
        }
        Self { quads, slots, starts, statements, mentions, subjects }
    }

    /// Returns the buffer that has the terms.
    pub fn quads(&self) -> &'q QuadBuffer {
        self.quads
    }

    /// Returns how many slots the tables of terms have.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot of a term, below [`IndexedGraph::slot_count`], or `None` if the graph does not have the term.
    #[inline]
    pub fn slot(&self, term: BufferTermId) -> Option<usize> {
        self.slots.of_term(term)
    }

    /// Returns the statements about a node.
    #[inline]
    pub fn statements(&self, node: BufferTermId) -> NodeStatements<'_> {
        &self.statements[self.statement_numbers(node)]
    }

    /// Returns how many statements there are.
    pub fn statement_count(&self) -> usize {
        self.statements.len()
    }

    /// Returns the numbers of the statements about a node, below [`IndexedGraph::statement_count`].
    #[inline]
    pub fn statement_numbers(&self, node: BufferTermId) -> Range<usize> {
        let Some(slot) = self.slot(node) else { return 0..0 };
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }

    /// Returns the predicate and object of the statement with this number.
    pub fn statement(&self, number: usize) -> (BufferTermId, BufferTermId) {
        self.statements[number]
    }

    /// Returns whether a node has statements.
    #[inline]
    pub fn is_subject(&self, node: BufferTermId) -> bool {
        !self.statement_numbers(node).is_empty()
    }

    /// Returns how often a node is an object.
    pub fn mentions(&self, node: BufferTermId) -> u32 {
        self.slot(node).map_or(0, |slot| self.mentions[slot])
    }

    /// Returns the nodes that have statements.
    pub fn subjects(&self) -> &[BufferTermId] {
        &self.subjects
    }

    /// Passes the statements that have the wanted subjects and predicates to a sink, without the name of the graph.
    pub fn copy_into<S: QuadSink>(
        &self,
        is_wanted: impl Fn(BufferTermId, BufferTermId) -> bool,
        sink: &mut S,
    ) {
        let statements = self.subjects.iter().flat_map(|&subject| {
            let statements = self.statements(subject).iter();
            statements.map(move |&(predicate, object)| BufferQuad { subject, predicate, object, graph: None })
        });
        // From the number of quads, the sink knows how much room the copy takes.
        let wanted: Vec<BufferQuad> =
            statements.filter(|quad| is_wanted(quad.subject, quad.predicate)).collect();
        self.quads.copy_some_into(wanted.into_iter(), sink);
    }

    /// Marks a node and all nodes below it, by slot.
    pub fn reach(&self, node: BufferTermId, is_reached: &mut [bool]) {
        // A chain of nodes may be as long as the graph, so this does not recurse.
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(slot) = self.slot(node) else { continue };
            if !std::mem::replace(&mut is_reached[slot], true) {
                open.extend(self.statements(node).iter().map(|statement| statement.1));
            }
        }
    }

    /// Returns the objects of one predicate of a node.
    pub fn objects(
        &self,
        node: BufferTermId,
        predicate: BufferTermId,
    ) -> impl Iterator<Item = BufferTermId> + '_ {
        let statements = self.statements(node).iter();
        statements.filter(move |statement| statement.0 == predicate).map(|statement| statement.1)
    }

    /// Returns the term of `rdf:type`, if any node has a type.
    pub fn rdf_type(&self) -> Option<BufferTermId> {
        self.quads.find_iri(rdf::TYPE)
    }

    /// Returns the predicates or classes with that local name in any spelling of schema.org's namespace.
    pub fn schema_org(&self, local: &str) -> Vec<BufferTermId> {
        let namespaces =
            [SCHEMA_ORG, "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"];
        let iris = namespaces.iter().map(|namespace| format!("{namespace}{local}"));
        iris.filter_map(|iri| self.quads.find_iri(&iri)).collect()
    }

    /// Returns the id of a node as it is in the document.
    pub fn original_id(&self, iri: &str) -> String {
        node_id(SystemName::JSON_LD.name(), iri).unwrap_or_else(|| iri.to_owned())
    }

    /// Returns the text for a node in messages: its IRI, or a word for a blank node.
    pub fn shown(&self, node: BufferTermId) -> String {
        match self.quads.term(node) {
            TermRef::Iri(iri) => iri.to_owned(),
            TermRef::BlankNode => {
                let number = self.quads.blank_node_number(node);
                match number.and_then(|number| self.quads.blank_node_label(number)) {
                    Some(label) => format!("_:{}", label.trim_start_matches("_:")),
                    None => "a blank node".to_owned(),
                }
            }
            TermRef::Literal { lexical, .. } => lexical.to_owned(),
        }
    }

    /// Returns the string of a node under one of the predicates; if there are several, the first in code point order.
    pub fn string(&self, node: BufferTermId, predicates: &[BufferTermId]) -> Option<&'q str> {
        let statements = self.statements(node).iter();
        let objects = statements.filter(|statement| predicates.contains(&statement.0));
        objects.filter_map(|statement| self.string_of(statement.1)).min()
    }

    fn string_of(&self, term: BufferTermId) -> Option<&'q str> {
        match self.quads.term(term) {
            TermRef::Literal { lexical, kind: BufferLiteralKind::String } => Some(lexical),
            _ => None,
        }
    }

    /// Returns the lexical form of a term that is a literal.
    #[inline]
    pub fn lexical(&self, term: BufferTermId) -> Option<&'q str> {
        match self.quads.term(term) {
            TermRef::Literal { lexical, .. } => Some(lexical),
            _ => None,
        }
    }

    /// Returns the text of a term that is an IRI.
    #[inline]
    pub fn iri(&self, term: BufferTermId) -> Option<&'q str> {
        match self.quads.term(term) {
            TermRef::Iri(iri) => Some(iri),
            _ => None,
        }
    }

    /// Returns the local name of an IRI: the part after schema.org's namespace, or after the last `#`, `/` or `:`.
    pub fn local_name(&self, term: BufferTermId) -> Option<&'q str> {
        let iri = self.iri(term)?;
        let local = iri.strip_prefix(SCHEMA_ORG).or_else(|| schema_org_alias(iri));
        local.or_else(|| iri.rsplit(['#', '/', ':']).next())
    }
}

/// The quads of a buffer by graph.
#[derive(Debug)]
pub struct QuadsByGraph<'q> {
    quads: &'q QuadBuffer,
    /// The quads of each graph, as runs, because the quads of a graph are mostly consecutive.
    runs: HashMap<Option<BufferTermId>, Vec<Range<u32>>>,
    /// The graphs in the order in which their first quads appear.
    names: Vec<Option<BufferTermId>>,
}

impl<'q> QuadsByGraph<'q> {
    /// Sorts quads by graph.
    pub fn new(quads: &'q QuadBuffer) -> Self {
        let mut runs: HashMap<Option<BufferTermId>, Vec<Range<u32>>> = HashMap::new();
        let mut names = Vec::new();
        let mut start = 0;
        for run in quads.quads().chunk_by(|left, right| left.graph == right.graph) {
            // A buffer counts its quads in 32 bits.
            let end = start + run.len() as u32;
            let of_graph = runs.entry(run[0].graph).or_default();
            if of_graph.is_empty() {
                names.push(run[0].graph);
            }
            of_graph.push(start..end);
            start = end;
        }
        Self { quads, runs, names }
    }

    /// The buffer.
    pub fn quads(&self) -> &'q QuadBuffer {
        self.quads
    }

    /// Returns the names of the graphs in the order in which their first quads appear; `None` is the default graph.
    pub fn names(&self) -> &[Option<BufferTermId>] {
        &self.names
    }

    /// Returns the quads of a graph in the order of the buffer.
    pub fn quads_of(&self, name: Option<BufferTermId>) -> impl Iterator<Item = &'q BufferQuad> + Clone + '_ {
        let quads = self.quads.quads();
        let runs = self.runs.get(&name).into_iter().flatten();
        runs.flat_map(move |run| &quads[run.start as usize..run.end as usize])
    }

    /// Returns the statements of a graph.
    pub fn graph(&self, name: Option<BufferTermId>) -> IndexedGraph<'q> {
        IndexedGraph::with_quads(self.quads, self.quads_of(name))
    }
}
