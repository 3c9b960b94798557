//! The validation by shapes beside `shacl-rust`, in one run: CPU time of validating, with shapes and data read before.
//!
//! `cargo bench --profile dist --bench shacl` prints one table; `EVALGRAPH_BENCH_N` sets the smaller number of
//! questions (1,000), the larger is ten times that. LUBM is printed where `../shared/suites` lies beside the project.

mod support;

use std::io::Read as _;
use std::path::Path;

use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions, built_in};
use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use evalgraph::{Loader, sparql};
use oxigraph::model::Graph;
use shacl_rust::validation::dataset::ValidationDataset;
use support::table::{Bar, Table};
use support::{checkpoint, clock, turtle};

const IN_SPARQL: &str = r#"
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:bench> sh:declare [ sh:prefix "s" ; sh:namespace "http://schema.org/"^^xsd:anyURI ] .
<urn:bench:range> a sh:NodeShape ; sh:targetClass s:Rating ; sh:sparql [
    sh:prefixes <urn:bench> ;
    sh:select "SELECT $this ?value WHERE { $this s:ratingValue ?value ; s:bestRating ?best . FILTER (?value > ?best) }"
] .
"#;

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_N").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let mut table = Table::default();
    let core = include_str!("support/karenina_core.ttl");
    for (questions, least) in [(questions, 8.0), (questions * 10, 15.0)] {
        let data = checkpoint(questions);
        row(&mut table, &format!("SHACL Core, {questions} questions"), core, &data, Bar::TimesLess(least));
        if least > 8.0 {
            row(
                &mut table,
                &format!("sh:sparql, {questions} questions"),
                IN_SPARQL,
                &data,
                Bar::TimesLess(3.0),
            );
        }
        let built_in = built_in("karenina").map_or("", |shapes| shapes.text);
        let shapes = compiled(&turtle::read(built_in));
        let time = clock::cpu_time(5, || (), |()| validated(&shapes, &data));
        println!("the shapes `karenina`, {questions} questions: {:.1} ms", time.as_secs_f64() * 1e3);
    }
    match lubm() {
        Some((shapes, data)) => {
            row(&mut table, "LUBM, ten universities", &shapes, &data, Bar::TimesLess(3.0));
        }
        None => println!("SKIPPED: no `../shared/suites/shacl-outside/lubm` beside the project"),
    }
    table.print();
}

fn row(table: &mut Table, what: &str, shapes: &str, data: &Dataset, bar: Bar) {
    let own_shapes = turtle::read(shapes);
    let compiled = compiled(&own_shapes);
    let ours = || validated(&compiled, data);
    let shapes_graph = graph(&own_shapes);
    let theirs_data =
        ValidationDataset::from_graphs(graph(data), shapes_graph.clone()).expect("it takes graphs");
    let parsed = shacl_rust::parse_shapes(&shapes_graph).expect("it reads the shapes");
    let theirs = || shacl_rust::validate(&theirs_data, &parsed).get_results().len();
    println!("{what}: {} quads, {} results, theirs {}", data.quad_count(), ours(), theirs());
    table.row(what, "shacl-rust 0.2.12", clock::in_turns(5, || (), |()| ours(), theirs), bar);
}

fn compiled(shapes: &Dataset) -> Shapes {
    Shapes::compile(shapes, &ShapesOptions::default()).expect("the shapes are in order")
}

fn validated(shapes: &Shapes, data: &Dataset) -> usize {
    shapes.validate(data, &ValidationOptions::default()).expect("it can be validated").results().len()
}

/// The triples of a dataset in the terms of the peer.
fn graph(dataset: &Dataset) -> Graph {
    let query = sparql::Query::parse_plain("CONSTRUCT WHERE { ?s ?p ?o }", "all").expect("it is a query");
    let results = query.execute(dataset.view(DefaultGraph::Union), sparql::ExecuteOptions::default());
    match results.expect("it can be evaluated") {
        sparql::QueryResults::Graph(triples) => {
            triples.map(|triple| triple.expect("it is a triple")).collect()
        }
        _ => Graph::new(),
    }
}

fn checkpoint(questions: usize) -> Dataset {
    let file = tempfile::Builder::new().suffix(".jsonld").tempfile().expect("there is room");
    checkpoint::write(questions, &mut std::io::BufWriter::new(file.as_file())).expect("there is room");
    let loaded =
        Loader::new().load([file.path().display().to_string()]).expect("the checkpoint can be loaded");
    let mut builder = DocumentBuilder::new();
    builder.extend_quads(
        graph(loaded.dataset())
            .iter()
            .map(|triple| triple.into_owned().in_graph(oxrdf::GraphName::DefaultGraph)),
    );
    Dataset::from_documents(vec![NamedDocument { graph: "urn:data".to_owned(), builder }])
}

/// The shapes of LUBM, and its university ten times under other names.
fn lubm() -> Option<(String, Dataset)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites/shacl-outside/lubm");
    let packed = std::fs::read(folder.join("lubm1.nt.gz")).ok()?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*packed).read_to_string(&mut text).ok()?;
    let documents = (0..10).map(|university| {
        let text = text.replace("University0", &format!("University{university}"));
        let mut builder = DocumentBuilder::new();
        let options = ReadOptions { format: RdfFormat::NTriples, base: None };
        rdf::read("lubm.nt", text.as_bytes(), options, &mut builder).expect("it is N-Triples");
        builder
    });
    let named = |(place, builder)| NamedDocument { graph: format!("urn:university:{place}"), builder };
    let dataset = Dataset::from_documents(documents.enumerate().map(named).collect());
    let shapes = std::fs::read_to_string(folder.join("shapes.ttl")).ok()?;
    Some((shapes, dataset))
}
