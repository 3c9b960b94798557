//! Reads some columns of a Parquet file, some rows at a time, so that memory does not grow with the file.

use std::fs::File;
use std::io;

use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

use super::parquet::failed;

/// How many rows are read at a time.
const ROWS: usize = 1 << 12;

/// Reads columns of a file.
pub(super) struct ColumnsReader {
    file: SerializedFileReader<File>,
    /// The positions of the columns in the file.
    columns: Vec<usize>,
    /// The row group that comes next.
    next: usize,
    /// How many rows of the current row group are left.
    left: usize,
    open: Vec<ColumnReader>,
}

/// Some rows of columns.
pub(super) struct ReadRows {
    pub(super) count: usize,
    columns: Vec<ReadColumn>,
}

/// The cells of a column.
enum ReadColumn {
    Integer(Vec<Option<i64>>),
    Text(Vec<Option<ByteArray>>),
}

impl ColumnsReader {
    /// Begins to read the columns with these names.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged or lacks a column.
    pub(super) fn new(file: File, names: &[&str]) -> io::Result<Self> {
        let file = SerializedFileReader::new(file).map_err(failed)?;
        let fields = file.metadata().file_metadata().schema().get_fields();
        let position = |name: &&str| fields.iter().position(|field| field.name() == *name);
        let columns = names.iter().map(position).collect::<Option<Vec<_>>>().ok_or_else(damaged)?;
        Ok(Self { file, columns, next: 0, left: 0, open: Vec::new() })
    }

    /// Returns the next rows, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged.
    pub(super) fn next_rows(&mut self) -> io::Result<Option<ReadRows>> {
        while self.left == 0 {
            if self.next == self.file.num_row_groups() {
                return Ok(None);
            }
            let group = self.file.get_row_group(self.next).map_err(failed)?;
            let rows = group.metadata().num_rows();
            let open = self.columns.iter().map(|column| group.get_column_reader(*column));
            self.open = open.collect::<Result<_, ParquetError>>().map_err(failed)?;
            self.left = usize::try_from(rows).map_err(|_| damaged())?;
            self.next += 1;
        }
        let count = self.left.min(ROWS);
        self.left -= count;
        let columns = self.open.iter_mut().map(|reader| ReadColumn::read(reader, count));
        Ok(Some(ReadRows { count, columns: columns.collect::<io::Result<_>>()? }))
    }
}

impl ReadColumn {
    fn read(reader: &mut ColumnReader, count: usize) -> io::Result<Self> {
        match reader {
            ColumnReader::Int64ColumnReader(reader) => cells::<Int64Type>(reader, count).map(Self::Integer),
            ColumnReader::ByteArrayColumnReader(reader) => {
                cells::<ByteArrayType>(reader, count).map(Self::Text)
            }
            _ => Err(damaged()),
        }
    }
}

/// Reads cells, which may be missing.
fn cells<T: DataType>(reader: &mut ColumnReaderImpl<T>, count: usize) -> io::Result<Vec<Option<T::T>>> {
    let (mut levels, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
    while levels.len() < count {
        let wanted = count - levels.len();
        let (read, ..) = reader.read_records(wanted, Some(&mut levels), None, &mut values).map_err(failed)?;
        if read == 0 {
            return Err(damaged());
        }
    }
    let mut values = values.into_iter();
    let cells: Vec<Option<T::T>> =
        levels.iter().map(|level| if *level > 0 { values.next() } else { None }).collect();
    Ok(cells)
}

impl ReadRows {
    /// The integer of a row in a column, by its position among the columns that are read.
    pub(super) fn integer(&self, column: usize, row: usize) -> Option<i64> {
        match self.columns.get(column)? {
            ReadColumn::Integer(cells) => *cells.get(row)?,
            ReadColumn::Text(_) => None,
        }
    }

    /// The text of a row in a column, by its position among the columns that are read.
    pub(super) fn text(&self, column: usize, row: usize) -> Option<&str> {
        match self.columns.get(column)? {
            ReadColumn::Text(cells) => cells.get(row)?.as_ref()?.as_utf8().ok(),
            ReadColumn::Integer(_) => None,
        }
    }
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
