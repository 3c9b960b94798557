//! Computes a digest of the statements of a graph. A sidecar uses it to detect that its graph was changed.
//!
//! Terms are represented by their texts and triples are summed, so neither the order of quads nor the labels of blank
//! nodes matter. A blank node is represented by the statements about it, up to [`ROUNDS`] steps away.

use crate::rewriting::IndexedGraph;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::xsd;
use hashbrown::HashSet;
use twox_hash::XxHash3_64;

/// How many steps from a blank node its number covers: from an item over its question and answer to a source.
const ROUNDS: usize = 4;

/// Odd constants of the golden ratio and of XXH64, which distinguish the positions in a triple.
const PLACES: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];

/// The digest for a sidecar that is used immediately, so nothing can have changed its graph.
pub const UNCHANGED: &str = "unchanged";

/// Returns the digests that a sidecar keeps of its graph: that of all statements and, if there are statements about the
/// files of a corpus, a `-` and the digest of these.
pub fn graph_digests(graph: &IndexedGraph<'_>) -> String {
    let whole = graph_digest(graph, |_, _| true);
    let beside = beside(graph);
    if beside.is_empty() {
        return whole;
    }
    format!("{whole}-{}", graph_digest(graph, |subject, predicate| beside.has(subject, predicate)))
}

/// The statements about the files of a corpus, which is next to the file of a dataset.
pub(super) struct CorpusStatements {
    distribution: Vec<BufferTermId>,
    files: HashSet<BufferTermId>,
}

/// Finds the statements about the files of a corpus.
pub(super) fn beside(graph: &IndexedGraph<'_>) -> CorpusStatements {
    let distribution = graph.schema_org("distribution");
    let mut files = HashSet::new();
    for &subject in graph.subjects() {
        files.extend(distribution.iter().flat_map(|&property| graph.objects(subject, property)));
    }
    CorpusStatements { distribution, files }
}

impl CorpusStatements {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn has(&self, subject: BufferTermId, predicate: BufferTermId) -> bool {
        self.files.contains(&subject) || self.distribution.contains(&predicate)
    }
}

/// Returns the digest of the statements whose subjects and predicates are wanted, in hexadecimal digits. Equal graphs
/// have equal digests, in every version of the program. Different graphs have equal digests only by accident, or if
/// they differ only in blank nodes that are the same for [`ROUNDS`] steps.
pub(super) fn graph_digest(
    graph: &IndexedGraph<'_>,
    is_wanted: impl Fn(BufferTermId, BufferTermId) -> bool,
) -> String {
    let mut terms = TermNumbers::new(graph);
    let blank: Vec<BufferTermId> =
        graph.subjects().iter().copied().filter(|&node| is_blank(graph, node)).collect();
    for _ in 0..ROUNDS {
        let numbers: Vec<u64> = blank.iter().map(|&node| said(graph, node, &terms)).collect();
        for (node, number) in blank.iter().zip(numbers) {
            terms.set(*node, number);
        }
    }
    let (mut low, mut high) = (0_u64, 0_u64);
    for &subject in graph.subjects() {
        let statements = graph.statements(subject).iter();
        for &(predicate, object) in statements.filter(|(predicate, _)| is_wanted(subject, *predicate)) {
            let triple = triple([subject, predicate, object].map(|term| terms.get(term)));
            low = low.wrapping_add(triple);
            high = high.wrapping_add(mix(triple ^ PLACES[0]));
        }
    }
    format!("{high:016x}{low:016x}")
}

fn is_blank(graph: &IndexedGraph<'_>, node: BufferTermId) -> bool {
    matches!(graph.quads().term(node), TermRef::BlankNode)
}

/// The numbers of the terms of a graph.
struct TermNumbers<'g> {
    graph: &'g IndexedGraph<'g>,
    /// The numbers, by slot of the term.
    numbers: Vec<u64>,
}

impl<'g> TermNumbers<'g> {
    /// Numbers all terms except blank nodes, which keep 0.
    fn new(graph: &'g IndexedGraph<'g>) -> Self {
        let mut terms = Self { graph, numbers: vec![0; graph.slot_count()] };
        for &subject in graph.subjects() {
            terms.add(subject);
            for &(predicate, object) in graph.statements(subject) {
                terms.add(predicate);
                terms.add(object);
            }
        }
        terms
    }

    fn add(&mut self, term: BufferTermId) {
        if self.get(term) == 0 {
            self.set(term, number(self.graph, term));
        }
    }

    #[inline]
    fn get(&self, term: BufferTermId) -> u64 {
        self.graph.slot(term).map_or(0, |slot| self.numbers[slot])
    }

    fn set(&mut self, term: BufferTermId, number: u64) {
        if let Some(slot) = self.graph.slot(term) {
            self.numbers[slot] = number;
        }
    }
}

/// Returns the number of a term, computed from its text.
fn number(graph: &IndexedGraph<'_>, term: BufferTermId) -> u64 {
    match graph.quads().term(term) {
        TermRef::BlankNode => 1,
        TermRef::Iri(iri) => XxHash3_64::oneshot_with_seed(1, iri.as_bytes()),
        TermRef::Literal { lexical, kind } => {
            let kind = match kind {
                BufferLiteralKind::String => xsd::STRING,
                BufferLiteralKind::Language(kind) | BufferLiteralKind::Datatype(_, kind) => kind,
            };
            let kind = XxHash3_64::oneshot_with_seed(2, kind.as_bytes());
            XxHash3_64::oneshot_with_seed(kind, lexical.as_bytes())
        }
    }
}

/// Returns the number of all statements about a node.
fn said(graph: &IndexedGraph<'_>, node: BufferTermId, terms: &TermNumbers<'_>) -> u64 {
    let statements = graph.statements(node).iter();
    statements.fold(1, |sum, (predicate, object)| {
        sum.wrapping_add(triple([1, terms.get(*predicate), terms.get(*object)]))
    })
}

fn triple(terms: [u64; 3]) -> u64 {
    let [subject, predicate, object] = terms;
    let sum = mix(subject.wrapping_mul(PLACES[0]) ^ predicate.rotate_left(23).wrapping_mul(PLACES[1]));
    mix(sum ^ object.wrapping_mul(PLACES[2]))
}

/// The finalizer of MurmurHash3, which spreads each bit over all bits.
fn mix(mut number: u64) -> u64 {
    number ^= number >> 33;
    number = number.wrapping_mul(0xff51_afd7_ed55_8ccd);
    number ^= number >> 33;
    number = number.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}
