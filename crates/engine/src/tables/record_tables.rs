//! Tables of records: a row for each question, answer, result or file, with the line of its record. They are the answers of
//! named queries, and their columns have the same types for all data.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term, Variable};

use super::AnswerTable;
use super::column_facts::ColumnType;
use crate::named_queries::NamedQueries;
use evalgraph_diagnostics::RunFailure;
use evalgraph_sparql::{
    CancellationToken, ColumnValue, EvaluationEnvironment, ExecuteOptions, Query, QueryResults, WriteError,
};
use evalgraph_store::{Dataset, DefaultGraph};

/// A column with the type of its values.
type TypedColumn = (&'static str, ColumnType);

/// The tables, each with the named query that answers it, and the columns that are not texts. A query asks about each graph
/// separately, so its answers over all files are those over each file.
const TABLES: [(&str, &str, &[TypedColumn]); 11] = [
    ("answers", "answers", &[("correct", ColumnType::Boolean)]),
    ("files", "overview", &[]),
    ("models", "models", &[("times", ColumnType::Integer)]),
    ("questions", "questions", &[("finished", ColumnType::Boolean)]),
    (
        "ratings",
        "ratings",
        &[("value", ColumnType::Double), ("worst", ColumnType::Double), ("best", ColumnType::Double)],
    ),
    (
        "results",
        "results",
        &[
            ("replicate", ColumnType::Integer),
            ("passed", ColumnType::Boolean),
            ("seconds", ColumnType::Double),
        ],
    ),
    ("retrievals", "retrievals", &[("rank", ColumnType::Integer), ("score", ColumnType::Double)]),
    (
        "runs",
        "runs",
        &[
            ("results", ColumnType::Integer),
            ("questions", ColumnType::Integer),
            ("passed", ColumnType::Integer),
            ("models", ColumnType::Integer),
        ],
    ),
    ("samples", "samples", &[]),
    (
        "trait_ranges",
        "trait-ranges",
        &[
            ("worst", ColumnType::Double),
            ("best", ColumnType::Double),
            ("definitions", ColumnType::Integer),
            ("given", ColumnType::Integer),
            ("none_given", ColumnType::Integer),
            ("lowest", ColumnType::Double),
            ("highest", ColumnType::Double),
        ],
    ),
    ("traits", "traits", &[("names", ColumnType::Integer), ("definitions", ColumnType::Integer)]),
];

/// The columns that may have the IRI of a row's record, the best first. A table with one of them has the column
/// [`LINE`], too.
const RECORDS: [&str; 2] = ["node", "id"];
/// The column that [`LINE`] follows.
const FILE: &str = "file";
/// The column with the line of the record in its file.
const LINE: &str = "line";

/// A table.
#[derive(Debug, Clone)]
pub(crate) struct RecordTable {
    pub(crate) name: &'static str,
    query: Query,
    types: &'static [TypedColumn],
    /// The positions of the columns that may have the IRI of the record, the best first.
    records: Vec<usize>,
}

/// A row of a table: for each column a term, or nothing.
pub(crate) type TableRow = Vec<Option<Term>>;

impl RecordTable {
    /// Returns the tables.
    ///
    /// # Errors
    ///
    /// Fails if a query is not valid.
    pub(crate) fn built_in() -> Result<Vec<Self>, RunFailure> {
        let queries = NamedQueries::built_in()?;
        let tables = TABLES.map(|(name, query, types)| {
            let named = queries.get(query)?;
            let query = named.query()?.with_parameters(&[], &named.parameters)?;
            let columns = query.columns();
            let position = |name: &&str| columns.iter().position(|column| column == name);
            let records = RECORDS.iter().filter_map(position).collect();
            Ok(Self { name, query, types, records })
        });
        tables.into_iter().collect()
    }

    /// Returns the columns.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        let mut columns = self.query.columns();
        if let Some(place) = self.line_column() {
            columns.insert(place, LINE.to_owned());
        }
        columns.into_iter().map(Variable::new_unchecked).collect()
    }

    /// Returns the position of the column with files.
    pub(crate) fn file_column(&self) -> Option<usize> {
        self.query.columns().iter().position(|column| column == FILE)
    }

    /// Returns the position of the column with lines, if the table has one.
    pub(crate) fn line_column(&self) -> Option<usize> {
        self.file_column().filter(|_| !self.records.is_empty()).map(|file| file + 1)
    }

    /// Adds the IRIs of the records of rows whose lines are not known yet.
    pub(crate) fn add_records(&self, rows: &[TableRow], records: &mut BTreeSet<String>) {
        records.extend(rows.iter().filter_map(|row| self.record(row).map(str::to_owned)));
    }

    /// The IRI of the record that a row without a line is about.
    pub(crate) fn record<'r>(&self, row: &'r TableRow) -> Option<&'r str> {
        self.records
            .iter()
            .filter_map(|place| text_of(row.get(*place)?.as_ref()?))
            .find(|iri| !iri.is_empty())
    }

    /// Adds the lines of records, by IRI, to rows. A record that is not in a file has none.
    pub(crate) fn add_lines(&self, rows: &mut [TableRow], lines: &HashMap<String, u64>) {
        let Some(place) = self.line_column() else { return };
        for row in rows {
            let line = self.record(row).and_then(|record| lines.get(record));
            row.insert(place, line.copied().and_then(line_number));
        }
    }

    /// Returns the rows of a dataset, without lines, in the order of the query. `files` has the file of each graph.
    ///
    /// # Errors
    ///
    /// Fails if the evaluation fails or is cancelled.
    pub(crate) fn rows(
        &self,
        dataset: &Dataset,
        files: &Arc<HashMap<String, String>>,
        cancellation: &CancellationToken,
    ) -> Result<Vec<TableRow>, RunFailure> {
        let environment = EvaluationEnvironment {
            cancellation: cancellation.clone(),
            files: Arc::clone(files),
            ..EvaluationEnvironment::default()
        };
        let query = self.query.clone().with_environment(environment);
        let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default())?;
        let QueryResults::Solutions(solutions) = results else { return Ok(Vec::new()) };
        let mut rows = Vec::new();
        for solution in solutions {
            rows.push(solution?.values().to_vec());
        }
        Ok(rows)
    }

    /// Returns rows with lines as a table. A column has its declared type; it is text if it has none, or if one of its values
    /// does not fit the type.
    ///
    /// # Errors
    ///
    /// If the rows cannot be compressed.
    pub(crate) fn typed(&self, mut rows: Vec<TableRow>) -> Result<AnswerTable, WriteError> {
        let variables = self.variables();
        let line = (LINE, ColumnType::Integer);
        let declared = |name: &str| self.types.iter().chain([&line]).find(|(known, _)| *known == name);
        let types =
            variables.iter().map(|name| declared(name.as_str()).map_or(ColumnType::Text, |found| found.1));
        let types: Vec<ColumnType> = types.collect();
        for (place, column_type) in types.iter().enumerate() {
            let values_as = |column_type: ColumnType| {
                let values = rows.iter().map(|row| match row.get(place)? {
                    Some(term) => value_of(term, column_type).map(Some),
                    None => Some(None),
                });
                values.collect::<Option<Vec<_>>>()
            };
            let values = values_as(*column_type).or_else(|| values_as(ColumnType::Text));
            for (row, value) in rows.iter_mut().zip(values.into_iter().flatten()) {
                row[place] = value;
            }
        }
        let table = AnswerTable::from_terms(&variables, rows.into_iter())?;
        Ok(table.with_types_of_empty_columns(&types))
    }
}

/// Returns the text of an IRI or a literal.
pub(crate) fn text_of(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::Literal(literal) => Some(literal.value()),
        Term::BlankNode(_) => None,
    }
}

/// Returns a line as the value of a column.
pub(crate) fn line_number(line: u64) -> Option<Term> {
    i64::try_from(line).ok().map(|line| Literal::from(line).into())
}

/// Returns the value of a term as a literal of the column's type. `None` if it does not have such a value.
fn value_of(term: &Term, column_type: ColumnType) -> Option<Term> {
    if column_type == ColumnType::Text {
        let text = text_of(term).map_or_else(|| term.to_string(), str::to_owned);
        return Some(Literal::new_simple_literal(text).into());
    }
    let Term::Literal(literal) = term else { return None };
    let value = ColumnValue::from_lexical_form(literal.value(), literal.datatype().as_str())?;
    let literal = match (column_type, value) {
        (ColumnType::Boolean, ColumnValue::Boolean(value)) => Literal::from(value),
        (ColumnType::Integer, ColumnValue::Exact { .. }) => {
            Literal::new_typed_literal(literal.value().parse::<i64>().ok()?.to_string(), xsd::INTEGER)
        }
        (ColumnType::Double, ColumnValue::Exact { double, .. }) => Literal::from(double),
        (ColumnType::Double, ColumnValue::Floating(value)) => Literal::from(value),
        _ => return None,
    };
    Some(literal.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queries_are_there_and_have_the_columns_that_have_types() {
        for table in RecordTable::built_in().expect("the queries are valid") {
            let columns: Vec<String> =
                table.variables().iter().map(|column| column.as_str().to_owned()).collect();
            assert!(columns.iter().any(|column| column == FILE), "{}", table.name);
            for (name, _) in table.types {
                assert!(columns.iter().any(|column| column == name), "{}: {name}", table.name);
            }
        }
    }

    #[test]
    fn columns_have_their_types_unless_a_value_does_not_fit() {
        let tables = RecordTable::built_in().expect("the queries are valid");
        let ratings = tables.iter().find(|table| table.name == "ratings").expect("there are ratings");
        let place = |name: &str| ratings.variables().iter().position(|known| known.as_str() == name).unwrap();
        let row = |value: Literal| {
            let mut row = vec![None; ratings.variables().len()];
            row[place("value")] = Some(Term::from(value));
            row
        };
        let type_of = |rows: Vec<TableRow>, name: &str| {
            let columns = ratings.typed(rows).expect("the rows are compressed").columns();
            columns.into_iter().find(|(known, _)| known == name).expect("the column is there").1
        };
        assert_eq!(type_of(Vec::new(), "line"), ColumnType::Integer);
        assert_eq!(type_of(Vec::new(), "value"), ColumnType::Double);
        let decimal = || row(Literal::new_typed_literal("0.5", xsd::DECIMAL));
        assert_eq!(type_of(vec![decimal(), row(Literal::from(3))], "value"), ColumnType::Double);
        let mixed = vec![decimal(), row(Literal::new_language_tagged_literal_unchecked("high", "en"))];
        let table = ratings.typed(mixed).expect("the rows are compressed");
        assert_eq!(table.columns()[place("value")], ("value".to_owned(), ColumnType::Text));
        assert_eq!(table.columns().len(), ratings.variables().len(), "only the declared columns are written");
    }
}
