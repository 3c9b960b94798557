//! Terms in files: each term once, by its number and by a hash of its text.
//!
//! Each file has terms with consecutive numbers. Their texts are compressed in blocks, in the order of numbers, which
//! is the order of terms in documents: terms that a query reads together are close together. Each kind of term and the
//! values of each property have separate blocks, since a query for dates or names seldom needs the program code beside
//! them; so do long texts. A block is decompressed when one of its terms is first used. Blocks that are read once are
//! soon dropped; a block that is read again stays in memory until all blocks are freed. A table of hashes finds the
//! term with a given text.
//!
//! | section | content |
//! |---|---|
//! | 0 | the blocks, each a zstd frame |
//! | 1 | the first number, how many terms, how many bits of a hash choose a bucket: 8 bytes each |
//! | 2 | the place of each term: the number of its block, and in the lowest 12 bits its position in the block; all bits are set for a blank node, which has no text: 4 bytes each |
//! | 3 | for each block the start of its frame (8 bytes, the highest of which is 0 or one more than the kind of all terms), its length when decompressed and the length of its frame (4 bytes each) |
//! | 4 | the first slot of each bucket, and the end: 4 bytes each |
//! | 5 | the slots, by bucket: hash and term, counted from 0, 4 bytes each |
//!
//! A decompressed block consists of the number of its terms (4 bytes), the end of each text (4 bytes each), the kind of
//! each term (a byte each) unless all have the same kind, and the texts. Up to version 2 of files, blocks are only
//! separated by IRIs, short and long texts, and always contain the kinds of their terms.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use foldhash::fast::FixedState;
use twox_hash::XxHash3_64;

use super::damage::{StoreDamage, damaged};
use super::medium::StoreMedium;
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use crate::column::ImmutableColumn;
use crate::term::{RdfTermKind, TermId};
use evalgraph_diagnostics::Diagnostic;

/// The sections of a file of terms.
pub(super) mod section {
    pub(in crate::disk) const FRAMES: usize = 0;
    pub(in crate::disk) const FACTS: usize = 1;
    pub(in crate::disk) const PLACES: usize = 2;
    pub(in crate::disk) const BLOCKS: usize = 3;
    pub(in crate::disk) const BUCKETS: usize = 4;
    pub(in crate::disk) const SLOTS: usize = 5;
}

/// How many bits of a place are the position of the term in its block.
pub(super) const PLACE_BITS: u32 = 12;

/// Where the kind of the terms of a block is in the first fact about the block.
pub(super) const KIND_SHIFT: u32 = 56;

/// How many blocks that were read once stay in memory; and how many while all terms are read one after another.
const RECENT: usize = 128;
const RECENT_OF_ALL: usize = 512;

/// A lookup of at least one in this many of all terms counts as a lookup of many.
const PART_OF_ALL: usize = 8;

/// The place of a blank node.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// The hash of a term, the same for all files of a store. Each store has a random seed, so the author of a file cannot
/// prepare texts that all have the same hash.
#[inline]
pub(super) fn long_hash(seed: u64, kind: RdfTermKind, stored: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(seed ^ kind as u64, stored.as_bytes())
}

/// The part of the hash of a term that a file keeps.
#[inline]
pub(super) fn short_hash(hash: u64) -> u32 {
    u32::try_from(hash >> 32).expect("half of 64 bits are 32")
}

/// The bucket of a hash.
#[inline]
pub(super) fn bucket(hash: u32, bits: u32) -> usize {
    (u64::from(hash) >> (32 - bits)) as usize
}

/// All terms of a store's files.
#[derive(Debug)]
pub(crate) struct StoredTerms {
    /// The files, sorted by their first number.
    files: Vec<TermFile>,
    seed: u64,
    count: usize,
}

impl StoredTerms {
    /// Opens the files of a store, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// A file that is damaged; files whose numbers are not consecutive.
    pub(super) fn open<'f>(
        medium: &dyn StoreMedium,
        files: impl Iterator<Item = &'f FileFacts>,
        seed: u64,
        damage: &StoreDamage,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut terms = Self { files: Vec::new(), seed, count: 0 };
        for facts in files {
            let file = TermFile::open(medium, facts, terms.count + 1, damage)?;
            terms.count += file.count();
            terms.files.push(file);
        }
        Ok(terms)
    }

    /// Frees all decompressed blocks, and returns how many bytes they had.
    pub(crate) fn let_go(&mut self) -> u64 {
        self.files.iter_mut().map(TermFile::let_go).sum()
    }

    /// Returns how many bytes the decompressed blocks have.
    pub(crate) fn kept(&self) -> u64 {
        self.files.iter().map(|file| file.kept.load(Ordering::Relaxed)).sum()
    }

    /// Returns how many terms there are; their numbers are 1 to this.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Passes the kind and the stored text of all terms to `take`, in the order of their numbers, and keeps none in
    /// memory. Terms that cannot be read are left out, and the fault is recorded.
    pub(super) fn each(&self, mut take: impl FnMut(TermId, RdfTermKind, &str)) {
        self.files.iter().for_each(|file| file.each(&mut take));
    }

    pub(super) fn files(&self) -> &[TermFile] {
        &self.files
    }

    /// Prepares for lookups of about that many terms.
    pub(crate) fn expect(&self, terms: usize) {
        if terms >= self.count / PART_OF_ALL {
            for file in &self.files {
                // These columns are checked completely here, and not again at each lookup.
                file.places.all();
                file.block_facts.all();
            }
        }
    }

    /// The kind of a term; none if there is no such term or it cannot be read.
    #[inline]
    pub(crate) fn kind(&self, id: TermId) -> Option<RdfTermKind> {
        let file = self.file_of(id)?;
        file.kind(id.index() - file.first)
    }

    /// The text of a term as it is stored; none if there is no such term or it cannot be read. Its block stays in
    /// memory.
    #[inline]
    pub(crate) fn text(&self, id: TermId) -> Option<&str> {
        let file = self.file_of(id)?;
        file.text(id.index() - file.first)
    }

    /// Passes the bytes of the text of a term to `take`, as [`Self::text`] returns it, without keeping a block that is
    /// read for the first time.
    #[inline]
    pub(crate) fn with_bytes<R>(
        &self,
        id: TermId,
        recent: &mut RecentBlocks,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        let file = self.file_of(id)?;
        file.with_bytes(id.index() - file.first, recent, take)
    }

    #[inline]
    fn file_of(&self, id: TermId) -> Option<&TermFile> {
        let after = self.files.partition_point(|file| file.first <= id.index());
        self.files.get(after.checked_sub(1)?)
    }

    /// The number of a term.
    pub(crate) fn find(&self, kind: RdfTermKind, stored: &str) -> Option<TermId> {
        self.find_hashed(long_hash(self.seed, kind, stored), kind, stored)
    }

    /// The number of a term with that [`long_hash`].
    pub(super) fn find_hashed(&self, hash: u64, kind: RdfTermKind, stored: &str) -> Option<TermId> {
        let hash = short_hash(hash);
        self.files.iter().find_map(|file| file.find(hash, kind, stored))
    }
}

/// One file of terms.
#[derive(Debug)]
pub(super) struct TermFile {
    file: Arc<SectionedFile>,
    first: usize,
    bits: u32,
    places: ImmutableColumn<u32>,
    block_facts: ImmutableColumn<[u64; 2]>,
    buckets: ImmutableColumn<u32>,
    slots: ImmutableColumn<[u32; 2]>,
    /// The blocks, in groups that are allocated on first use: a large file has thousands.
    blocks: Box<[OnceLock<BlockGroup>]>,
    /// A bit for each block that was read before.
    was_read: Box<[AtomicU64]>,
    /// How many bytes the blocks in memory have.
    kept: AtomicU64,
}

/// Blocks that were read once, identified by the first number of their file and their own number.
#[derive(Debug)]
pub(crate) struct RecentBlocks {
    blocks: HashMap<(usize, usize), Option<TermBlock>, FixedState>,
    most: usize,
}

impl Default for RecentBlocks {
    fn default() -> Self {
        Self { blocks: HashMap::default(), most: RECENT }
    }
}

impl RecentBlocks {
    fn get_or_read(
        &mut self,
        file: &TermFile,
        block: usize,
        read: impl FnOnce() -> Option<TermBlock>,
    ) -> Option<&TermBlock> {
        let key = (file.first, block);
        if self.blocks.len() >= self.most && !self.blocks.contains_key(&key) {
            // Dropping all at once needs no record of their use at each lookup.
            self.blocks.clear();
        }
        self.blocks.entry(key).or_insert_with(read).as_ref()
    }

    fn has(&self, file: &TermFile, block: usize) -> bool {
        self.blocks.contains_key(&(file.first, block))
    }
}

/// Neighbouring blocks, each read on first use.
type BlockGroup = Box<[OnceLock<Option<TermBlock>>; GROUP]>;

/// How many blocks a group has.
const GROUP: usize = 32;

/// The tables of a file, as they are in the file.
pub(super) struct TermTables<'f> {
    pub(super) places: &'f [u32],
    pub(super) blocks: &'f [[u64; 2]],
    pub(super) slots: &'f [[u32; 2]],
}

/// A block of terms, decompressed.
#[derive(Debug)]
struct TermBlock {
    ends: Box<[u32]>,
    /// The kind of each term; empty if the facts of the block give the kind of all.
    kinds: Box<[u8]>,
    /// The texts. Each is checked to be UTF-8 when it is used as a string.
    text: Box<[u8]>,
}

impl TermFile {
    fn open(
        medium: &dyn StoreMedium,
        facts: &FileFacts,
        first: usize,
        damage: &StoreDamage,
    ) -> Result<Self, Box<Diagnostic>> {
        let file = Arc::new(SectionedFile::open(medium, facts, StoreFileKind::Terms, damage)?);
        let numbers = ImmutableColumn::<u64>::stored(&file, section::FACTS);
        let places = ImmutableColumn::<u32>::stored(&file, section::PLACES);
        let blocks = file.length(section::BLOCKS) / size_of::<[u64; 2]>();
        let bits = match numbers.all() {
            [own_first, count, bits]
                if *own_first == first as u64 && *count == places.len() as u64 && (1..=32).contains(bits) =>
            {
                u32::try_from(*bits).unwrap_or(32)
            }
            _ => {
                let what = "it does not continue the terms of the others";
                return Err(Box::new(damaged(medium.folder(), &facts.name, what)));
            }
        };
        Ok(Self {
            first,
            bits,
            places,
            block_facts: ImmutableColumn::stored(&file, section::BLOCKS),
            buckets: ImmutableColumn::stored(&file, section::BUCKETS),
            slots: ImmutableColumn::stored(&file, section::SLOTS),
            blocks: (0..blocks.div_ceil(GROUP)).map(|_| OnceLock::new()).collect(),
            was_read: (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            kept: AtomicU64::new(0),
            file,
        })
    }

    /// Returns how many terms there are.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The tables of places, blocks and slots, for merging files.
    pub(super) fn tables(&self) -> TermTables<'_> {
        TermTables { places: self.places.all(), blocks: self.block_facts.all(), slots: self.slots.all() }
    }

    pub(super) fn sections(&self) -> &SectionedFile {
        &self.file
    }

    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// The number of a term's block, and its position in the block; none for a blank node.
    #[inline]
    fn place_of(&self, number: usize) -> Option<Option<(usize, usize)>> {
        let place = *self.places.slice(number..number + 1).first()?;
        let (block, position) = (place >> PLACE_BITS, place & ((1 << PLACE_BITS) - 1));
        Some((place != NO_TEXT).then_some((block as usize, position as usize)))
    }

    /// A block, if it is in memory.
    #[inline]
    fn kept_block(&self, block: usize) -> Option<&TermBlock> {
        self.blocks.get(block / GROUP)?.get()?[block % GROUP].get()?.as_ref()
    }

    /// A block, which stays in memory.
    #[inline]
    fn block(&self, block: usize) -> Option<&TermBlock> {
        let group = || BlockGroup::new(std::array::from_fn(|_| OnceLock::new()));
        let group = self.blocks.get(block / GROUP)?.get_or_init(group);
        group[block % GROUP].get_or_init(|| self.read_to_keep(block)).as_ref()
    }

    /// The kind of all terms of a block, if they have one.
    #[inline]
    fn kind_of_all(&self, block: usize) -> Option<RdfTermKind> {
        let [start, _] = self.block_facts.slice(block..block + 1).first()?;
        RdfTermKind::from_number(u8::try_from((start >> KIND_SHIFT).checked_sub(1)?).ok()?)
    }

    #[inline]
    fn kind(&self, number: usize) -> Option<RdfTermKind> {
        let Some((block, place)) = self.place_of(number)? else { return Some(RdfTermKind::BlankNode) };
        self.kind_of_all(block).or_else(|| self.block(block)?.kind(place))
    }

    #[inline]
    fn text(&self, number: usize) -> Option<&str> {
        let Some((block, place)) = self.place_of(number)? else { return Some("") };
        self.reported(self.block(block)?.text(place))
    }

    #[inline]
    fn with_bytes<R>(
        &self,
        number: usize,
        recent: &mut RecentBlocks,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        let Some((block, place)) = self.place_of(number)? else { return Some(take(b"")) };
        let found = match self.kept_block(block) {
            Some(block) => block,
            // A block that was dropped and is needed again stays.
            None if !recent.has(self, block) && self.note_reading(block) => self.block(block)?,
            None => recent.get_or_read(self, block, || self.read_or_report(block))?,
        };
        self.reported(found.bytes_of(place)).map(take)
    }

    /// Marks a block as read, and returns whether it was read before.
    fn note_reading(&self, block: usize) -> bool {
        let bit = 1 << (block % 64);
        self.was_read.get(block / 64).is_some_and(|word| word.fetch_or(bit, Ordering::Relaxed) & bit != 0)
    }

    fn reported<T>(&self, text: Option<T>) -> Option<T> {
        if text.is_none() {
            self.file.report("the text of a term cannot be read");
        }
        text
    }

    fn each(&self, take: &mut impl FnMut(TermId, RdfTermKind, &str)) {
        // Neighbouring terms are in few blocks, one for each kind and property.
        let mut recent = RecentBlocks { most: RECENT_OF_ALL, ..RecentBlocks::default() };
        for number in 0..self.places.len() {
            let id = TermId::from_index(self.first + number);
            let Some(Some((block, place))) = self.place_of(number) else {
                take(id, RdfTermKind::BlankNode, "");
                continue;
            };
            let kind = self.kind_of_all(block);
            let block = recent.get_or_read(self, block, || self.read_or_report(block));
            let term =
                block.and_then(|block| Some((kind.or_else(|| block.kind(place))?, block.text(place)?)));
            match term {
                Some((kind, stored)) => take(id, kind, stored),
                None => self.file.report("the text of a term cannot be read"),
            }
        }
    }

    fn read_to_keep(&self, block: usize) -> Option<TermBlock> {
        let read = self.read_or_report(block);
        self.kept.fetch_add(read.as_ref().map_or(0, TermBlock::bytes), Ordering::Relaxed);
        read
    }

    fn let_go(&mut self) -> u64 {
        // If no block is in memory, there is no need to look through all places.
        if *self.kept.get_mut() > 0 {
            self.blocks.iter_mut().for_each(|group| *group = OnceLock::new());
            self.was_read.iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        std::mem::take(self.kept.get_mut())
    }

    fn read_or_report(&self, block: usize) -> Option<TermBlock> {
        let read = self.read(block);
        if read.is_none() {
            self.file.report("a block of terms cannot be read");
        }
        read
    }

    fn find(&self, hash: u32, kind: RdfTermKind, stored: &str) -> Option<TermId> {
        let [start, end] = self.buckets.two(bucket(hash, self.bits))?;
        let slots = self.slots.slice(start as usize..end as usize);
        let found = slots.iter().find(|[other, number]| {
            // The kind is compared before the text: it is mostly known without decompressing a block.
            *other == hash
                && self.kind(*number as usize) == Some(kind)
                && self.text(*number as usize) == Some(stored)
        })?;
        Some(TermId::from_index(self.first + found[1] as usize))
    }

    fn read(&self, block: usize) -> Option<TermBlock> {
        let [start, lengths] = *self.block_facts.slice(block..block + 1).first()?;
        let has_kinds = start >> KIND_SHIFT == 0;
        let start = usize::try_from(start & ((1 << KIND_SHIFT) - 1)).ok()?;
        let frame = usize::try_from(lengths >> 32).ok()?;
        let frame = self.file.bytes(section::FRAMES, start..start.checked_add(frame)?)?;
        let length = usize::try_from(lengths & u64::from(u32::MAX)).ok()?;
        decompressed(frame, length, |bytes| {
            let (count, rest) = bytes.split_first_chunk()?;
            let count = u32::from_le_bytes(*count) as usize;
            let (ends, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
            let (kinds, text) = rest.split_at_checked(if has_kinds { count } else { 0 })?;
            let ends = ends.chunks_exact(4).map(|end| u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
            Some(TermBlock { ends: ends.collect(), kinds: kinds.into(), text: text.into() })
        })
    }
}

/// The decompressor of a thread: allocated once, not for each block.
#[derive(Default)]
struct BlockDecompression {
    context: Option<zstd::bulk::Decompressor<'static>>,
    bytes: Vec<u8>,
}

/// The longest block whose buffer is kept for the next one.
const USUAL_LENGTH: usize = 1 << 18;

/// Passes a block of that many bytes to `take`; none if the frame has another length.
fn decompressed<R>(frame: &[u8], length: usize, take: impl FnOnce(&[u8]) -> Option<R>) -> Option<R> {
    thread_local! {
        static OF_THREAD: RefCell<BlockDecompression> = RefCell::default();
    }
    OF_THREAD.with_borrow_mut(|BlockDecompression { context, bytes }| {
        let context = match context {
            Some(context) => context,
            none => none.insert(zstd::bulk::Decompressor::new().ok()?),
        };
        bytes.clear();
        bytes.reserve(length);
        let found = context.decompress_to_buffer(frame, bytes).ok();
        let taken = found.filter(|found| *found == length).and_then(|_| take(bytes));
        if length > USUAL_LENGTH {
            *bytes = Vec::new();
        }
        taken
    })
}

impl TermBlock {
    fn bytes(&self) -> u64 {
        (size_of_val(&*self.ends) + self.kinds.len() + self.text.len()) as u64
    }

    fn kind(&self, place: usize) -> Option<RdfTermKind> {
        RdfTermKind::from_number(*self.kinds.get(place)?)
    }

    #[inline]
    fn text(&self, place: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes_of(place)?).ok()
    }

    #[inline]
    fn bytes_of(&self, place: usize) -> Option<&[u8]> {
        let start = match place.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start as usize..*self.ends.get(place)? as usize)
    }
}
