//! Walks over the SPARQL algebra: the parts of patterns and expressions, and the variables that both mention.
//! The meaning of the parts is left to the callers, which rewrite them.

pub(super) mod bindings;
pub(super) mod blank_node_marks;
pub(super) mod bulk;
pub(super) mod composition;
pub(super) mod prebound_path;
pub(super) mod prebound_query;
pub(super) mod prebound_rules;
pub(super) mod prebound_values;
pub(super) mod substitution;
pub(super) mod variable_renaming;
pub(super) mod walks;

use std::collections::HashSet;

use oxrdf::{NamedNode, Variable};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, Function, GraphPattern, OrderExpression, PropertyPathExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

/// Generates the functions that walk over the algebra, to read its parts or, with `mut`, to change them.
macro_rules! ways_in {
    (
        $pattern_of:ident, $columns:ident, $parts:ident, $expressions:ident, $operands:ident, $exists:ident,
        $exists_of:ident
        $(, $mut:tt)?
    ) => {
        /// The graph pattern of a query of any form.
        pub(crate) fn $pattern_of(query: &$($mut)? Query) -> &$($mut)? GraphPattern {
            match query {
                Query::Select { pattern, .. }
                | Query::Construct { pattern, .. }
                | Query::Describe { pattern, .. }
                | Query::Ask { pattern, .. } => pattern,
            }
        }

        /// The columns of the outermost projection.
        pub(crate) fn $columns(pattern: &$($mut)? GraphPattern) -> Option<&$($mut)? Vec<Variable>> {
            match pattern {
                GraphPattern::Slice { inner, .. }
                | GraphPattern::Distinct { inner }
                | GraphPattern::Reduced { inner } => $columns(inner),
                GraphPattern::Project { variables, .. } => Some(variables),
                _ => None,
            }
        }

        /// The patterns directly inside a pattern, except those inside EXISTS.
        pub(crate) fn $parts(pattern: &$($mut)? GraphPattern) -> Vec<&$($mut)? GraphPattern> {
            match pattern {
                GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {
                    Vec::new()
                }
                GraphPattern::Join { left, right }
                | GraphPattern::LeftJoin { left, right, .. }
                | GraphPattern::Lateral { left, right }
                | GraphPattern::Union { left, right }
                | GraphPattern::Minus { left, right } => vec![left, right],
                GraphPattern::Filter { inner, .. }
                | GraphPattern::Graph { inner, .. }
                | GraphPattern::Extend { inner, .. }
                | GraphPattern::OrderBy { inner, .. }
                | GraphPattern::Project { inner, .. }
                | GraphPattern::Distinct { inner }
                | GraphPattern::Reduced { inner }
                | GraphPattern::Slice { inner, .. }
                | GraphPattern::Group { inner, .. }
                | GraphPattern::Service { inner, .. } => vec![inner],
            }
        }

        /// The expressions directly in a pattern.
        pub(crate) fn $expressions(pattern: &$($mut)? GraphPattern) -> Vec<&$($mut)? Expression> {
            match pattern {
                GraphPattern::Filter { expr, .. } => vec![expr],
                GraphPattern::LeftJoin { expression, .. } => Vec::from_iter(expression),
                GraphPattern::Extend { expression, .. } => vec![expression],
                GraphPattern::OrderBy { expression, .. } => {
                    let keys = Vec::from_iter(expression).into_iter();
                    keys.map(|(OrderExpression::Asc(key) | OrderExpression::Desc(key))| key).collect()
                }
                GraphPattern::Group { aggregates, .. } => {
                    let aggregates = Vec::from_iter(aggregates).into_iter();
                    let arguments = aggregates.filter_map(|(_, aggregate)| match aggregate {
                        AggregateExpression::CountSolutions { .. } => None,
                        AggregateExpression::FunctionCall { expr, .. } => Some(expr),
                    });
                    arguments.collect()
                }
                _ => Vec::new(),
            }
        }

        /// The expressions directly inside an expression.
        pub(crate) fn $operands(expression: &$($mut)? Expression) -> Vec<&$($mut)? Expression> {
            match expression {
                Expression::NamedNode(_)
                | Expression::Literal(_)
                | Expression::Variable(_)
                | Expression::Bound(_)
                | Expression::Exists(_) => Vec::new(),
                Expression::Or(a, b)
                | Expression::And(a, b)
                | Expression::Equal(a, b)
                | Expression::SameTerm(a, b)
                | Expression::Greater(a, b)
                | Expression::GreaterOrEqual(a, b)
                | Expression::Less(a, b)
                | Expression::LessOrEqual(a, b)
                | Expression::Add(a, b)
                | Expression::Subtract(a, b)
                | Expression::Multiply(a, b)
                | Expression::Divide(a, b) => vec![a, b],
                Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => vec![a],
                Expression::If(a, b, c) => vec![a, b, c],
                Expression::In(a, list) => std::iter::once(& $($mut)? **a).chain(list).collect(),
                Expression::Coalesce(list) | Expression::FunctionCall(_, list) => Vec::from_iter(list),
            }
        }

        /// The patterns of each EXISTS in the expressions of a pattern.
        pub(crate) fn $exists(pattern: &$($mut)? GraphPattern) -> Vec<&$($mut)? GraphPattern> {
            $expressions(pattern).into_iter().flat_map($exists_of).collect()
        }

        /// The patterns of each EXISTS in an expression.
        pub(crate) fn $exists_of(expression: &$($mut)? Expression) -> Vec<&$($mut)? GraphPattern> {
            match expression {
                Expression::Exists(pattern) => vec![pattern],
                _ => $operands(expression).into_iter().flat_map($exists_of).collect(),
            }
        }
    };
}

ways_in!(pattern_of, columns, parts, expressions, operands, exists, exists_of);
ways_in!(
    pattern_of_mut,
    columns_mut,
    parts_mut,
    expressions_mut,
    operands_mut,
    exists_mut,
    exists_of_mut,
    mut
);

/// Returns whether a condition holds for a pattern or for any pattern inside it, including those of EXISTS.
pub(crate) fn any(pattern: &GraphPattern, is_meant: &dyn Fn(&GraphPattern) -> bool) -> bool {
    let is_inside = |inside: &GraphPattern| any(inside, is_meant);
    is_meant(pattern) || exists(pattern).into_iter().chain(parts(pattern)).any(is_inside)
}

/// Returns whether an expression of a pattern, or of any pattern inside it, calls a function.
pub(crate) fn calls(pattern: &GraphPattern, function: &str) -> bool {
    any(pattern, &|pattern| expressions(pattern).into_iter().any(|expression| is_call(expression, function)))
}

fn is_call(expression: &Expression, function: &str) -> bool {
    let name = match expression {
        Expression::FunctionCall(Function::Custom(name), _) => Some(name.as_str()),
        _ => None,
    };
    name == Some(function) || operands(expression).into_iter().any(|operand| is_call(operand, function))
}

/// Returns whether the pattern is made of triple patterns and paths only.
pub(crate) fn is_chain(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => true,
        GraphPattern::Join { left, right } => is_chain(left) && is_chain(right),
        _ => false,
    }
}

/// Gives a variable a value in each solution of a pattern.
pub(crate) fn extend(pattern: &mut GraphPattern, variable: Variable, expression: Expression) {
    *pattern = GraphPattern::Extend { inner: Box::new(std::mem::take(pattern)), variable, expression };
}

/// The variables that a pattern may bind for its surroundings.
pub(crate) fn in_scope(pattern: &GraphPattern) -> HashSet<Variable> {
    let mut variables = HashSet::new();
    pattern.on_in_scope_variable(|variable| {
        variables.insert(variable.clone());
    });
    variables
}

/// The variables of an expression, including those inside its EXISTS.
pub(crate) fn mentioned_by_expression(expression: &Expression, found: &mut HashSet<Variable>) {
    match expression {
        Expression::Variable(variable) | Expression::Bound(variable) => {
            found.insert(variable.clone());
        }
        Expression::Exists(pattern) => mentioned(pattern, found),
        _ => operands(expression).into_iter().for_each(|operand| mentioned_by_expression(operand, found)),
    }
}

/// The variables that a pattern shares with its surroundings, bound or only used. Variables that a subquery does not
/// project are left out.
pub(crate) fn mentioned(pattern: &GraphPattern, found: &mut HashSet<Variable>) {
    if let GraphPattern::Project { variables, .. } = pattern {
        found.extend(variables.iter().cloned());
        return;
    }
    pattern.on_in_scope_variable(|variable| {
        found.insert(variable.clone());
    });
    if let GraphPattern::Service { name: NamedNodePattern::Variable(variable), .. } = pattern {
        found.insert(variable.clone());
    }
    expressions(pattern).into_iter().for_each(|expression| mentioned_by_expression(expression, found));
    parts(pattern).into_iter().for_each(|part| mentioned(part, found));
}

/// Calls `change` for each IRI of a node, a property or a class. Names of functions, datatypes and graphs of FROM are
/// left out.
pub(crate) fn for_each_iri(query: &mut Query, change: &mut dyn FnMut(&mut NamedNode)) {
    if let Query::Construct { template, .. } = query {
        template.iter_mut().for_each(|triple| triple_iris(triple, change));
    }
    pattern_iris(pattern_of_mut(query), change);
}

/// Like [`for_each_iri`], but for a pattern.
pub(crate) fn pattern_iris(pattern: &mut GraphPattern, change: &mut dyn FnMut(&mut NamedNode)) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            patterns.iter_mut().for_each(|triple| triple_iris(triple, change));
        }
        GraphPattern::Path { subject, path, object } => {
            term_iris(subject, change);
            path_iris(path, change);
            term_iris(object, change);
        }
        GraphPattern::Values { bindings, .. } => {
            for value in bindings.iter_mut().flatten().flatten() {
                if let GroundTerm::NamedNode(node) = value {
                    change(node);
                }
            }
        }
        _ => {}
    }
    expressions_mut(pattern).into_iter().for_each(|expression| expression_iris(expression, change));
    parts_mut(pattern).into_iter().for_each(|part| pattern_iris(part, change));
}

fn expression_iris(expression: &mut Expression, change: &mut dyn FnMut(&mut NamedNode)) {
    match expression {
        Expression::NamedNode(node) => change(node),
        Expression::Exists(pattern) => pattern_iris(pattern, change),
        _ => operands_mut(expression).into_iter().for_each(|operand| expression_iris(operand, change)),
    }
}

fn triple_iris(triple: &mut TriplePattern, change: &mut dyn FnMut(&mut NamedNode)) {
    term_iris(&mut triple.subject, change);
    name_iri(&mut triple.predicate, change);
    term_iris(&mut triple.object, change);
}

pub(crate) fn name_iri(name: &mut NamedNodePattern, change: &mut dyn FnMut(&mut NamedNode)) {
    if let NamedNodePattern::NamedNode(node) = name {
        change(node);
    }
}

pub(crate) fn term_iris(term: &mut TermPattern, change: &mut dyn FnMut(&mut NamedNode)) {
    if let TermPattern::NamedNode(node) = term {
        change(node);
    }
}

fn path_iris(path: &mut PropertyPathExpression, change: &mut dyn FnMut(&mut NamedNode)) {
    match path {
        PropertyPathExpression::NamedNode(node) => change(node),
        PropertyPathExpression::Reverse(inner)
        | PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => path_iris(inner, change),
        PropertyPathExpression::Sequence(left, right) | PropertyPathExpression::Alternative(left, right) => {
            path_iris(left, change);
            path_iris(right, change);
        }
        PropertyPathExpression::NegatedPropertySet(nodes) => nodes.iter_mut().for_each(change),
    }
}

/// Returns whether a path may have no steps. Returns `false` for a sequence, since each of its steps begins at a node
/// of the graph.
pub(crate) fn is_nullable(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::ZeroOrMore(_) | PropertyPathExpression::ZeroOrOne(_) => true,
        PropertyPathExpression::OneOrMore(inner) | PropertyPathExpression::Reverse(inner) => {
            is_nullable(inner)
        }
        PropertyPathExpression::Alternative(first, second) => is_nullable(first) || is_nullable(second),
        _ => false,
    }
}
