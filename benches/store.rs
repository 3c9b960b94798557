//! The store, in memory and on disk, beside oxigraph's in-memory store: the queries of the shared bench, memory, loading.
//!
//! `cargo bench --profile dist --bench store`; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000 questions).

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use evalgraph::sparql::{ExecuteOptions, Query};
use evalgraph::store::{
    Dataset, DefaultGraph, DocumentBuilder, DocumentEntry, FolderMedium, NamedDocument, NewDocument,
    StoreSnapshot,
};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use oxjsonld::JsonLdParser;
use oxrdf::Quad;
use rayon::prelude::*;

/// Counts the bytes held, while it is asked to.
struct CountingAllocator;

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static HELD: AtomicIsize = AtomicIsize::new(0);

fn count(bytes: usize, sign: isize) {
    if IS_COUNTING.load(Ordering::Relaxed) {
        HELD.fetch_add(sign * bytes.cast_signed(), Ordering::Relaxed);
    }
}

#[expect(unsafe_code, reason = "an allocator cannot be counted otherwise")]
// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, 1);
        count(layout.size(), -1);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() {
    let Some(bench) = bench_folder() else {
        println!("SKIPPED: no folder `../shared/bench` beside the project");
        return;
    };
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").unwrap_or_else(|_| "10000".to_owned());
    let json = generate(&bench, &questions);
    let quads: Vec<Quad> = read(&json).collect();
    println!("{questions} questions, {:.1} MB of JSON-LD", json.len() as f64 / 1e6);
    memory(&json);
    let dataset = Dataset::from_documents(vec![named_document("urn:bench:0", quads.iter().cloned())]);
    let store = Store::new().expect("an in-memory store opens");
    let mut loader = store.bulk_loader();
    loader.load_quads(quads.iter().cloned()).expect("quads load");
    loader.commit().expect("quads load");
    compare_queries(&bench, "in memory", &dataset, &store);
    drop(dataset);
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let on_disk = stored(folder.path(), quads.iter().cloned());
    compare_queries(&bench, "on disk, warm", on_disk.dataset(), &store);
    drop(store);
    parallel_load(&quads);
}

fn bench_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench");
    let folder = std::env::var_os("EVALGRAPH_BENCH").map_or(folder, PathBuf::from);
    folder.join("queries").is_dir().then_some(folder)
}

fn generate(bench: &Path, questions: &str) -> Vec<u8> {
    let folder = std::env::temp_dir().join(format!("evalgraph-bench-{questions}"));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let file = folder.join("checkpoint.jsonld");
    if !file.exists() {
        let status =
            Command::new("python3").arg(bench.join("gen_karenina.py")).arg(questions).arg(&file).status();
        assert!(status.expect("python3 runs").success());
    }
    std::fs::read(file).expect("the generated file is readable")
}

fn read(json: &[u8]) -> impl Iterator<Item = Quad> + '_ {
    JsonLdParser::new().for_slice(json).map(|quad| quad.expect("the generated file is good"))
}

fn named_document(graph: &str, quads: impl Iterator<Item = Quad>) -> NamedDocument {
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(quads);
    NamedDocument { graph: graph.to_owned(), builder }
}

fn memory(json: &[u8]) {
    IS_COUNTING.store(true, Ordering::Relaxed);
    let dataset = Dataset::from_documents(vec![named_document("urn:bench:0", read(json))]);
    IS_COUNTING.store(false, Ordering::Relaxed);
    let held = HELD.load(Ordering::Relaxed) as f64;
    let text = dataset.dictionary().text_bytes() as f64;
    let quads = dataset.quad_count() as f64;
    println!(
        "{quads} distinct quads, {} terms: {:.1} bytes a quad, and {:.1} of text (bar: 40)",
        dataset.dictionary().len(),
        (held - text) / quads,
        text / quads
    );
}

/// The same quads in a store on disk.
fn stored(folder: &Path, quads: impl Iterator<Item = Quad>) -> StoreSnapshot {
    let store = evalgraph::store::StoreFolder::create(Arc::new(FolderMedium::new(folder)))
        .expect("the folder is ours");
    let NamedDocument { graph, builder } = named_document("urn:bench:0", quads);
    let entry = DocumentEntry { dataset: graph.clone(), graph, quads: 0, source: None, is_edited: false };
    let mut change = store.change("the bench").expect("nobody else changes it");
    change.put(NewDocument { entry, builder, source: None }).expect("the folder is ours");
    change.commit().expect("the folder is ours");
    store.snapshot().expect("the store is whole")
}

fn query_files(bench: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(bench.join("queries")).expect("the queries are readable");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("the folder is readable").path()).collect();
    files.sort();
    files
}

fn compare_queries(bench: &Path, place: &str, dataset: &Dataset, store: &Store) {
    let files = query_files(bench);
    println!("{:<24}{:>10}{:>12}{:>12}{:>8}", place, "rows", "ours", "oxigraph", "ratio");
    let mut ratios = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the query is readable");
        let (our_rows, ours) = cpu(|| our_rows(dataset, &text));
        let (their_rows, theirs) = cpu(|| their_rows(store, &text));
        assert_eq!(our_rows, their_rows, "{}", file.display());
        let ratio = theirs / ours;
        ratios.push(ratio);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!("{name:<24}{our_rows:>10}{:>9.3} ms{:>9.3} ms{ratio:>8.1}", ours * 1e3, theirs * 1e3);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median {:.1}", f64::midpoint(ratios[(ratios.len() - 1) / 2], ratios[ratios.len() / 2]));
}

/// CPU seconds of one run: the least of a few, and of as many as 100 ms hold where a run is short.
fn cpu(mut run: impl FnMut() -> usize) -> (usize, f64) {
    let mut rows = 0;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = ProcessTime::now();
        let mut runs = 0_u32;
        while runs == 0 || start.elapsed() < Duration::from_millis(100) {
            rows = run();
            runs += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(runs));
        if best > 2.0 {
            break;
        }
    }
    (rows, best)
}

fn our_rows(dataset: &Dataset, text: &str) -> usize {
    let query = Query::parse(text, "bench").expect("the query parses");
    let view = dataset.view(DefaultGraph::Union);
    match query.execute(view, ExecuteOptions::default()).expect("the query runs") {
        evalgraph::sparql::QueryResults::Solutions(rows) => rows.inspect(|row| assert!(row.is_ok())).count(),
        evalgraph::sparql::QueryResults::Graph(triples) => {
            triples.inspect(|triple| assert!(triple.is_ok())).count()
        }
        evalgraph::sparql::QueryResults::Boolean(answer) => usize::from(answer),
    }
}

fn their_rows(store: &Store, text: &str) -> usize {
    let query = SparqlEvaluator::new().parse_query(text).expect("the query parses");
    rows(query.on_store(store).execute().expect("the query runs"))
}

fn rows(results: QueryResults<'_>) -> usize {
    match results {
        QueryResults::Solutions(solutions) => solutions.inspect(|row| assert!(row.is_ok())).count(),
        QueryResults::Graph(triples) => triples.inspect(|triple| assert!(triple.is_ok())).count(),
        QueryResults::Boolean(answer) => usize::from(answer),
    }
}

/// Eight equal files, from quads to the dataset, on one core and on two.
fn parallel_load(quads: &[Quad]) {
    let quads = &quads[..quads.len().min(100_000)];
    let seconds = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        (0..3)
            .map(|_| {
                let start = Instant::now();
                let dataset = pool.install(|| {
                    let documents = (0..8)
                        .into_par_iter()
                        .map(|number| named_document(&format!("urn:bench:{number}"), quads.iter().cloned()));
                    Dataset::from_documents(documents.collect())
                });
                assert_eq!(dataset.graphs().count(), 8);
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min)
    });
    println!(
        "8 files, one core {:.3} s, two {:.3} s: {:.2} (bar: 0.65)",
        seconds[0],
        seconds[1],
        seconds[1] / seconds[0]
    );
}
