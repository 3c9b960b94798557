//! What is sent again, how often, and after which pauses.

use std::time::Duration;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::net::{ClientRequest, HttpClient, HttpMethod, RequestPayload};

use super::{GRAPH, TRIPLES, ask, options, server};
use crate::faulty_server::{Fault, Plan};
use crate::http_server::Answer;

#[test]
fn a_fault_that_passes_is_none() {
    let fault = |status: u16| Fault::Instead(Answer::status(status, ""));
    for fault in [fault(429), fault(500), fault(503), Fault::Leaves(3), Fault::Forgets] {
        let server = server();
        server.plan(Plan::of("PUT", fault.clone()).times(2));
        let put = ask(options(), HttpMethod::Put, &server.http().url(GRAPH)).map(|answer| answer.status);
        assert_eq!((put.ok(), server.played()), (Some(200), 2), "{fault:?}");
        server.heal();
        server.plan(Plan::of("PUT", fault.clone()).times(3));
        assert!(ask(options(), HttpMethod::Put, &server.http().url(GRAPH)).is_err(), "{fault:?}");
    }
}

#[test]
fn what_may_not_be_sent_twice_is_sent_again_only_if_nothing_was_done() {
    for (fault, tries) in [
        (Fault::Instead(Answer::status(500, "")), 1),
        (Fault::Forgets, 1),
        (Fault::Instead(Answer::status(429, "")), 3),
    ] {
        let server = server();
        let before = server.http().requests().len();
        server.plan(Plan::of("POST", fault.clone()));
        let question = ClientRequest {
            method: HttpMethod::Post,
            url: &server.http().url(GRAPH),
            fields: &[("content-type", "application/n-triples")],
            body: RequestPayload::Bytes(TRIPLES.as_bytes()),
            repeats: false,
            accepts: &[],
        };
        assert!(HttpClient::new(options()).and_then(|client| client.ask(&question)).is_err());
        assert_eq!(server.http().requests().len() - before, tries, "{fault:?}");
    }
}

#[test]
fn a_server_that_wants_a_pause_gets_it_or_a_person_is_told() {
    let server = server();
    let busy = |seconds: &str| Fault::Instead(Answer::status(503, "").with("Retry-After", seconds));
    server.plan(Plan::of("GET", busy("1")).times(1));
    assert!(ask(options(), HttpMethod::Get, &server.http().url(GRAPH)).is_ok());
    server.heal();
    server.plan(Plan::of("GET", busy("3600")));
    let fault = ask(options(), HttpMethod::Get, &server.http().url(GRAPH)).expect_err("it is busy");
    assert_eq!(server.played(), 1);
    assert_eq!(fault.help[0].to_string(), "the server wants a pause of 3600 seconds");
}

#[test]
fn a_pause_ends_when_the_work_is_cancelled() {
    let server = server();
    let busy = Answer::status(429, "").with("Retry-After", "100");
    server.plan(Plan::of("GET", Fault::Instead(busy)));
    let options = options();
    let cancellation = options.cancellation.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        cancellation.cancel(Diagnostic::error("test", "enough"));
    });
    let fault = ask(options, HttpMethod::Get, &server.http().url(GRAPH)).expect_err("it is cancelled");
    assert_eq!((server.played(), &*fault.message), (1, "enough"));
    thread.join().expect("it only sleeps");
}
