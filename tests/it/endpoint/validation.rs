//! Shapes over the data of a server: the report is that of the same data here, as far as queries tell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use evalgraph::Loader;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxigraph::io::RdfFormat;
use oxrdf::Term;
use tempfile::TempDir;

use crate::cli::input::run;
use crate::faulty_server::FaultyServer;

/// Results by their parts, and how many of them are alike.
pub(crate) type Results = BTreeMap<Vec<String>, usize>;

/// The results of a report, without messages that tell numbers of values or members.
const RESULTS: &str = "
PREFIX sh: <http://www.w3.org/ns/shacl#>
SELECT ?focus ?path ?value ?shape ?component ?severity ?message WHERE {
    ?report sh:result ?result .
    ?result sh:focusNode ?focus ; sh:sourceShape ?shape ; sh:sourceConstraintComponent ?component ;
        sh:resultSeverity ?severity .
    OPTIONAL { ?result sh:resultPath ?path }
    OPTIONAL { ?result sh:value ?value }
    OPTIONAL { ?result sh:resultMessage ?message . FILTER (!regex(str(?component), 'Count|List|Member|Xone')) }
}";

/// Runs `validate` in a folder with a report in RDF, and returns its results and the exit status.
pub(crate) fn validated(folder: &Path, arguments: &[&str]) -> (Results, i32) {
    let (status, _, stderr) = run(folder, &[&["validate", "-o", "report.nt"], arguments].concat());
    assert!(matches!(status, 0 | 1), "{arguments:?}: {stderr}");
    let report = folder.join("report.nt").display().to_string();
    let loaded = Loader::new().load([report]).expect("the report is RDF");
    (results_of(loaded.dataset()), status)
}

/// The results of a report in RDF.
pub(crate) fn results_of(report: &Dataset) -> Results {
    let query = Query::parse_plain(RESULTS, "results").expect("the query is well formed");
    let found = query.execute(report.view(DefaultGraph::Union), ExecuteOptions::default());
    let found = found.expect("the query runs");
    let QueryResults::Solutions(rows) = found else { panic!("it is a SELECT") };
    let mut results = Results::new();
    for row in rows {
        let text = |term: &Option<Term>| match term {
            // It has a name within the report alone.
            Some(Term::BlankNode(_)) => "_".to_owned(),
            Some(term) => term.to_string(),
            None => String::new(),
        };
        *results.entry(row.expect("a row").values().iter().map(text).collect()).or_default() += 1;
    }
    results
}

const SHAPES: &str = r#"
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> .
ex:Person a sh:NodeShape ; sh:targetClass ex:Person ; sh:property ex:name, [ sh:path ex:age ; sh:maxCount 1 ] .
ex:name sh:path ex:name ; sh:minCount 1 ; sh:maxLength 3 .
"#;

const DATA: &str = r#"
@prefix ex: <http://example.org/> .
ex:ann a ex:Person ; ex:name "Ann" ; ex:age 30, 31 .
ex:robert a ex:Person ; ex:name "Robert" .
[] a ex:Person .
"#;

/// A folder with shapes and data, and a server that has the data.
fn own(data: &str) -> (TempDir, FaultyServer) {
    let (folder, server) = (TempDir::new().expect("a temporary folder"), FaultyServer::start());
    fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("the folder is ours");
    fs::write(folder.path().join("data.ttl"), data).expect("the folder is ours");
    server.store().load_from_slice(RdfFormat::Turtle, data).expect("it is Turtle");
    (folder, server)
}

#[test]
fn shapes_find_on_a_server_what_they_find_here() {
    let (folder, server) = own(DATA);
    let here = validated(folder.path(), &["data.ttl", "--shapes", "shapes.ttl"]);
    let there =
        validated(folder.path(), &["--endpoint", &server.http().url("/ds"), "--shapes", "shapes.ttl"]);
    assert_eq!(there, here);
    assert_eq!((here.0.values().sum::<usize>(), here.1), (3, 1));
}

#[test]
fn a_report_on_a_server_says_once_what_it_does_not_tell() {
    let (folder, server) = own(DATA);
    let url = server.http().url("/ds");
    let (status, stdout, stderr) =
        run(folder.path(), &["validate", "--endpoint", &url, "--shapes", "shapes.ttl"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.contains("`age` has too many values, at most 1 is allowed"), "{stdout}");
    assert!(stdout.contains(" in 3 objects checked"), "{stdout}");
    assert_eq!(stderr.matches("note[shacl::by-queries]").count(), 1, "{stderr}");
}

#[test]
fn data_on_a_server_conform_where_nothing_fails_and_all_was_checked() {
    let (folder, server) = own("<urn:a> a <http://example.org/Person> ; <http://example.org/name> \"A\" .");
    let url = server.http().url("/ds");
    let validate =
        |more: &[&str]| run(folder.path(), &[&["validate", "--endpoint", &url, "--shapes"], more].concat());
    let (status, _, stderr) = validate(&["shapes.ttl"]);
    assert_eq!((status, &*stderr), (0, ""));
    let recursive = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> .
        ex:S sh:targetClass ex:Person ; sh:node ex:R . ex:R sh:property [ sh:path ex:friend ; sh:node ex:R ] .";
    fs::write(folder.path().join("recursive.ttl"), recursive).expect("the folder is ours");
    let (status, _, stderr) = validate(&["recursive.ttl"]);
    assert_eq!(status, 1, "{stderr}");
    let message = format!("warning[shacl::unchecked]: 1 constraint was not checked at `{url}`");
    assert!(stderr.contains(&message) && stderr.contains("warning[shacl::no-query]"), "{stderr}");
    let (status, _, stderr) = validate(&["shapes.ttl", "--shape", "http://example.org/name"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("warning[shacl::unmatched]"), "{stderr}");
}

#[test]
fn rules_are_not_for_servers() {
    let (folder, server) = own(DATA);
    let url = server.http().url("/ds");
    for more in
        [&[][..], &["--shapes", "shapes.ttl", "--profile", "karenina"], &["--shapes", "shapes.ttl", "--each"]]
    {
        let (status, _, stderr) = run(folder.path(), &[&["validate", "--endpoint", &url], more].concat());
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains("error[endpoint::argument]"), "{stderr}");
    }
    assert!(server.http().requests().is_empty());
}
