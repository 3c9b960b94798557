//! Twenty kinds of heavy query: each is answered or ended in its time, and the next query is answered.

use super::client::{PATIENCE, ask, get, query};
use super::served::Served;

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

#[test]
fn each_kind_of_heavy_query_ends_and_the_next_one_is_answered() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("data.ttl"), data()).expect("the folder is ours");
    let served = Served::start(folder.path(), &["data.ttl", "--timeout", "500ms", "--max-memory", "1GiB"]);
    let kinds = kinds();
    assert_eq!(kinds.len(), 20);
    for (kind, text) in kinds {
        let heavy = ask("POST", "/query").body("application/sparql-query", text.as_str());
        let reply = served.send(&heavy);
        // An answer that has begun breaks off.
        assert!([200, 503].contains(&reply.status), "{kind}: {}: {}", reply.status, reply.text());
        // Where as many as may be do not listen, the server says so, and comes back.
        let next = query("SELECT (COUNT(*) AS ?n) { ?s <urn:x:value> ?v }").accept("text/csv");
        let end = std::time::Instant::now() + PATIENCE;
        let mut answer = served.send(&next);
        while answer.status != 200 && std::time::Instant::now() < end {
            assert!(answer.text().starts_with("limit::given-up"), "after {kind}: {}", answer.text());
            assert!(answer.header("retry-after").is_some(), "after {kind}");
            std::thread::sleep(std::time::Duration::from_millis(100));
            answer = served.send(&next);
        }
        assert_eq!((answer.status, answer.text()), (200, "n\r\n1000\r\n".to_owned()), "after {kind}");
    }
    let end = std::time::Instant::now() + PATIENCE;
    while !served.send(&get("/metrics")).text().contains("evalgraph_evaluations_running 0") {
        assert!(std::time::Instant::now() < end, "threads do not come back");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
