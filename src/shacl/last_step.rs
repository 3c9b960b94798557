//! The triple with which a path reaches a value: the statement that has the value, wherever in the data it stands.

use super::evaluation::Evaluation;
use super::path::Path;
use super::path_values::Direction;
use crate::store::TermId;

/// Subject, predicate and object.
type EncodedTriple = [TermId; 3];

impl Evaluation<'_, '_, '_> {
    /// The triple with which a path reaches a value at a node; none where it does not, or has no step to make.
    pub(super) fn last_step(&self, node: TermId, path: &Path, value: TermId) -> Option<EncodedTriple> {
        self.step_to(&[node], path, value, Direction::Forwards)
    }

    fn step_to(
        &self,
        nodes: &[TermId],
        path: &Path,
        value: TermId,
        direction: Direction,
    ) -> Option<EncodedTriple> {
        match path {
            Path::Predicate(_, predicate) => nodes.iter().find_map(|node| {
                let (subject, object) = match direction {
                    Direction::Forwards => (*node, value),
                    Direction::Backwards => (value, *node),
                };
                self.triples(Some(subject), Some(self.plan.id(*predicate)), Some(object)).next()
            }),
            Path::Inverse(inner) => self.step_to(nodes, inner, value, direction.reversed()),
            Path::Sequence(steps) => self.last_of(nodes, steps, value, direction),
            Path::Alternative(paths) => {
                paths.iter().find_map(|path| self.step_to(nodes, path, value, direction))
            }
            Path::ZeroOrOne(inner) => self.step_to(nodes, inner, value, direction),
            Path::ZeroOrMore(inner) | Path::OneOrMore(inner) => {
                let mut reached = nodes.to_vec();
                self.reach(0, inner, direction, &mut reached);
                self.step_to(&reached, inner, value, direction)
            }
        }
    }

    /// The last of several steps one after the other, or an earlier one where the last may be none.
    fn last_of(
        &self,
        nodes: &[TermId],
        steps: &[Path],
        value: TermId,
        direction: Direction,
    ) -> Option<EncodedTriple> {
        let (last, before) = match direction {
            Direction::Forwards => steps.split_last()?,
            Direction::Backwards => steps.split_first()?,
        };
        let follow = |nodes: Vec<TermId>, step: &Path| {
            let (count, mut reached) = (nodes.len(), nodes);
            self.follow(0..count, step, direction, &mut reached);
            reached.drain(..count);
            reached
        };
        let reached = match direction {
            Direction::Forwards => before.iter().fold(nodes.to_vec(), follow),
            Direction::Backwards => before.iter().rev().fold(nodes.to_vec(), follow),
        };
        self.step_to(&reached, last, value, direction)
            .or_else(|| self.last_of(nodes, before, value, direction))
    }
}
