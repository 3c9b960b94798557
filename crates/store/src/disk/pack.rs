//! The graphs of many small documents in one file.
//!
//! | section | content |
//! |---|---|
//! | 0 | of each graph, for each order, by subject, predicate and object: the pairs, the keys that are found by search, the starts of their runs, the starts of the runs of all later keys; each at a multiple of 8 |
//! | 1 | for each graph a row of sixteen numbers of 4 bytes: the term that names it; 1 for a document's default graph, plus 2 for a graph that only queries naming it see; the number of triples; the lower and the upper half of its place in section 0; for three orders the first key of the array of starts, then the numbers of keys that are found by search, then the lengths of the arrays; two times 0 |
//!
//! A graph is built from its row on first use.

use std::io;
use std::sync::Arc;

use super::damage::{StoreDamage, damaged};
use super::medium::StoreMedium;
use super::pack_row::{PackRow, columns};
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::sections_writer::SectionsWriter;
use super::store_location::PartOfFile;
use crate::column::ImmutableColumn;
use crate::dictionary::TermId;
use crate::graph_index::ORDERS;
use crate::lazy_graph::LazyGraph;
use crate::part::GraphPart;
use evalgraph_diagnostics::Diagnostic;

const IS_DEFAULT: u32 = 1;
const BY_NAME_ONLY: u32 = 2;

/// A file of graphs that is being written.
pub(super) struct PackWriter {
    file: SectionsWriter,
    rows: Vec<PackRow>,
}

impl PackWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, StoreFileKind::Pack)?;
        file.section()?;
        Ok(Self { file, rows: Vec::new() })
    }

    /// Returns how many bytes there are so far.
    pub(super) fn bytes(&self) -> u64 {
        self.file.section_length() + (size_of::<PackRow>() * self.rows.len()) as u64
    }

    /// Writes the graphs of a document, and returns their part of the file.
    pub(super) fn document<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p GraphPart>,
    ) -> io::Result<PartOfFile> {
        let (first, before) = (self.rows.len() as u64, self.bytes());
        for part in parts {
            self.part(part)?;
        }
        Ok(PartOfFile { first, count: self.rows.len() as u64 - first, bytes: self.bytes() - before })
    }

    fn part(&mut self, part: &GraphPart) -> io::Result<()> {
        let graph = part.graph.get();
        let number = |number: usize| u32::try_from(number).map_err(io::Error::other);
        let start = self.file.section_length().to_le_bytes();
        let [a, b, c, d, e, f, g, h] = start;
        let mut row: PackRow = [0; 16];
        row[0] = number(part.name.index())?;
        row[1] = u32::from(part.is_default) * IS_DEFAULT + u32::from(part.by_name_only) * BY_NAME_ONLY;
        row[2] = number(graph.len())?;
        (row[3], row[4]) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        for (order, permutation) in graph.permutations().into_iter().enumerate() {
            row[5 + order] = number(permutation.first_dense)?;
            row[8 + order] = number(permutation.early_keys.len())?;
            row[11 + order] = number(permutation.dense_starts.len())?;
            self.file.aligned(bytemuck::cast_slice(permutation.pairs.all()))?;
            self.file.aligned(bytemuck::cast_slice(permutation.early_keys.all()))?;
            self.file.aligned(bytemuck::cast_slice(permutation.early_starts.all()))?;
            self.file.aligned(bytemuck::cast_slice(permutation.dense_starts.all()))?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<FileFacts> {
        self.file.whole_section(bytemuck::cast_slice(&self.rows))?;
        self.file.finish()
    }
}

/// A file of graphs that is open.
#[derive(Debug)]
pub(super) struct GraphPack {
    file: Arc<SectionedFile>,
    rows: ImmutableColumn<PackRow>,
    /// The fault to report for this file.
    wrong: Box<Diagnostic>,
}

impl GraphPack {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, or belongs to another store.
    pub(super) fn open(
        medium: &dyn StoreMedium,
        facts: &FileFacts,
        damage: &StoreDamage,
    ) -> Result<Self, Box<Diagnostic>> {
        let file = Arc::new(SectionedFile::open(medium, facts, StoreFileKind::Pack, damage)?);
        let rows = ImmutableColumn::stored(&file, 1);
        let wrong = damaged(medium.folder(), &facts.name, "its graphs are not what was written");
        Ok(Self { file, rows, wrong: Box::new(wrong) })
    }

    /// The graphs of a document.
    ///
    /// # Errors
    ///
    /// A file without these graphs.
    pub(super) fn parts(&self, part: PartOfFile) -> Result<impl Iterator<Item = GraphPart>, Box<Diagnostic>> {
        let wrong = || self.wrong.clone();
        let first = usize::try_from(part.first).map_err(|_| wrong())?;
        let count = usize::try_from(part.count).map_err(|_| wrong())?;
        let end = first.checked_add(count).filter(|end| *end <= self.rows.len()).ok_or_else(wrong)?;
        let rows = self.rows.slice(first..end);
        if rows.len() != count || !rows.iter().all(|row| self.is_sound(row)) {
            return Err(wrong());
        }
        Ok(rows.iter().map(|row| GraphPart {
            name: TermId::from_number(row[0]),
            is_default: row[1] & IS_DEFAULT != 0,
            by_name_only: row[1] & BY_NAME_ONLY != 0,
            graph: LazyGraph::of_file(&self.file, *row),
        }))
    }

    /// Returns whether a graph lies within the file.
    fn is_sound(&self, row: &PackRow) -> bool {
        let end = columns(row).last().map_or(0, |column| column.end);
        let is_within = |order: usize| row[5 + order].checked_add(row[11 + order]).is_some();
        end <= self.file.length(0) && (0..ORDERS).all(is_within)
    }

    /// How many blocks of the file are damaged.
    pub(super) fn damaged_blocks(&self) -> usize {
        self.file.damaged_blocks()
    }
}
