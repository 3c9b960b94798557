//! Tests of many runs of the program try a share of them, so that `cargo test` takes minutes; with
//! `EVALGRAPH_SHARE=all`, as `.ci/run` has it, they try each.

use std::env;

/// How many of some cases one is tried of, where it is usually one of so many.
pub(crate) fn one_of(usual: usize) -> usize {
    if env::var_os("EVALGRAPH_SHARE").is_some_and(|share| share == "all") { 1 } else { usual }
}
