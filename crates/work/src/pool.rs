//! The threads that process documents. All runs of the process share them.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::per_process::PerProcess;
use evalgraph_diagnostics::RunReport;

/// The stack of each thread that processes documents: twice the need of the deepest nesting that the options allow, in
/// a debug build. The system provides only the part that is used.
pub const STACK: usize = 128 << 20;

/// The most pieces in memory at once. With more cores, reading takes longer than the work.
const MOST_SIDE_BY_SIDE: usize = 8;

/// `None` if the system gives no threads. The caller's thread then does the work.
static POOL: PerProcess<Option<ThreadPool>> = PerProcess::new();

/// Runs work on the pool's threads, which all have the same stack size.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match POOL.get_or_make(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok()) {
        Some(Some(pool)) => pool.install(work),
        _ => work(),
    }
}

/// Returns how many pieces of one file are processed in parallel.
pub fn side_by_side() -> usize {
    in_pool(rayon::current_num_threads).clamp(1, MOST_SIDE_BY_SIDE)
}

/// Does the work on all cores if there is more than one piece. Findings and results keep the order of the pieces. A
/// faulty piece has no result.
pub fn on_all_cores<T: Send, R: Send>(
    pieces: Vec<T>,
    report: &mut RunReport,
    work: impl Fn(T, &mut RunReport) -> Option<R> + Sync,
) -> Vec<R> {
    if pieces.len() <= 1 {
        return pieces.into_iter().filter_map(|piece| work(piece, report)).collect();
    }
    let empty = report.part();
    let each = |piece| {
        let mut part = empty.part();
        let result = work(piece, &mut part);
        (part, result)
    };
    let done: Vec<(RunReport, Option<R>)> = in_pool(|| pieces.into_par_iter().map(each).collect());
    let mut results = Vec::with_capacity(done.len());
    for (part, result) in done {
        report.absorb(part);
        results.extend(result);
    }
    results
}
