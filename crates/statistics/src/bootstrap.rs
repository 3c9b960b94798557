//! The paired bootstrap: the interval and the p-value of a mean difference from resampled pairs, or clusters of pairs.

use std::cmp::Ordering;

use crate::intervals::ConfidenceInterval;
use crate::random_numbers::RandomNumbers;
use crate::special_functions::{
    normal_upper_quantile, normal_upper_tail, student_two_sided_quantile, student_two_tails,
};
use crate::sums::{ClusterSum, sum_of};

/// More resamples than this are not made.
const MOST_RESAMPLES: usize = 1_000_000;

/// How a mean difference is resampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapOptions {
    /// The confidence of the interval: 0.95.
    pub confidence: f64,
    /// The number of resamples: 10,000, and at most 1,000,000.
    pub resamples: usize,
    /// The seed of the random numbers. The same seed gives the same result.
    pub seed: u64,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        Self { confidence: 0.95, resamples: 10_000, seed: 55 }
    }
}

/// What resampling says about a mean difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapFigures {
    /// The interval of the mean difference.
    pub interval: ConfidenceInterval,
    /// The two-sided p-value: the smallest alpha whose interval does not contain 0. It cannot be much below 2 divided
    /// by the number of resamples.
    pub p_value: f64,
}

/// A difference of one pair, and the cluster to which the pair belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredDifference {
    /// The second score minus the first.
    pub difference: f64,
    /// The number of the cluster. A pair without one is its own cluster.
    pub cluster: Option<u32>,
}

/// Resamples pairs with replacement, and returns the expanded percentile interval of their mean difference, with the
/// p-value that corresponds to it.
///
/// The percentile interval is too narrow for few pairs. The expanded one takes percentiles farther out, by the ratio
/// between Student's t and the normal distribution and between n and n - 1 (Hesterberg 2015, "What Teachers Should Know
/// About the Bootstrap", The American Statistician 69).
///
/// The result depends on the seed, but not on the order of the differences, and negated differences give exactly the
/// negated interval. `None` if there are fewer than two differences, one is not finite, or the options are not valid.
/// The cost is one random number for each difference in each resample.
pub fn bootstrap_mean(differences: &[f64], options: &BootstrapOptions) -> Option<BootstrapFigures> {
    let pairs = differences.iter().map(|&difference| ClusteredDifference { difference, cluster: None });
    let oriented = OrientedSums::new(pairs);
    let values: Vec<f64> = oriented.clusters.iter().map(|pair| pair.sum).collect();
    let count = values.len();
    let mean = |random: &mut RandomNumbers| {
        let sum: f64 = (0..count).map(|_| values[random.below(count)]).sum();
        sum / count as f64
    };
    oriented.figures(options, mean)
}

/// Resamples whole clusters with replacement, and returns the interval and the p-value of the mean difference of all
/// their pairs as [`bootstrap_mean`] does, with the number of clusters in the place of n. Few clusters (below about 20)
/// give an interval that is too narrow.
///
/// `None` if there are fewer than two clusters, a difference is not finite, or the options are not valid.
pub fn bootstrap_clustered_mean(
    differences: &[ClusteredDifference],
    options: &BootstrapOptions,
) -> Option<BootstrapFigures> {
    let oriented = OrientedSums::new(differences.iter().copied());
    let clusters = &oriented.clusters;
    let count = clusters.len();
    let mean = |random: &mut RandomNumbers| {
        let (mut sum, mut size) = (0.0, 0.0);
        for _ in 0..count {
            let cluster = clusters[random.below(count)];
            sum += cluster.sum;
            size += cluster.size;
        }
        sum / size
    };
    oriented.figures(options, mean)
}

/// The sums of the clusters, in the order of their numbers, and then the pairs without one. The values of a cluster are
/// added in their order of size.
pub(crate) fn cluster_sums(differences: &[ClusteredDifference]) -> Vec<ClusterSum> {
    let mut sorted: Vec<ClusteredDifference> = differences.to_vec();
    sorted.sort_unstable_by(|one, other| {
        let by_cluster = (one.cluster.is_none(), one.cluster).cmp(&(other.cluster.is_none(), other.cluster));
        by_cluster.then(one.difference.total_cmp(&other.difference))
    });
    let is_same = |one: &ClusteredDifference, other: &ClusteredDifference| {
        one.cluster.is_some() && one.cluster == other.cluster
    };
    let chunks = sorted.chunk_by(is_same);
    let sums = chunks.map(|chunk| ClusterSum {
        sum: sum_of(chunk.iter().map(|pair| pair.difference)),
        size: chunk.len() as f64,
    });
    sums.collect()
}

/// The sums of clusters in ascending order, all negated or as they are, so that both a list and the negated list become
/// the same list.
struct OrientedSums {
    clusters: Vec<ClusterSum>,
    /// The order of the list and the negated one, of which the larger is resampled.
    order: Ordering,
    largest: f64,
}

impl OrientedSums {
    fn new(differences: impl Iterator<Item = ClusteredDifference>) -> Self {
        // -0 becomes 0.
        let turned =
            |pair: &ClusteredDifference| ClusteredDifference { difference: 0.0 - pair.difference, ..*pair };
        let negated: Vec<ClusteredDifference> = differences.map(|pair| turned(&pair)).collect();
        let plain: Vec<ClusteredDifference> = negated.iter().map(turned).collect();
        let largest = plain.iter().fold(0.0, |largest, pair| pair.difference.abs().max(largest));
        let [plain, negated] = [plain, negated].map(|differences| {
            let mut sums = cluster_sums(&differences);
            sums.sort_unstable_by(compare_clusters);
            sums
        });
        let pairs = plain.iter().zip(&negated);
        let order = pairs.map(|(one, other)| compare_clusters(one, other)).find(|order| order.is_ne());
        let order = order.unwrap_or(Ordering::Equal);
        Self { clusters: if order.is_lt() { negated } else { plain }, order, largest }
    }

    /// Resamples, with a function that returns the mean of a new resample.
    fn figures(
        &self,
        options: &BootstrapOptions,
        mean: impl FnMut(&mut RandomNumbers) -> f64,
    ) -> Option<BootstrapFigures> {
        let means = ResampledMeans::new(self.clusters.len(), self.largest, options, mean)?;
        let figures = means.figures(options.confidence)?;
        let interval = match self.order {
            Ordering::Less => figures.interval.negated(),
            Ordering::Equal => figures.interval.around_zero(),
            Ordering::Greater => figures.interval,
        };
        Some(BootstrapFigures { interval, ..figures })
    }
}

fn compare_clusters(one: &ClusterSum, other: &ClusterSum) -> Ordering {
    one.sum.total_cmp(&other.sum).then(one.size.total_cmp(&other.size))
}

/// The means of resamples, from small to large.
struct ResampledMeans {
    sorted: Vec<f64>,
    /// How much wider the interval is than that of the percentiles.
    expansion: f64,
    degrees: f64,
    /// Means that are not farther from 0 are 0, apart from rounding.
    rounding: f64,
}

impl ResampledMeans {
    fn new(
        independent: usize,
        largest: f64,
        options: &BootstrapOptions,
        mut mean: impl FnMut(&mut RandomNumbers) -> f64,
    ) -> Option<Self> {
        if independent < 2 || options.resamples == 0 || !largest.is_finite() {
            return None;
        }
        let mut random = RandomNumbers::new(options.seed);
        let resamples = options.resamples.min(MOST_RESAMPLES);
        let mut sorted: Vec<f64> = (0..resamples).map(|_| mean(&mut random)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let is_finite = sorted.first()?.is_finite() && sorted.last()?.is_finite();
        let degrees = independent as f64 - 1.0;
        let expansion = (independent as f64 / degrees).sqrt();
        is_finite.then_some(Self { sorted, expansion, degrees, rounding: largest * 1e-12 })
    }

    fn figures(&self, confidence: f64) -> Option<BootstrapFigures> {
        if !(confidence > 0.0 && confidence < 1.0) {
            return None;
        }
        let quantile = student_two_sided_quantile(1.0 - confidence, self.degrees);
        let tail = normal_upper_tail(quantile * self.expansion);
        let interval = ConfidenceInterval { low: self.percentile(tail), high: self.percentile(1.0 - tail) };
        Some(BootstrapFigures { interval, p_value: self.p_value() })
    }

    /// The mean below which a share of the means are, interpolated between the two next to it.
    fn percentile(&self, share: f64) -> f64 {
        let last = self.sorted.len() - 1;
        let position = (share * (self.sorted.len() as f64 + 1.0) - 1.0).clamp(0.0, last as f64);
        let below = position as usize;
        let (low, high) = (self.sorted[below], self.sorted[(below + 1).min(last)]);
        low + (high - low) * (position - below as f64)
    }

    fn p_value(&self) -> f64 {
        let at_most_zero = self.sorted.partition_point(|mean| *mean <= self.rounding);
        let at_least_zero = self.sorted.len() - self.sorted.partition_point(|mean| *mean < -self.rounding);
        let fewer = at_most_zero.min(at_least_zero) as f64;
        let tail = (fewer + 1.0) / (self.sorted.len() as f64 + 1.0);
        if tail >= 0.5 {
            return 1.0;
        }
        student_two_tails(normal_upper_quantile(tail) / self.expansion, self.degrees)
    }
}
