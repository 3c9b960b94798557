//! Which test a comparison chooses, and what it says about unusual scores and ratings.

use evalgraph_statistics::{
    ComparisonOptions, DifferenceTest, KappaWeights, MeasurementLevel, PairedComparison, ScorePair,
    cohen_kappa, fleiss_kappa, item_statistics, krippendorff_alpha, mcnemar_exact, standard_error,
};

fn pair(first: f64, second: f64) -> ScorePair {
    ScorePair { first, second, cluster: None }
}

fn compare(pairs: &[ScorePair]) -> PairedComparison {
    PairedComparison::from_pairs(pairs, &ComparisonOptions::default())
}

/// Scores that vary, in clusters of a size.
fn varied(count: u32, cluster_size: u32) -> Vec<ScorePair> {
    let score = |place: u32| f64::from(place * 37 % 101) / 100.0;
    let cluster = |place: u32| (cluster_size > 0).then(|| place / cluster_size);
    (0..count)
        .map(|place| ScorePair { first: score(place), second: score(place + 5), cluster: cluster(place) })
        .collect()
}

#[test]
fn the_test_follows_the_scores_and_their_number() {
    use DifferenceTest::{
        ClusteredBootstrap, ClusteredT, McNemarExact, NoTest, PairedBootstrap, PairedT, SignTest,
    };
    let outcomes = vec![pair(0.0, 1.0); 30];
    let in_cluster = |pairs: Vec<ScorePair>| -> Vec<ScorePair> {
        pairs.into_iter().map(|pair| ScorePair { cluster: Some(3), ..pair }).collect()
    };
    let cases = [
        (vec![], NoTest),
        (vec![pair(0.5, 0.7)], NoTest),
        (vec![pair(0.0, 1.0)], McNemarExact),
        (outcomes.clone(), McNemarExact),
        (in_cluster(outcomes), NoTest),
        (varied(19, 0), PairedT),
        (varied(20, 0), PairedBootstrap),
        (varied(10_001, 0), PairedT),
        // Each sample is a cluster of its own.
        (varied(20, 1), PairedBootstrap),
        (varied(60, 3), ClusteredBootstrap),
        (varied(30, 3), ClusteredT),
        (vec![pair(0.5, 0.7); 30], SignTest),
        (vec![pair(1e308, -1e308); 30], NoTest),
    ];
    for (pairs, test) in cases {
        let comparison = compare(&pairs);
        assert_eq!(comparison.test, test, "{} pairs", pairs.len());
        assert_eq!(comparison.p_value.is_none(), test == NoTest);
        assert_eq!(comparison.interval.is_none(), matches!(test, NoTest | SignTest));
    }
}

#[test]
fn scores_that_are_no_numbers_are_counted_and_left_out() {
    let mut pairs = varied(40, 0);
    let without = compare(&pairs);
    pairs.extend([pair(f64::NAN, 1.0), pair(0.0, f64::INFINITY), pair(f64::INFINITY, f64::INFINITY)]);
    let with = compare(&pairs);
    assert_eq!((without.left_out, with.left_out), (0, 3));
    assert_eq!(PairedComparison { left_out: 0, ..with }, without);
}

#[test]
fn equal_differences_show_how_many_there_were() {
    let comparison = compare(&vec![pair(0.2, 0.3); 12]);
    assert_eq!(comparison.p_value, Some(mcnemar_exact(12, 0)));
    assert_eq!((comparison.interval, comparison.smallest_detectable), (None, None));
    let ties = compare(&vec![pair(0.2, 0.2); 12]);
    assert_eq!((ties.p_value, ties.mean_difference, ties.ties), (Some(1.0), Some(0.0), 12));
    // Outcomes that are all ties still have an interval.
    let ties = compare(&vec![pair(1.0, 1.0); 12]);
    assert!(ties.interval.is_some_and(|interval| interval.low < -0.1 && interval.high > 0.1), "{ties:?}");
    assert_eq!(ties.smallest_detectable, None);
}

#[test]
fn clusters_make_the_error_larger_if_their_samples_are_alike() {
    let mut pairs = varied(25, 0);
    pairs = pairs.iter().flat_map(|pair| [*pair; 4]).collect();
    let alone = compare(&pairs);
    for (place, pair) in pairs.iter_mut().enumerate() {
        pair.cluster = Some(place as u32 / 4);
    }
    let clustered = compare(&pairs);
    let (Some(alone), Some(clustered_error)) = (alone.standard_error, clustered.standard_error) else {
        panic!("both are known");
    };
    assert!(clustered_error > 1.9 * alone && clustered_error < 2.1 * alone, "{clustered_error} {alone}");
    assert_eq!((clustered.clusters, clustered.pairs), (Some(25), 100));
    assert_eq!(standard_error(&[1.0]), None);
}

#[test]
fn agreement_on_one_category_is_not_a_coefficient() {
    let same = [Some(1.0); 4];
    let figures = cohen_kappa(&same, &same, KappaWeights::Linear).expect("there are units");
    assert_eq!((figures.coefficient, figures.observed_agreement, figures.exact_agreement), (None, 1.0, 1.0));
    let units = vec![vec![Some(1.0); 3]; 4];
    assert_eq!(fleiss_kappa(&units).expect("there are units").coefficient, None);
    for level in [MeasurementLevel::Nominal, MeasurementLevel::Ordinal, MeasurementLevel::Interval] {
        assert_eq!(krippendorff_alpha(&units, level).expect("there are units").coefficient, None);
    }
    assert_eq!(cohen_kappa(&same, &same[1..], KappaWeights::Unweighted), None);
    assert_eq!(cohen_kappa(&[None], &[Some(1.0)], KappaWeights::Unweighted), None);
    assert_eq!(krippendorff_alpha(&[vec![Some(1.0), None]], MeasurementLevel::Nominal), None);
    assert_eq!(fleiss_kappa(&[]), None);
}

#[test]
fn units_with_too_few_ratings_are_counted() {
    let units = [
        vec![Some(1.0), Some(1.0), Some(0.0)],
        vec![Some(0.0), None, Some(0.0)],
        vec![Some(1.0), None, None],
        vec![Some(1.0), Some(1.0), Some(1.0)],
    ];
    let fleiss = fleiss_kappa(&units).expect("there are units");
    assert_eq!((fleiss.units, fleiss.left_out, fleiss.ratings), (2, 2, 6));
    let alpha = krippendorff_alpha(&units, MeasurementLevel::Nominal).expect("there are units");
    assert_eq!((alpha.units, alpha.left_out, alpha.ratings), (3, 1, 8));
    let rates: Vec<(f64, usize)> = alpha.base_rates.iter().map(|rate| (rate.rating, rate.count)).collect();
    assert_eq!(rates, [(0.0, 3), (1.0, 5)]);
    // A unit counts as often as it has ratings: 1 of 3, 2 of 2, and 3 of 3.
    assert!((alpha.exact_agreement - 6.0 / 8.0).abs() < 1e-15);
}

#[test]
fn an_item_that_better_models_fail_has_a_negative_discrimination() {
    let row = |scores: [f64; 4]| scores.map(Some).to_vec();
    let items = [
        row([0.0, 0.0, 1.0, 1.0]),
        row([0.0, 1.0, 1.0, 1.0]),
        row([1.0, 1.0, 0.0, 0.0]),
        row([1.0, 1.0, 1.0, 1.0]),
    ];
    let statistics = item_statistics(&items);
    assert_eq!(statistics[0].difficulty, Some(0.5));
    assert!(statistics[2].discrimination < Some(0.0) && statistics[2].discrimination.is_some());
    assert_eq!((statistics[3].discrimination, statistics[3].difficulty), (None, Some(1.0)));
}
