//! The columns of a file: their names, their types, and the variable of each.

use std::collections::HashSet;

use oxrdf::Variable;
use serde_json::{Value, json};

use super::column_facts::{ColumnFacts, ColumnType};
use super::format::TableFileFormat;
use super::held_rows::HeldRows;

/// A column of the file.
#[derive(Debug)]
pub(super) struct ResultsColumn {
    pub(super) name: String,
    /// The position of its variable in a row.
    pub(super) variable: usize,
    pub(super) part: ColumnTermPart,
    /// The datatype of all its values, if they have the same; `iri` for IRIs.
    datatype: Option<String>,
}

/// The part of a term that a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnTermPart {
    /// Its value.
    Value(ColumnType),
    /// Its datatype or language, or the kind of node.
    Datatype,
}

impl ResultsColumn {
    pub(super) fn column_type(&self) -> ColumnType {
        match self.part {
            ColumnTermPart::Value(column_type) => column_type,
            ColumnTermPart::Datatype => ColumnType::Text,
        }
    }
}

/// Returns the columns for variables. A column of datatypes is named after its column, with `_datatype` appended. A
/// number is added if another column has that name, ignoring case.
pub(super) fn columns(
    variables: &[Variable],
    facts: &[ColumnFacts],
    held: &HeldRows,
    format: TableFileFormat,
) -> Vec<ResultsColumn> {
    let mut taken: HashSet<String> =
        variables.iter().map(|variable| variable.as_str().to_lowercase()).collect();
    let mut columns = Vec::with_capacity(variables.len());
    for (variable, (name, facts)) in variables.iter().map(Variable::as_str).zip(facts).enumerate() {
        let datatype = facts.kind().and_then(|kind| held.kind(kind)).map(|kind| kind.text());
        let found = facts.column_type(format);
        let part = ColumnTermPart::Value(found.unwrap_or(ColumnType::Text));
        columns.push(ResultsColumn { name: name.to_owned(), variable, part, datatype });
        if found.is_none() {
            let names = (1..).map(|number: u32| match number {
                1 => format!("{name}_datatype"),
                _ => format!("{name}_datatype_{number}"),
            });
            let free = names.into_iter().find(|name| taken.insert(name.to_lowercase()));
            let name = free.unwrap_or_default();
            columns.push(ResultsColumn { name, variable, part: ColumnTermPart::Datatype, datatype: None });
        }
    }
    columns
}

/// The key of the metadata about columns in a file.
pub(super) const METADATA: &str = "evalgraph:columns";

/// The metadata about columns, as JSON. For each column it has the datatype of all values, or the name of the column
/// that contains the datatypes.
pub(super) fn metadata(columns: &[ResultsColumn]) -> String {
    let beside = |column: &ResultsColumn| {
        columns
            .iter()
            .find(|other| other.variable == column.variable && other.part == ColumnTermPart::Datatype)
    };
    let of_values = columns.iter().filter(|column| column.part != ColumnTermPart::Datatype);
    let entries = of_values.map(|column| match (beside(column), &column.datatype) {
        (Some(beside), _) => json!({"name": column.name, "datatypeColumn": beside.name}),
        (None, Some(datatype)) => json!({"name": column.name, "datatype": datatype}),
        (None, None) => json!({"name": column.name}),
    });
    Value::Array(entries.collect()).to_string()
}
