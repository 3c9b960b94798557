//! Projection, DISTINCT, ORDER BY and LIMIT (SPARQL 1.1, sections 15 and 18.5), and the whole statement.

use std::collections::BTreeSet;

use oxrdf::Variable;
use spargebra::algebra::{GraphPattern, OrderExpression};

use super::comparisons::order_keys;
use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use super::sql_relation::{SqlRelation, select_list};
use super::sql_value::SqlValue;
use super::translator::{ActiveGraph, SqlTranslator};
use super::value_kinds::ValueKinds;
use evalgraph_sparql::variables_in_expression;

/// The parts of a SELECT around its pattern.
struct SolutionModifiers<'p> {
    pattern: &'p GraphPattern,
    variables: Option<&'p [Variable]>,
    is_distinct: bool,
    order: &'p [OrderExpression],
    start: usize,
    length: Option<usize>,
}

impl<'p> SolutionModifiers<'p> {
    /// Takes the modifiers of one SELECT off a pattern.
    fn new(pattern: &'p GraphPattern) -> Self {
        let mut own =
            Self { pattern, variables: None, is_distinct: false, order: &[], start: 0, length: None };
        if let GraphPattern::Slice { inner, start, length } = own.pattern {
            (own.pattern, own.start, own.length) = (inner, *start, *length);
        }
        if let GraphPattern::Distinct { inner } = own.pattern {
            (own.pattern, own.is_distinct) = (inner, true);
        }
        if let GraphPattern::Reduced { inner } = own.pattern {
            own.pattern = inner;
        }
        if let GraphPattern::Project { inner, variables } = own.pattern {
            (own.pattern, own.variables) = (inner, Some(variables.as_slice()));
        }
        if let GraphPattern::OrderBy { inner, expression } = own.pattern {
            (own.pattern, own.order) = (inner, expression);
        }
        own
    }

    fn is_cut(&self) -> bool {
        self.start > 0 || self.length.is_some()
    }
}

/// A statement without its WITH clause.
struct SelectStatement {
    relation: SqlRelation,
    /// The alias of the table.
    alias: &'static str,
    /// ORDER BY and LIMIT, each on a line of its own.
    end: String,
}

impl SqlTranslator<'_> {
    /// A SELECT inside a pattern.
    pub(crate) fn sub_select(&mut self, pattern: &GraphPattern) -> Result<SqlRelation, SqlRefusal> {
        let modifiers = SolutionModifiers::new(pattern);
        if matches!(self.graph, ActiveGraph::Each(_)) && modifiers.is_cut() {
            return Err(SqlRefusal::new(
                "LIMIT inside GRAPH is not written as SQL: it counts for each graph",
                "put the LIMIT outside of GRAPH",
            )
            .at("LIMIT"));
        }
        let statement = self.select(&modifiers)?;
        let SelectStatement { relation, alias, end } = statement;
        // The order of a sub-select counts only for its first solutions.
        let end = if modifiers.is_cut() { end } else { String::new() };
        let mut variables = relation.variables.clone();
        if let Some(projected) = modifiers.variables {
            variables.retain(|variable, _| {
                projected.iter().any(|own| own.as_str() == variable)
                    || matches!(&self.graph, ActiveGraph::Each(graph) if graph == variable)
            });
        }
        let mut columns = Vec::new();
        for (variable, known) in &variables {
            let value = self.value_of(&relation, alias, variable);
            columns.extend(self.columns_of(variable, &value, known.kinds));
        }
        let text = format!("SELECT {}\nFROM {} AS {alias}{end}", select_list(&columns), relation.table);
        Ok(SqlRelation { table: self.table("selected", None, text), variables })
    }

    /// The table that a SELECT reads, and its order.
    fn select(&mut self, modifiers: &SolutionModifiers<'_>) -> Result<SelectStatement, SqlRefusal> {
        let mut relation = self.pattern(modifiers.pattern)?;
        if modifiers.is_distinct {
            relation = self.distinct(&relation, modifiers)?;
        }
        let mut order = Vec::new();
        for key in modifiers.order {
            let (expression, direction) = match key {
                OrderExpression::Asc(expression) => (expression, "ASC NULLS FIRST"),
                OrderExpression::Desc(expression) => (expression, "DESC NULLS LAST"),
            };
            let (with_operands, expression) = self.with_operands(relation, expression)?;
            relation = with_operands;
            order.push((expression, direction));
        }
        let scope = self.scope(&relation, "r");
        let mut keys: Vec<(String, &str)> = Vec::new();
        for (expression, direction) in &order {
            let value = self.value(expression, &scope)?;
            keys.extend(order_keys(&value, self.dialect).into_iter().map(|key| (key, *direction)));
        }
        if self.dialect == SqlDialect::DataFusion && !keys.is_empty() {
            // A column of the answer may have the name of one that a key reads, so the keys get columns.
            let mut columns = Vec::new();
            for (number, (key, _)) in keys.iter_mut().enumerate() {
                columns.push(format!("{key} AS sort_{number}"));
                *key = format!("r.sort_{number}");
            }
            let text = format!("SELECT r.*, {}\nFROM {} AS r", columns.join(", "), relation.table);
            relation.table = self.table("keyed", Some("ORDER"), text);
        }
        let mut end = String::new();
        if !keys.is_empty() {
            let keys: Vec<String> =
                keys.iter().map(|(key, direction)| format!("{key} {direction}")).collect();
            end.push_str(&format!("\nORDER BY {}", keys.join(", ")));
        }
        if let Some(length) = modifiers.length {
            end.push_str(&format!("\nLIMIT {length}"));
        }
        if modifiers.start > 0 {
            end.push_str(&format!("\nOFFSET {}", modifiers.start));
        }
        Ok(SelectStatement { relation, alias: "r", end })
    }

    /// The distinct solutions of the projected variables.
    fn distinct(
        &mut self,
        relation: &SqlRelation,
        modifiers: &SolutionModifiers<'_>,
    ) -> Result<SqlRelation, SqlRefusal> {
        let mut variables = relation.variables.clone();
        if let Some(projected) = modifiers.variables {
            let known: BTreeSet<&str> = projected.iter().map(Variable::as_str).collect();
            for key in modifiers.order {
                let (OrderExpression::Asc(expression) | OrderExpression::Desc(expression)) = key;
                let is_left_out = |variable: &Variable| !known.contains(variable.as_str());
                if variables_in_expression(expression).iter().any(is_left_out) {
                    return Err(SqlRefusal::new(
                        "ORDER BY names a variable that SELECT DISTINCT leaves out",
                        "select the variable, or leave out DISTINCT",
                    )
                    .at("ORDER"));
                }
            }
            variables.retain(|variable, _| {
                known.contains(variable.as_str())
                    || matches!(&self.graph, ActiveGraph::Each(graph) if graph == variable)
            });
        }
        let mut columns = Vec::new();
        for (variable, known) in &variables {
            let value = self.value_of(relation, "d", variable);
            columns.extend(self.columns_of(variable, &value, known.kinds));
        }
        let text = format!("SELECT DISTINCT {}\nFROM {} AS d", select_list(&columns), relation.table);
        Ok(SqlRelation { table: self.table("distinct_rows", Some("DISTINCT"), text), variables })
    }

    /// The statement for the answer of SELECT: two columns for each variable, its text and its type.
    pub(crate) fn answer(mut self, pattern: &GraphPattern) -> Result<String, SqlRefusal> {
        let modifiers = SolutionModifiers::new(pattern);
        let SelectStatement { relation, alias, end } = self.select(&modifiers)?;
        let mut columns = Vec::new();
        for variable in modifiers.variables.unwrap_or_default() {
            let value = self.value_of(&relation, alias, variable.as_str());
            columns.extend(self.answer_columns(variable.as_str(), &value));
        }
        let select = format!("SELECT {}\nFROM {} AS {alias}{end}", select_list(&columns), relation.table);
        Ok(self.statement(&select))
    }

    /// The columns of the answer for a variable. A computed integer, double or boolean has the type of SQL.
    fn answer_columns(&mut self, variable: &str, value: &SqlValue) -> [String; 2] {
        let name = self.column(variable, super::sql_value::ValuePart::Text);
        let type_column = self.column(variable, super::sql_value::ValuePart::Type);
        let is_canonical = value.is_canonical;
        let own = match (value.kinds, &value.exact, &value.double, &value.boolean) {
            (ValueKinds::INTEGER, Some(exact), ..) if is_canonical => format!("CAST({exact} AS BIGINT)"),
            (ValueKinds::DOUBLE, _, Some(double), _) if is_canonical => double.clone(),
            (ValueKinds::BOOLEAN, .., Some(boolean)) if is_canonical => boolean.clone(),
            _ => value.text.clone(),
        };
        [format!("{own} AS {name}"), format!("{} AS {type_column}", value.type_name)]
    }

    /// The statement for the answer of ASK.
    pub(crate) fn truth_of_pattern(mut self, pattern: &GraphPattern) -> Result<String, SqlRefusal> {
        let relation = self.pattern(pattern)?;
        let select = format!(
            "SELECT count(*) > 0 AS answer\nFROM (SELECT 1 AS unit FROM {} AS r LIMIT 1) AS found",
            relation.table
        );
        Ok(self.statement(&select))
    }
}
