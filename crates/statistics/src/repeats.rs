//! Repeats of one sample (epochs): their average, and the probability that some or all of several attempts succeed.

use crate::sums::mean;

/// Returns the average of each sample's repeats, `None` for a sample without finite scores. A score that is not finite
/// is left out. Repeats of a sample depend on each other, so a comparison counts the sample once, with this average.
///
/// ```
/// use evalgraph_statistics::averaged_repeats;
///
/// let samples = [vec![1.0, 0.0, 1.0, 0.0], vec![f64::NAN, 1.0], vec![]];
/// assert_eq!(averaged_repeats(&samples), [Some(0.5), Some(1.0), None]);
/// ```
pub fn averaged_repeats(samples: &[Vec<f64>]) -> Vec<Option<f64>> {
    let finite =
        |repeats: &Vec<f64>| repeats.iter().copied().filter(|score| score.is_finite()).collect::<Vec<_>>();
    samples.iter().map(|repeats| mean(&finite(repeats))).collect()
}

/// Returns the unbiased estimate of the probability that at least one of `k` attempts succeeds, if `successes` of
/// `attempts` did: `1 - C(attempts - successes, k) / C(attempts, k)` (Chen et al. 2021, "Evaluating Large Language
/// Models Trained on Code", arXiv 2107.03374, section 2.1).
///
/// `None` if `k` exceeds the attempts, or the successes do. The cost is the smaller of `k` and the successes, in steps.
///
/// ```
/// use evalgraph_statistics::{pass_all, pass_at};
///
/// assert!(pass_at(2, 4, 2).is_some_and(|share| (share - 5.0 / 6.0).abs() < 1e-15));
/// assert!(pass_all(2, 4, 2).is_some_and(|share| (share - 1.0 / 6.0).abs() < 1e-15));
/// assert_eq!(pass_at(5, 4, 2), None);
/// ```
pub fn pass_at(k: u32, attempts: u32, successes: u32) -> Option<f64> {
    let failures = attempts.checked_sub(successes)?;
    let logarithm = logarithm_of_all(k, attempts, failures)?;
    // 1 - e^x is 0 for 0, and not -0.
    Some(0.0 - logarithm.exp_m1())
}

/// Returns the unbiased estimate of the probability that all of `k` attempts succeed (pass^k), if `successes` of
/// `attempts` did: `C(successes, k) / C(attempts, k)` (Yao et al. 2024, "τ-bench", arXiv 2406.12045).
///
/// `None` and the cost are those of [`pass_at`], with failures for successes.
pub fn pass_all(k: u32, attempts: u32, successes: u32) -> Option<f64> {
    logarithm_of_all(k, attempts, successes).map(f64::exp)
}

/// The logarithm of `C(chosen, k) / C(all, k)`: the probability that `k` of all are among the chosen ones.
fn logarithm_of_all(k: u32, all: u32, chosen: u32) -> Option<f64> {
    let others = all.checked_sub(chosen).filter(|_| k <= all)?;
    let (fewer, more) = (k.min(others), k.max(others));
    if more > all - fewer {
        return Some(f64::NEG_INFINITY);
    }
    let mut logarithm = 0.0;
    for step in 0..fewer {
        logarithm += (-f64::from(more) / f64::from(all - step)).ln_1p();
        if logarithm < -800.0 {
            return Some(f64::NEG_INFINITY);
        }
    }
    Some(logarithm)
}
