//! JSON-LD text to quads: our public function beside `oxjsonld` and the `json-ld` crate, and the
//! JSON parse alone beside `serde_json`.
//!
//! `cargo bench --bench jsonld` prints one table; `EVALGRAPH_BENCH_N` sets the number of questions.

mod support;

use evalgraph::json;
use support::table::{Bar, Table};
use support::{checkpoint, clock};

const RUNS: usize = 7;

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_N").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let text = checkpoint::text(questions);
    println!("checkpoint of {questions} questions, {:.1} MB", text.len() as f64 / 1e6);
    let mut table = Table::default();
    json_parse(&mut table, text.as_bytes());
    table.print();
}

/// Bytes to a document with places, beside bytes to `serde_json::Value`. The copy of the bytes
/// that we take ownership of is not timed, the check that they are UTF-8 is.
fn json_parse(table: &mut Table, bytes: &[u8]) {
    let ours = clock::cpu_time(
        RUNS,
        || bytes.to_vec(),
        |bytes| {
            let text = json::decode("checkpoint.jsonld", bytes).expect("the corpus is UTF-8");
            json::parse("checkpoint.jsonld", text, json::Limits::default()).expect("the corpus is JSON")
        },
    );
    let theirs = clock::cpu_time(
        RUNS,
        || (),
        |()| serde_json::from_slice::<serde_json::Value>(bytes).expect("the corpus is JSON"),
    );
    table.row("JSON parse", "serde_json::Value", (ours, theirs), Bar::AtMost(0.7));
}
