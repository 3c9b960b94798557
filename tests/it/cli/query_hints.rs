//! Why a query finds nothing, as `query` tells it, and by which names it calls files.

use std::fs;
use std::path::Path;

use crate::cli::input::run;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina/p1-physics.jsonld");
    fs::create_dir(folder.path().join("in")).expect("the folder is ours");
    fs::copy(fixture, folder.path().join("in/p.jsonld")).expect("the fixture is there");
    folder
}

fn told(folder: &Path, query: &str) -> String {
    let (status, _, stderr) = run(folder, &["query", "in/p.jsonld", "-q", query]);
    assert!(status < 2, "{query}: {stderr}");
    stderr
}

#[test]
fn a_term_that_no_triple_has_is_named_with_the_one_that_was_meant() {
    let folder = folder();
    let told = |query: &str| told(folder.path(), query);
    for (query, what, meant) in [
        ("SELECT ?t { ?q s:Text ?t }", "no triple has `s:Text`", "did you mean `s:text` ("),
        (
            "SELECT ?t { ?q a s:question ; s:text ?t }",
            "nothing is of the class `s:question`",
            "`s:Question` (4 triples)",
        ),
        ("SELECT ?q { ?q a \"Question\" }", "nothing is of the class `Question`", "`s:Question` (4 triples)"),
        (
            "SELECT ?t { ?q s:acceptedAnswr/s:text ?t }",
            "no triple has `s:acceptedAnswr`",
            "`s:acceptedAnswer` (4 triples)",
        ),
        ("SELECT ?t { GRAPH ?g { ?q s:txt ?t } }", "no triple has `s:txt`", "`s:text` ("),
        ("ASK { ?q s:Text ?t }", "no triple has `s:Text`", "`s:text` ("),
        ("SELECT ?t { ?q <urn:nothing:like:it> ?t }", "no triple has `urn:nothing:like:it`", ""),
    ] {
        let told = told(query);
        assert!(
            told.contains("note[sparql::unknown-term]") && told.contains(what) && told.contains(meant),
            "{query}: {told}"
        );
    }
    // What may be missing, and what is found, needs no word.
    for query in [
        "SELECT ?t { ?q s:text ?t FILTER(?t = \"nobody asks this\") }",
        "SELECT ?t { { ?q s:Text ?t } UNION { ?q s:none ?t } }",
        "SELECT ?t { ?q s:text ?t OPTIONAL { ?q s:Text ?u } FILTER(?t = \"nobody asks this\") }",
        "SELECT ?t { ?q s:text ?t MINUS { ?q s:Text ?u } }",
        "SELECT (COUNT(*) AS ?n) { GRAPH <urn:evalgraph:graph:catalog> { ?q eg:textKey ?k } }",
    ] {
        assert!(!told(query).contains("unknown-term"), "{query}: {}", told(query));
    }
}

#[test]
fn a_pattern_that_cannot_be_compiled_is_told() {
    let folder = folder();
    for query in [
        "SELECT ?t { ?q s:text ?t FILTER(REGEX(?t, \"(\")) }",
        "SELECT ?t { ?q s:text ?t FILTER EXISTS { ?q s:text ?u FILTER(!REGEX(?u, \"[\")) } }",
        "SELECT (REPLACE(?t, \"*\", \"\") AS ?u) { ?q s:text ?t }",
    ] {
        let told = told(folder.path(), query);
        assert!(
            told.contains("warning[sparql::pattern]") && told.contains("is not a regular expression"),
            "{query}: {told}"
        );
    }
    let told = told(folder.path(), "SELECT ?t { ?q s:text ?t FILTER(REGEX(?t, \"^W.*[?]$\", \"i\")) }");
    assert!(!told.contains("sparql::pattern"), "{told}");
}

#[test]
fn an_empty_table_says_so() {
    let folder = folder();
    let query = "SELECT ?t { ?q s:text ?t FILTER(?t = \"nobody asks this\") }";
    let (_, stdout, _) = run(folder.path(), &["query", "in/p.jsonld", "-q", query, "--format", "table"]);
    assert_eq!(stdout.lines().last(), Some("0 rows"));
    // What a program reads has no such line.
    let (_, stdout, _) = run(folder.path(), &["query", "in/p.jsonld", "-q", query, "--format", "csv"]);
    assert_eq!(stdout.trim_end(), "t");
}

#[test]
fn the_column_file_has_the_path_of_the_file() {
    let folder = folder();
    let path = folder.path();
    let first = |folder: &Path, arguments: &[&str]| {
        let (status, stdout, stderr) = run(folder, arguments);
        assert_eq!(status, 0, "{stderr}");
        stdout.lines().nth(1).unwrap_or_default().split(',').next().unwrap_or_default().to_owned()
    };
    for name in
        ["overview", "progress", "no-template", "question-cards", "templates-by-size", "traits", "unfinished"]
    {
        if run(path, &["query", "in", "-n", name]).1.lines().count() > 1 {
            assert_eq!(first(path, &["query", "in", "-n", name]), "in/p.jsonld", "{name}");
        }
    }
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "in"]).0, 0);
    assert_eq!(first(path, &["query", "-n", "overview"]), "in/p.jsonld");
    assert_eq!(first(&path.join("in"), &["query", "-n", "overview"]), "p.jsonld");
    // From elsewhere the whole path; of what came from no file the dataset.
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let store = path.display().to_string();
    let shown = first(elsewhere.path(), &["query", "--store", &store, "-n", "overview"]);
    assert!(shown.ends_with("/in/p.jsonld") && shown.starts_with('/'), "{shown}");
}
