//! The state of a translation: the tables so far, the active graph, and the names of columns.

use std::collections::HashMap;

use oxrdf::NamedNode;
use spargebra::algebra::QueryDataset;

use super::column_names::ColumnNames;
use super::dialect::SqlDialect;
use super::sql_relation::{RelationVariable, SqlRelation};
use super::sql_value::{SolutionScope, SqlValue, ValuePart};
use super::value_kinds::ValueKinds;
use super::variable_uses::VariableUses;
use evalgraph_sparql::Query;

/// The graph that patterns are matched against (SPARQL 1.1, section 13.3).
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ActiveGraph {
    Default,
    Named(NamedNode),
    /// Each named graph. The variable of this name, which no query can have, tells which one.
    Each(String),
}

/// A table of the WITH clause.
#[derive(Debug)]
struct CommonTable {
    name: String,
    comment: Option<String>,
    text: String,
}

/// A translation of a query.
pub(crate) struct SqlTranslator<'q> {
    pub(crate) dialect: SqlDialect,
    pub(crate) query: &'q Query,
    pub(crate) uses: VariableUses,
    pub(crate) graph: ActiveGraph,
    /// The graphs of FROM and FROM NAMED.
    pub(crate) dataset: Option<QueryDataset>,
    /// The table of the default graph, if FROM names several graphs.
    pub(crate) default_graph: Option<String>,
    names: ColumnNames,
    tables: Vec<CommonTable>,
    next: usize,
    is_recursive: bool,
    /// How many places of each word have been named.
    named_places: HashMap<String, usize>,
}

impl<'q> SqlTranslator<'q> {
    pub(crate) fn new(query: &'q Query, dialect: SqlDialect) -> Self {
        let algebra = query.algebra();
        let (spargebra::Query::Select { dataset, .. }
        | spargebra::Query::Ask { dataset, .. }
        | spargebra::Query::Construct { dataset, .. }
        | spargebra::Query::Describe { dataset, .. }) = algebra;
        Self {
            dialect,
            query,
            uses: VariableUses::from_query(algebra),
            graph: ActiveGraph::Default,
            dataset: dataset.clone(),
            default_graph: None,
            names: ColumnNames::default(),
            tables: Vec::new(),
            next: 0,
            is_recursive: false,
            named_places: HashMap::new(),
        }
    }

    /// Adds a table, and returns its name. `word` is the word of the query that the comment locates.
    pub(crate) fn table(&mut self, kind: &str, word: Option<&str>, text: String) -> String {
        self.next += 1;
        let name = format!("{kind}_{}", self.next);
        let comment = word.and_then(|word| self.next_place(word));
        self.tables.push(CommonTable { name: name.clone(), comment, text });
        name
    }

    /// Adds a table that refers to itself by the name that `text` is passed.
    pub(crate) fn recursive_table(&mut self, kind: &str, text: impl FnOnce(&str) -> String) -> String {
        self.is_recursive = true;
        self.next += 1;
        let name = format!("{kind}_{}", self.next);
        let text = text(&name);
        self.tables.push(CommonTable { name: name.clone(), comment: None, text });
        name
    }

    /// A number for a name that occurs once.
    pub(crate) fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// The next place of a word in the query, as `line:column`. If the algebra has more parts than the text has words,
    /// the last place counts for the others.
    fn next_place(&mut self, word: &str) -> Option<String> {
        let places = self.query.places_of_word(word);
        let number = self.named_places.entry(word.to_owned()).or_default();
        let place = places.get(*number).or(places.last())?;
        *number += 1;
        Some(format!("{}:{}", place.line, place.column))
    }

    /// The whole statement, whose last part is `select`.
    pub(crate) fn statement(self, select: &str) -> String {
        let mut text = String::new();
        for (number, table) in self.tables.iter().enumerate() {
            text.push_str(match (number, self.is_recursive) {
                (0, true) => "WITH RECURSIVE\n",
                (0, false) => "WITH\n",
                _ => ",\n",
            });
            if let Some(comment) = &table.comment {
                text.push_str(&format!("-- {comment}\n"));
            }
            let hint = if self.dialect == SqlDialect::DuckDb && self.is_read_once(&table.name, select) {
                "NOT MATERIALIZED "
            } else {
                ""
            };
            // Lines are not indented: some may be those of a literal.
            text.push_str(&format!("{} AS {hint}(\n{}\n)", table.name, table.text));
        }
        if !self.tables.is_empty() {
            text.push('\n');
        }
        text.push_str(select);
        text.push('\n');
        text
    }

    /// Returns whether a table is read at most once, so that the engine may plan it as part of its reader.
    fn is_read_once(&self, name: &str, select: &str) -> bool {
        let texts = self.tables.iter().map(|table| table.text.as_str()).chain([select]);
        let reads: usize = texts.map(|text| reads(text, name)).sum();
        reads <= 1
    }

    /// The name of the column of a part of a variable, between quotes.
    pub(crate) fn column(&mut self, variable: &str, part: ValuePart) -> String {
        let name = self.names.name(variable);
        self.dialect.name_of(&format!("{name}{}", part.ending()))
    }

    /// The value of a variable of a relation, whose table has an alias.
    pub(crate) fn value_of(&mut self, relation: &SqlRelation, alias: &str, variable: &str) -> SqlValue {
        let Some(known) = relation.variables.get(variable).copied() else {
            return SqlValue::absent(self.dialect);
        };
        let parts = self.uses.parts(variable, known.kinds);
        let RelationVariable { kinds, is_certain, is_canonical } = known;
        let mut value = SqlValue { kinds, is_certain, is_canonical, ..SqlValue::absent(self.dialect) };
        for part in parts {
            let column = format!("{alias}.{}", self.column(variable, part));
            match part {
                ValuePart::Number => value.number = Some(column),
                ValuePart::Text => value.text = column,
                ValuePart::Type => value.type_name = column,
                ValuePart::Exact => value.exact = Some(column),
                ValuePart::Double => value.double = Some(column),
                ValuePart::Boolean => value.boolean = Some(column),
                ValuePart::Time => value.time = Some(column),
                ValuePart::Zoned => value.zoned = Some(column),
            }
        }
        value
    }

    /// The values of the variables of a relation.
    pub(crate) fn scope(&mut self, relation: &SqlRelation, alias: &str) -> SolutionScope {
        let variables: Vec<String> = relation.variables.keys().cloned().collect();
        let mut scope = SolutionScope::new();
        for variable in variables {
            let value = self.value_of(relation, alias, &variable);
            scope.insert(variable, value);
        }
        scope
    }

    /// The columns of a value under the name of a variable, for SELECT.
    pub(crate) fn columns_of(&mut self, variable: &str, value: &SqlValue, kinds: ValueKinds) -> Vec<String> {
        let dialect = self.dialect;
        let mut columns = Vec::new();
        for part in self.uses.parts(variable, kinds) {
            let name = self.column(variable, part);
            let text = match value.part(part) {
                Some(text) => text.to_owned(),
                None => format!("CAST(NULL AS {})", part.sql_type(dialect)),
            };
            columns.push(match text.strip_suffix(&name) {
                // The column keeps its name.
                Some(alias) if alias.ends_with('.') && !alias.contains(' ') => text,
                _ => format!("{text} AS {name}"),
            });
        }
        columns
    }

    /// The key by which terms of a variable are compared: their numbers, or their texts and types.
    pub(crate) fn key(&self, variable: &str, value: &SqlValue) -> Vec<String> {
        match (&value.number, self.uses.is_computed(variable)) {
            (Some(number), false) => vec![number.clone()],
            _ => vec![value.text.clone(), value.type_name.clone()],
        }
    }

    /// A condition: a variable has a term in a table.
    pub(crate) fn is_bound(&self, variable: &str, value: &SqlValue) -> String {
        match self.key(variable, value).last() {
            Some(_) if value.is_certain => "TRUE".to_owned(),
            Some(key) => format!("{key} IS NOT NULL"),
            None => "FALSE".to_owned(),
        }
    }

    /// A condition: two values of a variable are the same term.
    pub(crate) fn same(&self, variable: &str, left: &SqlValue, right: &SqlValue) -> String {
        let keys = self.key(variable, left).into_iter().zip(self.key(variable, right));
        keys.map(|(left, right)| format!("{left} = {right}")).collect::<Vec<_>>().join(" AND ")
    }

    /// A condition: two values of a variable are compatible (section 18.3).
    pub(crate) fn compatible(&self, variable: &str, left: &SqlValue, right: &SqlValue) -> String {
        let same = self.same(variable, left, right);
        let absent: Vec<String> = [left, right]
            .into_iter()
            .filter(|value| !value.is_certain)
            .filter_map(|value| self.key(variable, value).pop())
            .map(|key| format!("{key} IS NULL"))
            .collect();
        if absent.is_empty() { same } else { format!("({same} OR {})", absent.join(" OR ")) }
    }
}

/// Returns how often a text reads from a table.
fn reads(text: &str, name: &str) -> usize {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .filter(|(at, _)| !text[..*at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
        .count()
}
