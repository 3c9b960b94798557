//! A batch of rows as columns of values. It becomes a row group of Parquet or a record batch of Arrow.

use std::io;

use chrono::NaiveDate;

use super::cells::ColumnCell;
use super::column_facts::ColumnType;
use super::columns::ResultsColumn;
use super::held_rows::HeldRows;

/// The maximum number of rows of a batch.
const ROWS: usize = 1 << 17;
/// A batch ends once it has this many bytes of text.
const BYTES: usize = 64 << 20;

/// A batch of rows.
#[derive(Debug)]
pub struct ColumnBatch {
    /// The number of rows.
    pub rows: usize,
    /// In the order of the table's columns.
    pub columns: Vec<BatchColumn>,
}

/// One column of a batch.
#[derive(Debug)]
pub struct BatchColumn {
    /// `true` for each row that has a value.
    pub is_bound: Vec<bool>,
    /// The values of the rows that have one.
    pub values: BatchValues,
}

/// The values of a column, without gaps.
#[derive(Debug)]
pub enum BatchValues {
    /// Texts, and the datatypes of other columns.
    Text(PackedTexts),
    /// Booleans.
    Boolean(Vec<bool>),
    /// Integers of 64 bits.
    Integer(Vec<i64>),
    /// Decimals, in units of their last digit.
    Decimal(Vec<i128>),
    /// Floating-point numbers of 32 bits.
    Float(Vec<f32>),
    /// Floating-point numbers of 64 bits.
    Double(Vec<f64>),
    /// Days since the beginning of 1970.
    Date(Vec<i32>),
    /// Microseconds since the beginning of 1970.
    Timestamp(Vec<i64>),
}

/// Texts, stored one after the other.
#[derive(Debug, Default)]
pub struct PackedTexts {
    /// The texts in UTF-8.
    pub bytes: Vec<u8>,
    /// The end of each text.
    pub ends: Vec<usize>,
}

impl PackedTexts {
    fn push(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.ends.push(self.bytes.len());
    }
}

impl BatchValues {
    fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Text(PackedTexts::default()),
            ColumnType::Boolean => Self::Boolean(Vec::new()),
            ColumnType::Integer => Self::Integer(Vec::new()),
            ColumnType::Decimal { .. } => Self::Decimal(Vec::new()),
            ColumnType::Float => Self::Float(Vec::new()),
            ColumnType::Double => Self::Double(Vec::new()),
            ColumnType::Date => Self::Date(Vec::new()),
            ColumnType::Timestamp { .. } => Self::Timestamp(Vec::new()),
        }
    }

    /// Adds a value if it has the column's type. Returns whether it does.
    fn push(&mut self, cell: &ColumnCell<'_>) -> bool {
        match (self, cell) {
            (Self::Text(texts), ColumnCell::Text(text)) => texts.push(text),
            (Self::Text(texts), ColumnCell::Datatype(text)) => texts.push(text),
            (Self::Boolean(values), ColumnCell::Boolean(value)) => values.push(*value),
            (Self::Integer(values), ColumnCell::Integer(value)) => values.push(*value),
            (Self::Decimal(values), ColumnCell::Decimal(value)) => values.push(*value),
            (Self::Float(values), ColumnCell::Float(value)) => values.push(*value),
            (Self::Double(values), ColumnCell::Double(value)) => values.push(*value),
            (Self::Date(values), ColumnCell::Date(value)) => values.push(days(*value)),
            (Self::Timestamp(values), ColumnCell::Timestamp(value)) => values.push(value.microseconds()),
            _ => return false,
        }
        true
    }

    fn text_bytes(&self) -> usize {
        if let Self::Text(texts) = self { texts.bytes.len() } else { 0 }
    }
}

fn days(date: NaiveDate) -> i32 {
    // Years in columns are limited to 1 to 9999, so this cannot overflow.
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).unwrap_or_default()
}

impl ColumnBatch {
    pub(super) fn new(columns: impl Iterator<Item = ColumnType>) -> Self {
        let filled =
            |column_type| BatchColumn { is_bound: Vec::new(), values: BatchValues::new(column_type) };
        Self { rows: 0, columns: columns.map(filled).collect() }
    }

    /// Adds a row with a cell for each column.
    pub(super) fn push<'c>(&mut self, cells: impl Iterator<Item = Option<ColumnCell<'c>>>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.is_bound.push(cell.is_some_and(|cell| column.values.push(&cell)));
        }
        self.rows += 1;
    }

    /// Returns whether the batch is large enough to be written.
    pub(super) fn is_full(&self) -> bool {
        let bytes: usize = self.columns.iter().map(|filled| filled.values.text_bytes()).sum();
        self.rows >= ROWS || bytes >= BYTES
    }
}

/// Passes the rows to a visitor in batches. The visitor of an empty table is not called.
pub(super) fn batches<'h>(
    columns: &'h [ResultsColumn],
    held: &'h HeldRows,
) -> impl FnOnce(&mut dyn FnMut(ColumnBatch) -> io::Result<()>) -> io::Result<()> + 'h {
    move |visitor| {
        let width = columns.last().map_or(0, |column| column.variable + 1);
        let empty = || ColumnBatch::new(columns.iter().map(ResultsColumn::column_type));
        let mut batch = empty();
        held.visit(width, |row| {
            batch.push(columns.iter().map(|column| {
                let value = row.get(column.variable).copied().flatten()?;
                ColumnCell::from_held_value(column, value, held)
            }));
            if batch.is_full() { visitor(std::mem::replace(&mut batch, empty())) } else { Ok(()) }
        })?;
        if batch.rows > 0 { visitor(batch) } else { Ok(()) }
    }
}
