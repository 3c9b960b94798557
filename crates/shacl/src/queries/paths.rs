//! Property paths, with the IRIs that the data use.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{NamedNode, Term};
use spargebra::algebra::PropertyPathExpression;

use super::QueryMaker;
use super::algebra_builders::{any_times, balanced, sequence};
use crate::ids::ConstantId;
use crate::property_path::PropertyPath;
use crate::ready_shapes::Shapes;

impl QueryMaker<'_> {
    pub(super) fn path(&self, path: &PropertyPath) -> PropertyPathExpression {
        expression(self.shapes, path)
    }

    /// A term of the shapes, as the data spell it.
    pub(super) fn constant(&self, id: ConstantId) -> Term {
        self.shapes.constants[id.index()].clone()
    }

    /// An IRI of the shapes, as the data spell it; none if the term is not an IRI.
    pub(super) fn iri(&self, id: ConstantId) -> Option<NamedNode> {
        match self.constant(id) {
            Term::NamedNode(node) => Some(node),
            _ => None,
        }
    }
}

fn expression(shapes: &Shapes, path: &PropertyPath) -> PropertyPathExpression {
    let boxed = |inner: &PropertyPath| Box::new(expression(shapes, inner));
    match path {
        PropertyPath::Predicate(node, id) => match &shapes.constants[id.index()] {
            Term::NamedNode(moved) => moved.clone().into(),
            _ => node.clone().into(),
        },
        PropertyPath::Inverse(inner) => PropertyPathExpression::Reverse(boxed(inner)),
        PropertyPath::Sequence(steps) => {
            balanced(steps.iter().map(|step| expression(shapes, step)).collect(), &sequence)
                .unwrap_or_else(nothing)
        }
        PropertyPath::Alternative(paths) => {
            let either = |left, right| PropertyPathExpression::Alternative(Box::new(left), Box::new(right));
            balanced(paths.iter().map(|path| expression(shapes, path)).collect(), &either)
                .unwrap_or_else(nothing)
        }
        PropertyPath::ZeroOrMore(inner) => any_times(expression(shapes, inner)),
        PropertyPath::OneOrMore(inner) => PropertyPathExpression::OneOrMore(boxed(inner)),
        PropertyPath::ZeroOrOne(inner) => PropertyPathExpression::ZeroOrOne(boxed(inner)),
    }
}

/// A path without any steps, which no list in shapes produces.
fn nothing() -> PropertyPathExpression {
    PropertyPathExpression::NegatedPropertySet(Vec::new())
}

/// Returns whether a path may have length zero.
pub(super) fn is_nullable(path: &PropertyPath) -> bool {
    match path {
        PropertyPath::Predicate(..) => false,
        PropertyPath::Inverse(inner) | PropertyPath::OneOrMore(inner) => is_nullable(inner),
        PropertyPath::Sequence(steps) => steps.iter().all(is_nullable),
        PropertyPath::Alternative(paths) => paths.iter().any(is_nullable),
        PropertyPath::ZeroOrMore(_) | PropertyPath::ZeroOrOne(_) => true,
    }
}
