//! Keeps all rows of a result, those beyond some megabytes compressed, because they are read twice: to find the types of the
//! columns, and to write them.

use std::collections::HashMap;
use std::io;

use bytes::Bytes;
use oxrdf::Term;

use super::column_facts::ColumnFacts;
use super::term_kind::{ColumnTermKind, KindNumber};

/// How many bytes of texts, or of cells, a block has.
const BLOCK: usize = 1 << 20;
/// How many bytes of blocks are kept as they are. Further blocks are compressed.
const PLAIN: usize = 64 << 20;
/// How many kinds are compared one by one.
const COMPARED: usize = 8;
/// The fastest compression level that makes texts small.
const LEVEL: i32 = 1;

/// The rows, in blocks.
#[derive(Debug, Default)]
pub(super) struct HeldRows {
    blocks: Vec<HeldBlock>,
    /// The rows after the last block.
    open: OpenRows,
    /// The bytes of the blocks that are not compressed.
    plain: usize,
    rows: u64,
    kinds: Vec<ColumnTermKind>,
    numbers: HashMap<ColumnTermKind, KindNumber>,
}

/// Some rows. Each value has its text, and a cell.
#[derive(Debug)]
pub(super) struct RowBlock {
    /// UTF-8, which columns can share.
    pub(super) texts: Bytes,
    cells: Vec<HeldCell>,
    rows: u64,
}

/// The rows of a block that is not full.
#[derive(Debug, Default)]
struct OpenRows {
    texts: String,
    cells: Vec<HeldCell>,
    rows: u64,
}

/// The number of a value's kind, from 1, and the length of its text. 0 means a missing value.
#[derive(Debug, Clone, Copy)]
struct HeldCell {
    kind: u32,
    length: u32,
}

#[derive(Debug)]
enum HeldBlock {
    Plain(RowBlock),
    Compressed(CompressedRows),
}

#[derive(Debug)]
struct CompressedRows {
    texts: Vec<u8>,
    texts_length: usize,
    cells: Vec<u8>,
    cells_length: usize,
    rows: u64,
}

impl OpenRows {
    fn take(&mut self) -> RowBlock {
        // The next block has about as many bytes.
        let texts = std::mem::replace(&mut self.texts, String::with_capacity(BLOCK + BLOCK / 8));
        let cells = std::mem::take(&mut self.cells);
        self.cells.reserve(cells.len());
        RowBlock { texts: texts.into(), cells, rows: std::mem::take(&mut self.rows) }
    }

    fn compressed(&self) -> io::Result<CompressedRows> {
        let cells: Vec<u8> =
            self.cells.iter().flat_map(|cell| [cell.kind, cell.length]).flat_map(u32::to_le_bytes).collect();
        Ok(CompressedRows {
            texts: zstd::bulk::compress(self.texts.as_bytes(), LEVEL)?,
            texts_length: self.texts.len(),
            cells: zstd::bulk::compress(&cells, LEVEL)?,
            cells_length: cells.len(),
            rows: self.rows,
        })
    }
}

impl RowBlock {
    /// Passes each row, in order, to a visitor.
    ///
    /// # Errors
    ///
    /// The error of the visitor, and an error if the block is damaged.
    pub(super) fn visit<E: From<io::Error>>(
        &self,
        width: usize,
        visitor: &mut impl FnMut(&[Option<HeldValue<'_>>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut row = Vec::with_capacity(width);
        let mut cells = self.cells.iter();
        let (mut rest, mut begin) = (str::from_utf8(&self.texts).map_err(|_| damaged())?, 0);
        for _ in 0..self.rows {
            row.clear();
            for cell in cells.by_ref().take(width) {
                let (text, after) = rest.split_at_checked(cell.length as usize).ok_or_else(damaged)?;
                rest = after;
                let value = |kind| HeldValue { kind: KindNumber(kind), text, begin };
                row.push(cell.kind.checked_sub(1).map(value));
                begin += cell.length;
            }
            visitor(&row)?;
        }
        Ok(())
    }
}

impl CompressedRows {
    fn block(&self) -> io::Result<RowBlock> {
        let texts = zstd::bulk::decompress(&self.texts, self.texts_length)?;
        let cells = zstd::bulk::decompress(&self.cells, self.cells_length)?;
        let (cells, _) = cells.as_chunks::<8>();
        let cell = |[a, b, c, d, e, f, g, h]: &[u8; 8]| HeldCell {
            kind: u32::from_le_bytes([*a, *b, *c, *d]),
            length: u32::from_le_bytes([*e, *f, *g, *h]),
        };
        Ok(RowBlock { texts: texts.into(), cells: cells.iter().map(cell).collect(), rows: self.rows })
    }
}

fn damaged() -> io::Error {
    io::Error::other("a held row is damaged")
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldValue<'h> {
    pub(super) kind: KindNumber,
    pub(super) text: &'h str,
    /// Where the text begins among those of its block.
    pub(super) begin: u32,
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
                self.open.cells.push(HeldCell { kind: 0, length: 0 });
                continue;
            };
            let text = match term {
                Term::NamedNode(node) => node.as_str(),
                Term::BlankNode(node) => node.as_str(),
                Term::Literal(literal) => literal.value(),
            };
            let number = self.number(term)?;
            if let Some(kind) = self.kinds.get(number.0 as usize) {
                facts.add(number, kind, text);
            }
            self.open.texts.push_str(text);
            let end = u32::try_from(self.open.texts.len());
            end.map_err(|_| io::Error::other("the texts of a row have more than 4 GiB"))?;
            let length = u32::try_from(text.len()).unwrap_or_default();
            self.open.cells.push(HeldCell { kind: number.0 + 1, length });
        }
        self.rows += 1;
        self.open.rows += 1;
        let is_full =
            self.open.texts.len() >= BLOCK || self.open.cells.len() >= BLOCK / size_of::<HeldCell>();
        if is_full { self.finish() } else { Ok(()) }
    }

    fn number(&mut self, term: &Term) -> io::Result<KindNumber> {
        // Most answers have few kinds, which are compared faster than they are hashed.
        let known = (0..).zip(self.kinds.iter().take(COMPARED)).find(|(_, kind)| kind.is_of(term));
        if let Some((number, _)) = known {
            return Ok(KindNumber(number));
        }
        let kind = ColumnTermKind::from_term(term);
        if let Some(&number) = self.numbers.get(&kind) {
            return Ok(number);
        }
        let number = u32::try_from(self.kinds.len()).ok().filter(|number| *number < u32::MAX);
        let number = KindNumber(number.ok_or_else(|| io::Error::other("the answer has too many datatypes"))?);
        self.kinds.push(kind.clone());
        self.numbers.insert(kind, number);
        Ok(number)
    }

    /// Ends the last block.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be compressed.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.open.rows > 0 {
            self.blocks.push(if self.plain < PLAIN {
                self.plain += self.open.texts.len() + size_of_val(self.open.cells.as_slice());
                HeldBlock::Plain(self.open.take())
            } else {
                let compressed = self.open.compressed()?;
                // The memory of the block is used again.
                self.open.texts.clear();
                self.open.cells.clear();
                self.open.rows = 0;
                HeldBlock::Compressed(compressed)
            });
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
        self.visit_blocks(&mut |block| block.visit(width, &mut visitor))
    }

    /// Passes each block to a visitor.
    ///
    /// # Errors
    ///
    /// The error of the visitor, and an error if a block is damaged.
    pub(super) fn visit_blocks<E: From<io::Error>>(
        &self,
        visitor: &mut impl FnMut(&RowBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks.iter().try_for_each(|block| block.visit(visitor))
    }

    /// The kinds, in the order of their numbers.
    pub(super) fn kinds(&self) -> &[ColumnTermKind] {
        &self.kinds
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
        self.blocks.get(number).map_or(Ok(()), |block| block.visit(&mut |block| block.visit(width, visitor)))
    }

    /// The numbers of rows of the blocks.
    pub(super) fn block_sizes(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().map(HeldBlock::rows)
    }
}

impl HeldBlock {
    fn rows(&self) -> u64 {
        match self {
            Self::Plain(block) => block.rows,
            Self::Compressed(compressed) => compressed.rows,
        }
    }

    fn visit<E: From<io::Error>>(
        &self,
        visitor: &mut impl FnMut(&RowBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Plain(block) => visitor(block),
            Self::Compressed(compressed) => visitor(&compressed.block()?),
        }
    }
}
