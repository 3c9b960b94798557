//! Whom the server answers, and the limits of a request.

use super::client::{all_replies, ask, get, query, send_raw};
use super::served::Served;

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

#[test]
fn a_name_that_was_made_to_lead_here_is_refused() {
    let served = Served::fixtures(&[PHYSICS, "--host", "data.example"]);
    for (host, status) in
        [("localhost", 200), ("127.0.0.1:1", 200), ("data.example", 200), ("evil.example", 421), ("", 421)]
    {
        assert_eq!(served.send(&query("ASK {}").with("host", host)).status, status, "{host}");
    }
    let none = send_raw(served.address, b"GET /health HTTP/1.1\r\n\r\n").expect("it is answered");
    assert_eq!(none.status, 400);
}

#[test]
fn no_page_from_elsewhere_reads_an_answer_or_runs_in_it() {
    let served = Served::fixtures(&[PHYSICS]);
    let reply = served.send(&query("ASK {}").with("origin", "http://evil.example"));
    assert_eq!(reply.header("access-control-allow-origin"), None);
    let policy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";
    assert_eq!(reply.header("content-security-policy"), Some(policy));
    assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    let preflight = ask("OPTIONS", "/query").with("origin", "http://evil.example");
    assert_eq!(served.send(&preflight).header("access-control-allow-origin"), None);
}

#[test]
fn a_request_has_limits() {
    let served = Served::fixtures(&[PHYSICS, "--max-body", "1MiB"]);
    let long = "x".repeat(1 << 20);
    let url = get(&format!("/query?query={long}")).bytes(served.address);
    let refused = send_raw(served.address, &url).expect("it is answered");
    assert!([414, 431].contains(&refused.status), "{}", refused.status);
    let header = query("ASK {}").with("x-long", &long).bytes(served.address);
    assert_eq!(send_raw(served.address, &header).expect("it is answered").status, 431);
    let mut many = query("ASK {}");
    for number in 0..200 {
        many = many.with(&format!("x-{number}"), "y");
    }
    assert_eq!(served.send(&many).status, 431);
    let direct = ask("POST", "/query").body("application/sparql-query", "#".repeat((1 << 20) + 1));
    assert_eq!(served.send(&direct).status, 413);
    // A length alone is enough to refuse it.
    let said =
        ask("POST", "/query").body("application/sparql-query", "").with("content-length", "2147483648");
    assert_eq!(served.send(&said).status, 413);
    let chunk = format!("100000\r\n{}\r\n", "#".repeat(1 << 20));
    let chunked = ask("POST", "/query").with("content-type", "application/sparql-query");
    let mut chunked = chunked.with("transfer-encoding", "chunked").bytes(served.address);
    chunked.extend(format!("{chunk}{chunk}0\r\n\r\n").bytes());
    assert_eq!(send_raw(served.address, &chunked).expect("it is answered").status, 413);
    let bomb = zstd::encode_all(&*vec![b'#'; 64 << 20], 1).expect("a vector takes everything");
    let bomb = ask("POST", "/query").body("application/sparql-query", bomb).with("content-encoding", "zstd");
    assert_eq!(served.send(&bomb).status, 413);
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

#[test]
fn a_body_with_two_ends_hides_no_second_request() {
    let served = Served::fixtures(&[PHYSICS]);
    let head = "POST /query HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/sparql-query\r\n";
    for (framing, body) in [
        ("content-length: 6\r\ntransfer-encoding: chunked\r\n", "6\r\nASK {}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked\r\ncontent-length: 6\r\n", "6\r\nASK {}\r\n0\r\n\r\n"),
        ("content-length: 6\r\ncontent-length: 7\r\n", "ASK {} "),
        ("transfer-encoding: xchunked\r\n", "6\r\nASK {}\r\n0\r\n\r\n"),
        ("transfer-encoding : chunked\r\n", "6\r\nASK {}\r\n0\r\n\r\n"),
        ("content-length: +6\r\n", "ASK {}"),
        ("transfer-encoding: chunked\r\n", "6x\r\nASK {}\r\n0\r\n\r\n"),
    ] {
        let bytes = format!(
            "{head}{framing}\r\n{body}GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        );
        let replies = all_replies(served.address, bytes.as_bytes());
        assert!(replies.matches("HTTP/1.1 ").count() <= 1, "{framing:?}: {replies}");
    }
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}
