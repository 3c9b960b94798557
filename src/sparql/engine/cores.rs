//! Long loops over columns on all cores. Columns are plain numbers, which threads can share; what looks at the store stays on one
//! thread, since two would decompress the same blocks and skip the same triples. Joins stay there as well: memory is what they wait
//! for, and two threads do that as long as one.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, ScopedJoinHandle, available_parallelism};

use super::limits::{Ticks, Unfit};

/// Work that is shorter, in the units of [`Ticks::tick`], is done before a thread has begun. In debug builds little work is long, so that
/// tests meet the seams.
const LONG: usize = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 22 };

/// With more threads, putting their parts together takes longer than the work.
const MOST_CORES: usize = 8;

static CORES: LazyLock<usize> =
    LazyLock::new(|| available_parallelism().map_or(1, usize::from).min(MOST_CORES));

/// Whether a loop is on all cores: queries side by side have the cores already.
static IS_SPREAD: AtomicBool = AtomicBool::new(false);

/// The right to be on all cores, until it is dropped.
struct Turn;

impl Turn {
    fn take() -> Option<Self> {
        (!IS_SPREAD.swap(true, Ordering::Acquire)).then_some(Self)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        IS_SPREAD.store(false, Ordering::Release);
    }
}

impl Ticks<'_> {
    /// Does work over all items, each of which costs so much: at once, or over a piece on each core where the work is long. Returns the length
    /// of the pieces.
    ///
    /// # Errors
    ///
    /// Those of the work.
    pub(super) fn on_cores<T: Send>(
        &self,
        items: &mut [T],
        cost: usize,
        work: impl Fn(&mut [T], &Ticks<'_>) -> Result<(), Unfit> + Sync,
    ) -> Result<usize, Unfit> {
        let is_long = items.len().saturating_mul(cost) >= LONG;
        let Some(_turn) = (is_long && *CORES > 1).then(Turn::take).flatten() else {
            work(items, self)?;
            return Ok(items.len());
        };
        let length = items.len().div_ceil(*CORES);
        let (work, cancellation) = (&work, self.cancellation);
        let (first, others) = items.split_at_mut(length);
        let has_thread: Vec<bool> = std::thread::scope(|scope| {
            let begin =
                |piece| Builder::new().spawn_scoped(scope, move || work(piece, &Ticks::of(cancellation)));
            let threads: Vec<_> = others.chunks_mut(length).map(|piece| begin(piece).ok()).collect();
            work(first, self)?;
            threads
                .into_iter()
                .map(|thread| thread.map_or(Ok(false), |thread| joined(thread).map(|()| true)))
                .collect::<Result<_, Unfit>>()
        })?;
        // The system may have no more threads.
        for (piece, _) in others.chunks_mut(length).zip(has_thread).filter(|(_, has_thread)| !has_thread) {
            work(piece, self)?;
        }
        Ok(length)
    }
}

fn joined(thread: ScopedJoinHandle<'_, Result<(), Unfit>>) -> Result<(), Unfit> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::sparql::Cancellation;

    #[test]
    fn items_are_sorted_as_on_one_thread() {
        let cancellation = Cancellation::new();
        let ticks = Ticks::of(&cancellation);
        for length in [0, 1, 2, 204, 205, 1024, 1025, 5000, 20_001] {
            // Equal keys tell whether the order is kept.
            let mut items: Vec<(u32, u32)> =
                (0..length).map(|at: u32| (at.wrapping_mul(2_654_435_761) % 97, at)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            assert!(ticks.sort(&mut items, 1, |one, other| one.0.cmp(&other.0)).is_ok());
            assert_eq!(items, expected, "{length}");
        }
    }

    #[test]
    fn each_item_is_worked_on_once_and_an_end_is_passed_on() {
        let cancellation = Cancellation::new();
        let ticks = Ticks::of(&cancellation);
        let mut items = vec![0_u32; 10_000];
        let work = |piece: &mut [u32], _: &Ticks<'_>| {
            piece.iter_mut().for_each(|item| *item += 1);
            Ok(())
        };
        let length = ticks.on_cores(&mut items, 1, work).expect("nothing ends it");
        assert!(items.iter().all(|item| *item == 1));
        // Others may have the cores.
        assert!([10_000_usize.div_ceil(*CORES), 10_000].contains(&length));
        cancellation.cancel(Diagnostic::error("bench::end", "it was told to end"));
        let end = |_: &mut [u32], ticks: &Ticks<'_>| ticks.tick(1);
        assert!(matches!(ticks.on_cores(&mut items, 1, end), Err(Unfit::Failed(_))));
    }
}
