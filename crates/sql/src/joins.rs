//! Joins of tables of solutions: JOIN, OPTIONAL and MINUS (SPARQL 1.1, section 18.5).

use std::collections::BTreeMap;

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern};

use super::comparisons::TruthUse;
use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use super::sql_relation::{RelationVariable, SqlRelation, select_list};
use super::sql_value::SqlValue;
use super::translator::{ActiveGraph, SqlTranslator};
use evalgraph_sparql::variables_in_expression;

/// The variables of two joined tables.
struct JoinedVariables {
    /// The value of each variable: that of the first table that has one.
    values: BTreeMap<String, SqlValue>,
    variables: BTreeMap<String, RelationVariable>,
    /// The conditions that the solutions are compatible.
    conditions: Vec<String>,
}

impl SqlTranslator<'_> {
    /// Joins tables.
    pub(crate) fn joined(&mut self, tables: Vec<SqlRelation>) -> Result<SqlRelation, SqlRefusal> {
        let mut rest = tables;
        if rest.is_empty() {
            return Ok(self.unit());
        }
        let mut result = rest.remove(0);
        while !rest.is_empty() {
            let mut group = vec![result];
            loop {
                // Next is a table that shares a variable and whose shared variables are certain on both sides.
                let is_simple = |table: &SqlRelation| {
                    group.iter().all(|one| {
                        one.shared(table)
                            .iter()
                            .all(|variable| one.is_certain(variable) && table.is_certain(variable))
                    })
                };
                let shares = |table: &SqlRelation| group.iter().any(|one| !one.shared(table).is_empty());
                let next = rest
                    .iter()
                    .position(|table| is_simple(table) && shares(table))
                    .or_else(|| rest.iter().position(|table| is_simple(table) && !rest.iter().any(&shares)));
                match next {
                    Some(next) => group.push(rest.remove(next)),
                    None => break,
                }
            }
            let first = if group.len() > 1 { self.simple_join(&group) } else { group.remove(0) };
            if rest.is_empty() {
                return Ok(first);
            }
            let next = rest.iter().position(|table| !first.shared(table).is_empty()).unwrap_or(0);
            let next = rest.remove(next);
            result = self.join(&first, &next);
        }
        Ok(result)
    }

    /// Joins tables whose shared variables are certain.
    fn simple_join(&mut self, tables: &[SqlRelation]) -> SqlRelation {
        let aliases: Vec<String> = (1..=tables.len()).map(|number| format!("j{number}")).collect();
        let mut known: BTreeMap<String, SqlValue> = BTreeMap::new();
        let mut variables: BTreeMap<String, RelationVariable> = BTreeMap::new();
        let mut source = String::new();
        for (table, alias) in tables.iter().zip(&aliases) {
            let mut conditions = Vec::new();
            for (variable, own) in &table.variables {
                let value = self.value_of(table, alias, variable);
                match known.get_mut(variable) {
                    Some(before) => {
                        conditions.push(self.same(variable, before, &value));
                        let kinds = before.kinds & value.kinds;
                        // The side with fewer kinds has no more columns than the result needs.
                        if value.kinds.are(before.kinds) {
                            *before = value;
                        }
                        before.kinds = kinds;
                        let is_canonical = before.is_canonical;
                        variables.insert(
                            variable.clone(),
                            RelationVariable { kinds, is_certain: true, is_canonical },
                        );
                    }
                    None => {
                        known.insert(variable.clone(), value);
                        variables.insert(variable.clone(), *own);
                    }
                }
            }
            source.push_str(&match (source.is_empty(), conditions.is_empty()) {
                (true, _) => format!("{} AS {alias}", table.table),
                (false, true) => format!("\nCROSS JOIN {} AS {alias}", table.table),
                (false, false) => {
                    format!("\nJOIN {} AS {alias} ON {}", table.table, conditions.join(" AND "))
                }
            });
        }
        let mut columns = Vec::new();
        for (variable, value) in &known {
            let kinds = variables.get(variable).map_or(value.kinds, |known| known.kinds);
            columns.extend(self.columns_of(variable, value, kinds));
        }
        let text = format!("SELECT {}\nFROM {source}", select_list(&columns));
        SqlRelation { table: self.table("joined", None, text), variables }
    }

    /// The values of the variables of two joined tables: those of the first that has one.
    fn merged(
        &mut self,
        left: &SqlRelation,
        right: &SqlRelation,
        right_is_optional: bool,
    ) -> JoinedVariables {
        let (mut values, mut variables, mut conditions) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let names: Vec<String> = left.variables.keys().chain(right.variables.keys()).cloned().collect();
        for variable in names {
            if values.contains_key(&variable) {
                continue;
            }
            let own = self.value_of(left, "l", &variable);
            let other = self.value_of(right, "r", &variable);
            let (value, is_certain) = match (left.has(&variable), right.has(&variable)) {
                (true, false) => (own.clone(), own.is_certain),
                (false, _) => (
                    SqlValue { is_certain: other.is_certain && !right_is_optional, ..other.clone() },
                    other.is_certain && !right_is_optional,
                ),
                (true, true) => {
                    conditions.push(self.compatible(&variable, &own, &other));
                    if own.is_certain {
                        (own.clone(), true)
                    } else if other.is_certain && !right_is_optional {
                        (other.clone(), true)
                    } else {
                        let bound = self.is_bound(&variable, &own);
                        let value = SqlValue::combined(&[own, other], self.dialect, |parts| {
                            format!("CASE WHEN {bound} THEN {} ELSE {} END", parts[0], parts[1])
                        });
                        (value, false)
                    }
                }
            };
            let known = RelationVariable { is_certain, ..RelationVariable::from_value(&value) };
            variables.insert(variable.clone(), known);
            values.insert(variable, value);
        }
        JoinedVariables { values, variables, conditions }
    }

    pub(crate) fn join(&mut self, left: &SqlRelation, right: &SqlRelation) -> SqlRelation {
        let joined = self.merged(left, right, false);
        let conditions = &joined.conditions;
        let join = match conditions.is_empty() {
            true => format!("CROSS JOIN {} AS r", right.table),
            false => format!("JOIN {} AS r ON {}", right.table, conditions.join(" AND ")),
        };
        self.joined_by("joined", None, left, joined, &join)
    }

    fn joined_by(
        &mut self,
        kind: &str,
        word: Option<&str>,
        left: &SqlRelation,
        joined: JoinedVariables,
        join: &str,
    ) -> SqlRelation {
        let mut columns = Vec::new();
        for (variable, value) in &joined.values {
            columns.extend(self.columns_of(variable, value, value.kinds));
        }
        let text = format!("SELECT {}\nFROM {} AS l\n{join}", select_list(&columns), left.table);
        SqlRelation { table: self.table(kind, word, text), variables: joined.variables }
    }

    pub(crate) fn left_join(
        &mut self,
        left: &GraphPattern,
        right: &GraphPattern,
        expression: Option<&Expression>,
    ) -> Result<SqlRelation, SqlRefusal> {
        let left = self.pattern(left)?;
        let mut right = self.pattern(right)?;
        let mut rest: Vec<&Expression> = Vec::new();
        for condition in expression.into_iter().flat_map(conjuncts) {
            let is_of_right = |variable: &Variable| {
                let variable = variable.as_str();
                right.is_certain(variable) || !left.has(variable) && !right.has(variable)
            };
            // A condition on the right side alone may be tested there.
            if variables_in_expression(condition).iter().all(is_of_right) {
                right = self.filter(right, condition)?;
            } else {
                rest.push(condition);
            }
        }
        let mut joined = self.merged(&left, &right, true);
        let mut conditions = std::mem::take(&mut joined.conditions);
        for condition in rest {
            if self.dialect == SqlDialect::DataFusion && has_exists(condition) {
                return Err(SqlRefusal::new(
                    "DataFusion has no EXISTS in the condition of OPTIONAL that depends on what is outside",
                    "put the FILTER behind the OPTIONAL, with BOUND",
                )
                .at("EXISTS"));
            }
            // Inside the condition, a variable of the right side has its term.
            let scope = self.merged(&left, &right, false).values;
            conditions.push(self.truth(condition, &scope, TruthUse::Filter)?);
        }
        let conditions = if conditions.is_empty() { "TRUE".to_owned() } else { conditions.join(" AND ") };
        let join = format!("LEFT JOIN {} AS r ON {conditions}", right.table);
        Ok(self.joined_by("optional", Some("OPTIONAL"), &left, joined, &join))
    }

    pub(crate) fn minus(&mut self, left: &SqlRelation, right: &SqlRelation) -> SqlRelation {
        let shared = left.shared(right);
        let is_graph =
            |variable: &&String| matches!(&self.graph, ActiveGraph::Each(graph) if *graph == **variable);
        let in_domain: Vec<String> = shared.iter().filter(|variable| !is_graph(variable)).cloned().collect();
        if in_domain.is_empty() {
            return left.clone();
        }
        let (mut conditions, mut overlaps) = (Vec::new(), Vec::new());
        for variable in &shared {
            let (own, other) = (self.value_of(left, "l", variable), self.value_of(right, "r", variable));
            conditions.push(self.compatible(variable, &own, &other));
            if in_domain.contains(variable) {
                let both = [self.is_bound(variable, &own), self.is_bound(variable, &other)];
                overlaps.push(
                    both.iter().filter(|part| *part != "TRUE").cloned().collect::<Vec<_>>().join(" AND "),
                );
            }
        }
        // At least one variable has a term on both sides.
        if !overlaps.iter().any(String::is_empty) {
            conditions.push(format!("({})", overlaps.join(" OR ")));
        }
        let text = format!(
            "SELECT l.*\nFROM {} AS l\nWHERE NOT EXISTS (SELECT 1 FROM {} AS r WHERE {})",
            left.table,
            right.table,
            conditions.join(" AND ")
        );
        SqlRelation { table: self.table("remaining", Some("MINUS"), text), variables: left.variables.clone() }
    }
}

/// The parts of a conjunction.
fn conjuncts(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::And(left, right) => [conjuncts(left), conjuncts(right)].concat(),
        other => vec![other],
    }
}

/// Returns whether an expression has EXISTS.
fn has_exists(expression: &Expression) -> bool {
    expression.to_string().contains("EXISTS")
}
