//! The variables of patterns and expressions.

use std::collections::BTreeMap;

use oxrdf::Term;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};

/// A set of names of variables.
pub(crate) type VariableNames = BTreeMap<String, ()>;

/// The name of the variable of a blank node in a pattern. No variable of a query has it.
pub(crate) fn variable_of(pattern: &TermPattern) -> Option<String> {
    match pattern {
        TermPattern::Variable(variable) => Some(variable.as_str().to_owned()),
        TermPattern::BlankNode(node) => Some(format!("_:{}", node.as_str())),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => None,
    }
}

pub(crate) fn constant_of(pattern: &TermPattern) -> Option<Term> {
    match pattern {
        TermPattern::NamedNode(node) => Some(node.clone().into()),
        TermPattern::Literal(literal) => Some(literal.clone().into()),
        TermPattern::Variable(_) | TermPattern::BlankNode(_) => None,
    }
}

/// Collects the variables of an expression.
pub(crate) fn mentioned_variables(expression: &Expression, found: &mut VariableNames) {
    match expression {
        Expression::Variable(variable) | Expression::Bound(variable) => {
            found.insert(variable.as_str().to_owned(), ());
        }
        Expression::NamedNode(_) | Expression::Literal(_) => {}
        // A variable of a pattern may be one of the solution.
        Expression::Exists(pattern) => variables_in(pattern, found),
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
        | Expression::Divide(a, b) => {
            mentioned_variables(a, found);
            mentioned_variables(b, found);
        }
        Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => {
            mentioned_variables(a, found);
        }
        Expression::If(a, b, c) => [a, b, c].into_iter().for_each(|part| mentioned_variables(part, found)),
        Expression::In(a, list) => {
            mentioned_variables(a, found);
            list.iter().for_each(|part| mentioned_variables(part, found));
        }
        Expression::Coalesce(list) | Expression::FunctionCall(_, list) => {
            list.iter().for_each(|part| mentioned_variables(part, found));
        }
    }
}

/// Collects the variables that a pattern mentions and does not hide.
pub(crate) fn variables_in(pattern: &GraphPattern, found: &mut VariableNames) {
    let mut add = |variable: Option<String>| {
        if let Some(variable) = variable {
            found.insert(variable, ());
        }
    };
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for pattern in patterns {
                add(variable_of(&pattern.subject));
                add(variable_of(&pattern.object));
                if let NamedNodePattern::Variable(variable) = &pattern.predicate {
                    add(Some(variable.as_str().to_owned()));
                }
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            add(variable_of(subject));
            add(variable_of(object));
        }
        GraphPattern::Values { variables, .. } => {
            variables.iter().for_each(|variable| add(Some(variable.as_str().to_owned())));
        }
        GraphPattern::Join { left, right }
        | GraphPattern::Lateral { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right } => {
            variables_in(left, found);
            variables_in(right, found);
        }
        GraphPattern::LeftJoin { left, right, expression } => {
            variables_in(left, found);
            variables_in(right, found);
            expression.iter().for_each(|expression| mentioned_variables(expression, found));
        }
        GraphPattern::Filter { expr, inner } => {
            mentioned_variables(expr, found);
            variables_in(inner, found);
        }
        GraphPattern::Extend { inner, variable, expression } => {
            add(Some(variable.as_str().to_owned()));
            mentioned_variables(expression, found);
            variables_in(inner, found);
        }
        GraphPattern::Graph { name, inner } => {
            if let NamedNodePattern::Variable(variable) = name {
                add(Some(variable.as_str().to_owned()));
            }
            variables_in(inner, found);
        }
        GraphPattern::Group { inner, variables, aggregates } => {
            variables.iter().for_each(|variable| add(Some(variable.as_str().to_owned())));
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                    mentioned_variables(expr, found);
                }
            }
            let _ = inner;
        }
        GraphPattern::Project { variables, .. } => {
            variables.iter().for_each(|variable| add(Some(variable.as_str().to_owned())));
        }
        GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Service { inner, .. } => variables_in(inner, found),
    }
}

/// The variables that each solution of a pattern has a term for.
pub(crate) fn certain(pattern: &GraphPattern) -> VariableNames {
    let mut found = VariableNames::new();
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => variables_in(pattern, &mut found),
        GraphPattern::Values { variables, bindings } => {
            for (place, variable) in variables.iter().enumerate() {
                if bindings.iter().all(|row| row.get(place).is_some_and(Option::is_some)) {
                    found.insert(variable.as_str().to_owned(), ());
                }
            }
        }
        GraphPattern::Join { left, right } => {
            found = certain(left);
            found.extend(certain(right));
        }
        GraphPattern::Union { left, right } => {
            let other = certain(right);
            found = certain(left);
            found.retain(|variable, ()| other.contains_key(variable));
        }
        GraphPattern::LeftJoin { left: inner, .. }
        | GraphPattern::Minus { left: inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Slice { inner, .. } => found = certain(inner),
        GraphPattern::Graph { name, inner } => {
            found = certain(inner);
            if let NamedNodePattern::Variable(variable) = name {
                found.insert(variable.as_str().to_owned(), ());
            }
        }
        GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
            found = certain(inner);
            found.retain(|name, ()| variables.iter().any(|variable| variable.as_str() == name));
        }
        GraphPattern::Service { .. } | GraphPattern::Lateral { .. } => {}
    }
    found
}
