//! Turns a query that is asked for many values of its variables into one query: `SELECT $this …` for all focus nodes of
//! a shape at once.
//!
//! These variables are called the row variables, and the combinations of their values the rows. The query for one row
//! `t` is the query in which the values of `t` replace the row variables everywhere. The query for all rows gets the
//! table of the rows at the places that need it. It is correct if, for each `t`, its solutions with the values of `t`
//! are exactly the solutions of the query for `t`, with the same multiplicities, and if every solution has the values
//! of some row.
//!
//! [`RowVariables::pattern`] rewrites a pattern into one of two kinds, and returns which.
//!
//! - *Free*: the pattern mentions no row variable. It has the same solutions for every row.
//! - *Bound*: each solution binds all row variables to a row `t`, and the solutions with the values of `t` are those
//!   of the pattern for `t`, together with the values.
//!
//! The reason for each rule, by the operators of the algebra (SPARQL 1.1, section 18.5):
//!
//! - Triple patterns and paths that mention a row variable are looked up for each row of the table, which is their
//!   meaning for that row. A path of length zero leads from a term to itself even if the graph does not have the term,
//!   but not if its end is a variable. So another step has to ensure that the end is a node of the graph.
//! - A join of the table with a free pattern is bound: the solutions of the pattern, once for each row.
//! - A join of two bound patterns joins solutions of the same row only, since both bind all row variables. A join of a
//!   bound with a free pattern joins each solution for a row with the same solutions of the other. Both are bound.
//!   OPTIONAL is bound if its left side is: its right side is bound, free, or triple patterns; of the solutions of
//!   these, those compatible with a solution for `t` are those for `t`.
//! - A union of bound patterns is bound; a free side joins the table first.
//! - In a solution for `t`, an expression of a bound pattern has the value of the expression for `t`, since its
//!   variables are bound to `t`. EXISTS is defined by substituting what the solution binds; see
//!   [`RowVariables::is_substituted`]. An expression with a row variable over a free pattern, such as a FILTER alone in
//!   its group, joins the table first.
//! - A projection of a bound pattern is bound if it keeps all row variables, and so is DISTINCT: solutions for
//!   different rows are different. ORDER BY does not change the solutions. If all row variables are among the keys of
//!   GROUP BY, no group has solutions of two rows, and a row without solutions has no group, as in the query for that
//!   row. Which solution SAMPLE picks and in which order GROUP_CONCAT reads them is undefined in both queries.
//! - LIMIT and OFFSET count the solutions of all rows together; aggregates without GROUP BY have one solution even if
//!   there is nothing to aggregate; GRAPH with a row variable would need every graph. All of these are refused over
//!   bound patterns.
//!
//! The query for all rows reads only what the queries for the single rows read, however large the data are: patterns
//! that depend on a row start at the table. Only EXISTS and the right side of OPTIONAL are left as they are, so that
//! samples of the data decide between a lookup for each solution and one join over all data. The gain is that one query
//! is planned instead of many. A table is never on the inner side of a nested loop, which would read it again for each
//! solution: the optimizer puts no DISTINCT there.

use oxrdf::{Term, Variable};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::HashSet;

use crate::algebra::prebound_values::named;
use crate::algebra::{
    columns_mut, exists, expressions, in_scope, is_chain, is_nullable, mentioned, mentioned_by_expression,
    parts, parts_mut,
};

/// Returns the query for all rows, with empty tables, or `None` if its solutions could differ from those of the queries
/// for the single rows. ASK becomes a SELECT of the rows for which the answer is yes.
pub(crate) fn in_bulk(query: &Query, variables: &[Variable]) -> Option<Query> {
    if variables.is_empty() {
        return None;
    }
    let rows = RowVariables { variables };
    let mut query = query.clone();
    match &mut query {
        Query::Select { pattern, .. } => rows.pattern(pattern)?.then_some(query),
        Query::Ask { dataset, pattern, base_iri } => {
            // The parser gives ASK a projection of the variables in scope.
            if let Some(columns) = columns_mut(pattern) {
                let missing = variables.iter().filter(|variable| !columns.contains(variable));
                let missing: Vec<Variable> = missing.cloned().collect();
                columns.extend(missing);
            }
            let is_bound = rows.pattern(pattern)?;
            rows.bind(pattern, is_bound, true);
            let inner = Box::new(std::mem::take(pattern));
            let inner = Box::new(GraphPattern::Project { inner, variables: variables.to_vec() });
            let pattern = GraphPattern::Distinct { inner };
            Some(Query::Select { dataset: dataset.take(), pattern, base_iri: base_iri.take() })
        }
        Query::Construct { .. } | Query::Describe { .. } => None,
    }
}

/// Fills the tables of a pattern that [`in_bulk`] has made.
pub(crate) fn fill_tables(pattern: &mut GraphPattern, variables: &[Variable], rows: &[Vec<Term>]) {
    // Queries with prebound variables must not contain VALUES, so every VALUES here is a table.
    if let GraphPattern::Values { variables: columns, bindings } = pattern
        && columns == variables
    {
        let filled =
            |row: &Vec<Term>| (0..variables.len()).map(|column| row.get(column).map(named)).collect();
        *bindings = rows.iter().map(filled).collect();
    }
    parts_mut(pattern).into_iter().for_each(|part| fill_tables(part, variables, rows));
}

/// Replaces the tables of a pattern that [`in_bulk`] has made for one variable with the pattern `rows`, which binds the
/// variable to the values of the rows. A table before triple patterns is left out, since these bind the variable
/// themselves. The result then has solutions for other values, too, unless `rows` begins the pattern. Returns whether
/// it does.
pub(crate) fn put_in_tables(pattern: &mut GraphPattern, rows: &GraphPattern, begins: bool) -> bool {
    match pattern {
        GraphPattern::Lateral { right, .. } => {
            let right = std::mem::take(right);
            *pattern = match begins {
                true => GraphPattern::Join { left: Box::new(rows.clone()), right },
                false => *right,
            };
            begins
        }
        GraphPattern::Join { left, right } => {
            put_in_tables(right, rows, false);
            put_in_tables(left, rows, begins)
        }
        GraphPattern::LeftJoin { left, right, .. } => {
            put_in_tables(right, rows, false);
            put_in_tables(left, rows, begins)
        }
        GraphPattern::Filter { inner, .. } | GraphPattern::Extend { inner, .. } => {
            put_in_tables(inner, rows, begins)
        }
        GraphPattern::Distinct { inner } => match inner.as_mut() {
            GraphPattern::Values { bindings, .. } if bindings.is_empty() && begins => {
                *pattern = rows.clone();
                true
            }
            GraphPattern::Values { variables, bindings } if bindings.is_empty() => {
                let variables = std::mem::take(variables);
                **inner = GraphPattern::Project { inner: Box::new(rows.clone()), variables };
                false
            }
            inner => put_in_tables(inner, rows, false),
        },
        other => {
            for part in parts_mut(other) {
                put_in_tables(part, rows, false);
            }
            false
        }
    }
}

/// Like [`RowVariables::is_substituted`], but takes the variables.
pub(crate) fn is_substituted(pattern: &GraphPattern, variables: &[Variable]) -> bool {
    RowVariables { variables }.is_substituted(pattern)
}

struct RowVariables<'v> {
    variables: &'v [Variable],
}

impl RowVariables<'_> {
    /// Makes a pattern bound or free. Returns whether it is bound, or `None` if it can be neither.
    fn pattern(&self, pattern: &mut GraphPattern) -> Option<bool> {
        let asks = expressions(pattern).into_iter().any(|expression| self.asks(expression));
        let is_bound = match pattern {
            pattern if is_chain(pattern) => return self.chain(pattern),
            GraphPattern::Join { left, right } => {
                let (left, right) = (self.pattern(left)?, self.pattern(right)?);
                left || right
            }
            GraphPattern::Union { left, right } => {
                let are_bound = (self.pattern(left)?, self.pattern(right)?);
                self.bind(left, are_bound.0, are_bound.1);
                self.bind(right, are_bound.1, are_bound.0)
            }
            GraphPattern::LeftJoin { left, right, .. } => {
                let is_right_bound = match is_chain(right) && self.are_nodes(right) {
                    // The optimizer chooses between lookups for each solution and one join.
                    true => self.has_any(in_scope(right)),
                    false => self.pattern(right)?,
                };
                let is_bound = self.pattern(left)?;
                self.bind(left, is_bound, is_right_bound || asks)
            }
            GraphPattern::Extend { variable, .. } if self.variables.contains(variable) => return None,
            GraphPattern::Filter { inner, .. }
            | GraphPattern::Extend { inner, .. }
            | GraphPattern::OrderBy { inner, .. } => {
                let is_bound = self.pattern(inner)?;
                self.bind(inner, is_bound, asks)
            }
            GraphPattern::Graph { name: NamedNodePattern::Variable(name), .. }
                if self.variables.contains(name) =>
            {
                return None;
            }
            GraphPattern::Graph { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner } => self.pattern(inner)?,
            GraphPattern::Project { inner, variables } | GraphPattern::Group { inner, variables, .. } => {
                let kept = self.variables.iter().filter(|variable| variables.contains(variable)).count();
                let is_bound = self.pattern(inner)?;
                let is_bound = self.bind(inner, is_bound, asks || kept > 0);
                if is_bound && kept < self.variables.len() {
                    return None;
                }
                is_bound
            }
            GraphPattern::Slice { inner, .. } => match self.pattern(inner)? {
                true => return None,
                false => false,
            },
            _ => return None,
        };
        exists(pattern).into_iter().all(|inside| self.is_substituted(inside)).then_some(is_bound)
    }

    /// Looks up triple patterns and paths for each row, if they mention a row variable.
    fn chain(&self, pattern: &mut GraphPattern) -> Option<bool> {
        if !self.has_any(in_scope(pattern)) {
            return Some(false);
        }
        if !self.are_nodes(pattern) {
            return None;
        }
        let right = Box::new(std::mem::take(pattern));
        *pattern = GraphPattern::Lateral { left: Box::new(self.table()), right };
        Some(true)
    }

    /// Joins a free pattern with the table if that is wanted. Returns whether the pattern is bound afterwards.
    fn bind(&self, pattern: &mut GraphPattern, is_bound: bool, is_wanted: bool) -> bool {
        if is_wanted && !is_bound {
            let right = Box::new(std::mem::take(pattern));
            *pattern = GraphPattern::Join { left: Box::new(self.table()), right };
        }
        is_bound || is_wanted
    }

    /// The table of the rows, each once, before its rows are known.
    fn table(&self) -> GraphPattern {
        let inner = GraphPattern::Values { variables: self.variables.to_vec(), bindings: Vec::new() };
        GraphPattern::Distinct { inner: Box::new(inner) }
    }

    fn has_any(&self, variables: impl IntoIterator<Item = Variable>) -> bool {
        variables.into_iter().any(|variable| self.variables.contains(&variable))
    }

    fn asks(&self, expression: &Expression) -> bool {
        let mut asked = HashSet::new();
        mentioned_by_expression(expression, &mut asked);
        self.has_any(asked)
    }

    /// Returns whether each row variable of joined triple patterns and paths is a node of the graph in each solution,
    /// or is not an end of a path that may have no steps.
    fn are_nodes(&self, chain: &GraphPattern) -> bool {
        let (mut nodes, mut terms) = (HashSet::new(), HashSet::new());
        ends(chain, &mut nodes, &mut terms);
        terms.difference(&nodes).all(|variable| !self.variables.contains(variable))
    }

    /// Returns whether a pattern of EXISTS, evaluated for a solution that binds the row variables, has the solutions of
    /// the pattern with the values in place of these variables. The evaluator passes the values down to triple
    /// patterns, paths and expressions, but not below a subquery that does not project the variables, nor above a group
    /// that does not have them as keys.
    fn is_substituted(&self, pattern: &GraphPattern) -> bool {
        let are_kept = |kept: &[Variable]| {
            let mut used = HashSet::new();
            parts(pattern).into_iter().for_each(|part| mentioned(part, &mut used));
            expressions(pattern).into_iter().for_each(|one| mentioned_by_expression(one, &mut used));
            used.iter().all(|variable| !self.variables.contains(variable) || kept.contains(variable))
        };
        let is_here = match pattern {
            GraphPattern::Project { variables, .. } | GraphPattern::Group { variables, .. } => {
                are_kept(variables)
            }
            GraphPattern::Slice { .. } => are_kept(&[]),
            GraphPattern::Extend { variable, .. } => !self.variables.contains(variable),
            GraphPattern::Graph { name: NamedNodePattern::Variable(name), .. } => {
                !self.variables.contains(name)
            }
            GraphPattern::Lateral { .. } | GraphPattern::Minus { .. } | GraphPattern::Service { .. } => false,
            _ => true,
        };
        let mut inside = exists(pattern).into_iter().chain(parts(pattern));
        is_here && inside.all(|inside| self.is_substituted(inside))
    }
}

/// Collects the variables at the ends of joined triple patterns and paths: those that are nodes of the graph in every
/// solution, and those that a path of length zero ends in.
fn ends(chain: &GraphPattern, nodes: &mut HashSet<Variable>, terms: &mut HashSet<Variable>) {
    let variable = |term: &TermPattern| match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    };
    match chain {
        GraphPattern::Bgp { patterns } => {
            let ends = patterns.iter().flat_map(|triple| [&triple.subject, &triple.object]);
            nodes.extend(ends.filter_map(variable));
        }
        GraphPattern::Path { subject, path, object } => {
            let found = if is_nullable(path) { terms } else { nodes };
            found.extend([subject, object].into_iter().filter_map(variable));
        }
        _ => parts(chain).into_iter().for_each(|part| ends(part, nodes, terms)),
    }
}
