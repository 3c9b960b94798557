//! The terms of a change. Terms that are in files keep their numbers; new terms get the next numbers and are written as
//! they arrive.
//!
//! Only the hashes of a new term are kept, 16 bytes, and not its text: loading keeps just a piece of a file in memory.
//! Terms are equal if both hashes agree: 96 bits of two functions, whose seeds the author of a file cannot know. Among
//! four thousand million terms, two are mistaken for one by chance once in ten thousand million loads.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::sync::Arc;

use foldhash::quality::RandomState;
use hashbrown::{HashTable, hash_table};

use super::sections::FileFacts;
use super::stored_terms::{StoredTerms, long_hash, short_hash};
use super::terms_writer::TermsWriter;
use crate::dictionary::{RdfTermKind, TermDictionary, TermId};
use crate::encoded_quads::EncodedTriple;

/// A new term: its hashes, and its place among the new terms.
#[derive(Debug, Clone, Copy)]
struct NewTermSlot {
    hash: [u32; 2],
    other: u32,
    place: u32,
}

/// The hashes of a term.
#[derive(Debug, Clone, Copy)]
struct TermHash {
    long: u64,
    other: u32,
}

/// How many terms are looked up together.
const AT_ONCE: usize = 256;

impl NewTermSlot {
    #[inline]
    fn is_of(&self, hash: TermHash) -> bool {
        self.long_hash() == hash.long && self.other == hash.other
    }

    fn long_hash(&self) -> u64 {
        u64::from(self.hash[0]) << 32 | u64::from(self.hash[1])
    }
}

/// The terms of a change.
pub(super) struct NewTerms {
    /// The terms in files.
    stored: Option<Arc<StoredTerms>>,
    /// The number of terms in files.
    offset: usize,
    /// The seed of the store's hashes.
    seed: u64,
    hasher: RandomState,
    table: HashTable<NewTermSlot>,
    /// The file that new terms are written to, once there is one.
    writer: Option<TermsWriter>,
    scratch: String,
}

impl fmt::Debug for NewTerms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NewTerms").field("known", &self.table.len()).finish_non_exhaustive()
    }
}

impl NewTerms {
    /// Begins without new terms, in addition to the terms in files.
    pub(super) fn beside(stored: Option<Arc<StoredTerms>>, seed: u64) -> Self {
        Self {
            offset: stored.as_ref().map_or(0, |stored| stored.count()),
            stored,
            seed,
            hasher: RandomState::default(),
            table: HashTable::new(),
            writer: None,
            scratch: String::new(),
        }
    }

    /// The numbers in the store of the terms that a dictionary has in memory, by their positions in memory, from 1.
    /// `properties` has for each position the hash of a property that has the term as a value, or 0. `begin` begins the
    /// file of new terms.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn take(
        &mut self,
        dictionary: &TermDictionary,
        properties: &[u32],
        mut begin: impl FnMut(usize) -> io::Result<TermsWriter>,
    ) -> io::Result<Vec<TermId>> {
        let terms = dictionary.own_terms();
        let mut numbers = Vec::with_capacity(terms.len() + 1);
        numbers.push(TermId::FIRST);
        // A quarter of the terms are blank nodes, and some are known.
        self.table.reserve(terms.len() / 2, NewTermSlot::long_hash);
        let mut scratch = std::mem::take(&mut self.scratch);
        // Many terms are looked up together, so the processor waits for several distant addresses at once.
        let terms: Vec<(RdfTermKind, &str)> = terms.collect();
        for terms in terms.chunks(AT_ONCE) {
            // A dictionary has each term once, so no term of a chunk is added by another one of the chunk.
            let hashes: Vec<TermHash> = terms.iter().map(|(kind, stored)| self.hash(*kind, stored)).collect();
            let found: Vec<Option<TermId>> = hashes.iter().map(|hash| self.find(*hash)).collect();
            for (((kind, stored), hash), found) in terms.iter().zip(hashes).zip(found) {
                let property = properties.get(numbers.len()).copied().unwrap_or(0);
                numbers.push(match (kind, found) {
                    (RdfTermKind::BlankNode, _) => self.push(*kind, "", 0, &mut begin)?,
                    // The stored text contains the number of the datatype.
                    (RdfTermKind::OtherTyped, _) => {
                        dictionary.with_datatype(stored, &numbers, &mut scratch);
                        self.number(*kind, &scratch, property, &mut begin)?
                    }
                    (_, Some(number)) => number,
                    _ => self.add(hash, *kind, stored, property, &mut begin)?,
                });
            }
        }
        self.scratch = scratch;
        Ok(numbers)
    }

    /// The number of a term other than a blank node. A new term is stored next to others of its property.
    pub(super) fn number(
        &mut self,
        kind: RdfTermKind,
        stored: &str,
        property: u32,
        begin: impl FnOnce(usize) -> io::Result<TermsWriter>,
    ) -> io::Result<TermId> {
        let hash = self.hash(kind, stored);
        self.find(hash).map_or_else(|| self.add(hash, kind, stored, property, begin), Ok)
    }

    fn hash(&self, kind: RdfTermKind, stored: &str) -> TermHash {
        let mut state = self.hasher.build_hasher();
        state.write(stored.as_bytes());
        state.write_u8(kind as u8);
        TermHash { long: long_hash(self.seed, kind, stored), other: lower_half(state.finish()) }
    }

    /// The number of a term that was added as new before.
    #[inline]
    fn find(&self, hash: TermHash) -> Option<TermId> {
        let slot = self.table.find(hash.long, |slot| slot.is_of(hash))?;
        Some(TermId::from_index(self.offset + 1 + slot.place as usize))
    }

    /// The number of a term in a file, or else the next number.
    fn add(
        &mut self,
        hash: TermHash,
        kind: RdfTermKind,
        stored: &str,
        property: u32,
        begin: impl FnOnce(usize) -> io::Result<TermsWriter>,
    ) -> io::Result<TermId> {
        if let Some(number) =
            self.stored.as_ref().and_then(|files| files.find_hashed(hash.long, kind, stored))
        {
            return Ok(number);
        }
        let number = self.push(kind, stored, property, begin)?;
        let place = u32::try_from(number.index() - self.offset - 1).expect("numbers of terms have 32 bits");
        let TermHash { long, other } = hash;
        let slot = NewTermSlot { hash: [short_hash(long), lower_half(long)], other, place };
        if let hash_table::Entry::Vacant(entry) =
            self.table.entry(long, |slot| slot.is_of(hash), NewTermSlot::long_hash)
        {
            entry.insert(slot);
        }
        Ok(number)
    }

    fn push(
        &mut self,
        kind: RdfTermKind,
        stored: &str,
        property: u32,
        begin: impl FnOnce(usize) -> io::Result<TermsWriter>,
    ) -> io::Result<TermId> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(begin(self.offset + 1)?),
        };
        let number = u32::try_from(self.offset + writer.count() + 1)
            .map_err(|_| io::Error::other("a store holds at most 4,294,967,295 terms"))?;
        writer.push(kind, stored, property)?;
        Ok(TermId::from_number(number))
    }

    /// Finishes the file, if there is one.
    pub(super) fn finish(self) -> io::Result<Option<FileFacts>> {
        let Self { table, writer, .. } = self;
        let Some(writer) = writer else { return Ok(None) };
        let slots: Vec<[u32; 2]> = table.into_iter().map(|slot| [slot.hash[0], slot.place]).collect();
        writer.finish(slots).map(Some)
    }
}

/// The hash of the first property of each term that a dictionary has in memory, by its position, from 1; 0 for a term
/// that is not the object of a triple. Texts of one property are stored together in files.
pub(super) fn properties<'t>(
    dictionary: &TermDictionary,
    triples: impl Iterator<Item = &'t EncodedTriple>,
) -> Vec<u32> {
    let before = dictionary.stored_count();
    let mut properties = vec![0; dictionary.len() - before + 1];
    let mut hashes: HashMap<TermId, u32, foldhash::fast::RandomState> = HashMap::default();
    for [_, property, value] in triples {
        let place = value.index().checked_sub(before).and_then(|place| properties.get_mut(place));
        if let Some(known) = place.filter(|known| **known == 0) {
            let hash = || short_hash(long_hash(0, RdfTermKind::Iri, dictionary.iri(*property))).max(1);
            *known = *hashes.entry(*property).or_insert_with(hash);
        }
    }
    properties
}

fn lower_half(hash: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "that is what is wanted")]
    let lower = hash as u32;
    lower
}
