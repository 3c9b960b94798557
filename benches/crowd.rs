//! A server under expensive queries, one after another, eight and 64 at once, with `--timeout 2s --max-memory 700MB`: after how long the
//! last client has its answer, after how long the last thread is free again, how many evaluations were given up, the most memory that no
//! file stands behind (Linux, `proc(5)`) and what of it stays, and how long small queries take that another client asks meanwhile.

#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use support::servers::Server;
use tempfile::TempDir;

const LIMITS: [&str; 5] = ["--timeout", "2s", "--max-memory", "700MB", "data.ttl"];
/// A query that takes little time.
const SMALL: &str = "SELECT ?v { <urn:x:7> <urn:x:value> ?v . <urn:x:7> <urn:x:next> ?w }";
/// How much of an answer is looked at.
const MOST: usize = 1 << 16;
/// How many numbers the data have.
const NUMBERS: usize = 1_000;

fn main() {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("data.ttl"), data()).expect("the folder is ours");
    let server = Server::with(folder.path(), &LIMITS);
    let queries = queries();
    let mut frees = Vec::new();
    for query in queries.iter().cycle().take(64) {
        ask(server.address, "POST", "/query", query);
        frees.push(until_free(&server));
    }
    frees.sort();
    println!("one after another: free again after at most {:.0} ms", milliseconds(frees[63]));
    for count in [8, 64] {
        crowd(&server, &queries, count);
    }
    sleep(Duration::from_secs(1));
    println!("a second later: {} MiB", server.memory() >> 20);
}

/// Asks so many queries at once, with small ones beside.
fn crowd(server: &Server, queries: &[String], count: usize) {
    let (is_over, most) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut smalls, mut given_up) = (Vec::new(), 0);
    let (answers, free) = scope(|scope| {
        let (is_over, most, smalls, given_up) = (&is_over, &most, &mut smalls, &mut given_up);
        scope.spawn(move || {
            while !is_over.load(Ordering::Acquire) {
                let begin = Instant::now();
                ask(server.address, "POST", "/query", SMALL);
                smalls.push(begin.elapsed());
                sleep(Duration::from_millis(10));
            }
        });
        scope.spawn(move || {
            while !is_over.load(Ordering::Acquire) {
                most.fetch_max(server.memory(), Ordering::Relaxed);
                sleep(Duration::from_millis(2));
            }
        });
        scope.spawn(move || {
            while !is_over.load(Ordering::Acquire) {
                *given_up = metric(server, "evalgraph_evaluations_given_up").max(*given_up);
                sleep(Duration::from_millis(10));
            }
        });
        let asked: Vec<_> = queries
            .iter()
            .cycle()
            .take(count)
            .map(|query| {
                scope.spawn(move || {
                    let begin = Instant::now();
                    (ask(server.address, "POST", "/query", query), begin.elapsed())
                })
            })
            .collect();
        let answers: Vec<_> = asked.into_iter().map(|asked| asked.join().expect("it is asked")).collect();
        let free = until_free(server);
        is_over.store(true, Ordering::Release);
        (answers, free)
    });
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for (answer, _) in &answers {
        let status = answer.split(' ').nth(1).unwrap_or_default();
        let code = ["sparql::timeout", "limit::memory", "limit::rows"]
            .into_iter()
            .find(|code| answer.contains(code));
        *ends.entry(format!("{status} {}", code.unwrap_or_default())).or_default() += 1;
    }
    let slowest = answers.iter().map(|(_, time)| *time).max().unwrap_or_default();
    smalls.sort();
    let at = |part: f64| milliseconds(smalls[((smalls.len() - 1) as f64 * part) as usize]);
    println!(
        "{count:>2} at once: last answer after {:.2} s, free {:.0} ms later, {given_up} given up, at most {} MiB; small queries p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms; {ends:?}",
        slowest.as_secs_f64(),
        milliseconds(free),
        most.into_inner() >> 20,
        at(0.5),
        at(0.9),
        at(0.99),
    );
}

/// Waits until no evaluation runs.
fn until_free(server: &Server) -> Duration {
    let begin = Instant::now();
    while metric(server, "evalgraph_evaluations_running") > 0 {
        sleep(Duration::from_millis(2));
    }
    begin.elapsed()
}

fn metric(server: &Server, name: &str) -> u64 {
    let text = ask(server.address, "GET", "/metrics", "");
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    value.unwrap_or_else(|| panic!("{name} is a metric"))
}

/// The answer with its head, as far as it came: one that has begun may break off.
fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> String {
    let mut connection = TcpStream::connect(address).expect("the server listens");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/sparql-query\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all((head + body).as_bytes()).expect("the server reads");
    let (mut answer, mut piece) = (Vec::new(), vec![0; MOST]);
    while let Ok(length @ 1..) = connection.read(&mut piece) {
        let kept = length.min(MOST - answer.len().min(MOST));
        answer.extend(&piece[..kept]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn data() -> String {
    let mut data = String::new();
    for number in 0..NUMBERS {
        let (next, text) = ((number + 1) % NUMBERS, "abcdefgh".repeat(number % 40));
        writeln!(
            data,
            "<urn:x:{number}> <urn:x:value> {number} ; <urn:x:next> <urn:x:{next}>, <urn:x:{}> ; <urn:x:text> 'aaaa{text}' .",
            number * 7 % NUMBERS
        )
        .expect("a String takes all");
    }
    data
}

/// Products, sorts, groups, paths and made texts, each over far more than a server can look at within its time.
fn queries() -> Vec<String> {
    let numbers = |names: &[&str]| -> String {
        names.iter().map(|name| format!("?n{name} <urn:x:value> ?v{name} . ")).collect()
    };
    let (two, three, four) =
        (numbers(&["a", "b"]), numbers(&["a", "b", "c"]), numbers(&["a", "b", "c", "d"]));
    let third = numbers(&["c"]);
    let texts = "CONCAT(STR(?va), STR(?vb), STR(?vc))";
    vec![
        format!("SELECT (COUNT(*) AS ?n) {{ {three} FILTER(?va + ?vb < ?vc) }}"),
        format!("SELECT * {{ {three} FILTER(?va + ?vb + ?vc < 0) }}"),
        format!("SELECT ?va {{ {three} }} ORDER BY DESC(?va + ?vb * ?vc)"),
        format!("SELECT ?va {{ {three} }} ORDER BY {texts}"),
        format!("SELECT ?va {{ {three} FILTER REGEX({texts}, '^(1|2|3)*x$') }}"),
        format!("SELECT * {{ ?x <urn:x:text> ?t . {two} FILTER REGEX(?t, '(a|b|ab)*z') }}"),
        "SELECT (COUNT(*) AS ?n) { ?a (<urn:x:next>+/<urn:x:next>*)+ ?b . ?b <urn:x:next>* ?c }".to_owned(),
        "SELECT (COUNT(*) AS ?n) { ?a (<urn:x:next>|!<urn:x:none>)* ?b . ?b (^<urn:x:next>)* ?c FILTER(?a != ?c) }"
            .to_owned(),
        format!("SELECT ?va (COUNT(?vb) AS ?n) {{ {three} }} GROUP BY ?va ?vb ?vc"),
        format!("SELECT (GROUP_CONCAT(STR(?va)) AS ?t) {{ {three} }} GROUP BY ?vb"),
        format!("SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?va ?vb ?vc {{ {three} }} }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {two} OPTIONAL {{ {third} FILTER(?vc > ?va + ?vb) }} }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {two} FILTER EXISTS {{ {third} FILTER(?vc > ?va + ?vb) }} }}"),
        format!("SELECT (SUM(?s) AS ?n) {{ {{ SELECT ?va (SUM(?vb + ?vc) AS ?s) {{ {three} }} GROUP BY ?va ?vb }} }}"),
        format!("SELECT (MAX(?h) AS ?n) {{ {three} BIND(SHA512({texts}) AS ?h) }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {four} FILTER(?va + ?vb + ?vc + ?vd = -1) }}"),
    ]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
