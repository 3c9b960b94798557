//! The functions behind tests and intervals: the normal, the t and the binomial distribution, with small relative
//! errors far into the tails.
//!
//! Each tail is computed as it is, never as 1 minus the other, so a p-value of 1e-300 has the same number of correct
//! digits as one of 0.3. Arguments outside a function's domain, and NaN, return NaN.

use std::f64::consts::{PI, SQRT_2};

/// Below this distance from 0 the error function is a series, above it a continued fraction.
const SERIES_END: f64 = 2.0;

/// From here on, Stirling's series for the gamma function is exact to the last digit.
const STIRLING_BEGIN: f64 = 16.0;

/// With more degrees of freedom, Student's t distribution is the normal one.
const MOST_DEGREES: f64 = 1e12;

/// A continued fraction ends after as many steps, even if it has not converged. About the square root of the largest
/// parameter is needed, so parameters up to 1e12 converge.
const MOST_STEPS: u32 = 4_000_000;

/// The probability that a standard normal variable is above `z`.
pub(crate) fn normal_upper_tail(z: f64) -> f64 {
    let x = z / SQRT_2;
    if x.is_nan() {
        f64::NAN
    } else if x > SERIES_END {
        0.5 * error_function_tail(x)
    } else if x >= -SERIES_END {
        0.5 - 0.5 * error_function(x)
    } else {
        1.0 - 0.5 * error_function_tail(-x)
    }
}

/// The error function near 0, by the series with positive terms only (Abramowitz and Stegun, 7.1.6).
fn error_function(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * 1e-17 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    sum * (-x * x).exp() * 2.0 / PI.sqrt()
}

/// The complement of the error function, for arguments above 1, by its continued fraction (Abramowitz and Stegun,
/// 7.1.14), from the last step to the first.
fn error_function_tail(x: f64) -> f64 {
    if x > 40.0 {
        return 0.0;
    }
    let mut denominator = x;
    for step in (1..=120).rev() {
        denominator = x + f64::from(step) / 2.0 / denominator;
    }
    (-x * x).exp() / (denominator * PI.sqrt())
}

/// The value that a standard normal variable exceeds with a probability.
pub(crate) fn normal_upper_quantile(probability: f64) -> f64 {
    if !(probability > 0.0 && probability < 1.0) {
        return match probability {
            0.0 => f64::INFINITY,
            1.0 => f64::NEG_INFINITY,
            _ => f64::NAN,
        };
    }
    if probability == 0.5 {
        return 0.0;
    }
    if probability > 0.5 {
        // The difference is exact (Sterbenz's lemma).
        return -normal_upper_quantile(1.0 - probability);
    }
    // The first guess is Abramowitz and Stegun, 26.2.22; Halley's steps triple its correct digits.
    let t = (-2.0 * probability.ln()).sqrt();
    let mut z = t - (2.30753 + 0.27061 * t) / (1.0 + 0.99229 * t + 0.04481 * t * t);
    for _ in 0..4 {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        let step = (normal_upper_tail(z) - probability) / density;
        let next = z + step / (1.0 - 0.5 * z * step);
        if !next.is_finite() || next == z {
            break;
        }
        z = next;
    }
    z
}

/// The difference between the logarithm of `x!` and Stirling's formula for it, for positive `x` (Loader 2000, "Fast and
/// Accurate Computation of Binomial Probabilities").
fn stirling_error(x: f64) -> f64 {
    let (mut x, mut error) = (x, 0.0);
    while x < STIRLING_BEGIN {
        error += (x + 0.5) * (1.0 / x).ln_1p() - 1.0;
        x += 1.0;
    }
    let square = x * x;
    let series = 1.0 / 1680.0 - (1.0 / 1188.0 - 691.0 / 360_360.0 / square) / square;
    error + (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - series / square) / square) / square) / x
}

/// `x ln(x / mean) + mean - x` without cancellation if both are close (Loader 2000). `difference` is
/// `x - mean`, which the caller may know with more digits.
fn deviance_part(x: f64, mean: f64, difference: f64) -> f64 {
    if difference.abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() - difference;
    }
    let ratio = difference / (x + mean);
    let mut power = 2.0 * x * ratio;
    let mut sum = difference * ratio;
    for step in 1..1000 {
        power *= ratio * ratio;
        let next = sum + power / f64::from(2 * step + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// A probability with its complement: for one close to 1, the complement has the digits.
#[derive(Clone, Copy)]
pub(crate) struct ProbabilityPair {
    pub(crate) share: f64,
    pub(crate) rest: f64,
}

/// The probability of `successes` and `failures`, which may be fractions above 0, in as many trials.
fn binomial_density(successes: f64, failures: f64, chance: ProbabilityPair) -> f64 {
    let trials = successes + failures;
    // The distance from the mean is the same on both sides.
    let difference = successes * chance.rest - failures * chance.share;
    let exponent = stirling_error(trials)
        - stirling_error(successes)
        - stirling_error(failures)
        - deviance_part(successes, trials * chance.share, difference)
        - deviance_part(failures, trials * chance.rest, -difference);
    exponent.exp() * (trials / (2.0 * PI * successes * failures)).sqrt()
}

/// The regularized incomplete beta function with both parameters above 0, by its continued fraction (Abramowitz and
/// Stegun, 26.5.8) with the factor in front from [`binomial_density`]. The number of steps is about the square root of
/// the larger parameter.
pub(crate) fn incomplete_beta(a: f64, b: f64, at: ProbabilityPair) -> f64 {
    let is_valid = a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite();
    if !is_valid || !(0.0..=1.0).contains(&at.share) || at.rest.is_nan() {
        f64::NAN
    } else if at.share <= 0.0 {
        0.0
    } else if at.rest <= 0.0 {
        1.0
    } else if at.share * (a + b + 2.0) < a + 1.0 {
        let factor = a / (a + b) * b * binomial_density(a, b, at);
        if factor == 0.0 { 0.0 } else { (factor * beta_fraction(a, b, at)).min(1.0) }
    } else {
        let turned = ProbabilityPair { share: at.rest, rest: at.share };
        let factor = a / (a + b) * b * binomial_density(b, a, turned);
        if factor == 0.0 { 1.0 } else { (1.0 - factor * beta_fraction(b, a, turned)).max(0.0) }
    }
}

/// The continued fraction of the incomplete beta function, by the method of Lentz as Thompson and Barnett changed it.
/// It is the even part, in which little cancels (Didonato and Morris 1992, "Algorithm 708").
fn beta_fraction(a: f64, b: f64, at: ProbabilityPair) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let distance = a * at.rest - b * at.share;
    let mut upper = f64::INFINITY;
    let mut lower = 1.0 / away_from_zero(a * (distance + 1.0) / (a + 1.0));
    let mut fraction = lower;
    for step in 1..MOST_STEPS {
        let n = f64::from(step);
        let between = a + 2.0 * n - 1.0;
        let numerator =
            (a + n - 1.0) / between * (a + b + n - 1.0) / between * n * (b - n) * at.share * at.share;
        let denominator = n
            + n * (b - n) / between * at.share
            + (a + n) * (distance + 1.0 + n * (1.0 + at.rest)) / (a + 2.0 * n + 1.0);
        lower = 1.0 / away_from_zero(denominator + numerator * lower);
        upper = away_from_zero(denominator + numerator / upper);
        let change = upper * lower;
        fraction *= change;
        if (change - 1.0).abs() <= 2.0 * f64::EPSILON {
            break;
        }
    }
    fraction
}

/// The probability of at most `most` heads in `trials` tosses of a fair coin.
pub(crate) fn fair_lower_tail(most: u64, trials: u64) -> f64 {
    if most >= trials {
        return 1.0;
    }
    let half = ProbabilityPair { share: 0.5, rest: 0.5 };
    incomplete_beta((trials - most) as f64, most as f64 + 1.0, half)
}

/// The probability of exactly so many successes in trials of a chance between 0 and 1.
pub(crate) fn binomial_probability(successes: u64, trials: u64, chance: ProbabilityPair) -> f64 {
    if successes > trials {
        return 0.0;
    }
    let failures = trials - successes;
    match (successes, failures) {
        (0, 0) => 1.0,
        (0, _) => (failures as f64 * logarithm_of_share(chance.rest, chance.share)).exp(),
        (_, 0) => (successes as f64 * logarithm_of_share(chance.share, chance.rest)).exp(),
        _ if chance.share <= 0.0 || chance.rest <= 0.0 => 0.0,
        _ => binomial_density(successes as f64, failures as f64, chance),
    }
}

fn logarithm_of_share(share: f64, rest: f64) -> f64 {
    if rest < 0.5 { (-rest).ln_1p() } else { share.ln() }
}

/// The probability that a variable of Student's t distribution is farther from 0 than `t`, on both sides together.
pub(crate) fn student_two_tails(t: f64, degrees: f64) -> f64 {
    if t.is_nan() || degrees.is_nan() || degrees <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    if degrees > MOST_DEGREES {
        return (2.0 * normal_upper_tail(t.abs())).min(1.0);
    }
    // Ratios, so that squares of large values do not overflow.
    let scaled = t.abs() / degrees.sqrt();
    let at = if scaled > 1.0 {
        let inverse = 1.0 / scaled;
        let sum = 1.0 + inverse * inverse;
        ProbabilityPair { share: inverse * inverse / sum, rest: 1.0 / sum }
    } else {
        let sum = 1.0 + scaled * scaled;
        ProbabilityPair { share: 1.0 / sum, rest: scaled * scaled / sum }
    };
    incomplete_beta(degrees / 2.0, 0.5, at)
}

/// The positive value that a variable of Student's t distribution exceeds, on both sides together, with a probability.
/// It is found by bisection of [`student_two_tails`], in about 60 steps.
pub(crate) fn student_two_sided_quantile(probability: f64, degrees: f64) -> f64 {
    if !(probability > 0.0 && probability <= 1.0 && degrees > 0.0) {
        return f64::NAN;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while student_two_tails(high, degrees) > probability {
        low = high;
        high *= 2.0;
        if high > 1e300 {
            return f64::INFINITY;
        }
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high < 1e-300 {
            return middle;
        }
        if student_two_tails(middle, degrees) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("../../../tests/judges/statistics-values.tsv");

    /// Compares a function with the values of scipy in the table.
    fn compare(name: &str, tolerance: f64, function: impl Fn(&[f64]) -> f64) {
        let numbers = |text: &str| -> Vec<f64> {
            text.split([' ', ';']).map(|number| number.parse().expect("it is a number")).collect()
        };
        let mut count = 0;
        for line in TABLE.lines() {
            let row: Vec<&str> = line.split('\t').collect();
            if row[0] == name {
                let (own, value) = (function(&numbers(row[1])), numbers(row[2])[0]);
                // Denormal numbers have few digits.
                let is_equal = (own - value).abs() <= tolerance * value.abs() + 1e-320;
                assert!(is_equal, "{name} {}: {own:e} is not {value:e}: {:e}", row[1], (own - value) / value);
                count += 1;
            }
        }
        assert!(count > 10, "{name}");
    }

    #[test]
    fn distributions_are_those_of_scipy() {
        compare("normal_upper_tail", 1e-12, |arguments| normal_upper_tail(arguments[0]));
        compare("normal_upper_quantile", 1e-12, |arguments| normal_upper_quantile(arguments[0]));
        compare("student_two_tails", 1e-12, |arguments| student_two_tails(arguments[0], arguments[1]));
        let quantile = |arguments: &[f64]| student_two_sided_quantile(arguments[0], arguments[1]);
        compare("student_two_sided_quantile", 1e-12, quantile);
    }

    #[test]
    fn one_degree_of_freedom_has_a_closed_form() {
        for t in [1e-12_f64, 1e-8, 0.01, 1.0, 30.0, 1e9] {
            let exact = 2.0 / PI * (1.0 / t).atan();
            assert!((student_two_tails(t, 1.0) / exact - 1.0).abs() < 1e-14, "{t}");
        }
    }

    #[test]
    fn any_argument_has_a_value() {
        let values =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1.0, 1e-320, 1e308, -1e308, 0.5, 1e15];
        for one in values {
            let (tail, quantile) = (normal_upper_tail(one), normal_upper_quantile(one));
            assert!(tail.is_nan() || (0.0..=1.0).contains(&tail), "{one}: {tail}");
            assert!((0.0..=1.0).contains(&one) != quantile.is_nan(), "{one}: {quantile}");
            for other in values {
                let tails = student_two_tails(one, other);
                assert!(tails.is_nan() || (0.0..=1.0).contains(&tails), "{one} {other}: {tails}");
                let quantile = student_two_sided_quantile(one, other);
                assert!(quantile.is_nan() || quantile >= 0.0, "{one} {other}: {quantile}");
                let share = incomplete_beta(one, other, ProbabilityPair { share: 0.25, rest: 0.75 });
                assert!(share.is_nan() || (0.0..=1.0).contains(&share), "{one} {other}: {share}");
            }
        }
    }

    #[test]
    fn probabilities_of_all_numbers_add_up() {
        for share in [1e-9, 0.1, 0.5, 0.93, 1.0] {
            let chance = ProbabilityPair { share, rest: 1.0 - share };
            let sum: f64 = (0..=300).map(|successes| binomial_probability(successes, 300, chance)).sum();
            assert!((sum - 1.0).abs() < 1e-13, "{share}: {sum}");
        }
    }
}
