//! Crowds of clients that hold what there is: unfinished bodies, answers that are not taken, connections that say nothing.
//! Others are answered beside them.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use evalgraph::{Loader, Server, ServerOptions};

use super::client::{PATIENCE, Reply, ask, connect, get, query};
use super::served::{Served, wait_until};

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

/// A query whose answer no system keeps for a client that takes nothing.
fn large() -> String {
    let digits: String = (0..6).map(|at| format!("VALUES ?d{at} {{ 0 1 2 3 4 5 6 7 8 9 }} ")).collect();
    format!("SELECT * {{ {digits} }}")
}

fn lives(served: &Served) {
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

/// Connections that have sent these bytes.
fn crowd(address: SocketAddr, count: usize, bytes: &[u8]) -> Vec<TcpStream> {
    let sent = |_| {
        let mut connection = connect(address);
        connection.write_all(bytes).expect("the server reads");
        connection
    };
    (0..count).map(sent).collect()
}

#[test]
fn clients_that_take_nothing_leave_places_to_others() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "60s", "--timeout", "60s"]);
    let request = query(&large()).bytes(served.address);
    let few = crowd(served.address, 2, &request);
    wait_until(|| served.metric("evaluations_stalled") == 2);
    lives(&served);
    assert_eq!(served.metric("evaluations_stalled"), 2);
    // There are more of them than evaluations that may wait.
    let many = crowd(served.address, 60, &request);
    for _ in 0..3 {
        lives(&served);
    }
    drop((few, many));
    wait_until(|| served.metric("evaluations_running") == 0);
}

#[test]
fn an_answer_that_waited_for_its_client_comes_whole() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "60s", "--timeout", "120s"]);
    let request = query(&large()).accept("text/csv").bytes(served.address);
    let waiting = crowd(served.address, 3, &request);
    wait_until(|| served.metric("evaluations_stalled") == 3);
    for connection in waiting {
        let reply = Reply::read(&mut BufReader::new(connection), false).expect("it is answered");
        assert_eq!((reply.status, reply.is_whole), (200, true));
        assert_eq!(reply.text().lines().count(), 1 + 1_000_000);
    }
}

/// A server in this process with few connections.
fn small_server(max_connections: usize) -> Server {
    let options = ServerOptions {
        bind: ([127, 0, 0, 1], 0).into(),
        max_connections,
        idle: PATIENCE,
        timeout: PATIENCE,
        ..ServerOptions::default()
    };
    Server::start(&Loader::new(), [PHYSICS], options).expect("it starts")
}

#[test]
fn connections_that_wait_for_their_clients_give_way_to_new_ones() {
    let server = small_server(4);
    let address = server.address();
    let body = ask("POST", "/query").body("application/sparql-query", "").with("content-length", "100");
    let answered = query("ASK {}").with("connection", "keep-alive").bytes(address);
    let large = query(&large()).bytes(address);
    let half = b"GET /health HTTP/1.1\r\nho";
    for begun in [&b""[..], half, &body.bytes(address), &answered, &large] {
        let crowd = crowd(address, 8, begun);
        assert_eq!(get("/health").send(address).status, 200, "{}", String::from_utf8_lossy(begun));
        drop(crowd);
    }
    server.stop(Duration::ZERO);
}

#[test]
fn the_connection_that_was_silent_longest_is_closed_first() {
    let server = small_server(2);
    let address = server.address();
    let mut oldest = crowd(address, 1, b"").remove(0);
    // What the client does last counts, and not when it came.
    std::thread::sleep(Duration::from_millis(300));
    let mut recent = crowd(address, 1, b"GET /health HTTP/1.1\r\nhost: localhost\r\n").remove(0);
    assert_eq!(get("/health").send(address).status, 200);
    assert_eq!(oldest.read(&mut [0]).unwrap_or_default(), 0);
    recent.write_all(b"\r\n").expect("it is open");
    let reply = Reply::read(&mut BufReader::new(recent), false).expect("it is answered");
    assert_eq!(reply.status, 200);
    server.stop(Duration::ZERO);
}

#[test]
fn bodies_share_a_part_of_the_memory() {
    let served = Served::fixtures(&[PHYSICS, "--max-memory", "240MB"]);
    let body = |bytes: usize| {
        let body = vec![b'#'; bytes];
        ask("POST", "/query").body("application/sparql-query", body)
    };
    // The part is 60 MB.
    assert_eq!(served.send(&body(62_000_000)).status, 413);
    let unfinished = body(25_000_000).with("content-length", "30000000").bytes(served.address);
    let crowd = crowd(served.address, 8, &unfinished);
    #[cfg(target_os = "linux")]
    assert!(served.memory() < 150_000_000, "{}", served.memory());
    // A query is never as large as what is shared.
    let small = ask("POST", "/query").body("application/sparql-query", "ASK {}");
    assert_eq!(served.send(&small).status, 200);
    // What comes slowly gives way to what comes fast: a body that is too large for what is left is read.
    std::thread::sleep(Duration::from_millis(1100));
    let read = served.send(&ask("POST", "/query").body("text/plain", vec![b'#'; 40_000_000]));
    assert_eq!(read.status, 415, "{}", read.text());
    drop(crowd);
}

#[test]
fn a_body_that_drips_is_not_waited_for() {
    let served = Served::fixtures(&[PHYSICS, "--idle", "1s"]);
    let begun = ask("POST", "/query").body("application/sparql-query", vec![b'#'; 100_000]);
    let mut connection =
        crowd(served.address, 1, &begun.with("content-length", "200000").bytes(served.address)).remove(0);
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE && connection.write_all(b"#").is_ok() {
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(begin.elapsed() < PATIENCE, "it may drip for ever");
    lives(&served);
}
