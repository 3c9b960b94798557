//! Graph patterns as tables (SPARQL 1.1, section 18).

use std::collections::BTreeMap;

use oxrdf::{Term, Variable};
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use super::comparisons::TruthUse;
use super::pattern_variables::{constant_of, variable_of};
use super::sql_refusal::SqlRefusal;
use super::sql_relation::{RelationVariable, SqlRelation, select_list};
use super::sql_value::{SqlValue, ValuePart};
use super::translator::{ActiveGraph, SqlTranslator};
use super::value_kinds::ValueKinds;

/// A place in a triple pattern: the end of the name of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TriplePlace {
    Subject,
    Predicate,
    Object,
}

impl TriplePlace {
    fn kinds(self) -> ValueKinds {
        match self {
            Self::Subject => ValueKinds::IRI | ValueKinds::BLANK,
            Self::Predicate => ValueKinds::IRI,
            Self::Object => ValueKinds::ALL,
        }
    }

    /// The value of the columns of a table of quads.
    fn value(self, translator: &SqlTranslator<'_>) -> SqlValue {
        let name = match self {
            Self::Subject => "s",
            Self::Predicate => "p",
            Self::Object => "o",
        };
        let column = |part: ValuePart| format!("t.{name}{}", part.ending());
        let of_object = |part: ValuePart| (self == Self::Object).then(|| column(part));
        SqlValue {
            kinds: self.kinds(),
            number: Some(column(ValuePart::Number)),
            text: column(ValuePart::Text),
            type_name: if self == Self::Predicate { "'iri'".to_owned() } else { column(ValuePart::Type) },
            exact: of_object(ValuePart::Exact),
            double: of_object(ValuePart::Double),
            boolean: of_object(ValuePart::Boolean),
            time: of_object(ValuePart::Time),
            zoned: of_object(ValuePart::Zoned),
            is_certain: true,
            ..SqlValue::absent(translator.dialect)
        }
    }
}

impl SqlTranslator<'_> {
    /// Returns the solutions of a pattern.
    pub(crate) fn pattern(&mut self, pattern: &GraphPattern) -> Result<SqlRelation, SqlRefusal> {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                let mut tables = Vec::new();
                for pattern in patterns {
                    tables.push(self.triple(pattern)?);
                }
                self.joined(tables)
            }
            GraphPattern::Path { subject, path, object } => self.path(subject, path, object),
            GraphPattern::Join { .. } => {
                let mut parts = Vec::new();
                operands(pattern, &mut parts);
                let mut tables = Vec::new();
                for part in parts {
                    match part {
                        // Triple patterns of several groups are joined at once.
                        GraphPattern::Bgp { patterns } => {
                            for pattern in patterns {
                                tables.push(self.triple(pattern)?);
                            }
                        }
                        part => tables.push(self.pattern(part)?),
                    }
                }
                self.joined(tables)
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.left_join(left, right, expression.as_ref())
            }
            GraphPattern::Filter { expr, inner } => {
                let inner = self.pattern(inner)?;
                self.filter(inner, expr)
            }
            GraphPattern::Union { left, right } => {
                let (left, right) = (self.pattern(left)?, self.pattern(right)?);
                Ok(self.union(&left, &right))
            }
            GraphPattern::Graph { name, inner } => self.graph(name, inner),
            GraphPattern::Extend { inner, variable, expression } => {
                let inner = self.pattern(inner)?;
                let (inner, expression) = self.with_operands(inner, expression)?;
                self.extended(&inner, variable, &expression, Some("BIND"))
            }
            GraphPattern::Minus { left, right } => {
                let (left, right) = (self.pattern(left)?, self.pattern(right)?);
                Ok(self.minus(&left, &right))
            }
            GraphPattern::Values { variables, bindings } => self.values(variables, bindings),
            GraphPattern::Group { inner, variables, aggregates } => self.group(inner, variables, aggregates),
            GraphPattern::OrderBy { .. }
            | GraphPattern::Project { .. }
            | GraphPattern::Distinct { .. }
            | GraphPattern::Reduced { .. }
            | GraphPattern::Slice { .. } => self.sub_select(pattern),
            GraphPattern::Service { .. } => Err(SqlRefusal::new(
                "SERVICE is not written as SQL: it asks another server",
                "ask evalgraph itself, or export the data of the other server as well",
            )
            .at("SERVICE")),
            GraphPattern::Lateral { .. } => Err(SqlRefusal::new(
                "LATERAL is not written as SQL",
                "write the pattern as a group or a sub-select",
            )
            .at("LATERAL")),
        }
    }

    fn triple(&mut self, pattern: &TriplePattern) -> Result<SqlRelation, SqlRefusal> {
        let (source, mut conditions) = self.source();
        let predicate = match &pattern.predicate {
            NamedNodePattern::NamedNode(node) => TermPattern::NamedNode(node.clone()),
            NamedNodePattern::Variable(variable) => TermPattern::Variable(variable.clone()),
        };
        let places = [
            (TriplePlace::Subject, &pattern.subject),
            (TriplePlace::Predicate, &predicate),
            (TriplePlace::Object, &pattern.object),
        ];
        let mut found: BTreeMap<String, SqlValue> = BTreeMap::new();
        for (place, term) in places {
            let value = place.value(self);
            if let Some(constant) = constant_of(term) {
                conditions.extend(self.is_constant(&value, &constant, place)?);
            } else if let Some(variable) = variable_of(term) {
                match found.get_mut(&variable) {
                    Some(known) => {
                        let numbers =
                            [&known.number, &value.number].map(|number| number.clone().unwrap_or_default());
                        conditions.push(format!("{} = {}", numbers[0], numbers[1]));
                        known.kinds = known.kinds & value.kinds;
                    }
                    None => {
                        found.insert(variable, value);
                    }
                }
            }
        }
        let word = match &pattern.predicate {
            NamedNodePattern::NamedNode(node) => format!("<{}>", node.as_str()),
            NamedNodePattern::Variable(variable) => format!("?{}", variable.as_str()),
        };
        Ok(self.matched("triple", Some(&word), found, &source, &conditions))
    }

    /// A table of the rows of a source that fulfil conditions, with a column for the active graph.
    pub(crate) fn matched(
        &mut self,
        kind: &str,
        word: Option<&str>,
        mut found: BTreeMap<String, SqlValue>,
        source: &str,
        conditions: &[String],
    ) -> SqlRelation {
        if let ActiveGraph::Each(graph) = self.graph.clone() {
            let value = SqlValue {
                kinds: ValueKinds::IRI,
                number: Some("t.g_id".to_owned()),
                is_certain: true,
                ..SqlValue::absent(self.dialect)
            };
            found.insert(graph, value);
        }
        let mut columns = Vec::new();
        let mut variables = BTreeMap::new();
        for (variable, value) in found {
            columns.extend(self.columns_of(&variable, &value, value.kinds));
            variables.insert(variable, RelationVariable::from_value(&value));
        }
        let conditions: Vec<&str> =
            conditions.iter().map(String::as_str).filter(|condition| *condition != "TRUE").collect();
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!("\nWHERE {}", conditions.join(" AND ")),
        };
        let text = format!("SELECT {}\nFROM {source}{conditions}", select_list(&columns));
        SqlRelation { table: self.table(kind, word, text), variables }
    }

    /// The conditions that a place of a triple has a constant. The number finds it, and the text proves it: another term
    /// might have the same number.
    fn is_constant(
        &self,
        value: &SqlValue,
        constant: &Term,
        place: TriplePlace,
    ) -> Result<Vec<String>, SqlRefusal> {
        let known = SqlValue::from_term(constant, self.dialect)?;
        let equal = |part: ValuePart| match (value.part(part), known.part(part)) {
            (Some(column), Some(constant)) => format!("{column} = {constant}"),
            _ => "FALSE".to_owned(),
        };
        let mut conditions = vec![equal(ValuePart::Number), equal(ValuePart::Text)];
        if place == TriplePlace::Object {
            conditions.push(equal(ValuePart::Type));
        }
        Ok(conditions)
    }

    /// The solutions without variables: one.
    pub(crate) fn unit(&mut self) -> SqlRelation {
        if matches!(self.graph, ActiveGraph::Each(_)) {
            let condition = self.named_graphs("t.g_id");
            return self.matched("graph", None, BTreeMap::new(), "graphs AS t", &[condition]);
        }
        let table = self.table("unit", None, "SELECT 1 AS unit".to_owned());
        SqlRelation { table, variables: BTreeMap::new() }
    }

    pub(crate) fn filter(
        &mut self,
        inner: SqlRelation,
        expression: &Expression,
    ) -> Result<SqlRelation, SqlRefusal> {
        let variables = inner.variables.clone();
        let (inner, expression) = self.with_operands(inner, expression)?;
        let scope = self.scope(&inner, "f");
        let condition = self.truth(&expression, &scope, TruthUse::Filter)?;
        let text = format!("SELECT f.*\nFROM {} AS f\nWHERE {condition}", inner.table);
        let table = self.table("filtered", Some("FILTER"), text);
        Ok(SqlRelation { table, variables })
    }

    /// Adds the value of an expression. `word` is the word of the query that the comment locates.
    pub(crate) fn extended(
        &mut self,
        inner: &SqlRelation,
        variable: &Variable,
        expression: &Expression,
        word: Option<&str>,
    ) -> Result<SqlRelation, SqlRefusal> {
        let scope = self.scope(inner, "b");
        let value = self.value(expression, &scope)?;
        let name = variable.as_str();
        let columns = self.columns_of(name, &value, value.kinds);
        let text = match columns.is_empty() {
            true => format!("SELECT b.*\nFROM {} AS b", inner.table),
            false => format!("SELECT b.*, {}\nFROM {} AS b", columns.join(", "), inner.table),
        };
        let table = self.table("bound", word, text);
        let mut variables = inner.variables.clone();
        let own = RelationVariable::from_value(&value);
        variables.insert(name.to_owned(), own);
        Ok(SqlRelation { table, variables })
    }

    fn union(&mut self, left: &SqlRelation, right: &SqlRelation) -> SqlRelation {
        let mut variables = BTreeMap::new();
        for (variable, own) in left.variables.iter().chain(&right.variables) {
            let (one, other) = (left.variables.get(variable), right.variables.get(variable));
            let kinds = one.into_iter().chain(other).fold(own.kinds, |kinds, known| kinds | known.kinds);
            let is_certain =
                [one, other].into_iter().all(|known| known.is_some_and(|known| known.is_certain));
            let is_canonical = [one, other].into_iter().flatten().all(|known| known.is_canonical);
            variables.insert(variable.clone(), RelationVariable { kinds, is_certain, is_canonical });
        }
        let mut select = |side: &SqlRelation| {
            let mut columns = Vec::new();
            for (variable, known) in &variables {
                let value = self.value_of(side, "u", variable);
                columns.extend(self.columns_of(variable, &value, known.kinds));
            }
            format!("SELECT {}\nFROM {} AS u", select_list(&columns), side.table)
        };
        let text = format!("{}\nUNION ALL\n{}", select(left), select(right));
        SqlRelation { table: self.table("united", Some("UNION"), text), variables }
    }

    fn values(
        &mut self,
        variables: &[Variable],
        bindings: &[Vec<Option<GroundTerm>>],
    ) -> Result<SqlRelation, SqlRefusal> {
        let mut terms: Vec<Vec<Option<SqlValue>>> = Vec::new();
        for row in bindings {
            let mut values = Vec::new();
            for term in row {
                values.push(match term {
                    Some(GroundTerm::NamedNode(node)) => Some(Term::from(node.clone())),
                    Some(GroundTerm::Literal(literal)) => Some(Term::from(literal.clone())),
                    None => None,
                });
            }
            let values: Result<_, _> = values
                .into_iter()
                .map(|term| term.map(|term| SqlValue::from_term(&term, self.dialect)).transpose())
                .collect();
            terms.push(values?);
        }
        let mut known = BTreeMap::new();
        for (place, variable) in variables.iter().enumerate() {
            let column = || terms.iter().map(|row| row.get(place).and_then(Option::as_ref));
            let kinds = column().flatten().fold(ValueKinds::NONE, |kinds, value| kinds | value.kinds);
            let is_certain = column().all(|value| value.is_some());
            let own = RelationVariable { kinds, is_certain, is_canonical: false };
            known.insert(variable.as_str().to_owned(), own);
        }
        let mut rows = Vec::new();
        for row in &terms {
            let mut cells = Vec::new();
            for (variable, value) in variables.iter().zip(row) {
                let kinds = known.get(variable.as_str()).map_or(ValueKinds::NONE, |known| known.kinds);
                for part in self.uses.parts(variable.as_str(), kinds) {
                    let cell = value.as_ref().and_then(|value| value.part(part)).unwrap_or("NULL");
                    cells.push(cell.to_owned());
                }
            }
            rows.push(if cells.is_empty() { "(1)".to_owned() } else { format!("({})", cells.join(", ")) });
        }
        let (mut columns, mut names) = (Vec::new(), Vec::new());
        for variable in variables {
            let kinds = known.get(variable.as_str()).map_or(ValueKinds::NONE, |known| known.kinds);
            for part in self.uses.parts(variable.as_str(), kinds) {
                let name = self.column(variable.as_str(), part);
                columns.push(format!("CAST(v.{name} AS {}) AS {name}", part.sql_type(self.dialect)));
                names.push(name);
            }
        }
        if names.is_empty() {
            names.push("unit".to_owned());
        }
        let text = if rows.is_empty() {
            let columns: Vec<String> = columns.iter().map(|column| column.replacen("v.", "", 1)).collect();
            let nulls: Vec<String> = columns
                .iter()
                .map(|column| match column.split_once(" AS ") {
                    Some((_, rest)) => format!("CAST(NULL AS {rest}"),
                    None => column.clone(),
                })
                .collect();
            format!("SELECT {} WHERE FALSE", select_list(&nulls))
        } else {
            format!(
                "SELECT {}\nFROM (VALUES\n  {}) AS v({})",
                select_list(&columns),
                rows.join(",\n  "),
                names.join(", ")
            )
        };
        let table = self.table("given", Some("VALUES"), text);
        let given = SqlRelation { table, variables: known };
        Ok(self.in_each_graph(given))
    }
}

/// Collects the operands of nested joins.
fn operands<'p>(pattern: &'p GraphPattern, parts: &mut Vec<&'p GraphPattern>) {
    match pattern {
        GraphPattern::Join { left, right } => {
            operands(left, parts);
            operands(right, parts);
        }
        GraphPattern::Bgp { patterns } if patterns.is_empty() => {}
        pattern => parts.push(pattern),
    }
}
