//! Property paths as plans (SPARQL 1.1, section 18.4): sequences are joins, alternatives are unions, and a path of any
//! length is a closure over the pairs of one step. `QueryPlanner` is defined in `query_plan.rs`.

use spargebra::algebra::{Expression, PropertyPathExpression};

use super::node::{AlgebraNode, PathClosure, joined};
use super::quad_pattern::{PatternGraph, PatternTerm, QuadPattern};
use super::query_plan::QueryPlanner;
use super::solution_table::VariableSet;
use crate::algebra::is_nullable;

impl QueryPlanner<'_, '_> {
    /// The solutions of a path between two ends.
    pub(super) fn path(
        &mut self,
        ends: [PatternTerm; 2],
        path: &PropertyPathExpression,
        scope: PatternGraph,
    ) -> Option<AlgebraNode> {
        let [subject, object] = ends;
        Some(match path {
            PropertyPathExpression::NamedNode(predicate) => {
                let predicate = self.constant(predicate.clone().into());
                AlgebraNode::BasicGraphPattern(vec![QuadPattern {
                    triple: [subject, predicate, object],
                    scope,
                }])
            }
            PropertyPathExpression::Reverse(inner) => self.path([object, subject], inner, scope)?,
            PropertyPathExpression::Sequence(first, second) => {
                let between = PatternTerm::Variable(self.fresh()?);
                joined(
                    self.path([subject, between], first, scope)?,
                    self.path([between, object], second, scope)?,
                )
            }
            PropertyPathExpression::Alternative(first, second) => AlgebraNode::Union(
                Box::new(self.path(ends, first, scope)?),
                Box::new(self.path(ends, second, scope)?),
            ),
            PropertyPathExpression::NegatedPropertySet(properties) => {
                let predicate = self.fresh()?;
                let variable = self.name(predicate);
                let named = properties.iter().map(|property| property.clone().into()).collect();
                let is_named = Expression::In(Box::new(variable.into()), named);
                let condition = self.condition(&Expression::Not(Box::new(is_named)), &[], scope)?;
                let triple = [subject, PatternTerm::Variable(predicate), object];
                let triples = AlgebraNode::BasicGraphPattern(vec![QuadPattern { triple, scope }]);
                // This is a set of pairs: it does not matter how many properties connect the two.
                let vars =
                    VariableSet::from_numbers(ends.iter().copied().chain(scope).filter_map(PatternTerm::var));
                let filtered = AlgebraNode::Filter(Box::new(triples), condition);
                AlgebraNode::Distinct(Box::new(AlgebraNode::Project(Box::new(filtered), vars)))
            }
            PropertyPathExpression::ZeroOrMore(inner) => self.closure(ends, inner, scope, true, true)?,
            PropertyPathExpression::OneOrMore(inner) => {
                self.closure(ends, inner, scope, is_nullable(inner), true)?
            }
            PropertyPathExpression::ZeroOrOne(inner) => self.closure(ends, inner, scope, true, false)?,
        })
    }

    fn closure(
        &mut self,
        ends: [PatternTerm; 2],
        step: &PropertyPathExpression,
        scope: PatternGraph,
        has_zero: bool,
        repeats: bool,
    ) -> Option<AlgebraNode> {
        let between = [self.fresh()?, self.fresh()?];
        let step = Box::new(self.path(between.map(PatternTerm::Variable), step, scope)?);
        Some(AlgebraNode::Closure(PathClosure { ends, scope, step, between, has_zero, repeats }))
    }
}
