//! Quads of numbers in six orders, so that the quads that match any pattern are neighbours in one of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::collected_terms::CollectedNumber;

/// A quad: subject, predicate, object and graph.
pub(crate) type NumberedQuad = [CollectedNumber; 4];

/// The known terms of the quads that are wanted: subject, predicate, object and graph.
pub(crate) type NumberedPattern = [Option<CollectedNumber>; 4];

/// The places of a quad in each order. Those that end with the graph have equal triples side by side.
const ORDERS: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 1, 2], [3, 1, 2, 0], [3, 2, 0, 1]];

/// The place of the order by subjects, and of that by graphs.
const BY_SUBJECT: usize = 0;
const BY_GRAPH: usize = 3;

/// Many quads are merged into an order at once if they are at least this part of those that are there.
const MERGED_PART: usize = 8;

/// Quads, each once, and the graphs that have them.
#[derive(Debug, Default)]
pub(crate) struct QuadOrders {
    orders: [BTreeSet<NumberedQuad>; 6],
    /// How many quads each graph has. A graph stays when its last quad is removed.
    graphs: BTreeMap<CollectedNumber, usize>,
    /// How many different triples the graphs have.
    triples: usize,
}

fn ordered(quad: NumberedQuad, order: usize) -> NumberedQuad {
    ORDERS[order].map(|place| quad[place])
}

/// Returns the quad of a row of an order.
fn unordered(row: NumberedQuad, order: usize) -> NumberedQuad {
    let mut quad = [0; 4];
    for (place, number) in ORDERS[order].into_iter().zip(row) {
        quad[place] = number;
    }
    quad
}

impl QuadOrders {
    /// Adds a quad. Returns whether it is new.
    pub(crate) fn insert(&mut self, quad: NumberedQuad) -> bool {
        let count = self.graphs.entry(quad[3]).or_default();
        for (order, rows) in self.orders.iter_mut().enumerate() {
            if !rows.insert(ordered(quad, order)) {
                return false;
            }
        }
        *count += 1;
        if !self.is_in_two_graphs(quad) {
            self.triples += 1;
        }
        true
    }

    /// Adds many quads.
    pub(crate) fn extend(&mut self, mut quads: Vec<NumberedQuad>) {
        if quads.len() < self.len() / MERGED_PART {
            for quad in quads {
                self.insert(quad);
            }
            return;
        }
        for (order, rows) in self.orders.iter_mut().enumerate() {
            let mut new: Vec<NumberedQuad> = quads.iter().map(|quad| ordered(*quad, order)).collect();
            new.sort_unstable();
            new.dedup();
            // A set is built from sorted rows, and two sets are merged, in linear time.
            let mut new: BTreeSet<NumberedQuad> = new.into_iter().collect();
            rows.append(&mut new);
        }
        quads.sort_unstable_by_key(|quad| quad[3]);
        quads.dedup_by_key(|quad| quad[3]);
        for [.., graph] in quads {
            let count = self.matching([None, None, None, Some(graph)], None).count();
            self.graphs.insert(graph, count);
        }
        let mut last = None;
        self.triples = 0;
        for [subject, predicate, object, _] in &self.orders[BY_SUBJECT] {
            let triple = Some([*subject, *predicate, *object]);
            self.triples += usize::from(last != triple);
            last = triple;
        }
    }

    /// Removes a quad. Returns whether it was there.
    pub(crate) fn remove(&mut self, quad: NumberedQuad) -> bool {
        let mut was_there = false;
        for (order, rows) in self.orders.iter_mut().enumerate() {
            was_there = rows.remove(&ordered(quad, order));
            if !was_there {
                return false;
            }
        }
        if let Some(count) = self.graphs.get_mut(&quad[3]) {
            *count -= 1;
        }
        let [subject, predicate, object, _] = quad;
        if self.matching([Some(subject), Some(predicate), Some(object), None], None).next().is_none() {
            self.triples -= 1;
        }
        was_there
    }

    /// Returns whether the triple of a quad is also in another graph.
    fn is_in_two_graphs(&self, [subject, predicate, object, _]: NumberedQuad) -> bool {
        self.graphs.len() > 1
            && self.matching([Some(subject), Some(predicate), Some(object), None], None).nth(1).is_some()
    }

    /// Returns the quads that match a pattern, in one order. `after` is the last quad of an earlier iteration, which
    /// goes on after it.
    pub(crate) fn matching(
        &self,
        pattern: NumberedPattern,
        after: Option<NumberedQuad>,
    ) -> impl Iterator<Item = NumberedQuad> {
        let order = order_for(pattern);
        let prefix = ORDERS[order].map(|place| pattern[place]);
        let mut first = prefix.map(|number| number.unwrap_or(0));
        let last = prefix.map(|number| number.unwrap_or(CollectedNumber::MAX));
        let after = after.map(|quad| ordered(quad, order));
        if let Some(row) = after {
            first = row;
        }
        let rows = self.orders[order].range(first..=last);
        rows.skip_while(move |row| after.as_ref() == Some(*row)).map(move |row| unordered(*row, order))
    }

    /// Returns how many quads there are.
    pub(crate) fn len(&self) -> usize {
        self.orders[BY_SUBJECT].len()
    }

    /// Returns how many different triples there are in all graphs, or in one.
    pub(crate) fn triple_count(&self, graph: Option<CollectedNumber>) -> usize {
        match graph {
            None => self.triples,
            Some(graph) => self.graphs.get(&graph).copied().unwrap_or_default(),
        }
    }

    /// The graphs, including those that are empty.
    pub(crate) fn graphs(&self) -> impl Iterator<Item = CollectedNumber> + '_ {
        self.graphs.keys().copied()
    }

    /// Returns whether there is a graph of that name.
    pub(crate) fn has_graph(&self, graph: CollectedNumber) -> bool {
        self.graphs.contains_key(&graph)
    }

    /// Adds an empty graph, unless it is there.
    pub(crate) fn add_graph(&mut self, graph: CollectedNumber) {
        self.graphs.entry(graph).or_default();
    }

    /// Removes a graph with its quads.
    pub(crate) fn remove_graph(&mut self, graph: CollectedNumber) {
        for quad in self.matching([None, None, None, Some(graph)], None).collect::<Vec<_>>() {
            self.remove(quad);
        }
        self.graphs.remove(&graph);
    }

    /// All quads, graph by graph.
    pub(crate) fn by_graph(&self) -> impl Iterator<Item = NumberedQuad> + '_ {
        self.orders[BY_GRAPH].iter().map(|row| unordered(*row, BY_GRAPH))
    }
}

/// Returns an order in which the known terms of a pattern come first.
fn order_for([subject, predicate, object, graph]: NumberedPattern) -> usize {
    let of_triple = match (subject, predicate, object) {
        (Some(_), None, Some(_)) => 2,
        (Some(_), ..) | (None, None, None) => BY_SUBJECT,
        (None, Some(_), _) => 1,
        (None, None, Some(_)) => 2,
    };
    // A whole triple is found in any order, and its graph comes last in the first three.
    let is_whole = subject.is_some() && predicate.is_some() && object.is_some();
    if graph.is_some() && !is_whole { of_triple + BY_GRAPH } else { of_triple }
}
