//! Certificates: those that are not trusted, files that are none, and connections that break off within TLS.

use std::path::PathBuf;

use evalgraph::net::{HttpClientOptions, HttpMethod};

use super::{GRAPH, ask, options, told};
use crate::faulty_server::{Cut, Fault, FaultyServer, Plan, Relay};
use crate::http_server::{Answer, HttpServer};

fn trusting() -> HttpClientOptions {
    HttpClientOptions { ca: Some(HttpServer::root_of_trust()), ..options() }
}

#[test]
fn a_server_is_trusted_by_those_who_know_its_root() {
    let server = FaultyServer::start_tls();
    let url = server.http().url(GRAPH);
    assert_eq!(ask(trusting(), HttpMethod::Put, &url).map(|answer| answer.status).ok(), Some(201));
    let unknown = told(ask(options(), HttpMethod::Put, &url), &server);
    insta::assert_snapshot!(unknown, @r"
    server::certificate: no secure connection to `127.0.0.1:PORT`: invalid peer certificate: UnknownIssuer
      name the file of the authority that issued it with `ca`
    ");
}

#[test]
fn a_file_of_certificates_that_is_none_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |name: &str, text: &str| {
        let file = folder.path().join(name);
        if !text.is_empty() {
            std::fs::write(&file, text).expect("the folder is ours");
        }
        let options = HttpClientOptions { ca: Some(file), ..options() };
        let fault = ask(options, HttpMethod::Get, "https://127.0.0.1/").expect_err("no certificates");
        format!("{}: {}", fault.code, fault.message).replace(&folder.path().display().to_string(), "FOLDER")
    };
    let key =
        std::fs::read_to_string(HttpServer::root_of_trust().with_file_name("localhost.key")).expect("a key");
    let broken = "-----BEGIN CERTIFICATE-----\nMIIB*\n-----END CERTIFICATE-----\n";
    let texts = [text("none", ""), text("no-pem", "certificate"), text("key", &key), text("broken", broken)];
    insta::assert_snapshot!(texts.join("\n"));
    let options = HttpClientOptions { ca: Some(PathBuf::from("/")), ..options() };
    assert!(ask(options, HttpMethod::Get, "https://127.0.0.1/").is_err());
}

#[test]
fn a_connection_that_breaks_off_within_tls_is_not_a_matter_of_certificates() {
    let server = FaultyServer::start_tls();
    let url = server.http().url(GRAPH);
    assert!(ask(trusting(), HttpMethod::Put, &url).is_ok());
    let mut texts = Vec::new();
    for fault in [Fault::Forgets, Fault::Cuts(5), Fault::Instead(Answer::Silence)] {
        server.plan(Plan::of("GET", fault));
        texts.push(told(ask(trusting(), HttpMethod::Get, &url), &server));
        server.heal();
    }
    // The greeting of TLS has more than a thousand bytes.
    let relay = Relay::start(server.http().port(), Cut::Answered(500));
    let through = url.replace(&server.http().port().to_string(), &relay.port().to_string());
    let text = told(ask(trusting(), HttpMethod::Get, &through), &server);
    texts.push(text.replace(&relay.port().to_string(), "RELAY"));
    insta::assert_snapshot!(texts.join("\n"));
}
