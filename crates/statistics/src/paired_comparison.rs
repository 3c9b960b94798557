//! The comparison of two runs over the same samples: the difference, its interval, and the probability of one as large
//! by chance.

use crate::bootstrap::{
    BootstrapFigures, BootstrapOptions, ClusteredDifference, bootstrap_clustered_mean, bootstrap_mean,
    cluster_sums,
};
use crate::intervals::ConfidenceInterval;
use crate::mcnemar::{mcnemar_exact, mcnemar_mid_p, paired_proportions_interval};
use crate::power::{PowerGoal, smallest_detectable};
use crate::special_functions::student_two_sided_quantile;
use crate::sums::{MeanWithError, clustered_mean, mean, standard_error, t_test_of_mean};

/// With fewer pairs or clusters than this, resamples have too few different means, and the t interval is used.
const LEAST_BOOTSTRAP: usize = 20;

/// With more pairs or clusters than this, the bootstrap and the t interval hardly differ, and the bootstrap would take
/// long.
const MOST_BOOTSTRAP: usize = 10_000;

/// Standard errors up to this share of the largest difference are rounding errors.
const ROUNDING: f64 = 1e-13;

/// The scores of one sample in two runs. Repeats of a sample are averaged before (see
/// [`averaged_repeats`](crate::averaged_repeats)): they are not samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScorePair {
    /// The score in the first run, in any unit.
    pub first: f64,
    /// The score in the second run, in the same unit.
    pub second: f64,
    /// The number of the group of samples that depend on each other, such as questions about one text. A pair without
    /// one depends on no other.
    pub cluster: Option<u32>,
}

/// What a comparison is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ComparisonOptions {
    /// The confidence of intervals, and how the bootstrap resamples.
    pub bootstrap: BootstrapOptions,
    /// Alpha and the power for which the smallest detectable difference is computed.
    pub goal: PowerGoal,
}

/// The test from which a comparison has its p-value and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceTest {
    /// McNemar's exact test; the interval is that of Bonett and Price. For scores that are 0 or 1, without clusters.
    McNemarExact,
    /// The paired bootstrap. For 20 to 10,000 pairs.
    PairedBootstrap,
    /// The bootstrap of whole clusters. For 20 to 10,000 clusters.
    ClusteredBootstrap,
    /// The paired t test and its interval. For other numbers of pairs.
    PairedT,
    /// The t test and the t interval with the clustered standard error, and as many degrees of freedom as clusters,
    /// less one. For other numbers of clusters.
    ClusteredT,
    /// The sign test over pairs or clusters, without an interval. For differences that are all equal, or clusters whose
    /// means are.
    SignTest,
    /// No test is possible: there are fewer than two pairs or clusters, or sums exceed the range of numbers.
    NoTest,
}

/// Two runs compared by the samples that they share.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedComparison {
    /// The number of pairs that were compared.
    pub pairs: usize,
    /// The pairs that were left out because a score is not a finite number.
    pub left_out: usize,
    /// The number of clusters, if any two pairs belong together.
    pub clusters: Option<usize>,
    /// The pairs whose second score is larger.
    pub wins: usize,
    /// The pairs whose first score is larger.
    pub losses: usize,
    /// The pairs whose scores are equal.
    pub ties: usize,
    /// `true` if there are pairs and all their scores are 0 or 1.
    pub is_binary: bool,
    /// The mean of the first scores.
    pub first_mean: Option<f64>,
    /// The mean of the second scores.
    pub second_mean: Option<f64>,
    /// The mean of the second scores minus the first.
    pub mean_difference: Option<f64>,
    /// The standard error of the mean difference, clustered if there are clusters.
    pub standard_error: Option<f64>,
    /// The interval of the mean difference, with the confidence of the options.
    pub interval: Option<ConfidenceInterval>,
    /// The two-sided p-value of the test.
    pub p_value: Option<f64>,
    /// The p-value of McNemar's mid-p test, if the test is McNemar's.
    pub mid_p_value: Option<f64>,
    /// The test that was used.
    pub test: DifferenceTest,
    /// The smallest difference that so many pairs show, with the power and alpha of the options, by the normal
    /// approximation. `None` if the differences do not vary.
    pub smallest_detectable: Option<f64>,
}

impl PairedComparison {
    /// Compares two runs. Scores that are 0 or 1 are compared by McNemar's exact test, others by the bootstrap or, for
    /// few or very many pairs, by the t test; [`DifferenceTest`] has the rules. If at least two pairs have the same
    /// cluster, clusters take the place of pairs.
    ///
    /// Swapped runs give the negated result, and the order of pairs does not matter. The cost is linear for outcomes
    /// without clusters and for very many pairs, and otherwise one random number for each pair in each resample: at
    /// most 100,000,000 with 10,000 resamples.
    ///
    /// ```
    /// use evalgraph_statistics::{ComparisonOptions, DifferenceTest, PairedComparison, ScorePair};
    ///
    /// let pair = |first, second| ScorePair { first, second, cluster: None };
    /// let pairs = [vec![pair(0.0, 1.0); 9], vec![pair(1.0, 0.0); 1], vec![pair(1.0, 1.0); 10]].concat();
    /// let comparison = PairedComparison::from_pairs(&pairs, &ComparisonOptions::default());
    /// assert_eq!(comparison.test, DifferenceTest::McNemarExact);
    /// assert_eq!((comparison.wins, comparison.losses, comparison.ties), (9, 1, 10));
    /// assert_eq!(comparison.mean_difference, Some(0.4));
    /// assert!(comparison.p_value.is_some_and(|p_value| (p_value - 0.021484375).abs() < 1e-12));
    /// ```
    pub fn from_pairs(pairs: &[ScorePair], options: &ComparisonOptions) -> Self {
        let is_usable = |pair: &ScorePair| (pair.second - pair.first).is_finite();
        let used: Vec<ScorePair> = pairs.iter().filter(|pair| is_usable(pair)).copied().collect();
        let column = |score: fn(&ScorePair) -> f64| used.iter().map(score).collect::<Vec<f64>>();
        let differences = column(|pair| pair.second - pair.first);
        let wins = differences.iter().filter(|difference| **difference > 0.0).count();
        let losses = differences.iter().filter(|difference| **difference < 0.0).count();
        let is_outcome = |score: f64| score == 0.0 || score == 1.0;
        let is_binary = used.iter().all(|pair| is_outcome(pair.first) && is_outcome(pair.second));
        let mut comparison = Self {
            pairs: used.len(),
            left_out: pairs.len() - used.len(),
            clusters: None,
            wins,
            losses,
            ties: used.len() - wins - losses,
            is_binary: is_binary && !used.is_empty(),
            first_mean: mean(&column(|pair| pair.first)),
            second_mean: mean(&column(|pair| pair.second)),
            mean_difference: mean(&differences),
            standard_error: standard_error(&differences),
            interval: None,
            p_value: None,
            mid_p_value: None,
            test: DifferenceTest::NoTest,
            smallest_detectable: None,
        };
        let has_clusters = used.iter().any(|pair| pair.cluster.is_some());
        let clustered = || {
            let members = used.iter().zip(&differences);
            members
                .map(|(pair, &difference)| ClusteredDifference { difference, cluster: pair.cluster })
                .collect()
        };
        let clustered: Vec<ClusteredDifference> = if has_clusters { clustered() } else { Vec::new() };
        let clusters = cluster_sums(&clustered);
        if clusters.len() < clustered.len() {
            comparison.clusters = Some(clusters.len());
            comparison.standard_error = clustered_mean(&clusters).map(|mean| mean.error);
            let resample = || bootstrap_clustered_mean(&clustered, &options.bootstrap);
            comparison.test_scores(&differences, options, resample);
        } else if comparison.is_binary {
            comparison.test_outcomes(options);
        } else {
            comparison
                .test_scores(&differences, options, || bootstrap_mean(&differences, &options.bootstrap));
        }
        // An error of 0 shows that these differences do not vary, not that any difference would be found.
        let error = comparison.standard_error.filter(|error| *error > 0.0);
        comparison.smallest_detectable = error
            .filter(|_| comparison.test != DifferenceTest::SignTest)
            .and_then(|error| smallest_detectable(error, &options.goal));
        comparison
    }

    fn test_outcomes(&mut self, options: &ComparisonOptions) {
        let (wins, losses, pairs) = (self.wins as u64, self.losses as u64, self.pairs as u64);
        self.test = DifferenceTest::McNemarExact;
        self.p_value = Some(mcnemar_exact(wins, losses));
        self.mid_p_value = Some(mcnemar_mid_p(wins, losses));
        self.interval = paired_proportions_interval(wins, losses, pairs, options.bootstrap.confidence);
    }

    fn test_scores(
        &mut self,
        differences: &[f64],
        options: &ComparisonOptions,
        resample: impl FnOnce() -> Option<BootstrapFigures>,
    ) {
        let (Some(mean), Some(error)) = (self.mean_difference, self.standard_error) else { return };
        let independent = self.clusters.unwrap_or(self.pairs);
        let largest = differences.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if error <= largest * ROUNDING {
            self.test = DifferenceTest::SignTest;
            let share = if mean.abs() <= largest * ROUNDING { 0 } else { independent as u64 };
            self.p_value = Some(mcnemar_exact(share, 0));
            return;
        }
        let has_clusters = self.clusters.is_some();
        if (LEAST_BOOTSTRAP..=MOST_BOOTSTRAP).contains(&independent)
            && let Some(figures) = resample()
        {
            self.test = if has_clusters {
                DifferenceTest::ClusteredBootstrap
            } else {
                DifferenceTest::PairedBootstrap
            };
            self.interval = Some(figures.interval);
            self.p_value = Some(figures.p_value);
            return;
        }
        self.test = if has_clusters { DifferenceTest::ClusteredT } else { DifferenceTest::PairedT };
        self.p_value = t_test_of_mean(MeanWithError { mean, error }, independent);
        let reach =
            error * student_two_sided_quantile(1.0 - options.bootstrap.confidence, independent as f64 - 1.0);
        let interval = ConfidenceInterval { low: mean - reach, high: mean + reach };
        self.interval = reach.is_finite().then_some(interval);
    }
}
