//! Queries that others wrote (Sparqloscope, the Berlin SPARQL Benchmark, SP2Bench, LUBM) over a store on disk, beside
//! oxigraph in memory: that both give as many rows, and the CPU time of each, warm, to the last row.
//!
//! Beside each group stands how many times as long Virtuoso and sparq took in an earlier run (`measured.tsv` of that folder), by their
//! ratio to oxigraph in that run.
//!
//! WatDiv is a list of its own where that folder has `watdiv.jsonl` and `watdiv.nt.gz`, which its generator makes.
//!
//! `EVALGRAPH_OUTSIDE` is the folder with the lists and their data, `../shared/bench/outside` unless it is set;
//! `EVALGRAPH_LISTS` names lists (`kar,bsbm`), and `EVALGRAPH_ONLY` a part of the names of the queries that are run.

#[path = "support/mod.rs"]
mod support;

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use evalgraph::LoadedData;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::GraphName;
use serde_json::Value;
use support::clock;
use tempfile::TempDir;

/// The lists, and the file of their data.
const LISTS: [(&str, &str); 7] = [
    ("kar", "karenina"),
    ("bsbm", "bsbm-2000.nt.xz"),
    ("explore", "bsbm-2000.nt.xz"),
    ("bi", "bsbm-2000.nt.xz"),
    ("sp2b", "sp2b-50k.nt.gz"),
    ("lubm", "lubm-3.nt.gz"),
    ("watdiv", "watdiv.nt.gz"),
];

/// The longest time that oxigraph gets for a query.
const PATIENCE: Duration = Duration::from_secs(20);

/// A floor for each time: below it a clock shows nothing.
const FLOOR: f64 = 0.02;

fn main() {
    let folder = env::var("EVALGRAPH_OUTSIDE").unwrap_or_else(|_| "../shared/bench/outside".to_owned());
    let folder = PathBuf::from(folder);
    if !folder.is_dir() {
        return println!("left out: there is no {}", folder.display());
    }
    let wanted = env::var("EVALGRAPH_LISTS").unwrap_or_default();
    let mut loaded: Option<(&str, Data)> = None;
    for (list, file) in LISTS {
        if !wanted.is_empty() && !wanted.split(',').any(|name| name == list) {
            continue;
        }
        if !folder.join(format!("{list}.jsonl")).is_file() {
            println!("left out: there is no {list}.jsonl");
            continue;
        }
        if loaded.as_ref().is_none_or(|(own, _)| *own != file) {
            loaded = Some((file, Data::load(&folder, file)));
        }
        if let Some((_, data)) = &loaded {
            measure(list, &folder, data);
        }
    }
}

/// The same triples in both stores.
struct Data {
    _folder: TempDir,
    ours: LoadedData,
    theirs: Store,
}

impl Data {
    fn load(folder: &Path, file: &str) -> Self {
        let temporary = TempDir::new().expect("a temporary folder");
        let path = match file {
            "karenina" => {
                let path = temporary.path().join("kar.jsonld");
                let generator = folder.join("../gen_karenina.py");
                let made = Command::new("python3").arg(generator).arg("10000").arg(&path).status();
                assert!(made.expect("python3 is there").success());
                path
            }
            packed if packed.ends_with(".xz") => {
                let path = temporary.path().join("data.nt");
                let opened = Command::new("xz").arg("-dc").arg(folder.join(packed)).output();
                std::fs::write(&path, opened.expect("xz is there").stdout).expect("a file");
                path
            }
            file => folder.join(file),
        };
        let mut stored =
            evalgraph::Store::create(temporary.path().join("store")).expect("a folder for the store");
        stored.load([path.display().to_string()]).expect("the data can be loaded");
        let ours = stored.snapshot().expect("the store can be read");
        let theirs = Store::new().expect("a store");
        let dataset = ours.dataset();
        let quads = dataset.quads_of_data().map(|quad| {
            let [subject, predicate, object] =
                [quad.subject, quad.predicate, quad.object].map(|id| dataset.dictionary().term(id));
            let (Ok(subject), Ok(predicate)) =
                (oxrdf::NamedOrBlankNode::try_from(subject), oxrdf::NamedNode::try_from(predicate))
            else {
                panic!("a triple")
            };
            oxrdf::Quad::new(subject, predicate, object, GraphName::DefaultGraph)
        });
        let mut bulk = theirs.bulk_loader();
        bulk.load_quads(quads).expect("the data can be loaded");
        bulk.commit().expect("the data can be loaded");
        Self { _folder: temporary, ours, theirs }
    }
}

/// One query and its times in milliseconds: ours and oxigraph's.
struct Measured {
    name: String,
    times: [f64; 2],
    /// Virtuoso's and sparq's, if they had an answer, as parts of oxigraph's.
    others: [Option<f64>; 2],
}

fn measure(list: &str, folder: &Path, data: &Data) {
    let text = std::fs::read_to_string(folder.join(format!("{list}.jsonl"))).expect("the list is there");
    let only = env::var("EVALGRAPH_ONLY").unwrap_or_default();
    let others = others(list, folder);
    let mut all = Vec::new();
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).expect("a list has one object a line");
        let (name, query) = (entry["name"].as_str(), entry["q"].as_str());
        let (Some(name), Some(query)) = (name, query) else { panic!("a query has a name and a text") };
        if !name.contains(&only) {
            continue;
        }
        let times = times(name, query, data);
        println!("{list:<8} {name:<50} {:>9.2} {:>9.2}", times[0], times[1]);
        let others = others.get(name).copied().unwrap_or_default();
        all.push(Measured { name: name.to_owned(), times, others });
    }
    summary(list, &all);
}

/// What Virtuoso and sparq took for the queries of a list, as parts of what oxigraph took.
fn others(list: &str, folder: &Path) -> BTreeMap<String, [Option<f64>; 2]> {
    let text = std::fs::read_to_string(folder.join("measured.tsv")).unwrap_or_default();
    let of_line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [own, name, _, virtuoso, sparq, oxigraph, ..] = fields.as_slice() else { return None };
        let time = |field: &str| field.parse::<f64>().ok().map(|time| time.max(FLOOR));
        let oxigraph = time(oxigraph)?;
        (*own == list)
            .then(|| ((*name).to_owned(), [virtuoso, sparq].map(|field| Some(time(field)? / oxigraph))))
    };
    text.lines().filter_map(of_line).collect()
}

fn times(name: &str, text: &str, data: &Data) -> [f64; 2] {
    let query = Query::parse_plain(text, name).expect("the query is good");
    let dataset = data.ours.dataset();
    let rows = count(&query, dataset);
    let ours = clock::cpu_time(3, || (), |()| count(&query, dataset));
    if env::var_os("EVALGRAPH_ALONE").is_some() {
        return [ours.as_secs_f64() * 1e3, 0.0];
    }
    if let Some(theirs) = count_theirs(text, &data.theirs)
        && theirs != rows
    {
        println!("DIFFERS   {name}: {rows} rows, {theirs} of oxigraph");
    }
    let theirs = clock::cpu_time(2, || (), |()| count_theirs(text, &data.theirs).unwrap_or_default());
    [ours, theirs].map(|time| time.as_secs_f64() * 1e3)
}

fn count(query: &Query, dataset: &Dataset) -> usize {
    let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
    match results.expect("the query runs") {
        QueryResults::Solutions(solutions) => solutions.inspect(|row| assert!(row.is_ok())).count(),
        QueryResults::Graph(triples) => triples.count(),
        QueryResults::Boolean(_) => 1,
    }
}

/// How many rows oxigraph gives; none if that takes longer than its time.
fn count_theirs(text: &str, store: &Store) -> Option<usize> {
    let token = oxigraph::sparql::CancellationToken::new();
    let evaluator = SparqlEvaluator::new().with_cancellation_token(token.clone());
    let (done, waits) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        if waits.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            token.cancel();
        }
    });
    let results = evaluator.parse_query(text).expect("the query is good").on_store(store).execute();
    let count = match results {
        Ok(oxigraph::sparql::QueryResults::Solutions(mut solutions)) => {
            solutions.try_fold(0, |count, row| row.ok().map(|_| count + 1))
        }
        Ok(oxigraph::sparql::QueryResults::Graph(triples)) => {
            let triples: Result<HashSet<_>, _> = triples.collect();
            triples.ok().map(|triples| triples.len())
        }
        Ok(oxigraph::sparql::QueryResults::Boolean(_)) => Some(1),
        Err(_) => None,
    };
    drop(done);
    count
}

/// Geometric means and sums, of the list and of its groups.
fn summary(list: &str, all: &[Measured]) {
    let mut groups: BTreeMap<String, Vec<&Measured>> = BTreeMap::new();
    for measured in all {
        groups.entry("all".to_owned()).or_default().push(measured);
        if matches!(list, "kar" | "bsbm") {
            let name: Vec<&str> = measured.name.split('-').collect();
            groups.entry(name[..name.len().min(2)].join("-")).or_default().push(measured);
        }
    }
    println!("\n{list:<34} {:>4} {:>18} {:>18}", "", "geometric mean, ms", "sum, ms");
    for (group, members) in groups {
        let mean = |at: usize| {
            let sum: f64 = members.iter().map(|one| one.times[at].max(FLOOR).ln()).sum();
            (sum / members.len() as f64).exp()
        };
        let sum = |at: usize| members.iter().map(|one| one.times[at]).sum::<f64>();
        let other = |at: usize| {
            let ratios = members.iter().filter_map(|one| {
                Some((one.others[at]? * one.times[1].max(FLOOR) / one.times[0].max(FLOOR)).ln())
            });
            let ratios: Vec<f64> = ratios.collect();
            (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp()
        };
        println!(
            "{group:<34} {:>4} {:>8.2} {:>9.2} {:>8.1} {:>9.1}   {:>6.1} x oxigraph {:>6.1} x Virtuoso {:>6.1} x sparq",
            members.len(),
            mean(0),
            mean(1),
            sum(0),
            sum(1),
            mean(1) / mean(0),
            other(0),
            other(1)
        );
    }
    println!();
}
