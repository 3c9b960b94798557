//! Conformance as a condition on a variable: shapes become parts of the queries of the shapes that refer to them.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::Variable;
use spargebra::algebra::Expression;

use super::algebra_builders::{all, any, boolean, exists, filtered, join, not, same_term, step};
use super::failures::ConstraintFailure;
use super::{MOST_LEVELS, QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use crate::shape::ConstraintCheck;

impl<'s> QueryMaker<'s> {
    /// The condition that a node conforms to a shape.
    pub(super) fn conforms(&mut self, id: ShapeId, node: &Variable) -> ShapeTranslation<Expression> {
        let shapes = self.shapes;
        let shape = &shapes.shapes[id.index()];
        if shape.is_deactivated {
            return Ok(boolean(true));
        }
        if self.groups[id.index()].is_recursive {
            return Err(format!("`{}` refers to itself, directly or indirectly", shape.name()));
        }
        self.count_shape()?;
        if self.depth == MOST_LEVELS {
            return Err(format!("shapes are nested in shapes more than {MOST_LEVELS} times"));
        }
        self.depth += 1;
        let conditions: Vec<Expression> = shape
            .constraints
            .iter()
            .map(|constraint| self.holds(id, &constraint.check, node))
            .collect::<ShapeTranslation<_>>()?;
        self.depth -= 1;
        Ok(all(conditions))
    }

    /// The condition that a node meets a constraint of a shape.
    fn holds(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
        node: &Variable,
    ) -> ShapeTranslation<Expression> {
        if let Some(condition) = self.condition_of_query(id, check, node)? {
            return Ok(condition);
        }
        let has_values = self.shapes.shapes[id.index()].path.is_some()
            || matches!(check, ConstraintCheck::Equals(_) | ConstraintCheck::Closed(_));
        let value = if has_values { self.fresh("value") } else { node.clone() };
        Ok(match self.failure(id, check, node, &value)? {
            ConstraintFailure::OfNode(holds) => holds,
            ConstraintFailure::OfValues(ways) => all(ways.into_iter().map(|way| {
                let condition = all(way.conditions);
                match way.patterns.is_empty() {
                    true => not(condition),
                    false => not(exists(filtered(join(way.patterns), condition))),
                }
            })),
        })
    }

    /// The condition that a node is a value of a shape at another node.
    pub(super) fn is_value(&self, id: ShapeId, node: &Variable, value: &Variable) -> Expression {
        match &self.shapes.shapes[id.index()].path {
            Some(path) => exists(step(node.clone(), &self.path(path), value.clone())),
            None => same_term(node.clone(), value.clone()),
        }
    }

    /// The condition that a node conforms to each of several shapes.
    pub(super) fn conforms_to_all(
        &mut self,
        ids: &[ShapeId],
        node: &Variable,
    ) -> ShapeTranslation<Expression> {
        Ok(all(ids.iter().map(|id| self.conforms(*id, node)).collect::<ShapeTranslation<Vec<_>>>()?))
    }

    /// The condition that a node conforms to any of several shapes.
    pub(super) fn conforms_to_any(
        &mut self,
        ids: &[ShapeId],
        node: &Variable,
    ) -> ShapeTranslation<Expression> {
        Ok(any(ids.iter().map(|id| self.conforms(*id, node)).collect::<ShapeTranslation<Vec<_>>>()?))
    }
}
