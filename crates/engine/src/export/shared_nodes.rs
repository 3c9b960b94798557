//! Blank nodes that occur in several graphs. With one file per graph, files cannot express that they are the same node.

use evalgraph_store::{EncodedQuad, RdfTermKind, TermDictionary, TermId};

/// Finds blank nodes that occur in several graphs. Quads must come graph by graph. It takes one bit for each term of
/// the store.
#[derive(Default)]
pub(super) struct SharedNodes {
    /// One bit for each node of the earlier graphs.
    earlier: Vec<u64>,
    /// The nodes of this graph, possibly with duplicates.
    here: Vec<TermId>,
    shared: Vec<u64>,
    count: u64,
}

impl SharedNodes {
    /// Records a quad of the graph.
    pub(super) fn see(&mut self, quad: EncodedQuad, terms: &TermDictionary) {
        let nodes = [quad.subject, quad.object].into_iter();
        nodes.filter(|node| terms.kind(*node) == RdfTermKind::BlankNode).for_each(|node| self.see_node(node));
    }

    fn see_node(&mut self, node: TermId) {
        if is_set(&self.earlier, node) && set(&mut self.shared, node) {
            self.count += 1;
        }
        if self.here.last() != Some(&node) {
            self.here.push(node);
        }
    }

    /// Starts the next graph.
    pub(super) fn next_graph(&mut self) {
        for node in self.here.drain(..) {
            set(&mut self.earlier, node);
        }
    }

    /// Returns how many nodes occur in several graphs.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

fn is_set(bits: &[u64], node: TermId) -> bool {
    bits.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
}

/// Sets a bit. Returns whether it was unset before.
fn set(bits: &mut Vec<u64>, node: TermId) -> bool {
    let (word, bit) = (node.index() / 64, 1 << (node.index() % 64));
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    let is_new = bits[word] & bit == 0;
    bits[word] |= bit;
    is_new
}
