//! The threads that process documents.

/// The stack of each thread that processes documents: twice what the deepest nesting that
/// `--max-depth` allows needs in a debug build. The system gives only what is used.
pub(super) const STACK: usize = 128 << 20;

/// Begins the threads that work side by side. Documents may nest as deep on any of them as on the first. A pool that
/// is there already serves as well.
pub(super) fn begin_pool() {
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
}
