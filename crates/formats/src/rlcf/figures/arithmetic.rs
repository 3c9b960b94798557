//! Sums and rounds as Python and numpy do, so that figures agree to the last digit.

/// Returns the sum of floats as Python's `sum` computes it since 3.12: it keeps track of the lost low-order digits
/// (Neumaier's variant of Kahan's summation).
pub(super) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    // If the sum is infinite, the correction is not a number.
    if lost.is_finite() { sum + lost } else { sum }
}

/// The longest run that numpy adds up without splitting it.
const RUN: usize = 128;

/// Returns the sum of floats as numpy computes it: pairwise, with eight partial sums per run.
pub(super) fn pairwise_sum(values: &[f64]) -> f64 {
    let count = values.len();
    if count < 8 {
        return values.iter().fold(0.0, |sum, value| sum + value);
    }
    if count > RUN {
        let half = count / 2;
        let (first, second) = values.split_at(half - half % 8);
        return pairwise_sum(first) + pairwise_sum(second);
    }
    let mut partial = [0.0; 8];
    let blocks = values.chunks_exact(8);
    let rest = blocks.remainder();
    for block in blocks {
        for (sum, value) in partial.iter_mut().zip(block) {
            *sum += value;
        }
    }
    let [a, b, c, d, e, f, g, h] = partial;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, value| sum + value)
}

/// Returns the mean as numpy computes it, or `None` for an empty slice.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| pairwise_sum(values) / values.len() as f64)
}

/// Rounds a float to a number of decimal places, as Python's `round` does: the exact binary value decides, and ties go
/// to the even digit.
pub(super) fn round(value: f64, places: usize) -> f64 {
    // Formatting is exact and breaks ties in the same way.
    format!("{value:.places$}").parse().unwrap_or(value)
}

/// Rounds a float as numpy does: it first scales it by a power of ten, which may lose a digit.
pub(super) fn round_scaled(value: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    (value * scale).round_ties_even() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_carry_what_is_lost() {
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(pairwise_sum(&[0.1; 10]), 1.0);
        assert_eq!([0.1_f64; 10].iter().fold(0.0, |sum, value| sum + value), 0.999_999_999_999_999_9);
        assert_eq!(sum([1e308, 1e308]), f64::INFINITY);
        assert_eq!(sum([]), 0.0);
    }

    #[test]
    fn long_sums_are_halved() {
        let values: Vec<f64> = (1..=1000).map(f64::from).collect();
        assert_eq!(pairwise_sum(&values), 500_500.0);
        assert_eq!(mean(&values), Some(500.5));
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn rounding_goes_by_the_binary_value() {
        assert_eq!(round(2.675, 2), 2.67);
        assert_eq!(round(0.125, 2), 0.12);
        assert_eq!(round(1.115, 2), 1.11);
        assert_eq!(round_scaled(1.115, 2), 1.12);
        assert_eq!(round_scaled(0.125, 2), 0.12);
    }
}
