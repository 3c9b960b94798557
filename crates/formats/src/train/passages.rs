//! The passages of a corpus file that questions quote. A passage that is part of a longer one is left out.

use hashbrown::{HashMap, HashSet};

/// Up to this number of passages, each is searched for in every other.
const FEW: usize = 64;

/// The odd factor of the rolling hash.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Distinct passages.
#[derive(Debug, Default)]
pub(super) struct CorpusPassages {
    /// The number of passages before each.
    places: HashMap<String, usize>,
}

impl CorpusPassages {
    pub(super) fn add(&mut self, text: &str) {
        let place = self.places.len();
        self.places.entry_ref(text).or_insert(place);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the passages that are not part of another, in the order of first occurrence.
    pub(super) fn into_texts(self) -> Vec<String> {
        let mut places: Vec<(String, usize)> = self.places.into_iter().collect();
        places.sort_unstable_by_key(|(_, place)| *place);
        let texts: Vec<&[u8]> = places.iter().map(|(text, _)| text.as_bytes()).collect();
        let parts = if texts.len() <= FEW { parts_of_few(&places) } else { parts_of_many(&texts) };
        let is_part: Vec<bool> = texts.iter().map(|text| parts.contains(text)).collect();
        let whole = places.iter().zip(is_part).filter(|(_, is_part)| !is_part);
        whole.map(|((text, _), _)| text.clone()).collect()
    }
}

/// Returns the texts that are parts of other texts.
fn parts_of_few(texts: &[(String, usize)]) -> HashSet<&[u8]> {
    let is_part = |text: &str| {
        let mut others = texts.iter().filter(|(other, _)| other.len() > text.len());
        others.any(|(other, _)| other.contains(text))
    };
    texts.iter().filter(|(text, _)| is_part(text)).map(|(text, _)| text.as_bytes()).collect()
}

/// Like [`parts_of_few`], but in time that grows only with the length of all texts, times the number of window lengths:
/// for each window length, a window moves over all texts. Texts are compared only where the hash of the window equals
/// that of the beginning of a text.
fn parts_of_many<'t>(texts: &[&'t [u8]]) -> HashSet<&'t [u8]> {
    let mut parts = HashSet::new();
    // The windows of a text are as long as the largest power of two that is not longer than the text.
    let mut by_length: HashMap<u32, Vec<&[u8]>> = HashMap::new();
    for &text in texts {
        match text.len().checked_ilog2() {
            Some(length) => by_length.entry(length).or_default().push(text),
            None => {
                parts.insert(text);
            }
        }
    }
    for (length, beginners) in by_length {
        let window = 1_usize << length;
        let mut beginnings: HashMap<u64, Vec<&[u8]>> = HashMap::new();
        for text in beginners {
            beginnings.entry(hash(&text[..window])).or_default().push(text);
        }
        beginnings.values_mut().for_each(|texts| texts.sort_unstable());
        for text in texts.iter().filter(|text| text.len() >= window) {
            for (at, hash) in windows(text, window).enumerate() {
                if let Some(beginning) = beginnings.get(&hash) {
                    parts.extend(longest_beginning(beginning, &text[at..], at == 0));
                }
            }
        }
    }
    parts
}

/// Returns the longest of the sorted texts that is a prefix of `text`; if `is_other`, a shorter one than `text`. There
/// is no need for the shorter prefixes, since they are parts of the result.
fn longest_beginning<'t>(sorted: &[&'t [u8]], text: &[u8], is_other: bool) -> Option<&'t [u8]> {
    let mut begin = text;
    let mut is_other = is_other;
    loop {
        let before = sorted.partition_point(|other| if is_other { *other < begin } else { *other <= begin });
        let found = sorted[..before].last()?;
        let common = found.iter().zip(begin).take_while(|(one, other)| one == other).count();
        if common == found.len() {
            return Some(found);
        }
        // A prefix of `text` cannot be longer than what both texts have in common.
        (begin, is_other) = (&begin[..common], false);
    }
}

fn hash(window: &[u8]) -> u64 {
    window.iter().fold(0, |hash, byte| step(hash, *byte))
}

fn step(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1)
}

/// Returns the hashes of the windows of a text that is at least as long as a window, each computed from the hash
/// before.
fn windows(text: &[u8], window: usize) -> impl Iterator<Item = u64> + '_ {
    let first = hash(&text[..window]);
    let gone = (0..window).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let moved = text[window..].iter().zip(text).scan(first, move |hash, (&next, &last)| {
        *hash = step(*hash, next).wrapping_sub(gone.wrapping_mul(u64::from(last) + 1));
        Some(*hash)
    });
    std::iter::once(first).chain(moved)
}

#[cfg(test)]
mod tests {
    use super::{CorpusPassages, parts_of_few, parts_of_many};

    #[test]
    fn many_texts_have_the_parts_that_few_have() {
        // Words of few letters are often parts of each other, and some begin alike.
        let mut state = 7_u32;
        let mut next = |limit: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % limit
        };
        for letters in [1, 2, 3, 20] {
            let mut word = || {
                let length = next(24);
                (0..length).map(|_| ["a", "b", "é", "c"][(next(letters) % 4) as usize]).collect::<String>()
            };
            let mut passages = CorpusPassages::default();
            (0..300).for_each(|_| passages.add(&word()));
            let texts: Vec<(String, usize)> = passages.places.into_iter().collect();
            let bytes: Vec<&[u8]> = texts.iter().map(|(text, _)| text.as_bytes()).collect();
            assert_eq!(parts_of_many(&bytes), parts_of_few(&texts), "{letters}");
        }
    }

    #[test]
    fn passages_come_once_in_their_order() {
        let mut passages = CorpusPassages::default();
        for text in ["b", "a long one", "long", "", "b", "another"] {
            passages.add(text);
        }
        assert_eq!(passages.into_texts(), ["b", "a long one", "another"]);
        let mut empty = CorpusPassages::default();
        empty.add("");
        assert_eq!(empty.into_texts(), [""]);
    }
}
