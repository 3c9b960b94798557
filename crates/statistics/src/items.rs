//! Which samples tell models apart, and how far two orders of models agree.

use crate::sums::{mean, sum_of};

/// What the results of several models say about one sample (an item of a test).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemStatistics {
    /// The number of models with a score for the item.
    pub scores: usize,
    /// The mean score: for outcomes, the share of models that are right. A small number is a difficult item.
    pub difficulty: Option<f64>,
    /// The correlation between the item's scores and the models' mean scores of all other items, from -1 to 1; for
    /// outcomes, it is the point-biserial correlation. Below 0, better models fail: the item's answer may be wrong.
    /// `None` if fewer than two models have both, or one of them does not vary.
    pub discrimination: Option<f64>,
}

/// Returns the statistics of each item. `items` has a row for each item, with one score for each model, in the same
/// order in all rows; a missing score, or one that is not finite, is not counted. With all scores, the discrimination
/// equals the corrected item-total correlation (Nunnally 1978). The cost is the number of scores.
pub fn item_statistics(items: &[Vec<Option<f64>>]) -> Vec<ItemStatistics> {
    let models = items.iter().map(Vec::len).max().unwrap_or_default();
    let mut totals = vec![RestScore { sum: 0.0, count: 0.0 }; models];
    for scores in items {
        for (total, score) in totals.iter_mut().zip(scores) {
            if let Some(score) = score.filter(|score| score.is_finite()) {
                total.sum += score;
                total.count += 1.0;
            }
        }
    }
    let statistics = items.iter().map(|scores| {
        let (mut own, mut own_with_rest, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (total, score) in totals.iter().zip(scores) {
            let Some(score) = score.filter(|score| score.is_finite()) else { continue };
            own.push(score);
            if total.count > 1.0 {
                own_with_rest.push(score);
                rest.push((total.sum - score) / (total.count - 1.0));
            }
        }
        let discrimination = correlation(&own_with_rest, &rest);
        ItemStatistics { scores: own.len(), difficulty: mean(&own), discrimination }
    });
    statistics.collect()
}

/// The scores of one model.
#[derive(Clone, Copy)]
struct RestScore {
    sum: f64,
    count: f64,
}

/// Pearson's correlation. Values that differ only by rounding do not vary.
fn correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let (first_mean, second_mean) = (mean(first)?, mean(second)?);
    let pairs = || first.iter().zip(second).map(|(one, other)| [one - first_mean, other - second_mean]);
    let product = sum_of(pairs().map(|[one, other]| one * other));
    let squares = sum_of(pairs().map(|[one, _]| one * one)).sqrt();
    let other_squares = sum_of(pairs().map(|[_, other]| other * other)).sqrt();
    let varies = |squares: f64, values: &[f64]| {
        squares > 1e-13 * values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()))
    };
    let correlation = product / squares / other_squares;
    let is_known = varies(squares, first) && varies(other_squares, second) && correlation.is_finite();
    is_known.then(|| correlation.clamp(-1.0, 1.0))
}

/// Returns Kendall's tau-b of two lists of scores, such as of models on two datasets: 1 if both have the same order, -1
/// if the opposite one (Kendall 1945, "The Treatment of Ties in Ranking Problems"). It equals `kendalltau` of scipy.
///
/// `None` if the lists differ in length, a value is NaN, or all values of one list are equal. The cost is that of
/// sorting (Knight 1966).
///
/// ```
/// use evalgraph_statistics::kendall_tau;
///
/// assert_eq!(kendall_tau(&[1.0, 2.0, 3.0], &[0.2, 0.4, 0.3]), Some(1.0 / 3.0));
/// ```
pub fn kendall_tau(first: &[f64], second: &[f64]) -> Option<f64> {
    let has_nan = first.iter().chain(second).any(|value| value.is_nan());
    if first.len() != second.len() || has_nan {
        return None;
    }
    // -0 becomes 0.
    let mut pairs: Vec<[f64; 2]> =
        first.iter().zip(second).map(|(one, other)| [one + 0.0, other + 0.0]).collect();
    pairs.sort_unstable_by(|one, other| one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])));
    let all = pairs_of(pairs.len());
    let first_ties: f64 =
        pairs.chunk_by(|one, other| one[0] == other[0]).map(|tie| pairs_of(tie.len())).sum();
    let both_ties: f64 = pairs.chunk_by(|one, other| one == other).map(|tie| pairs_of(tie.len())).sum();
    let mut second: Vec<f64> = pairs.iter().map(|pair| pair[1]).collect();
    let discordant = sort_with_exchanges(&mut second);
    let second_ties: f64 = second.chunk_by(|one, other| one == other).map(|tie| pairs_of(tie.len())).sum();
    let difference = all - first_ties - second_ties + both_ties - 2.0 * discordant;
    let tau = difference / ((all - first_ties) * (all - second_ties)).sqrt();
    tau.is_finite().then(|| tau.clamp(-1.0, 1.0))
}

/// The number of pairs of so many things.
fn pairs_of(count: usize) -> f64 {
    let count = count as f64;
    count * (count - 1.0) / 2.0
}

/// Sorts values by merging, and returns how many pairs were in the wrong order.
fn sort_with_exchanges(values: &mut [f64]) -> f64 {
    let mut merged = values.to_vec();
    let mut exchanges = 0.0;
    let mut width = 1;
    while width < values.len() {
        for begin in (0..values.len()).step_by(2 * width) {
            let middle = (begin + width).min(values.len());
            let end = (middle + width).min(values.len());
            let (mut left, mut right) = (begin, middle);
            for place in &mut merged[begin..end] {
                let takes_left = right >= end || left < middle && values[left] <= values[right];
                if takes_left {
                    *place = values[left];
                    left += 1;
                } else {
                    *place = values[right];
                    exchanges += (middle - left) as f64;
                    right += 1;
                }
            }
        }
        values.copy_from_slice(&merged);
        width *= 2;
    }
    exchanges
}
