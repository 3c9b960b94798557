//! The threads that process documents, which any run of the process may use.

use std::sync::LazyLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::diagnostic::Report;

/// The stack of each thread that processes documents: twice what the deepest nesting that can be asked for needs in a
/// debug build. The system gives only what is used.
pub(crate) const STACK: usize = 128 << 20;

/// The most pieces that are held at once: on many cores, reading is what takes the time.
const MOST_SIDE_BY_SIDE: usize = 8;

/// None where the system gives no threads: the caller's do then.
static POOL: LazyLock<Option<ThreadPool>> =
    LazyLock::new(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok());

/// Runs work on the threads. Documents may nest as deep on any of them as on the first.
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Tells how many pieces of one file are worked on side by side.
pub(crate) fn side_by_side() -> usize {
    in_pool(rayon::current_num_threads).clamp(1, MOST_SIDE_BY_SIDE)
}

/// Does the work on all cores where there is more than one piece. Findings and results come in the
/// order of the pieces; a piece without result is at fault.
pub(crate) fn on_all_cores<T: Send, R: Send>(
    pieces: Vec<T>,
    report: &mut Report,
    work: impl Fn(T, &mut Report) -> Option<R> + Sync,
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
    let done: Vec<(Report, Option<R>)> = in_pool(|| pieces.into_par_iter().map(each).collect());
    let mut results = Vec::with_capacity(done.len());
    for (part, result) in done {
        report.absorb(part);
        results.extend(result);
    }
    results
}
