//! Renames the variables that only an EXISTS uses.
//!
//! A variable in EXISTS means the outer one only where the group of the filter binds it (SPARQL 1.1, section 18.6,
//! `substitute`). Anywhere else it is the pattern's own, even if groups further out have a variable of that name; yet a
//! join that hands bindings down from there would bind it. A name that occurs nowhere else prevents this.

use std::collections::{HashMap, HashSet};

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};

use super::algebra::{
    exists, exists_mut, expressions_mut, in_scope, mentioned, operands_mut, parts, parts_mut,
};

type Names = HashMap<Variable, Variable>;

/// Gives names that no other part of the query has; the answers stay the same.
#[derive(Debug, Default)]
pub(super) struct Renamer {
    /// How many patterns have names of their own.
    count: usize,
}

impl Renamer {
    /// Renames the private variables of every EXISTS of a pattern.
    pub(super) fn rename(&mut self, pattern: &mut GraphPattern) {
        self.pattern(pattern, &HashSet::new());
    }

    /// Renames the variables of a pattern that `scope` does not have.
    fn rename_private(&mut self, pattern: &mut GraphPattern, scope: &HashSet<Variable>) {
        let mut private = HashSet::new();
        mentioned(pattern, &mut private);
        self.count += 1;
        let own_name = |variable: &Variable| {
            // No name in a query's text holds a dot.
            Variable::new_unchecked(format!("{}.{}", variable.as_str(), self.count))
        };
        let names: Names =
            private.difference(scope).map(|variable| (variable.clone(), own_name(variable))).collect();
        rename(pattern, &names);
    }

    /// `outer` holds the variables that a surrounding EXISTS, GRAPH or LATERAL binds for all patterns inside.
    fn pattern(&mut self, pattern: &mut GraphPattern, outer: &HashSet<Variable>) {
        let mut scope = outer.clone();
        parts(pattern).into_iter().for_each(|part| scope.extend(in_scope(part)));
        for inside in exists_mut(pattern) {
            self.rename_private(inside, &scope);
            self.pattern(inside, &scope);
        }
        let mut handed_down = outer.clone();
        match pattern {
            GraphPattern::Graph { name: NamedNodePattern::Variable(graph), .. } => {
                handed_down.insert(graph.clone());
            }
            GraphPattern::Lateral { left, .. } => handed_down.extend(in_scope(left)),
            _ => {}
        }
        for part in parts_mut(pattern) {
            self.pattern(part, &handed_down);
        }
    }
}

/// Gives one variable another name, in EXISTS and subqueries, too.
pub(super) fn rename_variable(pattern: &mut GraphPattern, from: &Variable, to: &Variable) {
    rename(pattern, &Names::from([(from.clone(), to.clone())]));
}

/// Gives each variable of a pattern the name that a function has for it, in EXISTS and subqueries, too.
pub(super) fn rename_all(pattern: &mut GraphPattern, mut name: impl FnMut(&Variable) -> Variable) {
    // Names are given in an order that is the same each time.
    let mut found: Vec<Variable> = variables_of(pattern).into_iter().collect();
    found.sort_unstable_by(|left, right| left.as_str().cmp(right.as_str()));
    let names = found.into_iter().map(|variable| (variable.clone(), name(&variable))).collect();
    rename(pattern, &names);
}

/// The variables of a pattern, with those that EXISTS and subqueries keep to themselves.
pub(super) fn variables_of(pattern: &GraphPattern) -> HashSet<Variable> {
    let mut found = HashSet::new();
    add_variables(pattern, &mut found);
    found
}

fn add_variables(pattern: &GraphPattern, found: &mut HashSet<Variable>) {
    mentioned(pattern, found);
    exists(pattern).into_iter().chain(parts(pattern)).for_each(|part| add_variables(part, found));
    if let GraphPattern::Group { aggregates, .. } = pattern {
        found.extend(aggregates.iter().map(|(variable, _)| variable.clone()));
    }
}

fn rename(pattern: &mut GraphPattern, names: &Names) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                in_term(&mut triple.subject, names);
                in_name(&mut triple.predicate, names);
                in_term(&mut triple.object, names);
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            in_term(subject, names);
            in_term(object, names);
        }
        GraphPattern::Graph { name, .. } | GraphPattern::Service { name, .. } => in_name(name, names),
        GraphPattern::Extend { variable, .. } => in_variable(variable, names),
        GraphPattern::Values { variables, .. } | GraphPattern::Project { variables, .. } => {
            variables.iter_mut().for_each(|variable| in_variable(variable, names));
        }
        GraphPattern::Group { variables, aggregates, .. } => {
            variables.iter_mut().for_each(|variable| in_variable(variable, names));
            aggregates.iter_mut().for_each(|(variable, _)| in_variable(variable, names));
        }
        _ => {}
    }
    for expression in expressions_mut(pattern) {
        rename_in_expression(expression, names);
    }
    for part in parts_mut(pattern) {
        rename(part, names);
    }
}

fn rename_in_expression(expression: &mut Expression, names: &Names) {
    match expression {
        Expression::Variable(variable) | Expression::Bound(variable) => in_variable(variable, names),
        Expression::Exists(pattern) => rename(pattern, names),
        _ => {
            operands_mut(expression).into_iter().for_each(|operand| rename_in_expression(operand, names));
        }
    }
}

fn in_variable(variable: &mut Variable, names: &Names) {
    if let Some(name) = names.get(variable) {
        variable.clone_from(name);
    }
}

fn in_name(name: &mut NamedNodePattern, names: &Names) {
    if let NamedNodePattern::Variable(variable) = name {
        in_variable(variable, names);
    }
}

fn in_term(term: &mut TermPattern, names: &Names) {
    if let TermPattern::Variable(variable) = term {
        in_variable(variable, names);
    }
}
