//! Runs long loops over columns on all cores. Columns are plain numbers, which threads can share. Code that reads the
//! store stays on one thread, since two would decompress the same blocks and skip the same triples. Joins stay there as
//! well: they wait for memory, and two threads wait as long as one. `CancellationTicker` is defined in `limits.rs`.

use rayon::prelude::*;

use super::limits::{CancellationTicker, SolutionTableError};

/// Shorter work, in the units of [`CancellationTicker::tick`], is done before another thread would wake up. In debug
/// builds the bound is low, so that tests also run on several threads.
const LONG: usize = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 22 };

/// With more threads, putting their parts together takes longer than the work.
const MOST_CORES: usize = 8;

impl CancellationTicker<'_> {
    /// Does work over all items, each of which costs `cost`: long work is divided into one piece for each core. Returns
    /// the length of the pieces. Concurrent queries share the threads.
    ///
    /// # Errors
    ///
    /// The errors of the work.
    pub(super) fn on_cores<T: Send>(
        &self,
        items: &mut [T],
        cost: usize,
        work: impl Fn(&mut [T], &CancellationTicker<'_>) -> Result<(), SolutionTableError> + Sync,
    ) -> Result<usize, SolutionTableError> {
        if items.len().saturating_mul(cost) < LONG {
            work(items, self)?;
            return Ok(items.len());
        }
        let length = items.len().div_ceil(rayon::current_num_threads().min(MOST_CORES));
        let cancellation = self.cancellation;
        items
            .par_chunks_mut(length)
            .try_for_each(|piece| work(piece, &CancellationTicker::new(cancellation)))?;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancellationToken;
    use evalgraph_diagnostics::Diagnostic;

    #[test]
    fn items_are_sorted_as_on_one_thread() {
        let cancellation = CancellationToken::new();
        let ticks = CancellationTicker::new(&cancellation);
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
        let cancellation = CancellationToken::new();
        let ticks = CancellationTicker::new(&cancellation);
        let mut items = vec![0_u32; 10_000];
        let work = |piece: &mut [u32], _: &CancellationTicker<'_>| {
            piece.iter_mut().for_each(|item| *item += 1);
            Ok(())
        };
        let length = ticks.on_cores(&mut items, 1, work).expect("nothing ends it");
        assert!(items.iter().all(|item| *item == 1));
        assert_eq!(length, 10_000_usize.div_ceil(rayon::current_num_threads().min(MOST_CORES)));
        cancellation.cancel(Diagnostic::error("bench::end", "it has to end"));
        let end = |_: &mut [u32], ticks: &CancellationTicker<'_>| ticks.tick(1);
        assert!(matches!(ticks.on_cores(&mut items, 1, end), Err(SolutionTableError::Failed(_))));
    }
}
