//! A table of solutions: which variables it has, and what is known about them.

use std::collections::BTreeMap;

use super::sql_value::SqlValue;
use super::value_kinds::ValueKinds;

/// What is known about a variable in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RelationVariable {
    pub(crate) kinds: ValueKinds,
    /// `true` if each solution has a term for the variable.
    pub(crate) is_certain: bool,
    /// `true` if the lexical form of each term is the one of its value.
    pub(crate) is_canonical: bool,
}

impl RelationVariable {
    pub(crate) fn from_value(value: &SqlValue) -> Self {
        let SqlValue { kinds, is_certain, is_canonical, .. } = *value;
        Self { kinds, is_certain, is_canonical }
    }
}

/// A table of solutions.
#[derive(Debug, Clone)]
pub(crate) struct SqlRelation {
    /// The name of the table.
    pub(crate) table: String,
    pub(crate) variables: BTreeMap<String, RelationVariable>,
}

impl SqlRelation {
    pub(crate) fn has(&self, variable: &str) -> bool {
        self.variables.contains_key(variable)
    }

    pub(crate) fn is_certain(&self, variable: &str) -> bool {
        self.variables.get(variable).is_some_and(|known| known.is_certain)
    }

    /// The variables that both tables have.
    pub(crate) fn shared(&self, other: &Self) -> Vec<String> {
        self.variables.keys().filter(|variable| other.has(variable)).cloned().collect()
    }
}

/// The list of columns of a SELECT. A table has at least one.
pub(crate) fn select_list(columns: &[String]) -> String {
    if columns.is_empty() { "1 AS unit".to_owned() } else { columns.join(", ") }
}
