//! Shapes over the data of real servers find what the engine finds in the same data.

use std::collections::HashSet;

use evalgraph::Loader;
use evalgraph::shacl::BUILT_IN;
use evalgraph::store::{Dataset, TermId};
use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::endpoint::{Results, validated};
use crate::shacl::queries::paths_of_built_in;

/// Holds the fixtures against built-in shapes, here and on a server.
fn finds_what_the_engine_finds(kind: Kind, names: &[&str]) {
    let Some(server) = Server::start(kind) else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let mut graphs = Vec::new();
    for name in names.iter().copied() {
        let paths = paths_of_built_in(name);
        let loaded = Loader::new().load(paths.iter().cloned()).expect("the fixtures can be loaded");
        graphs.drain(..).for_each(|graph: String| server.put(&graph, ""));
        let shapes = Loader::new().shapes([name]).expect("the shapes are in order");
        server.add(&quads_of(loaded.dataset(), shapes.with_catalog()));
        graphs = loaded
            .dataset()
            .graphs()
            .map(|graph| loaded.dataset().dictionary().lexical(graph).to_owned())
            .collect();
        let files: Vec<&str> = paths.iter().map(String::as_str).collect();
        let here = validated(folder.path(), &[&["--shapes", name], &*files].concat());
        let there = validated(folder.path(), &["--shapes", name, "--endpoint", &server.query_url()]);
        let (more, less) = (differing(&there.0, &here.0), differing(&here.0, &there.0));
        assert!(more.is_empty() && less.is_empty(), "{kind:?}, {name}: {more:#?} {less:#?}");
        assert_eq!(there.1, here.1, "{kind:?}, {name}");
        assert!(here.0.len() > 10, "{name}: {} results are few", here.0.len());
    }
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

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn fuseki_finds_what_the_engine_finds() {
    finds_what_the_engine_finds(Kind::Fuseki, &BUILT_IN.map(|shapes| shapes.name));
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn rdf4j_finds_what_the_engine_finds() {
    // Its plans for joins of questions with each other take minutes, as most other shapes have them.
    finds_what_the_engine_finds(Kind::Rdf4j, &["rlcf", "train"]);
}
