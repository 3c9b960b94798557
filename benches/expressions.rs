//! Queries full of expressions over generated rows, beside oxigraph's store in memory over the same triples: the CPU time of each, their
//! ratio, and its geometric mean.
//!
//! `cargo bench --profile release --bench expressions`; `EVALGRAPH_BENCH_ROWS` is the number of rows (500,000), `EVALGRAPH_BENCH_RUNS` how
//! often each query is run (3), `EVALGRAPH_ONLY` a part of the names of the queries that are run, and with `EVALGRAPH_ALONE` they
//! are run here only.

mod support;

use std::time::Duration;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::vocab::xsd;
use oxrdf::{GraphName, Literal, NamedNode, NamedNodeRef, Quad, Term};
use support::clock;
use support::random::Random;

/// How many times less CPU time than oxigraph each query is to take.
const BAR: f64 = 5.0;

const WORDS: [&str; 8] = ["alpha", "beta", "Gamma", "delta", "épsilon", "kappa", "Lambda", "omega"];

const QUERIES: [(&str, &str); 20] = [
    ("condition on a sum", "SELECT (COUNT(*) AS ?n) { ?s :count ?x FILTER(?x * 2 + 1 > 50000) }"),
    ("sum of integers", "SELECT (SUM(?x * 2 + 1) AS ?n) { ?s :count ?x }"),
    ("average of decimals", "SELECT (AVG(?p * 1.19 - 0.5) AS ?n) { ?s :price ?p }"),
    ("greatest of doubles", "SELECT (MAX(ABS(?d) / 3.0e0 + 1) AS ?n) { ?s :score ?d }"),
    ("rounded groups", "SELECT ?k (COUNT(*) AS ?n) { ?s :price ?p } GROUP BY (FLOOR(?p / 100) AS ?k)"),
    ("lengths", "SELECT (SUM(STRLEN(?t)) AS ?n) { ?s :text ?t }"),
    ("beginnings", "SELECT (COUNT(*) AS ?n) { ?s :text ?t FILTER(SUBSTR(?t, 1, 4) = \"beta\") }"),
    ("upper case", "SELECT (COUNT(*) AS ?n) { ?s :text ?t FILTER(CONTAINS(UCASE(?t), \"KAPPA\")) }"),
    ("joined texts", "SELECT (SUM(STRLEN(CONCAT(?t, \" of \", STR(?s)))) AS ?n) { ?s :text ?t }"),
    (
        "regular expression",
        "SELECT (COUNT(*) AS ?n) { ?s :text ?t FILTER(REGEX(?t, \"gamm. [a-k]+a\", \"i\")) }",
    ),
    ("replaced", "SELECT (COUNT(DISTINCT REPLACE(?t, \"[0-9]+\", \"#\")) AS ?n) { ?s :text ?t }"),
    ("groups by a part", "SELECT ?k (COUNT(*) AS ?n) { ?s :text ?t } GROUP BY (STRBEFORE(?t, \" \") AS ?k)"),
    ("cast texts", "SELECT (SUM(xsd:integer(?c)) AS ?n) { ?s :code ?c }"),
    ("casts that fail", "SELECT (SUM(COALESCE(xsd:integer(?t), -1)) AS ?n) { ?s :text ?t }"),
    ("groups by year", "SELECT ?k (COUNT(*) AS ?n) { ?s :date ?d } GROUP BY (YEAR(?d) AS ?k)"),
    (
        "dates",
        "SELECT (COUNT(*) AS ?n) { ?s :date ?d \
         FILTER(?d >= \"2020-05-01T00:00:00Z\"^^xsd:dateTime && MONTH(?d) = 7) }",
    ),
    ("alternatives", "SELECT (SUM(IF(?x > 500 && ?x < 70000, 1, 0)) AS ?n) { ?s :count ?x }"),
    ("order by a product", "SELECT ?x { ?s :count ?x } ORDER BY DESC(?x * ?x - 7 * ?x) LIMIT 10"),
    ("two columns", "SELECT (COUNT(*) AS ?n) { ?s :count ?x ; :price ?p FILTER(?x * ?p > 1000000) }"),
    (
        "languages",
        "SELECT (COUNT(*) AS ?n) { ?s :name ?l \
         FILTER(LANGMATCHES(LANG(?l), \"en\") && STRLEN(LCASE(STR(?l))) > 9) }",
    ),
];

fn main() {
    let number = |name| -> Option<u32> { std::env::var(name).ok().and_then(|value| value.parse().ok()) };
    let rows = number("EVALGRAPH_BENCH_ROWS").unwrap_or(500_000);
    let runs = number("EVALGRAPH_BENCH_RUNS").unwrap_or(3) as usize;
    let only = std::env::var("EVALGRAPH_ONLY").unwrap_or_default();
    let quads = || (0..rows).flat_map(quads_of);
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(quads());
    let ours = Dataset::from_documents(vec![NamedDocument { graph: "urn:bench".to_owned(), builder }]);
    let theirs = std::env::var_os("EVALGRAPH_ALONE").is_none().then(|| {
        let store = Store::new().expect("a store");
        let mut bulk = store.bulk_loader();
        bulk.load_quads(quads()).expect("the data can be loaded");
        bulk.commit().expect("the data can be loaded");
        store
    });
    println!("{rows} rows; a bar of {BAR} times less");
    println!("{:<22} {:>12} {:>14} {:>8}", "query", "ours, ms", "oxigraph, ms", "times");
    let mut ratios = Vec::new();
    for (name, text) in QUERIES.into_iter().filter(|(name, _)| name.contains(&only)) {
        let text = format!(
            "PREFIX : <urn:bench:> PREFIX xsd: <{}> {text}",
            xsd::STRING.as_str().trim_end_matches("string")
        );
        let query = Query::parse_plain(&text, name).expect("the query is good");
        let Some(store) = &theirs else {
            let time = clock::cpu_time(runs, || (), |()| answer(&query, &ours));
            println!("{name:<22} {:>12.1}", milliseconds(time));
            continue;
        };
        let (own, other) = (answer(&query, &ours), answer_of_oxigraph(&text, store));
        let (time, their_time) =
            clock::in_turns(runs, || (), |()| answer(&query, &ours), || answer_of_oxigraph(&text, store));
        let ratio = their_time.as_secs_f64() / time.as_secs_f64();
        let said = match (own == other, ratio >= BAR) {
            (false, _) => format!("DIFFERS: {own:?} {other:?}"),
            (true, false) => "MISSED".to_owned(),
            (true, true) => "ok".to_owned(),
        };
        println!(
            "{name:<22} {:>12.1} {:>14.1} {ratio:>8.1} {said}",
            milliseconds(time),
            milliseconds(their_time)
        );
        ratios.push(ratio);
    }
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64;
    println!("geometric mean: {:.1} times", mean.exp());
}

/// The rows of an answer, in any order.
type Rows = Vec<Vec<Option<Term>>>;

fn answer(query: &Query, dataset: &Dataset) -> Rows {
    let view = dataset.view(DefaultGraph::Union);
    let Ok(QueryResults::Solutions(solutions)) = query.execute(view, ExecuteOptions::default()) else {
        panic!("the query runs, and SELECT has solutions")
    };
    in_order(solutions.map(|row| row.expect("a solution").values().to_vec()).collect())
}

fn answer_of_oxigraph(text: &str, store: &Store) -> Rows {
    let query = SparqlEvaluator::new().parse_query(text).expect("the query is good");
    let Ok(oxigraph::sparql::QueryResults::Solutions(solutions)) = query.on_store(store).execute() else {
        panic!("the query runs, and SELECT has solutions")
    };
    in_order(solutions.map(|row| row.expect("a solution").values().to_vec()).collect())
}

fn in_order(mut rows: Rows) -> Rows {
    rows.sort_by_cached_key(|row| format!("{row:?}"));
    rows
}

/// The triples of a row. Most values are different ones; prices, counts and names come again.
fn quads_of(row: u32) -> Vec<Quad> {
    let mut random = Random::new(row.into());
    let subject = node(&format!("urn:bench:row:{row}"));
    let quad = |name: &str, object: Literal| {
        Quad::new(subject.clone(), node(&format!("urn:bench:{name}")), object, GraphName::DefaultGraph)
    };
    let typed = |text: String, datatype: NamedNodeRef<'_>| Literal::new_typed_literal(text, datatype);
    let date = format!(
        "{}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        2000 + random.below(26),
        1 + random.below(12),
        1 + random.below(28),
        random.below(24),
        random.below(60),
        random.below(60),
    );
    let price = format!("{}.{:02}", random.below(1000), random.below(100));
    let name = random.words(&WORDS, 2, " ");
    let language = random.pick(&["en", "en-GB", "fr"]);
    vec![
        quad("count", Literal::from(i64::try_from(random.below(100_000)).unwrap_or(0))),
        quad("price", typed(price, xsd::DECIMAL)),
        quad("score", typed(format!("{:?}", random.fraction() * 2000.0 - 1000.0), xsd::DOUBLE)),
        quad("text", Literal::from(format!("{} {row}", random.words(&WORDS, 4, " ")))),
        quad("code", Literal::from(format!("{row:07}"))),
        quad("date", typed(date, xsd::DATE_TIME)),
        quad("name", Literal::new_language_tagged_literal_unchecked(name, language.to_ascii_lowercase())),
    ]
}

fn node(iri: &str) -> NamedNode {
    NamedNode::new_unchecked(iri)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
