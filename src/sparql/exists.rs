//! Makes EXISTS, NOT EXISTS and `OPTIONAL { … } FILTER(!BOUND(…))` cost what a hash join costs.
//!
//! `spareval` evaluates the pattern of EXISTS anew for each solution, with its joins in no good
//! order, so a join inside costs the product of both sides. Where the pattern means the same when
//! evaluated by itself ([`stands_alone`]) and both sides certainly bind what they share, it becomes
//! an anti-join (MINUS) or a semi-join (a join with the distinct keys). Elsewhere the meaning stays
//! with EXISTS, and only the joins inside are put into an order that begins at what is bound.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra::{
    expressions_mut, in_scope, mentioned, mentioned_by_expression, operands_mut, parts_mut, pattern_of_mut,
};
use super::bindings::{certainly_bound, stands_alone};
use super::nested_loop::order_joins;

/// How often each rewrite was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rewrites {
    /// NOT EXISTS, or OPTIONAL with `!BOUND`, as a hash anti-join.
    pub(super) anti_joins: usize,
    /// EXISTS as a hash semi-join.
    pub(super) semi_joins: usize,
    /// EXISTS left as it is, its joins ordered.
    pub(super) nested_loops: usize,
}

/// Rewrites a query; its answers stay the same.
pub(super) fn rewrite(query: &mut Query) -> Rewrites {
    let mut rewriter = Rewriter { made: Rewrites::default(), graph: None };
    rewriter.pattern(pattern_of_mut(query));
    rewriter.made
}

struct Rewriter {
    made: Rewrites,
    /// The variable of the innermost `GRAPH ?g`: shared by all that stands in it.
    graph: Option<Variable>,
}

impl Rewriter {
    /// Rewrites a pattern that is evaluated once, not anew for each solution of another one.
    fn pattern(&mut self, pattern: &mut GraphPattern) {
        match pattern {
            GraphPattern::Service { .. } => {}
            GraphPattern::Filter { .. } => self.filter(pattern),
            GraphPattern::Graph { name, inner } => {
                let outer = self.graph.take();
                if let spargebra::term::NamedNodePattern::Variable(name) = name {
                    self.graph = Some(name.clone());
                }
                self.pattern(inner);
                self.graph = outer;
            }
            GraphPattern::Lateral { left, .. } => self.pattern(left),
            GraphPattern::Minus { left, right }
                if self.graph.is_none() && in_scope(left).is_disjoint(&in_scope(right)) =>
            {
                // MINUS takes nothing away where no variable is shared.
                self.pattern(left);
                *pattern = std::mem::take(left);
            }
            _ => {
                let bound = in_scope(pattern);
                for expression in expressions_mut(pattern) {
                    self.expression(expression, &bound);
                }
                parts_mut(pattern).into_iter().for_each(|part| self.pattern(part));
            }
        }
    }

    fn filter(&mut self, pattern: &mut GraphPattern) {
        let GraphPattern::Filter { expr, inner } = std::mem::take(pattern) else { return };
        let mut result = *inner;
        self.pattern(&mut result);
        let mut rest = Vec::new();
        for condition in conjuncts(expr) {
            if let Some(mut condition) = self.condition(condition, &mut result) {
                self.expression(&mut condition, &in_scope(&result));
                rest.push(condition);
            }
        }
        let rest = rest.into_iter().reduce(|a, b| Expression::And(Box::new(a), Box::new(b)));
        *pattern = match rest {
            Some(expr) => GraphPattern::Filter { expr, inner: Box::new(result) },
            None => result,
        };
    }

    /// Turns one condition into a join with the filtered pattern, or gives it back.
    fn condition(&mut self, condition: Expression, outer: &mut GraphPattern) -> Option<Expression> {
        match condition {
            Expression::Exists(pattern) => match shared_keys(outer, &pattern) {
                Some(keys) => {
                    self.made.semi_joins += 1;
                    let right = Box::new(self.distinct_keys(*pattern, keys));
                    let left = Box::new(std::mem::take(outer));
                    *outer = GraphPattern::Join { left, right };
                    None
                }
                None => Some(Expression::Exists(pattern)),
            },
            Expression::Not(negated) => match *negated {
                Expression::Exists(pattern) => match shared_keys(outer, &pattern) {
                    Some(keys) => {
                        self.made.anti_joins += 1;
                        let right = Box::new(self.distinct_keys(*pattern, keys));
                        let left = Box::new(std::mem::take(outer));
                        *outer = GraphPattern::Minus { left, right };
                        None
                    }
                    None => Some(Expression::Not(Box::new(Expression::Exists(pattern)))),
                },
                Expression::Bound(variable) if self.optional_is_absent(&variable, outer) => None,
                other => Some(Expression::Not(Box::new(other))),
            },
            other => Some(other),
        }
    }

    /// The keys for which the pattern has a solution, each once.
    fn distinct_keys(&mut self, mut pattern: GraphPattern, keys: HashSet<Variable>) -> GraphPattern {
        self.pattern(&mut pattern);
        let mut variables: Vec<Variable> = keys.into_iter().chain(self.graph.clone()).collect();
        variables.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
        variables.dedup();
        GraphPattern::Distinct {
            inner: Box::new(GraphPattern::Project { inner: Box::new(pattern), variables }),
        }
    }

    /// `OPTIONAL { … } FILTER(!BOUND(?v))` where only the OPTIONAL binds `?v`: an anti-join.
    fn optional_is_absent(&mut self, variable: &Variable, pattern: &mut GraphPattern) -> bool {
        let GraphPattern::LeftJoin { left, right, expression } = pattern else { return false };
        let mut used = HashSet::new();
        mentioned(right, &mut used);
        if let Some(expression) = expression {
            mentioned_by_expression(expression, &mut used);
        }
        if !used.contains(variable) {
            return self.optional_is_absent(variable, left);
        }
        let left_scope = in_scope(left);
        let bound_right = certainly_bound(right);
        if left_scope.contains(variable) || !bound_right.contains(variable) {
            return false;
        }
        let keys: HashSet<Variable> = used.into_iter().filter(|v| left_scope.contains(v)).collect();
        let bound_left = certainly_bound(left);
        let is_equal =
            !keys.is_empty() && keys.iter().all(|key| bound_left.contains(key) && bound_right.contains(key));
        if !is_equal {
            return false;
        }
        let mut absent = std::mem::take(right.as_mut());
        if let Some(expr) = expression.take() {
            absent = GraphPattern::Filter { expr, inner: Box::new(absent) };
        }
        self.made.anti_joins += 1;
        let right = Box::new(self.distinct_keys(absent, keys));
        *pattern = GraphPattern::Minus { left: std::mem::take(left), right };
        true
    }

    /// EXISTS that stays: orders the joins inside.
    fn expression(&mut self, expression: &mut Expression, bound: &HashSet<Variable>) {
        if let Expression::Exists(pattern) = expression {
            if order_joins(pattern, bound) {
                self.made.nested_loops += 1;
            }
            return;
        }
        operands_mut(expression).into_iter().for_each(|operand| self.expression(operand, bound));
    }
}

fn conjuncts(expression: Expression) -> Vec<Expression> {
    match expression {
        Expression::And(left, right) => {
            let mut all = conjuncts(*left);
            all.extend(conjuncts(*right));
            all
        }
        other => vec![other],
    }
}

/// The variables on which EXISTS can be joined with the pattern around it; nothing where it must
/// stay EXISTS, or where it is one lookup in an index anyway.
fn shared_keys(outer: &GraphPattern, pattern: &GraphPattern) -> Option<HashSet<Variable>> {
    let is_lookup = match pattern {
        GraphPattern::Bgp { patterns } => patterns.len() < 2,
        GraphPattern::Path { .. } => true,
        _ => false,
    };
    if is_lookup {
        return None;
    }
    let mut used = HashSet::new();
    mentioned(pattern, &mut used);
    let scope = in_scope(outer);
    let keys: HashSet<Variable> = used.into_iter().filter(|variable| scope.contains(variable)).collect();
    let (bound_outside, bound_inside) = (certainly_bound(outer), certainly_bound(pattern));
    let is_bound = |key: &Variable| bound_outside.contains(key) && bound_inside.contains(key);
    (!keys.is_empty() && keys.iter().all(is_bound) && stands_alone(pattern, &keys)).then_some(keys)
}
