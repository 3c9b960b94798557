//! Twenty kinds of heavy query: each is answered or ended in its time, and the next query is answered.

use std::io::Write as _;
use std::time::{Duration, Instant};

use super::client::{Ask, PATIENCE, ask, connect, query};
use super::served::{Served, wait_until};
use crate::share::one_of;

/// A thousand numbers as a pattern.
const NUMBERS: &str = "?n{} <urn:x:value> ?v{} .";

/// The data: numbers with texts and links, so that a product has a million rows and a path a thousand steps.
fn data() -> String {
    let mut data = String::new();
    for number in 0..1_000 {
        let (next, text) = ((number + 1) % 1_000, "abcdefgh".repeat(number % 40));
        data.push_str(&format!(
            "<urn:x:{number}> <urn:x:value> {number} ; <urn:x:next> <urn:x:{next}> , <urn:x:{}> ; <urn:x:text> 'aaaa{text}' .\n",
            (number * 7) % 1_000
        ));
    }
    data
}

fn numbers(names: &[&str]) -> String {
    names.iter().map(|name| NUMBERS.replace("{}", name)).collect::<Vec<_>>().join(" ")
}

fn kinds() -> Vec<(&'static str, String)> {
    let two = numbers(&["a", "b"]);
    let three = numbers(&["a", "b", "c"]);
    vec![
        ("product", format!("SELECT (COUNT(*) AS ?n) {{ {three} }}")),
        ("product of rows", format!("SELECT * {{ {three} }}")),
        ("sort", format!("SELECT ?va {{ {three} }} ORDER BY DESC(?va + ?vb * ?vc)")),
        (
            "sort of texts",
            format!(
                "SELECT ?va {{ {two} {} }} ORDER BY CONCAT(STR(?va), STR(?vb), STR(?vc))",
                numbers(&["c"])
            ),
        ),
        (
            "regex",
            format!(
                "SELECT ?va {{ {three} FILTER REGEX(CONCAT(STR(?va), STR(?vb), STR(?vc)), '^(1|2|3)*4$') }}"
            ),
        ),
        (
            "regex over texts",
            format!("SELECT * {{ ?x <urn:x:text> ?t . {two} FILTER REGEX(?t, '(a|b|ab)*z') }}"),
        ),
        ("path", "SELECT (COUNT(*) AS ?n) { ?a <urn:x:next>+ ?b }".to_owned()),
        (
            "path of paths",
            "SELECT (COUNT(*) AS ?n) { ?a (<urn:x:next>+/<urn:x:next>*)+ ?b . ?b <urn:x:next>* ?c }"
                .to_owned(),
        ),
        (
            "path of any",
            "SELECT (COUNT(*) AS ?n) { ?a (<urn:x:next>|!<urn:x:none>)* ?b . ?b (^<urn:x:next>)* ?c }"
                .to_owned(),
        ),
        ("group", format!("SELECT ?va (COUNT(?vb) AS ?n) {{ {three} }} GROUP BY ?va ?vb ?vc")),
        ("group of texts", format!("SELECT (GROUP_CONCAT(STR(?va)) AS ?t) {{ {three} }} GROUP BY ?vb")),
        ("distinct", format!("SELECT DISTINCT ?va ?vb ?vc {{ {three} }}")),
        (
            "optional",
            format!(
                "SELECT (COUNT(*) AS ?n) {{ {two} OPTIONAL {{ {} FILTER(?vc > ?va + ?vb) }} }}",
                numbers(&["c"])
            ),
        ),
        (
            "minus",
            format!("SELECT (COUNT(*) AS ?n) {{ {two} MINUS {{ {} FILTER(?vc = 1) }} }}", numbers(&["c"])),
        ),
        (
            "exists",
            format!(
                "SELECT (COUNT(*) AS ?n) {{ {two} FILTER EXISTS {{ {} FILTER(?vc > ?va + ?vb) }} }}",
                numbers(&["c"])
            ),
        ),
        (
            "not exists",
            format!(
                "SELECT (COUNT(*) AS ?n) {{ {two} FILTER NOT EXISTS {{ {} FILTER(?vc > ?va + ?vb) }} }}",
                numbers(&["c"])
            ),
        ),
        (
            "union",
            format!("SELECT (COUNT(*) AS ?n) {{ {{ {three} }} UNION {{ {three} FILTER(?va > ?vb) }} }}"),
        ),
        ("construct", format!("CONSTRUCT {{ ?na ?nb ?nc }} {{ {three} }}")),
        (
            "subquery",
            format!(
                "SELECT (SUM(?s) AS ?n) {{ {{ SELECT ?va (SUM(?vb + ?vc) AS ?s) {{ {three} }} GROUP BY ?va ?vb }} }}"
            ),
        ),
        (
            "values of bind",
            format!(
                "SELECT (MAX(?h) AS ?n) {{ {three} BIND(SHA512(CONCAT(STR(?va), STR(?vb), STR(?vc))) AS ?h) }}"
            ),
        ),
    ]
}

/// A server of the data.
struct Loaded {
    served: Served,
    _folder: tempfile::TempDir,
}

impl Loaded {
    fn start(limits: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        std::fs::write(folder.path().join("data.ttl"), data()).expect("the folder is ours");
        let served = Served::start(folder.path(), &[&["data.ttl"], limits].concat());
        Self { served, _folder: folder }
    }

    /// Asks a small query. Where the memory of the one before is not free yet, the server says so, and comes back.
    fn is_at_work(&self, after: &str) {
        let next = query("SELECT (COUNT(*) AS ?n) { ?s <urn:x:value> ?v }");
        let next = next.accept("text/csv, application/json;q=0.1");
        let end = Instant::now() + PATIENCE;
        let mut answer = self.served.send(&next);
        while answer.status != 200 && Instant::now() < end {
            assert_eq!(answer.json()["code"], "limit::memory", "after {after}");
            std::thread::sleep(Duration::from_millis(100));
            answer = self.served.send(&next);
        }
        assert_eq!((answer.status, answer.text()), (200, "n\r\n1000\r\n".to_owned()), "after {after}");
    }

    /// Waits until each thread is back.
    fn comes_to_rest(&self) {
        wait_until(|| self.served.metric("evaluations_running") == 0);
    }
}

fn heavy(text: &str) -> Ask {
    ask("POST", "/query").body("application/sparql-query", text)
}

#[test]
fn each_kind_of_heavy_query_ends_in_its_time_and_the_next_one_is_answered() {
    let loaded = Loaded::start(&["--timeout", "500ms"]);
    let kinds = kinds();
    assert_eq!(kinds.len(), 20);
    for (kind, text) in kinds {
        let reply = loaded.served.send(&heavy(&text));
        // An answer that has begun breaks off, and a step may have too many rows before the time is over.
        let is_too_large = || reply.status == 400 && reply.text().contains("limit::rows");
        let is_ended = [200, 503].contains(&reply.status) || is_too_large();
        assert!(is_ended, "{kind}: {}: {}", reply.status, reply.text());
        loaded.is_at_work(kind);
    }
    loaded.comes_to_rest();
}

#[test]
fn each_kind_of_heavy_query_ends_with_its_client() {
    // Whoever has gone waits for no time limit.
    let loaded = Loaded::start(&["--timeout", "600s"]);
    for (kind, text) in kinds() {
        let mut client = connect(loaded.served.address);
        client.write_all(&heavy(&text).bytes(loaded.served.address)).expect("the server reads");
        std::thread::sleep(Duration::from_millis(50));
        drop(client);
        loaded.is_at_work(kind);
    }
    loaded.comes_to_rest();
}

#[test]
#[cfg(target_os = "linux")]
fn a_query_that_takes_too_much_memory_ends_and_the_server_goes_on() {
    let loaded = Loaded::start(&["--timeout", "20s", "--max-memory", "16MiB"]);
    let mut codes = std::collections::BTreeSet::new();
    let gathers = ["sort of texts", "distinct", "group of texts", "construct"];
    let gathering = kinds().into_iter().filter(|(kind, _)| gathers.contains(kind));
    for (kind, text) in gathering.step_by(one_of(2)) {
        let reply = loaded.served.send(&heavy(&text).accept("application/json, */*;q=0.1"));
        if reply.status == 503 {
            codes.insert(reply.json()["code"].as_str().unwrap_or_default().to_owned());
        }
        loaded.is_at_work(kind);
    }
    assert!(codes.contains("limit::memory"), "{codes:?}");
    loaded.comes_to_rest();
}

/// How much stays after heavy queries is what `--bench crowd` shows: unoptimised they take too little for the allocator to keep.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_allocator_of_a_server_gives_large_arrays_back_to_the_system() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("data.ttl"), data()).expect("the folder is ours");
    let served = Served::start(folder.path(), &["data.ttl"]);
    assert!(served.environment().contains("\0MALLOC_MMAP_THRESHOLD_=1048576\0"));
    let mut command = crate::program::program();
    command.current_dir(folder.path()).args(["serve", "--bind", "127.0.0.1:0", "data.ttl"]);
    command.env("MALLOC_MMAP_THRESHOLD_", "4194304");
    let served = Served::of(command);
    assert!(served.environment().contains("\0MALLOC_MMAP_THRESHOLD_=4194304\0"), "what the user wants stays");
}
