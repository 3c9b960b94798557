//! The terms of a dataset, each stored once and identified by a number. A literal is kept exactly as it was written;
//! the evaluator interprets lexical forms.

use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table};
use oxrdf::{BlankNode, Literal, NamedNode, Term, TermRef};

use super::disk::StoredTerms;
use super::term::KINDS;
pub use super::term::{RdfTermKind, TermId};

/// A term. The high bits are the end of its text, where the text of the next term begins; the lowest bits are its kind.
#[derive(Debug, Clone, Copy)]
struct DictionaryEntry(u64);

impl DictionaryEntry {
    const KIND_BITS: u32 = 4;

    fn new(end: usize, kind: RdfTermKind) -> Self {
        // No text is 2^60 bytes long.
        Self((end as u64) << Self::KIND_BITS | kind as u64)
    }

    #[inline]
    fn end(self) -> usize {
        (self.0 >> Self::KIND_BITS) as usize
    }

    #[inline]
    fn kind(self) -> RdfTermKind {
        KINDS[self.0 as usize & ((1 << Self::KIND_BITS) - 1)].0
    }
}

/// A term in the hash table. The slot keeps the hash, so growing the table and ruling out most unequal terms need not
/// read any text.
#[derive(Debug, Clone, Copy)]
struct DictionarySlot {
    hash: u32,
    id: u32,
}

/// How many characters of seven bits encode the datatype of a [`RdfTermKind::OtherTyped`]. They precede the lexical
/// form and keep the stored text valid UTF-8.
const DATATYPE_PREFIX: usize = 5;

/// One random state for the whole process: hashes of one dictionary are valid in another, and the author of a file
/// cannot make terms collide.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Terms by number and by text.
///
/// A term costs its text, eight bytes and a slot of nine bytes in the hash table (blank nodes have
/// neither text nor slot). At most 4,294,967,295 terms. Other methods are in `copy.rs` and `n_quads.rs`.
#[derive(Clone)]
pub struct TermDictionary {
    /// Terms in files, whose numbers come first.
    stored: Option<Arc<StoredTerms>>,
    /// The number of terms in files.
    offset: usize,
    entries: Vec<DictionaryEntry>,
    text: String,
    table: HashTable<DictionarySlot>,
    hasher: RandomState,
    scratch: String,
}

impl fmt::Debug for TermDictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Dictionary").field("terms", &self.len()).finish_non_exhaustive()
    }
}

impl Default for TermDictionary {
    fn default() -> Self {
        Self::new()
    }
}

impl TermDictionary {
    /// A dictionary that knows the well-known datatypes.
    pub fn new() -> Self {
        let mut dictionary = Self::without_terms(None);
        for (_, datatype) in KINDS.iter().filter(|(_, datatype)| !datatype.is_empty()) {
            dictionary.intern_iri(datatype);
        }
        dictionary
    }

    /// A dictionary of the terms in the files of a store, which begin with the well-known datatypes.
    pub(super) fn of_stored(stored: StoredTerms) -> Self {
        Self::without_terms(Some(Arc::new(stored)))
    }

    fn without_terms(stored: Option<Arc<StoredTerms>>) -> Self {
        Self {
            offset: stored.as_ref().map_or(0, |stored| stored.count()),
            stored,
            // Terms are numbered from 1: the text of the first begins at the end of this entry.
            entries: vec![DictionaryEntry::new(0, RdfTermKind::Iri)],
            text: String::new(),
            table: HashTable::new(),
            hasher: HASHER.clone(),
            scratch: String::new(),
        }
    }

    /// Returns how many terms there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.offset + self.entries.len() - 1
    }

    /// Never true: the well-known datatypes are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The terms that are in no file: kind and text.
    pub(super) fn own_terms(&self) -> impl ExactSizeIterator<Item = (RdfTermKind, &str)> {
        let kinds = self.entries[1..].iter().map(|entry| entry.kind());
        kinds.enumerate().map(|(before, kind)| (kind, stored_text(&self.entries, &self.text, before + 1)))
    }

    /// Writes the stored form of a literal of [`RdfTermKind::OtherTyped`] with a new number for its datatype: `numbers`
    /// has the new numbers of the terms in memory by their positions, from 1.
    pub(super) fn with_datatype(&self, stored: &str, numbers: &[TermId], renumbered: &mut String) {
        let datatype = datatype_of_stored(stored);
        let known = numbers
            .get(datatype.index().wrapping_sub(self.offset))
            .filter(|_| datatype.index() > self.offset);
        store_other_typed(renumbered, known.copied().unwrap_or(datatype), lexical_of_other_typed(stored));
    }

    /// The terms in files.
    pub(super) fn stored_terms(&self) -> Option<&Arc<StoredTerms>> {
        self.stored.as_ref()
    }

    /// Frees the texts read from files, unless another dictionary shares them; returns how many bytes they had.
    pub(super) fn let_go(&mut self) -> u64 {
        self.stored.as_mut().and_then(Arc::get_mut).map_or(0, StoredTerms::let_go)
    }

    /// Returns how many bytes of text were read from files and are in memory.
    pub(super) fn kept(&self) -> u64 {
        self.stored.as_ref().map_or(0, |stored| stored.kept())
    }

    /// Returns how many terms are in files.
    pub(super) fn stored_count(&self) -> usize {
        self.offset
    }

    /// How many bytes of text the terms in memory have.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// The terms' numbers, in the order in which they were first seen.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (1..=self.len()).map(TermId::from_index)
    }

    /// The id of an IRI; a new one if the IRI is unknown.
    pub fn intern_iri(&mut self, iri: &str) -> TermId {
        self.intern_stored(RdfTermKind::Iri, iri)
    }

    /// A blank node that differs from all others.
    pub fn fresh_blank_node(&mut self) -> TermId {
        let id = TermId::from_index(self.offset + self.entries.len());
        self.entries.push(DictionaryEntry::new(self.text.len(), RdfTermKind::BlankNode));
        id
    }

    /// The id of an `xsd:string`.
    pub fn intern_string(&mut self, value: &str) -> TermId {
        self.intern_stored(RdfTermKind::String, value)
    }

    /// The id of a literal with its lexical form as written.
    pub fn intern_typed_literal(&mut self, lexical: &str, datatype: TermId) -> TermId {
        match RdfTermKind::of_datatype(datatype) {
            Some(kind) if kind != RdfTermKind::LangString => self.intern_stored(kind, lexical),
            _ => {
                let mut stored = std::mem::take(&mut self.scratch);
                store_other_typed(&mut stored, datatype, lexical);
                let id = self.intern_stored(RdfTermKind::OtherTyped, &stored);
                self.scratch = stored;
                id
            }
        }
    }

    /// The id of a string with a language, the tag as written.
    pub fn intern_language_string(&mut self, value: &str, language: &str) -> TermId {
        let mut stored = std::mem::take(&mut self.scratch);
        store_language_string(&mut stored, language, value);
        let id = self.intern_stored(RdfTermKind::LangString, &stored);
        self.scratch = stored;
        id
    }

    /// The id of a term other than a blank node.
    pub fn find(&self, term: TermRef<'_>) -> Option<TermId> {
        match term {
            TermRef::NamedNode(node) => self.find_stored(RdfTermKind::Iri, node.as_str()),
            TermRef::BlankNode(_) => None,
            TermRef::Literal(literal) => {
                if let Some(language) = literal.language() {
                    let mut stored = String::new();
                    store_language_string(&mut stored, language, literal.value());
                    return self.find_stored(RdfTermKind::LangString, &stored);
                }
                // A datatype is known before its first literal, so without it there is no such literal.
                let datatype = self.find_stored(RdfTermKind::Iri, literal.datatype().as_str())?;
                match RdfTermKind::of_datatype(datatype) {
                    Some(kind) if kind != RdfTermKind::LangString => self.find_stored(kind, literal.value()),
                    _ => {
                        let mut stored = String::new();
                        store_other_typed(&mut stored, datatype, literal.value());
                        self.find_stored(RdfTermKind::OtherTyped, &stored)
                    }
                }
            }
        }
    }

    /// The id of a blank node by the label that [`Self::term`] gives it.
    pub fn find_blank_node(&self, label: &str) -> Option<TermId> {
        let digits = label.strip_prefix('b')?;
        // `parse` reads these, too, but `term` never writes them: a node would have several labels.
        if digits.starts_with(['0', '+']) {
            return None;
        }
        let index = digits.parse::<u32>().ok()? as usize;
        (index <= self.len())
            .then(|| TermId::from_index(index))
            .filter(|id| self.kind(*id) == RdfTermKind::BlankNode)
    }

    /// The kind of a term.
    #[inline]
    pub fn kind(&self, id: TermId) -> RdfTermKind {
        match self.own_index(id) {
            Some(index) => self.entries[index].kind(),
            None => self.stored.as_ref().and_then(|files| files.kind(id)).unwrap_or(RdfTermKind::BlankNode),
        }
    }

    /// The IRI, or the lexical form of a literal; empty for a blank node.
    #[inline]
    pub fn lexical(&self, id: TermId) -> &str {
        self.lexical_of_stored(id, self.stored(id))
    }

    /// The IRI, or the lexical form of a literal, taken from its stored text.
    #[inline]
    pub(super) fn lexical_of_stored<'t>(&self, id: TermId, stored: &'t str) -> &'t str {
        lexical_of(self.kind(id), stored)
    }

    /// The bytes of the IRI or of the lexical form of a literal, taken from its stored text.
    #[inline]
    pub(super) fn lexical_bytes<'t>(&self, id: TermId, stored: &'t [u8]) -> &'t [u8] {
        let before = match self.kind(id) {
            RdfTermKind::LangString => memchr::memchr(0, stored).map_or(0, |end| end + 1),
            RdfTermKind::OtherTyped => DATATYPE_PREFIX.min(stored.len()),
            _ => 0,
        };
        &stored[before..]
    }

    /// The IRI; empty for a term of another kind.
    pub(super) fn iri(&self, id: TermId) -> &str {
        if self.kind(id) == RdfTermKind::Iri { self.stored(id) } else { "" }
    }

    /// The language tag of a [`RdfTermKind::LangString`].
    pub fn language(&self, id: TermId) -> Option<&str> {
        (self.kind(id) == RdfTermKind::LangString).then(|| split_language_string(self.stored(id)).0)
    }

    /// The datatype of a literal.
    pub fn datatype(&self, id: TermId) -> Option<TermId> {
        self.datatype_of(self.kind(id), id)
    }

    /// The datatype of a literal of a kind.
    #[inline]
    pub fn datatype_of(&self, kind: RdfTermKind, id: TermId) -> Option<TermId> {
        match kind {
            RdfTermKind::OtherTyped => Some(datatype_of_stored(self.stored(id))),
            kind => kind.datatype(),
        }
    }

    /// The term as an oxrdf term. A blank node gets the label `b` and its number.
    pub fn term(&self, id: TermId) -> Term {
        self.term_of_stored(id, self.stored(id))
    }

    /// The term, made from its stored text.
    pub(super) fn term_of_stored(&self, id: TermId, stored: &str) -> Term {
        let kind = self.kind(id);
        match kind {
            RdfTermKind::Iri => NamedNode::new_unchecked(stored).into(),
            RdfTermKind::BlankNode => blank_node(id).into(),
            RdfTermKind::String => Literal::new_simple_literal(stored).into(),
            RdfTermKind::LangString => {
                let (language, value) = split_language_string(stored);
                Literal::new_language_tagged_literal_unchecked(value, language).into()
            }
            RdfTermKind::OtherTyped => {
                let datatype = self.stored(datatype_of_stored(stored));
                typed_literal(lexical_of_other_typed(stored), datatype)
            }
            _ => typed_literal(stored, KINDS[kind as usize].1),
        }
    }

    /// Reserves room for terms with that much text, a quarter of them blank nodes.
    pub(super) fn reserve(&mut self, bytes: usize, terms: usize) {
        self.text.reserve(bytes);
        self.entries.reserve(terms);
        self.table.reserve(terms * 3 / 4, |slot| spread(slot.hash));
    }

    /// Frees the memory that was reserved but not used.
    pub(super) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
        self.text.shrink_to_fit();
        self.scratch = String::new();
        self.table.shrink_to_fit(|slot| spread(slot.hash));
    }

    /// The id of a term by its stored form.
    #[inline]
    pub(super) fn find_stored(&self, kind: RdfTermKind, stored: &str) -> Option<TermId> {
        self.find_hashed(self.hash(kind, stored), kind, stored)
    }

    #[inline]
    pub(super) fn find_hashed(&self, hash: u32, kind: RdfTermKind, stored: &str) -> Option<TermId> {
        let found = self.table.find(spread(hash), |slot| {
            slot.hash == hash && is_stored(&self.entries, &self.text, slot.id, kind, stored)
        });
        match found {
            Some(found) => Some(TermId::from_index(self.offset + found.id as usize)),
            None => self.stored.as_ref()?.find(kind, stored),
        }
    }

    #[inline]
    fn hash(&self, kind: RdfTermKind, stored: &str) -> u32 {
        let mut state = self.hasher.build_hasher();
        state.write(stored.as_bytes());
        // An IRI and a string may have the same text.
        state.write_u8(kind as u8);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is as good as the whole")]
        let hash = state.finish() as u32;
        hash
    }

    /// The hash of each term by its number, 0 for blank nodes. All dictionaries agree on a hash, except for
    /// [`RdfTermKind::OtherTyped`], whose hash covers the number of its datatype.
    pub(super) fn hashes(&self) -> Vec<u32> {
        let mut hashes = vec![0; self.entries.len()];
        for slot in &self.table {
            hashes[slot.id as usize] = slot.hash;
        }
        hashes
    }

    /// The id of a term by its stored form; a new one if the term is unknown.
    #[inline]
    pub(super) fn intern_stored(&mut self, kind: RdfTermKind, stored: &str) -> TermId {
        if let Some(files) = &self.stored
            && let Some(id) = files.find(kind, stored)
        {
            return id;
        }
        self.intern_hashed(self.hash(kind, stored), kind, stored)
    }

    /// The id of a term that is in no file.
    #[inline]
    pub(super) fn intern_hashed(&mut self, hash: u32, kind: RdfTermKind, stored: &str) -> TermId {
        let Self { offset, entries, text, table, .. } = self;
        let entry = table.entry(
            spread(hash),
            |slot| slot.hash == hash && is_stored(entries, text, slot.id, kind, stored),
            |slot| spread(slot.hash),
        );
        match entry {
            hash_table::Entry::Occupied(entry) => TermId::from_index(*offset + entry.get().id as usize),
            hash_table::Entry::Vacant(entry) => {
                let own = TermId::from_index(entries.len());
                entry.insert(DictionarySlot { hash, id: own.number() });
                text.push_str(stored);
                entries.push(DictionaryEntry::new(text.len(), kind));
                TermId::from_index(*offset + own.index())
            }
        }
    }

    /// The stored text of a term: the lexical form with the prefix for its datatype or language.
    #[inline]
    pub(super) fn stored(&self, id: TermId) -> &str {
        match self.own_stored(id) {
            Some(own) => own,
            None => self.stored.as_ref().and_then(|files| files.text(id)).unwrap_or_default(),
        }
    }

    /// The stored text of a term that is in no file.
    #[inline]
    pub(super) fn own_stored(&self, id: TermId) -> Option<&str> {
        self.own_index(id).map(|index| stored_text(&self.entries, &self.text, index))
    }

    /// The index of a term in memory; none for a term in a file. A term that cannot be read from its file becomes a
    /// blank node without text, and the dataset keeps the fault.
    #[inline]
    fn own_index(&self, id: TermId) -> Option<usize> {
        id.index().checked_sub(self.offset).filter(|index| (1..self.entries.len()).contains(index))
    }
}

/// The IRI, or the lexical form of a literal of a kind, taken from its stored text.
#[inline]
pub(super) fn lexical_of(kind: RdfTermKind, stored: &str) -> &str {
    match kind {
        RdfTermKind::LangString => split_language_string(stored).1,
        RdfTermKind::OtherTyped => lexical_of_other_typed(stored),
        _ => stored,
    }
}

fn typed_literal(lexical: &str, datatype: &str) -> Term {
    Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
}

/// The blank node labelled `b` and the decimal number. Such a label consists of hexadecimal digits, and oxrdf keeps
/// those without a string on the heap.
pub(super) fn blank_node(id: TermId) -> BlankNode {
    let mut rest = id.number();
    let mut label = 0_u128;
    let mut shift = 0;
    while rest > 0 {
        label |= u128::from(rest % 10) << shift;
        rest /= 10;
        shift += 4;
    }
    BlankNode::new_from_unique_id(label | 0xb << shift)
}

fn store_language_string(stored: &mut String, language: &str, value: &str) {
    stored.clear();
    stored.push_str(language);
    stored.push('\0');
    stored.push_str(value);
}

pub(super) fn split_language_string(stored: &str) -> (&str, &str) {
    // A language string is always stored with its tag.
    stored.split_once('\0').unwrap_or(("und", stored))
}

pub(super) fn store_other_typed(stored: &mut String, datatype: TermId, lexical: &str) {
    stored.clear();
    for place in 0..DATATYPE_PREFIX {
        let bits = (datatype.number() >> (7 * place)) & 0x7f;
        stored.push(char::from(u8::try_from(bits).expect("seven bits fit a byte")));
    }
    stored.push_str(lexical);
}

pub(super) fn datatype_of_stored(stored: &str) -> TermId {
    let bytes = stored.as_bytes().get(..DATATYPE_PREFIX).unwrap_or_default();
    TermId::from_number(bytes.iter().rev().fold(0_u32, |number, byte| number << 7 | u32::from(*byte & 0x7f)))
}

pub(super) fn lexical_of_other_typed(stored: &str) -> &str {
    stored.get(DATATYPE_PREFIX..).unwrap_or_default()
}

#[inline]
fn stored_text<'t>(entries: &[DictionaryEntry], text: &'t str, index: usize) -> &'t str {
    &text[entries[index - 1].end()..entries[index].end()]
}

#[inline]
fn is_stored(entries: &[DictionaryEntry], text: &str, id: u32, kind: RdfTermKind, stored: &str) -> bool {
    let index = id as usize;
    entries[index].kind() == kind && stored_text(entries, text, index) == stored
}

/// Spreads a hash over 64 bits: the table uses the lowest bits and the seven highest ones.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
