//! Maps nodes to the rows of a table that they belong to, as a sorted list. It is walked in parallel with the quads of
//! a property, which ascend in each graph. This avoids a hash lookup for each quad.

use evalgraph_store::TermId;

/// A node of one graph or of all graphs, as a number with the sort order of graphs and nodes.
pub(super) type GraphNodeKey = u64;

/// Returns the key of a node in one graph.
pub(super) fn in_graph(graph: TermId, node: TermId) -> GraphNodeKey {
    u64::from(graph.number()) << 32 | u64::from(node.number())
}

/// Returns the key of a node in any graph.
pub(super) fn anywhere(node: TermId) -> GraphNodeKey {
    u64::from(node.number())
}

/// Nodes with the rows that they belong to.
#[derive(Debug, Default)]
pub(super) struct RowLinkList(Vec<RowLink>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowLink {
    pub(super) key: GraphNodeKey,
    pub(super) row: u32,
}

impl FromIterator<RowLink> for RowLinkList {
    fn from_iter<I: IntoIterator<Item = RowLink>>(links: I) -> Self {
        let mut links: Vec<RowLink> = links.into_iter().collect();
        links.sort_unstable();
        links.dedup();
        links.shrink_to_fit();
        Self(links)
    }
}

impl RowLinkList {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = RowLink> + '_ {
        self.0.iter().copied()
    }

    /// Returns the links of a key.
    pub(super) fn links_of(&self, key: GraphNodeKey) -> &[RowLink] {
        let begin = self.0.partition_point(|link| link.key < key);
        let length = self.0[begin..].iter().take_while(|link| link.key == key).count();
        &self.0[begin..begin + length]
    }

    /// Returns the nodes of a graph, if the keys are those of nodes in graphs.
    pub(super) fn nodes_of(&self, graph: TermId) -> impl Iterator<Item = TermId> + '_ {
        let begin = self.0.partition_point(|link| link.key >> 32 < u64::from(graph.number()));
        let of_graph =
            self.0[begin..].iter().take_while(move |link| link.key >> 32 == u64::from(graph.number()));
        of_graph.filter_map(|link| TermId::of_number(link.key as u32))
    }

    /// Starts a walk along the links.
    pub(super) fn walk(&self) -> RowLinkWalk<'_> {
        RowLinkWalk { links: &self.0, at: 0, last: 0 }
    }
}

/// A position in the links, which moves on when the next key is larger.
pub(super) struct RowLinkWalk<'l> {
    links: &'l [RowLink],
    at: usize,
    last: GraphNodeKey,
}

impl<'l> RowLinkWalk<'l> {
    /// Returns the links of a key. This is fast if keys ascend.
    pub(super) fn links_of(&mut self, key: GraphNodeKey) -> &'l [RowLink] {
        if key < self.last {
            self.at = self.links.partition_point(|link| link.key < key);
        }
        self.last = key;
        // Gaps are short if most nodes are wanted, and long if a file has none of them.
        let mut step = 1;
        while self.links.get(self.at + step).is_some_and(|link| link.key < key) {
            self.at += step;
            step *= 2;
        }
        let rest = &self.links[self.at..];
        let near = &rest[..rest.len().min(step + 1)];
        self.at += near.partition_point(|link| link.key < key);
        let rest = &self.links[self.at..];
        &rest[..rest.iter().take_while(|link| link.key == key).count()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_walk_finds_what_a_search_finds(
            links in proptest::collection::vec((0_u64..60, 0_u32..5), 0..80),
            keys in proptest::collection::vec(0_u64..64, 0..60),
        ) {
            let links: RowLinkList = links.into_iter().map(|(key, row)| RowLink { key, row }).collect();
            let mut ascending = keys.clone();
            ascending.sort_unstable();
            for keys in [keys, ascending] {
                let mut walk = links.walk();
                for key in keys {
                    let expected: Vec<RowLink> = links.iter().filter(|link| link.key == key).collect();
                    proptest::prop_assert_eq!(walk.links_of(key), &expected[..]);
                    proptest::prop_assert_eq!(links.links_of(key), &expected[..]);
                }
            }
        }
    }
}
