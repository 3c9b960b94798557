//! The names of a vocabulary, indexed so that a misspelt name is compared only with a few of them.

use super::term_kind::VocabularyTermKind;
use evalgraph_diagnostics::nearest::nearest_within;

/// Names with at least this many letters may differ by two edits.
const LONG: usize = 8;

#[derive(Debug)]
pub(super) struct SpellingIndex {
    names: Vec<IndexedName>,
}

#[derive(Debug)]
struct IndexedName {
    name: Box<str>,
    kind: VocabularyTermKind,
    letters: LetterSet,
}

impl SpellingIndex {
    /// Indexes names. If several are equally near, the first is taken to be meant.
    pub(super) fn from_names<'n>(names: impl Iterator<Item = (&'n str, VocabularyTermKind)>) -> Self {
        let known = names.map(|(name, kind)| IndexedName {
            name: name.into(),
            kind,
            letters: LetterSet::from_name(name),
        });
        Self { names: known.collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of one of these kinds that is near enough to a misspelt one.
    pub(super) fn nearest(&self, wrong: &str, kinds: &[VocabularyTermKind]) -> Option<&str> {
        let letters = LetterSet::from_name(wrong);
        let most_edits = if letters.count < LONG { 1 } else { 2 };
        let is_near =
            |known: &&IndexedName| kinds.contains(&known.kind) && known.letters.is_near(letters, most_edits);
        let offered = self.names.iter().filter(is_near).map(|known| &*known.name);
        nearest_within(most_edits, wrong, offered)
    }
}

/// The letters of a name in lower case, and their number: an edit changes the number by one and the set of letters by
/// two.
#[derive(Debug, Clone, Copy)]
struct LetterSet {
    set: u64,
    count: usize,
}

impl LetterSet {
    fn from_name(name: &str) -> Self {
        let mut letters = Self { set: 0, count: 0 };
        for letter in name.chars().flat_map(char::to_lowercase) {
            letters.set |= 1 << (u32::from(letter) % 64);
            letters.count += 1;
        }
        letters
    }

    fn is_near(self, other: Self, most_edits: usize) -> bool {
        self.count.abs_diff(other.count) <= most_edits
            && (self.set ^ other.set).count_ones() as usize <= 2 * most_edits
    }
}
