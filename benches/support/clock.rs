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
    (0..runs.max(1)).map(|_| once(&mut prepare, &mut work)).min().unwrap_or_default()
}

/// The least CPU time of two pieces of work, run in turns, so that whatever the machine does besides
/// meets both.
pub(crate) fn in_turns<P, R, S>(
    runs: usize,
    mut prepare: impl FnMut() -> P,
    mut ours: impl FnMut(P) -> R,
    mut theirs: impl FnMut() -> S,
) -> (Duration, Duration) {
    (0..runs.max(1)).fold((Duration::MAX, Duration::MAX), |least, _| {
        let times = (once(&mut prepare, &mut ours), once(&mut || (), &mut |()| theirs()));
        (least.0.min(times.0), least.1.min(times.1))
    })
}

fn once<P, R>(prepare: &mut impl FnMut() -> P, work: &mut impl FnMut(P) -> R) -> Duration {
    let prepared = prepare();
    let start = ProcessTime::now();
    let answer = black_box(work(prepared));
    let time = start.elapsed();
    drop(answer);
    time
}
