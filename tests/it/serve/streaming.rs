//! Answers that are made while they are sent: their beginning comes early, a fault breaks them, a limit ends them.

use std::io::{BufRead as _, BufReader, Write as _};

use super::client::{connect, get, query};
use super::served::{Served, wait_until};

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

/// Numbers from 0 to 9, six times: a million rows.
fn million() -> String {
    let digits: String = (0..6).map(|at| format!("VALUES ?d{at} {{ 0 1 2 3 4 5 6 7 8 9 }} ")).collect();
    format!("SELECT * {{ {digits} }}")
}

/// A join without a shared variable, which takes longer than any test and gives one row.
fn product() -> String {
    let values: String = (0..300).map(|number| format!("{number} ")).collect();
    let tables: String = (0..3).map(|table| format!("VALUES ?v{table} {{ {values} }} ")).collect();
    format!("SELECT (SUM(?v0) AS ?sum) {{ {tables} FILTER(REGEX(STR(?v1 + ?v2), '^(1|2)+$')) }}")
}

#[test]
fn an_evaluation_that_takes_too_long_is_ended_and_the_server_goes_on() {
    let served = Served::fixtures(&[PHYSICS, "--timeout", "300ms"]);
    let late = served.send(&query(&product()).accept("application/json"));
    assert_eq!((late.status, late.json()["code"].as_str()), (503, Some("sparql::timeout")));
    let next = served.send(&query("ASK {}"));
    assert_eq!(next.status, 200, "{}", next.text());
}

#[test]
fn a_fault_in_the_middle_breaks_the_connection() {
    // The time is over long before the client has read the rows.
    let served = Served::fixtures(&[PHYSICS, "--timeout", "1s"]);
    let request = query(&million()).accept("application/json");
    let mut connection = connect(served.address);
    connection.write_all(&request.bytes(served.address)).expect("the server reads");
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line).expect("it begins");
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    wait_until(|| served.metric("evaluations_running") == 0);
    let mut rest = Vec::new();
    // The connection is reset, or ends without the last chunk.
    let _ = std::io::Read::read_to_end(&mut reader, &mut rest);
    assert!(!rest.ends_with(b"0\r\n\r\n"), "a half looks whole");
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

#[test]
fn a_client_that_goes_ends_its_evaluation() {
    let served = Served::fixtures(&[PHYSICS, "--timeout", "100s"]);
    for _ in 0..20 {
        let mut connection = connect(served.address);
        connection.write_all(&query(&million()).bytes(served.address)).expect("the server reads");
        let mut reader = BufReader::new(connection);
        let mut line = String::new();
        reader.read_line(&mut line).expect("it begins");
    }
    // There are fewer threads than clients that have gone.
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

#[test]
#[cfg(unix)]
fn a_signal_lets_answers_end_and_ends_the_server() {
    let served = Served::fixtures(&[PHYSICS]);
    let mut connection = connect(served.address);
    let digits: String = (0..4).map(|at| format!("VALUES ?d{at} {{ 0 1 2 3 4 5 6 7 8 9 }} ")).collect();
    let request = query(&format!("SELECT * {{ {digits} }}")).accept("application/json");
    connection.write_all(&request.bytes(served.address)).expect("the server reads");
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line).expect("it begins");
    served.signal("-TERM");
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut reader, &mut rest).expect("it ends");
    assert!(rest.ends_with(b"0\r\n\r\n"), "the answer is whole");
    assert_eq!(served.stop("-TERM"), Some(0));
    let other = Served::fixtures(&[PHYSICS]);
    assert_eq!(other.send(&get("/health")).status, 200);
    assert_eq!(other.stop("-INT"), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_of_any_length_takes_no_memory() {
    let served = Served::fixtures(&[PHYSICS, "--timeout", "100s"]);
    served.send(&query("ASK {}"));
    let before = served.memory();
    let mut connection = connect(served.address);
    let request = query(&million()).accept("text/csv");
    connection.write_all(&request.bytes(served.address)).expect("the server reads");
    let mut reader = BufReader::new(connection);
    let (mut lines, mut most) = (0_u64, 0);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        lines += 1;
        line.clear();
        if lines % 50_000 == 0 {
            most = most.max(served.memory());
        }
    }
    assert!(lines > 1_000_000, "{lines} lines");
    assert!(most < before + (50 << 20), "{before} bytes before, {most} then");
}
