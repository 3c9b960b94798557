//! The query operation: its three forms, negotiation, datasets, errors with their places, names of states.

use serde_json::json;

use super::client::{ask, encoded, get, query};
use super::served::{Served, store_of};
use crate::cli::input::run;

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";
const COUNT: &str = "SELECT (COUNT(?q) AS ?n) { ?q a s:Question }";

#[test]
fn the_three_forms_of_a_query_have_one_answer() {
    let served = Served::fixtures(&[PHYSICS]);
    let by_get = served.send(&query(COUNT));
    assert_eq!((by_get.status, by_get.is_whole), (200, true));
    assert_eq!(by_get.header("content-type"), Some("application/sparql-results+json"));
    let count = by_get.json()["results"]["bindings"][0]["n"]["value"].clone();
    assert!(count.as_str().is_some_and(|count| count != "0"), "{count}");
    let form = format!("query={}", encoded(COUNT));
    let by_form = ask("POST", "/query").body("application/x-www-form-urlencoded", form);
    assert_eq!(served.send(&by_form).json(), by_get.json());
    let direct = ask("POST", "/query").body("application/sparql-query; charset=utf-8", COUNT);
    assert_eq!(served.send(&direct).json(), by_get.json());
}

#[test]
fn each_form_of_result_comes_for_its_type() {
    let served = Served::fixtures(&[PHYSICS]);
    let all = query("SELECT ?q { ?q a s:Question } ORDER BY ?q LIMIT 1");
    for (accept, is_it) in [
        ("application/sparql-results+xml", "<?xml"),
        ("text/csv", "q\r\n"),
        ("text/tab-separated-values", "?q\n"),
        ("application/x-ndjson", "{\"q\":\"_:"),
        ("application/jsonl", "{\"q\":\"_:"),
        ("application/sparql-results+json", "{\"head\":"),
        ("text/plain", ""),
        ("application/json", "{\"head\":"),
    ] {
        let reply = served.send(&all.clone().accept(accept));
        let media_type = reply.header("content-type").unwrap_or_default();
        assert!(media_type.starts_with(accept), "{accept}: {media_type}");
        assert!(reply.text().starts_with(is_it), "{accept}: {}", reply.text());
    }
    let graph = query("CONSTRUCT { ?q a s:Question } { ?q a s:Question }");
    for accept in [
        "text/turtle",
        "application/n-triples",
        "application/n-quads",
        "application/trig",
        "application/ld+json",
        "application/rdf+xml",
    ] {
        let reply = served.send(&graph.clone().accept(accept));
        let media_type = reply.header("content-type").unwrap_or_default();
        assert!(reply.status == 200 && media_type.starts_with(accept), "{accept}: {media_type}");
        assert!(reply.text().contains("Question"), "{accept}: {}", reply.text());
    }
    let refused = served.send(&graph.accept("text/csv"));
    assert_eq!(refused.status, 406);
    assert!(refused.text().contains("serve::not-acceptable"), "{}", refused.text());
}

#[test]
fn a_fault_of_a_query_has_its_code_and_place() {
    let served = Served::fixtures(&[PHYSICS]);
    let bad = query("SELECT ?q {\n  ?q a }");
    let as_text = served.send(&bad);
    assert_eq!(as_text.status, 400);
    assert!(as_text.text().starts_with("query:2:"), "{}", as_text.text());
    let as_json = served.send(&bad.accept("application/sparql-results+json"));
    assert_eq!(as_json.header("content-type"), Some("application/problem+json"));
    let problem = as_json.json();
    assert_eq!((&problem["status"], &problem["line"]), (&json!(400), &json!(2)), "{problem}");
    assert!(problem["code"].as_str().is_some_and(|code| code.starts_with("sparql::")), "{problem}");
    for (request, status) in [
        (get("/query?query=ASK%20%7B%7D&query=ASK%20%7B%7D"), 400),
        (get("/query?query=%FF"), 400),
        (get("/query?update=CLEAR%20ALL"), 400),
        (get("/nothing"), 404),
        (get("/../../etc/passwd"), 404),
        (ask("DELETE", "/query"), 405),
        (ask("POST", "/query").body("text/plain", "ASK {}"), 415),
        (ask("POST", "/query").body("application/sparql-query; charset=UTF-16", "ASK {}"), 415),
        (ask("POST", "/query").body("application/sparql-query", [0xC3, 0x28]), 400),
        (query("ASK { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"), 400),
    ] {
        let reply = served.send(&request);
        assert_eq!(reply.status, status, "{request:?}: {}", reply.text());
    }
}

#[test]
fn a_dataset_of_the_request_takes_the_place_of_that_of_the_query() {
    let folder = tempfile::tempdir().expect("there is room");
    let data =
        "<urn:x:s> <urn:x:p> 1 . <urn:x:a> { <urn:x:s> <urn:x:p> 2 } <urn:x:b> { <urn:x:s> <urn:x:p> 3 }";
    std::fs::write(folder.path().join("data.trig"), data).expect("the folder is ours");
    let served = Served::start(folder.path(), &["data.trig"]);
    let values = |text: &str, graphs: &str| {
        let request = get(&format!("/query?query={}{graphs}", encoded(text))).accept("text/csv");
        let reply = served.send(&request).text();
        reply.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = "SELECT ?o { ?s ?p ?o } ORDER BY ?o";
    assert_eq!(values(plain, ""), ["1", "2", "3"]);
    assert_eq!(values(plain, "&default-graph-uri=urn:x:a"), ["2"]);
    assert_eq!(values(plain, "&default-graph-uri=urn:x:a&default-graph-uri=urn:x:b"), ["2", "3"]);
    assert_eq!(values(plain, "&named-graph-uri=urn:x:a"), [""; 0]);
    let named = "SELECT ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?o";
    assert_eq!(values(named, "&named-graph-uri=urn:x:b"), ["3"]);
    assert_eq!(values("SELECT ?o FROM <urn:x:b> { ?s ?p ?o }", "&default-graph-uri=urn:x:a"), ["2"]);
    assert_eq!(served.send(&get("/query?query=ASK%20%7B%7D&default-graph-uri=a")).status, 400);
}

#[test]
fn a_state_has_a_name_and_each_request_sees_one() {
    let folder = store_of(&[PHYSICS]);
    let served = Served::start(folder.path(), &[]);
    let first = served.send(&query(COUNT));
    let name = first.header("etag").expect("the state has a name").to_owned();
    let again = served.send(&query(COUNT).with("if-none-match", &name));
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(name.as_str())));
    assert_eq!(served.send(&query("SELECT (NOW() AS ?n) {}")).header("etag"), None);
    // Another process changes the store.
    let update = "INSERT DATA { <urn:x:new> a s:Question }";
    let (status, _, stderr) = run(folder.path(), &["update", "-q", update]);
    assert_eq!(status, 0, "{stderr}");
    let changed = served.send(&query(COUNT).with("if-none-match", &name));
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(name.as_str()));
    assert_ne!(changed.json(), first.json());
}

#[test]
fn head_has_the_headers_of_get_and_options_the_methods() {
    let served = Served::fixtures(&[PHYSICS]);
    let head = ask("HEAD", &format!("/query?query={}", encoded(COUNT)));
    let reply = served.send(&head.accept("text/csv"));
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    assert!(reply.header("etag").is_some());
    let options = served.send(&ask("OPTIONS", "/query"));
    assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, POST, OPTIONS")));
    let health = served.send(&get("/health"));
    assert_eq!((health.status, health.text()), (200, "ok\n".to_owned()));
    assert_eq!(served.send(&ask("HEAD", "/health")).status, 200);
    assert_eq!(served.send(&ask("POST", "/health")).status, 405);
}

#[test]
fn bodies_come_and_go_compressed() {
    let served = Served::fixtures(&[PHYSICS]);
    let all = "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o";
    let plain = served.send(&query(all).accept("text/csv"));
    assert_eq!(plain.header("content-encoding"), None);
    // What stays on this machine is not compressed, unless a proxy passes it on.
    let near = served.send(&query(all).accept("text/csv").with("accept-encoding", "gzip, zstd"));
    assert_eq!((near.header("content-encoding"), &near.body), (None, &plain.body));
    let only = query(all).accept("text/csv").with("accept-encoding", "gzip, identity;q=0");
    assert_eq!(served.send(&only).header("content-encoding"), Some("gzip"));
    let query = |text: &str| query(text).with("x-forwarded-for", "192.0.2.1");
    let gzip = served.send(&query(all).accept("text/csv").with("accept-encoding", "gzip"));
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*gzip.body), &mut text)
        .expect("it is whole");
    assert_eq!(text, plain.text());
    let zstd = served.send(&query(all).accept("text/csv").with("accept-encoding", "gzip, zstd"));
    assert_eq!(zstd.header("content-encoding"), Some("zstd"));
    assert_eq!(zstd::decode_all(&*zstd.body).expect("it is whole"), plain.body);
    let small = served.send(&query("ASK {}").with("accept-encoding", "gzip, zstd"));
    assert_eq!(small.header("content-encoding"), None);
    let body = zstd::encode_all(all.as_bytes(), 1).expect("a vector takes everything");
    let sent = ask("POST", "/query").body("application/sparql-query", body).accept("text/csv");
    assert_eq!(served.send(&sent.clone().with("content-encoding", "zstd")).text(), plain.text());
    assert_eq!(served.send(&sent.clone().with("content-encoding", "br")).status, 415);
    assert_eq!(served.send(&sent.with("content-encoding", "gzip")).status, 400);
}
