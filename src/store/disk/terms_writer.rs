//! Writes files of terms, and merges several files into one.

use std::io;

use super::medium::Medium;
use super::sections::{FileFacts, FileKind};
use super::sections_writer::SectionsWriter;
use super::terms::{NO_TEXT, PLACE_BITS, TermFile, TermTables, bucket, section};
use crate::store::dictionary::Kind;

/// How many bytes of text a block has at least, unless it is the last one. A single term needs its whole block
/// read, but larger blocks compress better.
const BLOCK_TEXT: usize = 32 << 10;

/// A text with at least this many bytes is a long one.
const LONG: usize = 200;

/// The quickest level: template code shrinks to an eighth at any.
const LEVEL: i32 = 1;

/// How many terms share a bucket, on average.
const TERMS_A_BUCKET: usize = 4;

/// How many classes of terms have separate blocks: IRIs, short texts, long texts.
const CLASSES: usize = 3;

fn class(kind: Kind, stored: &str) -> usize {
    match kind {
        Kind::Iri => 0,
        _ if stored.len() < LONG => 1,
        _ => 2,
    }
}

/// A file of terms that is being written, term by term. Texts are compressed and written as they come; four bytes
/// of each term stay in memory.
pub(super) struct TermsWriter {
    file: SectionsWriter,
    first: usize,
    compressor: zstd::bulk::Compressor<'static>,
    filling: [Block; CLASSES],
    tables: Tables,
}

impl TermsWriter {
    /// Begins a file of terms whose numbers begin with `first`.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn Medium, name: &str, first: usize) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
        debug_assert_eq!(section::FRAMES, 0);
        file.section()?;
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(Self { file, first, compressor, filling: Default::default(), tables: Tables::default() })
    }

    /// Tells how many terms there are.
    pub(super) fn count(&self) -> usize {
        self.tables.places.len()
    }

    /// Appends a term.
    ///
    /// # Errors
    ///
    /// Errors of the system, and more text than a file can hold.
    pub(super) fn push(&mut self, kind: Kind, stored: &str) -> io::Result<()> {
        if kind == Kind::BlankNode {
            self.tables.places.push(NO_TEXT);
            return Ok(());
        }
        let class = class(kind, stored);
        if self.filling[class].is_full() {
            self.end_block(class)?;
        }
        let block = &mut self.filling[class];
        if block.kinds.is_empty() {
            // A block gets its number when it is begun, and its place in the file when it is full.
            block.number = self.tables.blocks.len();
            self.tables.blocks.push([0; 2]);
        }
        let place = number(block.number)?.checked_mul(1 << PLACE_BITS).ok_or_else(too_many)?;
        self.tables.places.push(place | number(block.kinds.len())?);
        block.push(kind, stored)
    }

    fn end_block(&mut self, class: usize) -> io::Result<()> {
        let block = &mut self.filling[class];
        if block.kinds.is_empty() {
            return Ok(());
        }
        let number = block.number;
        let bytes = block.take()?;
        let frame = self.compressor.compress(&bytes)?;
        self.tables.blocks[number] = facts_of_block(self.tables.frames, frame.len(), bytes.len())?;
        self.tables.frames += frame.len() as u64;
        self.file.bytes(&frame)
    }

    /// Finishes the file. `slots` has the hash and the place in this file of each term with a text, in any order.
    pub(super) fn finish(mut self, slots: Vec<[u32; 2]>) -> io::Result<FileFacts> {
        (0..CLASSES).try_for_each(|class| self.end_block(class))?;
        self.tables.slots = slots;
        self.tables.write(&mut self.file, self.first)?;
        self.file.finish()
    }
}

/// Merges files with consecutive numbers into one. The texts are copied in their compressed form.
///
/// # Errors
///
/// Errors of the system, and a file that cannot be read.
pub(super) fn merge_terms(medium: &dyn Medium, name: &str, files: &[TermFile]) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
    file.section()?;
    for terms in files {
        let length = terms.sections().length(section::FRAMES);
        let frames = terms.sections().bytes(section::FRAMES, 0..length);
        file.bytes(frames.ok_or_else(|| io::Error::other("a file of terms is damaged"))?)?;
    }
    let mut merged = Tables::default();
    for terms in files {
        let TermTables { places, blocks, slots } = terms.tables();
        let terms_before = number(merged.places.len())?;
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

/// The tables behind the frames of a file.
#[derive(Default)]
struct Tables {
    places: Vec<u32>,
    /// For each block the start of its frame, and the lengths of the block and of the frame.
    blocks: Vec<[u64; 2]>,
    /// Hash and number of each term that has a text.
    slots: Vec<[u32; 2]>,
    /// How long all frames are.
    frames: u64,
}

impl Tables {
    fn write(mut self, file: &mut SectionsWriter, first: usize) -> io::Result<()> {
        let bits = (self.slots.len() / TERMS_A_BUCKET).max(2).ilog2().min(31);
        let facts = [first as u64, self.places.len() as u64, u64::from(bits)];
        file.whole_section(bytemuck::cast_slice(&facts))?;
        file.whole_section(bytemuck::cast_slice(&self.places))?;
        file.whole_section(bytemuck::cast_slice(&self.blocks))?;
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
struct Block {
    number: usize,
    ends: Vec<u8>,
    kinds: Vec<u8>,
    text: Vec<u8>,
}

impl Block {
    fn is_full(&self) -> bool {
        self.text.len() >= BLOCK_TEXT || self.kinds.len() >> PLACE_BITS > 0
    }

    fn push(&mut self, kind: Kind, stored: &str) -> io::Result<()> {
        self.text.extend_from_slice(stored.as_bytes());
        self.ends.extend_from_slice(&number(self.text.len())?.to_le_bytes());
        self.kinds.push(kind as u8);
        Ok(())
    }

    /// Takes the content of the block for compression; the next block begins empty.
    fn take(&mut self) -> io::Result<Vec<u8>> {
        let mut block = number(self.kinds.len())?.to_le_bytes().to_vec();
        block.append(&mut self.ends);
        block.append(&mut self.kinds);
        block.append(&mut self.text);
        Ok(block)
    }
}

fn facts_of_block(start: u64, frame: usize, block: usize) -> io::Result<[u64; 2]> {
    Ok([start, u64::from(number(frame)?) << 32 | u64::from(number(block)?)])
}

fn number(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(|_| io::Error::other("a text of 4 GiB or more cannot be stored"))
}

fn too_many() -> io::Error {
    io::Error::other("the texts of more than a million blocks cannot be stored in one file")
}
