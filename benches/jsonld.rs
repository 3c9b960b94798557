//! JSON-LD text to quads: our public function beside `oxjsonld` and the `json-ld` crate, and the
//! JSON parse alone beside `serde_json`.
//!
//! `cargo bench --profile dist --bench jsonld` prints one table; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000
//! questions).

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};
use json_ld::JsonLdProcessor as _;
use json_ld::syntax::Parse as _;
use oxigraph::store::Store;
use oxjsonld::{JsonLdParser, JsonLdProfile};
use oxrdf::Quad;
use std::collections::HashSet;
use std::sync::Arc;
use support::table::{Bar, Table};
use support::{checkpoint, clock, products};

/// Ours and the peer's in turns; the shortest of each counts.
const RUNS: usize = 5;

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|n| n.parse().ok());
    let questions = questions.unwrap_or(10_000);
    let mut table = Table::default();

    let text = checkpoint::text(questions);
    let quads = same_quads(&text);
    assert_eq!(quads, checkpoint::quads(questions), "the corpus has the quads it is made for");
    println!("checkpoint: {questions} questions, {:.1} MB, {quads} quads", text.len() as f64 / 1e6);
    json_parse(&mut table, text.as_bytes());
    let bytes = || text.clone().into_bytes();
    let times = clock::in_turns(RUNS, bytes, interned, || oxjsonld(&text, None));
    table.row("checkpoint to quads", "oxjsonld", times, Bar::TimesLess(8.0));
    let times = clock::in_turns(RUNS, bytes, interned, || oxjsonld(&text, Some(JsonLdProfile::Streaming)));
    table.row("checkpoint to quads", "oxjsonld, streaming", times, Bar::TimesLess(4.0));
    let times = clock::in_turns(RUNS, bytes, interned, || json_ld_quads(&text).len());
    table.row("checkpoint to quads", "json-ld", times, Bar::TimesLess(15.0));
    let times = clock::in_turns(RUNS, bytes, dataset, || store(&text));
    table.row("checkpoint to a dataset", "oxjsonld, oxigraph Store", times, Bar::TimesLess(10.0));

    let text = products::text(questions);
    let quads = same_quads(&text);
    println!("products and recipes: {:.1} MB, {quads} quads", text.len() as f64 / 1e6);
    let bytes = || text.clone().into_bytes();
    let times = clock::in_turns(RUNS, bytes, interned, || oxjsonld(&text, None));
    table.row("products to quads", "oxjsonld", times, Bar::TimesLess(4.0));

    table.print();
}

/// Bytes to a document with places, beside bytes to `serde_json::Value`. The copy of the bytes
/// that we take ownership of is not timed, the check that they are UTF-8 is.
fn json_parse(table: &mut Table, bytes: &[u8]) {
    let times = clock::in_turns(
        RUNS,
        || bytes.to_vec(),
        parse,
        || serde_json::from_slice::<serde_json::Value>(bytes).expect("the corpus is JSON"),
    );
    table.row("JSON parse", "serde_json::Value", times, Bar::AtMost(0.7));
}

fn parse(bytes: Vec<u8>) -> json::JsonDocument {
    let text = json::decode("corpus.jsonld", bytes).expect("the corpus is UTF-8");
    json::parse("corpus.jsonld", text, Limits::default()).expect("the corpus is JSON")
}

/// Text to interned quads, with places, and with what each loss costs where there is one. What the
/// peers yield are quads in the order of the document, too, each as often as it comes.
fn interned(bytes: Vec<u8>) -> DocumentBuilder {
    let document = Arc::new(parse(bytes));
    let mut builder = DocumentBuilder::new();
    let conversion = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader)
        .to_rdf(&document, &mut builder)
        .expect("the corpus is JSON-LD");
    assert_eq!(conversion.lost_triples(), 0, "the corpus loses nothing");
    builder
}

/// Text to sorted, distinct quads under every index.
fn dataset(bytes: Vec<u8>) -> Dataset {
    let mut builder = interned(bytes);
    builder.finish();
    Dataset::from_documents(vec![NamedDocument { graph: "urn:bench:0".to_owned(), builder }])
}

fn parser(profile: Option<JsonLdProfile>) -> JsonLdParser {
    match profile {
        Some(profile) => JsonLdParser::new().with_profile(profile),
        None => JsonLdParser::new(),
    }
}

fn oxjsonld(text: &str, profile: Option<JsonLdProfile>) -> usize {
    parser(profile).for_slice(text).filter(Result::is_ok).count()
}

fn store(text: &str) -> Store {
    let store = Store::new().expect("a store in memory opens");
    let mut loader = store.bulk_loader();
    let quads = parser(None).for_slice(text).map(|quad| quad.expect("the corpus is JSON-LD"));
    loader.load_quads(quads).expect("a store in memory takes quads");
    loader.commit().expect("a store in memory takes quads");
    store
}

/// The quads of the `json-ld` crate, in words.
fn json_ld_quads(
    text: &str,
) -> Vec<json_ld::rdf::Quad<json_ld::IriBuf, json_ld::BlankIdBuf, json_ld::rdf_types::Literal>> {
    let (value, _) = json_ld::syntax::Value::parse_str(text).expect("the corpus is JSON");
    let document = json_ld::RemoteDocument::new(None, None, value);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime without drivers");
    let generator = json_ld::rdf_types::generator::Blank::new();
    let mut answer =
        runtime.block_on(document.to_rdf(generator, &json_ld::NoLoader)).expect("the corpus is JSON-LD");
    answer.cloned_quads().collect()
}

/// How many distinct quads a text has; all processors agree on that.
fn same_quads(text: &str) -> usize {
    let ours = interned(text.as_bytes().to_vec()).finish();
    let quads = |profile| -> usize {
        let quads: HashSet<Quad> =
            parser(profile).for_slice(text).map(|quad| quad.expect("the corpus is JSON-LD")).collect();
        quads.len()
    };
    assert_eq!(ours, quads(None), "oxjsonld finds as many quads");
    assert_eq!(ours, quads(Some(JsonLdProfile::Streaming)), "oxjsonld finds as many quads in a stream");
    let theirs: HashSet<String> = json_ld_quads(text).iter().map(|quad| format!("{quad:?}")).collect();
    assert_eq!(ours, theirs.len(), "json-ld finds as many quads");
    ours
}
