//! Pairs of outcomes that are right or wrong: McNemar's test, its power, and the interval of the difference.

use crate::intervals::ConfidenceInterval;
use crate::special_functions::{
    ProbabilityPair, binomial_probability, fair_lower_tail, normal_upper_quantile, normal_upper_tail,
};

/// With more discordant pairs the exact test is the normal approximation, whose relative error is then below 1e-5 unless
/// the p-value is tiny.
const MOST_EXACT: u64 = 1 << 40;

/// Returns the two-sided p-value of McNemar's exact test: the probability of wins and losses at least as unequal, if each
/// of these discordant pairs is a win with probability 0.5. It equals `mcnemar(exact=True)` of statsmodels and
/// `binomtest(wins, wins + losses, 0.5)` of scipy. It is 1 if there are neither wins nor losses.
///
/// The cost is about the square root of the number of discordant pairs. Above 2^40 of them, the p-value is that of the
/// normal distribution.
///
/// ```
/// use evalgraph_statistics::mcnemar_exact;
///
/// assert!((mcnemar_exact(9, 1) - 0.021484375).abs() < 1e-15);
/// ```
pub fn mcnemar_exact(wins: u64, losses: u64) -> f64 {
    let Some(trials) = wins.checked_add(losses).filter(|trials| *trials <= MOST_EXACT) else {
        let (wins, losses) = (wins as f64, losses as f64);
        let distance = ((wins - losses).abs() - 1.0).max(0.0);
        return (2.0 * normal_upper_tail(distance / (wins + losses).sqrt())).min(1.0);
    };
    (2.0 * fair_lower_tail(wins.min(losses), trials)).min(1.0)
}

/// Returns the p-value of McNemar's mid-p test: the exact one minus the probability of the observed numbers. It is less
/// conservative, and exceeds its level rarely and by little (Fagerland, Lydersen and Laake 2013, "The McNemar test for
/// binary matched-pairs data", BMC Medical Research Methodology 13:91).
pub fn mcnemar_mid_p(wins: u64, losses: u64) -> f64 {
    let Some(trials) = wins.checked_add(losses).filter(|trials| *trials <= MOST_EXACT) else {
        let (wins, losses) = (wins as f64, losses as f64);
        return (2.0 * normal_upper_tail((wins - losses).abs() / (wins + losses).sqrt())).min(1.0);
    };
    let least = wins.min(losses);
    let half = ProbabilityPair { share: 0.5, rest: 0.5 };
    let observed = binomial_probability(least, trials, half);
    let both_tails = 2.0 * fair_lower_tail(least, trials) - observed;
    both_tails.clamp(0.0, 1.0)
}

/// Returns the interval of the difference between two paired proportions, `(wins - losses) / pairs`: the adjusted Wald
/// interval, which adds one win and one loss (Bonett and Price 2012, "Adjusted Wald Confidence Interval for a Difference
/// of Binomial Proportions Based on Paired Data", Journal of Educational and Behavioral Statistics 37). It ends at -1 and
/// 1, and has a width even if all pairs are ties.
///
/// `None` if there are no pairs, more wins and losses than pairs, or the confidence is not between 0 and 1.
pub fn paired_proportions_interval(
    wins: u64,
    losses: u64,
    pairs: u64,
    confidence: f64,
) -> Option<ConfidenceInterval> {
    let is_valid = pairs > 0 && wins.checked_add(losses)? <= pairs && confidence > 0.0 && confidence < 1.0;
    let all = pairs as f64 + 2.0;
    let (more, fewer) = ((wins as f64 + 1.0) / all, (losses as f64 + 1.0) / all);
    let difference = more - fewer;
    let error = ((more + fewer - difference * difference) / all).sqrt();
    let reach = normal_upper_quantile((1.0 - confidence) / 2.0) * error;
    is_valid.then(|| ConfidenceInterval {
        low: (difference - reach).max(-1.0),
        high: (difference + reach).min(1.0),
    })
}
