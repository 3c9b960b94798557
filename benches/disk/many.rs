//! A store of many small documents: what loading them, opening the store for a point query, `doctor` and
//! `doctor --compact` take, for 10,000 and for 100,000. Each is a process of its own, the best of three where it
//! changes nothing.
//!
//! `cargo bench --profile dist --bench disk -- many` prints the figures; it needs 400 MB of room for small files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::children::run;

/// What opening the larger store for a query of one thing may take, from the start of the process to its end.
const MOST_TIME_TO_OPEN: Duration = Duration::from_millis(100);

/// How many times as long a document may take among ten times as many.
const MOST_GROWTH: f64 = 2.0;

pub(crate) fn main() {
    println!("{:>9}  {:>9}  {:>9}  {:>9}  {:>9}", "documents", "load", "open", "doctor", "compact");
    let (few, many) = (measured(10_000), measured(100_000));
    let growth = few.iter().zip(&many).map(|(few, many)| many.as_secs_f64() / few.as_secs_f64() / 10.0);
    let growth = growth.fold(0.0, f64::max);
    let (opens, is_linear) = (many[1] <= MOST_TIME_TO_OPEN, growth <= MOST_GROWTH);
    let judged = |holds: bool| if holds { "ok" } else { "MISSED" };
    println!("open: bar {} ms {}", MOST_TIME_TO_OPEN.as_millis(), judged(opens));
    println!("most growth of a document's share: {growth:.2} (bar {MOST_GROWTH}) {}", judged(is_linear));
    if !opens || !is_linear {
        std::process::exit(1);
    }
}

/// What load, open, doctor and compact take.
fn measured(documents: usize) -> [Duration; 4] {
    let folder = tempfile::tempdir().expect("a folder for the corpus");
    let files = folder.path().join("files");
    fs::create_dir(&files).expect("the folder is ours");
    for number in 0..documents {
        let text =
            format!("<urn:d{number}> a <urn:Thing> ; <urn:name> \"document {number}\" ; <urn:p> 7 .\n");
        fs::write(files.join(format!("{number}.ttl")), text).expect("there is room");
    }
    timed(folder.path(), &["init"]);
    let load = timed(folder.path(), &["load", "files"]);
    let query = format!("SELECT ?name {{ <urn:d{}> <urn:name> ?name }}", documents / 2);
    let best = |arguments: &[&str]| (0..3).map(|_| timed(folder.path(), arguments)).min().unwrap_or_default();
    let open = best(&["query", "-q", &query]);
    let doctor = best(&["doctor"]);
    let compact = timed(folder.path(), &["doctor", "--compact"]);
    let taken = [load, open, doctor, compact];
    let shown: Vec<String> = taken.iter().map(|time| format!("{:>7} ms", time.as_millis())).collect();
    println!("{documents:>9} {}", shown.join(" "));
    taken
}

fn timed(folder: &Path, arguments: &[&str]) -> Duration {
    let begin = Instant::now();
    run(Command::new(env!("CARGO_BIN_EXE_evalgraph")).args(arguments).current_dir(folder)).expect("it runs");
    begin.elapsed()
}
