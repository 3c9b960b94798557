//! Gives the variables of a pattern other names.

use std::collections::{HashMap, HashSet};

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};

use crate::algebra::{exists, expressions_mut, mentioned, operands_mut, parts, parts_mut};

type VariableRenaming = HashMap<Variable, Variable>;

/// Renames each variable of a pattern with the function `name`, also in EXISTS and subqueries.
pub(crate) fn rename_all(pattern: &mut GraphPattern, mut name: impl FnMut(&Variable) -> Variable) {
    // Names are given in an order that is the same each time.
    let mut found: Vec<Variable> = variables_of(pattern).into_iter().collect();
    found.sort_unstable_by(|left, right| left.as_str().cmp(right.as_str()));
    let names = found.into_iter().map(|variable| (variable.clone(), name(&variable))).collect();
    rename(pattern, &names);
}

/// The variables of a pattern, including those that are local to EXISTS and subqueries.
pub(crate) fn variables_of(pattern: &GraphPattern) -> HashSet<Variable> {
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

fn rename(pattern: &mut GraphPattern, names: &VariableRenaming) {
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

fn rename_in_expression(expression: &mut Expression, names: &VariableRenaming) {
    match expression {
        Expression::Variable(variable) | Expression::Bound(variable) => in_variable(variable, names),
        Expression::Exists(pattern) => rename(pattern, names),
        _ => {
            operands_mut(expression).into_iter().for_each(|operand| rename_in_expression(operand, names));
        }
    }
}

fn in_variable(variable: &mut Variable, names: &VariableRenaming) {
    if let Some(name) = names.get(variable) {
        variable.clone_from(name);
    }
}

fn in_name(name: &mut NamedNodePattern, names: &VariableRenaming) {
    if let NamedNodePattern::Variable(variable) = name {
        in_variable(variable, names);
    }
}

fn in_term(term: &mut TermPattern, names: &VariableRenaming) {
    if let TermPattern::Variable(variable) = term {
        in_variable(variable, names);
    }
}
