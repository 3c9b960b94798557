//! The triple with which a path reaches a value: the statement that contains the value, wherever it is in the data.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::cell::Cell;

use super::evaluation::ShapeEvaluation;
use super::path_values::PathDirection;
use super::property_path::PropertyPath;
use evalgraph_store::TermId;

/// How many nodes are examined to find the last step to a value.
const MOST_LOOKED_AT: usize = 10_000;

/// Subject, predicate and object.
type LastStepTriple = [TermId; 3];

/// The search for a last step.
struct LastStepSearch<'e, 'p, 's, 'd> {
    evaluation: &'e ShapeEvaluation<'p, 's, 'd>,
    /// How many more nodes may be examined.
    room: Cell<usize>,
}

impl ShapeEvaluation<'_, '_, '_> {
    /// The triple with which a path reaches a value from a node; none if it does not, if it has no steps, or if the
    /// search takes too long. The search goes backwards, since a node has many values, but few nodes have the same
    /// value.
    pub(super) fn last_step(
        &self,
        node: TermId,
        path: &PropertyPath,
        value: TermId,
    ) -> Option<LastStepTriple> {
        let search = LastStepSearch { evaluation: self, room: Cell::new(MOST_LOOKED_AT) };
        search.step_to(node, path, value, PathDirection::Forwards)
    }
}

impl LastStepSearch<'_, '_, '_, '_> {
    fn step_to(
        &self,
        node: TermId,
        path: &PropertyPath,
        value: TermId,
        direction: PathDirection,
    ) -> Option<LastStepTriple> {
        let backwards = direction.reversed();
        match path {
            PropertyPath::Predicate(_, predicate) => {
                let (subject, object) = match direction {
                    PathDirection::Forwards => (node, value),
                    PathDirection::Backwards => (value, node),
                };
                let predicate = self.evaluation.plan.id(*predicate);
                self.evaluation.triples(Some(subject), Some(predicate), Some(object)).next()
            }
            PropertyPath::Inverse(inner) => self.step_to(node, inner, value, backwards),
            PropertyPath::Alternative(paths) => {
                paths.iter().find_map(|path| self.step_to(node, path, value, direction))
            }
            PropertyPath::ZeroOrOne(inner) => self.step_to(node, inner, value, direction),
            PropertyPath::ZeroOrMore(inner) | PropertyPath::OneOrMore(inner) => {
                let before = self.follow(vec![value], inner, backwards);
                let mut reached =
                    before.into_iter().filter(|from| self.reach(*from, inner, backwards).contains(&node));
                reached.find_map(|from| self.step_to(from, inner, value, direction))
            }
            PropertyPath::Sequence(steps) => {
                let mut steps: Vec<&PropertyPath> = steps.iter().collect();
                if direction == PathDirection::Backwards {
                    steps.reverse();
                }
                self.last_of(node, steps, value, direction)
            }
        }
    }

    /// The last of several steps, or the one before it if the last one may have length zero.
    fn last_of(
        &self,
        node: TermId,
        mut steps: Vec<&PropertyPath>,
        value: TermId,
        direction: PathDirection,
    ) -> Option<LastStepTriple> {
        let backwards = direction.reversed();
        while let Some(last) = steps.pop() {
            let before = self.follow(vec![value], last, backwards);
            let may_be_none = before.contains(&value);
            let follow = |nodes, step: &&PropertyPath| self.follow(nodes, step, backwards);
            let is_reached = |from: &TermId| steps.iter().rev().fold(vec![*from], follow).contains(&node);
            let mut reached = before.into_iter().filter(is_reached);
            let step = reached.find_map(|from| self.step_to(from, last, value, direction));
            if step.is_some() || !may_be_none {
                return step;
            }
        }
        None
    }

    /// The nodes that a path leads to, up to the limit.
    fn follow(&self, nodes: Vec<TermId>, path: &PropertyPath, direction: PathDirection) -> Vec<TermId> {
        let (count, mut found) = (nodes.len(), nodes);
        let most = count + self.room.get();
        self.evaluation.follow(0..count, path, direction, &mut found, most);
        found.drain(..count);
        self.looked_at(&found);
        found
    }

    /// A node and all nodes that are reached from it by repeating a path.
    fn reach(&self, node: TermId, path: &PropertyPath, direction: PathDirection) -> Vec<TermId> {
        let mut found = vec![node];
        self.evaluation.reach(0, path, direction, &mut found, 1 + self.room.get());
        self.looked_at(&found);
        found
    }

    fn looked_at(&self, found: &[TermId]) {
        self.room.set(self.room.get().saturating_sub(found.len() + 1));
    }
}
