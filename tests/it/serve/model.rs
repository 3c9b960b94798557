//! Clients that ask and change at once, against a model: no answer is wrong, no state is torn, memory stays.
//!
//! `EVALGRAPH_SERVE_SECONDS` says how long; some seconds without it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::client::{Ask, ask, connect, encoded, get, query};
use super::served::{Served, store_of};

/// How many clients there are.
const CLIENTS: u64 = 8;

fn graph(client: u64) -> String {
    format!("http://example.org/client/{client}")
}

fn triples(numbers: &BTreeSet<u32>) -> String {
    numbers
        .iter()
        .map(|number| {
            format!("<urn:x:s> <urn:x:p> \"{number}\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n")
        })
        .collect()
}

fn store(method: &str, graph: &str) -> Ask {
    ask(method, &format!("/store?graph={}", encoded(graph)))
}

fn update(text: &str) -> Ask {
    ask("POST", "/update").body("application/sparql-update", text)
}

/// One client with a graph of its own, whose content it knows.
fn client(served: &Served, number: u64, end: Instant) -> u64 {
    let mut random = StdRng::seed_from_u64(number);
    let graph = graph(number);
    // A graph without triples is none.
    let mut model = BTreeSet::new();
    let mut steps = 0;
    while Instant::now() < end {
        steps += 1;
        let some: BTreeSet<u32> =
            (0..random.random_range(0..20)).map(|_| random.random_range(0..100)).collect();
        let document = |ask: Ask| ask.body("application/n-triples", triples(&some));
        match random.random_range(0..6) {
            0 => {
                let status = if model.is_empty() { 201 } else { 204 };
                assert_eq!(served.send(&document(store("PUT", &graph))).status, status, "{number}");
                model = some;
            }
            1 => {
                let status = if model.is_empty() { 201 } else { 204 };
                assert_eq!(served.send(&document(store("POST", &graph))).status, status, "{number}");
                model.extend(some);
            }
            2 => {
                let status = if model.is_empty() { 404 } else { 204 };
                model.clear();
                assert_eq!(served.send(&store("DELETE", &graph)).status, status, "{number}");
            }
            3 => {
                // Each number moves up by one, all at once.
                let text = format!(
                    "WITH <{graph}> DELETE {{ ?s ?p ?o }} INSERT {{ ?s ?p ?more }} WHERE {{ ?s ?p ?o BIND(?o + 1 AS ?more) }}"
                );
                assert_eq!(served.send(&update(&text)).status, 204, "{number}");
                model = model.into_iter().map(|number| number + 1).collect();
            }
            4 => {
                let reply = served.send(&store("GET", &graph).accept("application/n-triples"));
                let there: BTreeSet<String> = reply.text().lines().map(str::to_owned).collect();
                match model.len() {
                    0 => assert_eq!(reply.status, 404, "{number}"),
                    count => assert_eq!((reply.status, there.len()), (200, count), "{number}"),
                }
            }
            _ => {
                let text = format!("SELECT ?o {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}");
                let reply = served.send(&query(&text).accept("text/csv"));
                let there: BTreeSet<u32> =
                    reply.text().lines().skip(1).map(|line| line.parse().expect("a number")).collect();
                assert_eq!(there, model, "{number}");
            }
        }
    }
    steps
}

/// Two graphs that always say the same, but for a state that is torn. Their numbers come again: a store keeps the terms of
/// what went, so that ever new ones take ever more memory.
fn pair(served: &Served, end: Instant) {
    for number in (0..1_000).cycle() {
        if Instant::now() > end {
            return;
        }
        let text = format!(
            "DELETE WHERE {{ GRAPH <urn:x:one> {{ ?s ?p ?o }} }} ; DELETE WHERE {{ GRAPH <urn:x:two> {{ ?s ?p ?o }} }} ; \
             INSERT DATA {{ GRAPH <urn:x:one> {{ <urn:x:s> <urn:x:p> {number} }} GRAPH <urn:x:two> {{ <urn:x:s> <urn:x:p> {number} }} }}"
        );
        assert_eq!(served.send(&update(&text)).status, 204);
    }
}

/// Clients that are killed in the middle of a request, whatever it is.
fn killed(served: &Served, end: Instant) {
    let mut random = StdRng::seed_from_u64(7);
    while Instant::now() < end {
        let put = store("PUT", "http://example.org/killed")
            .body("application/n-triples", triples(&(0..50).collect()));
        let ask = query("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }");
        let bytes =
            if random.random_bool(0.5) { put.bytes(served.address) } else { ask.bytes(served.address) };
        let length = random.random_range(1..=bytes.len());
        let mut connection = connect(served.address);
        let _ = connection.write_all(&bytes[..length]);
        std::thread::sleep(Duration::from_millis(random.random_range(0..20)));
    }
}

#[test]
fn clients_side_by_side_see_what_they_wrote_and_no_torn_state() {
    let seconds =
        std::env::var("EVALGRAPH_SERVE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &["--write", "--no-token", "--timeout", "60s"]);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (is_over, steps, torn) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (served, steps) = (&served, &steps);
                scope.spawn(move || steps.fetch_add(client(served, number, end), Ordering::Relaxed))
            })
            .collect();
        scope.spawn(|| killed(&served, end));
        scope.spawn(|| {
            let text = "SELECT ?a ?b { GRAPH <urn:x:one> { ?s ?p ?a } GRAPH <urn:x:two> { ?s ?p ?b } FILTER(?a != ?b) }";
            while !is_over.load(Ordering::Relaxed) {
                let rows = served.send(&query(text).accept("text/csv")).text().lines().count();
                torn.fetch_add(u64::from(rows != 1), Ordering::Relaxed);
            }
        });
        pair(&served, end);
        let clients: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        let _: Vec<u64> = clients.into_iter().map(|client| client.expect("no answer is wrong")).collect();
    });
    assert_eq!(torn.into_inner(), 0);
    assert!(steps.into_inner() > CLIENTS);
    let figures = served.send(&get("/metrics")).text();
    assert!(figures.contains("evalgraph_evaluations_given_up 0"), "{figures}");
    #[cfg(target_os = "linux")]
    assert!(served.memory() < 200 << 20, "{}", served.memory());
}
