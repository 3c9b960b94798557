//! Embeds queries with prebound variables in other queries, which supply a value for each variable. `PreboundQuery`
//! is defined in `prebound_query.rs`.

use oxrdf::{Term, Variable};
use spargebra::Query;
use spargebra::algebra::GraphPattern;

use crate::algebra::bulk::{in_bulk, is_substituted, put_in_tables};
use crate::algebra::prebound_query::PreboundQuery;
use crate::algebra::prebound_values::put_values;
use crate::algebra::substitution::{TermSubstitutions, substitute};
use crate::algebra::variable_renaming::rename_all;
use crate::algebra::{pattern_of, pattern_of_mut};

impl PreboundQuery {
    /// The names of the variables in the text.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns a pattern whose solutions are those of the SELECT for each value that `rows` gives `variable`, or `None`
    /// if one pattern could have other solutions than a query for each value. Other variables may get constants, but
    /// not blank nodes, which a query cannot name. `name` renames the variables of the query; it must keep `variable`.
    pub fn joined_with(
        &self,
        variable: &Variable,
        rows: &GraphPattern,
        constants: &[(String, Term)],
        name: impl FnMut(&Variable) -> Variable,
    ) -> Option<GraphPattern> {
        let query = self.with_constants(constants)?;
        let query = in_bulk(&query, std::slice::from_ref(variable))?;
        let mut pattern = solutions_of(pattern_of(&query)).clone();
        rename_all(&mut pattern, name);
        if put_in_tables(&mut pattern, rows, true) {
            return Some(pattern);
        }
        Some(GraphPattern::Join { left: Box::new(rows.clone()), right: Box::new(pattern) })
    }

    /// Returns the pattern of the query for use in EXISTS, or `None` if the pattern might not see the values of the
    /// outer solution. `bound` lists the variables that the outer solution binds, with their names there. `fresh` names
    /// the other variables.
    pub fn in_exists(
        &self,
        bound: &[(&str, &Variable)],
        constants: &[(String, Term)],
        fresh: impl FnMut(&str) -> Variable,
    ) -> Option<GraphPattern> {
        let variables: Vec<Variable> = bound.iter().map(|(name, _)| Variable::new_unchecked(*name)).collect();
        is_substituted(solutions_of(pattern_of(&self.algebra)), &variables)
            .then(|| self.renamed(bound, constants, fresh))?
    }

    /// Returns the pattern of the query with renamed variables: those in `names` get the names given there, the others
    /// get `fresh` ones. Returns `None` if a constant cannot be put in.
    pub fn renamed(
        &self,
        names: &[(&str, &Variable)],
        constants: &[(String, Term)],
        mut fresh: impl FnMut(&str) -> Variable,
    ) -> Option<GraphPattern> {
        let query = self.with_constants(constants)?;
        let mut pattern = solutions_of(pattern_of(&query)).clone();
        let given = |variable: &Variable| names.iter().find(|(name, _)| *name == variable.as_str());
        rename_all(&mut pattern, |variable| match given(variable) {
            Some((_, name)) => (*name).clone(),
            None => fresh(variable.as_str()),
        });
        Some(pattern)
    }

    fn with_constants(&self, constants: &[(String, Term)]) -> Option<Query> {
        if constants.iter().any(|(_, term)| term.is_blank_node()) {
            return None;
        }
        let values: TermSubstitutions =
            constants.iter().map(|(name, term)| (Variable::new_unchecked(name), term.clone())).collect();
        let mut query = self.algebra.clone();
        put_values(pattern_of_mut(&mut query), &values);
        substitute(&mut query, &values).ok()?;
        Some(query)
    }
}

/// The pattern without its outermost DISTINCT, REDUCED, ORDER BY and projection. Groups keep their columns.
fn solutions_of(pattern: &GraphPattern) -> &GraphPattern {
    match pattern {
        GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. } => solutions_of(inner),
        GraphPattern::Project { inner, .. } if !is_grouped(inner) => solutions_of(inner),
        _ => pattern,
    }
}

fn is_grouped(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Group { .. } | GraphPattern::Slice { .. } => true,
        GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. } => is_grouped(inner),
        _ => false,
    }
}
