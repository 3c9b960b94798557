//! Patterns and expressions of SPARQL, built from smaller ones. Conditions that are always or never true are
//! simplified.

use oxrdf::{Literal, NamedNode, Variable};
use spargebra::algebra::{Expression, Function, GraphPattern, PropertyPathExpression};
use spargebra::term::TermPattern;

use crate::shacl_vocabulary::RDFS;
use evalgraph_rdf::vocabulary::{rdf, xsd};

pub(super) fn variable(name: &str) -> Variable {
    Variable::new_unchecked(name)
}

pub(super) fn boolean(value: bool) -> Expression {
    Literal::from(value).into()
}

pub(super) fn text(value: &str) -> Expression {
    Literal::new_simple_literal(value).into()
}

pub(super) fn integer(value: u64) -> Expression {
    Literal::new_typed_literal(value.to_string(), NamedNode::new_unchecked(xsd::INTEGER)).into()
}

fn as_boolean(expression: &Expression) -> Option<bool> {
    match expression {
        Expression::Literal(literal) if literal.datatype().as_str() == xsd::BOOLEAN => {
            Some(literal.value() == "true")
        }
        _ => None,
    }
}

/// The negation of a condition, moved inward where that is easier to read.
pub(super) fn not(condition: Expression) -> Expression {
    match condition {
        Expression::Not(inner) => *inner,
        Expression::And(left, right) => Expression::Or(Box::new(not(*left)), Box::new(not(*right))),
        Expression::Or(left, right) => Expression::And(Box::new(not(*left)), Box::new(not(*right))),
        condition => match as_boolean(&condition) {
            Some(value) => boolean(!value),
            None => Expression::Not(Box::new(condition)),
        },
    }
}

/// The conjunction of conditions.
pub(super) fn all(conditions: impl IntoIterator<Item = Expression>) -> Expression {
    joined(conditions, true, |left, right| Expression::And(Box::new(left), Box::new(right)))
}

/// The disjunction of conditions.
pub(super) fn any(conditions: impl IntoIterator<Item = Expression>) -> Expression {
    joined(conditions, false, |left, right| Expression::Or(Box::new(left), Box::new(right)))
}

fn joined(
    conditions: impl IntoIterator<Item = Expression>,
    neutral: bool,
    join: fn(Expression, Expression) -> Expression,
) -> Expression {
    let mut left = Vec::new();
    for condition in conditions {
        match as_boolean(&condition) {
            Some(value) if value == neutral => {}
            Some(value) => return boolean(value),
            None => left.push(condition),
        }
    }
    balanced(left, &join).unwrap_or_else(|| boolean(neutral))
}

/// Joins items in halves, so that long lists are not nested deeply.
pub(super) fn balanced<T>(mut items: Vec<T>, join: &dyn Fn(T, T) -> T) -> Option<T> {
    if items.len() < 2 {
        return items.pop();
    }
    let later = items.split_off(items.len() / 2);
    Some(join(balanced(items, join)?, balanced(later, join)?))
}

pub(super) fn exists(pattern: GraphPattern) -> Expression {
    Expression::Exists(Box::new(pattern))
}

/// A condition that is false if it has no value.
pub(super) fn or_false(condition: Expression) -> Expression {
    Expression::Coalesce(vec![condition, boolean(false)])
}

pub(super) fn equal(left: Expression, right: Expression) -> Expression {
    Expression::Equal(Box::new(left), Box::new(right))
}

pub(super) fn same_term(left: impl Into<Expression>, right: impl Into<Expression>) -> Expression {
    Expression::SameTerm(Box::new(left.into()), Box::new(right.into()))
}

pub(super) fn call(function: Function, arguments: impl IntoIterator<Item = Expression>) -> Expression {
    Expression::FunctionCall(function, arguments.into_iter().collect())
}

/// `STR` of a variable.
pub(super) fn lexical(value: &Variable) -> Expression {
    call(Function::Str, [value.clone().into()])
}

/// A function call on a variable.
pub(super) fn call_on(function: Function, value: &Variable) -> Expression {
    call(function, [value.clone().into()])
}

pub(super) fn matches(subject: Expression, pattern: &str, flags: &str) -> Expression {
    let flags = (!flags.is_empty()).then(|| text(flags));
    call(Function::Regex, [subject, text(pattern)].into_iter().chain(flags))
}

/// The pattern of a path between two terms: a triple pattern if the path is one step.
pub(super) fn step(
    from: impl Into<TermPattern>,
    path: &PropertyPathExpression,
    to: impl Into<TermPattern>,
) -> GraphPattern {
    let (subject, object) = (from.into(), to.into());
    match path {
        PropertyPathExpression::NamedNode(node) => {
            triple(subject, spargebra::term::NamedNodePattern::from(node.clone()), object)
        }
        PropertyPathExpression::Reverse(inner) => step(object, inner, subject),
        path => GraphPattern::Path { subject, path: path.clone(), object },
    }
}

pub(super) fn triple(
    subject: impl Into<TermPattern>,
    predicate: impl Into<spargebra::term::NamedNodePattern>,
    object: impl Into<TermPattern>,
) -> GraphPattern {
    let (subject, predicate, object) = (subject.into(), predicate.into(), object.into());
    let pattern = spargebra::term::TriplePattern { subject, predicate, object };
    GraphPattern::Bgp { patterns: vec![pattern] }
}

pub(super) fn predicate(iri: &str) -> PropertyPathExpression {
    NamedNode::new_unchecked(iri).into()
}

pub(super) fn sequence(
    left: PropertyPathExpression,
    right: PropertyPathExpression,
) -> PropertyPathExpression {
    PropertyPathExpression::Sequence(Box::new(left), Box::new(right))
}

pub(super) fn any_times(path: PropertyPathExpression) -> PropertyPathExpression {
    PropertyPathExpression::ZeroOrMore(Box::new(path))
}

/// `rdfs:subClassOf*`.
pub(super) fn subclass() -> PropertyPathExpression {
    any_times(predicate(&format!("{RDFS}subClassOf")))
}

/// `rdf:type/rdfs:subClassOf*`.
pub(super) fn instance() -> PropertyPathExpression {
    sequence(predicate(rdf::TYPE), subclass())
}

pub(super) fn join(patterns: impl IntoIterator<Item = GraphPattern>) -> GraphPattern {
    let join = |left, right| GraphPattern::Join { left: Box::new(left), right: Box::new(right) };
    patterns.into_iter().reduce(join).unwrap_or_default()
}

pub(super) fn union(patterns: impl IntoIterator<Item = GraphPattern>) -> GraphPattern {
    let union = |left, right| GraphPattern::Union { left: Box::new(left), right: Box::new(right) };
    balanced(patterns.into_iter().collect(), &union).unwrap_or_default()
}

/// A pattern whose solutions meet a condition.
pub(super) fn filtered(pattern: GraphPattern, condition: Expression) -> GraphPattern {
    match condition {
        condition if as_boolean(&condition) == Some(true) => pattern,
        expr => GraphPattern::Filter { expr, inner: Box::new(pattern) },
    }
}

pub(super) fn selected(pattern: GraphPattern, columns: &[&Variable]) -> GraphPattern {
    let variables = columns.iter().map(|column| (*column).clone()).collect();
    GraphPattern::Project { inner: Box::new(pattern), variables }
}
