//! Groups of many patterns, which the optimizer orders in a time that grows with the fourth power of their number. This
//! file turns them into sequences of lookups, ordered by a sample of the data, which need no further ordering.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra::{any, exists_mut, exists_of_mut, in_scope, mentioned_by_expression, parts_mut};
use super::bindings::certainly_bound;
use super::nested_loop::{cheapest, split_into_lookups};
use super::statistics::Statistics;

/// How many patterns the optimizer orders quickly.
const FEW: usize = 32;

/// Tells whether a pattern has a group of many patterns.
pub(super) fn has_long_joins(pattern: &GraphPattern) -> bool {
    any(pattern, &|pattern| length(pattern) > FEW)
}

/// Counts the steps of a group.
fn length(pattern: &GraphPattern) -> usize {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.len(),
        GraphPattern::Join { left, right } => length(left) + length(right),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => length(left) + 1,
        GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::Graph { inner, .. } => length(inner),
        _ => 1,
    }
}

/// Turns groups of many patterns into sequences of steps; the answers stay the same.
pub(super) fn order_long_joins(pattern: &mut GraphPattern, statistics: &Statistics<'_>) {
    if length(pattern) > FEW {
        *pattern = balanced(in_sequence(std::mem::take(pattern), &mut HashSet::new(), statistics));
        return;
    }
    for inside in exists_mut(pattern) {
        order_long_joins(inside, statistics);
    }
    for part in parts_mut(pattern) {
        order_long_joins(part, statistics);
    }
}

fn order_in_expression(expression: &mut Expression, statistics: &Statistics<'_>) {
    exists_of_mut(expression).into_iter().for_each(|pattern| order_long_joins(pattern, statistics));
}

/// Arranges a sequence of steps as a tree whose depth is the logarithm of their number: the steps before a
/// step are visited once for each level above it.
fn balanced(mut steps: Vec<GraphPattern>) -> GraphPattern {
    if steps.len() < 2 {
        return steps.pop().unwrap_or_default();
    }
    let right = steps.split_off(steps.len() / 2);
    GraphPattern::Lateral { left: Box::new(balanced(steps)), right: Box::new(balanced(right)) }
}

/// Splits a group into steps. Adds its variables to `bound`, which holds those with a value before the group.
fn in_sequence(
    pattern: GraphPattern,
    bound: &mut HashSet<Variable>,
    statistics: &Statistics<'_>,
) -> Vec<GraphPattern> {
    let mut inside = |pattern| Box::new(balanced(in_sequence(pattern, bound, statistics)));
    let step = match pattern {
        GraphPattern::LeftJoin { left, mut right, expression } => {
            let mut steps = in_sequence(*left, bound, statistics);
            if may_be_looked_up(&right, bound) {
                let right = Box::new(balanced(in_sequence(*right, bound, statistics)));
                // A left join with the single empty solution is looked up for each solution of the left side.
                steps.push(GraphPattern::LeftJoin { left: Box::default(), right, expression });
                return steps;
            }
            order_long_joins(&mut right, statistics);
            bound.extend(in_scope(&right));
            GraphPattern::LeftJoin { left: Box::new(balanced(steps)), right, expression }
        }
        GraphPattern::Minus { left, mut right } => {
            order_long_joins(&mut right, statistics);
            GraphPattern::Minus { left: inside(*left), right }
        }
        GraphPattern::Filter { mut expr, inner } => {
            order_in_expression(&mut expr, statistics);
            GraphPattern::Filter { expr, inner: inside(*inner) }
        }
        GraphPattern::Extend { inner, variable, mut expression } => {
            order_in_expression(&mut expression, statistics);
            let inner = inside(*inner);
            bound.insert(variable.clone());
            GraphPattern::Extend { inner, variable, expression }
        }
        pattern => return joined_in_sequence(pattern, bound, statistics),
    };
    vec![step]
}

fn joined_in_sequence(
    pattern: GraphPattern,
    bound: &mut HashSet<Variable>,
    statistics: &Statistics<'_>,
) -> Vec<GraphPattern> {
    let (mut lookups, mut others) = (Vec::new(), Vec::new());
    split(pattern, &mut lookups, &mut others);
    let mut steps: Vec<GraphPattern> = Vec::new();
    let join = |steps: Vec<GraphPattern>, right: GraphPattern| match steps.is_empty() {
        true => vec![right],
        false => vec![GraphPattern::Join { left: Box::new(balanced(steps)), right: Box::new(right) }],
    };
    // Patterns with steps of their own are long themselves and cannot be looked up, so they come first.
    let (long, others): (Vec<_>, Vec<_>) = others.into_iter().partition(has_steps);
    for long in long {
        let mut bound_inside = HashSet::new();
        let inside = in_sequence(long, &mut bound_inside, statistics);
        steps = if steps.is_empty() { inside } else { join(steps, balanced(inside)) };
        bound.extend(bound_inside);
    }
    // A long table comes first, or is a side of a join: as a lookup it would be read to its end for each solution.
    let is_table = |pattern: &GraphPattern| matches!(pattern, GraphPattern::Values { bindings, .. } if bindings.len() > FEW);
    let (mut tables, mut lookups): (Vec<_>, Vec<_>) = lookups.into_iter().partition(is_table);
    if steps.is_empty() && !tables.is_empty() {
        let table = tables.remove(0);
        bound.extend(in_scope(&table));
        steps.push(table);
    }
    while let Some(next) = cheapest(&lookups, bound, statistics) {
        let lookup = lookups.remove(next);
        bound.extend(in_scope(&lookup));
        steps.push(lookup);
    }
    for mut other in tables.into_iter().chain(others) {
        for part in parts_mut(&mut other) {
            order_long_joins(part, statistics);
        }
        bound.extend(in_scope(&other));
        steps = join(steps, other);
    }
    steps
}

/// Tells whether a pattern has the same solutions if the variables in `bound` get their values before it
/// instead of after it: no OPTIONAL or FILTER in the pattern must see more of these variables than otherwise.
fn may_be_looked_up(pattern: &GraphPattern, bound: &HashSet<Variable>) -> bool {
    let sees_its_own = |around: &GraphPattern, seen: HashSet<Variable>| {
        let own = certainly_bound(around);
        seen.iter().all(|variable| own.contains(variable) || !bound.contains(variable))
    };
    match pattern {
        GraphPattern::LeftJoin { left, right, expression } => {
            let mut seen = in_scope(right);
            expression.iter().for_each(|expression| mentioned_by_expression(expression, &mut seen));
            may_be_looked_up(left, bound) && may_be_looked_up(right, bound) && sees_its_own(left, seen)
        }
        GraphPattern::Filter { expr, inner } => {
            let mut seen = HashSet::new();
            mentioned_by_expression(expr, &mut seen);
            may_be_looked_up(inner, bound) && sees_its_own(inner, seen)
        }
        pattern => is_made_of_lookups(pattern),
    }
}

/// Splits joined patterns into single lookups and the rest.
fn split(pattern: GraphPattern, lookups: &mut Vec<GraphPattern>, others: &mut Vec<GraphPattern>) {
    match pattern {
        GraphPattern::Join { left, right } => {
            split(*left, lookups, others);
            split(*right, lookups, others);
        }
        GraphPattern::Graph { name, inner } if is_made_of_lookups(&inner) => {
            let mut inside = Vec::new();
            split(*inner, &mut inside, others);
            lookups.extend(
                inside
                    .into_iter()
                    .map(|lookup| GraphPattern::Graph { name: name.clone(), inner: Box::new(lookup) }),
            );
        }
        GraphPattern::Values { .. } => lookups.push(pattern),
        pattern => split_into_lookups(pattern, lookups, others),
    }
}

/// Tells whether a pattern is made of triple patterns and paths only, also inside of GRAPH.
fn is_made_of_lookups(pattern: &GraphPattern) -> bool {
    match pattern {
        // `GRAPH ?g {}` has a solution for each graph.
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { .. } => true,
        GraphPattern::Graph { inner, .. } => is_made_of_lookups(inner),
        GraphPattern::Join { left, right } => is_made_of_lookups(left) && is_made_of_lookups(right),
        _ => false,
    }
}

fn has_steps(pattern: &GraphPattern) -> bool {
    matches!(
        pattern,
        GraphPattern::LeftJoin { .. }
            | GraphPattern::Minus { .. }
            | GraphPattern::Filter { .. }
            | GraphPattern::Extend { .. }
    )
}
