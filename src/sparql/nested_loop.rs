//! Orders the joins inside an EXISTS that is evaluated anew for each outer solution, so that each step looks
//! up the variables that earlier steps have bound, and estimates the cost.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::GraphPattern;
use spargebra::term::TermPattern;

use super::algebra::{exists, exists_mut, in_scope, is_chain, parts_mut};
use super::statistics::Statistics;

type Variables = HashSet<Variable>;

/// Turns joined triple patterns and paths into a sequence of lookups; returns whether anything changed.
/// `bound` holds the variables that have a value when the evaluation begins.
pub(super) fn order_joins(
    pattern: &mut GraphPattern,
    bound: &Variables,
    statistics: &Statistics<'_>,
) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } if patterns.len() < 2 => false,
        GraphPattern::Bgp { .. } | GraphPattern::Join { .. } => order_join(pattern, bound, statistics),
        GraphPattern::LeftJoin { left, right, .. } => {
            let mut changed = order_joins(left, bound, statistics);
            let mut bound_inside = bound.clone();
            bound_inside.extend(in_scope(left));
            if is_chain(right) {
                order_joins(right, &bound_inside, statistics);
                let GraphPattern::LeftJoin { left, right, expression } = std::mem::take(pattern) else {
                    return changed;
                };
                // A left join with the single empty solution makes the evaluator look up the right side for
                // each solution of the left one.
                let right = GraphPattern::LeftJoin { left: Box::default(), right, expression };
                *pattern = GraphPattern::Lateral { left, right: Box::new(right) };
                changed = true;
            }
            changed
        }
        GraphPattern::Project { inner, variables } => {
            let visible = variables.iter().filter(|variable| bound.contains(*variable)).cloned().collect();
            order_joins(inner, &visible, statistics)
        }
        GraphPattern::Minus { left, .. } => order_joins(left, bound, statistics),
        GraphPattern::Service { .. } | GraphPattern::Lateral { .. } => false,
        _ => {
            let mut bound_inside = bound.clone();
            bound_inside.extend(in_scope(pattern));
            let mut changed = false;
            for inside in exists_mut(pattern) {
                changed |= order_joins(inside, &bound_inside, statistics);
            }
            for part in parts_mut(pattern) {
                changed |= order_joins(part, bound, statistics);
            }
            changed
        }
    }
}

fn order_join(pattern: &mut GraphPattern, bound: &Variables, statistics: &Statistics<'_>) -> bool {
    let mut lookups = Vec::new();
    let mut others = Vec::new();
    split_into_lookups(std::mem::take(pattern), &mut lookups, &mut others);
    let mut bound = bound.clone();
    let mut result: Option<GraphPattern> = None;
    while let Some(next) = cheapest(&lookups, &bound, statistics) {
        let step = lookups.swap_remove(next);
        bound.extend(in_scope(&step));
        result = Some(match result {
            None => step,
            Some(left) => GraphPattern::Lateral { left: Box::new(left), right: Box::new(step) },
        });
    }
    for mut other in others {
        order_joins(&mut other, &bound, statistics);
        result = Some(match result {
            None => other,
            Some(left) => GraphPattern::Join { left: Box::new(left), right: Box::new(other) },
        });
    }
    *pattern = result.unwrap_or_default();
    true
}

/// Splits joined patterns into single lookups and the rest. Blank nodes become variables, since several
/// lookups may share a blank node.
pub(super) fn split_into_lookups(
    pattern: GraphPattern,
    lookups: &mut Vec<GraphPattern>,
    others: &mut Vec<GraphPattern>,
) {
    match pattern {
        GraphPattern::Bgp { patterns } => lookups.extend(patterns.into_iter().map(|mut triple| {
            blank_node_as_variable(&mut triple.subject);
            blank_node_as_variable(&mut triple.object);
            GraphPattern::Bgp { patterns: vec![triple] }
        })),
        GraphPattern::Path { mut subject, path, mut object } => {
            blank_node_as_variable(&mut subject);
            blank_node_as_variable(&mut object);
            lookups.push(GraphPattern::Path { subject, path, object });
        }
        GraphPattern::Join { left, right } => {
            split_into_lookups(*left, lookups, others);
            split_into_lookups(*right, lookups, others);
        }
        other => others.push(other),
    }
}

fn blank_node_as_variable(term: &mut TermPattern) {
    if let TermPattern::BlankNode(node) = term {
        *term = TermPattern::Variable(Variable::new_unchecked(format!("_blank_{}", node.as_str())));
    }
}

/// The lookup that has the fewest solutions where the variables in `bound` have values.
pub(super) fn cheapest(
    lookups: &[GraphPattern],
    bound: &Variables,
    statistics: &Statistics<'_>,
) -> Option<usize> {
    let costs = lookups.iter().map(|lookup| statistics.fan_out(lookup, bound));
    costs.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at)
}

/// The most steps for one outer solution, on average, for which EXISTS is evaluated by a nested loop rather
/// than by a hash join.
const CHEAP: f64 = 16.0;

/// Tells whether few lookups decide EXISTS where the variables in `bound` have values.
pub(super) fn is_cheap(pattern: &GraphPattern, bound: &Variables, statistics: &Statistics<'_>) -> bool {
    let mut bound = bound.clone();
    steps(pattern, &mut bound, statistics).is_some_and(|steps| steps <= CHEAP)
}

/// Estimates the solutions that the steps of a pattern have together; none where the pattern is not made of
/// lookups. Adds the variables of the pattern to `bound`.
fn steps(pattern: &GraphPattern, bound: &mut Variables, statistics: &Statistics<'_>) -> Option<f64> {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Join { .. } => {
            let (mut lookups, mut others) = (Vec::new(), Vec::new());
            split_into_lookups(pattern.clone(), &mut lookups, &mut others);
            let mut solutions = 1.0;
            while let Some(next) = cheapest(&lookups, bound, statistics) {
                let lookup = lookups.swap_remove(next);
                solutions *= statistics.fan_out(&lookup, bound).max(1.0);
                bound.extend(in_scope(&lookup));
            }
            others.is_empty().then_some(solutions)
        }
        GraphPattern::Filter { inner, .. } => {
            let solutions = steps(inner, bound, statistics)?;
            Some(solutions * steps_of_exists(pattern, bound, statistics)?)
        }
        GraphPattern::LeftJoin { left, right, .. } if is_chain(right) => {
            let solutions = steps(left, bound, statistics)? * steps(right, bound, statistics)?;
            Some(solutions * steps_of_exists(pattern, bound, statistics)?)
        }
        GraphPattern::Graph { inner, .. } => steps(inner, bound, statistics),
        _ => None,
    }
}

fn steps_of_exists(pattern: &GraphPattern, bound: &Variables, statistics: &Statistics<'_>) -> Option<f64> {
    exists(pattern).into_iter().map(|inside| steps(inside, &mut bound.clone(), statistics)).product()
}
