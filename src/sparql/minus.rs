//! MINUS inside of EXISTS. The evaluator hands the outer solution to both sides, so that they always share a variable
//! and MINUS removes even solutions that share none of the pattern's own (SPARQL 1.1, section 18.5, Minus).

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::algebra::{exists, exists_mut, in_scope, mentioned, parts, parts_mut};
use super::bindings::certainly_bound;
use super::private_variables::rename_variable;

/// The solution outside of an EXISTS: the variables that it may bind, and those that it surely binds.
#[derive(Debug, Default, Clone)]
struct Outer {
    given: HashSet<Variable>,
    replaced: HashSet<Variable>,
}

/// Rewrites each MINUS inside of EXISTS.
#[derive(Debug, Default)]
pub(super) struct MinusInExists {
    count: usize,
}

impl MinusInExists {
    /// Rewrites a pattern that is inside of no EXISTS.
    pub(super) fn rewrite(&mut self, pattern: &mut GraphPattern) {
        self.pattern(pattern, None);
    }

    fn pattern(&mut self, pattern: &mut GraphPattern, given: Option<&Outer>) {
        if let GraphPattern::Service { .. } = pattern {
            return;
        }
        if !exists(pattern).is_empty() {
            let mut outer = given.cloned().unwrap_or_default();
            for part in parts(pattern) {
                outer.given.extend(in_scope(part));
                outer.replaced.extend(certainly_bound(part));
            }
            exists_mut(pattern).into_iter().for_each(|inside| self.pattern(inside, Some(&outer)));
        }
        parts_mut(pattern).into_iter().for_each(|part| self.pattern(part, given));
        if let (GraphPattern::Minus { .. }, Some(given)) = (&pattern, given) {
            self.minus(pattern, given);
        }
    }

    fn minus(&mut self, pattern: &mut GraphPattern, outer: &Outer) {
        let GraphPattern::Minus { left, right } = pattern else { return };
        let right_scope = in_scope(right);
        let mut shared: Vec<Variable> =
            in_scope(left).into_iter().filter(|variable| right_scope.contains(variable)).collect();
        // A variable that is replaced by its value is shared no more (section 18.6, substitute).
        shared.retain(|variable| !outer.replaced.contains(variable));
        if shared.is_empty() {
            *pattern = std::mem::take(left);
            return;
        }
        let (bound_left, bound_right) = (certainly_bound(left), certainly_bound(right));
        if shared.iter().any(|variable| bound_left.contains(variable) && bound_right.contains(variable)) {
            return;
        }
        // The shared variables differ between solutions, so the right side gets names of its own.
        shared.sort_unstable();
        let inner = self.with_own_names(right, &outer.given);
        let absent = Expression::Exists(Box::new(GraphPattern::Filter {
            expr: self.is_taken_away(&shared, &outer.given),
            inner: Box::new(inner),
        }));
        let expr = Expression::Not(Box::new(absent));
        *pattern = GraphPattern::Filter { expr, inner: std::mem::take(left) };
    }

    fn own_name(&self, variable: &Variable) -> Variable {
        // No name in a query's text holds a dot.
        Variable::new_unchecked(format!("{}.minus.{}", variable.as_str(), self.count))
    }

    fn with_own_names(&mut self, right: &mut GraphPattern, given: &HashSet<Variable>) -> GraphPattern {
        self.count += 1;
        let mut right = std::mem::take(right);
        let mut variables = HashSet::new();
        mentioned(&right, &mut variables);
        for variable in variables.difference(given) {
            rename_variable(&mut right, variable, &self.own_name(variable));
        }
        right
    }

    /// The condition that two solutions agree in the variables that both bind, and share at least one.
    fn is_taken_away(&self, shared: &[Variable], given: &HashSet<Variable>) -> Expression {
        let (mut agrees, mut shares) = (Expression::from(oxrdf::Literal::from(true)), None);
        for variable in shared {
            let own = match given.contains(variable) {
                true => variable.clone(),
                false => self.own_name(variable),
            };
            let both = Expression::And(
                Box::new(Expression::Bound(variable.clone())),
                Box::new(Expression::Bound(own.clone())),
            );
            let is_same = Expression::SameTerm(Box::new(variable.clone().into()), Box::new(own.into()));
            let is_free = Expression::Not(Box::new(both.clone()));
            let is_compatible = Expression::Or(Box::new(is_free), Box::new(is_same));
            agrees = Expression::And(Box::new(agrees), Box::new(is_compatible));
            shares = Some(match shares {
                None => both,
                Some(shares) => Expression::Or(Box::new(shares), Box::new(both)),
            });
        }
        match shares {
            Some(shares) => Expression::And(Box::new(agrees), Box::new(shares)),
            None => agrees,
        }
    }
}
