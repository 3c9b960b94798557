//! The named queries over the fixtures of all systems, in the embedded store and on servers: the same solutions. Over more
//! than a hundred graphs Virtuoso's compiler runs out of stack on `guards`, and its booleans that are worked out are numbers;
//! `endpoint` asks it about a few graphs.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::cli::input::{evalgraph, run};
use crate::fixture_files::root;

const FOLDERS: [&str; 8] =
    ["across", "karenina", "kwanzaa", "train", "rlcf", "verification", "results", "croissant"];

/// Solutions in an order of their own; numbers by their values, and blank nodes alike.
fn solutions(results: &str) -> Vec<String> {
    let results: Value = serde_json::from_str(results).unwrap_or_else(|error| panic!("{error}: {results}"));
    let solutions = results["results"]["bindings"].as_array().expect("solutions are a list");
    let mut rows: Vec<String> = solutions
        .iter()
        .map(|solution| {
            let terms = solution.as_object().expect("a solution is an object");
            terms.iter().map(|(variable, term)| format!("{variable}={} ", told(term))).collect()
        })
        .collect();
    rows.sort();
    rows
}

fn told(term: &Value) -> Value {
    if term["type"] == "bnode" {
        return json!("_:");
    }
    let datatype = term["datatype"].as_str().unwrap_or_default();
    let is_number = ["integer", "decimal", "double"].iter().any(|end| datatype.ends_with(end));
    match term["value"].as_str().and_then(|text| text.parse::<f64>().ok()).filter(|_| is_number) {
        // Decimals are as long as the server makes them.
        Some(number) => json!(format!("{number:.9}")),
        None => term.clone(),
    }
}

fn asked_of(server: &Server, folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = evalgraph(folder.path());
    program.arg("query").args(arguments).args(["--endpoint", &server.query_url()]);
    let output = program.envs(server.credentials()).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn queries_say_the_same(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let files: Vec<String> = FOLDERS.iter().map(|name| root().join(name).display().to_string()).collect();
    let load: Vec<&str> =
        ["load", "--keep-going"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let export = ["export", "files", "out", "--with", "catalog"];
    let ended = [&["init"][..], &load, &export].map(|command| run(folder.path(), command));
    assert_eq!(ended[2].0, 0, "{ended:?}");
    let quads = fs::read_to_string(folder.path().join("out/data.nq")).expect("it is exported");
    server.add(&quads);
    let (_, list, _) = run(folder.path(), &["queries", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("the list is JSON");
    let names = list.as_array().expect("it is a list").iter();
    let names: Vec<&str> = names.map(|query| query["name"].as_str().expect("a query has a name")).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let arguments = ["-n", name, "--format", "json"];
        let (status, ours, stderr) = run(folder.path(), &[&["query"], &arguments[..]].concat());
        assert_eq!(status, 0, "{name}: {stderr}");
        let (status, theirs, stderr) = asked_of(&server, &folder, &arguments);
        assert_eq!(status, Some(0), "{kind:?} {name}: {stderr}");
        assert_eq!(solutions(&ours), solutions(&theirs), "{kind:?} {name}");
    }
}

macro_rules! servers {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            queries_say_the_same($kind);
        }
    )*};
}

servers! {
    named_queries_say_the_same_on_fuseki_in_memory: Kind::Fuseki;
    named_queries_say_the_same_on_fuseki_on_disk: Kind::Tdb2;
    named_queries_say_the_same_on_rdf4j: Kind::Rdf4j;
    named_queries_say_the_same_on_oxigraph: Kind::Oxigraph;
}
