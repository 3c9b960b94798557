//! Writes files of terms, and makes one file of several.

use std::io;

use super::medium::Medium;
use super::sections::{FileFacts, FileKind};
use super::sections_writer::SectionsWriter;
use super::terms::{TermFile, TermTables, bucket, hash, section};
use crate::store::dictionary::Kind;

/// How much text a block has at least, unless it is the last one. What a single term needs is read
/// whole; what is together compresses better.
const BLOCK_TEXT: usize = 32 << 10;

/// The quickest level: template code shrinks to an eighth at any.
const LEVEL: i32 = 1;

/// How many terms share a bucket, on average.
const TERMS_A_BUCKET: usize = 4;

/// The numbers from the blocks' tables, which follow the frames.
struct Tables {
    first_terms: Vec<u32>,
    frame_starts: Vec<u64>,
    lengths: Vec<u32>,
    /// Hash and place of each term that has a text.
    slots: Vec<[u32; 2]>,
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
    let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
    let mut tables =
        Tables { first_terms: vec![0], frame_starts: vec![0], lengths: Vec::new(), slots: Vec::new() };
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    let mut block = Block::default();
    let mut frames = Vec::new();
    let mut count = 0_usize;
    for (kind, stored) in terms {
        if kind != Kind::BlankNode {
            tables.slots.push([hash(seed, kind, stored), number(count)?]);
        }
        block.add(kind, stored)?;
        count += 1;
        if block.text.len() >= BLOCK_TEXT || block.kinds.len() >= BLOCK_TEXT {
            block.end(&mut compressor, &mut tables, &mut frames, count)?;
        }
    }
    block.end(&mut compressor, &mut tables, &mut frames, count)?;
    tables.write(&mut file, first, |file| file.bytes(&frames))?;
    file.finish()
}

/// Writes one file with the terms of several, whose numbers follow each other. Texts stay compressed
/// as they are.
///
/// # Errors
///
/// What the system says, and a file that cannot be read.
pub(super) fn merge_terms(medium: &dyn Medium, name: &str, files: &[TermFile]) -> io::Result<FileFacts> {
    let mut tables =
        Tables { first_terms: vec![0], frame_starts: vec![0], lengths: Vec::new(), slots: Vec::new() };
    for terms in files {
        let TermTables { first_terms, frame_starts, lengths, slots } = terms.tables();
        let before = tables.first_terms.last().copied().unwrap_or_default();
        let start = tables.frame_starts.last().copied().unwrap_or_default();
        tables.first_terms.extend(first_terms.iter().skip(1).map(|first| before + first));
        tables.frame_starts.extend(frame_starts.iter().skip(1).map(|frame| start + frame));
        tables.lengths.extend_from_slice(lengths);
        tables.slots.extend(slots.iter().map(|[hash, place]| [*hash, before + place]));
    }
    let first = files.first().map_or(1, TermFile::first);
    let mut file = SectionsWriter::create(medium, name, FileKind::Terms)?;
    tables.write(&mut file, first, |file| {
        for terms in files {
            let length = terms.sections().length(section::FRAMES);
            let frames = terms.sections().bytes(section::FRAMES, 0..length);
            file.bytes(frames.ok_or_else(|| io::Error::other("a file of terms is damaged"))?)?;
        }
        Ok(())
    })?;
    file.finish()
}

impl Tables {
    fn write(
        mut self,
        file: &mut SectionsWriter,
        first: usize,
        frames: impl FnOnce(&mut SectionsWriter) -> io::Result<()>,
    ) -> io::Result<()> {
        let count = self.first_terms.last().copied().unwrap_or_default();
        let bits = (self.slots.len() / TERMS_A_BUCKET).max(2).ilog2().min(31);
        let facts = [first as u64, u64::from(count), u64::from(bits)];
        file.whole_section(bytemuck::cast_slice(&facts))?;
        file.whole_section(bytemuck::cast_slice(&self.first_terms))?;
        file.whole_section(bytemuck::cast_slice(&self.frame_starts))?;
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

/// A block that is being filled.
#[derive(Default)]
struct Block {
    ends: Vec<u8>,
    kinds: Vec<u8>,
    text: Vec<u8>,
}

impl Block {
    fn add(&mut self, kind: Kind, stored: &str) -> io::Result<()> {
        self.text.extend_from_slice(stored.as_bytes());
        self.ends.extend_from_slice(&number(self.text.len())?.to_le_bytes());
        self.kinds.push(kind as u8);
        Ok(())
    }

    fn end(
        &mut self,
        compressor: &mut zstd::bulk::Compressor<'_>,
        tables: &mut Tables,
        frames: &mut Vec<u8>,
        count: usize,
    ) -> io::Result<()> {
        if self.kinds.is_empty() {
            return Ok(());
        }
        let Self { ends, kinds, text } = self;
        ends.append(kinds);
        ends.append(text);
        tables.lengths.push(number(ends.len())?);
        frames.extend_from_slice(&compressor.compress(ends)?);
        tables.frame_starts.push(frames.len() as u64);
        tables.first_terms.push(number(count)?);
        ends.clear();
        Ok(())
    }
}

fn number(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(|_| io::Error::other("a text of 4 GiB or more cannot be stored"))
}
