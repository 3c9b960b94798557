//! Sidecars that a store makes for an export to a server: they go with the graphs of their documents, whose blank nodes they
//! speak of, and many in one request.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::cli::input::run;
use crate::faulty_server::FaultyServer;
use crate::fixture_files::root;
use crate::rdf::isomorphism::{isomorphic, read_n_quads};

/// Fixtures whose questions, or what is said of them, are blank nodes.
const FIXTURES: [&str; 6] = [
    "karenina/g-ecology.jsonld",
    "karenina/gdev-geology.jsonld",
    "karenina/p1-physics.jsonld",
    "karenina/s0-cell-biology.jsonld",
    "karenina/t-general-knowledge.jsonld",
    "train/support-desk.json",
];

/// More text than the sidecars have that are made together, in parts that are literals each.
const MUCH: [usize; 12] = [3 << 20; 12];

/// Loads files into a store, exports it to a server and into files, and returns what the server says and has, and the files.
fn exported(files: &[&Path], with: &str) -> (FaultyServer, String, String) {
    let (folder, server) = (TempDir::new().expect("a temporary folder"), FaultyServer::start());
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let load: Vec<&str> = ["load"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let url = server.http().url("");
    // The server has one datatype for all integers, which Fuseki has not.
    let export = ["export", "fuseki", &url, "--dataset", "ds", "--with", with, "--verify", "false"];
    let to_files = ["export", "files", "out", "--with", with];
    let ended = [&["init"][..], &load, &to_files, &export].map(|command| run(folder.path(), command));
    assert_eq!(ended.each_ref().map(|(status, ..)| *status), [0; 4], "{ended:?}");
    let [.., (_, _, said)] = ended;
    (server, said, fs::read_to_string(folder.path().join("out/data.nq")).expect("it is exported"))
}

/// The quads that a server has.
fn quads_of(server: &FaultyServer) -> String {
    server.store().iter().map(|quad| format!("{} .\n", quad.expect("it is in memory"))).collect()
}

/// Compares the quads of a server with those of files, without those of the catalog if it may differ.
fn is_same(of_server: &str, of_files: &str, is_catalog_left_out: bool) -> bool {
    let much = "x".repeat(MUCH[0]);
    let read = |quads: &str| {
        // A literal that is whole is shortened, because it takes seconds to read.
        let quads = quads.replace(&much, "x");
        let lines = quads.lines().filter(|line| !is_catalog_left_out || !line.contains("graph:catalog> ."));
        let lines: Vec<String> = lines.map(|line| line.replace("nonNegativeInteger", "integer")).collect();
        read_n_quads(&(lines.join("\n") + "\n"))
    };
    isomorphic(&read(of_files), &read(of_server))
}

#[test]
fn sidecars_of_a_store_go_with_their_documents() {
    let files = FIXTURES.map(|name| root().join(name));
    let files = files.each_ref().map(|file| file.as_path());
    for with in ["sidecar", "catalog,sidecar"] {
        let (server, said, quads) = exported(&files, with);
        assert!(!said.contains("export::shared-nodes"), "{said}");
        assert!(is_same(&quads_of(&server), &quads, false), "{with}: {said}");
        let sent = server.http().requests().into_iter();
        let sent = sent.filter(|request| request.method == "POST" && request.path.starts_with("/ds/data"));
        assert!(sent.count() <= 4, "{with}");
    }
}

#[test]
fn where_sidecars_are_many_the_catalog_has_nodes_of_its_own_which_is_told() {
    let folder = TempDir::new().expect("a temporary folder");
    let (large, small) = (folder.path().join("large.jsonld"), root().join("karenina/gdev-geology.jsonld"));
    let text = fs::read_to_string(root().join("karenina/t-general-knowledge.jsonld")).expect("it is there");
    let member = |(at, length): (usize, &usize)| format!("\"not a term {at}\": \"{}\",", "x".repeat(*length));
    let members: String = MUCH.iter().enumerate().map(member).collect();
    fs::write(&large, text.replacen('{', &format!("{{{members}"), 1)).expect("the folder is ours");
    let (server, said, quads) = exported(&[&large, &small], "catalog,sidecar");
    let told = "warning[export::shared-nodes]: 5 blank nodes occur in several graphs, which are too many to be sent together";
    assert!(said.contains(told), "{said}");
    let of_server = quads_of(&server);
    assert!(is_same(&of_server, &quads, true), "{said}");
    assert!(!is_same(&of_server, &quads, false));
}
