//! The numbers of terms: hashes of how N-Triples writes them. A blank node has no name outside its graph, so its number
//! is a hash of the graph in which it occurs first, and its place among the graph's blank nodes is added: numbers that
//! follow each other need little room in a file, and are joined faster.

use hashbrown::{HashMap, HashSet};
use twox_hash::XxHash3_64;

use evalgraph_store::{RdfTermKind, TermDictionary, TermId, hashed_number};

/// How many numbers are remembered.
const MOST: usize = 1 << 20;
/// The seed of the second hash, which tells terms with the same number apart.
const SECOND: u64 = 0x65_76_61_6c;

/// The number of a term, and a second hash of the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TermHashes {
    pub(super) number: i64,
    pub(super) second: i64,
}

impl TermHashes {
    /// The hashes of what N-Triples writes.
    pub(super) fn from_text(text: &[u8]) -> Self {
        Self {
            number: hashed_number(text),
            second: XxHash3_64::oneshot_with_seed(SECOND, text).cast_signed(),
        }
    }

    /// The hashes of a blank node. `text` is room for what is hashed.
    fn from_place(BlankNodePlace { graph, place }: BlankNodePlace, text: &mut Vec<u8>) -> Self {
        text.extend_from_slice(b"_:");
        text.extend_from_slice(&graph.to_be_bytes());
        let first = hashed_number(text);
        text.extend_from_slice(&place.to_be_bytes());
        let second = XxHash3_64::oneshot_with_seed(SECOND, text).cast_signed();
        Self { number: first.wrapping_add(i64::from(place)), second }
    }

    /// The hashes of an IRI.
    pub(super) fn from_iri(iri: &str) -> Self {
        Self::from_text(format!("<{iri}>").as_bytes())
    }
}

/// The numbers of the terms of a dictionary.
#[derive(Debug, Default)]
pub(super) struct HashedTerms {
    numbers: HashMap<TermId, i64>,
    /// The number of the graph in which a blank node occurs first, and its place among the blank nodes of that graph.
    blank_nodes: HashMap<TermId, BlankNodePlace>,
    /// The text of the current term.
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct BlankNodePlace {
    graph: i64,
    place: u32,
}

impl HashedTerms {
    /// Notes the blank nodes of a graph, before any of their numbers is asked for. The graph has `before` others already.
    /// Returns how many it has now.
    pub(super) fn add_blank_nodes(&mut self, graph: i64, nodes: HashSet<TermId>, before: u32) -> u32 {
        let mut nodes: Vec<TermId> =
            nodes.into_iter().filter(|node| !self.blank_nodes.contains_key(node)).collect();
        // They are in the order in which the document has them.
        nodes.sort_unstable();
        let mut next = before;
        for node in nodes {
            self.blank_nodes.insert(node, BlankNodePlace { graph, place: next });
            next += 1;
        }
        next
    }

    /// Returns the number of a term. Passes the hashes on if they were not remembered.
    pub(super) fn number<E>(
        &mut self,
        term: TermId,
        terms: &TermDictionary,
        made: impl FnOnce(TermHashes) -> Result<(), E>,
    ) -> Result<i64, E> {
        if let Some(number) = self.numbers.get(&term) {
            return Ok(*number);
        }
        self.text.clear();
        let hash = match self.blank_nodes.get(&term) {
            Some(place) => TermHashes::from_place(*place, &mut self.text),
            None => {
                terms.write_n_triples(term, &mut self.text);
                TermHashes::from_text(&self.text)
            }
        };
        if self.numbers.len() >= MOST {
            self.numbers.clear();
        }
        self.numbers.insert(term, hash.number);
        made(hash)?;
        Ok(hash.number)
    }
}

/// Returns the label of a blank node, as the views have it.
pub(super) fn blank_node_label(number: i64) -> String {
    format!("_:b{number}")
}

/// Returns whether a term is a blank node.
pub(super) fn is_blank_node(term: TermId, terms: &TermDictionary) -> bool {
    terms.kind(term) == RdfTermKind::BlankNode
}
