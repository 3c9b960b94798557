//! The balance of two sides of a graph, computed from the hashes of their triples. Its memory does not grow with the
//! graph.
//!
//! Triples that servers keep unchanged go into buckets. One side adds hashes and the other subtracts them, so a bucket
//! ends up empty if both sides are equal, and has the hash itself if only one triple is left in it. Triples with a
//! literal that a server may rewrite are kept by the hashes of both forms, at most [`MOST`] of them: this is the only
//! way to know which were rewritten, and which became one. If there are more, only a share of them is kept, and the
//! others count by their normal form only.

/// How many triples are kept at most. Each takes 24 bytes.
const MOST: usize = 1 << 21;

/// How many buckets there are. With few differences, two of them seldom share a bucket.
const BUCKETS: usize = 1 << 12;

/// The hash or hashes of a triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TripleHashes {
    /// No server rewrites the triple.
    Plain(u128),
    /// A server may rewrite its literal.
    Changeable { normal: u64, exact: u64 },
}

/// The immediate result for a triple of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerTripleMatch {
    Same,
    /// It was rewritten.
    Changed,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct BalanceBucket {
    sum: u128,
    count: i64,
}

/// A local triple. Of the triples with the same normal form, the first counts the triples of the server that have this
/// form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ChangeableTriple {
    normal: u64,
    exact: u64,
    seen: u32,
}

/// The balance: the local triples first, then those of the server.
#[derive(Debug)]
pub(super) struct TripleBalance {
    buckets: Vec<BalanceBucket>,
    entries: Vec<ChangeableTriple>,
    /// Entries whose normal hash has any of these bits are left out.
    left_out: u64,
    most: usize,
}

impl TripleBalance {
    pub(super) fn new() -> Self {
        Self {
            buckets: vec![BalanceBucket::default(); BUCKETS],
            entries: Vec::new(),
            left_out: 0,
            most: MOST,
        }
    }

    /// Adds a local triple.
    pub(super) fn add(&mut self, triple: TripleHashes) {
        match triple {
            TripleHashes::Changeable { normal, exact } if normal & self.left_out == 0 => {
                self.entries.push(ChangeableTriple { normal, exact, seen: 0 });
                if self.entries.len() > self.most {
                    self.halve();
                }
            }
            plain => self.bucket(plain.plain(), 1),
        }
    }

    /// Drops half of the entries.
    fn halve(&mut self) {
        self.left_out = self.left_out << 1 | 1;
        for entry in std::mem::take(&mut self.entries) {
            if entry.normal & self.left_out == 0 {
                self.entries.push(entry);
            } else {
                // `take` subtracts the triples of the server with such a hash from the same bucket.
                self.bucket(u128::from(entry.normal), 1);
            }
        }
    }

    fn bucket(&mut self, hash: u128, count: i64) {
        let bucket = &mut self.buckets[Self::place(hash)];
        bucket.count += count;
        bucket.sum = if count > 0 { bucket.sum.wrapping_add(hash) } else { bucket.sum.wrapping_sub(hash) };
    }

    fn place(hash: u128) -> usize {
        // Entries are left out by their lowest bits, so the bucket is chosen by the bits above.
        (hash >> 32) as usize % BUCKETS
    }

    /// Ends the local triples.
    pub(super) fn end(&mut self) {
        self.entries.sort_unstable();
    }

    /// Adds a triple of the server.
    pub(super) fn take(&mut self, triple: TripleHashes) -> ServerTripleMatch {
        if let TripleHashes::Changeable { normal, exact } = triple
            && normal & self.left_out == 0
        {
            let class = self.class(normal);
            if let Some(first) = class.first_mut() {
                first.seen = first.seen.saturating_add(1);
                let is_same = class.iter().any(|entry| entry.exact == exact);
                return if is_same { ServerTripleMatch::Same } else { ServerTripleMatch::Changed };
            }
        }
        self.bucket(triple.plain(), -1);
        ServerTripleMatch::Same
    }

    /// The entries with a normal form.
    fn class(&mut self, normal: u64) -> &mut [ChangeableTriple] {
        let start = self.entries.partition_point(|entry| entry.normal < normal);
        let length = self.entries[start..].iter().take_while(|entry| entry.normal == normal).count();
        &mut self.entries[start..start + length]
    }

    /// Returns whether the sides are equal, judging by the hashes.
    pub(super) fn is_even(&self) -> bool {
        self.buckets.iter().all(|bucket| *bucket == BalanceBucket::default())
            // Servers may merge triples with one normal form, but they must not add any.
            && self.classes().all(|class| is_whole(class) && class[0].seen as usize <= class.len())
    }

    fn classes(&self) -> impl Iterator<Item = &[ChangeableTriple]> {
        self.entries.chunk_by(|left, right| left.normal == right.normal)
    }

    /// Returns how many local triples became one with another local triple.
    pub(super) fn merged(&self) -> u64 {
        self.classes().map(|class| (class.len() as u64).saturating_sub(class[0].seen.into())).sum()
    }

    /// Returns whether only a share of the rewritten triples is known.
    pub(super) fn is_share(&self) -> bool {
        self.left_out != 0
    }

    /// Returns whether a local triple is known to be missing on the server. If there are many differences, they mask
    /// each other.
    pub(super) fn is_missing(&mut self, triple: TripleHashes) -> bool {
        match triple {
            TripleHashes::Changeable { normal, .. } if normal & self.left_out == 0 => {
                !is_whole(self.class(normal))
            }
            plain => {
                self.buckets[Self::place(plain.plain())] == BalanceBucket { sum: plain.plain(), count: 1 }
            }
        }
    }
}

/// Returns whether the server has all triples that cannot have become one. Triples that differ only in blank nodes can
/// be equal here.
fn is_whole(class: &[ChangeableTriple]) -> bool {
    let alike = class.chunk_by(|left, right| left.exact == right.exact).map(<[ChangeableTriple]>::len).max();
    class.first().map_or(0, |first| first.seen as usize) >= alike.unwrap_or(0)
}

impl TripleHashes {
    /// The hash that counts in the bucket.
    fn plain(self) -> u128 {
        match self {
            Self::Plain(hash) => hash,
            Self::Changeable { normal, .. } => normal.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use twox_hash::{XxHash3_64, XxHash3_128};

    use super::*;

    fn plain(text: &str) -> TripleHashes {
        TripleHashes::Plain(XxHash3_128::oneshot(text.as_bytes()))
    }

    /// A triple with a number in some lexical form.
    fn number(number: u32, form: &str) -> TripleHashes {
        let normal = XxHash3_64::oneshot(number.to_string().as_bytes());
        TripleHashes::Changeable { normal, exact: XxHash3_64::oneshot(format!("{number}{form}").as_bytes()) }
    }

    fn tally(ours: impl IntoIterator<Item = TripleHashes>, most: usize) -> TripleBalance {
        let mut tally = TripleBalance { most, ..TripleBalance::new() };
        ours.into_iter().for_each(|triple| tally.add(triple));
        tally.end();
        tally
    }

    #[test]
    fn a_missing_triple_and_one_too_many_are_differences() {
        let ours = [plain("a"), plain("b"), number(1, ""), number(2, "")];
        let full = |skipped: Option<usize>| {
            let mut tally = tally(ours, MOST);
            ours.iter().enumerate().filter(|(at, _)| Some(*at) != skipped).for_each(|(_, triple)| {
                assert_eq!(tally.take(*triple), ServerTripleMatch::Same);
            });
            tally
        };
        assert!(full(None).is_even());
        for (at, triple) in ours.iter().enumerate() {
            let mut lacking = full(Some(at));
            assert!(!lacking.is_even(), "{triple:?}");
            let missing: Vec<_> = ours.iter().filter(|ours| lacking.is_missing(**ours)).collect();
            assert_eq!(missing, [triple]);
            let mut double = full(None);
            double.take(*triple);
            assert!(!double.is_even(), "{triple:?}");
        }
        let mut strange = full(None);
        strange.take(number(3, ""));
        assert!(!strange.is_even());
    }

    #[test]
    fn changed_triples_are_counted_and_may_become_one() {
        let mut tally = tally([number(1, "a"), number(1, "b"), number(2, "a"), number(3, "a")], MOST);
        let seen = [number(1, "b"), number(2, "c"), number(3, "a")].map(|triple| tally.take(triple));
        assert_eq!(seen, [ServerTripleMatch::Same, ServerTripleMatch::Changed, ServerTripleMatch::Same]);
        assert!(tally.is_even());
        assert_eq!(tally.merged(), 1);
    }

    #[test]
    fn triples_whose_blank_nodes_differ_do_not_become_one() {
        let mut tally = tally([number(1, ""), number(1, "")], MOST);
        tally.take(number(1, ""));
        assert!(!tally.is_even());
        tally.take(number(1, ""));
        assert!(tally.is_even());
    }

    #[test]
    fn more_triples_than_are_kept_are_compared_all_the_same() {
        let numbers = |form: &'static str| (0..10_000).map(move |at| number(at, form));
        let mut even = tally(numbers("a"), 100);
        assert!(even.is_share() && even.entries.len() <= 100 && !even.entries.is_empty());
        let changed = numbers("b").filter(|triple| even.take(*triple) == ServerTripleMatch::Changed).count();
        assert_eq!(changed, even.entries.len());
        assert!(even.is_even());
        let mut uneven = tally(numbers("a"), 100);
        numbers("b").skip(1).for_each(|triple| _ = uneven.take(triple));
        assert!(!uneven.is_even());
    }
}
