//! Clients that mean no good: they are refused or let go, nothing is read or written, and the server lives.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::client::{PATIENCE, all_replies, ask, connect, get, query, send_raw};
use super::served::{Served, store_of, wait_until};

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

fn lives(served: &Served) {
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

/// Waits for the end of a connection, and returns what came.
fn to_the_end(mut connection: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset has ended, too.
    let _ = connection.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_head_and_a_body_that_do_not_come_are_not_waited_for() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "500ms"]);
    let mut silent = Vec::new();
    for beginning in ["", "GET /que", "GET /query HTTP/1.1\r\nhost: localhost\r\nx-slow: "] {
        let mut connection = connect(served.address);
        connection.write_all(beginning.as_bytes()).expect("the server reads");
        silent.push(connection);
    }
    let mut slow = connect(served.address);
    let body = ask("POST", "/query").body("application/sparql-query", "").with("content-length", "100");
    slow.write_all(&body.bytes(served.address)).expect("the server reads");
    lives(&served);
    silent.into_iter().for_each(|connection| drop(to_the_end(connection)));
    let answer = to_the_end(slow);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    lives(&served);
    wait_until(|| served.metric("connections") == 1);
}

#[test]
fn a_head_that_drips_is_not_waited_for() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "1s"]);
    let mut connection = connect(served.address);
    connection.write_all(b"GET /query HTTP/1.1\r\n").expect("the server reads");
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if connection.write_all(b"x: y\r\n").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(begin.elapsed() < PATIENCE, "it may drip for ever");
    lives(&served);
}

#[test]
fn a_client_that_takes_nothing_is_let_go() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "1s", "--timeout", "60s"]);
    let digits: String = (0..6).map(|at| format!("VALUES ?d{at} {{ 0 1 2 3 4 5 6 7 8 9 }} ")).collect();
    let request = query(&format!("SELECT * {{ {digits} }}")).bytes(served.address);
    let mut connections = Vec::new();
    for _ in 0..12 {
        let mut connection = connect(served.address);
        connection.write_all(&request).expect("the server reads");
        connections.push(connection);
    }
    wait_until(|| served.metric("connections") == 1);
    wait_until(|| served.metric("evaluations_running") == 0);
    lives(&served);
    drop(connections);
}

#[test]
#[cfg(unix)]
fn more_connections_than_files_wait_for_their_turn() {
    let program = crate::program::PATH;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = format!("ulimit -n 64 && exec {program} serve {PHYSICS} --bind 127.0.0.1:0 --idle 1s");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &script]);
    let served = Served::of(command);
    let crowd: Vec<TcpStream> = (0..200).filter_map(|_| TcpStream::connect(served.address).ok()).collect();
    assert!(crowd.len() > 64, "{}", crowd.len());
    lives(&served);
    drop(crowd);
    lives(&served);
}

#[test]
fn nonsense_is_refused() {
    let served = Served::fixtures(&[PHYSICS]);
    for nonsense in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET  /query HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /query HTTP/9.9\r\nhost: localhost\r\n\r\n",
        b"GET /query\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET /query HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n",
        b"GET /query HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n",
        b"GET http://evil.example/query?query=ASK%7B%7D HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ] {
        let reply = send_raw(served.address, nonsense);
        assert!(reply.is_none_or(|reply| reply.status >= 400), "{}", String::from_utf8_lossy(nonsense));
    }
    let deep = format!("/{}", "a/".repeat(20_000));
    assert_eq!(served.send(&get(&deep)).status, 404);
    for path in ["/..", "/query/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/query/%2e%2e%2fupdate"] {
        let status = served.send(&get(path)).status;
        assert!([400, 404].contains(&status), "{path}: {status}");
    }
    assert_eq!(served.send(&get("/%FF")).status, 400);
    lives(&served);
}

#[test]
fn a_query_built_to_overwhelm_is_refused_or_ended() {
    let served = Served::fixtures(&[PHYSICS, "--timeout", "2s"]);
    let nested = format!("ASK {}{}", "{".repeat(100_000), "}".repeat(100_000));
    let brackets = format!("ASK {{ FILTER({}1{}) }}", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("ASK {{ VALUES ?x {{ {} }} }}", "1 ".repeat(1_000_000));
    let union: String = (0..20_000).map(|at| format!("{{ ?s <urn:x:{at}> ?o }} UNION ")).collect();
    let union = format!("ASK {{ {union} {{}} }}");
    for text in [nested, brackets, long, union] {
        let reply = served.send(&ask("POST", "/query").body("application/sparql-query", text));
        assert!([200, 400, 503].contains(&reply.status), "{}: {}", reply.status, reply.text());
        lives(&served);
    }
}

#[test]
fn a_body_that_grows_is_refused() {
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &["--write", "--no-token", "--max-body", "1MiB"]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..256 {
        gzip.write_all(&[b'\n'; 1 << 20]).expect("a vector takes everything");
    }
    let bomb = gzip.finish().expect("a vector takes everything");
    let put = ask("PUT", "/store?graph=urn:x:g").body("text/turtle", bomb).with("content-encoding", "gzip");
    assert_eq!(served.send(&put).status, 413);
    // A body that goes on after it was refused.
    let head = "PUT /store?graph=urn:x:g HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut connection = connect(served.address);
    connection.write_all(head.as_bytes()).expect("the server reads");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    let mut sent = 0_u64;
    while sent < 2 << 30 && connection.write_all(chunk.as_bytes()).is_ok() {
        sent += chunk.len() as u64;
    }
    assert!(sent < 1 << 30, "it reads on and on");
    lives(&served);
    assert_eq!(served.send(&get("/store?graph=urn:x:g")).status, 404);
}

#[test]
fn a_request_that_breaks_off_changes_nothing() {
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    let whole = ask("PUT", "/store?graph=urn:x:g")
        .body("application/n-triples", "<urn:x:s> <urn:x:p> \"a text\" .\n");
    let bytes = whole.bytes(served.address);
    for end in (0..bytes.len()).step_by(7) {
        let mut connection = connect(served.address);
        connection.write_all(&bytes[..end]).expect("the server reads");
        drop(connection);
    }
    assert_eq!(served.send(&get("/store?graph=urn:x:g")).status, 404);
    assert_eq!(served.send(&whole).status, 201);
}

#[test]
fn requests_after_each_other_on_one_connection_are_answered_in_their_order() {
    let served = Served::fixtures(&[PHYSICS]);
    let one = query("ASK {}").with("connection", "keep-alive").accept("text/csv").bytes(served.address);
    let last = query("SELECT (1 AS ?x) {}").accept("text/csv").bytes(served.address);
    let all: Vec<u8> = [one.as_slice(), &one, &last].concat();
    let replies = all_replies(served.address, &all);
    assert_eq!(replies.matches("HTTP/1.1 200").count(), 3, "{replies}");
    assert!(replies.trim_end().ends_with('1'), "{replies}");
}

#[test]
fn a_store_that_is_cut_short_is_refused_until_it_is_whole() {
    use std::fmt::Write as _;

    let folder = store_of(&[]);
    let mut text = String::new();
    for at in 0..20_000 {
        let _ = writeln!(text, "<urn:s{at}> <urn:p> \"text {}\" .", at * 7919 % 1_000_003);
    }
    std::fs::write(folder.path().join("a.nt"), text).expect("the folder is ours");
    assert_eq!(crate::cli::input::run(folder.path(), &["load", "a.nt"]).0, 0);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    lives(&served);
    let mut cut = Vec::new();
    for entry in std::fs::read_dir(folder.path().join(".evalgraph")).expect("the folder is ours") {
        let path = entry.expect("it can be read").path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        if bytes.len() > 1 << 17 {
            let file = std::fs::File::options().write(true).open(&path).expect("the file is ours");
            file.set_len(4096).expect("it can be cut");
            cut.push((path, bytes));
        }
    }
    assert!(!cut.is_empty());
    let update = ask("POST", "/update").body("application/sparql-update", "CLEAR ALL");
    for request in [query("SELECT * { ?s ?p ?o }"), get("/store"), get("/api/questions"), update] {
        let reply = served.send(&request);
        assert!(reply.status == 500 && reply.text().contains("store::damaged"), "{}", reply.text());
    }
    for (path, bytes) in cut {
        std::fs::write(path, bytes).expect("the file is ours");
    }
    let count = query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").accept("text/csv");
    assert_eq!(served.send(&count).text().lines().nth(1), Some("20000"));
}
