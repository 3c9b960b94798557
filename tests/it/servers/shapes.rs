//! Shapes over the data of real servers find what the engine finds in the same data.

use std::collections::HashSet;

use evalgraph::Loader;
use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::shacl::{BUILT_IN, Shapes, ValidationOptions};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument, TermId};
use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::endpoint::{Results, results_of, validated};
use crate::shacl::queries::parts_of_built_in;

const CATALOG: &str = "urn:evalgraph:graph:catalog";

/// How many fixtures a server has at once. The union of Fuseki has a triple once; that of others has it as often as graphs have
/// it, so that variants of one file multiply in joins.
fn fixtures_at_once(kind: Kind) -> usize {
    match kind {
        Kind::Fuseki | Kind::Tdb2 => usize::MAX,
        _ => 4,
    }
}

/// The built-in shapes that a server understands.
fn understood_by(kind: Kind) -> Vec<&'static str> {
    let names = BUILT_IN.iter().map(|shapes| shapes.name);
    // RDF4J 4.1.3 errs in counts of values that meet a condition, which these have.
    let has_counts = |name: &&str| ["kwanzaa", "croissant-tasks"].contains(name);
    names.filter(|name| kind != Kind::Rdf4j || !has_counts(name)).collect()
}

/// Checks the fixtures against the built-in shapes, here and on a server.
fn finds_what_the_engine_finds(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let folder = TempDir::new().expect("a temporary folder");
    for name in understood_by(kind) {
        let shapes = Loader::new().shapes([name]).expect("the shapes are in order");
        let mut found = 0;
        for data in parts_of_built_in(name, fixtures_at_once(kind)) {
            server.add(&quads_of(data.dataset(), shapes.with_catalog()));
            let here = found_in(&shapes, &kept_by(&server, data.dataset()));
            let there = validated(folder.path(), &["--shapes", name, "--endpoint", &server.query_url()]).0;
            let (more, less) = (differing(&there, &here), differing(&here, &there));
            assert!(more.is_empty() && less.is_empty(), "{kind:?}, {name}: {more:#?} {less:#?}");
            found += here.len();
            data.dataset().graphs().for_each(|graph| server.put(name_of(data.dataset(), graph), ""));
        }
        assert!(found > 10, "{name}: {found} results are few");
    }
}

/// The results of the engine.
fn found_in(shapes: &Shapes, dataset: &Dataset) -> Results {
    let report = shapes.validate(dataset, &ValidationOptions::default()).expect("it can be validated");
    let mut results = DocumentBuilder::new();
    report.to_quads(&mut results);
    results_of(&of_one_graph(results))
}

/// The triples that shapes are about as a server has them, which rewrites literals; graphs may share blank nodes. Sidecars are
/// in no union.
fn kept_by(server: &Server, given: &Dataset) -> Dataset {
    let of_data = given.graphs_of_data().map(|graph| name_of(given, graph));
    let graphs = of_data.chain([CATALOG]).filter_map(|graph| server.graph(graph));
    let triples = graphs.collect::<Vec<String>>().join("\n");
    let options = ReadOptions { format: RdfFormat::NTriples, base: None };
    let mut builder = DocumentBuilder::new();
    rdf::read("kept", triples.as_bytes(), options, &mut builder).expect("it is N-Triples");
    of_one_graph(builder)
}

fn of_one_graph(builder: DocumentBuilder) -> Dataset {
    Dataset::from_documents(vec![NamedDocument { graph: "urn:graph".to_owned(), builder }])
}

fn name_of(dataset: &Dataset, graph: TermId) -> &str {
    dataset.dictionary().lexical(graph)
}

/// The graphs of documents as N-Quads, with the catalog if shapes are about that: a server that has it is asked for a union
/// of the others one by one, which takes long.
fn quads_of(dataset: &Dataset, with_catalog: bool) -> String {
    let (dictionary, mut quads) = (dataset.dictionary(), String::new());
    let of_data: HashSet<TermId> = dataset.graphs_of_data().collect();
    let is_wanted = |graph: &TermId| with_catalog || of_data.contains(graph);
    for quad in dataset.graphs().filter(is_wanted).flat_map(|graph| dataset.graph_quads(graph)) {
        let graph = quad.graph.expect("each graph of a dataset has a name");
        let terms =
            [quad.subject, quad.predicate, quad.object, graph].map(|id| dictionary.term(id).to_string());
        quads.push_str(&format!("{} .\n", terms.join(" ")));
    }
    quads
}

/// Some results that only the first report has.
fn differing(one: &Results, other: &Results) -> Vec<String> {
    let lacks = |(row, _): &(&Vec<String>, &usize)| !other.contains_key(*row);
    one.iter().filter(lacks).take(5).map(|(row, count)| format!("{count} {row:?}")).collect()
}

macro_rules! servers {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            finds_what_the_engine_finds($kind);
        }
    )*};
}

servers! {
    fuseki_in_memory_finds_what_the_engine_finds: Kind::Fuseki;
    fuseki_on_disk_finds_what_the_engine_finds: Kind::Tdb2;
    rdf4j_finds_what_the_engine_finds: Kind::Rdf4j;
    oxigraph_finds_what_the_engine_finds: Kind::Oxigraph;
}
