//! Pairs of outcomes that are right or wrong: McNemar's test, its power, and the interval of the difference.

use crate::intervals::ConfidenceInterval;
use crate::special_functions::{
    ProbabilityPair, binomial_probability, fair_lower_tail, incomplete_beta, normal_upper_quantile,
    normal_upper_tail,
};

/// With more discordant pairs the exact test is the normal approximation, whose relative error is then below 1e-5
/// unless the p-value is tiny.
const MOST_EXACT: u64 = 1 << 40;

/// For more pairs than this, the exact power takes too long.
const MOST_PAIRS_OF_POWER: u64 = 1_000_000_000;

/// Returns the two-sided p-value of McNemar's exact test: the probability of wins and losses at least as unequal, if
/// each of these discordant pairs is a win with probability 0.5. It equals `mcnemar(exact=True)` of statsmodels and
/// `binomtest(wins, wins + losses, 0.5)` of scipy. It is 1 if there are neither wins nor losses.
///
/// The cost is at most about the square root of the number of discordant pairs. Above 2^40 of them, the p-value is that
/// of the normal distribution.
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

/// Returns the power of McNemar's exact test: the probability that its p-value is at most alpha, if each of so many
/// pairs is a win or a loss with these probabilities. It is exact: the sum over the numbers of discordant pairs.
///
/// `None` if the shares are negative or their sum exceeds 1, alpha is not between 0 and 1, or there are more than
/// 1,000,000,000 pairs, for which the normal approximation ([`power_for_difference`](crate::power_for_difference)) is
/// close. The cost grows with the square root of the number of pairs.
pub fn mcnemar_power(pairs: u64, win_share: f64, loss_share: f64, alpha: f64) -> Option<f64> {
    let discordant = win_share + loss_share;
    let is_valid = pairs <= MOST_PAIRS_OF_POWER
        && win_share >= 0.0
        && loss_share >= 0.0
        && discordant <= 1.0 + 1e-12
        && alpha > 0.0
        && alpha < 1.0;
    if !is_valid {
        return None;
    }
    if discordant == 0.0 {
        return Some(0.0);
    }
    let discordant = ProbabilityPair { share: discordant.min(1.0), rest: (1.0 - discordant).max(0.0) };
    let winning =
        ProbabilityPair { share: win_share / discordant.share, rest: loss_share / discordant.share };
    let losing = ProbabilityPair { share: winning.rest, rest: winning.share };
    // Farther from the mean, the probabilities add up to less than 1e-15.
    let mean = pairs as f64 * discordant.share;
    let reach = 9.0 * (mean * discordant.rest).sqrt() + 40.0;
    let least = (mean - reach).max(0.0) as u64;
    let most = ((mean + reach) as u64).min(pairs);
    let mut power = 0.0;
    let mut critical = None;
    for trials in least..=most {
        critical = critical_number(trials, alpha, critical);
        let Some(critical) = critical else { continue };
        // The two tails do not overlap, since alpha is below 1.
        let rejected = lower_tail(critical, trials, winning) + lower_tail(critical, trials, losing);
        power += binomial_probability(trials, pairs, discordant) * rejected;
    }
    Some(power.clamp(0.0, 1.0))
}

/// The largest number of the rarer outcome for which the test rejects. `before` is that of a smaller number of trials,
/// from which the search begins.
fn critical_number(trials: u64, alpha: f64, before: Option<u64>) -> Option<u64> {
    let rejects = |number: u64| mcnemar_exact(number, trials - number) <= alpha && 2 * number < trials;
    let mut known = before
        .filter(|&number| 2 * number <= trials && rejects(number))
        .or_else(|| rejects(0).then_some(0))?;
    // The next one is at most a few steps away, except for the first number of trials.
    let mut step = 1;
    while rejects(known.saturating_add(step).min(trials)) {
        known += step;
        step *= 2;
    }
    while step > 0 {
        if rejects(known.saturating_add(step).min(trials)) {
            known += step;
        }
        step /= 2;
    }
    Some(known)
}

/// The probability of at most so many successes.
fn lower_tail(most: u64, trials: u64, chance: ProbabilityPair) -> f64 {
    let turned = ProbabilityPair { share: chance.rest, rest: chance.share };
    if most >= trials { 1.0 } else { incomplete_beta((trials - most) as f64, most as f64 + 1.0, turned) }
}

/// Returns the interval of the difference between two paired proportions, `(wins - losses) / pairs`: the adjusted Wald
/// interval, which adds one win and one loss (Bonett and Price 2012, "Adjusted Wald Confidence Interval for a
/// Difference of Binomial Proportions Based on Paired Data", Journal of Educational and Behavioral Statistics 37). It
/// ends at -1 and 1, and has a width even if all pairs are ties.
///
/// Returns `None` if `pairs` is 0, if `wins` and `losses` together exceed `pairs`, or if `confidence` is not between 0
/// and 1.
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
