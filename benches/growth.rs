//! How the CPU of the named queries and of the built-in shapes grows with the data: over three sizes, each ten times the one before,
//! of all systems together, in one file for each and in 300. Ten times the data may cost twelve times as much.
//!
//! `cargo bench --profile dist --bench growth` prints the table. `EVALGRAPH_BENCH_N` sets the smallest number of questions (1,000; the
//! largest is a hundred times that, which takes some minutes and 4 GB), `EVALGRAPH_ONLY` a part of the names that are measured.

#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use evalgraph::shacl::{BUILT_IN, Shapes, ValidationOptions};
use evalgraph::sparql::{ExecuteOptions, NamedQueries, Query, QueryResults};
use evalgraph::store::DefaultGraph;
use evalgraph::{LoadedData, Loader, Store};
use support::{clock, systems};

/// How many times as much ten times the data may cost.
const BAR: f64 = 12.0;

/// The CPU below which a ratio says nothing.
const LEAST: Duration = Duration::from_millis(5);

const RUNS: usize = 5;
const SIZES: usize = 3;
const FILES: [usize; 2] = [4, 300];

fn main() {
    let smallest = std::env::var("EVALGRAPH_BENCH_N").ok().and_then(|text| text.parse().ok());
    let smallest: usize = smallest.unwrap_or(1_000);
    let only = std::env::var("EVALGRAPH_ONLY").unwrap_or_default();
    let work: Vec<(String, Work)> = work().into_iter().filter(|(name, _)| name.contains(&only)).collect();
    let mut all_hold = true;
    for files in FILES {
        let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
        let mut questions = smallest;
        for _ in 0..SIZES {
            let folder = tempfile::tempdir().expect("a folder for the data");
            let data = store(folder.path(), questions, files);
            for (name, work) in &work {
                let time = clock::cpu_time(RUNS, || (), |()| work.run(&data));
                times.entry(name).or_default().push(time);
            }
            questions *= 10;
        }
        println!("\n{:<30} from {smallest} to {} questions in {files} files", "", questions / 10);
        for (name, times) in &times {
            all_hold &= print(name, times);
        }
    }
    if !all_hold {
        std::process::exit(1);
    }
}

/// A query, or shapes that data are validated against.
enum Work {
    Query(Box<Query>),
    Shapes(Shapes),
}

impl Work {
    /// The number of solutions or results.
    fn run(&self, data: &LoadedData) -> usize {
        match self {
            Self::Query(query) => {
                let view = data.dataset().view(DefaultGraph::Union);
                let results = query.execute(view, ExecuteOptions::default()).expect("it can be evaluated");
                let QueryResults::Solutions(solutions) = results else { return 0 };
                let rows = solutions.map(|row| black_box(row.expect("it can be evaluated")).len());
                rows.filter(|columns| *columns > 0).count()
            }
            Self::Shapes(shapes) => {
                let report = shapes.validate(data.dataset(), &ValidationOptions::default());
                report.expect("it can be validated").results().len()
            }
        }
    }
}

/// The named queries with their parameters' defaults, and the built-in shapes.
fn work() -> Vec<(String, Work)> {
    let queries = NamedQueries::built_in().expect("they are well formed");
    let queries = queries.iter().map(|named| {
        let query = named.query().and_then(|query| query.with_parameters(&[], &named.parameters));
        (named.name.clone(), Work::Query(Box::new(query.expect("it is well formed"))))
    });
    let shapes = BUILT_IN.iter().map(|shapes| {
        let compiled = Loader::new().shapes([shapes.name]).expect("they are in order");
        (format!("shapes {}", shapes.name), Work::Shapes(compiled))
    });
    queries.chain(shapes).collect()
}

/// A store with so many questions.
fn store(folder: &std::path::Path, questions: usize, files: usize) -> LoadedData {
    let data = folder.join("data");
    std::fs::create_dir(&data).expect("the folder is ours");
    systems::write_into(&data, questions, files);
    let mut store = Store::create(folder.join("store")).expect("a folder for the store");
    store.load([data.display().to_string()]).expect("the data can be loaded");
    std::fs::remove_dir_all(&data).expect("the data are ours");
    store.snapshot().expect("the store can be read")
}

/// Prints the times over the sizes and how many times as long each takes as the one before; returns whether no ratio is above the bar.
fn print(name: &str, times: &[Duration]) -> bool {
    let ratios = times.windows(2).map(|pair| pair[1].as_secs_f64() / pair[0].as_secs_f64().max(1e-6));
    let is_above = |(ratio, time): (f64, &Duration)| ratio > BAR && *time > LEAST;
    let holds = !ratios.clone().zip(&times[1..]).any(is_above);
    let times: String = times.iter().map(|time| format!("{:>9.1} ms", time.as_secs_f64() * 1e3)).collect();
    let ratios: String = ratios.map(|ratio| format!("{ratio:>8.1}")).collect();
    println!("{name:<30}{times}{ratios}  {}", if holds { "ok" } else { "above 12" });
    holds
}
