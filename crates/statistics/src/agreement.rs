//! How far judges agree beyond chance: Cohen's kappa, Fleiss' kappa and Krippendorff's alpha.
//!
//! All three are 1 - observed disagreement / expected disagreement; they differ in which pairs of ratings are expected
//! by chance, and in how far apart two ratings are.

use crate::sums::sum_of;

/// How far apart two different ratings are for Cohen's kappa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KappaWeights {
    /// All different ratings are equally far apart.
    Unweighted,
    /// The distance is the difference of the ratings.
    Linear,
    /// The distance is the squared difference of the ratings.
    Quadratic,
}

/// What ratings mean for Krippendorff's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasurementLevel {
    /// Ratings are equal or different.
    Nominal,
    /// Ratings have an order.
    Ordinal,
    /// The differences of ratings have a meaning.
    Interval,
}

/// The share of a rating among all ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseRate {
    /// The rating.
    pub rating: f64,
    /// How often it was given.
    pub count: usize,
    /// Its share of all ratings that were counted, from 0 to 1.
    pub share: f64,
}

/// How far judges agree.
#[derive(Clone, Debug, PartialEq)]
pub struct AgreementFigures {
    /// The coefficient: 1 if all agree, 0 if they agree as often as by chance. `None` if chance alone gives full
    /// agreement, because only one category was used: then kappa and alpha are not defined.
    pub coefficient: Option<f64>,
    /// The agreement that was observed, from 0 to 1: 1 minus the mean distance of two ratings of a unit, as a share of
    /// the largest distance between any two ratings. For categories without weights, it is the share of equal pairs.
    pub observed_agreement: f64,
    /// The agreement expected by chance, on the same scale.
    pub expected_agreement: f64,
    /// The share of equal pairs among the pairs of ratings of one unit, without weights.
    pub exact_agreement: f64,
    /// The units that were counted.
    pub units: usize,
    /// The units that were left out because they have too few ratings.
    pub left_out: usize,
    /// The ratings that were counted.
    pub ratings: usize,
    /// Each rating with its share, in ascending order.
    pub base_rates: Vec<BaseRate>,
}

/// Returns Cohen's kappa of two judges who rated the same units (Cohen 1960; with weights, Cohen 1968). It equals
/// `cohen_kappa_score` of scikit-learn if the ratings are consecutive integers; scikit-learn's distance is that of
/// places among the labels, ours is that of the ratings.
///
/// Each slice has one rating for each unit. Units with a missing rating, or one that is not finite, are left out.
/// `None` if the slices differ in length, or no unit is left. The cost is that of sorting.
///
/// ```
/// use evalgraph_statistics::{KappaWeights, cohen_kappa};
///
/// let first = [1.0, 1.0, 0.0, 0.0].map(Some);
/// let second = [1.0, 0.0, 0.0, 0.0].map(Some);
/// let figures = cohen_kappa(&first, &second, KappaWeights::Unweighted);
/// assert_eq!(figures.and_then(|figures| figures.coefficient), Some(0.5));
/// ```
pub fn cohen_kappa(
    first: &[Option<f64>],
    second: &[Option<f64>],
    weights: KappaWeights,
) -> Option<AgreementFigures> {
    let is_pair = first.len() == second.len();
    let both = first.iter().zip(second).filter_map(|(one, other)| Some(vec![usable(*one)?, usable(*other)?]));
    let rated: Vec<Vec<f64>> = both.filter(|_| is_pair).collect();
    if rated.is_empty() {
        return None;
    }
    let units = RatedUnits::new(rated, first.len());
    let count = units.rated.len() as f64;
    let rates: Vec<[f64; 2]> =
        units.counts_by_place().iter().map(|counts| counts.map(|one| one / count)).collect();
    let equal = sum_of(rates.iter().map(|[one, other]| one * other));
    let disagreement = match weights {
        KappaWeights::Unweighted => {
            ChanceDisagreement { observed: 1.0 - units.exact_agreement(), expected: 1.0 - equal }
        }
        KappaWeights::Linear => {
            let distances = units.scaled().map(|ratings| (ratings[0] - ratings[1]).abs());
            ChanceDisagreement {
                observed: sum_of(distances) / count,
                expected: units.expected_distance(&rates),
            }
        }
        KappaWeights::Quadratic => {
            let distances = units.scaled().map(|ratings| (ratings[0] - ratings[1]).powi(2));
            ChanceDisagreement {
                observed: sum_of(distances) / count,
                expected: units.expected_square(&rates),
            }
        }
    };
    Some(units.figures(disagreement))
}

/// Returns Fleiss' kappa of several judges (Fleiss 1971, "Measuring Nominal Scale Agreement Among Many Raters"). It
/// equals `fleiss_kappa` of statsmodels.
///
/// Each unit has the ratings of its judges, who may differ from unit to unit. All units need the same number of
/// ratings: those with fewer than the most are left out. Krippendorff's alpha uses them too. `None` if no unit has two
/// ratings. The cost is that of sorting.
pub fn fleiss_kappa(units: &[Vec<Option<f64>>]) -> Option<AgreementFigures> {
    let most = units.iter().map(|ratings| usable_ratings(ratings).len()).max().filter(|most| *most > 1)?;
    let rated = units.iter().map(|ratings| usable_ratings(ratings)).filter(|ratings| ratings.len() == most);
    let rated = RatedUnits::new(rated.collect(), units.len());
    let equal = sum_of(rated.base_rates.iter().map(|rate| rate.share * rate.share));
    let disagreement = ChanceDisagreement { observed: 1.0 - rated.exact_agreement(), expected: 1.0 - equal };
    Some(rated.figures(disagreement))
}

/// Returns Krippendorff's alpha of any number of judges, some of whose ratings may be missing (Krippendorff 2011,
/// "Computing Krippendorff's Alpha-Reliability"). It equals `alpha` of the package `krippendorff`.
///
/// Each unit has the ratings of its judges. A rating that is missing, or not finite, is not counted; units with fewer
/// than two ratings are left out. `None` if no unit has two ratings. The cost is that of sorting, not of comparing each
/// with each: the ordinal distance is that of the places in the order, as its definition implies.
pub fn krippendorff_alpha(units: &[Vec<Option<f64>>], level: MeasurementLevel) -> Option<AgreementFigures> {
    let rated = units.iter().map(|ratings| usable_ratings(ratings)).filter(|ratings| ratings.len() > 1);
    let rated: Vec<Vec<f64>> = rated.collect();
    if rated.is_empty() {
        return None;
    }
    let rated = RatedUnits::new(rated, units.len());
    let disagreement = match level {
        MeasurementLevel::Nominal => {
            let all = rated.ratings as f64;
            let others =
                rated.base_rates.iter().map(|rate| rate.share * (all - rate.count as f64) / (all - 1.0));
            ChanceDisagreement { observed: 1.0 - rated.exact_agreement(), expected: sum_of(others) }
        }
        MeasurementLevel::Ordinal => rated.squared_disagreement(&rated.places()),
        MeasurementLevel::Interval => rated.squared_disagreement(&rated.scaled_rates()),
    };
    Some(rated.figures(disagreement))
}

/// A rating that can be compared. -0 is 0.
fn usable(rating: Option<f64>) -> Option<f64> {
    rating.filter(|rating| rating.is_finite()).map(|rating| rating + 0.0)
}

fn usable_ratings(ratings: &[Option<f64>]) -> Vec<f64> {
    ratings.iter().filter_map(|rating| usable(*rating)).collect()
}

/// The mean distance of two ratings, from 0 to 1: those of one unit, and those that chance brings together.
#[derive(Clone, Copy)]
struct ChanceDisagreement {
    observed: f64,
    expected: f64,
}

/// The ratings of units, of which each has two or more. There is at least one unit.
struct RatedUnits {
    rated: Vec<Vec<f64>>,
    left_out: usize,
    ratings: usize,
    base_rates: Vec<BaseRate>,
}

impl RatedUnits {
    fn new(rated: Vec<Vec<f64>>, units: usize) -> Self {
        let mut all: Vec<f64> = rated.iter().flatten().copied().collect();
        all.sort_unstable_by(f64::total_cmp);
        let same = all.chunk_by(|one, other| one == other);
        let base_rates = same.map(|ratings| BaseRate {
            rating: ratings[0],
            count: ratings.len(),
            share: ratings.len() as f64 / all.len() as f64,
        });
        let base_rates = base_rates.collect();
        Self { left_out: units - rated.len(), ratings: all.len(), rated, base_rates }
    }

    /// The place of a rating among the different ratings.
    fn place(&self, rating: f64) -> usize {
        self.base_rates.partition_point(|rate| rate.rating < rating)
    }

    /// How often the first and the second judge gave each rating.
    fn counts_by_place(&self) -> Vec<[f64; 2]> {
        let mut counts = vec![[0.0; 2]; self.base_rates.len()];
        for ratings in &self.rated {
            for (judge, rating) in ratings.iter().take(2).enumerate() {
                counts[self.place(*rating)][judge] += 1.0;
            }
        }
        counts
    }

    /// The share of equal pairs among the pairs of one unit. A unit counts as often as it has ratings.
    fn exact_agreement(&self) -> f64 {
        let equal = self.rated.iter().map(|ratings| {
            let mut sorted = ratings.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let same = sorted.chunk_by(|one, other| one == other);
            let pairs: f64 = same.map(|ratings| ratings.len() as f64 * (ratings.len() as f64 - 1.0)).sum();
            pairs / (ratings.len() as f64 - 1.0)
        });
        sum_of(equal) / self.ratings as f64
    }

    /// A rating on the scale from the smallest rating (0) to the largest (1).
    fn scale(&self, rating: f64) -> f64 {
        let (low, high) = match (self.base_rates.first(), self.base_rates.last()) {
            (Some(first), Some(last)) if first.rating < last.rating => (first.rating, last.rating),
            _ => return 0.0,
        };
        if (high - low).is_finite() {
            return (rating - low) / (high - low);
        }
        (rating / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
    }

    fn scaled(&self) -> impl Iterator<Item = Vec<f64>> {
        self.rated.iter().map(|ratings| ratings.iter().map(|rating| self.scale(*rating)).collect())
    }

    fn scaled_rates(&self) -> Vec<f64> {
        self.base_rates.iter().map(|rate| self.scale(rate.rating)).collect()
    }

    /// The mean distance if each judge's ratings are distributed at random: between neighbours of the scale, it counts
    /// the pairs with one rating on each side.
    fn expected_distance(&self, rates: &[[f64; 2]]) -> f64 {
        let scaled = self.scaled_rates();
        let (mut first, mut second) = (0.0, 0.0);
        let steps = rates.iter().zip(scaled.windows(2)).map(|([one, other], step)| {
            first += one;
            second += other;
            (step[1] - step[0]) * (first * (1.0 - second) + second * (1.0 - first))
        });
        sum_of(steps)
    }

    /// The mean squared distance if each judge's ratings are distributed at random: both variances, and the squared
    /// distance of the means.
    fn expected_square(&self, rates: &[[f64; 2]]) -> f64 {
        let scaled = self.scaled_rates();
        let moment = |judge: usize, value: &dyn Fn(f64) -> f64| {
            sum_of(rates.iter().zip(&scaled).map(|(rate, scaled)| rate[judge] * value(*scaled)))
        };
        let means = [moment(0, &|scaled| scaled), moment(1, &|scaled| scaled)];
        let variance = |judge: usize| moment(judge, &|scaled| (scaled - means[judge]).powi(2));
        variance(0) + variance(1) + (means[0] - means[1]).powi(2)
    }

    /// The places of the ratings in the order of all ratings, each in the middle of its equals, from 0 to 1. The
    /// ordinal distance of two ratings is the number of ratings between these places.
    fn places(&self) -> Vec<f64> {
        let mut before = 0.0;
        let middles = self.base_rates.iter().map(|rate| {
            before += rate.count as f64;
            before - rate.count as f64 / 2.0
        });
        let middles: Vec<f64> = middles.collect();
        let (Some(first), Some(last)) = (middles.first(), middles.last()) else { return middles };
        let range = if first < last { last - first } else { 1.0 };
        middles.iter().map(|middle| (middle - first) / range).collect()
    }

    /// The mean squared distance of ratings that have a position each.
    fn squared_disagreement(&self, positions: &[f64]) -> ChanceDisagreement {
        let all = self.ratings as f64;
        let squares = |values: &[f64]| {
            let mean = sum_of(values.iter().copied()) / values.len() as f64;
            sum_of(values.iter().map(|value| (value - mean).powi(2)))
        };
        let observed = self.rated.iter().map(|ratings| {
            let values: Vec<f64> = ratings.iter().map(|rating| positions[self.place(*rating)]).collect();
            2.0 * values.len() as f64 * squares(&values) / (values.len() as f64 - 1.0)
        });
        let observed = sum_of(observed) / all;
        let rates = || self.base_rates.iter().zip(positions);
        let mean = sum_of(rates().map(|(rate, position)| rate.share * position));
        let variance = sum_of(rates().map(|(rate, position)| rate.share * (position - mean).powi(2)));
        ChanceDisagreement { observed, expected: 2.0 * variance * all / (all - 1.0) }
    }

    fn figures(self, disagreement: ChanceDisagreement) -> AgreementFigures {
        let is_defined = self.base_rates.len() > 1 && disagreement.expected > 0.0;
        let coefficient = 1.0 - disagreement.observed / disagreement.expected;
        AgreementFigures {
            coefficient: is_defined.then_some(coefficient),
            observed_agreement: 1.0 - disagreement.observed,
            expected_agreement: 1.0 - disagreement.expected,
            exact_agreement: self.exact_agreement(),
            units: self.rated.len(),
            left_out: self.left_out,
            ratings: self.ratings,
            base_rates: self.base_rates,
        }
    }
}
