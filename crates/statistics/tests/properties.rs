//! What holds for all scores and ratings: symmetry, order, and bounds.

use evalgraph_statistics::{
    BootstrapOptions, ComparisonOptions, DifferenceTest, KappaWeights, MeasurementLevel, PairedComparison,
    PowerGoal, ScorePair, cohen_kappa, fleiss_kappa, holm_corrected, item_statistics, kendall_tau,
    krippendorff_alpha, mcnemar_exact, mcnemar_mid_p, mcnemar_power, paired_proportions_interval,
    pairs_needed, pass_all, pass_at, power_for_difference, smallest_detectable,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn few_resamples() -> ComparisonOptions {
    let bootstrap = BootstrapOptions { resamples: 400, ..BootstrapOptions::default() };
    ComparisonOptions { bootstrap, goal: PowerGoal::default() }
}

fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(1.0),
        Just(0.5),
        (0..=10).prop_map(|tenth| f64::from(tenth) / 10.0),
        -5.0..5.0
    ]
}

fn any_number() -> impl Strategy<Value = f64> {
    let odd =
        vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, -0.0, 5e-324];
    prop_oneof![score(), any::<f64>(), prop::sample::select(odd)]
}

fn pairs(score: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Vec<ScorePair>> {
    let one = |clusters: u32| {
        let cluster =
            (0..=clusters).prop_map(move |cluster| (clusters > 1 && cluster > 0).then_some(cluster));
        let pair = (score.clone(), score.clone(), cluster);
        vec(pair.prop_map(|(first, second, cluster)| ScorePair { first, second, cluster }), 0..80)
    };
    prop_oneof![one(1), one(60), one(30), one(3)]
}

fn binary_or_not() -> impl Strategy<Value = Vec<ScorePair>> {
    prop_oneof![pairs(score().boxed()), pairs(prop::sample::select(vec![0.0, 1.0]).boxed())]
}

fn swapped(pairs: &[ScorePair]) -> Vec<ScorePair> {
    let swap = |pair: &ScorePair| ScorePair { first: pair.second, second: pair.first, ..*pair };
    pairs.iter().map(swap).collect()
}

fn ratings(rating: impl Strategy<Value = f64>) -> impl Strategy<Value = Vec<Vec<Option<f64>>>> {
    vec(vec(prop::option::weighted(0.8, rating), 0..5), 0..20)
}

fn is_share(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// Equal apart from rounding.
fn is_near(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(1.0),
        _ => one == other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn swapped_runs_give_the_negated_result(pairs in binary_or_not()) {
        let one = PairedComparison::from_pairs(&pairs, &few_resamples());
        let other = PairedComparison::from_pairs(&swapped(&pairs), &few_resamples());
        prop_assert_eq!((one.wins, one.losses, one.ties), (other.losses, other.wins, other.ties));
        prop_assert_eq!((one.test, one.standard_error, one.clusters), (other.test, other.standard_error, other.clusters));
        prop_assert!(is_near(one.p_value, other.p_value), "{one:?} {other:?}");
        prop_assert!(is_near(one.mean_difference, other.mean_difference.map(|mean| -mean)));
        prop_assert!(is_near(one.interval.map(|interval| interval.low), other.interval.map(|interval| -interval.high)));
        prop_assert!(is_near(one.interval.map(|interval| interval.high), other.interval.map(|interval| -interval.low)));
    }

    #[test]
    fn the_order_of_pairs_does_not_matter(
        pairs in binary_or_not().prop_flat_map(|pairs| (Just(pairs.clone()), Just(pairs).prop_shuffle()))
    ) {
        let one = PairedComparison::from_pairs(&pairs.0, &few_resamples());
        let other = PairedComparison::from_pairs(&pairs.1, &few_resamples());
        prop_assert_eq!((one.wins, one.losses, one.test), (other.wins, other.losses, other.test));
        prop_assert!(is_near(one.p_value, other.p_value), "{one:?} {other:?}");
        prop_assert!(is_near(one.standard_error, other.standard_error));
        prop_assert!(is_near(one.interval.map(|interval| interval.low), other.interval.map(|interval| interval.low)));
        prop_assert!(is_near(one.interval.map(|interval| interval.high), other.interval.map(|interval| interval.high)));
    }

    #[test]
    fn figures_are_within_their_bounds(pairs in binary_or_not()) {
        let comparison = PairedComparison::from_pairs(&pairs, &few_resamples());
        prop_assert_eq!(comparison.wins + comparison.losses + comparison.ties + comparison.left_out, pairs.len());
        prop_assert!(comparison.p_value.is_none_or(is_share), "{comparison:?}");
        prop_assert!(comparison.mid_p_value.is_none_or(is_share));
        prop_assert!(comparison.standard_error.is_none_or(|error| error >= 0.0));
        if let (Some(interval), Some(mean)) = (comparison.interval, comparison.mean_difference) {
            prop_assert!(interval.low <= mean && mean <= interval.high, "{comparison:?}");
        }
        prop_assert_eq!(comparison.p_value.is_none(), comparison.test == DifferenceTest::NoTest);
    }

    #[test]
    fn any_score_has_a_result(pairs in pairs(any_number().boxed()), confidence in any_number(), resamples in 0_usize..50) {
        let bootstrap = BootstrapOptions { confidence, resamples, seed: 1 };
        let goal = PowerGoal { alpha: confidence, power: confidence };
        let comparison = PairedComparison::from_pairs(&pairs, &ComparisonOptions { bootstrap, goal });
        prop_assert!(comparison.p_value.is_none_or(is_share), "{comparison:?}");
        let figures = [
            comparison.mean_difference,
            comparison.standard_error,
            comparison.smallest_detectable,
            comparison.interval.map(|interval| interval.low),
            comparison.interval.map(|interval| interval.high),
        ];
        prop_assert!(figures.iter().flatten().all(|figure| figure.is_finite()), "{comparison:?}");
    }

    #[test]
    fn any_number_has_a_power(one in any_number(), other in any_number(), third in any_number(), pairs in 0_u64..300) {
        prop_assert!(power_for_difference(one, other, third).is_none_or(is_share));
        prop_assert!(mcnemar_power(pairs, one, other, third).is_none_or(is_share));
        let goal = PowerGoal { alpha: one, power: other };
        prop_assert!(smallest_detectable(third, &goal).is_none_or(|smallest| smallest.is_finite()));
        prop_assert!(pairs_needed(third, one, &PowerGoal::default()).is_none_or(|pairs| pairs > 1));
    }

    #[test]
    fn as_many_pairs_as_needed_have_the_power(difference in 0.01..0.5, deviation in 0.05..1.0) {
        let pairs = pairs_needed(difference, deviation, &PowerGoal::default()).expect("there is a number") as f64;
        let smallest = |pairs: f64| smallest_detectable(deviation / pairs.sqrt(), &PowerGoal::default());
        prop_assert!(smallest(pairs).is_some_and(|smallest| smallest <= difference * 1.000_001));
        prop_assert!(pairs <= 2.0 || smallest(pairs - 1.0).is_some_and(|smallest| smallest > difference));
        let power = power_for_difference(difference, deviation / pairs.sqrt(), 0.05);
        prop_assert!(power.is_some_and(|power| power > 0.799_99));
    }

    #[test]
    fn any_counts_have_a_p_value(wins in any::<u64>(), losses in any::<u64>(), shift in 0_u32..64) {
        for (wins, losses) in [(wins, losses), (wins >> shift, losses >> shift), (wins >> 44, losses >> 44)] {
            let (exact, middle) = (mcnemar_exact(wins, losses), mcnemar_mid_p(wins, losses));
            prop_assert!(is_share(exact) && is_share(middle) && middle <= exact, "{wins} {losses} {exact} {middle}");
            prop_assert_eq!(exact, mcnemar_exact(losses, wins));
            let interval = paired_proportions_interval(wins, losses, u64::MAX, 0.95);
            prop_assert!(interval.is_none_or(|interval| interval.low <= interval.high));
        }
    }

    #[test]
    fn corrected_p_values_are_larger_and_in_the_same_order(
        p_values in vec(prop::option::weighted(0.9, prop_oneof![any_number(), 0.0..0.1]), 0..30)
    ) {
        let corrected = holm_corrected(&p_values);
        prop_assert_eq!(corrected.len(), p_values.len());
        for (corrected, p_value) in corrected.iter().zip(&p_values) {
            prop_assert_eq!(corrected.is_some(), p_value.is_some_and(is_share));
            prop_assert!(corrected.is_none_or(|corrected| is_share(corrected) && Some(corrected) >= *p_value));
        }
        let both = || p_values.iter().zip(&corrected).filter(|(_, corrected)| corrected.is_some());
        for (one, other) in both().flat_map(|one| both().map(move |other| (one, other))) {
            prop_assert!(one.0 > other.0 || one.1 <= other.1);
        }
    }

    #[test]
    fn coefficients_of_agreement_are_at_most_one(units in ratings(any_number())) {
        let (first, second): (Vec<_>, Vec<_>) =
            units.iter().map(|unit| (unit.first().copied().flatten(), unit.get(1).copied().flatten())).unzip();
        let kappa = |weights| cohen_kappa(&first, &second, weights);
        let alpha = |level| krippendorff_alpha(&units, level);
        let all = [
            kappa(KappaWeights::Unweighted),
            kappa(KappaWeights::Linear),
            kappa(KappaWeights::Quadratic),
            fleiss_kappa(&units),
            alpha(MeasurementLevel::Nominal),
            alpha(MeasurementLevel::Ordinal),
            alpha(MeasurementLevel::Interval),
        ];
        for figures in all.into_iter().flatten() {
            prop_assert!(figures.coefficient.is_none_or(|one| (-1e9..=1.0 + 1e-12).contains(&one)), "{figures:?}");
            let is_nearly_share = |share: f64| (-1e-12..=1.0 + 1e-12).contains(&share);
            prop_assert!(is_nearly_share(figures.observed_agreement) && is_share(figures.exact_agreement), "{figures:?}");
            prop_assert!((-1.0..=1.0 + 1e-12).contains(&figures.expected_agreement), "{figures:?}");
            prop_assert_eq!(figures.units + figures.left_out, units.len());
            prop_assert_eq!(figures.base_rates.iter().map(|rate| rate.count).sum::<usize>(), figures.ratings);
        }
    }

    #[test]
    fn judges_can_be_exchanged(units in ratings((1..4).prop_map(f64::from)), factor in 0.1..9.0) {
        let (first, second): (Vec<_>, Vec<_>) =
            units.iter().map(|unit| (unit.first().copied().flatten(), unit.get(1).copied().flatten())).unzip();
        for weights in [KappaWeights::Unweighted, KappaWeights::Linear, KappaWeights::Quadratic] {
            let coefficient = |one: &[_], other: &[_]| cohen_kappa(one, other, weights)?.coefficient;
            prop_assert!(is_near(coefficient(&first, &second), coefficient(&second, &first)));
        }
        let turned: Vec<Vec<_>> = units
            .iter()
            .rev()
            .map(|unit| unit.iter().rev().map(|rating| rating.map(|rating| rating * factor - 1.0)).collect())
            .collect();
        for level in [MeasurementLevel::Nominal, MeasurementLevel::Ordinal, MeasurementLevel::Interval] {
            let coefficient = |units: &[Vec<_>]| krippendorff_alpha(units, level)?.coefficient;
            prop_assert!(is_near(coefficient(&units), coefficient(&turned)));
        }
    }

    #[test]
    fn orders_of_models_are_symmetric(pairs in vec((any_number(), any_number()), 0..40)) {
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let tau = kendall_tau(&first, &second);
        prop_assert!(tau.is_none_or(|tau| (-1.0..=1.0).contains(&tau)));
        prop_assert_eq!(tau, kendall_tau(&second, &first));
        let negated: Vec<f64> = second.iter().map(|value| -value).collect();
        prop_assert_eq!(tau.map(|tau| -tau), kendall_tau(&first, &negated));
    }

    #[test]
    fn any_items_have_statistics(items in ratings(any_number())) {
        let statistics = item_statistics(&items);
        prop_assert_eq!(statistics.len(), items.len());
        for item in statistics {
            prop_assert!(item.discrimination.is_none_or(|one| (-1.0..=1.0).contains(&one)));
            prop_assert!(item.difficulty.is_none_or(f64::is_finite));
        }
    }

    #[test]
    fn attempts_have_probabilities(k in any::<u32>(), attempts in any::<u32>(), successes in any::<u32>(), shift in 0_u32..32) {
        for shift in [0, shift, 27] {
            let (k, attempts, successes) = (k >> shift, attempts >> shift, successes >> shift);
            let (at, all) = (pass_at(k, attempts, successes), pass_all(k, attempts, successes));
            prop_assert_eq!(at.is_some(), k <= attempts && successes <= attempts);
            prop_assert!(at.is_none_or(is_share) && all.is_none_or(is_share));
            prop_assert!(k == 0 || all <= at.map(|at| at + 1e-12));
        }
    }
}
