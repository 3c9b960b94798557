//! The values of a property path at a node (SPARQL 1.1, section 9), each once.

use std::collections::HashSet;

use super::evaluation::Evaluation;
use super::path::Path;
use crate::store::TermId;

/// The direction in which a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

impl Direction {
    fn reversed(self) -> Self {
        match self {
            Self::Forwards => Self::Backwards,
            Self::Backwards => Self::Forwards,
        }
    }
}

impl Evaluation<'_, '_, '_> {
    /// Appends the values of a path at a node.
    pub(super) fn push_values(&self, node: TermId, path: &Path, values: &mut Vec<TermId>) {
        match path {
            Path::Predicate(_, predicate) => {
                let predicate = self.plan.id(*predicate);
                values.extend(self.triples(Some(node), Some(predicate), None).map(|[.., object]| object));
            }
            Path::Inverse(inner) if inner.as_predicate().is_some() => {
                values.extend(self.step(&[node], inner, Direction::Backwards));
            }
            _ => values.extend(self.follow(vec![node], path, Direction::Forwards)),
        }
    }

    /// The nodes that a predicate leads to.
    fn step(&self, nodes: &[TermId], path: &Path, direction: Direction) -> Vec<TermId> {
        let Path::Predicate(_, predicate) = path else { return Vec::new() };
        let predicate = Some(self.plan.id(*predicate));
        let mut found = Vec::new();
        for node in nodes {
            match direction {
                Direction::Forwards => {
                    found.extend(self.triples(Some(*node), predicate, None).map(|[.., object]| object));
                }
                Direction::Backwards => {
                    found.extend(self.triples(None, predicate, Some(*node)).map(|[subject, ..]| subject));
                }
            }
        }
        if nodes.len() > 1 { distinct(found) } else { found }
    }

    /// The nodes that a path leads to, each once. Paths are nested no deeper than their reader allows.
    fn follow(&self, nodes: Vec<TermId>, path: &Path, direction: Direction) -> Vec<TermId> {
        match path {
            Path::Predicate(..) => self.step(&nodes, path, direction),
            Path::Inverse(inner) => self.follow(nodes, inner, direction.reversed()),
            Path::Sequence(steps) => {
                let follow = |nodes, step: &Path| self.follow(nodes, step, direction);
                match direction {
                    Direction::Forwards => steps.iter().fold(nodes, follow),
                    Direction::Backwards => steps.iter().rev().fold(nodes, follow),
                }
            }
            Path::Alternative(paths) => {
                let found = paths.iter().flat_map(|path| self.follow(nodes.clone(), path, direction));
                distinct(found.collect())
            }
            Path::ZeroOrOne(inner) => {
                let mut found = nodes.clone();
                found.extend(self.follow(nodes, inner, direction));
                distinct(found)
            }
            Path::ZeroOrMore(inner) => self.reach(nodes, inner, direction),
            Path::OneOrMore(inner) => {
                let first = self.follow(nodes, inner, direction);
                self.reach(first, inner, direction)
            }
        }
    }

    /// The nodes themselves, and all that the path leads to from them, again and again.
    fn reach(&self, nodes: Vec<TermId>, path: &Path, direction: Direction) -> Vec<TermId> {
        let mut found = distinct(nodes);
        let mut seen: HashSet<TermId> = found.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            let fresh = self.follow(found[next..].to_vec(), path, direction);
            next = found.len();
            found.extend(fresh.into_iter().filter(|node| seen.insert(*node)));
        }
        found
    }
}

fn distinct(mut nodes: Vec<TermId>) -> Vec<TermId> {
    if nodes.len() < 2 {
        return nodes;
    }
    let mut seen = HashSet::with_capacity(nodes.len());
    nodes.retain(|node| seen.insert(*node));
    nodes
}
