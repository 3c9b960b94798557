//! Sums of scores, and what follows from them: means, standard errors and the t test.

use crate::special_functions::student_two_tails;

/// A sum whose rounding errors are added up separately (Neumaier 1974), so the order of the values hardly matters.
#[derive(Clone, Copy, Default)]
pub(crate) struct ExactSum {
    sum: f64,
    error: f64,
}

impl ExactSum {
    pub(crate) fn add(&mut self, value: f64) {
        let next = self.sum + value;
        self.error +=
            if self.sum.abs() >= value.abs() { (self.sum - next) + value } else { (value - next) + self.sum };
        self.sum = next;
    }

    /// The sum, which is infinite or NaN if the values exceed the range of numbers.
    pub(crate) fn value(self) -> f64 {
        self.sum + self.error
    }
}

pub(crate) fn sum_of(values: impl Iterator<Item = f64>) -> f64 {
    let mut sum = ExactSum::default();
    values.for_each(|value| sum.add(value));
    sum.value()
}

/// Returns the mean of values, or `None` if there are none, or if their sum is not a finite number.
pub fn mean(values: &[f64]) -> Option<f64> {
    let mean = sum_of(values.iter().copied()) / values.len() as f64;
    mean.is_finite().then_some(mean)
}

/// Returns the standard error of the mean of values: their sample standard deviation (with n - 1) by the square root of
/// n. `None` if there are fewer than two values, or if a value is not finite. The cost is two passes.
pub fn standard_error(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares = sum_of(values.iter().map(|value| (value - mean) * (value - mean)));
    let error = (squares / (count - 1.0) / count).sqrt();
    error.is_finite().then_some(error)
}

/// Values of one cluster together.
#[derive(Clone, Copy)]
pub(crate) struct ClusterSum {
    pub(crate) sum: f64,
    pub(crate) size: f64,
}

/// The mean of all values, and its standard error if values of one cluster depend on each other: the square root of the
/// sum over clusters of the squared sum of distances from the mean, by n (Miller 2024, arXiv 2411.00640, on clustered
/// standard errors; this is CR0 of Liang and Zeger 1986).
pub(crate) fn clustered_mean(clusters: &[ClusterSum]) -> Option<MeanWithError> {
    let count: f64 = clusters.iter().map(|cluster| cluster.size).sum();
    let mean = sum_of(clusters.iter().map(|cluster| cluster.sum)) / count;
    let distances = clusters.iter().map(|cluster| cluster.sum - cluster.size * mean);
    let error = sum_of(distances.map(|distance| distance * distance)).sqrt() / count;
    let is_known = mean.is_finite() && error.is_finite() && clusters.len() > 1;
    is_known.then_some(MeanWithError { mean, error })
}

/// A mean with its standard error.
#[derive(Clone, Copy)]
pub(crate) struct MeanWithError {
    pub(crate) mean: f64,
    pub(crate) error: f64,
}

/// Returns the two-sided p-value of the paired t test: the probability of a mean difference at least as far from 0, if
/// the differences come from a normal distribution with mean 0. It equals `scipy.stats.ttest_rel`.
///
/// `None` if there are fewer than two differences, one is not finite, or all are equal: then the standard error is 0.
pub fn paired_t_test(differences: &[f64]) -> Option<f64> {
    let error = standard_error(differences).filter(|error| *error > 0.0)?;
    t_test_of_mean(MeanWithError { mean: mean(differences)?, error }, differences.len())
}

/// The two-sided p-value of a mean of independent values, or clusters of them.
pub(crate) fn t_test_of_mean(mean: MeanWithError, independent: usize) -> Option<f64> {
    let degrees = independent.checked_sub(1)? as f64;
    let p_value = student_two_tails(mean.mean / mean.error, degrees);
    (mean.error > 0.0 && p_value.is_finite()).then_some(p_value)
}
