//! Replaces variables with terms everywhere in a parsed query: in patterns, subqueries, EXISTS, BIND, VALUES, filters,
//! templates, names of graphs, orders, groups and projections.
//!
//! The result is the same as if the variable had been bound to the term from the start. A projected variable keeps its
//! column. In expressions, a value may be a blank node of the dataset; into triples, paths and graphs,
//! [`prebound_values`](crate::algebra::prebound_values) puts the values.

use std::collections::HashMap;

use oxrdf::{Literal, NamedNode, Term, Variable};
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use crate::algebra::{expressions_mut, extend, in_scope, operands_mut, parts_mut, pattern_of_mut};
use evalgraph_rdf::vocabulary::evaluator;

/// The reason why a term cannot replace a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SubstitutionError {
    /// A literal was given where only an IRI is allowed.
    NeedsIri(Variable),
    /// The query computes the variable itself.
    IsComputed(Variable),
}

/// The terms by the variables that they replace.
pub(crate) type TermSubstitutions = HashMap<Variable, Term>;

type SubstitutionResult = Result<(), SubstitutionError>;

/// Replaces the variables with their terms.
pub(crate) fn substitute(query: &mut Query, terms: &TermSubstitutions) -> SubstitutionResult {
    let keeps_columns = matches!(query, Query::Select { .. } | Query::Describe { .. });
    if let Query::Construct { template, .. } = query {
        template.iter_mut().try_for_each(|triple| in_triple(triple, terms))?;
    }
    let pattern = pattern_of_mut(query);
    if keeps_columns { in_projection(pattern, terms) } else { in_pattern(pattern, terms) }
}

/// Rewrites the outermost projection: the user sees its variables, so they get their values back.
fn in_projection(pattern: &mut GraphPattern, terms: &TermSubstitutions) -> SubstitutionResult {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => in_projection(inner, terms),
        GraphPattern::Project { inner, variables } => {
            in_pattern(inner, terms)?;
            let shown = variables.iter().filter(|variable| terms.contains_key(*variable));
            let target = match inner.as_mut() {
                GraphPattern::OrderBy { inner: ordered, .. } => ordered,
                _ => inner,
            };
            for variable in shown {
                bind(target, variable, terms);
            }
            Ok(())
        }
        _ => in_pattern(pattern, terms),
    }
}

/// Binds a variable to its term, unless the pattern binds it already.
fn bind(pattern: &mut GraphPattern, variable: &Variable, terms: &TermSubstitutions) {
    if in_scope(pattern).contains(variable) {
        return;
    }
    let Some(term) = terms.get(variable) else { return };
    extend(pattern, variable.clone(), constant(term));
}

/// The expression whose value is a term.
fn constant(term: &Term) -> Expression {
    match term {
        Term::NamedNode(node) => Expression::NamedNode(node.clone()),
        Term::Literal(literal) => Expression::Literal(literal.clone()),
        Term::BlankNode(node) => {
            let name = Function::Custom(NamedNode::new_unchecked(evaluator::BLANK_NODE));
            Expression::FunctionCall(name, vec![Literal::new_simple_literal(node.as_str()).into()])
        }
    }
}

pub(crate) fn in_pattern(pattern: &mut GraphPattern, terms: &TermSubstitutions) -> SubstitutionResult {
    // MINUS depends on the variables that both sides share, which the substitution must not change.
    let shared_by_minus: Vec<Variable> = match pattern {
        GraphPattern::Minus { left, right } => {
            let left = in_scope(left);
            in_scope(right).into_iter().filter(|v| left.contains(v) && terms.contains_key(v)).collect()
        }
        _ => Vec::new(),
    };
    for expression in expressions_mut(pattern) {
        in_expression(expression, terms)?;
    }
    for part in parts_mut(pattern) {
        in_pattern(part, terms)?;
    }
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.iter_mut().try_for_each(|triple| in_triple(triple, terms)),
        GraphPattern::Path { subject, object, .. } => {
            in_subject(subject, terms)?;
            in_term(object, terms);
            Ok(())
        }
        GraphPattern::Graph { name, .. } | GraphPattern::Service { name, .. } => in_name(name, terms),
        GraphPattern::Extend { variable, .. } if terms.contains_key(variable) => {
            Err(SubstitutionError::IsComputed(variable.clone()))
        }
        GraphPattern::Values { variables, bindings } => {
            in_values(variables, bindings, terms);
            Ok(())
        }
        GraphPattern::Project { variables, .. } => {
            variables.retain(|variable| !terms.contains_key(variable));
            Ok(())
        }
        GraphPattern::Group { inner, variables, aggregates } => {
            if let Some((variable, _)) = aggregates.iter().find(|(variable, _)| terms.contains_key(variable))
            {
                return Err(SubstitutionError::IsComputed(variable.clone()));
            }
            // The keys stay: without any key there would be a group even for no solutions.
            variables.iter().for_each(|variable| bind(inner, variable, terms));
            Ok(())
        }
        GraphPattern::Minus { left, right } => {
            for variable in &shared_by_minus {
                bind(left, variable, terms);
                bind(right, variable, terms);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn in_expression(expression: &mut Expression, terms: &TermSubstitutions) -> SubstitutionResult {
    match expression {
        Expression::Variable(variable) => {
            if let Some(term) = terms.get(variable) {
                *expression = constant(term);
            }
            Ok(())
        }
        Expression::Bound(variable) => {
            if terms.contains_key(variable) {
                *expression = Expression::Literal(Literal::from(true));
            }
            Ok(())
        }
        Expression::Exists(pattern) => in_pattern(pattern, terms),
        _ => operands_mut(expression).into_iter().try_for_each(|operand| in_expression(operand, terms)),
    }
}

fn in_triple(triple: &mut TriplePattern, terms: &TermSubstitutions) -> SubstitutionResult {
    in_subject(&mut triple.subject, terms)?;
    in_name(&mut triple.predicate, terms)?;
    in_term(&mut triple.object, terms);
    Ok(())
}

pub(crate) fn in_subject(subject: &mut TermPattern, terms: &TermSubstitutions) -> SubstitutionResult {
    if let TermPattern::Variable(variable) = subject {
        iri_of(variable, terms)?;
    }
    in_term(subject, terms);
    Ok(())
}

pub(crate) fn in_term(term: &mut TermPattern, terms: &TermSubstitutions) {
    if let TermPattern::Variable(variable) = term
        && let Some(value) = terms.get(variable)
    {
        *term = value.clone().into();
    }
}

pub(crate) fn in_name(name: &mut NamedNodePattern, terms: &TermSubstitutions) -> SubstitutionResult {
    if let NamedNodePattern::Variable(variable) = name
        && let Some(node) = iri_of(variable, terms)?
    {
        *name = NamedNodePattern::NamedNode(node.clone());
    }
    Ok(())
}

pub(crate) fn iri_of<'t>(
    variable: &Variable,
    terms: &'t TermSubstitutions,
) -> Result<Option<&'t NamedNode>, SubstitutionError> {
    match terms.get(variable) {
        None => Ok(None),
        Some(Term::NamedNode(node)) => Ok(Some(node)),
        Some(_) => Err(SubstitutionError::NeedsIri(variable.clone())),
    }
}

/// Keeps the rows that agree with the term and drops the column.
fn in_values(
    variables: &mut Vec<Variable>,
    rows: &mut Vec<Vec<Option<GroundTerm>>>,
    terms: &TermSubstitutions,
) {
    // From the last column on, since columns are removed.
    for column in (0..variables.len()).rev() {
        let Some(term) = terms.get(&variables[column]) else { continue };
        rows.retain(|row| match &row[column] {
            None => true,
            Some(GroundTerm::NamedNode(node)) => *term == Term::NamedNode(node.clone()),
            Some(GroundTerm::Literal(literal)) => *term == Term::Literal(literal.clone()),
        });
        variables.remove(column);
        for row in rows.iter_mut() {
            row.remove(column);
        }
    }
}
