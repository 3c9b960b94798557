//! Connections that break off, hang, or bring what is not an answer.

use std::io::Read;
use std::net::TcpListener;

use evalgraph::net::{ClientRequest, HttpClient, HttpMethod, RequestPayload, fault_of};

use super::{GRAPH, ask, options, server, told};
use crate::faulty_server::{Cut, Fault, Plan, Relay};
use crate::http_server::{Answer, HttpServer};

/// The text for a fault, with the number of requests.
fn text(method: HttpMethod, fault: Fault) -> String {
    let server = server();
    let before = server.http().requests().len();
    server.plan(Plan::of(GRAPH, fault));
    let text = told(ask(options(), method, &server.http().url(GRAPH)), &server);
    format!("{} x {text}", server.http().requests().len() - before)
}

#[test]
fn each_way_to_break_off_has_its_words() {
    let raw = |text: &str| Fault::Instead(Answer::Raw(text.as_bytes().to_vec()));
    let texts = [
        text(HttpMethod::Put, Fault::Leaves(0)),
        text(HttpMethod::Put, Fault::Leaves(10)),
        text(HttpMethod::Put, Fault::Forgets),
        text(HttpMethod::Get, Fault::Forgets),
        text(HttpMethod::Get, Fault::Cuts(10)),
        text(HttpMethod::Get, Fault::CutsChunks),
        text(HttpMethod::Get, Fault::Understates(5)),
        text(HttpMethod::Get, Fault::Stalls(10)),
        text(HttpMethod::Get, Fault::Instead(Answer::Silence)),
        text(HttpMethod::Put, Fault::Instead(Answer::Silence)),
        text(HttpMethod::Get, Fault::Instead(Answer::Stalled(b"HTTP/1.1 200 OK\r\nCont".to_vec()))),
        text(HttpMethod::Get, raw("HTTP/1.1 200 OK\r\nCont")),
        text(HttpMethod::Get, raw("SSH-2.0-OpenSSH_9.2\r\n")),
        text(HttpMethod::Get, raw("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n12")),
        text(HttpMethod::Get, raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk")),
        text(
            HttpMethod::Get,
            raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\nno gzip"),
        ),
        text(HttpMethod::Get, raw("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nno")),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn servers_that_are_not_there_have_their_words() {
    let server = server();
    let closed = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let closed = format!("http://{}/", closed.expect("loopback has a free port"));
    let of = |url: &str| told(ask(options(), HttpMethod::Get, url), &server);
    insta::assert_snapshot!(
        of(&closed).replace(closed.trim_matches(|c: char| !c.is_ascii_digit()), "CLOSED")
    );
    let texts =
        ["http://nowhere.invalid/", "https://127.0.0.1:1/", "nowhere", "ftp://127.0.0.1/", "http:///x"];
    insta::assert_snapshot!(texts.map(of).join("\n"));
    insta::assert_snapshot!(of(&server.http().url(GRAPH).replace("http:", "https:")));
}

#[test]
fn a_gzip_answer_that_is_cut_is_an_error_and_a_whole_one_is_none() {
    let whole = super::gzip(&"<urn:s> <urn:p> <urn:o> .\n".repeat(1000));
    for cut in [whole.len(), whole.len() - 1, whole.len() / 2, 5] {
        let bytes = whole[..cut].to_vec();
        let server = HttpServer::start(move |_: &_| {
            Answer::Raw([b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &bytes[..]].concat())
        });
        let answer =
            ask(options(), HttpMethod::Get, &server.url("/")).and_then(|answer| answer.bytes(1 << 20));
        assert_eq!(answer.is_ok(), cut == whole.len(), "{cut}");
    }
}

#[test]
fn a_body_that_stops_gives_what_it_had_and_then_the_fault() {
    let server = server();
    server.plan(Plan::of("GET", Fault::Cuts(10)));
    let answer = ask(options(), HttpMethod::Get, &server.http().url(GRAPH)).expect("a head");
    let (mut reader, mut read) = (answer.reader(), Vec::new());
    let fault = fault_of(reader.read_to_end(&mut read).expect_err("the body is cut"));
    assert_eq!((read.len(), &*fault.code), (10, "server::broke-off"));
}

#[test]
fn a_stream_is_made_anew_for_each_try() {
    let server = server();
    let relay = Relay::start(server.http().port(), Cut::Asked(100_000));
    let body = super::TRIPLES.repeat(10_000);
    let make = || Box::new(body.as_bytes()) as Box<dyn Read>;
    let url = format!("http://127.0.0.1:{}{GRAPH}", relay.port());
    let fields = [("content-type", "application/n-triples")];
    let question = ClientRequest {
        method: HttpMethod::Put,
        url: &url,
        fields: &fields,
        body: RequestPayload::Stream(&make),
        repeats: true,
        accepts: &[],
    };
    let client = HttpClient::new(options()).expect("no proxy");
    let fault = client.ask(&question).expect_err("it is cut");
    assert_eq!((&*fault.code, relay.connections()), ("server::broke-off", 3));
    relay.cut(Cut::Never);
    assert_eq!(client.ask(&question).map(|answer| answer.status).ok(), Some(200));
}
