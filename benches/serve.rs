//! The server beside `oxigraph serve` over the same triples, both on disk: CPU of a small request whose connection is kept, from one
//! client and from many at once, how long such a request takes beside a heavy one, and large answers: CPU, memory that no file stands behind (Linux, `proc(5)`), time to
//! the first byte. The peer is installed by `tests/servers/install`.
//!
//! `EVALGRAPH_REQUESTS` makes other numbers of small requests (20,000), `EVALGRAPH_ROWS` other numbers of rows (5,000,000).

#[path = "support/mod.rs"]
mod support;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::checkpoint;
use support::children::{evalgraph, run};
use support::servers::{Client, Server, oxigraph};
use tempfile::TempDir;

const JSON: &str = "application/sparql-results+json";
const TSV: &str = "text/tab-separated-values";
const TRIPLES: &str = "application/n-triples";
/// How many questions the store of small requests has.
const QUESTIONS: usize = 10_000;
/// In how many turns the servers are asked.
const TURNS: usize = 10;
/// Small queries of a question.
const KINDS: [(&str, &str); 3] = [
    ("ASK {}", "ASK {}"),
    ("a node", "SELECT ?p ?o { <QUESTION> ?p ?o }"),
    (
        "two joins",
        "PREFIX s: <http://schema.org/> SELECT ?text ?answer { <QUESTION> s:text ?text ; s:acceptedAnswer ?a . ?a s:text ?answer }",
    ),
];
/// How many clients ask at once.
const CLIENTS: [usize; 2] = [1, 32];
/// A query that takes long everywhere.
const HEAVY: &str = "SELECT (COUNT(*) AS ?n) { ?a <http://schema.org/text> ?x . ?b <http://schema.org/text> ?y \
     FILTER(CONTAINS(CONCAT(STR(?x), STR(?y)), \"no such text\")) }";

fn main() {
    let folder = TempDir::new().expect("a temporary folder");
    let small = folder.path().join("small");
    std::fs::create_dir(&small).expect("the folder is ours");
    small_requests(&small);
    let large = folder.path().join("large");
    std::fs::create_dir(&large).expect("the folder is ours");
    large_answers(&large);
}

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// Loads a file into a store of each, in a folder.
fn load(folder: &Path, file: &str) {
    run(evalgraph(folder).arg("init")).expect("the store can be made");
    run(evalgraph(folder).args(["load", file])).expect("the file can be loaded");
    if let Some(oxigraph) = oxigraph() {
        run(evalgraph(folder).args(["dump", "--to", "nt", "-o", "data.nt"])).expect("there is room");
        let mut load = Command::new(oxigraph);
        load.current_dir(folder).args(["load", "--location", "data", "--file", "data.nt"]);
        run(&mut load).expect("the peer loads the same");
    }
}

/// Both servers over the data in a folder.
fn servers(folder: &Path) -> Vec<(&'static str, Server)> {
    let theirs = Server::theirs("oxigraph", folder);
    if theirs.is_none() {
        println!("without a peer: tests/servers/install has not installed oxigraph");
    }
    let ours = [("evalgraph", Server::ours(folder))];
    ours.into_iter().chain(theirs.map(|server| ("oxigraph", server))).collect()
}

fn small_requests(folder: &Path) {
    let text = checkpoint::text(QUESTIONS);
    std::fs::write(folder.join("made.jsonld"), &text).expect("there is room");
    load(folder, "made.jsonld");
    let mut questions: Vec<&str> = text
        .match_indices("\"urn:uuid:question-")
        .filter_map(|(at, _)| text[at + 1..].split('"').next())
        .collect();
    questions.dedup();
    let count = number("EVALGRAPH_REQUESTS", 20_000);
    let servers = servers(folder);
    // A manifest that was just written is read for each request, since the next one could have the same time.
    thread::sleep(Duration::from_secs(6));
    let rest = servers[0].1.memory_outside(folder) as f64 / f64::from(1 << 20);
    println!("at rest beside {QUESTIONS} questions: {rest:.1} MiB beside what is mapped of the store");
    println!("{:<35} {:>10} {:>10} {:>10}", "a small request", "CPU", "p50", "p99");
    for (kind, text, clients) in
        KINDS.iter().flat_map(|(kind, text)| CLIENTS.map(|clients| (*kind, *text, clients)))
    {
        let kind = format!("{kind}, {clients} client{}", if clients == 1 { "" } else { "s" });
        let queries: Vec<String> =
            questions.iter().map(|question| text.replace("QUESTION", question)).collect();
        let mut asked = vec![Asked::default(); servers.len()];
        // In turns, so that whatever the machine does besides meets both.
        for _ in 0..TURNS {
            for ((_, server), asked) in servers.iter().zip(&mut asked) {
                asked.ask(server, &queries, count / TURNS, clients);
            }
        }
        for ((name, _), asked) in servers.iter().zip(&mut asked) {
            let (cpu, middle, slow) = (asked.cpu(), asked.time(0.5), asked.time(0.99));
            println!("{kind:<22} {name:<12} {cpu:>7.1} µs {middle:>7.1} µs {slow:>7.1} µs");
        }
        if let [ours, theirs] = asked.as_slice() {
            println!("{kind:<22} CPU beside theirs {:>5.2}", ours.cpu() / theirs.cpu());
        }
    }
    for (name, server) in &servers {
        beside_heavy(name, server, KINDS[1].1.replace("QUESTION", questions[0]));
    }
}

/// Small requests that a server has answered.
#[derive(Clone, Default)]
struct Asked {
    cpu: Duration,
    times: Vec<Duration>,
}

impl Asked {
    /// Asks so many queries, each client one after the other.
    fn ask(&mut self, server: &Server, queries: &[String], count: usize, clients: usize) {
        let asked = self.times.len();
        let ask = |number: usize| {
            let mut client = Client::connect(server.address);
            let own = queries.iter().cycle().skip((asked + number) % queries.len()).step_by(clients);
            let times = own.take(count / clients).map(|query| {
                let begin = Instant::now();
                client.ask(query, JSON, |_| ());
                begin.elapsed()
            });
            times.collect::<Vec<_>>()
        };
        let before = server.cpu();
        thread::scope(|scope| {
            let others: Vec<_> = (0..clients).map(|number| scope.spawn(move || ask(number))).collect();
            self.times.extend(others.into_iter().flat_map(|other| other.join().expect("each is answered")));
        });
        self.cpu += server.cpu() - before;
    }

    /// Microseconds of the server's CPU for one.
    fn cpu(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.times.len() as f64
    }

    /// Microseconds within which this part of all is answered.
    fn time(&mut self, part: f64) -> f64 {
        self.times.sort();
        self.times[((self.times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6
    }
}

/// Asks a small query while another client waits for a heavy one.
fn beside_heavy(name: &str, server: &Server, query: String) {
    let queries = [query];
    let (mut alone, mut beside) = (Asked::default(), Asked::default());
    alone.ask(server, &queries, 4_000, 1);
    let mut heavy = TcpStream::connect(server.address).expect("the server listens");
    let head = "POST /query HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/sparql-query\r\n";
    write!(heavy, "{head}content-length: {}\r\n\r\n{HEAVY}", HEAVY.len()).expect("the server reads");
    thread::sleep(Duration::from_millis(300));
    let (cpu, begin) = (server.cpu(), Instant::now());
    beside.ask(server, &queries, 4_000, 1);
    let cores = (server.cpu() - cpu).as_secs_f64() / begin.elapsed().as_secs_f64();
    let (usual, median, slow) = (alone.time(0.5), beside.time(0.5), beside.time(0.99));
    println!(
        "beside a heavy query ({cores:.1} cores): {name} p50 {median:.1} µs (alone {usual:.1}), p99 {slow:.1} µs, {:.1} times p50",
        slow / median
    );
}

fn large_answers(folder: &Path) {
    let rows = number("EVALGRAPH_ROWS", 5_000_000);
    let mut file = BufWriter::new(File::create(folder.join("made.nt")).expect("the folder is ours"));
    for row in 0..rows {
        writeln!(file, "<urn:x:node/{row}> <urn:x:value/{}> \"value {}\" .", row % 7, row % 100_003)
            .expect("there is room");
    }
    file.flush().expect("there is room");
    drop(file);
    load(folder, "made.nt");
    std::fs::remove_file(folder.join("made.nt")).expect("it is there");
    println!("{rows} rows: CPU, time to the first byte, and memory more than before");
    let kinds = [
        ("SELECT", "SELECT ?s ?p ?o { ?s ?p ?o }", TSV),
        ("CONSTRUCT, a pattern", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", TRIPLES),
        ("CONSTRUCT", "CONSTRUCT { ?s <urn:x:new> ?o } WHERE { ?s ?p ?o }", TRIPLES),
    ];
    for (kind, query, accept) in kinds {
        for (name, server) in servers(folder) {
            let figures = large(&server, query, accept, rows);
            println!("{kind:<24} {name:<12} {figures}");
        }
    }
}

/// Asks for a large answer while the memory of the server is looked at.
fn large(server: &Server, query: &str, accept: &str, rows: usize) -> String {
    let mut client = Client::connect(server.address);
    // What a first request costs is not the answer's.
    client.ask("ASK {}", JSON, |_| ());
    let (before, cpu) = (server.memory(), server.cpu());
    let is_over = AtomicBool::new(false);
    let most = || {
        let mut most = before;
        while !is_over.load(Ordering::Relaxed) {
            most = most.max(server.memory());
            thread::sleep(Duration::from_millis(5));
        }
        most
    };
    let begin = Instant::now();
    let (mut first, mut lines) = (None, 0);
    let most = thread::scope(|scope| {
        let most = scope.spawn(most);
        client.ask(query, accept, |piece| {
            first.get_or_insert_with(|| begin.elapsed());
            lines += memchr::memchr_iter(b'\n', piece).count();
        });
        is_over.store(true, Ordering::Relaxed);
        most.join().expect("it looks")
    });
    assert!(lines == rows || lines == rows + 1, "{lines} lines");
    let (first, cpu) = (first.unwrap_or_default(), server.cpu() - cpu);
    let more = (most - before) as f64 / f64::from(1 << 20);
    format!("{:>6.2} s {:>8.1} ms {more:>8.1} MiB", cpu.as_secs_f64(), first.as_secs_f64() * 1e3)
}
