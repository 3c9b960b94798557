//! What a number of pairs can show: the power of a comparison, its smallest detectable difference, and the pairs that a
//! difference needs.

use crate::special_functions::{normal_upper_quantile, normal_upper_tail};

/// How sure a comparison has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerGoal {
    /// The share of comparisons without a difference that may be reported as different: 0.05.
    pub alpha: f64,
    /// The share of comparisons with a difference that has to be reported as different: 0.8.
    pub power: f64,
}

impl Default for PowerGoal {
    fn default() -> Self {
        Self { alpha: 0.05, power: 0.8 }
    }
}

/// Returns the smallest difference of means that is found with the power, if the mean difference has this standard
/// error: `(z(1 - alpha / 2) + z(power)) * standard_error`, by the normal approximation (Miller 2024, arXiv 2411.00640,
/// on power analysis). With the standard deviation of the differences, the standard error is that by the square root of
/// the number of pairs; with clusters, it is the clustered one.
///
/// `None` if the error is negative or not finite, or alpha or the power is not between 0 and 1.
pub fn smallest_detectable(standard_error: f64, goal: &PowerGoal) -> Option<f64> {
    let smallest = quantiles(goal)? * standard_error;
    (smallest.is_finite() && smallest >= 0.0).then_some(smallest)
}

fn quantiles(goal: &PowerGoal) -> Option<f64> {
    let is_share = |share: f64| share > 0.0 && share < 1.0;
    let is_valid = is_share(goal.alpha) && is_share(goal.power) && goal.power > goal.alpha / 2.0;
    is_valid.then(|| normal_upper_quantile(goal.alpha / 2.0) - normal_upper_quantile(goal.power))
}

/// Returns the power of a two-sided test: the probability that a difference is reported, if the mean difference has
/// this standard error, by the normal approximation. Both directions count, so the power for no difference is alpha.
///
/// `None` if a value is not finite, the error is not above 0, or alpha is not between 0 and 1.
pub fn power_for_difference(difference: f64, standard_error: f64, alpha: f64) -> Option<f64> {
    let is_valid = difference.is_finite() && standard_error > 0.0 && alpha > 0.0 && alpha < 1.0;
    let steps = difference / standard_error;
    let quantile = normal_upper_quantile(alpha / 2.0);
    let power = normal_upper_tail(quantile - steps) + normal_upper_tail(quantile + steps);
    (is_valid && power.is_finite()).then(|| power.min(1.0))
}

/// Returns the number of pairs that a difference of means needs to be found with the power, if the differences of pairs
/// have this standard deviation: `((z(1 - alpha / 2) + z(power)) * deviation / difference)^2`, rounded up (Miller 2024,
/// on power analysis). At least 2.
///
/// `None` if a value is not finite, the difference is 0, or the number exceeds 2^53.
pub fn pairs_needed(difference: f64, deviation: f64, goal: &PowerGoal) -> Option<u64> {
    let ratio = quantiles(goal)? * deviation / difference;
    let pairs = (ratio * ratio).ceil().max(2.0);
    let is_valid = difference != 0.0 && ratio.is_finite() && deviation >= 0.0 && pairs <= 2_f64.powi(53);
    is_valid.then_some(pairs as u64)
}
