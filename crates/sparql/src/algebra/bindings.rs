//! Facts about the variables of a pattern that are known before its evaluation: the variables bound in every solution,
//! and whether a pattern of EXISTS may be evaluated separately, although EXISTS puts the bindings of each outer
//! solution into it.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};

use crate::algebra::{in_scope, mentioned, mentioned_by_expression};

type PatternVariables = HashSet<Variable>;

/// The variables that every solution of the pattern binds.
pub(crate) fn certainly_bound(pattern: &GraphPattern) -> PatternVariables {
    match pattern {
        GraphPattern::Bgp { .. } => in_scope(pattern),
        GraphPattern::Path { subject, object, .. } => {
            [subject, object].into_iter().filter_map(variable_of).cloned().collect()
        }
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            let mut bound = certainly_bound(left);
            bound.extend(certainly_bound(right));
            bound
        }
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => certainly_bound(left),
        GraphPattern::Union { left, right } => {
            let right = certainly_bound(right);
            certainly_bound(left).into_iter().filter(|variable| right.contains(variable)).collect()
        }
        GraphPattern::Graph { name, inner } => {
            let mut bound = certainly_bound(inner);
            if let NamedNodePattern::Variable(name) = name {
                bound.insert(name.clone());
            }
            bound
        }
        GraphPattern::Extend { inner, variable, expression } => {
            let mut bound = certainly_bound(inner);
            if never_fails(expression, &bound) {
                bound.insert(variable.clone());
            }
            bound
        }
        GraphPattern::Values { variables, bindings } => variables
            .iter()
            .enumerate()
            .filter(|&(column, _)| bindings.iter().all(|row| row[column].is_some()))
            .map(|(_, variable)| variable.clone())
            .collect(),
        GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
            let inner = certainly_bound(inner);
            variables.iter().filter(|variable| inner.contains(*variable)).cloned().collect()
        }
        GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => certainly_bound(inner),
        GraphPattern::Service { .. } => PatternVariables::new(),
    }
}

fn variable_of(term: &TermPattern) -> Option<&Variable> {
    match term {
        TermPattern::Variable(variable) => Some(variable),
        _ => None,
    }
}

fn never_fails(expression: &Expression, bound: &PatternVariables) -> bool {
    match expression {
        Expression::NamedNode(_) | Expression::Literal(_) => true,
        Expression::Variable(variable) => bound.contains(variable),
        _ => false,
    }
}

/// Returns whether a pattern of EXISTS has the same solutions when it is evaluated separately and joined with the
/// solutions of the outer patterns. The outer patterns are joined with each other.
pub(crate) fn is_semi_join(outer: &[&GraphPattern], pattern: &GraphPattern) -> bool {
    let mut used = PatternVariables::new();
    mentioned(pattern, &mut used);
    let scope: PatternVariables = outer.iter().flat_map(|outer| in_scope(outer)).collect();
    let keys: PatternVariables = used.into_iter().filter(|variable| scope.contains(variable)).collect();
    let outside: PatternVariables = outer.iter().flat_map(|outer| certainly_bound(outer)).collect();
    let inside = certainly_bound(pattern);
    let is_bound = |key: &Variable| outside.contains(key) && inside.contains(key);
    !keys.is_empty() && keys.iter().all(is_bound) && stands_alone(pattern, &keys)
}

/// Returns whether the pattern has the same solutions when it is evaluated separately and joined on `keys` as when each
/// binding of `keys` is put into it first.
///
/// This is so if each part that uses a key without binding it is joined with a part that certainly binds the key.
/// Returns `false` for forms where this can fail (MINUS, LIMIT, SERVICE).
pub(crate) fn stands_alone(pattern: &GraphPattern, keys: &PatternVariables) -> bool {
    let uses_only = |used: PatternVariables, bound: &PatternVariables| {
        used.into_iter().all(|variable| !keys.contains(&variable) || bound.contains(&variable))
    };
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => true,
        GraphPattern::Values { bindings, .. } => bindings.iter().flatten().all(Option::is_some),
        GraphPattern::Join { left, right } | GraphPattern::Union { left, right } => {
            stands_alone(left, keys) && stands_alone(right, keys)
        }
        GraphPattern::LeftJoin { left, right, expression } => {
            let mut used = PatternVariables::new();
            mentioned(right, &mut used);
            if let Some(expression) = expression {
                mentioned_by_expression(expression, &mut used);
            }
            stands_alone(left, keys) && stands_alone(right, keys) && uses_only(used, &certainly_bound(left))
        }
        GraphPattern::Filter { expr, inner } => {
            let mut used = PatternVariables::new();
            mentioned_by_expression(expr, &mut used);
            stands_alone(inner, keys) && uses_only(used, &certainly_bound(inner))
        }
        GraphPattern::Extend { inner, variable, expression } => {
            let mut used = PatternVariables::new();
            mentioned_by_expression(expression, &mut used);
            !keys.contains(variable) && stands_alone(inner, keys) && uses_only(used, &certainly_bound(inner))
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. } => stands_alone(inner, keys),
        GraphPattern::Project { inner, variables } => {
            let visible = variables.iter().filter(|variable| keys.contains(*variable)).cloned().collect();
            stands_alone(inner, &visible)
        }
        GraphPattern::Group { inner, variables, .. } => {
            let mut used = PatternVariables::new();
            mentioned(inner, &mut used);
            let keys_grouped: PatternVariables = variables.iter().cloned().collect();
            let bound = certainly_bound(inner);
            !variables.is_empty()
                && used.iter().all(|v| !keys.contains(v) || keys_grouped.contains(v) && bound.contains(v))
                && stands_alone(inner, keys)
        }
        GraphPattern::Minus { .. }
        | GraphPattern::Slice { .. }
        | GraphPattern::Lateral { .. }
        | GraphPattern::Service { .. } => false,
    }
}
