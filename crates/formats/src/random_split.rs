//! Splits records at random into two parts, one to train on and one to test with. The same records, share and seed
//! give the same parts on any machine.
//!
//! The numbers come from SplitMix64 (Steele, Lea and Flood, 2014), the order from a Fisher-Yates shuffle. Both are
//! short, and neither will change. Each part keeps the order of the file.

use crate::checkpoint::CheckpointDialect;
use crate::file_records::FileRecords;
use evalgraph_json::JsonDocument;

/// A sequence of pseudorandom numbers.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next number.
    ///
    /// ```
    /// use evalgraph_formats::random_split::SplitMix64;
    ///
    /// let mut numbers = SplitMix64::new(1234567);
    /// assert_eq!(numbers.next_number(), 6457827717110365317);
    /// assert_eq!(numbers.next_number(), 3203168211198807973);
    /// ```
    pub fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.state;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// Returns a number below a bound. All are equally likely: numbers in the last, incomplete run of the bound are
    /// skipped.
    fn below(&mut self, bound: u64) -> u64 {
        let left_out = (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next_number();
            if number <= u64::MAX - left_out {
                return number % bound;
            }
        }
    }
}

/// Draws a share of the records to train on, rounded down; returns their indexes in order.
pub fn drawn(records: usize, share: f64, seed: u64) -> Vec<usize> {
    chosen(records, (records as f64 * share.clamp(0.0, 1.0)).floor() as usize, seed)
}

/// Draws `count` of the records, or all if there are fewer; returns their indexes in order.
pub fn chosen(records: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut numbers = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..records).collect();
    for last in (1..records).rev() {
        order.swap(last, numbers.below(last as u64 + 1) as usize);
    }
    order.truncate(count);
    order.sort_unstable();
    order
}

/// The two parts of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct RandomSplit {
    /// The number of records in each part: to train on, to test with.
    pub counts: [usize; 2],
    /// The texts of the parts.
    pub texts: [String; 2],
    /// `true` if the file had statistics of its samples. Each part then has its own statistics.
    pub has_new_statistics: bool,
}

/// Splits a file of records: an array, JSON lines, a table, or a dataset of a system. Returns `None` for any other file.
pub fn random_split(document: &JsonDocument, share: f64, seed: u64) -> Option<RandomSplit> {
    let list = FileRecords::from_document(document, CheckpointDialect::None).ok()?;
    let drawn = drawn(list.len(), share, seed);
    let is_drawn = |at: &usize| drawn.binary_search(at).is_ok();
    let parts: [Vec<usize>; 2] = [true, false].map(|wanted| {
        let records = (0..list.len()).filter(|at| is_drawn(at) == wanted);
        records.collect()
    });
    let texts = parts.each_ref().map(|records| list.text_with(records).0);
    Some(RandomSplit {
        counts: parts.map(|records| records.len()),
        texts,
        has_new_statistics: list.has_statistics(),
    })
}

#[cfg(test)]
mod tests {
    use super::{SplitMix64, drawn};

    #[test]
    fn the_parts_of_a_seed_are_these_on_every_machine() {
        assert_eq!(drawn(10, 0.8, 42), drawn(10, 0.8, 42));
        assert_eq!(drawn(10, 0.3, 42).len(), 3);
        assert!(drawn(0, 0.8, 42).is_empty());
        assert_eq!(drawn(3, 1.0, 1), [0, 1, 2]);
        assert!(drawn(3, 0.0, 1).is_empty());
        assert_ne!(drawn(100, 0.5, 1), drawn(100, 0.5, 2));
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut numbers = SplitMix64::new(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[numbers.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
