//! A batch of rows as columns of values. It becomes a row group of Parquet or a record batch of Arrow.

use std::io;

use bytes::Bytes;
use chrono::NaiveDate;

use super::cells::ColumnCell;
use super::column_facts::ColumnType;
use super::columns::{ColumnTermPart, ResultsColumn};
use super::held_rows::{HeldRows, HeldValue};

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
    Text(SharedTexts),
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

/// Texts in blocks of bytes, which they share with other columns and batches.
#[derive(Debug, Default)]
pub struct SharedTexts {
    /// The blocks, in UTF-8.
    pub blocks: Vec<Bytes>,
    /// The place of each text.
    pub places: Vec<TextPlace>,
    /// Texts that are in no block. They become the last one.
    own: Vec<u8>,
    size: usize,
}

/// Where a text is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPlace {
    /// The number of its block.
    pub block: usize,
    /// Where it begins in the block.
    pub begin: usize,
    /// How long it is.
    pub length: usize,
}

impl SharedTexts {
    /// Adds a text of the last block.
    fn push_place(&mut self, begin: usize, length: usize) {
        let block = self.blocks.len().saturating_sub(1);
        self.places.push(TextPlace { block, begin, length });
        self.size += length;
    }

    /// Adds a copy of a text. A column has either copies or blocks.
    fn push_copy(&mut self, text: &str) {
        self.places.push(TextPlace { block: self.blocks.len(), begin: self.own.len(), length: text.len() });
        self.own.extend(text.as_bytes());
        self.size += text.len();
    }

    /// Returns each text as bytes that it shares with its block.
    pub fn into_texts(self) -> impl Iterator<Item = Bytes> {
        let mut blocks = self.blocks;
        blocks.push(self.own.into());
        self.places.into_iter().map(move |TextPlace { block, begin, length }| {
            blocks.get(block).map_or_else(Bytes::new, |block| block.slice(begin..begin + length))
        })
    }
}

/// The names of kinds, one after the other.
struct KindTexts {
    bytes: Bytes,
    /// Begin and length of each name.
    places: Vec<(usize, usize)>,
}

impl KindTexts {
    fn from_rows(held: &HeldRows) -> Self {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for kind in held.kinds() {
            let text = kind.text();
            places.push((bytes.len(), text.len()));
            bytes.extend(text.into_bytes());
        }
        Self { bytes: bytes.into(), places }
    }
}

impl BatchValues {
    fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Text(SharedTexts::default()),
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
            (Self::Text(texts), ColumnCell::Text(text)) => texts.push_copy(text),
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
        if let Self::Text(texts) = self { texts.size } else { 0 }
    }
}

fn days(date: NaiveDate) -> i32 {
    // Years in columns are limited to 1 to 9999, so this cannot overflow.
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).unwrap_or_default()
}

impl ColumnBatch {
    /// A batch without rows.
    pub(super) fn new(columns: impl Iterator<Item = ColumnType>) -> Self {
        let filled =
            |column_type| BatchColumn { is_bound: Vec::new(), values: BatchValues::new(column_type) };
        Self { rows: 0, columns: columns.map(filled).collect() }
    }

    /// A batch without rows, for columns whose texts are in a block.
    fn from_block(columns: &[ResultsColumn], kinds: &KindTexts, block: &Bytes) -> Self {
        let mut batch = Self::new(columns.iter().map(ResultsColumn::column_type));
        for (filled, column) in batch.columns.iter_mut().zip(columns) {
            if let (BatchValues::Text(texts), ColumnTermPart::Datatype) = (&mut filled.values, column.part) {
                texts.blocks.push(kinds.bytes.clone());
            }
        }
        batch.begin_block(columns, block);
        batch
    }

    /// The texts of the next rows are in a block.
    fn begin_block(&mut self, columns: &[ResultsColumn], block: &Bytes) {
        for (filled, column) in self.columns.iter_mut().zip(columns) {
            if let (BatchValues::Text(texts), ColumnTermPart::Value(_)) = (&mut filled.values, column.part) {
                texts.blocks.push(block.clone());
            }
        }
    }

    /// Adds a row with a cell for each column, whose texts are copied.
    pub(super) fn push<'c>(&mut self, cells: impl Iterator<Item = Option<ColumnCell<'c>>>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.is_bound.push(cell.is_some_and(|cell| column.values.push(&cell)));
        }
        self.rows += 1;
    }

    /// Adds a row of the last block.
    fn push_held(&mut self, columns: &[ResultsColumn], row: &[Option<HeldValue<'_>>], kinds: &KindTexts) {
        for (filled, column) in self.columns.iter_mut().zip(columns) {
            let Some(Some(held)) = row.get(column.variable) else {
                filled.is_bound.push(false);
                continue;
            };
            let is_bound = match (&mut filled.values, column.part) {
                (BatchValues::Text(texts), ColumnTermPart::Value(_)) => {
                    texts.push_place(held.begin as usize, held.text.len());
                    true
                }
                (BatchValues::Text(texts), ColumnTermPart::Datatype) => {
                    let place = kinds.places.get(held.kind.0 as usize);
                    place.inspect(|(begin, length)| texts.push_place(*begin, *length)).is_some()
                }
                (values, _) => {
                    let cell = ColumnCell::from_held_value(column, *held);
                    cell.is_some_and(|cell| values.push(&cell))
                }
            };
            filled.is_bound.push(is_bound);
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
        let kinds = KindTexts::from_rows(held);
        let mut open: Option<ColumnBatch> = None;
        held.visit_blocks(&mut |block| {
            if let Some(batch) = &mut open {
                batch.begin_block(columns, &block.texts);
            }
            block.visit(width, &mut |row| {
                let batch =
                    open.get_or_insert_with(|| ColumnBatch::from_block(columns, &kinds, &block.texts));
                batch.push_held(columns, row, &kinds);
                match open.take_if(|batch| batch.is_full()) {
                    Some(full) => visitor(full),
                    None => Ok(()),
                }
            })
        })?;
        open.map_or(Ok(()), visitor)
    }
}
