//! CPU time of a piece of work: of the whole process, so that threads are paid for.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::time::Duration;

/// The least CPU time of a few runs. `prepare` and the drop of the answer are not timed.
///
/// The least, because whatever else the machine does can only add.
pub(crate) fn cpu_time<P, R>(
    runs: usize,
    mut prepare: impl FnMut() -> P,
    mut work: impl FnMut(P) -> R,
) -> Duration {
    (0..runs.max(1))
        .map(|_| {
            let prepared = prepare();
            let start = ProcessTime::now();
            let answer = black_box(work(prepared));
            let time = start.elapsed();
            drop(answer);
            time
        })
        .min()
        .unwrap_or_default()
}
