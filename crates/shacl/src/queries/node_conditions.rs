//! Constraints on a node as a whole: numbers of values, required values, languages, keys.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{Term, Variable};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};

use super::algebra_builders::{
    all, boolean, call, call_on, equal, exists, filtered, integer, join, not, same_term, selected, step,
    text, union,
};
use super::{QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use crate::property_path::PropertyPath;
use crate::shape::{ConstraintCheck, QualifiedCount, QualifiedValueShape};

impl<'s> QueryMaker<'s> {
    /// The condition of a constraint on a node as a whole; none for a constraint on single values.
    pub(super) fn condition_of_node(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
        node: &Variable,
        value: &Variable,
    ) -> ShapeTranslation<Option<Expression>> {
        let values = self.values(id, node, value);
        let counted = || values.clone().unwrap_or_default();
        Ok(Some(match check {
            ConstraintCheck::MinCount(least) => self.at_least(*least, counted(), node, value),
            ConstraintCheck::MaxCount(most) => {
                not(self.at_least(most.saturating_add(1), counted(), node, value))
            }
            ConstraintCheck::HasValue(wanted) => {
                match (self.constant(*wanted), &self.shapes.shapes[id.index()].path) {
                    (Term::BlankNode(_), _) => boolean(false),
                    (Term::NamedNode(wanted), None) => same_term(node.clone(), wanted),
                    (Term::Literal(wanted), None) => same_term(node.clone(), wanted),
                    (Term::NamedNode(wanted), Some(path)) => {
                        exists(step(node.clone(), &self.path(path), wanted))
                    }
                    (Term::Literal(wanted), Some(path)) => {
                        exists(step(node.clone(), &self.path(path), wanted))
                    }
                }
            }
            ConstraintCheck::UniqueLang => self.unique_languages(id, node, value),
            ConstraintCheck::SomeValue(shape) => match values {
                Some(values) => {
                    let condition = self.conforms(*shape, value)?;
                    exists(filtered(values, condition))
                }
                None => self.conforms(*shape, node)?,
            },
            ConstraintCheck::Qualified(qualified) => {
                let values = filtered(counted(), self.is_counted(qualified, value)?);
                match qualified.count {
                    QualifiedCount::AtLeast(least) => self.at_least(least, values, node, value),
                    QualifiedCount::AtMost(most) => {
                        not(self.at_least(most.saturating_add(1), values, node, value))
                    }
                }
            }
            ConstraintCheck::UniqueValuesFor(paths) => {
                let paths: Vec<&PropertyPath> = paths.iter().map(|path| &**path).collect();
                self.is_only_one(id, &paths, node)?
            }
            _ => return Ok(None),
        }))
    }

    /// The condition that a pattern has at least a number of different values at a node.
    pub(super) fn at_least(
        &mut self,
        least: u64,
        pattern: GraphPattern,
        node: &Variable,
        value: &Variable,
    ) -> Expression {
        match least {
            0 => return boolean(true),
            1 => return exists(pattern),
            _ => {}
        }
        let count = self.fresh("count");
        let counted = AggregateExpression::FunctionCall {
            name: AggregateFunction::Count,
            // RDF4J 4.1.3 cannot count a bare variable within EXISTS.
            expr: Expression::Coalesce(vec![value.clone().into()]),
            distinct: true,
        };
        let groups = GraphPattern::Group {
            inner: Box::new(pattern),
            variables: vec![node.clone()],
            aggregates: vec![(count.clone(), counted)],
        };
        let is_enough = Expression::GreaterOrEqual(Box::new(count.into()), Box::new(integer(least)));
        exists(selected(filtered(groups, is_enough), &[node]))
    }

    /// The condition that a value counts for a qualified value shape.
    fn is_counted(
        &mut self,
        qualified: &QualifiedValueShape,
        value: &Variable,
    ) -> ShapeTranslation<Expression> {
        let mut conditions = vec![self.conforms(qualified.shape, value)?];
        for sibling in &qualified.siblings {
            conditions.push(not(self.conforms(*sibling, value)?));
        }
        Ok(all(conditions))
    }

    fn unique_languages(&mut self, id: ShapeId, node: &Variable, value: &Variable) -> Expression {
        let other = self.fresh("other");
        let values = [value, &other].map(|value| self.values(id, node, value).unwrap_or_default());
        let language = |value: &Variable| call_on(Function::Lang, value);
        let folded = |value: &Variable| call(Function::LCase, [language(value)]);
        let conditions = all([
            not(equal(language(value), text(""))),
            equal(folded(value), folded(&other)),
            Self::differ(value, &other),
        ]);
        not(exists(filtered(join(values), conditions)))
    }

    /// The condition that no other target of a shape has the same key.
    fn is_only_one(
        &mut self,
        id: ShapeId,
        paths: &[&PropertyPath],
        node: &Variable,
    ) -> ShapeTranslation<Expression> {
        let other = self.fresh("other");
        let own = self.targets(id, node)?;
        let others = self.targets(id, &other)?;
        if own.is_empty() || others.is_empty() {
            return Ok(boolean(true));
        }
        let mut patterns = vec![union(own), union(others)];
        for path in paths {
            let (key, path) = (self.fresh("key"), self.path(path));
            patterns.push(step(node.clone(), &path, key.clone()));
            patterns.push(step(other.clone(), &path, key));
        }
        Ok(not(exists(filtered(join(patterns), Self::differ(node, &other)))))
    }
}
