//! The store on disk beside oxigraph's on RocksDB: loading, room, opening, queries. Whole processes of both.
//!
//! The peer is the `oxigraph` command line tool (`pip install oxigraph` brings it), on the path or where
//! `OXIGRAPH` says. `EVALGRAPH_BENCH_QUESTIONS` sets the size, 10,000 where it is not set; figures are quoted at
//! 100,000, where the peer needs some minutes. `cargo bench --profile dist --bench disk` prints the table.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::checkpoint;
use crate::support::children::{cpu, evalgraph, run, wall};
use crate::support::table::{Bar, Table};

/// The queries whose ratios are quoted; `NODE` is an item of the checkpoint. The last is not asked of the
/// peer, which needs minutes for it.
const QUERIES: [(&str, &str); 14] = [
    ("count by type", "SELECT ?t (COUNT(*) AS ?n) WHERE { ?s a ?t } GROUP BY ?t"),
    (
        "unfinished",
        "SELECT ?q WHERE { ?q a s:Question ; s:additionalProperty ?p . ?p s:name \"finished\" ; s:value false }",
    ),
    (
        "rating distribution",
        "SELECT ?name ?v (COUNT(*) AS ?n) WHERE { ?r a s:Rating ; s:name ?name ; s:ratingValue ?v } GROUP BY ?name ?v",
    ),
    (
        "three joins",
        "SELECT ?q ?at WHERE { ?q s:acceptedAnswer ?a ; s:rating ?r . ?a s:text ?at . ?r s:name \"Accuracy\" ; s:ratingValue 1 }",
    ),
    (
        "contains",
        "SELECT ?q WHERE { ?q a s:Question ; s:text ?t FILTER(CONTAINS(LCASE(?t), \"kinase inhibitor\")) }",
    ),
    ("regex", "SELECT ?q WHERE { ?q a s:Question ; s:text ?t FILTER(REGEX(?t, \"kin.se.*trial\", \"i\")) }"),
    (
        "group by trait",
        "SELECT ?name ?au (AVG(?v) AS ?m) (COUNT(DISTINCT ?q) AS ?n) WHERE { ?q s:rating ?r . ?r s:name ?name ; s:author ?au ; s:ratingValue ?v } GROUP BY ?name ?au",
    ),
    (
        "path from the root",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { <urn:uuid:karenina-checkpoint-1700000000> (s:hasPart|s:item|s:rating)+ ?x }",
    ),
    (
        "construct",
        "CONSTRUCT { ?q s:name ?n . ?q s:ratingValue ?v } WHERE { ?q s:rating ?r . ?r s:name ?n ; s:ratingValue ?v }",
    ),
    ("describe", "DESCRIBE <NODE>"),
    (
        "two optionals",
        "SELECT ?q ?e ?v WHERE { ?q a s:Question OPTIONAL { ?q s:rating ?r . ?r s:name \"Quality\" ; s:ratingValue ?v } OPTIONAL { ?q s:dateCreated ?e } }",
    ),
    ("top 10", "SELECT ?i ?d WHERE { ?i a s:DataFeedItem ; s:dateModified ?d } ORDER BY DESC(?d) LIMIT 10"),
    ("point", "SELECT ?p ?o WHERE { <NODE> ?p ?o }"),
    (
        "not exists",
        "SELECT ?q WHERE { ?q a s:Question FILTER NOT EXISTS { ?q s:rating ?r . ?r s:name \"Accuracy\" } }",
    ),
];

const PREFIX: &str = "PREFIX s: <http://schema.org/> ";

pub(crate) fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|text| text.parse().ok());
    let questions: usize = questions.unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder for the corpus");
    let file = folder.path().join("checkpoint.jsonld");
    let text = checkpoint::text(questions);
    let node = first_item(&text);
    std::fs::write(&file, text).expect("the corpus can be written");
    let queries = QUERIES.map(|(name, text)| (name, format!("{PREFIX}{}", text.replace("NODE", &node))));
    let peer = peer();
    if peer.is_none() {
        println!("left out: oxigraph is not here (`pip install oxigraph`, or name it in OXIGRAPH)");
    }
    let mut table = Table::default();
    let what = format!("load {questions} questions");
    let ours = load(folder.path(), &file);
    println!("{what}: {:.2} s", ours.as_secs_f64());
    let rocks = folder.path().join("rocks");
    if let Some(peer) = &peer {
        let theirs = load_peer(peer, &rocks, &file);
        table.row(&what, "oxigraph load", (ours, theirs), Bar::TimesLess(8.0));
        let loaded = size(&rocks);
        run(Command::new(peer).args(["optimize", "--location"]).arg(&rocks)).expect("the peer optimizes");
        room(size(&folder.path().join(".evalgraph")), loaded, size(&rocks));
    }
    let open = wall(10, || query(folder.path(), &queries[12].1));
    table.row("open and look a node up (wall)", "50 ms", (open, Duration::from_millis(50)), Bar::AtMost(1.0));
    for (number, (name, text)) in queries.iter().enumerate() {
        let runs = if ["describe", "point"].contains(name) { 50 } else { 5 };
        let ours = cpu(runs, || query(folder.path(), text)).expect("the query runs");
        match peer.as_ref().filter(|_| number + 1 < queries.len()) {
            Some(peer) => {
                let theirs = cpu(3, || query_peer(peer, &rocks, text)).expect("the peer's query runs");
                // Less than the clock tells apart is taken for the least that it does.
                let ours = ours.max(Duration::from_micros(200));
                table.row(name, "oxigraph query", (ours, theirs), Bar::TimesLess(4.0));
            }
            None => println!("{name}: {:.1} ms", ours.as_secs_f64() * 1e3),
        }
    }
    if !table.print() {
        std::process::exit(1);
    }
}

/// The id of the first item.
fn first_item(checkpoint: &str) -> String {
    let (_, items) = checkpoint.split_once("\"hasPart\": [").expect("there are items");
    let (_, id) = items.split_once("\"@id\": \"").expect("they have ids");
    id.split('"').next().expect("it ends").to_owned()
}

/// The CPU of a load into a store of its own; the last one stays.
fn load(folder: &Path, file: &Path) -> Duration {
    let store = folder.join(".evalgraph");
    let one = || {
        let _ = std::fs::remove_dir_all(&store);
        run(evalgraph(folder).arg("init")).expect("the store is made");
        let mut command = evalgraph(folder);
        command.arg("load").arg(file);
        command
    };
    cpu(2, one).expect("the file is loaded")
}

fn load_peer(peer: &Path, rocks: &Path, file: &Path) -> Duration {
    let one = || {
        let _ = std::fs::remove_dir_all(rocks);
        let mut command = Command::new(peer);
        command.args(["load", "--lenient", "--location"]).arg(rocks).arg("--file").arg(file);
        command
    };
    cpu(1, one).expect("the peer loads the file")
}

fn query(folder: &Path, text: &str) -> Command {
    let mut command = evalgraph(folder);
    command.args(["query", "-q"]).arg(text);
    command
}

fn query_peer(peer: &Path, rocks: &Path, text: &str) -> Command {
    let is_graph = text.contains("CONSTRUCT") || text.contains("DESCRIBE");
    let format = if is_graph { "ttl" } else { "csv" };
    let mut command = Command::new(peer);
    command.args(["query", "--results-format", format, "--location"]).arg(rocks);
    command.arg("--query").arg(text);
    command
}

fn room(ours: u64, loaded: u64, optimized: u64) {
    let mega = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let ratio = ours as f64 / optimized as f64;
    let judged = if ratio <= 1.0 / 3.0 { "ok" } else { "MISSED" };
    println!(
        "room: {} beside {} of RocksDB, {} after `optimize`: {ratio:.2} (bar 0.33) {judged}",
        mega(ours),
        mega(loaded),
        mega(optimized)
    );
}

/// The bytes of the files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    entries
        .map(|entry| {
            let entry = entry.expect("the folder is readable");
            let metadata = entry.metadata().expect("the file is readable");
            if metadata.is_dir() { size(&entry.path()) } else { metadata.len() }
        })
        .sum()
}

/// The peer, where it is here.
fn peer() -> Option<PathBuf> {
    let named = std::env::var_os("OXIGRAPH").map_or_else(|| PathBuf::from("oxigraph"), PathBuf::from);
    run(Command::new(&named).arg("--version"))?;
    Some(named)
}
