//! Finds pairs of texts that are nearly the same: their sets of shingles, runs of three characters of the folded
//! text, have a Jaccard similarity of at least a threshold.
//!
//! The result is exact. Two sets can only be that similar if they share one of the few rarest shingles of each (prefix
//! filtering: Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", 2007), so only such pairs are compared.

use crate::folded;
use hashbrown::HashMap;

/// How many characters a shingle has. The questions of a dataset are short: one changed character in a text of eighty
/// leaves a similarity of 0.93.
const SHINGLE: usize = 3;

/// Two texts that are nearly the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPair {
    /// The index of the first text.
    pub first: usize,
    /// The index of the other text, which comes after the first one.
    pub second: usize,
    /// The similarity: the number of common shingles, divided by the number of distinct shingles of both.
    pub similarity: f64,
}

/// The greatest number of pairs that is returned.
pub const MOST_PAIRS: usize = 1_000_000;

/// Returns all pairs of texts with at least a similarity, which is above 0 and at most 1, by their second and first
/// text. Empty texts are in no pair. Returns `None` if there are more than [`MOST_PAIRS`].
///
/// ```
/// use evalgraph_text_keys::near_texts::near_pairs;
///
/// let texts = ["When was the first bridge built?", "When was the first bridge built??", "Who built it?"];
/// let pairs = near_pairs(&texts, 0.9).unwrap_or_default();
/// assert_eq!(pairs.len(), 1);
/// assert_eq!((pairs[0].first, pairs[0].second), (0, 1));
/// ```
pub fn near_pairs(texts: &[&str], least: f64) -> Option<Vec<NearPair>> {
    let sets = shingle_sets(texts);
    let mut by_size: Vec<usize> = (0..sets.len()).filter(|&text| !sets[text].is_empty()).collect();
    by_size.sort_by_key(|&text| sets[text].len());
    // The texts that have a shingle among their rarest ones.
    let mut having: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut last_compared_with = vec![usize::MAX; sets.len()];
    let mut pairs = Vec::new();
    for &text in &by_size {
        let set = &sets[text];
        let least_size = (least * set.len() as f64 - ROUNDING).ceil() as usize;
        let rarest = &set[..set.len() + 1 - least_size.clamp(1, set.len())];
        for shingle in rarest {
            let others = having.entry(*shingle).or_default();
            for &other in others.iter().filter(|&&other| sets[other].len() >= least_size) {
                if std::mem::replace(&mut last_compared_with[other], text) == text {
                    continue;
                }
                if let Some(similarity) = similarity(set, &sets[other], least) {
                    let (first, second) = (text.min(other), text.max(other));
                    pairs.push(NearPair { first, second, similarity });
                }
            }
            if pairs.len() > MOST_PAIRS {
                return None;
            }
            others.push(text);
        }
    }
    pairs.sort_by_key(|pair| (pair.second, pair.first));
    Some(pairs)
}

/// What a product of a threshold and a size may be above the exact number.
const ROUNDING: f64 = 1e-9;

/// The similarity of two sets, or `None` if it is below a threshold.
fn similarity(one: &[u32], other: &[u32], least: f64) -> Option<f64> {
    let total = one.len() + other.len();
    // From `common / (total - common) >= least`.
    let needed = (least * total as f64 / (1.0 + least) - ROUNDING).ceil() as usize;
    let (mut common, mut at, mut other_at) = (0, 0, 0);
    while at < one.len() && other_at < other.len() {
        if common + (one.len() - at).min(other.len() - other_at) < needed {
            return None;
        }
        match one[at].cmp(&other[other_at]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => other_at += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                at += 1;
                other_at += 1;
            }
        }
    }
    (common >= needed).then(|| common as f64 / (total - common) as f64)
}

/// The shingles of each text as numbers, sorted: the rarest shingle of all texts has the lowest number.
fn shingle_sets(texts: &[&str]) -> Vec<Vec<u32>> {
    let mut numbers: HashMap<[char; SHINGLE], u32> = HashMap::new();
    let mut counts: Vec<u32> = Vec::new();
    let mut sets: Vec<Vec<u32>> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut set = Vec::new();
        for shingle in shingles(text) {
            let number = *numbers.entry(shingle).or_insert_with(|| {
                counts.push(0);
                counts.len() as u32 - 1
            });
            set.push(number);
        }
        set.sort_unstable();
        set.dedup();
        set.iter().for_each(|&number| counts[number as usize] += 1);
        sets.push(set);
    }
    let mut order: Vec<u32> = (0..counts.len() as u32).collect();
    order.sort_by_key(|&number| counts[number as usize]);
    let mut ranks = vec![0; order.len()];
    for (rank, &number) in (0..).zip(&order) {
        ranks[number as usize] = rank;
    }
    for set in &mut sets {
        set.iter_mut().for_each(|number| *number = ranks[*number as usize]);
        set.sort_unstable();
    }
    sets
}

/// The shingles of a text. A text that is shorter than a shingle is one, padded with NUL.
fn shingles(text: &str) -> Vec<[char; SHINGLE]> {
    let characters: Vec<char> = folded(text).chars().collect();
    match characters.as_slice() {
        [] => Vec::new(),
        short if short.len() < SHINGLE => {
            let mut padded = ['\0'; SHINGLE];
            padded[..short.len()].copy_from_slice(short);
            vec![padded]
        }
        long => long.windows(SHINGLE).map(|window| [window[0], window[1], window[2]]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every text with every other.
    fn by_brute_force(texts: &[&str], least: f64) -> Vec<NearPair> {
        let sets: Vec<std::collections::HashSet<[char; SHINGLE]>> =
            texts.iter().map(|text| shingles(text).into_iter().collect()).collect();
        let mut pairs = Vec::new();
        for second in 0..sets.len() {
            for first in 0..second {
                let common = sets[first].intersection(&sets[second]).count();
                let all = sets[first].union(&sets[second]).count();
                let similarity = common as f64 / all as f64;
                if all > 0 && common > 0 && similarity >= least {
                    pairs.push(NearPair { first, second, similarity });
                }
            }
        }
        pairs
    }

    #[test]
    fn one_changed_character_of_eighty_is_near() {
        let text = "In which year did the railway between the two harbour towns of Westhaven open again?";
        let changed = text.replace("again", "anain");
        let pairs = near_pairs(&[text, &changed], 0.9).unwrap_or_default();
        let [pair] = pairs[..] else { panic!("one pair") };
        assert!(pair.similarity > 0.9 && pair.similarity < 1.0);
    }

    #[test]
    fn case_and_white_space_do_not_count() {
        let pairs = near_pairs(&["What  is it?", "WHAT IS IT?", "", " ", "a", "A"], 1.0).unwrap_or_default();
        let found: Vec<_> = pairs.iter().map(|pair| [pair.first, pair.second]).collect();
        assert_eq!(found, [[0, 1], [4, 5]]);
    }

    proptest::proptest! {
        #[test]
        fn pairs_are_those_of_brute_force(
            texts in proptest::collection::vec("[abc ]{0,12}|when was (the|a) [ab]{1,2} built\\?", 0..40),
            least in proptest::sample::select(vec![0.3, 0.5, 0.75, 0.8, 0.9, 1.0]),
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            proptest::prop_assert_eq!(near_pairs(&texts, least), Some(by_brute_force(&texts, least)));
        }
    }
}
