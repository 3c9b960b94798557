//! Reports in the Evaluation and Report Language (EARL 1.0), which the W3C collects of processors:
//! `EVALGRAPH_EARL=FOLDER cargo test suite -- --ignored` writes one file for each suite.

use crate::beside::project;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PREFIXES: &str = "\
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix doap: <http://usefulinc.com/ns/doap#> .
@prefix earl: <http://www.w3.org/ns/earl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
";

/// Where reports are wanted, if they are.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("EVALGRAPH_EARL").map(|folder| project().join(folder))
}

/// Writes the report of a suite: the IRI of its manifest, the ids of its tests (`#t0001`), and whether
/// each passed.
pub fn write<'t>(
    folder: &Path,
    suite: &str,
    manifest: &str,
    results: impl IntoIterator<Item = (&'t str, bool)>,
) {
    std::fs::create_dir_all(folder).expect("the folder of reports can be made");
    std::fs::write(folder.join(format!("{suite}.ttl")), report(manifest, results))
        .expect("a report can be written");
}

/// The text of a report.
pub fn report<'t>(manifest: &str, results: impl IntoIterator<Item = (&'t str, bool)>) -> String {
    let (name, version) = ("evalgraph", env!("CARGO_PKG_VERSION"));
    let today = chrono::Utc::now().format("%Y-%m-%d");
    let mut report = format!(
        "{PREFIXES}\n<urn:{name}:program> a doap:Project, earl:Software, earl:TestSubject ;\n    doap:name \"{name}\" ;\n    \
         doap:programming-language \"Rust\" ;\n    doap:release [ doap:revision \"{version}\" ] .\n"
    );
    for (id, has_passed) in results {
        let outcome = if has_passed { "passed" } else { "failed" };
        let _ = write!(
            report,
            "\n[] a earl:Assertion ;\n    earl:assertedBy <urn:{name}:program> ;\n    earl:subject <urn:{name}:program> ;\n    \
             earl:test <{manifest}{id}> ;\n    earl:mode earl:automatic ;\n    earl:result [\n        \
             a earl:TestResult ;\n        earl:outcome earl:{outcome} ;\n        \
             dcterms:date \"{today}\"^^xsd:date\n    ] .\n"
        );
    }
    report
}
