//! Groups of many patterns: the optimizer orders them in a time that grows with the fourth power of their number. They
//! become sequences of lookups here, ordered as a sample of the data suggests, which leave nothing to be ordered.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra::{any, exists_mut, exists_of_mut, in_scope, mentioned_by_expression, parts_mut};
use super::bindings::certainly_bound;
use super::nested_loop::{cheapest, split_into_lookups};
use super::statistics::Statistics;

/// How many patterns the optimizer orders in no time.
const FEW: usize = 32;

/// Tells whether a pattern has such a group.
pub(super) fn has_long_joins(pattern: &GraphPattern) -> bool {
    any(pattern, &|pattern| length(pattern) > FEW)
}

/// Tells how many steps stand behind one another in a group.
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

/// Makes sequences of such groups; the answers stay the same.
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

/// Steps one behind the other as a tree whose depth is the logarithm of their number: what comes before a step is looked
/// at once for each level above it.
fn balanced(mut steps: Vec<GraphPattern>) -> GraphPattern {
    if steps.len() < 2 {
        return steps.pop().unwrap_or_default();
    }
    let right = steps.split_off(steps.len() / 2);
    GraphPattern::Lateral { left: Box::new(balanced(steps)), right: Box::new(balanced(right)) }
}

/// A group as steps one behind the other. `bound` are the variables that have a value before it, and then behind it.
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
    // What has steps of its own is long itself, and cannot be looked up: it comes first.
    let (long, others): (Vec<_>, Vec<_>) = others.into_iter().partition(has_steps);
    for long in long {
        let mut bound_inside = HashSet::new();
        let inside = in_sequence(long, &mut bound_inside, statistics);
        steps = if steps.is_empty() { inside } else { join(steps, balanced(inside)) };
        bound.extend(bound_inside);
    }
    // A long table is the beginning, or a side of a join: looked up for each solution it would be read from end to end.
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

/// Tells whether a pattern has the same solutions where the variables in `bound` have values before it as
/// where they get them behind it: an OPTIONAL or FILTER in it sees no more of them than it would.
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

/// Splits what is joined into single lookups and the rest.
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

/// Tells whether a pattern is made of triple patterns and paths only, be they in graphs of a name.
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
