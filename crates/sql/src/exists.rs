//! EXISTS as a subquery (SPARQL 1.1, section 18.6): the variables of a solution are replaced in the pattern. A join with
//! the solution gives the same, except where a variable occurs only in an optional or subtracted part, or in a condition
//! that does not see it; such patterns are refused.

use std::collections::HashSet;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::comparisons::TruthUse;
use super::pattern_variables::certain;
use super::sql_refusal::SqlRefusal;
use super::sql_value::{SolutionScope, SqlValue};
use super::translator::SqlTranslator;
use evalgraph_sparql::{variables_in_expression, variables_in_pattern};

impl SqlTranslator<'_> {
    /// Returns a condition: a pattern has a solution that is compatible with the one of the scope.
    pub(crate) fn exists(
        &mut self,
        pattern: &GraphPattern,
        scope: &SolutionScope,
    ) -> Result<String, SqlRefusal> {
        let mut inner = pattern;
        let mut filters: Vec<&Expression> = Vec::new();
        while let GraphPattern::Filter { expr, inner: next } = inner {
            filters.push(expr);
            inner = next;
        }
        let outer: HashSet<Variable> = scope.keys().map(Variable::new_unchecked).collect();
        check(inner, &outer)?;
        let relation = self.pattern(inner)?;
        let alias = format!("e{}", self.fresh());
        let mut merged = scope.clone();
        let mut conditions = Vec::new();
        let variables: Vec<String> = relation.variables.keys().cloned().collect();
        for variable in variables {
            let own = self.value_of(&relation, &alias, &variable);
            let value = match scope.get(&variable) {
                None => own,
                Some(outer) => {
                    conditions.push(self.compatible(&variable, outer, &own));
                    if own.is_certain {
                        own
                    } else if outer.is_certain {
                        outer.clone()
                    } else {
                        let bound = self.is_bound(&variable, outer);
                        SqlValue::combined(&[outer.clone(), own], self.dialect, |parts| {
                            format!("CASE WHEN {bound} THEN {} ELSE {} END", parts[0], parts[1])
                        })
                    }
                }
            };
            merged.insert(variable, value);
        }
        for filter in filters {
            conditions.push(self.truth(filter, &merged, TruthUse::Filter)?);
        }
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        Ok(format!("EXISTS (SELECT 1 FROM {} AS {alias}{conditions})", relation.table))
    }
}

fn refusal(variable: &Variable) -> SqlRefusal {
    let message = format!(
        "EXISTS is not written as SQL here: `{variable}` of the solution is used where the pattern may not bind it"
    );
    SqlRefusal::new(message, "use the variable in a triple pattern of the group, or in its last FILTER")
        .at("EXISTS")
}

/// Fails unless a join with the solution gives what replacing its variables gives.
fn check(pattern: &GraphPattern, outer: &HashSet<Variable>) -> Result<(), SqlRefusal> {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => Ok(()),
        GraphPattern::Join { left, right } | GraphPattern::Union { left, right } => {
            check(left, outer)?;
            check(right, outer)
        }
        GraphPattern::Filter { expr: expression, inner } | GraphPattern::Extend { inner, expression, .. } => {
            check(inner, outer)?;
            are_certain(&variables_in_expression(expression), &certain(inner), outer)
        }
        GraphPattern::LeftJoin { left, right, expression } => {
            check(left, outer)?;
            check(right, outer)?;
            let mut used = variables_in_pattern(right);
            used.extend(expression.iter().flat_map(variables_in_expression));
            are_certain(&used, &certain(left), outer)
        }
        GraphPattern::Minus { left, right } => {
            check(left, outer)?;
            let used = variables_in_pattern(right);
            let (own, other) = (certain(left), certain(right));
            let is_shared = |variable: &Variable| {
                own.contains(variable) && other.contains(variable) && !outer.contains(variable)
            };
            match first(used.intersection(outer)) {
                Some(variable) if !used.iter().any(is_shared) => Err(refusal(variable)),
                _ => are_certain(&used, &own, outer),
            }
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. } => check(inner, outer),
        GraphPattern::Project { inner, variables } => {
            let mut projected = outer.clone();
            projected.retain(|variable| variables.contains(variable));
            check(inner, &projected)
        }
        GraphPattern::Group { inner, variables, .. } => {
            let mut keys = outer.clone();
            keys.retain(|variable| variables.contains(variable));
            check(inner, &keys)
        }
        GraphPattern::Slice { inner, .. } => match first(certain(inner).intersection(outer)) {
            Some(variable) => Err(refusal(variable)),
            None => check(inner, outer),
        },
        GraphPattern::Service { .. } | GraphPattern::Lateral { .. } => Ok(()),
    }
}

fn are_certain(
    used: &HashSet<Variable>,
    certain: &HashSet<Variable>,
    outer: &HashSet<Variable>,
) -> Result<(), SqlRefusal> {
    let open = used.intersection(outer).filter(|variable| !certain.contains(*variable));
    first(open).map_or(Ok(()), |variable| Err(refusal(variable)))
}

/// The first of some variables by name, so that a message always names the same one.
fn first<'v>(variables: impl Iterator<Item = &'v Variable>) -> Option<&'v Variable> {
    variables.min_by(|one, other| one.as_str().cmp(other.as_str()))
}
