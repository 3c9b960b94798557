//! Redirects: where they are followed, and what goes with them.

use evalgraph::net::{Credentials, HttpClientOptions, HttpMethod, NetAllow, SecretText};

use super::{GRAPH, ask, options, server, told};
use crate::faulty_server::{Fault, FaultyServer, Plan};
use crate::http_server::{Answer, HttpServer};

/// Redirects all requests for `/from`.
fn redirecting(server: &FaultyServer, status: u16, to: &str) {
    server.heal();
    server.plan(Plan::of("/from", Fault::Instead(Answer::redirect(status, to))));
}

#[test]
fn redirects_within_a_server_are_followed_with_what_is_sent() {
    let server = server();
    let from = server.http().url("/from");
    for (status, method) in
        [(301, HttpMethod::Get), (303, HttpMethod::Get), (307, HttpMethod::Put), (308, HttpMethod::Put)]
    {
        redirecting(&server, status, GRAPH);
        assert!(ask(options(), method, &from).is_ok(), "{status}");
    }
    redirecting(&server, 302, GRAPH);
    let lost = told(ask(options(), HttpMethod::Put, &from), &server);
    redirecting(&server, 302, "/from");
    let endless = told(ask(options(), HttpMethod::Get, &from), &server);
    redirecting(&server, 302, "ftp://127.0.0.1/");
    let other = told(ask(options(), HttpMethod::Get, &from), &server);
    redirecting(&server, 302, "http://ada:secret@127.0.0.1/");
    let user = told(ask(options(), HttpMethod::Get, &from), &server);
    insta::assert_snapshot!([lost, endless, other, user].join("\n"));
}

#[test]
fn redirects_to_other_servers_are_followed_where_that_is_allowed_and_nobody_is_named() {
    let server = server();
    let other = HttpServer::start(|_: &_| Answer::ok("text/plain", "other"));
    let from = server.http().url("/from");
    redirecting(&server, 307, &other.url("/to"));
    let said = |options, method| {
        told(ask(options, method, &from), &server).replace(&other.port().to_string(), "OTHER")
    };
    let credentials = Some(Credentials::Token(SecretText::new("token")));
    let allow = NetAllow { http: true, loopback: true, private: false };
    let follows = HttpClientOptions { credentials, follows: true, allow, ..options() };
    let forbids = HttpClientOptions { allow: NetAllow::default(), ..follows.clone() };
    let said = [
        said(options(), HttpMethod::Get),
        said(follows.clone(), HttpMethod::Put),
        said(forbids, HttpMethod::Get),
        said(follows, HttpMethod::Get),
    ];
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(other.connections(), 1);
    assert_eq!(other.requests()[0].field("authorization"), None);
    let named = server.http().requests();
    assert!(named.iter().any(|request| request.field("authorization") == Some("Bearer token")));
}

#[test]
fn a_redirect_from_https_to_http_is_one_to_another_server() {
    let server = FaultyServer::start_tls();
    let ca = Some(HttpServer::root_of_trust());
    let there = server.http().url(GRAPH).replace("https:", "http:");
    redirecting(&server, 301, &there);
    let asked = ask(HttpClientOptions { ca, ..options() }, HttpMethod::Get, &server.http().url("/from"));
    insta::assert_snapshot!(told(asked, &server));
}
