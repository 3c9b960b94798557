//! The W3C suites of the SPARQL 1.1 Protocol and the Graph Store Protocol: their manifests say each request and what has
//! to come back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::client::{Ask, Reply, ask, encoded};
use super::served::{Served, store_of};
use crate::beside::suites;
use crate::conformance::sparql_manifest::{Row, read_turtle, select, text};
use crate::rdf::isomorphism::{Quad, from_oxrdf, isomorphic};

const BASE: &str = "http://www.w3.org/2009/sparql/docs/tests/data-sparql11/";

const PREFIXES: &str = "\
PREFIX cnt: <http://www.w3.org/2011/content#>
PREFIX ht: <http://www.w3.org/2011/http#>
";

/// The requests of each test, with their places in its list.
const REQUESTS: &str = "\
SELECT ?test ?request (COUNT(?before) AS ?at) ?method ?path ?chars ?encoding ?boolean ?format ?content ?location {
  ?test mf:action/ht:requests ?list .
  ?list rdf:rest* ?before . ?before rdf:rest* ?node . ?node rdf:first ?request .
  ?request ht:methodName ?method ; ht:absolutePath ?path ; ht:resp ?response .
  OPTIONAL { ?request ht:body ?body . ?body cnt:chars ?chars ; cnt:characterEncoding ?encoding }
  OPTIONAL { ?response mf:expectedBoolean ?boolean }
  OPTIONAL { ?response mf:expectedFormat ?format }
  OPTIONAL { ?response ht:body/cnt:chars ?content }
  OPTIONAL { ?response mf:expectedLocation ?location }
} GROUP BY ?test ?request ?method ?path ?chars ?encoding ?boolean ?format ?content ?location";

const HEADERS: &str = "\
SELECT ?request ?name ?value {
  ?request ht:headers/rdf:rest*/rdf:first ?header . ?header ht:fieldName ?name ; ht:fieldValue ?value
}";

const STATUSES: &str = "SELECT ?request ?status { ?request ht:resp/mf:expectedStatus ?status }";

const DATA: &str = "\
SELECT ?test ?file ?graph { ?test ut:graphData ?data . ?data ut:graph ?file ; rdfs:label ?graph }";

struct Exchange {
    request: Ask,
    statuses: Vec<String>,
    boolean: Option<String>,
    format: String,
    /// The graph that has to come, in Turtle.
    content: Option<String>,
    /// The text that stands for the URL of a new graph in later requests.
    location: Option<String>,
}

#[derive(Default)]
struct Test {
    exchanges: BTreeMap<usize, Exchange>,
    /// The files of graphs, with their names.
    data: Vec<(String, PathBuf)>,
}

fn tests(folder: &Path, manifest: &str) -> BTreeMap<String, Test> {
    let dataset = read_turtle(&folder.join(manifest), &format!("{BASE}{manifest}"));
    let rows = |query: &str| select(&dataset, &format!("{PREFIXES}{query}"));
    let name = |row: &Row| text(row, "test").rsplit('#').next().unwrap_or_default().to_owned();
    let mut headers: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in rows(HEADERS) {
        headers.entry(text(&row, "request")).or_default().push((text(&row, "name"), text(&row, "value")));
    }
    let mut statuses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows(STATUSES) {
        let status = text(&row, "status").rsplit('#').next().unwrap_or_default().to_owned();
        statuses.entry(text(&row, "request")).or_default().push(status);
    }
    let mut tests: BTreeMap<String, Test> = BTreeMap::new();
    for row in rows(REQUESTS) {
        let id = text(&row, "request");
        let has_body = row.contains_key("chars");
        let chars = text(&row, "chars");
        let path = text(&row, "path");
        let of_form = [path.as_str(), chars.as_str()].iter().any(|text| text.contains("update="));
        let headers = headers.get(&id).cloned().unwrap_or_default();
        let is_direct = headers.iter().any(|(_, value)| value.starts_with("application/sparql-update"));
        let is_update = of_form || is_direct || name(&row).starts_with("bad_update");
        let resource = if is_update { "/update" } else { "/query" };
        let target = path.replacen("/sparql/", resource, 1).replacen("/gsp", "/store", 1);
        let mut request = ask(&text(&row, "method"), &target);
        for (name, value) in &headers {
            request = request.with(name, value);
        }
        if has_body {
            let is_utf_16 = text(&row, "encoding") == "UTF-16";
            let utf_16 = || chars.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
            request = request.body("", if is_utf_16 { utf_16() } else { chars.clone().into_bytes() });
        }
        let exchange = Exchange {
            request,
            statuses: statuses.get(&id).cloned().unwrap_or_default(),
            boolean: row.get("boolean").map(|_| text(&row, "boolean")),
            format: text(&row, "format"),
            content: row.get("content").map(|_| text(&row, "content")),
            location: row.get("location").map(|_| text(&row, "location")),
        };
        let at = text(&row, "at").parse().expect("it is a number");
        tests.entry(name(&row)).or_default().exchanges.insert(at, exchange);
    }
    for row in rows(DATA) {
        let file = text(&row, "file").rsplit('/').next().map(|file| folder.join(file)).expect("a name");
        tests.entry(name(&row)).or_default().data.push((text(&row, "graph"), file));
    }
    tests
}

/// Tells in which point a reply is not the expected one.
fn fault(exchange: &Exchange, reply: &Reply) -> Option<String> {
    let is_it = |status: &String| match status.as_str() {
        "OK" => reply.status == 200,
        "Created" => reply.status == 201,
        "NoContent" => reply.status == 204,
        "NotFound" => reply.status == 404,
        class => class == format!("StatusCode{}xx", reply.status / 100),
    };
    if !exchange.statuses.iter().any(is_it) {
        return Some(format!("status {} and not {:?}: {}", reply.status, exchange.statuses, reply.text()));
    }
    let media_type = reply.header("content-type").unwrap_or_default();
    let is_table = ["json", "xml", "csv", "tab-separated"].iter().any(|form| media_type.contains(form));
    let fits = match exchange.format.as_str() {
        "boolean" | "tabular" => is_table,
        "RDF" => ["turtle", "n-triples", "rdf+xml", "ld+json"].iter().any(|form| media_type.contains(form)),
        _ => true,
    };
    let is_other = |boolean: &String| reply.json()["boolean"].as_bool() != Some(boolean == "true");
    if let Some(content) = &exchange.content
        && !isomorphic(&graph(content), &graph(&reply.text()))
    {
        return Some(format!("another graph: {}", reply.text()));
    }
    if !fits || exchange.boolean.as_ref().is_some_and(is_other) {
        return Some(format!("{media_type} and not {}: {}", exchange.format, reply.text()));
    }
    None
}

fn graph(turtle: &str) -> BTreeSet<Quad> {
    let triples = oxttl::TurtleParser::new().for_slice(turtle.as_bytes());
    let quad = |triple: oxrdf::Triple| from_oxrdf(&triple.in_graph(oxrdf::GraphName::DefaultGraph));
    triples.map(|triple| quad(triple.expect("it is Turtle"))).collect()
}

fn failures(
    tests: BTreeMap<String, Test>,
    start: impl Fn(&Test) -> (tempfile::TempDir, Served),
) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, test) in tests {
        let (_folder, served) = start(&test);
        let mut locations: Vec<(String, String)> = Vec::new();
        for (at, exchange) in &test.exchanges {
            let reply = served.send(&exchange.request.replacing(&locations));
            if let Some(name) = &exchange.location {
                let location = reply.header("location").unwrap_or_default();
                locations.push((name.clone(), location.to_owned()));
            }
            if let Some(fault) = fault(exchange, &reply) {
                failures.push(format!("{name}, {at}: {fault}"));
                break;
            }
        }
    }
    failures
}

/// Serves the data of a test from a file.
fn from_file(test: &Test) -> (tempfile::TempDir, Served) {
    let folder = tempfile::tempdir().expect("there is room");
    let mut quads = String::new();
    for (graph, file) in &test.data {
        let triples = std::fs::read_to_string(file).expect("the suite is there");
        let lines = triples.lines().filter_map(|line| line.trim().strip_suffix('.'));
        quads.extend(lines.map(|line| format!("{line} <{graph}> .\n")));
    }
    std::fs::write(folder.path().join("data.nq"), quads).expect("the folder is ours");
    let served = Served::start(folder.path(), &["data.nq"]);
    (folder, served)
}

#[test]
#[ignore = "needs the W3C suites beside the project"]
fn the_protocol_for_queries() {
    let mut tests = tests(&suites().join("sparql/sparql11/protocol"), "manifest.ttl");
    tests.retain(|name, _| !name.contains("update"));
    assert_eq!(tests.len(), 20, "{:?}", tests.keys().collect::<Vec<_>>());
    let failures = failures(tests, from_file);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Serves the data of a test from a store that requests may change.
fn from_store(test: &Test) -> (tempfile::TempDir, Served) {
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &["--write", "--no-token", "--host", "www.example"]);
    for (graph, file) in &test.data {
        let triples = std::fs::read(file).expect("the suite is there");
        let put = ask("PUT", &format!("/store?graph={}", encoded(graph)));
        assert_eq!(served.send(&put.body("application/n-triples", triples)).status, 201);
    }
    (folder, served)
}

#[test]
#[ignore = "needs the W3C suites beside the project"]
fn the_protocol() {
    let tests = tests(&suites().join("sparql/sparql11/protocol"), "manifest.ttl");
    assert_eq!(tests.len(), 34);
    let failures = failures(tests, from_store);
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[ignore = "needs the W3C suites beside the project"]
fn the_graph_store_protocol() {
    let folder = suites().join("sparql/sparql11/graph-store-protocol");
    let mut tests = tests(&folder, "manifest-direct.ttl");
    tests.extend(self::tests(&folder, "manifest-indirect.ttl"));
    // One of them is in no list.
    assert_eq!(tests.len(), 14, "{:?}", tests.keys().collect::<Vec<_>>());
    let at_example = |mut test: Test| {
        for exchange in test.exchanges.values_mut() {
            exchange.request = exchange.request.clone().with("host", "www.example");
        }
        test
    };
    let tests = tests.into_iter().map(|(name, test)| (name, at_example(test))).collect();
    let failures = failures(tests, from_store);
    assert!(failures.is_empty(), "{failures:#?}");
}
