//! Exports to real servers: what they have then is what was exported, and graphs that are there are refused, replaced or
//! extended, as it was asked for.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::fixture_files::root;

/// The graphs of a made-up folder: three, with blank nodes in two of them.
pub(super) const GRAPHS: [&str; 3] =
    ["urn:evalgraph:graph:one", "urn:evalgraph:graph:three", "urn:evalgraph:graph:two"];

/// How many triples of the largest graph are without blank nodes: more than one piece has.
const MANY: usize = 110_000;

/// Makes a folder with the files of the graphs, in one of many versions, and returns the triples of each graph in order, with
/// one label for all blank nodes.
pub(super) fn made(folder: &Path, version: usize, many: usize) -> Vec<Vec<String>> {
    let plain = |at: usize| format!("<urn:s{}> <urn:p{}> \"{version} {at}\" .", at / 7, at % 7);
    let node = |at: usize| {
        format!(
            "<urn:n{at}> <urn:node> _:b{at} .\n_:b{at} <urn:text> \"{version} {at}\" .\n_:b{at} <urn:next> _:b{} .",
            at / 2
        )
    };
    let texts = [("one", many, 0), ("three", 40, 20 + version), ("two", 0, 30 + version)].map(
        |(name, plains, nodes)| {
            let lines: Vec<String> = (0..plains).map(plain).chain((0..nodes).map(node)).collect();
            let text = lines.join("\n") + "\n";
            fs::write(folder.join(format!("{name}.nt")), &text).expect("the folder is ours");
            text
        },
    );
    texts.iter().map(|text| compared(text)).collect()
}

/// The lines of N-Triples in order, with one label for all blank nodes.
pub(super) fn compared(text: &str) -> Vec<String> {
    let term = |term: &str| if term.starts_with("_:") { "_:".to_owned() } else { term.to_owned() };
    let line = |line: &str| line.replace('\t', " ").split(' ').map(term).collect::<Vec<_>>().join(" ");
    let mut lines: Vec<String> = text.lines().map(line).collect();
    lines.sort();
    lines
}

/// The program with an export of a folder to a server.
pub(super) fn program(server: &Server, folder: &Path, options: &[&str]) -> Command {
    let mut program = crate::program::program();
    program
        .args(server.export_arguments())
        .arg(folder)
        .args(options)
        .envs(server.credentials())
        .current_dir(folder);
    program
}

/// Exports a folder; its exit status and what it says.
pub(super) fn export(server: &Server, folder: &Path, options: &[&str]) -> (i32, String) {
    let output = program(server, folder, options).output().expect("the program starts");
    (output.status.code().expect("it ends by itself"), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The triples of each graph on the server, in order.
pub(super) fn found(server: &Server) -> Vec<Vec<String>> {
    GRAPHS.iter().map(|graph| compared(&server.graph(graph).unwrap_or_default())).collect()
}

fn exports(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let (first, second) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let [old, new] = [made(first.path(), 1, 100), made(second.path(), 2, MANY)];
    let done = |folder: &Path, options: &[&str]| {
        let (status, said) = export(&server, folder, options);
        assert_eq!(status, 0, "{kind:?} {options:?}: {said}");
        said
    };
    done(first.path(), &[]);
    assert!(found(&server) == old, "{kind:?} has what was exported");
    let (status, said) = export(&server, second.path(), &[]);
    assert_eq!(status, 2, "{kind:?}: {said}");
    assert!(said.starts_with("error[export::graph-exists]: `urn:evalgraph:graph:one`"), "{kind:?}: {said}");
    assert!(found(&server) == old, "{kind:?} has what it had");
    done(second.path(), &["--replace"]);
    assert!(found(&server) == new, "{kind:?} has what replaces it");
    let graph = ["--graph", "one"];
    done(first.path(), &[&["--append", "--verify", "false"], &graph[..]].concat());
    let mut both = [old[0].clone(), new[0].clone()].concat();
    both.sort();
    assert!(found(&server)[0] == both, "{kind:?} has both");
    done(second.path(), &["--replace", "--resume"]);
    assert!(found(&server) == new, "{kind:?} has what replaces it again");
    assert_eq!(server.graph("urn:evalgraph:staging"), None, "{kind:?}");
}

/// Fixtures of all systems, with their catalog and sidecars.
fn fixtures_arrive(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let options = ["--with", "catalog,sidecar", "--keep-going"];
    let (_, said) = export(&server, &root().join("karenina"), &options);
    assert!(said.contains("note[export::done]"), "{kind:?}: {said}");
}

macro_rules! exports {
    ($($name:ident $fixtures:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            exports($kind);
        }

        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $fixtures() {
            fixtures_arrive($kind);
        }
    )*};
}

exports! {
    fuseki_in_memory_gets_an_export fuseki_in_memory_gets_fixtures: Kind::Fuseki;
    fuseki_on_disk_gets_an_export fuseki_on_disk_gets_fixtures: Kind::Tdb2;
    rdf4j_gets_an_export rdf4j_gets_fixtures: Kind::Rdf4j;
    oxigraph_gets_an_export oxigraph_gets_fixtures: Kind::Oxigraph;
    virtuoso_gets_an_export virtuoso_gets_fixtures: Kind::Virtuoso;
}
