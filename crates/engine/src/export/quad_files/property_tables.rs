//! Tables of an export with a row for each question, answer, result or file: the answers of named queries, for one file
//! after the other.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

use oxrdf::{Literal, NamedNode, Term, Variable};

use super::record_merge::SortedRecords;
use super::record_run::RecordKey;
use super::row_texts::{RowObject, RowTexts};
use crate::named_queries::NamedQueries;
use crate::tables::{TableFileFormat, write_rows};
use evalgraph_diagnostics::RunFailure;
use evalgraph_sparql::{
    CancellationToken, EvaluationEnvironment, ExecuteOptions, Query, QueryResults, WriteError,
};
use evalgraph_store::{Dataset, DefaultGraph};

/// The folder of the files of tables.
pub(super) const TABLES: &str = "tables";

/// The tables, each with the named query that it has the answers of. A query asks about each graph separately, so its answers
/// over all files are those over each file.
const QUERIES: [(&str, &str); 11] = [
    ("answers", "answers"),
    ("files", "overview"),
    ("models", "models"),
    ("questions", "questions"),
    ("ratings", "ratings"),
    ("results", "results"),
    ("retrievals", "retrievals"),
    ("runs", "runs"),
    ("samples", "samples"),
    ("trait_ranges", "trait-ranges"),
    ("traits", "traits"),
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
pub(super) struct PropertyTable {
    pub(super) name: &'static str,
    query: Query,
    /// The positions of the columns that may have the IRI of the record, the best first.
    records: Vec<usize>,
}

/// A row of a table: for each column a term, or nothing.
pub(super) type TableRow = Vec<Option<Term>>;

impl PropertyTable {
    /// Returns the tables.
    ///
    /// # Errors
    ///
    /// Fails if a query is not valid.
    pub(super) fn built_in() -> Result<Vec<Self>, RunFailure> {
        let queries = NamedQueries::built_in()?;
        let tables = QUERIES.map(|(name, query)| {
            let named = queries.get(query)?;
            let query = named.query()?.with_parameters(&[], &named.parameters)?;
            let columns = query.columns();
            let position = |name: &&str| columns.iter().position(|column| column == name);
            let records = RECORDS.iter().filter_map(position).collect();
            Ok(Self { name, query, records })
        });
        tables.into_iter().collect()
    }

    /// Returns the columns.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let mut columns = self.query.columns();
        if let Some(place) = self.line_column() {
            columns.insert(place, LINE.to_owned());
        }
        columns.into_iter().map(Variable::new_unchecked).collect()
    }

    /// Returns the position of the column with lines, if the table has one.
    fn line_column(&self) -> Option<usize> {
        let columns = self.query.columns();
        let file = columns.iter().position(|column| column == FILE);
        file.filter(|_| !self.records.is_empty()).map(|file| file + 1)
    }

    /// Adds the IRIs of the records of rows whose lines are not known yet.
    pub(super) fn add_records(&self, rows: &[TableRow], records: &mut BTreeSet<String>) {
        records.extend(rows.iter().filter_map(|row| self.record(row).map(str::to_owned)));
    }

    /// The IRI of the record that a row is about.
    fn record<'r>(&self, row: &'r TableRow) -> Option<&'r str> {
        let text = |place: &usize| match row.get(*place)?.as_ref()? {
            Term::NamedNode(node) => Some(node.as_str()),
            Term::Literal(literal) => Some(literal.value()),
            Term::BlankNode(_) => None,
        };
        self.records.iter().filter_map(text).find(|iri| !iri.is_empty())
    }

    /// Adds the lines of records, by IRI, to rows. A record that is not in a file has none.
    pub(super) fn add_lines(&self, rows: &mut [TableRow], lines: &HashMap<String, u64>) {
        let Some(place) = self.line_column() else { return };
        for row in rows {
            let line = self.record(row).and_then(|record| lines.get(record));
            let line = line.and_then(|line| i64::try_from(*line).ok());
            row.insert(place, line.map(|line| Literal::from(line).into()));
        }
    }

    /// Returns the rows of a dataset, without lines. `files` has the file of each graph.
    ///
    /// # Errors
    ///
    /// Fails if the evaluation fails or is cancelled.
    pub(super) fn rows(
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
        // Rows that the query does not tell apart have an order all the same.
        rows.sort_by_cached_key(|row| format!("{row:?}"));
        Ok(rows)
    }
}

/// Appends a row as bytes.
pub(super) fn write_row(row: &TableRow, output: &mut Vec<u8>) {
    let mut bytes = Vec::new();
    for term in row {
        bytes.clear();
        let label;
        let object = match term {
            None => None,
            Some(Term::NamedNode(node)) => Some(RowObject::Iri(node.as_str())),
            Some(Term::BlankNode(node)) => {
                label = node.to_string();
                Some(RowObject::Iri(&label))
            }
            Some(Term::Literal(literal)) => Some(RowObject::Literal {
                lexical: literal.value(),
                datatype: literal.datatype().as_str(),
                language: literal.language(),
            }),
        };
        if let Some(object) = object {
            RowTexts { subject: None, object }.write(&mut bytes);
        }
        output.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        output.extend_from_slice(&bytes);
    }
}

/// Reads a row that [`write_row`] has written. `None` if it is damaged.
fn read_row(mut bytes: &[u8]) -> Option<TableRow> {
    let mut row = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (cell, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        bytes = rest;
        if cell.is_empty() {
            row.push(None);
            continue;
        }
        row.push(Some(match RowTexts::from_bytes(cell)?.object {
            RowObject::Iri(iri) => NamedNode::new_unchecked(iri).into(),
            RowObject::BlankNode => return None,
            RowObject::Literal { lexical, language: Some(language), .. } => {
                Literal::new_language_tagged_literal_unchecked(lexical, language).into()
            }
            RowObject::Literal { lexical, datatype, .. } => {
                Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
            }
        }));
    }
    Some(row)
}

/// The rows of all tables, one table after the other.
pub(super) struct TableRows {
    records: SortedRecords,
    /// The next row, and the number of its table.
    next: Option<(RecordKey, Vec<u8>)>,
}

impl TableRows {
    /// Begins with the first row.
    ///
    /// # Errors
    ///
    /// Fails if the records cannot be read.
    pub(super) fn new(records: SortedRecords) -> io::Result<Self> {
        let mut rows = Self { records, next: None };
        rows.advance()?;
        Ok(rows)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = self.records.next()?.map(|(key, bytes)| (*key, bytes.to_vec()));
        Ok(())
    }

    /// Returns whether the next row is of a table.
    pub(super) fn has(&self, table: i64) -> bool {
        self.next.as_ref().is_some_and(|(key, _)| key[0] == table)
    }

    /// Writes the rows of a table.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written, or the records cannot be read.
    pub(super) fn write(
        &mut self,
        table: i64,
        variables: &[Variable],
        output: &mut BufWriter<File>,
    ) -> io::Result<()> {
        let rows = std::iter::from_fn(|| {
            let (_, bytes) = self.next.take_if(|(key, _)| key[0] == table)?;
            let row = self.advance().and_then(|()| read_row(&bytes).ok_or(io::ErrorKind::InvalidData.into()));
            Some(row.map_err(WriteError::from))
        });
        match write_rows(variables, rows, TableFileFormat::Parquet, output) {
            Ok(_) => Ok(()),
            Err(WriteError::Io(error)) => Err(error),
            Err(error @ WriteError::Evaluation(_)) => Err(io::Error::other(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queries_are_there_and_rows_are_read_as_they_were_written() {
        let tables = PropertyTable::built_in().expect("the queries are valid");
        assert!(tables.iter().all(|table| table.variables().iter().any(|column| column.as_str() == "file")));
        let row = vec![
            None,
            Some(NamedNode::new_unchecked("urn:a").into()),
            Some(Literal::new_simple_literal("").into()),
            Some(Literal::new_language_tagged_literal_unchecked("a", "de").into()),
            Some(Literal::from(7).into()),
        ];
        let mut bytes = Vec::new();
        write_row(&row, &mut bytes);
        assert_eq!(read_row(&bytes), Some(row));
        bytes.pop();
        assert_eq!(read_row(&bytes), None);
    }
}
