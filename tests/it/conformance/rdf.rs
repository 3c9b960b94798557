//! The W3C suites of the formats of RDF 1.1, through the program: N-Triples, N-Quads, Turtle, TriG and
//! RDF/XML.

use crate::beside::suites;
use crate::conformance::earl;
use crate::conformance::jsonld::compare_rdf;
use crate::conformance::sparql_manifest::{read_turtle, select, text};
use crate::conformance::suite::{hold, in_parallel};
use crate::rdf::isomorphism::read_n_quads;
use std::path::{Path, PathBuf};

/// Where the suites are published, which their relative IRIs are resolved against.
const PUBLISHED: &str = "https://w3c.github.io/rdf-tests/rdf/rdf11/";

const TESTS: &str = "\
PREFIX rdft: <http://www.w3.org/ns/rdftest#>
SELECT ?test ?kind ?action ?result {
  [] mf:entries/rdf:rest*/rdf:first ?test .
  ?test a ?kind ; mf:action ?action .
  OPTIONAL { ?test mf:result ?result }
}";

/// A suite: its folder, how `--from` names its format, and how many tests it has at least.
struct Suite {
    folder: &'static str,
    format: &'static str,
    recorded: usize,
}

struct Test {
    /// `#IRI_subject`
    id: String,
    /// The file.
    action: PathBuf,
    /// What its relative IRIs are resolved against.
    base: String,
    expectation: Expectation,
}

enum Expectation {
    /// The quads of this file.
    Quads(PathBuf),
    Accepted,
    Refused,
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn n_triples_are_read_as_the_suite_expects() {
    run(&Suite { folder: "rdf-n-triples", format: "nt", recorded: 70 });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn n_quads_are_read_as_the_suite_expects() {
    run(&Suite { folder: "rdf-n-quads", format: "nq", recorded: 87 });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn turtle_is_read_as_the_suite_expects() {
    run(&Suite { folder: "rdf-turtle", format: "ttl", recorded: 313 });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn trig_is_read_as_the_suite_expects() {
    run(&Suite { folder: "rdf-trig", format: "trig", recorded: 356 });
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn rdf_xml_is_read_as_the_suite_expects() {
    run(&Suite { folder: "rdf-xml", format: "rdfxml", recorded: 166 });
}

fn run(suite: &Suite) {
    let root = suites().join("rdf-tests/rdf/rdf11").join(suite.folder);
    let manifest = format!("{PUBLISHED}{}/manifest.ttl", suite.folder);
    let tests = tests(&root, &manifest);
    let results = in_parallel(&tests, |test| test.id.clone(), &|test| judge(suite, test));
    if let Some(folder) = earl::folder() {
        let results = results.iter().map(|(id, result)| (id.as_str(), result.is_ok()));
        earl::write(&folder, suite.folder, &manifest, results);
    }
    hold(suite.folder, suite.recorded, &results);
}

fn tests(root: &Path, manifest: &str) -> Vec<Test> {
    let dataset = read_turtle(&root.join("manifest.ttl"), manifest);
    let base = manifest.trim_end_matches("manifest.ttl");
    let rows = select(&dataset, TESTS);
    let test = |row| {
        let file = |name: &str| {
            let iri = text(row, name);
            root.join(iri.strip_prefix(base).unwrap_or_else(|| panic!("`{iri}` is in the suite")))
        };
        let kind = text(row, "kind");
        let expectation = match kind.rsplit('#').next().unwrap_or_default() {
            kind if kind.contains("Negative") => Expectation::Refused,
            kind if kind.ends_with("Eval") => Expectation::Quads(file("result")),
            kind if kind.ends_with("PositiveSyntax") => Expectation::Accepted,
            kind => panic!("`{kind}` is a kind of test that is not known"),
        };
        let id = text(row, "test").replace(manifest, "");
        Test { id, action: file("action"), base: text(row, "action"), expectation }
    };
    rows.iter().map(test).collect()
}

fn judge(suite: &Suite, test: &Test) -> Result<(), String> {
    let mut program = crate::program::program();
    program.arg("to-rdf").arg(&test.action).args(["--from", suite.format, "--base", &test.base]);
    let output = program.output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    match (output.status.code(), &test.expectation) {
        (Some(0), Expectation::Quads(expected)) => {
            let quads = std::str::from_utf8(&output.stdout).map_err(|error| error.to_string())?;
            compare_rdf(&read_n_quads(quads), expected)
        }
        (Some(0), Expectation::Accepted) => Ok(()),
        (Some(2), Expectation::Refused) if stderr.contains("error[") => Ok(()),
        (Some(0), Expectation::Refused) => Err("accepted".to_owned()),
        (status, _) => Err(format!("exit {status:?}: {stderr}")),
    }
}
