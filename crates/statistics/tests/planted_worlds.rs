//! Pairs of runs without a difference are rarely reported as different, and pairs with one as often as the power says.

mod simulated_runs;

use evalgraph_statistics::{
    BootstrapOptions, ComparisonOptions, DifferenceTest, PairedComparison, PowerGoal, ScorePair,
    mcnemar_power, power_for_difference,
};
use simulated_runs::{RunKind, Simulation};

const RUNS: u64 = 1_000;

/// Runs to compare.
#[derive(Clone, Copy)]
struct PlantedWorld {
    kind: RunKind,
    pairs: usize,
    /// The pairs of one cluster, which share a part of their difference.
    cluster_size: usize,
}

impl PlantedWorld {
    /// The share of runs that are reported as different at 5 %. A swapped half of the pairs removes the difference.
    fn reported(self, has_difference: bool, test: DifferenceTest) -> f64 {
        let reports = (0..RUNS).filter(|run| {
            let mut simulation = Simulation::new(run * 15_485_863 + self.pairs as u64);
            let mut shared = 0.0;
            let pairs: Vec<ScorePair> = (0..self.pairs)
                .map(|place| {
                    if self.cluster_size > 1 && place % self.cluster_size == 0 {
                        shared = simulation.normal();
                    }
                    let own = simulation.difference(self.kind);
                    let is_swapped = !has_difference && simulation.uniform() < 0.5;
                    let difference = shared + if is_swapped { -own } else { own };
                    let cluster = (self.cluster_size > 1).then_some((place / self.cluster_size) as u32);
                    let is_loss = self.kind.is_binary() && difference < 0.0;
                    let first = if is_loss { 1.0 } else { 0.0 };
                    ScorePair { first, second: first + difference, cluster }
                })
                .collect();
            // One seed for all runs would make the same error in each.
            let bootstrap = BootstrapOptions { resamples: 2_000, seed: *run, ..BootstrapOptions::default() };
            let options = ComparisonOptions { bootstrap, goal: PowerGoal::default() };
            let comparison = PairedComparison::from_pairs(&pairs, &options);
            assert_eq!(comparison.test, test);
            comparison.p_value.is_some_and(|p_value| p_value <= 0.05)
        });
        reports.count() as f64 / RUNS as f64
    }
}

#[test]
fn runs_without_a_difference_are_rarely_reported() {
    let world = |kind, pairs, cluster_size| PlantedWorld { kind, pairs, cluster_size };
    let worlds = [
        (world(RunKind::Outcomes, 100, 1), DifferenceTest::McNemarExact),
        (world(RunKind::Outcomes, 1000, 1), DifferenceTest::McNemarExact),
        (world(RunKind::OutcomesOftenDifferent, 300, 1), DifferenceTest::McNemarExact),
        (world(RunKind::Normal, 15, 1), DifferenceTest::PairedT),
        (world(RunKind::Normal, 50, 1), DifferenceTest::PairedBootstrap),
        (world(RunKind::SkewedShares, 200, 1), DifferenceTest::PairedBootstrap),
        (world(RunKind::FivePoints, 200, 1), DifferenceTest::PairedBootstrap),
        (world(RunKind::Normal, 200, 4), DifferenceTest::ClusteredBootstrap),
    ];
    for (world, test) in worlds {
        let reported = world.reported(false, test);
        println!("{:?}, {} pairs, {test:?}: {:.1} %", world.kind, world.pairs, reported * 100.0);
        assert!(reported <= 0.055, "{:?}, {} pairs: {reported}", world.kind, world.pairs);
    }
}

#[test]
fn a_difference_of_five_points_is_reported_as_often_as_the_power_says() {
    // Three standard errors of the simulated share.
    let is_near = |reported: f64, power: f64| {
        (reported - power).abs() < 3.0 * (power * (1.0 - power) / RUNS as f64).sqrt()
    };
    for pairs in [200, 500, 1000] {
        let world = PlantedWorld { kind: RunKind::Outcomes, pairs, cluster_size: 1 };
        let power = mcnemar_power(pairs as u64, 0.125, 0.075, 0.05).expect("it is known");
        let reported = world.reported(true, DifferenceTest::McNemarExact);
        println!("outcomes, {pairs} pairs: {:.1} %, computed {:.1} %", reported * 100.0, power * 100.0);
        assert!(is_near(reported, power), "{pairs}: {reported} {power}");
    }
    for pairs in [100_usize, 200, 400] {
        let world = PlantedWorld { kind: RunKind::Normal, pairs, cluster_size: 1 };
        let power = power_for_difference(0.05, 0.25 / (pairs as f64).sqrt(), 0.05).expect("it is known");
        let reported = world.reported(true, DifferenceTest::PairedBootstrap);
        println!("scores, {pairs} pairs: {:.1} %, computed {:.1} %", reported * 100.0, power * 100.0);
        assert!(is_near(reported, power), "{pairs}: {reported} {power}");
    }
}
