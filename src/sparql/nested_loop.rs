//! Orders the joins inside an EXISTS that is evaluated anew for each solution around it, so that
//! each step looks up what the steps before it have bound.

use std::collections::HashSet;

use oxrdf::Variable;
use oxrdf::vocab::rdf;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use super::algebra::{expressions_mut, in_scope, operands_mut, parts_mut};

type Variables = HashSet<Variable>;

/// Puts triple patterns and paths that are joined into a sequence of lookups; says whether it
/// changed anything. `bound` are the variables that have a value when the evaluation begins.
pub(super) fn order_joins(pattern: &mut GraphPattern, bound: &Variables) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } if patterns.len() < 2 => false,
        GraphPattern::Bgp { .. } | GraphPattern::Join { .. } => order_join(pattern, bound),
        GraphPattern::LeftJoin { left, right, .. } => {
            let mut changed = order_joins(left, bound);
            let mut bound_inside = bound.clone();
            bound_inside.extend(in_scope(left));
            if is_chain(right) {
                order_joins(right, &bound_inside);
                let GraphPattern::LeftJoin { left, right, expression } = std::mem::take(pattern) else {
                    return changed;
                };
                // A left join with the single empty solution is how the evaluator is told to look
                // up the right side for each solution of the left one.
                let right = GraphPattern::LeftJoin { left: Box::default(), right, expression };
                *pattern = GraphPattern::Lateral { left, right: Box::new(right) };
                changed = true;
            }
            changed
        }
        GraphPattern::Project { inner, variables } => {
            let visible = variables.iter().filter(|variable| bound.contains(*variable)).cloned().collect();
            order_joins(inner, &visible)
        }
        GraphPattern::Minus { left, .. } => order_joins(left, bound),
        GraphPattern::Service { .. } | GraphPattern::Lateral { .. } => false,
        _ => {
            let mut bound_inside = bound.clone();
            bound_inside.extend(in_scope(pattern));
            let mut changed = false;
            for expression in expressions_mut(pattern) {
                changed |= in_expression(expression, &bound_inside);
            }
            for part in parts_mut(pattern) {
                changed |= order_joins(part, bound);
            }
            changed
        }
    }
}

fn in_expression(expression: &mut Expression, bound: &Variables) -> bool {
    if let Expression::Exists(pattern) = expression {
        return order_joins(pattern, bound);
    }
    let mut changed = false;
    for operand in operands_mut(expression) {
        changed |= in_expression(operand, bound);
    }
    changed
}

/// Whether the pattern is made of triple patterns and paths only.
fn is_chain(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => true,
        GraphPattern::Join { left, right } => is_chain(left) && is_chain(right),
        _ => false,
    }
}

fn order_join(pattern: &mut GraphPattern, bound: &Variables) -> bool {
    let mut lookups = Vec::new();
    let mut others = Vec::new();
    flatten(std::mem::take(pattern), &mut lookups, &mut others);
    let mut bound = bound.clone();
    let mut result: Option<GraphPattern> = None;
    while let Some(next) = cheapest(&lookups, &bound) {
        let step = lookups.swap_remove(next);
        bound.extend(in_scope(&step));
        result = Some(match result {
            None => step,
            Some(left) => GraphPattern::Lateral { left: Box::new(left), right: Box::new(step) },
        });
    }
    for mut other in others {
        order_joins(&mut other, &bound);
        result = Some(match result {
            None => other,
            Some(left) => GraphPattern::Join { left: Box::new(left), right: Box::new(other) },
        });
    }
    *pattern = result.unwrap_or_default();
    true
}

/// Splits joined patterns into single lookups and the rest. Blank nodes become variables, since
/// their meaning must not end at the borders of a lookup.
fn flatten(pattern: GraphPattern, lookups: &mut Vec<GraphPattern>, others: &mut Vec<GraphPattern>) {
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
            flatten(*left, lookups, others);
            flatten(*right, lookups, others);
        }
        other => others.push(other),
    }
}

fn blank_node_as_variable(term: &mut TermPattern) {
    if let TermPattern::BlankNode(node) = term {
        *term = TermPattern::Variable(Variable::new_unchecked(format!("_blank_{}", node.as_str())));
    }
}

fn cheapest(lookups: &[GraphPattern], bound: &Variables) -> Option<usize> {
    (0..lookups.len()).min_by_key(|&at| cost(&lookups[at], bound))
}

/// A guess at how many solutions a lookup has, by what is known of its triple.
fn cost(lookup: &GraphPattern, bound: &Variables) -> u64 {
    let is_known = |term: &TermPattern| match term {
        TermPattern::Variable(variable) => bound.contains(variable),
        TermPattern::BlankNode(_) => false,
        _ => true,
    };
    match lookup {
        GraphPattern::Bgp { patterns } => patterns.first().map_or(1, |triple| {
            let TriplePattern { subject, predicate, object } = triple;
            let (is_property_known, is_type) = match predicate {
                NamedNodePattern::NamedNode(node) => (true, *node == rdf::TYPE),
                NamedNodePattern::Variable(variable) => (bound.contains(variable), false),
            };
            u64::from(is_type)
                + match (is_known(subject), is_property_known, is_known(object)) {
                    (true, true, true) => 1,
                    (true, false, true) => 2,
                    (true, true, false) => 10,
                    (true, false, false) => 100,
                    (false, true, true) => 1_000,
                    (false, false, true) => 10_000,
                    (false, true, false) => 1_000_000,
                    (false, false, false) => 1_000_000_000,
                }
        }),
        GraphPattern::Path { subject, object, .. } => match (is_known(subject), is_known(object)) {
            (true, true) => 50,
            (true, false) => 1_000,
            (false, true) => 10_000,
            (false, false) => 1_000_000_000,
        },
        _ => u64::MAX,
    }
}
