//! The terms of patterns, and the variables that a pattern always binds.

use std::collections::HashSet;

use oxrdf::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern};

use evalgraph_sparql::variables_in_pattern;

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

/// The variables that each solution of a pattern has a term for.
pub(crate) fn certain(pattern: &GraphPattern) -> HashSet<Variable> {
    let mut found = HashSet::new();
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => found = variables_in_pattern(pattern),
        GraphPattern::Values { variables, bindings } => {
            for (place, variable) in variables.iter().enumerate() {
                if bindings.iter().all(|row| row.get(place).is_some_and(Option::is_some)) {
                    found.insert(variable.clone());
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
            found.retain(|variable| other.contains(variable));
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
                found.insert(variable.clone());
            }
        }
        GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
            found = certain(inner);
            found.retain(|variable| variables.contains(variable));
        }
        GraphPattern::Service { .. } | GraphPattern::Lateral { .. } => {}
    }
    found
}
