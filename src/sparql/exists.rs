//! Makes the time of EXISTS, NOT EXISTS, MINUS and `OPTIONAL { … } FILTER(!BOUND(…))` grow with the data and
//! not with its square.
//!
//! `spareval` evaluates the pattern of EXISTS anew for each solution, with its joins in no good order, so a
//! join inside costs the product of both sides. Where a sample of the data says that a few lookups decide,
//! the joins are put into an order that begins at the bound variables. Elsewhere the pattern becomes an
//! anti-join (MINUS) or a semi-join (a join with the distinct keys), provided that it means the same when
//! evaluated by itself ([`stands_alone`]) and both sides certainly bind the variables that they share.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra::{
    any, exists, exists_of_mut, expressions_mut, in_scope, mentioned, mentioned_by_expression, parts_mut,
    pattern_of, pattern_of_mut,
};
use super::bindings::{certainly_bound, stands_alone};
use super::nested_loop::{is_cheap, order_joins};
use super::private_variables::Renamer;
use super::statistics::Statistics;

/// The number of rewrites of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rewrites {
    /// NOT EXISTS, or OPTIONAL with `!BOUND`, as a hash anti-join.
    pub(super) anti_joins: usize,
    /// EXISTS as a hash semi-join.
    pub(super) semi_joins: usize,
    /// EXISTS that stays, with its joins ordered.
    pub(super) nested_loops: usize,
}

/// The way in which EXISTS and its kin are evaluated. The answers are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExistsStrategy {
    /// As a sample of the data suggests.
    #[default]
    BySample,
    /// By hash joins wherever they mean the same.
    HashJoin,
}

/// Tells whether a query has a pattern that could be rewritten.
pub(super) fn needs_rewrite(query: &Query) -> bool {
    any(pattern_of(query), &|pattern| match pattern {
        GraphPattern::Minus { .. } => true,
        GraphPattern::Filter { inner, .. } if matches!(inner.as_ref(), GraphPattern::LeftJoin { .. }) => true,
        _ => !exists(pattern).is_empty(),
    })
}

/// Rewrites a query; its answers stay the same.
pub(super) fn rewrite(query: &mut Query, statistics: &Statistics<'_>, strategy: ExistsStrategy) -> Rewrites {
    let mut renamer = Renamer::default();
    renamer.query(query);
    let mut rewriter = Rewriter { made: Rewrites::default(), graph: None, renamer, statistics, strategy };
    rewriter.pattern(pattern_of_mut(query));
    rewriter.made
}

struct Rewriter<'s> {
    made: Rewrites,
    /// The variable of the innermost `GRAPH ?g`, which all patterns inside share.
    graph: Option<Variable>,
    renamer: Renamer,
    statistics: &'s Statistics<'s>,
    strategy: ExistsStrategy,
}

/// The way to check whether a pattern has a solution that matches a given solution.
enum Way {
    NestedLoop,
    HashJoin(HashSet<Variable>),
}

impl Rewriter<'_> {
    /// Chooses how to check the pattern for each solution of `outer`. `is_exists` says that the pattern comes
    /// from EXISTS, which is defined by putting the outer bindings into it.
    fn way(&self, outer: &GraphPattern, pattern: &GraphPattern, is_exists: bool) -> Option<Way> {
        let keys = shared_keys(outer, pattern);
        let is_cheap = || {
            self.strategy == ExistsStrategy::BySample && is_cheap(pattern, &in_scope(outer), self.statistics)
        };
        match keys {
            None if is_exists => Some(Way::NestedLoop),
            None => None,
            Some(keys) => {
                Some(if is_lookup(pattern) || is_cheap() { Way::NestedLoop } else { Way::HashJoin(keys) })
            }
        }
    }

    /// Rewrites a pattern that is evaluated once, not anew for each solution of another pattern.
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
            GraphPattern::Minus { left, right } if self.graph.is_none() => {
                self.pattern(left);
                if let Some(Way::NestedLoop) = self.way(left, right, false) {
                    let expr = self.is_absent(std::mem::take(right), &in_scope(left));
                    *pattern = GraphPattern::Filter { expr, inner: std::mem::take(left) };
                } else {
                    self.pattern(right);
                }
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

    /// Turns one condition into a join with the filtered pattern, or returns the condition.
    fn condition(&mut self, condition: Expression, outer: &mut GraphPattern) -> Option<Expression> {
        match condition {
            Expression::Exists(pattern) => match self.way(outer, &pattern, true) {
                Some(Way::HashJoin(keys)) => {
                    self.made.semi_joins += 1;
                    let right = Box::new(self.distinct_keys(*pattern, keys));
                    let left = Box::new(std::mem::take(outer));
                    *outer = GraphPattern::Join { left, right };
                    None
                }
                _ => Some(Expression::Exists(pattern)),
            },
            Expression::Not(negated) => match *negated {
                Expression::Exists(pattern) => match self.way(outer, &pattern, true) {
                    Some(Way::HashJoin(keys)) => {
                        self.anti_join(outer, *pattern, keys);
                        None
                    }
                    _ => Some(Expression::Not(Box::new(Expression::Exists(pattern)))),
                },
                Expression::Bound(variable) if self.optional_is_absent(&variable, outer) => None,
                other => Some(Expression::Not(Box::new(other))),
            },
            other => Some(other),
        }
    }

    /// Removes the solutions of `outer` for which the pattern has a solution.
    fn anti_join(&mut self, outer: &mut GraphPattern, pattern: GraphPattern, keys: HashSet<Variable>) {
        self.made.anti_joins += 1;
        let right = Box::new(self.distinct_keys(pattern, keys));
        let left = Box::new(std::mem::take(outer));
        *outer = GraphPattern::Minus { left, right };
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
        let mut left = std::mem::take(left.as_mut());
        if stands_alone(&absent, &keys) && matches!(self.way(&left, &absent, false), Some(Way::NestedLoop)) {
            let expr = self.is_absent(Box::new(absent), &in_scope(&left));
            left = GraphPattern::Filter { expr, inner: Box::new(left) };
        } else {
            self.anti_join(&mut left, absent, keys);
        }
        *pattern = left;
        true
    }

    /// NOT EXISTS of a pattern that was evaluated by itself, for solutions with the variables in `bound`. A filter that
    /// is moved may also see variables bound further out, so the pattern's own variables get other names.
    fn is_absent(&mut self, mut pattern: Box<GraphPattern>, bound: &HashSet<Variable>) -> Expression {
        let scope: HashSet<Variable> = bound.iter().chain(&self.graph).cloned().collect();
        self.renamer.rename_private(&mut pattern, &scope);
        let mut expression = Expression::Not(Box::new(Expression::Exists(pattern)));
        self.expression(&mut expression, bound);
        expression
    }

    /// Orders the joins inside each EXISTS that stays.
    fn expression(&mut self, expression: &mut Expression, bound: &HashSet<Variable>) {
        for pattern in exists_of_mut(expression) {
            self.made.nested_loops += usize::from(order_joins(pattern, bound, self.statistics));
        }
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

/// The variables on which the pattern can be joined with the outer pattern; none where a join would change the meaning.
pub(super) fn shared_keys(outer: &GraphPattern, pattern: &GraphPattern) -> Option<HashSet<Variable>> {
    let mut used = HashSet::new();
    mentioned(pattern, &mut used);
    let scope = in_scope(outer);
    let keys: HashSet<Variable> = used.into_iter().filter(|variable| scope.contains(variable)).collect();
    let (bound_outside, bound_inside) = (certainly_bound(outer), certainly_bound(pattern));
    let is_bound = |key: &Variable| bound_outside.contains(key) && bound_inside.contains(key);
    (!keys.is_empty() && keys.iter().all(is_bound) && stands_alone(pattern, &keys)).then_some(keys)
}

/// Tells whether EXISTS over the pattern is one lookup in an index.
fn is_lookup(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.len() < 2,
        GraphPattern::Path { .. } => true,
        // Alternatives of a path.
        GraphPattern::Union { left, right } => is_lookup(left) && is_lookup(right),
        _ => false,
    }
}
