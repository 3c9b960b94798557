//! Keeps account of which statements of a graph have been read.

use crate::rdf::quad_buffer::TermId;
use crate::source::rewriting::Graph;
use std::collections::BTreeMap;

/// How many nodes are named of each class and property.
const NODES: usize = 3;

/// A graph, and which of its statements were read so far.
#[derive(Debug)]
pub struct Reading<'g> {
    graph: &'g Graph<'g>,
    /// By number of the statement.
    is_read: Vec<bool>,
}

/// Statements that are not in the file, by property and class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The local name of the class of the nodes; empty where they have none.
    pub class: String,
    /// The local name of the property.
    pub property: String,
    /// How many there are.
    pub count: u64,
    /// The first of their nodes.
    pub nodes: Vec<TermId>,
}

impl<'g> Reading<'g> {
    /// Nothing read yet.
    pub fn of(graph: &'g Graph<'g>) -> Self {
        Self { graph, is_read: vec![false; graph.statement_count()] }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph<'g> {
        self.graph
    }

    /// Notes that a statement was read.
    pub fn read(&mut self, number: usize) {
        self.is_read[number] = true;
    }

    /// Notes that what a node is said to be was read, where it is one of these classes.
    pub fn read_classes(&mut self, node: TermId, is_known: impl Fn(TermId) -> bool) {
        for number in self.graph.statement_numbers(node) {
            let (predicate, object) = self.graph.statement(number);
            if Some(predicate) == self.graph.rdf_type() && is_known(object) {
                self.is_read[number] = true;
            }
        }
    }

    /// What was not read, in the order of class and property.
    pub fn unread(&self) -> Vec<Unread> {
        let graph = self.graph;
        let rdf_type = graph.rdf_type();
        let local = |term: TermId| graph.local_name(term).unwrap_or_default().to_owned();
        let mut found: BTreeMap<(String, String), (u64, Vec<TermId>)> = BTreeMap::new();
        for &node in graph.subjects() {
            for number in graph.statement_numbers(node).filter(|&number| !self.is_read[number]) {
                let (predicate, object) = graph.statement(number);
                let mut classes = rdf_type.into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
                let class = if Some(predicate) == rdf_type { Some(object) } else { classes.next() };
                let key = (class.map(local).unwrap_or_default(), local(predicate));
                let (count, nodes) = found.entry(key).or_default();
                *count += 1;
                if nodes.len() < NODES && nodes.last() != Some(&node) {
                    nodes.push(node);
                }
            }
        }
        let unread = |((class, property), (count, nodes))| Unread { class, property, count, nodes };
        found.into_iter().map(unread).collect()
    }
}
