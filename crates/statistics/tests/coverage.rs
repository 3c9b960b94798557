//! How often the intervals contain the truth, over 2,000 simulated pairs of runs of each kind and size. It prints a
//! table: `cargo test --release -p evalgraph-statistics --test coverage -- --ignored --nocapture`.

mod simulated_runs;

use evalgraph_statistics::{
    BootstrapOptions, ClusteredDifference, ComparisonOptions, ConfidenceInterval, PairedComparison,
    PowerGoal, ScorePair, bootstrap_clustered_mean, bootstrap_mean, mean, paired_proportions_interval,
};
use simulated_runs::{RunKind, Simulation};

const RUNS: u64 = 2_000;

/// The t interval, which is taken if nothing is resampled. If all differences are equal, it is that difference.
fn t_interval(differences: &[f64]) -> ConfidenceInterval {
    let pair = |&difference: &f64| ScorePair { first: 5.5, second: 5.5 + difference, cluster: None };
    let pairs: Vec<ScorePair> = differences.iter().map(pair).collect();
    let bootstrap = BootstrapOptions { resamples: 0, ..BootstrapOptions::default() };
    let options = ComparisonOptions { bootstrap, goal: PowerGoal::default() };
    let only = ConfidenceInterval { low: differences[0], high: differences[0] };
    PairedComparison::from_pairs(&pairs, &options).interval.unwrap_or(only)
}

#[test]
#[ignore = "some minutes"]
fn intervals_contain_the_truth_as_often_as_they_say() {
    println!("| scores | pairs | bootstrap | t | Bonett and Price |\n|---|---:|---:|---:|---:|");
    for kind in RunKind::ALL {
        for pairs in [10, 20, 50, 200, 1000] {
            let (mut bootstrap, mut student, mut adjusted) = (0, 0, 0);
            for run in 0..RUNS {
                let mut simulation = Simulation::new(run * 7919 + pairs as u64);
                let differences: Vec<f64> = (0..pairs).map(|_| simulation.difference(kind)).collect();
                let truth = kind.mean_difference();
                let options = BootstrapOptions { resamples: 2_000, seed: run, ..BootstrapOptions::default() };
                let interval = bootstrap_mean(&differences, &options).expect("there are pairs").interval;
                bootstrap += i32::from((interval.low..=interval.high).contains(&truth));
                let interval = t_interval(&differences);
                student += i32::from((interval.low..=interval.high).contains(&truth));
                if kind.is_binary() {
                    let count = |sign: f64| differences.iter().filter(|one| **one == sign).count() as u64;
                    let interval = paired_proportions_interval(count(1.0), count(-1.0), pairs as u64, 0.95);
                    let interval = interval.expect("there are pairs");
                    adjusted += i32::from((interval.low..=interval.high).contains(&truth));
                }
            }
            let share = |count: i32| format!("{:.1} %", f64::from(count) / RUNS as f64 * 100.0);
            let adjusted = if kind.is_binary() { share(adjusted) } else { String::new() };
            println!("| {kind:?} | {pairs} | {} | {} | {adjusted} |", share(bootstrap), share(student));
        }
    }
    for (clusters, size) in [(20, 5), (50, 4), (200, 5)] {
        let mut covered = 0;
        for run in 0..RUNS {
            let mut simulation = Simulation::new(run * 104_729 + clusters);
            let differences: Vec<ClusteredDifference> = (0..clusters)
                .flat_map(|cluster| {
                    let shared = simulation.normal();
                    let members: Vec<f64> = (0..size).map(|_| shared + simulation.normal()).collect();
                    members.into_iter().map(move |difference| ClusteredDifference {
                        difference,
                        cluster: Some(cluster as u32),
                    })
                })
                .collect();
            let options = BootstrapOptions { resamples: 2_000, seed: run, ..BootstrapOptions::default() };
            let interval =
                bootstrap_clustered_mean(&differences, &options).expect("there are clusters").interval;
            covered += i32::from((interval.low..=interval.high).contains(&0.0));
        }
        println!("{clusters} clusters of {size}: {:.1} %", f64::from(covered) / RUNS as f64 * 100.0);
    }
    // So that the table is of what was simulated.
    for kind in RunKind::ALL {
        let mut simulation = Simulation::new(1);
        let many: Vec<f64> = (0..400_000).map(|_| simulation.difference(kind)).collect();
        let mean = mean(&many).expect("there are some");
        assert!((mean - kind.mean_difference()).abs() < 0.006, "{kind:?}: {mean}");
    }
}
