//! DESCRIBE: the triples of the default graph with a described node as subject, and the triples of the blank nodes that
//! are reached from it.

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use oxrdf::{NamedNode, NamedOrBlankNode, Triple};

use super::queryable_dataset::{QueryableDataset, TripleWalk};
use evalgraph_store::TermId;

/// The triples that describe some nodes, each once.
pub(crate) struct DescriptionTriples<'d> {
    data: QueryableDataset<'d>,
    triples: Option<TripleWalk<'d>>,
    to_describe: Vec<TermId>,
    /// The nodes that are described or will be, so that no node is described twice.
    seen: HashSet<TermId, RandomState>,
}

impl<'d> DescriptionTriples<'d> {
    /// The triples of these nodes.
    pub(crate) fn of_nodes(mut nodes: Vec<TermId>, data: QueryableDataset<'d>) -> Self {
        let mut seen = HashSet::default();
        nodes.retain(|node| seen.insert(*node));
        nodes.reverse();
        Self { data, triples: None, to_describe: nodes, seen }
    }

    fn next_ids(&mut self) -> Option<[TermId; 3]> {
        loop {
            if let Some(triple) = self.triples.as_mut().and_then(TripleWalk::next_triple) {
                if self.data.view.is_blank_node(triple[2]) && self.seen.insert(triple[2]) {
                    self.to_describe.push(triple[2]);
                }
                return Some(triple);
            }
            let node = self.to_describe.pop()?;
            self.triples = Some(self.data.walk([Some(node), None, None], None));
        }
    }
}

impl Iterator for DescriptionTriples<'_> {
    type Item = Triple;

    fn next(&mut self) -> Option<Triple> {
        loop {
            let [subject, predicate, object] = self.next_ids()?.map(|id| self.data.view.term(id));
            if let (Ok(subject), Ok(predicate)) =
                (NamedOrBlankNode::try_from(subject), NamedNode::try_from(predicate))
            {
                return Some(Triple { subject, predicate, object });
            }
        }
    }
}
