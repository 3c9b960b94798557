//! Statuses that are faults, each with its code and the server's own words.

use evalgraph::net::HttpMethod;

use super::{GRAPH, ask, options, server, told};
use crate::faulty_server::{Fault, Plan};
use crate::http_server::Answer;

/// The texts for all statuses, with the number of requests.
fn texts(method: HttpMethod, answers: Vec<Answer>) -> String {
    let server = server();
    let texts = answers.into_iter().map(|answer| {
        let before = server.http().requests().len();
        server.plan(Plan::of(GRAPH, Fault::Instead(answer)));
        let text = told(ask(options(), method, &server.http().url(GRAPH)), &server);
        server.heal();
        format!("{} x {text}", server.http().requests().len() - before)
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_status_has_its_words() {
    let html = Answer::status(502, "").with("Content-Type", "text/html");
    let json = Answer::Whole {
        status: 400,
        fields: vec![("Content-Type", "application/json".to_owned())],
        body: b"{ \"error\" : \"line 3\" }".to_vec(),
    };
    let answers = vec![
        Answer::status(400, "Parse error:\n\n  line 1, column 7"),
        json,
        Answer::status(401, ""),
        Answer::status(403, "read only"),
        Answer::not_found(),
        Answer::status(405, ""),
        Answer::status(410, ""),
        Answer::status(413, "at most 1 MB"),
        Answer::status(415, &"long ".repeat(100)),
        Answer::status(429, ""),
        Answer::status(500, "java.lang.NullPointerException"),
        Answer::status(501, ""),
        html,
        Answer::status(503, "restarting").with("Retry-After", "0"),
        Answer::status(504, ""),
        Answer::status(507, ""),
        Answer::status(304, ""),
        Answer::status(600, ""),
    ];
    insta::assert_snapshot!(texts(HttpMethod::Put, answers));
}

#[test]
fn what_was_refused_is_not_there() {
    let server = super::FaultyServer::start();
    server.plan(Plan::of("PUT", Fault::Instead(Answer::status(403, ""))));
    assert!(ask(options(), HttpMethod::Put, &server.http().url(GRAPH)).is_err());
    assert!(server.graph("urn:g").is_empty());
}
