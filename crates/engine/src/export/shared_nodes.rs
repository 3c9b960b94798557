//! Blank nodes that stand in several graphs: files of a graph each cannot say that they are one.

use evalgraph_store::{EncodedQuad, RdfTermKind, TermDictionary, TermId};

/// Finds blank nodes that stand in several graphs, whose quads come graph by graph. It takes a bit for each term of the store.
#[derive(Default)]
pub(super) struct SharedNodes {
    /// A bit for each node of the graphs before this one.
    earlier: Vec<u64>,
    /// The nodes of this graph, some several times.
    here: Vec<TermId>,
    shared: Vec<u64>,
    count: u64,
}

impl SharedNodes {
    /// Sees a quad of the graph.
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

    /// Begins the next graph.
    pub(super) fn next_graph(&mut self) {
        for node in self.here.drain(..) {
            set(&mut self.earlier, node);
        }
    }

    /// Tells how many nodes stand in several graphs.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

fn is_set(bits: &[u64], node: TermId) -> bool {
    bits.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
}

/// Sets a bit, and tells whether it was not set before.
fn set(bits: &mut Vec<u64>, node: TermId) -> bool {
    let (word, bit) = (node.index() / 64, 1 << (node.index() % 64));
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    let is_new = bits[word] & bit == 0;
    bits[word] |= bit;
    is_new
}
