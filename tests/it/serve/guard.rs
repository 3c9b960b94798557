//! Whom the server answers, and the limits of a request.

use super::client::{Ask, all_replies, ask, get, query, send_raw};
use super::served::{Served, store_of};

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

/// One request for each way to change data, with the methods that a page may use for it.
fn changes() -> Vec<(&'static str, &'static str, Ask)> {
    let graph = "/store?graph=urn:x:g";
    let turtle = |method| ask(method, graph).body("text/turtle", "<urn:x:s> <urn:x:p> 1 .");
    let update = "INSERT DATA { <urn:x:s> <urn:x:p> 2 }";
    vec![
        ("POST", "/update", ask("POST", "/update").body("application/sparql-update", update)),
        (
            "POST",
            "/update",
            ask("POST", "/update").body("application/x-www-form-urlencoded", "update=CLEAR+ALL"),
        ),
        ("PUT", graph, turtle("PUT")),
        ("POST", graph, turtle("POST")),
        ("POST", "/store", ask("POST", "/store").body("text/turtle", "<urn:x:s> <urn:x:p> 3 .")),
        ("DELETE", "/store?default", ask("DELETE", "/store?default")),
        ("POST", "/api/change", ask("POST", "/api/change").body("application/json", "{}")),
    ]
}

#[test]
fn a_page_of_an_allowed_server_changes_data_only_with_the_token_that_its_script_shows() {
    const BEARER: &str = "Bearer correct-horse-battery";
    let folder = store_of(&[]);
    std::fs::write(folder.path().join("token"), "correct-horse-battery\n").expect("the folder is ours");
    let free = ["--write", "--no-token"];
    let with_token = ["--write", "--token-file", "token"];
    let password = "Basic YTpjb3JyZWN0LWhvcnNlLWJhdHRlcnk=";
    for allowed in ["*", "https://app.example"] {
        for (options, shown, is_refused) in [
            (&[][..], None, true),
            (&free[..], None, true),
            (&free[..], Some(BEARER), true),
            (&with_token[..], Some(password), true),
            (&with_token[..], Some(BEARER), false),
        ] {
            let served = Served::start(folder.path(), &[options, &["--allow-origin", allowed]].concat());
            for (method, target, change) in changes() {
                let told = format!("{options:?} {allowed} {shown:?}: {method} {target}");
                let from_page = |request: Ask| {
                    let request = request.with("origin", "https://app.example");
                    served.send(&match shown {
                        Some(shown) => request.with("authorization", shown),
                        None => request,
                    })
                };
                let status = from_page(change).status;
                assert_eq!(status == 403, is_refused, "{told}: {status}");
                let preflight = ask("OPTIONS", target)
                    .with("origin", "https://app.example")
                    .with("access-control-request-method", method);
                let preflight = served.send(&preflight);
                let is_usable = preflight
                    .header("access-control-allow-methods")
                    .is_some_and(|methods| methods.split(", ").any(|usable| usable == method));
                let may_ask_with_token = options == with_token;
                assert_eq!(
                    (preflight.status == 204, is_usable),
                    (may_ask_with_token, may_ask_with_token),
                    "{told}"
                );
            }
            let from_page = query("ASK {}").with("origin", "https://app.example");
            assert_eq!(served.send(&from_page).status, 200);
        }
    }
}

#[test]
fn a_page_of_the_server_changes_data_whatever_is_allowed() {
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &["--write", "--no-token", "--allow-origin", "*"]);
    let own = format!("http://{}", served.address);
    let change =
        ask("POST", "/update").body("application/sparql-update", "INSERT DATA { <urn:x:s> <urn:x:p> 1 }");
    assert_eq!(served.send(&change.clone().with("origin", &own)).status, 204);
    assert_eq!(served.send(&change).status, 204);
    assert_eq!(served.send(&change.with("origin", "null")).status, 403);
}
