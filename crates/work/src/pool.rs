//! The threads that process documents. All runs of the process share them.

use std::sync::LazyLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use evalgraph_diagnostics::RunReport;

/// The stack of each thread that processes documents: twice the need of the deepest nesting that the options allow, in
/// a debug build. The system provides only the part that is used.
pub const STACK: usize = 128 << 20;

/// The most pieces that are held at once: with more cores, reading takes longer than the work.
const MOST_SIDE_BY_SIDE: usize = 8;

/// None where the system gives no threads: the caller's thread does the work then.
static POOL: LazyLock<Option<ThreadPool>> =
    LazyLock::new(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok());

/// Runs work on the threads, all of which have the same stack.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Tells how many pieces of one file are worked on side by side.
pub fn side_by_side() -> usize {
    in_pool(rayon::current_num_threads).clamp(1, MOST_SIDE_BY_SIDE)
}

/// Does the work on all cores where there is more than one piece. Findings and results keep the order of the
/// pieces; a piece that is at fault has no result.
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
