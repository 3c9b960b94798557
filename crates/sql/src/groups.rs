//! Groups and aggregates as tables (SPARQL 1.1, sections 11 and 18.5).

use std::collections::BTreeMap;

use oxrdf::Variable;
use oxrdf::vocab::xsd;
use spargebra::algebra::{AggregateExpression, AggregateFunction, GraphPattern};

use super::comparisons::order_keys;
use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use super::sql_relation::{RelationVariable, SqlRelation, select_list};
use super::sql_value::{DECIMAL, SqlValue, case};
use super::translator::{ActiveGraph, SqlTranslator};
use super::value_kinds::ValueKinds;

/// A column that an aggregate needs: an aggregate of SQL, and the name of its result.
struct AggregateColumn {
    sql: String,
    name: String,
}

/// An aggregate as columns of a table of groups, and the value that is computed from them.
struct SqlAggregate {
    columns: Vec<AggregateColumn>,
    value: SqlValue,
}

impl SqlTranslator<'_> {
    /// Groups solutions and computes aggregates.
    pub(crate) fn group(
        &mut self,
        inner: &GraphPattern,
        variables: &[Variable],
        aggregates: &[(Variable, AggregateExpression)],
    ) -> Result<SqlRelation, SqlRefusal> {
        let mut inner = self.pattern(inner)?;
        let mut aggregates = aggregates.to_vec();
        for (_, aggregate) in &mut aggregates {
            if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                (inner, *expr) = self.with_operands(inner, expr)?;
            }
        }
        let mut keys: Vec<String> = Vec::new();
        for variable in variables {
            if inner.has(variable.as_str()) && !keys.iter().any(|key| key == variable.as_str()) {
                keys.push(variable.as_str().to_owned());
            }
        }
        if let ActiveGraph::Each(graph) = &self.graph {
            if variables.is_empty() {
                return Err(SqlRefusal::new(
                    "an aggregate without GROUP BY inside GRAPH is not written as SQL",
                    "group by the variable of GRAPH, outside of it",
                )
                .at("GRAPH"));
            }
            keys.push(graph.clone());
        }
        // Each source of aggregates: all solutions, and the distinct values of each aggregate with DISTINCT.
        let mut sources: Vec<(String, Vec<AggregateColumn>)> = vec![(inner.table.clone(), Vec::new())];
        let mut values = Vec::new();
        for (variable, aggregate) in &aggregates {
            let prefix = format!("agg{}", self.fresh());
            let (grouped, distinct) = self.aggregate(&inner, &keys, aggregate, &prefix)?;
            let source = match distinct {
                Some(table) => {
                    sources.push((table, Vec::new()));
                    sources.len() - 1
                }
                None => 0,
            };
            if let Some((_, columns)) = sources.get_mut(source) {
                columns.extend(grouped.columns);
            }
            values.push((variable.as_str().to_owned(), grouped.value));
        }
        let mut joins = String::new();
        let mut first = String::new();
        for (number, (source, columns)) in sources.iter().enumerate() {
            let table = self.groups_of(&inner, source, &keys, columns, !variables.is_empty());
            let alias = format!("g{number}");
            if number == 0 {
                first = format!("{table} AS {alias}");
                continue;
            }
            let relation = SqlRelation { table: table.clone(), variables: inner.variables.clone() };
            let mut conditions = Vec::new();
            for key in &keys {
                let (own, other) = (self.value_of(&inner, "g0", key), self.value_of(&relation, &alias, key));
                let pairs = self.key(key, &own).into_iter().zip(self.key(key, &other));
                conditions.extend(pairs.map(|(own, other)| format!("({own} IS NOT DISTINCT FROM {other})")));
            }
            joins.push_str(&match conditions.is_empty() {
                true => format!("\nCROSS JOIN {table} AS {alias}"),
                false => format!("\nJOIN {table} AS {alias} ON {}", conditions.join(" AND ")),
            });
        }
        let (mut columns, mut known) = (Vec::new(), BTreeMap::new());
        for key in &keys {
            let value = self.value_of(&inner, "g0", key);
            columns.extend(self.columns_of(key, &value, value.kinds));
            let own = RelationVariable::from_value(&value);
            known.insert(key.clone(), own);
        }
        for (variable, value) in values {
            columns.extend(self.columns_of(&variable, &value, value.kinds));
            let own = RelationVariable::from_value(&value);
            known.insert(variable, own);
        }
        let text = format!("SELECT {}\nFROM {first}{joins}", select_list(&columns));
        Ok(SqlRelation { table: self.table("grouped", Some("GROUP"), text), variables: known })
    }

    /// A table of groups with the columns of aggregates.
    fn groups_of(
        &mut self,
        inner: &SqlRelation,
        source: &str,
        keys: &[String],
        columns: &[AggregateColumn],
        is_grouped: bool,
    ) -> String {
        let (mut selected, mut grouped) = (Vec::new(), Vec::new());
        for key in keys {
            let value = self.value_of(inner, "a", key);
            let own = self.key(key, &value);
            for column in self.columns_of(key, &value, value.kinds) {
                // The other parts of a term depend on its key.
                let is_key = own.contains(&column);
                let name = column.trim_start_matches("a.").to_owned();
                selected.push(if is_key { column } else { format!("min({column}) AS {name}") });
            }
            grouped.extend(own);
        }
        selected.extend(columns.iter().map(|column| format!("{} AS {}", column.sql, column.name)));
        if selected.is_empty() {
            // Without an aggregate, this would not be a group.
            selected.push("count(*) AS unit".to_owned());
        }
        let grouping = match (grouped.is_empty(), is_grouped) {
            (false, _) => format!("\nGROUP BY {}", grouped.join(", ")),
            // If no key has a value, all solutions are one group. An empty sequence of solutions has no groups.
            (true, true) => "\nHAVING count(*) > 0".to_owned(),
            (true, false) => String::new(),
        };
        let text = format!("SELECT {}\nFROM {source} AS a{grouping}", select_list(&selected));
        self.table("groups", None, text)
    }

    /// An aggregate, and the table of distinct values that it is computed from, if it needs one.
    fn aggregate(
        &mut self,
        inner: &SqlRelation,
        keys: &[String],
        aggregate: &AggregateExpression,
        prefix: &str,
    ) -> Result<(SqlAggregate, Option<String>), SqlRefusal> {
        let dialect = self.dialect;
        let column = |sql: String, name: &str| AggregateColumn { sql, name: format!("{prefix}_{name}") };
        let count = |sql: String| SqlAggregate {
            columns: vec![column(sql, "n")],
            value: certain_integer(&format!("{prefix}_n"), dialect),
        };
        let (name, expression, distinct) = match aggregate {
            AggregateExpression::CountSolutions { distinct: false } => {
                return Ok((count("count(*)".to_owned()), None));
            }
            AggregateExpression::CountSolutions { distinct: true } => {
                let mut parts = Vec::new();
                // Others than those of the query have a colon.
                let variables = inner.variables.keys().filter(|variable| !variable.contains(':'));
                for variable in variables {
                    let value = self.value_of(inner, "a", variable);
                    parts.extend(self.key(variable, &value));
                }
                let sql = match (parts.is_empty(), dialect) {
                    (true, _) => "CASE WHEN count(*) > 0 THEN 1 ELSE 0 END".to_owned(),
                    (false, SqlDialect::DuckDb) => format!("count(DISTINCT row({}))", parts.join(", ")),
                    (false, _) => format!("count(DISTINCT struct({}))", parts.join(", ")),
                };
                return Ok((count(sql), None));
            }
            AggregateExpression::FunctionCall { name, expr, distinct } => (name, expr, *distinct),
        };
        let scope = self.scope(inner, "a");
        let value = self.value(expression, &scope)?;
        let is_unlike = matches!(
            name,
            AggregateFunction::Sum | AggregateFunction::Avg | AggregateFunction::GroupConcat { .. }
        );
        if *name == AggregateFunction::Count {
            let sql = match (distinct, &value.number) {
                (false, _) => format!("count({})", value.type_name),
                (true, Some(number)) => format!("count(DISTINCT {number})"),
                (true, None) => format!("count(DISTINCT {} || ' ' || {})", value.type_name, value.text),
            };
            return Ok((count(sql), None));
        }
        let (value, table) = match distinct && is_unlike {
            false => (value, None),
            true => {
                let (value, table) = self.distinct_values(inner, keys, &value, prefix);
                (value, Some(table))
            }
        };
        let grouped = match name {
            AggregateFunction::Sum => sum(&value, prefix, false, dialect),
            AggregateFunction::Avg => sum(&value, prefix, true, dialect),
            AggregateFunction::Min => extreme(&value, prefix, true, dialect),
            AggregateFunction::Max => extreme(&value, prefix, false, dialect),
            AggregateFunction::Sample => sample(&value, prefix, dialect),
            AggregateFunction::GroupConcat { separator } => {
                concatenated(&value, prefix, separator.as_deref().unwrap_or(" "), dialect)
            }
            other => {
                return Err(SqlRefusal::from_function(&other.to_string(), "it is not part of SPARQL 1.1"));
            }
        };
        Ok((grouped, table))
    }

    /// A table of the distinct values of an expression in each group.
    fn distinct_values(
        &mut self,
        inner: &SqlRelation,
        keys: &[String],
        value: &SqlValue,
        prefix: &str,
    ) -> (SqlValue, String) {
        let mut columns = Vec::new();
        for key in keys {
            let own = self.value_of(inner, "a", key);
            columns.extend(self.columns_of(key, &own, own.kinds));
        }
        let mut distinct = value.clone();
        let mut add = |part: &mut String, ending: &str| {
            let name = format!("{prefix}_{ending}");
            columns.push(format!("{part} AS {name}"));
            *part = format!("a.{name}");
        };
        add(&mut distinct.text, "text");
        add(&mut distinct.type_name, "type");
        for (part, ending) in [(&mut distinct.exact, "num"), (&mut distinct.double, "dbl")] {
            if let Some(part) = part {
                add(part, ending);
            }
        }
        distinct.number = None;
        let text = format!("SELECT DISTINCT {}\nFROM {} AS a", columns.join(", "), inner.table);
        (distinct, self.table("distinct_values", None, text))
    }
}

fn certain_integer(name: &str, dialect: SqlDialect) -> SqlValue {
    let type_name = dialect.text(xsd::INTEGER.as_str());
    SqlValue { is_certain: true, type_name, ..SqlValue::from_integer(name, dialect) }
}

/// SUM and AVG (18.5.1.3, 18.5.1.4): a value that is not a number leaves the group without a sum.
fn sum(value: &SqlValue, prefix: &str, is_average: bool, dialect: SqlDialect) -> SqlAggregate {
    let mut columns = Vec::new();
    let mut add = |sql: String, ending: &str| {
        let name = format!("{prefix}_{ending}");
        columns.push(AggregateColumn { sql, name: name.clone() });
        name
    };
    let all = add("count(*)".to_owned(), "n");
    let numbers = match &value.double {
        Some(double) => add(format!("count({double})"), "numbers"),
        None => "0".to_owned(),
    };
    let mut flag = |kind: ValueKinds, datatype, ending: &str| {
        value.kinds.may_be(kind).then(|| {
            let is_of = value.has_datatype(datatype, dialect);
            format!("{} > 0", add(format!("count(CASE WHEN {is_of} THEN 1 END)"), ending))
        })
    };
    let is_double = flag(ValueKinds::DOUBLE, xsd::DOUBLE, "doubles");
    let is_float = flag(ValueKinds::FLOAT, xsd::FLOAT, "floats");
    let is_decimal = flag(ValueKinds::DECIMAL, xsd::DECIMAL, "decimals");
    let are_numbers = format!("{all} = {numbers}");
    let is_inexact: Vec<String> = [&is_double, &is_float].into_iter().flatten().cloned().collect();
    let decimal = is_decimal.clone().unwrap_or_else(|| "FALSE".to_owned());
    let exact = value.exact.as_ref().map(|exact| {
        let sum = dialect.call("exact", &[&decimal, &add(format!("sum({exact})"), "num")]);
        let sum = if is_average { dialect.call("average", &[&sum, &all]) } else { sum };
        let mut cases = vec![
            (format!("{all} = 0"), format!("CAST(0 AS {DECIMAL})")),
            (format!("NOT ({are_numbers})"), "NULL".to_owned()),
        ];
        if !is_inexact.is_empty() {
            cases.push((is_inexact.join(" OR "), "NULL".to_owned()));
        }
        cases.push(("TRUE".to_owned(), sum));
        case(&cases, None)
    });
    let exact = exact.or_else(|| Some(format!("CASE WHEN {all} = 0 THEN CAST(0 AS {DECIMAL}) END")));
    let mut doubles = vec![
        (format!("{all} = 0"), dialect.double("0")),
        (format!("NOT ({are_numbers})"), "NULL".to_owned()),
    ];
    if let Some(double) = value.double.as_ref().filter(|_| !is_inexact.is_empty()) {
        let sum = add(format!("sum({double})"), "dbl");
        let sum = if is_average { format!("({sum} / {all})") } else { sum };
        if let Some(condition) = &is_double {
            doubles.push((condition.clone(), sum.clone()));
        }
        if let Some(condition) = &is_float {
            doubles.push((condition.clone(), format!("CAST(CAST({sum} AS FLOAT) AS DOUBLE)")));
        }
    }
    if let Some(exact) = &exact {
        doubles.push(("TRUE".to_owned(), dialect.text_as_double(exact)));
    }
    let double = case(&doubles, None);
    let name = |datatype: oxrdf::NamedNodeRef<'_>| dialect.text(datatype.as_str());
    let mut types = vec![(format!("{all} = 0"), name(xsd::INTEGER))];
    types.push((format!("{double} IS NULL"), "NULL".to_owned()));
    for (condition, datatype) in
        [(&is_double, xsd::DOUBLE), (&is_float, xsd::FLOAT), (&is_decimal, xsd::DECIMAL)]
    {
        if let Some(condition) = condition {
            types.push((condition.clone(), name(datatype)));
        }
    }
    let type_name = case(&types, Some(&name(if is_average { xsd::DECIMAL } else { xsd::INTEGER })));
    let mut kinds = (value.kinds & ValueKinds::NUMBER) | ValueKinds::INTEGER;
    if is_average {
        kinds = kinds | ValueKinds::DECIMAL;
    }
    let value = SqlValue::from_number(kinds, [exact, Some(double)], type_name, dialect);
    SqlAggregate { columns, value }
}

/// MIN and MAX: the order is that of ORDER BY. A solution without a value leaves the group without one.
fn extreme(value: &SqlValue, prefix: &str, is_least: bool, dialect: SqlDialect) -> SqlAggregate {
    let mut keys = order_keys(value, dialect);
    // Among equal values one term is chosen, of which all parts are taken.
    for part in [&value.text, &value.type_name] {
        if !keys.contains(part) {
            keys.push(part.clone());
        }
    }
    let all = format!("count(*) = count({})", value.type_name);
    chosen(value, prefix, &keys, is_least, Some(&all), dialect)
}

/// SAMPLE: any value. Always the same one, so that the answer does not change.
fn sample(value: &SqlValue, prefix: &str, dialect: SqlDialect) -> SqlAggregate {
    let keys = [value.text.clone(), value.type_name.clone()];
    chosen(value, prefix, &keys, true, None, dialect)
}

/// The value with the least or the greatest keys.
fn chosen(
    value: &SqlValue,
    prefix: &str,
    keys: &[String],
    is_least: bool,
    condition: Option<&str>,
    dialect: SqlDialect,
) -> SqlAggregate {
    let direction = if is_least { "ASC" } else { "DESC" };
    let pick = |part: &str| {
        let picked = match dialect {
            SqlDialect::DuckDb => {
                // A part may be NULL in the row that is chosen.
                let name = if is_least { "arg_min_null" } else { "arg_max_null" };
                format!(
                    "{name}({part}, row({})) FILTER (WHERE {} IS NOT NULL)",
                    keys.join(", "),
                    value.type_name
                )
            }
            SqlDialect::Spark => {
                let name = if is_least { "min_by" } else { "max_by" };
                format!(
                    "{name}({part}, struct({})) FILTER (WHERE {} IS NOT NULL)",
                    keys.join(", "),
                    value.type_name
                )
            }
            SqlDialect::DataFusion => {
                let keys: Vec<String> =
                    keys.iter().map(|key| format!("{key} {direction} NULLS LAST")).collect();
                format!(
                    "first_value({part} ORDER BY {}) FILTER (WHERE {} IS NOT NULL)",
                    keys.join(", "),
                    value.type_name
                )
            }
        };
        match condition {
            Some(condition) => format!("CASE WHEN {condition} THEN {picked} END"),
            None => picked,
        }
    };
    let mut columns = Vec::new();
    let mut result = SqlValue { kinds: value.kinds, ..SqlValue::absent(dialect) };
    let mut add = |part: &str, ending: &str| {
        let name = format!("{prefix}_{ending}");
        columns.push(AggregateColumn { sql: pick(part), name: name.clone() });
        name
    };
    result.text = add(&value.text, "text");
    result.type_name = add(&value.type_name, "type");
    result.exact = value.exact.as_ref().map(|part| add(part, "num"));
    result.double = value.double.as_ref().map(|part| add(part, "dbl"));
    result.boolean = value.boolean.as_ref().map(|part| add(part, "bool"));
    result.time = value.time.as_ref().map(|part| add(part, "us"));
    result.zoned = value.zoned.as_ref().map(|part| add(part, "zoned"));
    SqlAggregate { columns, value: result }
}

/// GROUP_CONCAT (18.5.1.7). SPARQL leaves the order open: here it is that of the texts.
fn concatenated(value: &SqlValue, prefix: &str, separator: &str, dialect: SqlDialect) -> SqlAggregate {
    let text = match value.kinds.may_be(ValueKinds::BLANK) {
        true => format!("CASE WHEN {} <> 'blank' THEN {} END", value.type_name, value.text),
        false => value.text.clone(),
    };
    let separator = dialect.text(separator);
    let joined = match dialect {
        SqlDialect::DuckDb | SqlDialect::DataFusion => {
            format!("string_agg({text}, {separator} ORDER BY {text})")
        }
        SqlDialect::Spark => format!("listagg({text}, {separator}) WITHIN GROUP (ORDER BY {text})"),
    };
    let sql = format!("CASE WHEN count(*) = count({text}) THEN coalesce({joined}, '') END");
    let name = format!("{prefix}_text");
    let value = SqlValue::from_text(name.clone(), dialect);
    SqlAggregate { columns: vec![AggregateColumn { sql, name }], value }
}
