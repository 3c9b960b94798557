//! The client for servers that a person has named, on bad days of the server.

mod certificates;
mod connections;
mod redirects;
mod statuses;
mod tries;

use std::io::Write;
use std::time::Duration;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::net::{
    ClientRequest, ClientResponse, HttpClient, HttpClientOptions, HttpMethod, RequestPayload,
};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::faulty_server::FaultyServer;

const GRAPH: &str = "/ds/data?graph=urn:g";
const TRIPLES: &str = "<urn:s> <urn:p> \"1\" .\n";

/// A client that has no patience.
fn options() -> HttpClientOptions {
    HttpClientOptions {
        uses_proxy: false,
        connect_timeout: Duration::from_millis(500),
        timeout: Duration::from_millis(500),
        retries: 2,
        first_pause: Duration::from_millis(1),
        ..HttpClientOptions::default()
    }
}

/// Asks for a graph, or sends one; what is sent may be sent again.
fn ask(options: HttpClientOptions, method: HttpMethod, url: &str) -> Result<ClientResponse, Box<Diagnostic>> {
    let body = if method == HttpMethod::Get {
        RequestPayload::Nothing
    } else {
        RequestPayload::Bytes(TRIPLES.as_bytes())
    };
    let fields = [("content-type", "application/n-triples")];
    let question = ClientRequest { method, url, fields: &fields, body, repeats: true, accepts: &[] };
    HttpClient::new(options)?.ask(&question)
}

/// A text in gzip.
fn gzip(text: &str) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(text.as_bytes()).and_then(|()| writer.finish()).expect("memory takes all")
}

/// A server with one graph.
fn server() -> FaultyServer {
    let server = FaultyServer::start();
    let put = ask(options(), HttpMethod::Put, &server.http().url(GRAPH)).map(|answer| answer.status);
    assert_eq!(put.ok(), Some(201));
    server
}

/// The answer as a person is told of it: status and length, or code, message and help.
fn told(answer: Result<ClientResponse, Box<Diagnostic>>, server: &FaultyServer) -> String {
    let answer = answer.and_then(|answer| {
        let status = answer.status;
        answer.bytes(1 << 20).map(|body| format!("{status}, {} bytes", body.len()))
    });
    let told = answer.unwrap_or_else(|fault| {
        let help: Vec<String> = fault.help.iter().map(|help| format!("\n  {help}")).collect();
        format!("{}: {}{}", fault.code, fault.message, help.concat())
    });
    told.replace(&server.http().port().to_string(), "PORT")
}
