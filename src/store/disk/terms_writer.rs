//! Writes files of terms, and makes one file of several.

use std::io;

use super::medium::Medium;
use super::sections::{FileFacts, FileKind};
use super::sections_writer::SectionsWriter;
use super::terms::{NO_TEXT, PLACE_BITS, TermFile, TermTables, bucket, hash, section};
use crate::store::dictionary::Kind;

/// How much text a block has at least, unless it is the last one. What a single term needs is read
/// whole; what is together compresses better.
const BLOCK_TEXT: usize = 32 << 10;

/// From this many bytes on a text is a long one.
const LONG: usize = 200;

/// The quickest level: template code shrinks to an eighth at any.
const LEVEL: i32 = 1;

/// How many terms share a bucket, on average.
const TERMS_A_BUCKET: usize = 4;

/// Terms that have blocks of their own: IRIs, short texts, long texts.
const CLASSES: usize = 3;

fn class(kind: Kind, stored: &str) -> usize {
    match kind {
        Kind::Iri => 0,
        _ if stored.len() < LONG => 1,
        _ => 2,
    }
}

/// Writes terms whose numbers begin with `first`.
///
/// # Errors
///
/// What the system says, and a block of 4 GiB or more.
pub(super) fn write_terms<'t>(
    medium: &dyn Medium,
    name: &str,
    (first, seed): (usize, u64),
    terms: impl Iterator<Item = (Kind, &'t str)>,
) -> io::Result<FileFacts> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    let mut classes: [Blocks; CLASSES] = Default::default();
    // Of each term its class and its place among the blocks of that.
    let mut places: Vec<(u8, u32)> = Vec::new();
    let mut slots = Vec::new();
    for (kind, stored) in terms {
        if kind == Kind::BlankNode {
            places.push((0, NO_TEXT));
            continue;
        }
        slots.push([hash(seed, kind, stored), number(places.len())?]);
        let class = class(kind, stored);
        let place = classes[class].add((kind, stored), &mut compressor)?;
        #[expect(clippy::cast_possible_truncation, reason = "there are three classes")]
        places.push((class as u8, place));
    }
    let mut tables = Tables { places: Vec::with_capacity(places.len()), slots, ..Tables::default() };
    let mut before = [0; CLASSES];
    for (class, blocks) in classes.iter_mut().enumerate() {
        blocks.end(&mut compressor)?;
        before[class] = number(tables.lengths.len())?;
        tables.add_blocks(&blocks.lengths, blocks.frame_ends.iter().copied());
    }
    for (class, place) in places {
        let shifted = || place.checked_add(before[usize::from(class)].checked_mul(1 << PLACE_BITS)?);
        let place = if place == NO_TEXT { Some(NO_TEXT) } else { shifted() };
        tables.places.push(place.ok_or_else(too_many)?);
    }
    let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
    tables
        .write(&mut file, first, |file| classes.iter().try_for_each(|blocks| file.bytes(&blocks.frames)))?;
    file.finish()
}

/// Writes one file with the terms of several, whose numbers follow each other. Texts stay compressed
/// as they are.
///
/// # Errors
///
/// What the system says, and a file that cannot be read.
pub(super) fn merge_terms(medium: &dyn Medium, name: &str, files: &[TermFile]) -> io::Result<FileFacts> {
    let mut merged = Tables::default();
    for terms in files {
        let TermTables { places, frame_starts, lengths, slots } = terms.tables();
        let (terms_before, blocks_before) = (number(merged.places.len())?, number(merged.lengths.len())?);
        let shift = blocks_before.checked_mul(1 << PLACE_BITS).ok_or_else(too_many)?;
        for place in places {
            let shifted = if *place == NO_TEXT { Some(NO_TEXT) } else { place.checked_add(shift) };
            merged.places.push(shifted.ok_or_else(too_many)?);
        }
        merged.add_blocks(lengths, frame_starts.iter().skip(1).copied());
        merged.slots.extend(slots.iter().map(|[hash, term]| [*hash, terms_before + term]));
    }
    let first = files.first().map_or(1, TermFile::first);
    let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
    merged.write(&mut file, first, |file| {
        for terms in files {
            let length = terms.sections().length(section::FRAMES);
            let frames = terms.sections().bytes(section::FRAMES, 0..length);
            file.bytes(frames.ok_or_else(|| io::Error::other("a file of terms is damaged"))?)?;
        }
        Ok(())
    })?;
    file.finish()
}

/// What a file has beside its frames.
#[derive(Default)]
struct Tables {
    places: Vec<u32>,
    /// Where the frame of each block ends.
    frame_ends: Vec<u64>,
    lengths: Vec<u32>,
    /// Hash and number of each term that has a text.
    slots: Vec<[u32; 2]>,
}

impl Tables {
    /// Adds blocks behind the others; where their frames end is counted from the first of them.
    fn add_blocks(&mut self, lengths: &[u32], frame_ends: impl Iterator<Item = u64>) {
        let start = self.frame_ends.last().copied().unwrap_or_default();
        self.frame_ends.extend(frame_ends.map(|end| start + end));
        self.lengths.extend_from_slice(lengths);
    }

    fn write(
        mut self,
        file: &mut SectionsWriter,
        first: usize,
        frames: impl FnOnce(&mut SectionsWriter) -> io::Result<()>,
    ) -> io::Result<()> {
        let bits = (self.slots.len() / TERMS_A_BUCKET).max(2).ilog2().min(31);
        let facts = [first as u64, self.places.len() as u64, u64::from(bits)];
        file.whole_section(bytemuck::cast_slice(&facts))?;
        file.whole_section(bytemuck::cast_slice(&self.places))?;
        self.frame_ends.insert(0, 0);
        file.whole_section(bytemuck::cast_slice(&self.frame_ends))?;
        file.whole_section(bytemuck::cast_slice(&self.lengths))?;
        file.section()?;
        frames(file)?;
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

/// The blocks of a class, the last of which is being filled.
#[derive(Default)]
struct Blocks {
    ends: Vec<u8>,
    kinds: Vec<u8>,
    text: Vec<u8>,
    frames: Vec<u8>,
    frame_ends: Vec<u64>,
    lengths: Vec<u32>,
}

impl Blocks {
    /// Adds a term, and says where among these blocks it stands.
    fn add(
        &mut self,
        (kind, stored): (Kind, &str),
        compressor: &mut zstd::bulk::Compressor<'_>,
    ) -> io::Result<u32> {
        if self.text.len() >= BLOCK_TEXT || self.kinds.len() >> PLACE_BITS > 0 {
            self.end(compressor)?;
        }
        let block = number(self.lengths.len())?.checked_mul(1 << PLACE_BITS).ok_or_else(too_many)?;
        let place = block | number(self.kinds.len())?;
        self.text.extend_from_slice(stored.as_bytes());
        self.ends.extend_from_slice(&number(self.text.len())?.to_le_bytes());
        self.kinds.push(kind as u8);
        Ok(place)
    }

    /// Compresses the block that is being filled.
    fn end(&mut self, compressor: &mut zstd::bulk::Compressor<'_>) -> io::Result<()> {
        if self.kinds.is_empty() {
            return Ok(());
        }
        let mut block = number(self.kinds.len())?.to_le_bytes().to_vec();
        block.append(&mut self.ends);
        block.append(&mut self.kinds);
        block.append(&mut self.text);
        self.lengths.push(number(block.len())?);
        self.frames.extend_from_slice(&compressor.compress(&block)?);
        self.frame_ends.push(self.frames.len() as u64);
        Ok(())
    }
}

fn number(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(|_| io::Error::other("a text of 4 GiB or more cannot be stored"))
}

fn too_many() -> io::Error {
    io::Error::other("the texts of more than a million blocks cannot be stored in one file")
}
