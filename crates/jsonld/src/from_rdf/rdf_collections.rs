//! Serialize RDF as JSON-LD (section 8.4, step 6): RDF collections as list objects.
//!
//! Each list is found from its end, because only a chain that ends in `rdf:nil` is a list. Each node is visited once,
//! so a chain takes as many steps as it has nodes. A cycle has no end, so it is never entered.

use crate::from_rdf::blank_node_usages::{BlankNodeUsages, KnownTerms};
use crate::json_ld_options::ProcessingMode;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId};
use std::ops::Range;

/// How deep lists may nest. Deeper lists stay nodes, because the JSON would be too deep for readers, including the one
/// of this crate.
const MOST_LEVELS: u32 = 200;

/// Marks a node that is not in a list.
const NONE: u32 = u32::MAX;

/// The lists of a dataset.
#[derive(Debug, Default)]
pub(crate) struct CollectionTable {
    lists: Vec<RdfCollection>,
    items: Vec<BufferTermId>,
    /// The list of each blank node, by its number.
    list_of: Vec<u32>,
}

#[derive(Debug, Clone)]
struct RdfCollection {
    /// The number of the first node.
    head: u32,
    /// The subject of the one quad that refers to the head.
    referrer: BufferTermId,
    items: Range<usize>,
    depth: CollectionDepth,
    /// `true` if its nodes are not folded into a list.
    is_kept: bool,
}

/// How deep a list is nested, counting itself.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CollectionDepth {
    Unknown,
    OnPath,
    Known(u32),
}

impl CollectionTable {
    pub(crate) fn find(
        quads: &QuadBuffer,
        nodes: &BlankNodeUsages<'_>,
        terms: &KnownTerms,
        mode: ProcessingMode,
    ) -> Self {
        let mut lists = Self::default();
        // Step 6.2: without `rdf:nil` there are no lists.
        let (Some(nil), Some(rest)) = (terms.nil, terms.rest) else {
            return lists;
        };
        lists.list_of = vec![NONE; quads.blank_node_count()];
        for usage in quads.quads().iter().filter(|quad| quad.object == nil && quad.predicate == rest) {
            let mut chain = CollectionWalk { quads, nodes, terms, cells: Vec::new(), usage: *usage };
            chain.walk(rest);
            if mode == ProcessingMode::JsonLd1_0 && Some(chain.usage.predicate) == terms.first {
                // In 1.0 a list cannot contain a list: the first node of the inner list stays a node.
                if let Some((_, _, usage)) = chain.cells.pop() {
                    chain.usage = usage;
                }
            }
            lists.add(&chain);
        }
        lists.limit_depth(quads);
        lists
    }

    fn add(&mut self, chain: &CollectionWalk<'_, '_>) {
        let Some(&(head, ..)) = chain.cells.last() else {
            return;
        };
        let start = self.items.len();
        for &(number, first, _) in chain.cells.iter().rev() {
            self.list_of[number as usize] = self.lists.len() as u32;
            self.items.push(first);
        }
        let items = start..self.items.len();
        self.lists.push(RdfCollection {
            head,
            referrer: chain.usage.subject,
            items,
            depth: CollectionDepth::Unknown,
            is_kept: false,
        });
    }

    /// Returns the list that a list node belongs to.
    fn list_of(&self, number: u32) -> Option<usize> {
        self.list_of.get(number as usize).filter(|&&list| list != NONE).map(|&list| list as usize)
    }

    /// Turns lists back into nodes if they would nest too deep or inside themselves. The depth of lists inside them is
    /// counted from there.
    fn limit_depth(&mut self, quads: &QuadBuffer) {
        for start in 0..self.lists.len() {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(list) = at
                && self.lists[list].depth == CollectionDepth::Unknown
            {
                self.lists[list].depth = CollectionDepth::OnPath;
                path.push(list);
                at = quads.blank_node_number(self.lists[list].referrer).and_then(|node| self.list_of(node));
            }
            let mut depth = match at.map(|list| (list, self.lists[list].depth)) {
                Some((_, CollectionDepth::Known(depth))) => depth,
                Some((list, _)) => {
                    self.lists[list].is_kept = true;
                    0
                }
                None => 0,
            };
            for list in path.into_iter().rev() {
                let list = &mut self.lists[list];
                list.is_kept |= depth == MOST_LEVELS;
                depth = if list.is_kept { 0 } else { depth + 1 };
                list.depth = CollectionDepth::Known(depth);
            }
        }
    }

    /// Returns whether a blank node is part of a list, so it does not become a node of the result.
    pub(crate) fn holds(&self, number: u32) -> bool {
        self.list_of(number).is_some_and(|list| !self.lists[list].is_kept)
    }

    /// Returns the items of the list that begins with a blank node.
    pub(crate) fn items(&self, head: u32) -> Option<Range<usize>> {
        let list = &self.lists[self.list_of(head)?];
        (list.head == head && !list.is_kept).then(|| list.items.clone())
    }

    /// Returns an item by position.
    pub(crate) fn item(&self, at: usize) -> BufferTermId {
        self.items[at]
    }
}

/// A walk backwards from `rdf:nil` to the head of a list.
struct CollectionWalk<'c, 'q> {
    quads: &'q QuadBuffer,
    nodes: &'c BlankNodeUsages<'q>,
    terms: &'c KnownTerms,
    /// The nodes from last to first: number, item, and the quad that links the node to the previous one.
    cells: Vec<(u32, BufferTermId, BufferQuad)>,
    /// The quad whose object is the part of the list that was walked so far.
    usage: BufferQuad,
}

impl CollectionWalk<'_, '_> {
    /// Step 6.4.3.
    fn walk(&mut self, rest: BufferTermId) {
        while self.usage.predicate == rest
            && let Some(number) = self.quads.blank_node_number(self.usage.subject)
            && let Some((usage, statements)) = self.nodes.referenced_once(number)
            && let Some(first) = self.first(statements)
        {
            self.cells.push((number, first, self.usage));
            self.usage = usage;
        }
    }

    /// Returns the item of a well-formed list node: the node has one `rdf:first` and one `rdf:rest`, perhaps the type
    /// `rdf:List`, and nothing else.
    fn first(&self, statements: &[u32]) -> Option<BufferTermId> {
        if statements.len() > 3 {
            return None;
        }
        let terms = self.terms;
        let (mut first, mut has_rest, mut is_typed) = (None, false, false);
        for &at in statements {
            let quad = &self.quads.quads()[at as usize];
            let predicate = Some(quad.predicate);
            if predicate == terms.first && first.is_none() {
                first = Some(quad.object);
            } else if predicate == terms.rest && !has_rest {
                has_rest = true;
            } else if predicate == terms.rdf_type && Some(quad.object) == terms.list && !is_typed {
                is_typed = true;
            } else {
                return None;
            }
        }
        first.filter(|_| has_rest)
    }
}
