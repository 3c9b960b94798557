//! How generated cases are drawn: the same ones in every run, so that a run fails only for a change.
//! `PROPTEST_RNG_SEED=N` looks elsewhere.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// A number of cases, drawn from a fixed seed unless the environment names another one.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    match config.rng_seed {
        RngSeed::Random => ProptestConfig { rng_seed: RngSeed::Fixed(8), ..config },
        RngSeed::Fixed(_) => config,
    }
}
