//! The server keeps what it is given, and its faults are those that are planned.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use super::{Cut, Fault, FaultyServer, Guard, Plan, Relay};
use crate::cli::input::run;
use crate::http_server::{Answer, HttpServer};
use crate::servers::http::{Answered, Question};

const TRIPLES: &str = "<urn:s> <urn:p> \"1\" .\n<urn:s> <urn:p> \"2\" .\n";
const UPDATE: &str = "MOVE <urn:g> TO <urn:h>";

fn ask(port: u16, method: &str, target: &str, media_type: &str, body: &str) -> std::io::Result<Answered> {
    let fields = [("Content-Type", media_type), ("Accept", "*/*")];
    Question { method, target, fields: &fields, body }.ask(port, None)
}

fn put(port: u16) -> u16 {
    let answered = ask(port, "PUT", "/ds/data?graph=urn%3Ag", "application/n-triples", TRIPLES);
    answered.map_or(0, |answered| answered.status)
}

/// The lines of a text in their order, whatever order a server gives them in.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn it_keeps_graphs_and_answers_questions() {
    let server = FaultyServer::start();
    let port = server.http().port();
    assert_eq!(put(port), 201);
    assert_eq!(put(port), 200);
    assert_eq!(
        ask(port, "POST", "/ds/update", "application/sparql-update", UPDATE).map(|a| a.status).ok(),
        Some(204)
    );
    assert_eq!(server.graph("urn:h"), TRIPLES.lines().collect::<Vec<_>>());
    assert!(server.graph("urn:g").is_empty());
    assert_eq!(server.store().len().ok(), Some(2));
    let target = "/ds/sparql?query=SELECT%20(COUNT(*)+AS+%3Fn)%7B%3Fs+%3Fp+%3Fo%7D";
    let count =
        |more: &str| ask(port, "GET", &format!("{target}{more}"), "", "").map(|a| a.body).unwrap_or_default();
    assert!(count("").contains("\"value\":\"0\""), "{}", count(""));
    assert!(count("&default-graph-uri=urn:x-arq:UnionGraph").contains("\"value\":\"2\""));
    assert_eq!(ask(port, "GET", "/ds/data?graph=urn:g", "", "").map(|a| a.status).ok(), Some(404));
    let given = ask(port, "GET", "/ds/data?graph=urn:h", "", "").map(|a| a.body).unwrap_or_default();
    assert_eq!(sorted(&given), sorted(TRIPLES));
    assert_eq!(ask(port, "DELETE", "/other", "", "").map(|a| a.status).ok(), Some(404));
}

#[test]
fn it_stands_for_servers_of_several_kinds() {
    let server = FaultyServer::start();
    let port = server.http().port();
    let status = |method: &str, target: &str, media_type: &str, body: &str| {
        ask(port, method, target, media_type, body).map(|answered| answered.status).ok()
    };
    let graph = "/repositories/ds/rdf-graphs/service?graph=urn:g";
    assert_eq!(status("PUT", graph, "application/n-triples", TRIPLES), Some(201));
    let read = |target: &str| ask(port, "GET", target, "", "").map(|a| a.body).unwrap_or_default();
    assert_eq!(sorted(&read("/repositories/ds/statements?context=%3Curn:g%3E")), sorted(TRIPLES));
    assert_eq!(status("GET", "/repositories/ds/statements?context=%3Curn:h%3E", "", ""), Some(200));
    assert_eq!(status("GET", "/sparql-graph-crud?graph=urn:h", "", ""), Some(404));
    assert!(read("/sparql?query=ASK{<urn:s>+<urn:p>+%222%22}").contains("true"));
    assert_eq!(status("PUT", "/repositories/ds", "text/turtle", ""), Some(409));
    server.plan(Plan::of("POST /sparql", Fault::Stops(1)));
    let form = "update=COPY+<urn:g>+TO+<urn:h>+;%0ADROP+GRAPH+<urn:g>";
    assert_eq!(status("POST", "/sparql", "application/x-www-form-urlencoded", form), Some(0));
    assert_eq!(["urn:g", "urn:h"].map(|name| server.graph(name).len()), [2, 2]);
}

#[test]
fn its_faults_are_those_that_are_planned() {
    let server = FaultyServer::start();
    let port = server.http().port();
    server.plan(Plan::of("PUT /ds", Fault::Refuses(Answer::status(413, "too much"))).after(1).times(1));
    assert_eq!([put(port), put(port), put(port)], [201, 413, 200]);
    assert_eq!(server.played(), 1);
    server.heal();
    for (fault, status) in
        [(Fault::Leaves(10), 0), (Fault::Forgets, 0), (Fault::Instead(Answer::status(503, "later")), 503)]
    {
        server.plan(Plan::of("PUT", fault.clone()));
        assert_eq!(put(port), status, "{fault:?}");
        server.heal();
    }
    let get = || ask(port, "GET", "/ds/data?graph=urn:g", "", "").map(|a| a.body).unwrap_or_default();
    for fault in [Fault::Cuts(7), Fault::CutsChunks, Fault::Understates(5)] {
        server.plan(Plan::of("GET", fault.clone()));
        assert_eq!(sorted(&get()) == sorted(TRIPLES), matches!(fault, Fault::Understates(_)), "{fault:?}");
        server.heal();
    }
    server.plan(Plan::of("GET", Fault::Stalls(3)));
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    write!(stream, "GET /ds/data?graph=urn:g HTTP/1.1\r\n\r\n").expect("it reads");
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n<ur") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("it has not stopped yet");
        bytes.extend_from_slice(&byte);
    }
}

#[test]
fn its_door_is_shut_to_those_who_do_not_say_who_they_are() {
    let server = FaultyServer::guarded(Guard::Digest("ada", "secret"));
    let question = Question { method: "GET", target: "/ds/data", fields: &[], body: "" };
    let status = |login| question.ask(server.http().port(), login).map(|a| a.status).ok();
    assert_eq!(status(None), Some(401));
    assert_eq!(status(Some(["ada", "wrong"])), Some(401));
    assert_eq!(status(Some(["ada", "secret"])), Some(200));
    let server = FaultyServer::guarded(Guard::Field("Bearer token", "Bearer"));
    assert_eq!(question.ask(server.http().port(), None).map(|a| a.status).ok(), Some(401));
    let fields = [("Authorization", "Bearer token")];
    let question = Question { fields: &fields, ..question };
    assert_eq!(question.ask(server.http().port(), None).map(|a| a.status).ok(), Some(200));
}

#[test]
fn a_relay_passes_on_and_cuts() {
    let server = FaultyServer::start();
    let relay = Relay::start(server.http().port(), Cut::Never);
    assert_eq!(put(relay.port()), 201);
    for (cut, status) in [(Cut::Asked(150), 0), (Cut::Answered(5), 0), (Cut::Never, 200)] {
        relay.cut(cut);
        assert_eq!(put(relay.port()), status, "{cut:?}");
    }
    assert_eq!(relay.connections(), 4);
    let mut stream = TcpStream::connect(("127.0.0.1", relay.port())).expect("it listens");
    let asked = "CONNECT elsewhere.test:80 HTTP/1.1\r\n\r\nGET /ds/data?graph=urn:g HTTP/1.1\r\nConnection: close\r\n\r\n";
    stream.write_all(asked.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is whole");
    let body = answer.split("\r\n\r\n").nth(2).unwrap_or_default();
    assert_eq!(sorted(body), sorted(TRIPLES), "{answer}");
    assert_eq!(relay.named(), ["elsewhere.test:80"]);
}

#[test]
fn its_certificate_is_not_trusted_by_those_who_do_not_know_its_root() {
    let server = HttpServer::start_tls(|_: &_| Answer::ok("text/turtle", ""));
    let arguments = ["to-rdf", &server.url("/"), "--net", "--net-allow", "loopback"];
    let (status, _, stderr) = run(Path::new("."), &arguments);
    assert_eq!(status, 2);
    assert!(stderr.contains("UnknownIssuer"), "{stderr}");
}
