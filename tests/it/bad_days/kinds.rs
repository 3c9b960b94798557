//! The kinds of servers that exports go to, as the server with bad days stands for them, and what becomes of graphs there.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use oxigraph::io::RdfFormat;
use tempfile::TempDir;

use super::{Ended, run};
use crate::faulty_server::FaultyServer;

/// How many triples the old graphs and the new ones have.
const OLD: usize = 3;
const NEW: usize = 7;

/// The graphs, by the names of their files.
pub(super) const GRAPHS: [&str; 2] = ["urn:evalgraph:graph:a", "urn:evalgraph:graph:b"];

/// A kind of export: the arguments, in which `{}` stands for the URL of the server.
pub(super) type Kind = &'static [&'static str];

pub(super) const FUSEKI: Kind = &["fuseki", "{}", "--dataset", "ds"];
pub(super) const VIRTUOSO: Kind = &["virtuoso", "{}"];
pub(super) const STORE_WITH_UPDATES: Kind = &["gsp", "{}/ds/data", "--update-url", "{}/ds/update"];
/// A server without updates.
pub(super) const STORE: Kind = &["gsp", "{}/ds/data"];

pub(super) const KINDS: [Kind; 7] = [
    FUSEKI,
    &["fuseki", "{}", "--dataset", "ds", "--create"],
    &["rdf4j", "{}", "--repository", "ds", "--create"],
    &["graphdb", "{}", "--repository", "ds"],
    VIRTUOSO,
    STORE_WITH_UPDATES,
    STORE,
];

/// A triple of a graph, by the number of the graph: the triples of the second one have blank nodes.
fn line(graph: usize, predicate: &str, number: usize) -> String {
    match graph {
        0 => format!("<urn:s{number}> <urn:{predicate}> \"{number}\""),
        _ => format!("_:n{number} <urn:{predicate}> _:n0"),
    }
}

/// A server that has the old graphs, and a folder with the files of the new ones.
pub(super) struct Place {
    pub(super) server: FaultyServer,
    folder: TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        Self::on(FaultyServer::start())
    }

    pub(super) fn on(server: FaultyServer) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for (at, graph) in GRAPHS.iter().enumerate() {
            let old: String =
                (0..OLD).map(|number| format!("{} <{graph}> .\n", line(at, "old", number))).collect();
            assert!(server.store().load_from_slice(RdfFormat::NQuads, old.as_bytes()).is_ok());
            let new: String = (0..NEW).map(|number| format!("{} .\n", line(at, "new", number))).collect();
            let file = folder.path().join(Path::new(["a.ttl", "b.ttl"][at]));
            fs::write(file, new).expect("the folder is ours");
        }
        Self { server, folder }
    }

    /// Exports the files.
    pub(super) fn export(&self, kind: Kind, more: &[&str]) -> Ended {
        self.export_with(&[], kind, more)
    }

    /// Exports the files with variables of the environment.
    pub(super) fn export_with(&self, variables: &[(&str, &str)], kind: Kind, more: &[&str]) -> Ended {
        let url = self.server.http().url("");
        let named: Vec<String> = kind.iter().map(|word| word.replace("{}", &url)).collect();
        let mut arguments = vec!["export"];
        arguments.extend(named.iter().map(String::as_str));
        arguments.extend(["a.ttl", "b.ttl"]);
        arguments.extend(more);
        run(self.folder.path(), variables, &arguments)
    }

    /// What each graph is on the server.
    pub(super) fn state(&self) -> [&'static str; 2] {
        GRAPHS.map(|graph| {
            let lines = self.server.graph(graph);
            let count = |predicate: &str| lines.iter().filter(|line| line.contains(predicate)).count();
            match (lines.len(), count("<urn:old>"), count("<urn:new>")) {
                (_, OLD, 0) => "old",
                (NEW, 0, NEW) => "new",
                (_, OLD, NEW) => "both",
                _ => "half",
            }
        })
    }

    /// The other graphs.
    pub(super) fn others(&self) -> HashSet<String> {
        let graphs = self.server.store().iter().flatten().map(|quad| quad.graph_name.to_string());
        graphs.filter(|name| !GRAPHS.iter().any(|graph| *name == format!("<{graph}>"))).collect()
    }
}
