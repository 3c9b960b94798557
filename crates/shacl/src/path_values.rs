//! The values of a property path at a node (SPARQL 1.1, section 9), each once.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::collections::HashSet;
use std::ops::Range;

use super::evaluation::ShapeEvaluation;
use super::ids::ConstantId;
use super::property_path::PropertyPath;
use evalgraph_store::TermId;

/// The direction in which a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathDirection {
    Forwards,
    Backwards,
}

impl PathDirection {
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Forwards => Self::Backwards,
            Self::Backwards => Self::Forwards,
        }
    }
}

impl ShapeEvaluation<'_, '_, '_> {
    /// Appends the values of a path at a node. While a path is followed, intermediate nodes are kept after the values,
    /// so nothing is allocated except for repeated paths.
    pub(super) fn push_values(&self, node: TermId, path: &PropertyPath, values: &mut Vec<TermId>) {
        let start = values.len();
        values.push(node);
        self.follow(start..start + 1, path, PathDirection::Forwards, values, usize::MAX);
        values.remove(start);
    }

    /// Appends the nodes that a path leads to from some of the values, each once, while there are fewer than `most`
    /// values. The reader of paths limits their nesting.
    pub(super) fn follow(
        &self,
        from: Range<usize>,
        path: &PropertyPath,
        direction: PathDirection,
        values: &mut Vec<TermId>,
        most: usize,
    ) {
        let start = values.len();
        match path {
            PropertyPath::Predicate(_, predicate) => self.step(from, *predicate, direction, values, most),
            PropertyPath::Inverse(inner) => self.follow(from, inner, direction.reversed(), values, most),
            PropertyPath::Sequence(steps) => {
                let mut reached = from;
                for number in 0..steps.len() {
                    let step = match direction {
                        PathDirection::Forwards => &steps[number],
                        PathDirection::Backwards => &steps[steps.len() - 1 - number],
                    };
                    let next = values.len();
                    self.follow(reached, step, direction, values, most);
                    reached = next..values.len();
                }
                values.drain(start..reached.start);
            }
            PropertyPath::Alternative(paths) => {
                for path in paths {
                    self.follow(from.clone(), path, direction, values, most);
                }
                keep_distinct(values, start);
            }
            PropertyPath::ZeroOrOne(inner) => {
                values.extend_from_within(from.clone());
                self.follow(from, inner, direction, values, most);
                keep_distinct(values, start);
            }
            PropertyPath::ZeroOrMore(inner) => {
                values.extend_from_within(from);
                self.reach(start, inner, direction, values, most);
            }
            PropertyPath::OneOrMore(inner) => {
                self.follow(from, inner, direction, values, most);
                self.reach(start, inner, direction, values, most);
            }
        }
    }

    /// Appends the nodes that a predicate leads to.
    fn step(
        &self,
        from: Range<usize>,
        predicate: ConstantId,
        direction: PathDirection,
        values: &mut Vec<TermId>,
        most: usize,
    ) {
        let (start, is_one) = (values.len(), from.len() < 2);
        let predicate = Some(self.plan.id(predicate));
        for place in from {
            let node = Some(values[place]);
            let room = most.saturating_sub(values.len());
            match direction {
                PathDirection::Forwards => {
                    let triples = self.triples(node, predicate, None).take(room);
                    values.extend(triples.map(|[.., object]| object));
                }
                PathDirection::Backwards => {
                    let triples = self.triples(None, predicate, node).take(room);
                    values.extend(triples.map(|[subject, ..]| subject));
                }
            }
        }
        if !is_one {
            keep_distinct(values, start);
        }
    }

    /// Appends all nodes that are reached by repeating the path from the values after a position.
    pub(super) fn reach(
        &self,
        start: usize,
        path: &PropertyPath,
        direction: PathDirection,
        values: &mut Vec<TermId>,
        most: usize,
    ) {
        keep_distinct(values, start);
        let mut seen: HashSet<TermId> = values[start..].iter().copied().collect();
        let mut next = start;
        while next < values.len() {
            let end = values.len();
            self.follow(next..end, path, direction, values, most);
            let mut kept = end;
            for place in end..values.len() {
                if seen.insert(values[place]) {
                    values[kept] = values[place];
                    kept += 1;
                }
            }
            values.truncate(kept);
            next = end;
        }
    }
}

/// Sorts the values after a position, and removes duplicates.
fn keep_distinct(values: &mut Vec<TermId>, start: usize) {
    values[start..].sort_unstable();
    let mut kept = start;
    for place in start..values.len() {
        if place == start || values[place] != values[kept - 1] {
            values[kept] = values[place];
            kept += 1;
        }
    }
    values.truncate(kept);
}
