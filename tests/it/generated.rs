//! Everything that is generated, one subject a file, and how many cases there are.
//!
//! Cases are the same ones in every run, so that a run fails only for a change. `EVALGRAPH_RANDOM=20000` makes each
//! comparison with other engines so many cases long, `EVALGRAPH_RANDOM=1@4711` makes case 4,711 alone.
//! Of what proptest draws, `PROPTEST_RNG_SEED=N` makes others.

pub(crate) mod choices;
pub(crate) mod compaction;
pub(crate) mod data;
pub(crate) mod documents;
pub(crate) mod expressions;
pub(crate) mod frames;
pub(crate) mod json_ld;
pub(crate) mod queries;
pub(crate) mod shaped_data;
pub(crate) mod shapes;
pub(crate) mod smaller;
pub(crate) mod updates;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use std::ops::Range;

/// A number of cases, drawn from a fixed seed unless the environment names another one.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    match config.rng_seed {
        RngSeed::Random => ProptestConfig { rng_seed: RngSeed::Fixed(8), ..config },
        RngSeed::Fixed(_) => config,
    }
}

/// The numbers of the cases of a comparison: a few, or those that `EVALGRAPH_RANDOM` asks for.
pub(crate) fn numbers(few: u64) -> Range<u64> {
    let Ok(asked) = std::env::var("EVALGRAPH_RANDOM") else { return 0..few };
    let number = |text: &str| -> u64 { text.parse().expect("EVALGRAPH_RANDOM is COUNT or COUNT@FIRST") };
    let (count, first) = match asked.split_once('@') {
        Some((count, first)) => (number(count), number(first)),
        None => (number(&asked), 0),
    };
    first..first + count
}
