//! Tracks which statements of a graph have been read.

use crate::rewriting::IndexedGraph;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use std::collections::BTreeMap;

/// The most nodes that are kept for each class and property.
const NODES: usize = 3;

/// Unread statements by class and property: their number, and the first nodes.
type UnreadCounts = BTreeMap<(String, String), (u64, Vec<BufferTermId>)>;

fn add(found: &mut UnreadCounts, class: String, property: String, node: BufferTermId) {
    let (count, nodes) = found.entry((class, property)).or_default();
    *count += 1;
    if nodes.len() < NODES && nodes.last() != Some(&node) {
        nodes.push(node);
    }
}

/// A graph, and which of its statements have been read.
#[derive(Debug)]
pub struct TrackedGraph<'g> {
    graph: &'g IndexedGraph<'g>,
    /// `true` for each statement that was read, by the statement's number.
    is_read: Vec<bool>,
}

/// Unread statements with the same class and property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadStatements {
    /// The local name of the nodes' class; empty if they have none.
    pub class: String,
    /// The local name of the property.
    pub property: String,
    /// The number of statements.
    pub count: u64,
    /// The first of their nodes.
    pub nodes: Vec<BufferTermId>,
}

impl<'g> TrackedGraph<'g> {
    /// Tracks a graph of which nothing has been read.
    pub fn new(graph: &'g IndexedGraph<'g>) -> Self {
        Self { graph, is_read: vec![false; graph.statement_count()] }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &'g IndexedGraph<'g> {
        self.graph
    }

    /// Marks a statement as read.
    pub fn read(&mut self, number: usize) {
        self.is_read[number] = true;
    }

    /// Marks the known classes of a node as read.
    pub fn read_classes(&mut self, node: BufferTermId, is_known: impl Fn(BufferTermId) -> bool) {
        for number in self.graph.statement_numbers(node) {
            let (predicate, object) = self.graph.statement(number);
            if Some(predicate) == self.graph.rdf_type() && is_known(object) {
                self.is_read[number] = true;
            }
        }
    }

    /// Returns the name of a `PropertyValue` node, if neither its name nor its value was read.
    fn property_name(&self, node: BufferTermId) -> Option<&'g str> {
        let graph = self.graph;
        let of = |local: &str| {
            let mut numbers = graph.statement_numbers(node);
            numbers.find(|&number| graph.local_name(graph.statement(number).0) == Some(local))
        };
        let is_property = graph.rdf_type().is_some_and(|rdf_type| {
            graph.objects(node, rdf_type).any(|class| graph.local_name(class) == Some("PropertyValue"))
        });
        let (name, value) = of("name").zip(of("value")).filter(|_| is_property)?;
        match graph.quads().term(graph.statement(name).1) {
            TermRef::Literal { lexical, .. } if !(self.is_read[name] || self.is_read[value]) => Some(lexical),
            _ => None,
        }
    }

    /// Returns the unread statements, sorted by class and property.
    pub fn unread(&self) -> Vec<UnreadStatements> {
        let graph = self.graph;
        let rdf_type = graph.rdf_type();
        let local = |term: BufferTermId| graph.local_name(term).unwrap_or_default().to_owned();
        let mut found = UnreadCounts::new();
        for &node in graph.subjects() {
            let property = self.property_name(node);
            for number in graph.statement_numbers(node).filter(|&number| !self.is_read[number]) {
                let (predicate, object) = graph.statement(number);
                if let Some(name) = property {
                    // A `PropertyValue` is reported by its name, once.
                    match local(predicate).as_str() {
                        "value" => {
                            add(&mut found, "PropertyValue".to_owned(), name.to_owned(), node);
                            continue;
                        }
                        "name" | "type" => continue,
                        _ => {}
                    }
                }
                let mut classes = rdf_type.into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
                let class = if Some(predicate) == rdf_type { Some(object) } else { classes.next() };
                add(&mut found, class.map(local).unwrap_or_default(), local(predicate), node);
            }
        }
        let unread = |((class, property), (count, nodes))| UnreadStatements { class, property, count, nodes };
        found.into_iter().map(unread).collect()
    }
}
