//! The values of scipy, statsmodels, scikit-learn and krippendorff, to 1e-9, relative to the value: the table that
//! `tests/judges/statistics_values.py` prints.

use evalgraph_statistics::{
    ClusteredDifference, ComparisonOptions, DifferenceTest, KappaWeights, MeasurementLevel, PairedComparison,
    PowerGoal, ScorePair, cohen_kappa, fleiss_kappa, holm_corrected, item_statistics, kendall_tau,
    krippendorff_alpha, mcnemar_exact, mcnemar_mid_p, mcnemar_power, paired_proportions_interval,
    paired_t_test, pairs_needed, pass_all, pass_at, power_for_difference, smallest_detectable,
    standard_error,
};

const TABLE: &str = include_str!("../../../tests/judges/statistics-values.tsv");

type Numbers = Vec<Option<f64>>;

/// A case: its lists of arguments, and its values.
struct TableCase {
    lists: Vec<Numbers>,
    values: Numbers,
}

impl TableCase {
    fn number(&self, place: usize) -> f64 {
        self.lists[place][0].expect("it is a number")
    }

    fn count(&self, place: usize) -> u64 {
        self.number(place) as u64
    }

    fn list(&self, place: usize) -> Vec<f64> {
        self.lists[place].iter().map(|number| number.expect("it is a number")).collect()
    }

    fn check(&self, ours: &[Option<f64>]) {
        assert_eq!(ours.len(), self.values.len(), "{:?}", self.lists);
        for (own, value) in ours.iter().zip(&self.values) {
            let is_equal = match (own, value) {
                (Some(own), Some(value)) => (own - value).abs() <= 1e-9 * value.abs() + 1e-300 * 1e-9,
                _ => own == value,
            };
            // A correlation or coefficient of 0 is the rest of a subtraction.
            let is_zero =
                own.is_some_and(|own| own.abs() < 1e-14) && value.is_some_and(|value| value.abs() < 1e-14);
            let shown: String = format!("{:?}", self.lists).chars().take(300).collect();
            assert!(is_equal || is_zero, "{ours:?} is not {:?}: {shown}", self.values);
        }
    }
}

fn numbers(text: &str) -> Numbers {
    text.split_whitespace()
        .map(|number| (number != "-").then(|| number.parse().expect("it is a number")))
        .collect()
}

fn cases(name: &str) -> Vec<TableCase> {
    let rows = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let cases = rows
        .filter(|row| row[0] == name)
        .map(|row| TableCase { lists: row[1].split(';').map(numbers).collect(), values: numbers(row[2]) });
    let cases: Vec<TableCase> = cases.collect();
    assert!(!cases.is_empty(), "{name}");
    cases
}

/// The sequence of the script.
fn sequence(count: u64, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        ((state >> 8) % 1000) as f64 / 1000.0
    };
    (0..count).map(|_| next()).collect()
}

fn compared(differences: &[f64]) -> PairedComparison {
    let pairs: Vec<ScorePair> =
        differences.iter().map(|&second| ScorePair { first: 0.0, second, cluster: None }).collect();
    PairedComparison::from_pairs(&pairs, &ComparisonOptions::default())
}

#[test]
fn outcomes_have_the_values_of_statsmodels_and_scipy() {
    for case in cases("mcnemar") {
        let (wins, losses) = (case.count(0), case.count(1));
        case.check(&[Some(mcnemar_exact(wins, losses)), Some(mcnemar_mid_p(wins, losses))]);
    }
    for case in cases("paired_proportions_interval") {
        let interval = paired_proportions_interval(case.count(0), case.count(1), case.count(2), 0.95);
        case.check(&[interval.map(|interval| interval.low), interval.map(|interval| interval.high)]);
    }
    for case in cases("mcnemar_power") {
        case.check(&[mcnemar_power(case.count(0), case.number(1), case.number(2), 0.05)]);
    }
}

#[test]
fn scores_have_the_values_of_scipy() {
    let check = |case: &TableCase, differences: &[f64]| {
        let comparison = compared(differences);
        assert_eq!(comparison.test, DifferenceTest::PairedT);
        assert_eq!(comparison.p_value, paired_t_test(differences));
        assert_eq!(comparison.standard_error, standard_error(differences));
        let interval = comparison.interval.expect("there is one");
        case.check(&[comparison.p_value, comparison.standard_error, Some(interval.low), Some(interval.high)]);
    };
    for case in cases("t_test") {
        check(&case, &case.list(0));
    }
    for case in cases("t_test_of_sequence") {
        let shift = case.number(2);
        let differences: Vec<f64> =
            sequence(case.count(0), case.count(1)).iter().map(|value| value - shift).collect();
        check(&case, &differences);
    }
}

#[test]
fn clustered_errors_are_those_of_statsmodels() {
    for case in cases("clustered_error") {
        let pairs: Vec<ScorePair> = case
            .list(0)
            .iter()
            .zip(case.list(1))
            .map(|(&second, cluster)| ScorePair { first: 0.0, second, cluster: Some(cluster as u32) })
            .collect();
        let comparison = PairedComparison::from_pairs(&pairs, &ComparisonOptions::default());
        case.check(&[comparison.standard_error]);
    }
}

#[test]
fn corrections_and_sizes_are_those_of_statsmodels() {
    for case in cases("holm") {
        case.check(&holm_corrected(&case.lists[0]));
    }
    for case in cases("power") {
        case.check(&[power_for_difference(case.number(0), case.number(1), case.number(2))]);
    }
    for case in cases("smallest_detectable") {
        let goal = PowerGoal { alpha: case.number(1), power: case.number(2) };
        case.check(&[smallest_detectable(case.number(0), &goal)]);
    }
    for case in cases("pairs_needed") {
        let needed = pairs_needed(case.number(0), case.number(1), &PowerGoal::default());
        case.check(&[needed.map(|needed| needed as f64)]);
    }
}

#[test]
fn agreement_is_that_of_scikit_learn_statsmodels_and_krippendorff() {
    for case in cases("cohen") {
        let weights = [KappaWeights::Unweighted, KappaWeights::Linear, KappaWeights::Quadratic];
        let kappa = |weights| cohen_kappa(&case.lists[0], &case.lists[1], weights)?.coefficient;
        case.check(&weights.map(kappa));
    }
    for case in cases("fleiss") {
        case.check(&[fleiss_kappa(&case.lists).and_then(|figures| figures.coefficient)]);
    }
    for case in cases("krippendorff") {
        let levels = [MeasurementLevel::Nominal, MeasurementLevel::Ordinal, MeasurementLevel::Interval];
        case.check(&levels.map(|level| krippendorff_alpha(&case.lists, level)?.coefficient));
    }
}

#[test]
fn items_and_attempts_have_their_values() {
    for case in cases("kendall") {
        case.check(&[kendall_tau(&case.list(0), &case.list(1))]);
    }
    for case in cases("items") {
        let statistics = item_statistics(&case.lists);
        let difficulties = statistics.iter().map(|item| item.difficulty);
        let discriminations = statistics.iter().map(|item| item.discrimination);
        case.check(&difficulties.chain(discriminations).collect::<Vec<_>>());
    }
    for case in cases("pass") {
        let [attempts, successes, k] = [0, 1, 2].map(|place| case.number(place) as u32);
        case.check(&[pass_at(k, attempts, successes), pass_all(k, attempts, successes)]);
    }
}

#[test]
fn the_result_of_a_seed_stays_the_same() {
    let differences: Vec<f64> = sequence(30, 5).iter().map(|value| value - 0.4).collect();
    let options = evalgraph_statistics::BootstrapOptions::default();
    let figures = evalgraph_statistics::bootstrap_mean(&differences, &options).expect("there are pairs");
    let clustered: Vec<ClusteredDifference> = differences
        .iter()
        .enumerate()
        .map(|(place, &difference)| ClusteredDifference { difference, cluster: Some(place as u32 / 3) })
        .collect();
    let by_cluster =
        evalgraph_statistics::bootstrap_clustered_mean(&clustered, &options).expect("there are clusters");
    let shown = |figures: evalgraph_statistics::BootstrapFigures| {
        format!("{:.12} {:.12} {:.12}", figures.interval.low, figures.interval.high, figures.p_value)
    };
    assert_eq!(shown(figures), "0.013422442335 0.223814741444 0.028201686783");
    assert_eq!(shown(by_cluster), "0.017821148932 0.229046513794 0.026432473552");
}
