//! Clients of others: curl, and SPARQLWrapper with rdflib, which `tests/peers/install` installs.

use std::path::Path;
use std::process::Command;

use super::served::{Served, store_of};
use crate::beside::skipped;

const TOKEN: &str = "correct-horse-battery-staple";

fn served(folder: &Path) -> Served {
    std::fs::write(folder.join("token"), TOKEN).expect("the folder is ours");
    Served::start(folder, &["--write", "--token-file", "token"])
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {stdout}{stderr}");
    stdout.into_owned()
}

#[test]
fn curl_asks_and_changes() {
    if Command::new("curl").arg("--version").output().is_err() {
        return skipped("the server with curl", "there is no curl");
    }
    let folder = store_of(&[]);
    let served = served(folder.path());
    let url = |path: &str| format!("http://{}{path}", served.address);
    let curl = |arguments: &[&str]| {
        run(Command::new("curl").args(["--silent", "--show-error", "--fail-with-body"]).args(arguments))
    };
    let bearer = format!("Authorization: Bearer {TOKEN}");
    std::fs::write(folder.path().join("g.ttl"), "<urn:x:s> <urn:x:p> 1, 2 .").expect("the folder is ours");
    let file = folder.path().join("g.ttl").display().to_string();
    let graph = url("/store?graph=http://example.org/g");
    curl(&["-T", &file, &graph, "-H", "Content-Type: text/turtle", "-H", &bearer]);
    assert!(curl(&[&graph]).contains("urn:x:p"));
    curl(&[
        &url("/update"),
        "-H",
        &bearer,
        "--data-urlencode",
        "update=INSERT DATA { <urn:x:s> <urn:x:p> 3 }",
    ]);
    let select = "query=SELECT (COUNT(*) AS ?n) { ?s ?p ?o }";
    let csv = ["-H", "Accept: text/csv", "--data-urlencode", select];
    let asked = |more: &[&str]| curl(&[&[&*url("/query")], more, &csv[..]].concat());
    assert_eq!(asked(&[]), "n\r\n3\r\n");
    assert_eq!(asked(&["--get"]), "n\r\n3\r\n");
    assert_eq!(asked(&["--compressed", "--http1.1"]), "n\r\n3\r\n");
    curl(&["-X", "DELETE", &graph, "-u", &format!("anyone:{TOKEN}")]);
    assert_eq!(asked(&[]), "n\r\n1\r\n");
    assert_eq!(curl(&["--head", &url("/health")]).lines().next(), Some("HTTP/1.1 200 OK"));
}

#[test]
#[ignore = "needs SPARQLWrapper, which tests/peers/install installs"]
fn sparqlwrapper_and_rdflib_ask_and_change() {
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    let python = peers.join(".venv/bin/python");
    if !python.exists() {
        let why = format!("{} is not there; tests/peers/install makes it", python.display());
        return skipped("the server with SPARQLWrapper", &why);
    }
    let folder = store_of(&[]);
    let served = served(folder.path());
    let url = format!("http://{}/", served.address);
    let said = run(Command::new(python).arg(peers.join("sparqlwrapper_client.py")).args([&url, TOKEN]));
    assert_eq!(said.trim(), "all is well");
}
