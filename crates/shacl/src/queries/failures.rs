//! The ways in which a node fails a constraint, and the query that finds them.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra_builders::{
    all, any, exists, filtered, instance, join, not, or_false, same_term, selected, step, triple, union,
    variable,
};
use super::{QueryMaker, ShapeTranslation};
use crate::ids::{ConstantId, ShapeId};
use crate::property_path::PropertyPath;
use crate::shape::{AllowedProperties, ConstraintCheck};

/// How a node fails a constraint.
pub(super) enum ConstraintFailure {
    /// As a whole, under this condition.
    OfNode(Expression),
    /// Because of a value, in any of these ways.
    OfValues(Vec<ValueFailure>),
}

/// A way to fail because of a value.
pub(super) struct ValueFailure {
    pub(super) patterns: Vec<GraphPattern>,
    pub(super) conditions: Vec<Expression>,
    /// `true` if the value is the node itself; otherwise the patterns bind it.
    pub(super) is_node: bool,
}

impl<'s> QueryMaker<'s> {
    /// The query for a constraint.
    pub(super) fn select(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
    ) -> ShapeTranslation<GraphPattern> {
        let [this, value, path] = ["this", "value", "path"].map(variable);
        if let ConstraintCheck::Sparql(_) | ConstraintCheck::Component(_) = check
            && let Some(query) = self.select_by_query(id, check)?
        {
            return Ok(query);
        }
        let focus = self.focus(id, &this)?;
        self.note_path(id);
        let (pattern, columns) = match self.failure(id, check, &this, &value)? {
            ConstraintFailure::OfNode(holds) => (filtered(focus, not(holds)), vec![&this]),
            ConstraintFailure::OfValues(ways) => {
                let found = ways.into_iter().map(|way| {
                    let patterns = std::iter::once(focus.clone()).chain(way.patterns);
                    let pattern = filtered(join(patterns), all(way.conditions));
                    if way.is_node { with(pattern, &value, this.clone().into()) } else { pattern }
                });
                let columns = match check {
                    ConstraintCheck::Closed(_) => vec![&this, &path, &value],
                    _ => vec![&this, &value],
                };
                (union(found), columns)
            }
        };
        Ok(GraphPattern::Distinct { inner: Box::new(selected(pattern, &columns)) })
    }

    /// How a node fails a constraint that is not in SPARQL; `value` is bound to the failing value.
    pub(super) fn failure(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
        node: &Variable,
        value: &Variable,
    ) -> ShapeTranslation<ConstraintFailure> {
        if let Some(holds) = self.condition_of_node(id, check, node, value)? {
            return Ok(ConstraintFailure::OfNode(holds));
        }
        Ok(ConstraintFailure::OfValues(match check {
            ConstraintCheck::Equals(other) => self.unequal(id, other, node, value),
            ConstraintCheck::Disjoint(other) => vec![match self.values(id, node, value) {
                Some(values) => way([values, self.others(other, node, value)], []),
                None => at_node(exists(self.others(other, node, node))),
            }],
            ConstraintCheck::SubsetOf(other) => vec![match self.values(id, node, value) {
                Some(values) => way([values], [not(exists(self.others(other, node, value)))]),
                None => at_node(not(exists(self.others(other, node, node)))),
            }],
            ConstraintCheck::LessThan(other) => self.not_in_order(id, other, node, value, Expression::Less),
            ConstraintCheck::LessThanOrEquals(other) => {
                self.not_in_order(id, other, node, value, Expression::LessOrEqual)
            }
            ConstraintCheck::Closed(closed) => vec![self.open(id, closed, node, value)],
            _ => vec![match self.values(id, node, value) {
                Some(values) => way([values], [not(self.meets(check, value)?)]),
                None => at_node(not(self.meets(check, node)?)),
            }],
        }))
    }

    /// The pattern that binds a variable to the values of a property shape; none for a node shape, whose value is the
    /// node itself.
    pub(super) fn values(&self, id: ShapeId, node: &Variable, value: &Variable) -> Option<GraphPattern> {
        let path = self.shapes.shapes[id.index()].path.as_deref()?;
        Some(step(node.clone(), &self.path(path), value.clone()))
    }

    /// The pattern that another path leads from a node to a value.
    fn others(&self, path: &PropertyPath, node: &Variable, value: &Variable) -> GraphPattern {
        step(node.clone(), &self.path(path), value.clone())
    }

    fn unequal(
        &self,
        id: ShapeId,
        other: &PropertyPath,
        node: &Variable,
        value: &Variable,
    ) -> Vec<ValueFailure> {
        let lacks = match self.values(id, node, value) {
            Some(values) => way([values], [not(exists(self.others(other, node, value)))]),
            None => at_node(not(exists(self.others(other, node, node)))),
        };
        vec![lacks, way([self.others(other, node, value)], [not(self.is_value(id, node, value))])]
    }

    fn not_in_order(
        &mut self,
        id: ShapeId,
        other: &PropertyPath,
        node: &Variable,
        value: &Variable,
        in_order: fn(Box<Expression>, Box<Expression>) -> Expression,
    ) -> Vec<ValueFailure> {
        let greater = self.fresh("other");
        let values = self.values(id, node, value);
        let others = self.others(other, node, &greater);
        let order = in_order(Box::new(value.clone().into()), Box::new(greater.into()));
        vec![way(values.into_iter().chain([others]), [not(or_false(order))])]
    }

    /// How a node fails a closed shape.
    fn open(
        &mut self,
        id: ShapeId,
        closed: &AllowedProperties,
        node: &Variable,
        value: &Variable,
    ) -> ValueFailure {
        let path = if value.as_str() == "value" { variable("path") } else { self.fresh("path") };
        let closed_node = self.fresh("node");
        let (values, closed_node) = match self.values(id, node, &closed_node) {
            Some(values) => (Some(values), closed_node),
            None => (None, node.clone()),
        };
        let is_among = |ids: &[ConstantId]| {
            let allowed = ids.iter().filter_map(|id| self.iri(*id)).map(Expression::from).collect();
            Expression::In(Box::new(path.clone().into()), allowed)
        };
        let mut conditions = vec![not(is_among(&closed.allowed))];
        for (class, own) in closed.by_types.iter().flatten() {
            let Some(class) = self.iri(*class) else { continue };
            let is_instance = exists(step(closed_node.clone(), &instance(), class));
            conditions.push(any([not(is_instance), not(is_among(own))]));
        }
        let used = triple(closed_node, path.clone(), value.clone());
        way(values.into_iter().chain([used]), conditions)
    }

    /// The condition that two variables are bound to different terms.
    pub(super) fn differ(one: &Variable, other: &Variable) -> Expression {
        not(same_term(one.clone(), other.clone()))
    }
}

fn way(
    patterns: impl IntoIterator<Item = GraphPattern>,
    conditions: impl IntoIterator<Item = Expression>,
) -> ValueFailure {
    let (patterns, conditions) = (patterns.into_iter().collect(), conditions.into_iter().collect());
    ValueFailure { patterns, conditions, is_node: false }
}

/// The failing value is the node itself.
fn at_node(condition: Expression) -> ValueFailure {
    ValueFailure { patterns: Vec::new(), conditions: vec![condition], is_node: true }
}

/// A pattern with a variable that has the value of an expression.
pub(super) fn with(pattern: GraphPattern, variable: &Variable, expression: Expression) -> GraphPattern {
    GraphPattern::Extend { inner: Box::new(pattern), variable: variable.clone(), expression }
}
