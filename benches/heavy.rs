//! Queries that ask for much, over a store on disk: how much CPU one still takes when it is told to end at any moment, and the memory that it
//! takes beside the size of the largest result of its steps.
//!
//! `EVALGRAPH_BENCH_QUESTIONS` is the number of questions (10,000), `EVALGRAPH_BENCH_RUNS` the moments of each query (50),
//! `EVALGRAPH_ONLY` a part of the names of the queries that are run.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use evalgraph::LoadedData;
use evalgraph::diagnostic::Diagnostic;
use evalgraph::sparql::{CancellationToken, EvaluationEnvironment, ExecuteOptions, Query, QueryResults};
use evalgraph::store::DefaultGraph;
use support::checkpoint;
use support::children::evalgraph;
use support::random::Random;

/// The queries, by what makes them heavy.
const QUERIES: [(&str, &str); 30] = [
    ("hash join, counted", "SELECT (COUNT(*) AS ?n) { ?a s:name ?x . ?b s:name ?x . ?b s:author ?y }"),
    ("star of any, counted", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o . ?s ?q ?r . ?s ?t ?u }"),
    ("chain of any, counted", "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?b ?q ?c . ?c ?r ?d }"),
    ("star of any, rows", "SELECT * { ?s ?p ?o . ?s ?q ?r }"),
    (
        "product",
        "SELECT (COUNT(*) AS ?n) { ?a s:text ?x . ?b s:name ?y FILTER(STRLEN(?x) = STRLEN(?y) + 1) }",
    ),
    ("equality of values", "SELECT ?a ?b { ?a s:ratingValue ?x . ?b s:ratingValue ?y FILTER(?x = ?y) }"),
    (
        "groups of all objects",
        "SELECT ?o (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o } GROUP BY ?o ORDER BY DESC(?n) LIMIT 5",
    ),
    (
        "groups of a join",
        "SELECT ?x (COUNT(*) AS ?n) { ?a s:name ?x . ?a ?p ?o . ?o ?q ?z } GROUP BY ?x ORDER BY ?n",
    ),
    ("groups of pairs", "SELECT ?s ?o (COUNT(*) AS ?n) { ?s ?p ?o . ?s ?q ?r } GROUP BY ?s ?o"),
    ("distinct pairs", "SELECT DISTINCT ?s ?o { ?s ?p ?o . ?s ?q ?r }"),
    ("distinct triples", "SELECT DISTINCT ?s ?r ?o { ?s ?p ?o . ?s ?q ?r }"),
    ("distinct pairs, ordered", "SELECT DISTINCT ?s ?o { ?s ?p ?o . ?s ?q ?r } ORDER BY ?o"),
    ("order of all texts", "SELECT ?t { ?s s:text ?t } ORDER BY DESC(?t)"),
    ("order by an expression", "SELECT ?s { ?s ?p ?o } ORDER BY STRLEN(STR(?o)) ?s"),
    ("order, the first ten", "SELECT ?s ?o { ?s ?p ?o . ?s ?q ?r } ORDER BY ?o LIMIT 10"),
    (
        "regular expression",
        "SELECT (SUM(STRLEN(?t)) AS ?n) { ?s ?p ?t . ?s s:text ?u FILTER(REGEX(?u, '(a|b)+c.*d')) }",
    ),
    (
        "texts",
        "SELECT (COUNT(*) AS ?n) { ?s s:text ?t FILTER(CONTAINS(LCASE(?t), 'kinase') && STRLEN(?t) > 9) }",
    ),
    ("texts made anew", "SELECT (SUM(STRLEN(REPLACE(?t, '[aeiou]+', '-'))) AS ?n) { ?s s:text ?t }"),
    ("one text of all", "SELECT (GROUP_CONCAT(?t) AS ?n) { ?s s:text ?t }"),
    ("texts of groups", "SELECT (GROUP_CONCAT(?t) AS ?n) { ?s s:text ?t } GROUP BY ?t"),
    ("extremes of texts", "SELECT ?p (MIN(?o) AS ?x) (MAX(?o) AS ?y) { ?s ?p ?o } GROUP BY ?p"),
    (
        "path of any length",
        "SELECT (COUNT(*) AS ?n) { ?s (s:hasPart|s:item|s:acceptedAnswer|s:rating|s:additionalProperty)+ ?o }",
    ),
    ("path of any property", "SELECT (COUNT(*) AS ?n) { ?s !s:none* ?o }"),
    ("optional", "SELECT * { ?s ?p ?o OPTIONAL { ?o ?q ?r } OPTIONAL { ?s s:text ?t } }"),
    ("minus", "SELECT (COUNT(*) AS ?n) { ?a s:text ?x MINUS { ?b s:text ?x . ?b s:name ?n } }"),
    ("not exists", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER NOT EXISTS { ?o ?q ?s } }"),
    (
        "exists with a filter",
        "SELECT (COUNT(*) AS ?n) { ?s s:name ?o FILTER EXISTS { ?t s:name ?u FILTER(STRLEN(?u) > STRLEN(?o)) } }",
    ),
    (
        "union of subqueries",
        "SELECT * { { SELECT DISTINCT ?s { ?s ?p ?o } } UNION { SELECT ?s (MAX(?o) AS ?m) { ?s ?p ?o } GROUP BY ?s } }",
    ),
    ("computed values", "SELECT ?s (CONCAT(STR(?s), ' ', STR(?o)) AS ?t) { ?s ?p ?o }"),
    ("graph of all", "CONSTRUCT { ?o ?p ?s } { GRAPH ?g { ?s ?p ?o } }"),
];

/// The longest that a query is let run, and the least time after which one is told to end.
const LONGEST: Duration = Duration::from_secs(1);
const LEAST: Duration = Duration::from_millis(1);

fn main() {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let questions: usize = number("EVALGRAPH_BENCH_QUESTIONS").unwrap_or(10_000);
    let moments = number("EVALGRAPH_BENCH_RUNS").unwrap_or(50);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = checkpoint::write_into(folder.path(), questions);
    let mut store = evalgraph::Store::create(folder.path().join("store")).expect("a folder for the store");
    store.load([file.display().to_string()]).expect("the data can be loaded");
    let loaded = store.snapshot().expect("the store can be read");
    println!(
        "{:<24} {:>9}   {:>24}   {:>34}",
        "", "whole, ms", "to the end, ms: half, most", "memory, MB; largest result, MB; times"
    );
    let mut all = Vec::new();
    let mut random = Random::new(7);
    let only = std::env::var("EVALGRAPH_ONLY").unwrap_or_default();
    for (name, text) in QUERIES.into_iter().filter(|(name, _)| name.contains(&only)) {
        let text = format!("PREFIX s: <http://schema.org/> {text}");
        let whole = run(&text, &loaded, LONGEST).0;
        let mut ends = Vec::new();
        for _ in 0..moments {
            let span = whole.saturating_sub(LEAST).as_micros();
            let after = LEAST + Duration::from_micros(random.below(u64::try_from(span).unwrap_or(0).max(1)));
            ends.extend(run(&text, &loaded, after).1);
        }
        ends.sort_unstable();
        let memory = memory(&folder.path().join("store"), &text);
        let memory = memory.map_or_else(String::new, |[memory, largest]| {
            // A number takes four bytes; twice the result and 32 MB may be taken.
            format!("{memory:>16.0} {largest:>12.1} {:>6.2}", memory / (2.0 * largest + 32.0))
        });
        println!(
            "{name:<24} {:>9.1}   {:>18.1} {:>7.1}   {memory}",
            milliseconds(whole),
            milliseconds(at(&ends, 0.5)),
            milliseconds(at(&ends, 1.0)),
        );
        all.extend(ends);
    }
    all.sort_unstable();
    let [half, most, last] = [0.5, 0.99, 1.0].map(|part| milliseconds(at(&all, part)));
    println!(
        "\nto the end, of {} moments: half {half:.1} ms, 99 of 100 {most:.1} ms, all {last:.1} ms",
        all.len()
    );
}

/// Runs a query, and tells it to end after a while: how long it ran, and what CPU it then took to end, if it did not end before.
fn run(text: &str, loaded: &LoadedData, after: Duration) -> (Duration, Option<Duration>) {
    let cancellation = CancellationToken::new();
    let environment =
        EvaluationEnvironment { cancellation: cancellation.clone(), ..EvaluationEnvironment::default() };
    let query = Query::parse_plain(text, "heavy").expect("the query is good").with_environment(environment);
    let begin = Instant::now();
    let told = thread::spawn(move || {
        let left = after.saturating_sub(begin.elapsed());
        thread::park_timeout(left);
        let told = ProcessTime::now();
        cancellation.cancel(Diagnostic::error("bench::end", "it was told to end"));
        told
    });
    let is_whole = evaluate(&query, loaded);
    let (end, whole) = (ProcessTime::now(), begin.elapsed());
    told.thread().unpark();
    let told = told.join().expect("the thread ends");
    // One that ended by itself, with an error, was not told.
    (whole, if is_whole { None } else { end.as_duration().checked_sub(told.as_duration()) })
}

/// Evaluates a query; tells whether it came to its end.
fn evaluate(query: &Query, loaded: &LoadedData) -> bool {
    match query.execute(loaded.dataset().view(DefaultGraph::Union), ExecuteOptions::default()) {
        Err(_) => false,
        Ok(QueryResults::Solutions(mut solutions)) => solutions.all(|row| black_box(row).is_ok()),
        Ok(QueryResults::Graph(mut triples)) => triples.all(|triple| black_box(triple).is_ok()),
        Ok(QueryResults::Boolean(_)) => true,
    }
}

/// The most memory that a query takes in a process of its own, and the size of the largest result of a step, in megabytes; none where
/// it takes too long.
fn memory(store: &Path, text: &str) -> Option<[f64; 2]> {
    let output = evalgraph(store).args(["query", "--timeout", "20s", "--explain", "-q", text]).output();
    let output = output.expect("the program runs");
    let explained = String::from_utf8_lossy(&output.stdout);
    let memory =
        explained.lines().find_map(|line| line.strip_prefix("memory: ")?.split(' ').next()?.parse().ok())?;
    let sizes = explained.lines().filter_map(|line| {
        let (before, columns) = line.rsplit_once(" solutions of ")?;
        let rows = before.rsplit([' ', '[']).next()?.parse::<f64>().ok()?;
        let columns = columns.split(' ').next()?.parse::<f64>().ok()?;
        Some(rows * columns * 4.0 / f64::from(1 << 20))
    });
    Some([memory, sizes.fold(0.0, f64::max)])
}

/// The time that a part of all times is not longer than.
fn at(times: &[Duration], part: f64) -> Duration {
    let place = (times.len() as f64 * part).ceil() as usize;
    times.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
