//! Writes files of terms, and merges several files into one.

use std::collections::{BTreeMap, HashMap};
use std::io;

use foldhash::fast::RandomState;

use super::medium::StoreMedium;
use super::sections::{FileFacts, StoreFileKind};
use super::sections_writer::SectionsWriter;
use super::stored_terms::{KIND_SHIFT, NO_TEXT, PLACE_BITS, TermFile, TermTables, bucket, section};
use crate::dictionary::RdfTermKind;

/// How many bytes of text a block has at least, unless it is the last one. Reading one term means reading its whole
/// block, but larger blocks compress better.
const BLOCK_TEXT: usize = 32 << 10;

/// A text with at least this many bytes is a long one.
const LONG: usize = 200;

/// The quickest level: template code shrinks to an eighth at any level.
const LEVEL: i32 = 1;

/// How many terms share a bucket, on average.
const TERMS_A_BUCKET: usize = 4;

/// How many groups of terms have separate blocks; the terms of further groups share the blocks of their kind.
const MOST_GROUPS: usize = 128;

/// The terms that share blocks, since queries read them together: their kind, `true` if they are long, and the hash of
/// the property whose values they first were, or 0 if it is not known.
type TermGroupKey = (RdfTermKind, bool, u32);

/// A file of terms that is being written, term by term. Texts are compressed and written as they arrive; four bytes of
/// each term stay in memory.
pub(super) struct TermsWriter {
    file: SectionsWriter,
    first: usize,
    compressor: zstd::bulk::Compressor<'static>,
    filling: HashMap<TermGroupKey, TermBlockBuilder, RandomState>,
    /// A block without terms, whose buffer the next one reuses.
    empty: TermBlockBuilder,
    tables: TermFrameTables,
}

impl TermsWriter {
    /// Begins a file of terms whose numbers begin with `first`.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str, first: usize) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, StoreFileKind::Terms)?;
        debug_assert_eq!(section::FRAMES, 0);
        file.section()?;
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        let (filling, empty) = (HashMap::default(), TermBlockBuilder::default());
        Ok(Self { file, first, compressor, filling, empty, tables: TermFrameTables::default() })
    }

    /// Returns how many terms there are.
    pub(super) fn count(&self) -> usize {
        self.tables.places.len()
    }

    /// Appends a term, with the hash of a property that has it as a value.
    ///
    /// # Errors
    ///
    /// Errors of the system, and more text than a file can hold.
    pub(super) fn push(&mut self, kind: RdfTermKind, stored: &str, property: u32) -> io::Result<()> {
        let term = number(self.count())?;
        self.tables.places.push(NO_TEXT);
        if kind == RdfTermKind::BlankNode {
            return Ok(());
        }
        let is_long = kind != RdfTermKind::Iri && stored.len() >= LONG;
        let mut group = (kind, is_long, property);
        // Each group has a block in memory, so their number is limited.
        if self.filling.len() >= MOST_GROUPS && !self.filling.contains_key(&group) {
            group.2 = 0;
        }
        let block = self.filling.entry(group).or_default();
        let full = block.is_full().then(|| std::mem::replace(block, std::mem::take(&mut self.empty)));
        block.push(term, kind, stored)?;
        if let Some(mut full) = full {
            self.end_block(&full)?;
            full.clear();
            self.empty = full;
        }
        Ok(())
    }

    fn end_block(&mut self, block: &TermBlockBuilder) -> io::Result<()> {
        if block.terms.is_empty() {
            return Ok(());
        }
        let place = number(self.tables.blocks.len())?.checked_mul(1 << PLACE_BITS).ok_or_else(too_many)?;
        for (place, term) in (place..).zip(&block.terms) {
            self.tables.places[*term as usize] = place;
        }
        let bytes = block.bytes()?;
        let frame = self.compressor.compress(&bytes)?;
        let facts = facts_of_block(self.tables.frames, block.only_kind(), frame.len(), bytes.len())?;
        self.tables.blocks.push(facts);
        self.tables.frames += frame.len() as u64;
        self.file.bytes(&frame)
    }

    /// Writes the blocks that are not full. Blocks with little text are joined into one for IRIs, one for short and one
    /// for long texts.
    fn end_blocks(&mut self) -> io::Result<()> {
        let class = |group: TermGroupKey| (group.0 != RdfTermKind::Iri, group.1);
        let mut rest: BTreeMap<(bool, bool), TermBlockBuilder> = BTreeMap::new();
        // The order of a hash table is random. Sorted, equal terms make equal files.
        let filling: BTreeMap<TermGroupKey, TermBlockBuilder> = self.filling.drain().collect();
        for (group, block) in filling {
            if block.text.len() >= BLOCK_TEXT / 2 {
                self.end_block(&block)?;
                continue;
            }
            let together = rest.entry(class(group)).or_default();
            if !together.has_room_for(&block) {
                let full = std::mem::take(together);
                self.end_block(&full)?;
            }
            rest.entry(class(group)).or_default().append(block)?;
        }
        rest.values().try_for_each(|block| self.end_block(block))
    }

    /// Finishes the file. `slots` has the hash and the place in this file of each term with a text, in any order.
    pub(super) fn finish(mut self, slots: Vec<[u32; 2]>) -> io::Result<FileFacts> {
        self.end_blocks()?;
        self.tables.slots = slots;
        self.tables.write(&mut self.file, self.first)?;
        self.file.finish()
    }
}

/// Merges files with consecutive numbers into one. The texts are copied in compressed form.
///
/// # Errors
///
/// Errors of the system, and a file that cannot be read.
pub(super) fn merge_terms(medium: &dyn StoreMedium, name: &str, files: &[TermFile]) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, StoreFileKind::Terms)?;
    file.section()?;
    for terms in files {
        let length = terms.sections().length(section::FRAMES);
        let frames = terms.sections().bytes(section::FRAMES, 0..length);
        file.bytes(frames.ok_or_else(|| io::Error::other("a file of terms is damaged"))?)?;
    }
    let mut merged = TermFrameTables::default();
    for terms in files {
        let TermTables { places, blocks, slots } = terms.tables();
        let terms_before = number(merged.places.len())?;
        // The upper bits of a place are the number of its block, so this moves it behind the blocks of earlier files.
        let shift = number(merged.blocks.len())?.checked_mul(1 << PLACE_BITS).ok_or_else(too_many)?;
        for place in places {
            let shifted = if *place == NO_TEXT { Some(NO_TEXT) } else { place.checked_add(shift) };
            merged.places.push(shifted.ok_or_else(too_many)?);
        }
        let frames = merged.frames;
        merged.blocks.extend(blocks.iter().map(|[start, lengths]| [frames + start, *lengths]));
        merged.frames += terms.sections().length(section::FRAMES) as u64;
        merged.slots.extend(slots.iter().map(|[hash, term]| [*hash, terms_before + term]));
    }
    merged.write(&mut file, files.first().map_or(1, TermFile::first))?;
    file.finish()
}

/// The tables that follow the frames of a file.
#[derive(Default)]
struct TermFrameTables {
    places: Vec<u32>,
    /// For each block the start of its frame together with the kind of its terms, and the lengths of the block and of
    /// the frame.
    blocks: Vec<[u64; 2]>,
    /// Hash and number of each term that has a text.
    slots: Vec<[u32; 2]>,
    /// How long all frames are.
    frames: u64,
}

impl TermFrameTables {
    fn write(mut self, file: &mut SectionsWriter, first: usize) -> io::Result<()> {
        let bits = (self.slots.len() / TERMS_A_BUCKET).max(2).ilog2().min(31);
        let facts = [first as u64, self.places.len() as u64, u64::from(bits)];
        file.whole_section(bytemuck::cast_slice(&facts))?;
        file.whole_section(bytemuck::cast_slice(&self.places))?;
        file.whole_section(bytemuck::cast_slice(&self.blocks))?;
        // The highest bits of a hash choose the bucket, so sorted slots are grouped by bucket.
        self.slots.sort_unstable();
        let mut buckets = vec![0_u32; (1 << bits) + 1];
        for [hash, _] in &self.slots {
            buckets[bucket(*hash, bits) + 1] += 1;
        }
        let mut total = 0;
        for start in &mut buckets {
            total += *start;
            *start = total;
        }
        file.whole_section(bytemuck::cast_slice(&buckets))?;
        file.whole_section(bytemuck::cast_slice(&self.slots))
    }
}

/// A block that is being filled.
#[derive(Default)]
struct TermBlockBuilder {
    /// The terms, counted from 0.
    terms: Vec<u32>,
    ends: Vec<u32>,
    kinds: Vec<u8>,
    text: Vec<u8>,
}

impl TermBlockBuilder {
    fn is_full(&self) -> bool {
        self.text.len() >= BLOCK_TEXT || self.kinds.len() >> PLACE_BITS > 0
    }

    fn push(&mut self, term: u32, kind: RdfTermKind, stored: &str) -> io::Result<()> {
        self.text.extend_from_slice(stored.as_bytes());
        self.terms.push(term);
        self.ends.push(number(self.text.len())?);
        self.kinds.push(kind as u8);
        Ok(())
    }

    fn has_room_for(&self, other: &Self) -> bool {
        self.text.len() + other.text.len() <= BLOCK_TEXT
            && self.terms.len() + other.terms.len() <= 1 << PLACE_BITS
    }

    fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
        self.kinds.clear();
        self.text.clear();
    }

    /// Appends the terms of another block.
    fn append(&mut self, mut other: Self) -> io::Result<()> {
        let before = number(self.text.len())?;
        self.text.append(&mut other.text);
        self.terms.append(&mut other.terms);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.kinds.append(&mut other.kinds);
        Ok(())
    }

    /// The kind of all terms, if they all have the same kind.
    fn only_kind(&self) -> Option<u8> {
        let first = self.kinds.first()?;
        self.kinds.iter().all(|kind| kind == first).then_some(*first)
    }

    /// The content of the block, for compression.
    fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = number(self.terms.len())?.to_le_bytes().to_vec();
        bytes.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        if self.only_kind().is_none() {
            bytes.extend_from_slice(&self.kinds);
        }
        bytes.extend_from_slice(&self.text);
        Ok(bytes)
    }
}

fn facts_of_block(start: u64, kind: Option<u8>, frame: usize, block: usize) -> io::Result<[u64; 2]> {
    // No file has 2^56 bytes.
    let kind = kind.map_or(0, |kind| u64::from(kind) + 1);
    Ok([kind << KIND_SHIFT | start, u64::from(number(frame)?) << 32 | u64::from(number(block)?)])
}

fn number(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(|_| io::Error::other("a text of 4 GiB or more cannot be stored"))
}

fn too_many() -> io::Error {
    io::Error::other("the texts of more than a million blocks cannot be stored in one file")
}
