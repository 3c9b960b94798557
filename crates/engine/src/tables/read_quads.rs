//! Reads the files of quads and graphs that an export has written.

use std::fs::File;
use std::io;

use super::read_columns::{ColumnsReader, ReadRows};

/// The columns that say everything about a quad: all others follow from them.
const COLUMNS: [&str; 10] = ["g_id", "s_id", "s", "o_id", "o", "o_kind", "o_datatype", "o_lang", "p_id", "p"];
/// How many of them a file has whose rows share their predicate.
const WITHOUT_PREDICATE: usize = 8;
const GRAPHS: [&str; 3] = ["g_id", "g", "file"];

/// A row of a file of quads. A blank node has no text, or a label that begins with `_:`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadQuad<'r> {
    pub(crate) graph: i64,
    pub(crate) subject: i64,
    pub(crate) subject_text: Option<&'r str>,
    pub(crate) object: i64,
    pub(crate) object_text: Option<&'r str>,
    /// `blank`, `iri` or `literal`.
    pub(crate) kind: &'r str,
    pub(crate) datatype: Option<&'r str>,
    pub(crate) language: Option<&'r str>,
    /// The number and the IRI of the predicate, if the file has columns for them.
    pub(crate) predicate: Option<ReadPredicate<'r>>,
}

/// The predicate of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadPredicate<'r> {
    pub(crate) number: i64,
    pub(crate) text: &'r str,
}

/// Some rows of a file of quads.
pub(crate) struct ReadQuads(ReadRows);

impl ReadQuads {
    /// Returns the rows in their order. A row is `None` if it is damaged.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Option<ReadQuad<'_>>> {
        (0..self.0.count).map(|row| self.row(row))
    }

    fn row(&self, row: usize) -> Option<ReadQuad<'_>> {
        let (integer, text) = (|at| self.0.integer(at, row), |at| self.0.text(at, row));
        Some(ReadQuad {
            graph: integer(0)?,
            subject: integer(1)?,
            subject_text: text(2),
            object: integer(3)?,
            object_text: text(4),
            kind: text(5)?,
            datatype: text(6),
            language: text(7),
            predicate: integer(8).zip(text(9)).map(|(number, text)| ReadPredicate { number, text }),
        })
    }
}

/// Reads a file of quads, some rows at a time.
pub(crate) struct QuadFileReader(ColumnsReader);

impl QuadFileReader {
    /// Begins to read a file. `has_predicate` is true if it has columns for the predicate.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged.
    pub(crate) fn new(file: File, has_predicate: bool) -> io::Result<Self> {
        let columns = if has_predicate { &COLUMNS[..] } else { &COLUMNS[..WITHOUT_PREDICATE] };
        ColumnsReader::new(file, columns).map(Self)
    }

    /// Returns the next rows, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged.
    pub(crate) fn next_rows(&mut self) -> io::Result<Option<ReadQuads>> {
        Ok(self.0.next_rows()?.map(ReadQuads))
    }
}

/// A row of the file of graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadGraph {
    pub(crate) number: i64,
    /// Its IRI, or the label of a blank node.
    pub(crate) name: Option<String>,
    /// The path of its file.
    pub(crate) file: Option<String>,
}

/// Reads the file of graphs.
///
/// # Errors
///
/// Fails if the file is damaged.
pub(crate) fn read_graphs(file: File) -> io::Result<Vec<ReadGraph>> {
    let mut reader = ColumnsReader::new(file, &GRAPHS)?;
    let mut graphs = Vec::new();
    while let Some(rows) = reader.next_rows()? {
        for row in 0..rows.count {
            let number = rows.integer(0, row).ok_or(io::ErrorKind::InvalidData)?;
            let text = |column| rows.text(column, row).map(str::to_owned);
            graphs.push(ReadGraph { number, name: text(1), file: text(2) });
        }
    }
    Ok(graphs)
}
