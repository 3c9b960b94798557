//! The files of tables in an export: a row for each question, answer, result or file.

use std::fs::File;
use std::io::{self, BufWriter};

use oxrdf::{Literal, NamedNode, Term, Variable};

use super::record_merge::SortedRecords;
use super::record_run::RecordKey;
use super::row_texts::{RowObject, RowTexts};
use crate::tables::record_tables::TableRow;
use crate::tables::{TableFileFormat, write_rows};
use evalgraph_sparql::WriteError;

/// The folder of the files of tables.
pub(super) const TABLES: &str = "tables";

/// Returns rows in an order that depends on nothing but their terms, even if the query does not tell them apart.
pub(super) fn in_fixed_order(mut rows: Vec<TableRow>) -> Vec<TableRow> {
    rows.sort_by_cached_key(|row| format!("{row:?}"));
    rows
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
    fn rows_are_read_as_they_were_written() {
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
