//! Keeps all rows of a result, compressed, because they are read twice: to find the types of the columns, and to write
//! them.

use std::collections::HashMap;
use std::io;

use oxrdf::Term;

use super::column_facts::ColumnFacts;
use super::term_kind::{ColumnTermKind, KindNumber};

/// How many bytes of rows are compressed together.
const BLOCK: usize = 1 << 20;
/// The fastest compression level that makes texts small.
const LEVEL: i32 = 1;

/// The rows. Each value is stored as the number of its kind, or a mark for no value, and its text.
#[derive(Debug, Default)]
pub(super) struct HeldRows {
    blocks: Vec<CompressedRows>,
    /// Rows that are not compressed yet.
    open: Vec<u8>,
    open_rows: u64,
    rows: u64,
    kinds: Vec<ColumnTermKind>,
    numbers: HashMap<ColumnTermKind, KindNumber>,
}

#[derive(Debug)]
struct CompressedRows {
    bytes: Vec<u8>,
    length: usize,
    rows: u64,
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldValue<'h> {
    pub(super) kind: KindNumber,
    pub(super) text: &'h str,
}

impl HeldRows {
    /// Adds a row, and updates the facts about each column.
    ///
    /// # Errors
    ///
    /// Fails if the row cannot be compressed.
    pub(super) fn add(&mut self, values: &[Option<Term>], facts: &mut [ColumnFacts]) -> io::Result<()> {
        for (value, facts) in values.iter().zip(facts) {
            let Some(term) = value else {
                self.open.extend(0_u32.to_le_bytes());
                continue;
            };
            let text = match term {
                Term::NamedNode(node) => node.as_str(),
                Term::BlankNode(node) => node.as_str(),
                Term::Literal(literal) => literal.value(),
            };
            // The values of a column mostly have one kind.
            let known = facts.kind().filter(|number| self.kind(*number).is_some_and(|kind| kind.is_of(term)));
            let number = match known {
                Some(number) => number,
                None => self.number(ColumnTermKind::from_term(term))?,
            };
            if let Some(kind) = self.kinds.get(number.0 as usize) {
                facts.add(number, kind, text);
            }
            self.open.extend((number.0 + 1).to_le_bytes());
            self.open.extend((text.len() as u64).to_le_bytes());
            self.open.extend(text.as_bytes());
        }
        self.rows += 1;
        self.open_rows += 1;
        if self.open.len() >= BLOCK { self.finish() } else { Ok(()) }
    }

    fn number(&mut self, kind: ColumnTermKind) -> io::Result<KindNumber> {
        if let Some(&number) = self.numbers.get(&kind) {
            return Ok(number);
        }
        let number = u32::try_from(self.kinds.len()).ok().filter(|number| *number < u32::MAX);
        let number = KindNumber(number.ok_or_else(|| io::Error::other("the answer has too many datatypes"))?);
        self.kinds.push(kind.clone());
        self.numbers.insert(kind, number);
        Ok(number)
    }

    /// Compresses the last rows.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be compressed.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.open_rows > 0 {
            let bytes = zstd::bulk::compress(&self.open, LEVEL)?;
            self.blocks.push(CompressedRows { bytes, length: self.open.len(), rows: self.open_rows });
            self.open.clear();
            self.open_rows = 0;
        }
        Ok(())
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The kind with a number.
    pub(super) fn kind(&self, number: KindNumber) -> Option<&ColumnTermKind> {
        self.kinds.get(number.0 as usize)
    }

    /// Passes each row, in order, to a visitor.
    ///
    /// # Errors
    ///
    /// The error of the visitor.
    pub(super) fn visit<E: From<io::Error>>(
        &self,
        width: usize,
        mut visitor: impl FnMut(&[Option<HeldValue<'_>>]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks.iter().try_for_each(|block| self.visit_block(block, width, &mut visitor))
    }

    /// Passes each row of one block, in order, to a visitor, which is not called beyond the last block.
    ///
    /// # Errors
    ///
    /// The error of the visitor.
    pub(super) fn visit_one<E: From<io::Error>>(
        &self,
        number: usize,
        width: usize,
        visitor: &mut impl FnMut(&[Option<HeldValue<'_>>]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks.get(number).map_or(Ok(()), |block| self.visit_block(block, width, visitor))
    }

    /// The numbers of rows of the blocks.
    pub(super) fn block_sizes(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().map(|block| block.rows)
    }

    fn visit_block<E: From<io::Error>>(
        &self,
        block: &CompressedRows,
        width: usize,
        visitor: &mut impl FnMut(&[Option<HeldValue<'_>>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let bytes = zstd::bulk::decompress(&block.bytes, block.length)?;
        let mut rest = bytes.as_slice();
        let mut row = Vec::with_capacity(width);
        for _ in 0..block.rows {
            row.clear();
            for _ in 0..width {
                row.push(next_value(&mut rest).ok_or_else(|| io::Error::other("a held row is damaged"))?);
            }
            visitor(&row)?;
        }
        Ok(())
    }
}

/// Reads the next value, if the bytes contain a complete one. It may be unbound.
fn next_value<'h>(rest: &mut &'h [u8]) -> Option<Option<HeldValue<'h>>> {
    let (number, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    let Some(number) = u32::from_le_bytes(*number).checked_sub(1) else { return Some(None) };
    let (length, after) = rest.split_first_chunk::<8>()?;
    let (text, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    *rest = after;
    Some(Some(HeldValue { kind: KindNumber(number), text: std::str::from_utf8(text).ok()? }))
}
