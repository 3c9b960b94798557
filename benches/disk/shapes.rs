//! The validation of a store on disk by shapes, beside one of a hundredth of its size: how the CPU of the program grows, the
//! memory it takes (Linux, `proc(5)`, `RssAnon`) above the terms that the store keeps once they are read, and how soon the
//! first result is handed on. And what 100,000 results cost from the last result to the last byte.
//!
//! `EVALGRAPH_BENCH_QUESTIONS` sets the size, 1,000,000 where it is not set: 4 GB of text, as much again of store and
//! runs, and some minutes. `cargo bench --profile dist --bench disk -- shapes` prints the figures.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::children::{cpu, cpu_to_any_end, evalgraph, peak_memory, run};
use crate::support::{checkpoint, turtle};
use evalgraph::Store;
use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions};

/// How many times the larger store is as large as the smaller.
const TIMES: usize = 100;

/// Checkpoints with that many questions are read in pieces.
const READ_IN_PIECES: usize = 100_000;

/// Shapes that the items of the late evening fail.
const FAILED: &str = r#"
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <http://schema.org/> .
<urn:bench:item> a sh:NodeShape ; sh:targetClass s:DataFeedItem ;
    sh:property [ sh:path s:dateCreated ; sh:pattern "T[01]" ; sh:minCount 1 ; sh:maxCount 1 ] .
<urn:bench:rating> a sh:NodeShape ; sh:targetClass s:Rating ;
    sh:property [ sh:path s:ratingValue ; sh:minCount 1 ; sh:maxCount 1 ; sh:lessThanOrEquals s:bestRating ] .
"#;

/// Shapes that every question fails ten times.
const FAILED_TEN_TIMES: &str = r#"
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <http://schema.org/> .
<urn:bench:rating> a sh:NodeShape ; sh:targetClass s:Rating ; sh:property [ sh:path s:missing ; sh:minCount 1 ] .
<urn:bench:value> a sh:NodeShape ; sh:targetClass s:PropertyValue ; sh:property [ sh:path s:name ; sh:maxLength 1 ] .
<urn:bench:question> a sh:NodeShape ; sh:targetClass s:Question ;
    sh:property [ sh:path s:text ; sh:maxLength 1 ] ; sh:property [ sh:path s:acceptedAnswer ; sh:maxCount 0 ] .
<urn:bench:item> a sh:NodeShape ; sh:targetClass s:DataFeedItem ;
    sh:property [ sh:path s:dateCreated ; sh:maxCount 0 ] ; sh:property [ sh:path s:dateModified ; sh:maxCount 0 ] .
"#;

pub(crate) fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|text| text.parse().ok());
    let questions: usize = questions.unwrap_or(1_000_000);
    many_results();
    let small = validated(questions / TIMES, 20);
    let large = validated(questions, 1);
    let ratio = large.as_secs_f64() / small.as_secs_f64();
    judge(&format!("{TIMES} times the questions take {ratio:.0} times the CPU (bar 110)"), ratio <= 110.0);
}

fn judge(figure: &str, holds: bool) {
    println!("{figure} {}", if holds { "ok" } else { "MISSED" });
}

/// Makes a store of so many questions, validates it, and gives back the CPU of the program.
fn validated(questions: usize, runs: u32) -> Duration {
    let folder = tempfile::tempdir().expect("a folder for the store");
    let file = checkpoint::write_into(folder.path(), questions);
    run(evalgraph(folder.path()).arg("init")).expect("the store is made");
    let mut load = evalgraph(folder.path());
    load.arg("load").arg(&file);
    if questions >= READ_IN_PIECES {
        load.args(["--max-size", "1MiB"]);
    }
    run(&mut load).expect("it is loaded");
    std::fs::remove_file(&file).expect("the corpus can go");
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/support/karenina_core.ttl");
    let validate = || {
        let mut command = evalgraph(folder.path());
        command.arg("validate").arg("--shapes").arg(&core);
        command
    };
    let time = cpu(runs, validate).expect("the questions conform");
    let quads = checkpoint::quads(questions) as f64;
    println!("{questions} questions, {quads} quads: {:.2} s of CPU for SHACL Core", time.as_secs_f64());
    first_result(folder.path(), quads);
    time
}

fn memory(mut command: Command) -> Option<u64> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    peak_memory(&mut child, "RssAnon")
}

fn first_result(store: &Path, quads: f64) {
    let mut stored = Store::open(store).and_then(|store| store.snapshot()).expect("the store can be read");
    let shapes =
        Shapes::compile(&turtle::read(FAILED), &ShapesOptions::default()).expect("the shapes are in order");
    let start = Instant::now();
    let (mut first, mut count) = (None, 0);
    let take = |_: evalgraph::shacl::ValidationResult<'_, '_, '_>| {
        first.get_or_insert_with(|| start.elapsed());
        count += 1;
    };
    let before = anonymous().unwrap_or_default();
    let is_over = AtomicBool::new(false);
    let (conforms, most) = std::thread::scope(|scope| {
        let most = scope.spawn(|| {
            let mut most = before;
            while !is_over.load(Ordering::Relaxed) {
                most = most.max(anonymous().unwrap_or_default());
                std::thread::sleep(Duration::from_millis(1));
            }
            most
        });
        let conforms = shapes.validate_each(stored.dataset(), &ValidationOptions::default(), take);
        is_over.store(true, Ordering::Relaxed);
        (conforms, most.join().expect("it looks on"))
    });
    let terms = stored.let_go();
    assert!(!conforms.expect("it can be validated"), "some questions fail");
    let (all, first) = (start.elapsed().as_secs_f64(), first.unwrap_or_default().as_secs_f64());
    let figure = format!(
        "  the first of {count} results after {:.1} of {:.1} ms, {:.0} % (bar 10)",
        first * 1e3,
        all * 1e3,
        100.0 * first / all
    );
    judge(&figure, first < all / 10.0);
    let each = (most - before).saturating_sub(terms) as f64 / quads;
    let figure = format!(
        "  {each:.1} bytes of memory a quad above {:.0} MB of the store's terms (bar 5)",
        terms as f64 / 1e6
    );
    judge(&figure, each < 5.0);
}

/// The anonymous memory of this process, in bytes.
fn anonymous() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

/// The price of 100,000 results over 10,000 questions: the program with them, less the program without any.
fn many_results() {
    let folder = tempfile::tempdir().expect("a folder for the corpus");
    let file = checkpoint::write_into(folder.path(), 10_000);
    let shapes = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the shapes can be written");
        path
    };
    let failed = shapes("failed.ttl", FAILED_TEN_TIMES);
    let met = FAILED_TEN_TIMES.replace("minCount 1", "minCount 0").replace("maxCount 0", "maxCount 9");
    let met = shapes("met.ttl", &met.replace("maxLength 1", "maxLength 100000"));
    for format in ["text", "json", "sarif"] {
        let command = |shapes: &Path| {
            let mut command = evalgraph(folder.path());
            command.arg("validate").arg(&file).arg("--shapes").arg(shapes);
            command.args(["--format", format, "-o", "report"]);
            command
        };
        let [without, with] = [&met, &failed].map(|shapes| {
            let time = cpu_to_any_end(5, || command(shapes)).expect("the program starts");
            (time, memory(command(shapes)).unwrap_or_default())
        });
        let (time, memory) = (with.0.saturating_sub(without.0), with.1.saturating_sub(without.1));
        let holds = time < Duration::from_secs(1) && memory < 200_000_000;
        let figure = format!(
            "100,000 results as {format}: {:.2} s of CPU, {:.0} MB more than without (bars 1 s, 200 MB)",
            time.as_secs_f64(),
            memory as f64 / 1e6
        );
        judge(&figure, holds);
    }
}
