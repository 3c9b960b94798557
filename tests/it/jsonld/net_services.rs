//! SERVICE and LOAD over the network: the request, both formats of answers, what is not an answer, limits.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::http_server::{Answer, HttpServer, Request};

const JSON: &str = r#"{ "head": { "vars": ["q", "v"] }, "results": { "bindings": [
    { "q": { "type": "uri", "value": "urn:q:1" }, "v": { "type": "bnode", "value": "b1" } } ] } }"#;

const XML: &str = r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="q"/><variable name="v"/></head>
<results><result><binding name="q"><uri>urn:q:1</uri></binding><binding name="v"><literal>x</literal></binding></result></results></sparql>"#;

const ALLOWED: [&str; 3] = ["--net", "--net-allow", "http,loopback"];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:q:1> <urn:p> 1 , 2 .").expect("the folder is ours");
    folder
}

fn ask(folder: &Path, query: &str, more: &[&str]) -> (i32, String, String) {
    run(folder, &[&["query", "a.ttl", "-q", query], &ALLOWED[..], more].concat())
}

fn server() -> HttpServer {
    HttpServer::start(|request: &Request| match request.path.split('?').next() {
        Some("/json") => Answer::ok("application/sparql-results+json", JSON),
        Some("/xml") => Answer::ok("application/sparql-results+xml; charset=utf-8", XML),
        Some("/text") => Answer::ok("text/plain", "no results"),
        Some("/ask") => Answer::ok("application/sparql-results+json", r#"{"head":{},"boolean":true}"#),
        Some("/turtle") => Answer::ok("text/turtle", "<urn:x> <urn:p> 3 ."),
        Some("/endless") => Answer::Endless(b"HTTP/1.1 200 OK\r\n\r\n{".to_vec(), vec![b' '; 4096]),
        _ => Answer::not_found(),
    })
}

#[test]
fn a_service_is_asked_by_the_protocol() {
    let (folder, server) = (folder(), server());
    let query = |path: &str| {
        format!("SELECT ?q ?v {{ ?q <urn:p> ?n SERVICE <{}> {{ ?q <urn:v> ?v }} }}", server.url(path))
    };
    let (status, stdout, stderr) = ask(folder.path(), &query("/xml"), &[]);
    assert_eq!((status, stdout.as_str()), (0, "q,v\r\nurn:q:1,x\r\nurn:q:1,x\r\n"), "{stderr}");
    let request = &server.requests()[0];
    assert_eq!(
        request.path,
        "/xml?query=SELECT%20%3Fq%20%3Fv%20WHERE%20%7B%20%3Fq%20%3Curn%3Av%3E%20%3Fv%20.%20%7D"
    );
    let accept = request.field("accept").expect("a field `Accept`");
    assert!(accept.starts_with("application/sparql-results+json"), "{accept}");
    let (status, stdout, stderr) = ask(folder.path(), &format!("{} LIMIT 1", query("/json")), &[]);
    assert_eq!((status, stdout.lines().count()), (0, 2), "{stderr}");
    let found =
        ask(folder.path(), &query("/json").replace("?q ?v {", "(COUNT(?x) AS ?n) { ?v ?any ?x ."), &[]);
    assert_eq!(found.1, "n\r\n0\r\n", "a blank node of an answer is none of the data: {}", found.2);
}

#[test]
fn what_is_no_answer_is_an_error_or_silent() {
    let (folder, server) = (folder(), server());
    for path in ["/none", "/text", "/ask", "/endless"] {
        let query = format!("SELECT ?v {{ SERVICE <{}> {{ ?q <urn:v> ?v }} }}", server.url(path));
        let (status, stdout, stderr) = ask(folder.path(), &query, &["--max-size", "64KiB"]);
        assert_eq!(status, 2, "{path}: {stdout}");
        assert!(stderr.contains("sparql::service") && stderr.contains(path), "{path}: {stderr}");
        let silent = query.replace("SERVICE", "SERVICE SILENT");
        assert_eq!(ask(folder.path(), &silent, &["--max-size", "64KiB"]).0, 0, "{path}");
    }
    let query = "SELECT ?v { SERVICE <http://192.168.0.1/> { ?q <urn:v> ?v } }";
    let (status, _, stderr) = ask(folder.path(), query, &[]);
    assert_eq!(status, 2);
    assert!(stderr.contains("which is not allowed"), "{stderr}");
}

#[test]
fn a_document_is_loaded_from_the_network() {
    let (folder, server) = (folder(), server());
    let update = format!("LOAD <{}> INTO GRAPH <urn:g>", server.url("/turtle"));
    let arguments = [&["update", "a.ttl", "-q", update.as_str()], &ALLOWED[..]].concat();
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stdout.contains("<urn:x> <urn:p> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> ."),
        "{stdout}"
    );
}
