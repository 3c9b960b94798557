//! Framing, `frame()` step 21: removes blank node identifiers that occur only once, because they have no meaning.
//!
//! Recurses by level of the result, which framing limits.

use crate::expanded_arena::{ExpandedArena, ExpandedElement};
use crate::flattening::blank_node_identifiers::is_blank;
use crate::name_interner::{InternedName, NameInterner};

/// Counts how often each blank node identifier occurs in a result: once, or more often.
struct BlankNodeOccurrences<'n> {
    names: &'n NameInterner,
    by_name: Vec<u8>,
}

/// Removes ids that are blank node identifiers and occur only once.
pub(crate) fn prune(arena: &mut ExpandedArena, names: &NameInterner) {
    let mut counts = BlankNodeOccurrences { names, by_name: vec![0; names.len()] };
    let mut nodes = Vec::new();
    counts.elements(arena, &arena.top, &mut nodes);
    for node in nodes {
        let node = &mut arena.nodes[node as usize];
        if node.id.and_then(|id| id.name).is_some_and(|name| counts.by_name[name.index()] == 1) {
            node.id = None;
        }
    }
}

impl BlankNodeOccurrences<'_> {
    /// Counts the identifiers in some elements, and collects the nodes that have one.
    fn elements(&mut self, arena: &ExpandedArena, elements: &[ExpandedElement], nodes: &mut Vec<u32>) {
        for &element in elements {
            match element {
                ExpandedElement::Node(node) => {
                    if let Some(name) = arena.node(node).id.and_then(|id| id.name)
                        && self.count(name)
                    {
                        nodes.push(node);
                    }
                    for property in arena.properties(node) {
                        self.elements(arena, arena.values(property), nodes);
                    }
                }
                ExpandedElement::List(list) => self.elements(arena, arena.items(arena.list(list)), nodes),
                ExpandedElement::Type { name, .. } => {
                    self.count(name);
                }
                _ => {}
            }
        }
    }

    /// Counts a name if it is a blank node identifier; returns `false` for other names.
    fn count(&mut self, name: InternedName) -> bool {
        let is_blank = is_blank(self.names.text(name));
        if is_blank {
            self.by_name[name.index()] = self.by_name[name.index()].saturating_add(1);
        }
        is_blank
    }
}
