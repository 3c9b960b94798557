//! The names of a vocabulary, prepared so that the one that was probably meant is found without looking at all.

use super::term_kind::TermKind;
use evalgraph_diagnostics::nearest::nearest_within;

/// Names with at least this many letters may have two edits.
const LONG: usize = 8;

#[derive(Debug)]
pub(super) struct Spelling {
    names: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    name: Box<str>,
    kind: TermKind,
    letters: Letters,
}

impl Spelling {
    /// Prepares names; of names equally near the first is the one that was meant.
    pub(super) fn of<'n>(names: impl Iterator<Item = (&'n str, TermKind)>) -> Self {
        let known = names.map(|(name, kind)| Known { name: name.into(), kind, letters: Letters::of(name) });
        Self { names: known.collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of one of these kinds that is near enough to a misspelt one.
    pub(super) fn nearest(&self, wrong: &str, kinds: &[TermKind]) -> Option<&str> {
        let letters = Letters::of(wrong);
        let most_edits = if letters.count < LONG { 1 } else { 2 };
        let is_near =
            |known: &&Known| kinds.contains(&known.kind) && known.letters.is_near(letters, most_edits);
        let offered = self.names.iter().filter(is_near).map(|known| &*known.name);
        nearest_within(most_edits, wrong, offered)
    }
}

/// Which letters a name has, in lower case, and how many: an edit changes the number by one and the letters by two.
#[derive(Debug, Clone, Copy)]
struct Letters {
    set: u64,
    count: usize,
}

impl Letters {
    fn of(name: &str) -> Self {
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
