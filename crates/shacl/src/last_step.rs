//! The triple with which a path reaches a value: the statement that has the value, wherever in the data it stands.

use std::cell::Cell;

use super::evaluation::Evaluation;
use super::path::Path;
use super::path_values::Direction;
use evalgraph_store::TermId;

/// How many nodes are looked at to find the last step to a value.
const MOST_LOOKED_AT: usize = 10_000;

/// Subject, predicate and object.
type EncodedTriple = [TermId; 3];

/// The search for a last step.
struct Search<'e, 'p, 's, 'd> {
    evaluation: &'e Evaluation<'p, 's, 'd>,
    /// How many more nodes are looked at.
    room: Cell<usize>,
}

impl Evaluation<'_, '_, '_> {
    /// The triple with which a path reaches a value at a node; none where it does not, or has no step to make, or
    /// where that takes long to tell. The search goes backwards, for a node has many values, and a value is of few nodes.
    pub(super) fn last_step(&self, node: TermId, path: &Path, value: TermId) -> Option<EncodedTriple> {
        let search = Search { evaluation: self, room: Cell::new(MOST_LOOKED_AT) };
        search.step_to(node, path, value, Direction::Forwards)
    }
}

impl Search<'_, '_, '_, '_> {
    fn step_to(
        &self,
        node: TermId,
        path: &Path,
        value: TermId,
        direction: Direction,
    ) -> Option<EncodedTriple> {
        let backwards = direction.reversed();
        match path {
            Path::Predicate(_, predicate) => {
                let (subject, object) = match direction {
                    Direction::Forwards => (node, value),
                    Direction::Backwards => (value, node),
                };
                let predicate = self.evaluation.plan.id(*predicate);
                self.evaluation.triples(Some(subject), Some(predicate), Some(object)).next()
            }
            Path::Inverse(inner) => self.step_to(node, inner, value, backwards),
            Path::Alternative(paths) => {
                paths.iter().find_map(|path| self.step_to(node, path, value, direction))
            }
            Path::ZeroOrOne(inner) => self.step_to(node, inner, value, direction),
            Path::ZeroOrMore(inner) | Path::OneOrMore(inner) => {
                let before = self.follow(vec![value], inner, backwards);
                let mut reached =
                    before.into_iter().filter(|from| self.reach(*from, inner, backwards).contains(&node));
                reached.find_map(|from| self.step_to(from, inner, value, direction))
            }
            Path::Sequence(steps) => {
                let mut steps: Vec<&Path> = steps.iter().collect();
                if direction == Direction::Backwards {
                    steps.reverse();
                }
                self.last_of(node, steps, value, direction)
            }
        }
    }

    /// The last of several steps, or the one before it where the last one may have no length.
    fn last_of(
        &self,
        node: TermId,
        mut steps: Vec<&Path>,
        value: TermId,
        direction: Direction,
    ) -> Option<EncodedTriple> {
        let backwards = direction.reversed();
        while let Some(last) = steps.pop() {
            let before = self.follow(vec![value], last, backwards);
            let may_be_none = before.contains(&value);
            let follow = |nodes, step: &&Path| self.follow(nodes, step, backwards);
            let is_reached = |from: &TermId| steps.iter().rev().fold(vec![*from], follow).contains(&node);
            let mut reached = before.into_iter().filter(is_reached);
            let step = reached.find_map(|from| self.step_to(from, last, value, direction));
            if step.is_some() || !may_be_none {
                return step;
            }
        }
        None
    }

    /// The nodes that a path leads to, as many as there is room for.
    fn follow(&self, nodes: Vec<TermId>, path: &Path, direction: Direction) -> Vec<TermId> {
        let (count, mut found) = (nodes.len(), nodes);
        let most = count + self.room.get();
        self.evaluation.follow(0..count, path, direction, &mut found, most);
        found.drain(..count);
        self.looked_at(&found);
        found
    }

    /// A node and the nodes that a path leads to from it, again and again.
    fn reach(&self, node: TermId, path: &Path, direction: Direction) -> Vec<TermId> {
        let mut found = vec![node];
        self.evaluation.reach(0, path, direction, &mut found, 1 + self.room.get());
        self.looked_at(&found);
        found
    }

    fn looked_at(&self, found: &[TermId]) {
        self.room.set(self.room.get().saturating_sub(found.len() + 1));
    }
}
