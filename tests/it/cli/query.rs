//! `query`, `queries` and `stats` as the command line has them: where the text comes from, the
//! forms of answers, exit codes, and that loading changes what it says and nothing else.

use std::fs;

use crate::cli::input::{evalgraph, run};

const CHECKPOINT: &str = r#"{
  "@context": { "@vocab": "http://schema.org/", "hasPart": { "@container": "@set" } },
  "@type": "Dataset", "name": "Sums", "version": "1",
  "hasPart": [
    { "@type": "DataFeedItem", "@id": "urn:uuid:1", "item": { "@type": "Question", "text": "1 + 1?" } },
    { "@type": "DataFeedItem", "@id": "two", "item": { "@type": "Question", "text": "2 + 2?" } }
  ]
}
"#;

const COUNT: &str = "SELECT (COUNT(*) AS ?n) { ?q a s:Question }";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("sums.jsonld"), CHECKPOINT).expect("the folder is ours");
    folder
}

#[test]
fn a_query_comes_from_the_line_a_file_or_stdin() {
    let folder = folder();
    fs::write(folder.path().join("count.rq"), COUNT).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["query", "sums.jsonld", "-q", COUNT]).1, "n\r\n2\r\n");
    assert_eq!(run(folder.path(), &["query", "sums.jsonld", "-f", "count.rq"]).1, "n\r\n2\r\n");
    let mut command = evalgraph(folder.path());
    command.args(["query", "sums.jsonld"]).write_stdin(COUNT).assert().success().stdout("n\r\n2\r\n");
    let mut command = evalgraph(folder.path());
    command.args(["query", "-", "-q", COUNT]).write_stdin(CHECKPOINT).assert().success().stdout("n\r\n2\r\n");
    let (status, _, stderr) = run(folder.path(), &["query", "sums.jsonld", "-f", "cuont.rq"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("did you mean `count.rq`?"), "{stderr}");
    let mut command = evalgraph(folder.path());
    let output = command.args(["query", "sums.jsonld"]).write_stdin("").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_exit_status_is_the_answer() {
    let folder = folder();
    let status =
        |arguments: &[&str]| run(folder.path(), &[&["query", "sums.jsonld", "-q"], arguments].concat()).0;
    let questions = "SELECT ?q { ?q a s:Question }";
    for (arguments, expected) in [
        (&["ASK { ?q a s:Question }"][..], 0),
        (&["ASK { ?q a s:Nothing }"], 1),
        (&["ASK { ?q a s:Nothing }", "--expect", "false"], 0),
        (&[questions], 0),
        (&[questions, "--expect", "empty"], 1),
        (&[questions, "--expect", "nonempty"], 0),
        (&[questions, "--expect", "rows=2"], 0),
        (&[questions, "--expect", "rows=3"], 1),
        (&[questions, "--expect", "rows=x"], 2),
        (&[questions, "--expect", "rows=1", "--limit", "1"], 0),
        (&["SELECT ?q { ?q a }"], 2),
        (&["SELECT ?q { ?q a ?t }", "-p", "t=s:Question", "--expect", "rows=2"], 0),
        (&["SELECT ?q { ?q a ?t }", "-p", "tt=s:Question"], 2),
        (&["SELECT ?x { ?q a s:Question }"], 0),
        (&["SELECT ?x { ?q a s:Question }", "--strict"], 2),
    ] {
        assert_eq!(status(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn answers_have_the_form_that_is_asked_for() {
    let folder = folder();
    let answer =
        |arguments: &[&str]| run(folder.path(), &[&["query", "sums.jsonld", "-q"], arguments].concat());
    let texts = "SELECT ?text { ?q s:text ?text } ORDER BY ?text";
    assert_eq!(answer(&[texts]).1, "text\r\n1 + 1?\r\n2 + 2?\r\n");
    assert_eq!(answer(&[texts, "--format", "tsv"]).1, "?text\n\"1 + 1?\"\n\"2 + 2?\"\n");
    let rows = r#"{"text":"1 + 1?"}|{"text":"2 + 2?"}"#;
    assert_eq!(answer(&[texts, "--format", "jsonl"]).1, rows.replace('|', "\n") + "\n");
    assert_eq!(answer(&[texts, "--format", "json"]).1, format!("[\n{}\n]\n", rows.replace('|', ",\n")));
    let standard = answer(&[texts, "--format", "sparql-json"]).1;
    assert!(standard.starts_with("{\"head\":{\"vars\":[\"text\"]}"), "{standard}");
    let as_xml = answer(&[texts, "--format", "sparql-xml"]).1;
    assert!(as_xml.starts_with("<?xml"), "{as_xml}");
    assert_eq!(answer(&[texts, "--format", "xml"]).1, as_xml);
    for (name, expected) in [
        ("out.json", answer(&[texts, "--format", "json"]).1),
        ("out.jsonl", answer(&[texts, "--format", "jsonl"]).1),
        ("out.srj", standard),
        ("out.srx", as_xml.clone()),
        ("out.xml", as_xml),
    ] {
        let (status, _, stderr) = answer(&[texts, "-o", name]);
        assert!(status == 0 && !stderr.contains("output::name"), "{name}: {stderr}");
        let written = fs::read_to_string(folder.path().join(name)).expect("it is written");
        assert_eq!(written, expected, "{name}");
    }
    let (_, _, stderr) = answer(&[texts, "--format", "sparql-json", "-o", "standard.json"]);
    assert!(!stderr.contains("output::name"), "SPARQL's JSON is JSON, too: {stderr}");
    let graph = "CONSTRUCT { ?item s:text ?text } { ?item s:item/s:text ?text }";
    let turtle = "@prefix s: <http://schema.org/> .\n\n\
        <urn:evalgraph:karenina:sums:two> s:text \"2 + 2?\" .\n\n<urn:uuid:1> s:text \"1 + 1?\" .\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&answer(&[graph]).1), sorted(turtle));
    assert_eq!(answer(&[graph, "--format", "nt"]).1.lines().count(), 2);
    assert_eq!(answer(&[graph, "--format", "csv"]).0, 2);
    assert_eq!(answer(&[texts, "--format", "ttl"]).0, 2);
}

#[test]
fn plain_loading_drops_what_the_specification_drops() {
    let folder = folder();
    let items = "SELECT (COUNT(DISTINCT ?i) AS ?n) { ?i a s:DataFeedItem }";
    let (status, stdout, stderr) = run(folder.path(), &["query", "sums.jsonld", "-q", items, "-v"]);
    assert_eq!((status, stdout.as_str()), (0, "n\r\n2\r\n"));
    assert!(stderr.contains("warning[relative IRI]") && stderr.contains("it is kept"), "{stderr}");
    let (status, stdout, stderr) = run(folder.path(), &["query", "sums.jsonld", "-q", items, "--plain"]);
    assert_eq!((status, stdout.as_str()), (0, "n\r\n1\r\n"));
    assert!(stderr.contains("lost"), "{stderr}");
    assert_eq!(run(folder.path(), &["query", "sums.jsonld", "-q", items, "--strict"]).0, 2);
}

#[test]
fn plain_loading_gives_the_quads_of_to_rdf() {
    let folder = folder();
    let all = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }";
    let (_, loaded, _) =
        run(folder.path(), &["query", "sums.jsonld", "-q", all, "--plain", "--format", "nt"]);
    let (_, converted, _) = run(folder.path(), &["to-rdf", "sums.jsonld"]);
    assert_eq!(loaded.lines().count(), converted.lines().count());
}

#[test]
fn each_document_is_a_graph_and_equal_names_are_told_apart() {
    let folder = folder();
    fs::create_dir(folder.path().join("again")).expect("the folder is ours");
    fs::write(folder.path().join("again/sums.jsonld"), CHECKPOINT.replace("2 + 2?", "3 + 3?"))
        .expect("the folder is ours");
    let graphs = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g";
    let (status, stdout, stderr) = run(folder.path(), &["query", "sums.jsonld", "again", "-q", graphs]);
    assert_eq!(status, 0);
    assert!(stderr.contains("note[load::dataset-name]"), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[..2], ["g", "urn:evalgraph:graph:sums"]);
    assert!(lines[2].starts_with("urn:evalgraph:graph:sums-"), "{stdout}");
    let (_, stdout, _) = run(folder.path(), &["query", "sums.jsonld", "--dataset", "a b", "-q", graphs]);
    assert_eq!(stdout, "g\r\nurn:evalgraph:graph:a%20b\r\n");
}

#[test]
fn every_form_of_schema_org_is_one_in_data_and_query() {
    let folder = folder();
    fs::write(folder.path().join("a.ttl"), "<x:a> a <https://schema.org/Question> .").expect("ours");
    fs::write(
        folder.path().join("b.jsonld"),
        CHECKPOINT.replace("http://schema.org/", "https://schema.org/"),
    )
    .expect("ours");
    let count = "SELECT (COUNT(*) AS ?n) { ?q a <https://schema.org/Question> }";
    let (status, stdout, stderr) = run(folder.path(), &["query", "a.ttl", "b.jsonld", "-q", count]);
    assert_eq!((status, stdout.as_str()), (0, "n\r\n3\r\n"));
    // Every current checkpoint has such IRIs. What is moved in files is told where all is told.
    assert!(!stderr.contains("load::"), "{stderr}");
    assert_eq!(stderr.matches("note[sparql::schema-org]").count(), 1, "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["query", "a.ttl", "b.jsonld", "-q", count, "-v"]);
    assert_eq!(stderr.matches("note[load::schema-org]").count(), 2, "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["stats", "a.ttl", "b.jsonld", "-v"]);
    assert_eq!(stderr.matches("note[load::schema-org]").count(), 2, "{stderr}");
    let json = ["query", "a.ttl", "b.jsonld", "-q", count, "--diagnostics", "json"];
    let (_, _, stderr) = run(folder.path(), &json);
    assert_eq!(
        stderr.matches(r#""severity":"note","code":"load::schema-org","message""#).count(),
        2,
        "{stderr}"
    );
    assert!(!stderr.contains("load::changed"), "{stderr}");
}

#[test]
fn stats_says_what_each_file_is() {
    let folder = folder();
    fs::write(folder.path().join("a.ttl"), "<x:a> a <x:T> .").expect("the folder is ours");
    let (status, stdout, _) = run(folder.path(), &["stats", "sums.jsonld", "a.ttl", "--explain"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("  questions        2\n") && stdout.contains("  decided by "), "{stdout}");
    assert!(
        stdout.ends_with("a.ttl\n  format    Turtle\n  dataset   a\n  quads     1\n  warnings  0\n"),
        "{stdout}"
    );
    let (_, stdout, _) = run(folder.path(), &["stats", "sums.jsonld", "--format", "json"]);
    let files: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&files[0]["questions"], &files[0]["warnings"]), (&2.into(), &1.into()));
}

#[test]
fn the_deepest_nesting_that_may_be_asked_for_works() {
    let folder = folder();
    let deep = |levels: usize| {
        let (open, close) = (r#"{"x:p":"#.repeat(levels), "}".repeat(levels));
        format!(r#"{{"@id": "x:s", "x:p": {open}"o"{close}}}"#)
    };
    fs::write(folder.path().join("deep.jsonld"), deep(9_999)).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["stats", "deep.jsonld"]).0, 2);
    for command in ["to-rdf", "stats"] {
        assert_eq!(run(folder.path(), &[command, "deep.jsonld", "--max-depth", "10000"]).0, 0, "{command}");
    }
    assert_eq!(run(folder.path(), &["stats", "deep.jsonld", "--max-depth", "10001"]).0, 2);
    fs::write(folder.path().join("deep.jsonld"), "[".repeat(100_000)).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["stats", "deep.jsonld"]).0, 2);
}

#[test]
fn a_query_that_does_not_listen_is_ended() {
    let folder = folder();
    // Millions of combinations of values, ordered in a subquery: no quad is fetched meanwhile.
    let values = (0..200).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
    let values = ["a", "b", "c", "d"].map(|name| format!("VALUES ?{name} {{ {values} }}")).join(" ");
    let query = format!("SELECT (COUNT(*) AS ?n) {{ SELECT ?a {{ {values} }} ORDER BY ?d ?c }}");
    fs::write(folder.path().join("long.rq"), query).expect("the folder is ours");
    fs::write(folder.path().join("n.csv"), "old").expect("the folder is ours");
    let before = fs::read_dir(folder.path()).expect("the folder is ours").count();
    let arguments = ["query", "sums.jsonld", "-f", "long.rq", "--timeout", "100ms", "-o", "n.csv"];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("error[limit::timeout]"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("n.csv")).expect("the old file stays"), "old");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is ours").count(), before);
}

#[test]
fn plain_leaves_the_iris_of_the_query() {
    let folder = folder();
    let data = "<urn:a> <https://schema.org/name> \"A\" .\n";
    fs::write(folder.path().join("a.nt"), data).expect("the folder is ours");
    let query = "SELECT ?name { ?a <https://schema.org/name> ?name }";
    let (_, stdout, stderr) = run(folder.path(), &["query", "a.nt", "--plain", "-q", query]);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("name\r\nA\r\n", ""));
    let query = "SELECT ?name { ?a ?p ?name }";
    let arguments = ["query", "a.nt", "--plain", "-q", query, "-p", "p=<https://schema.org/name>"];
    assert_eq!(run(folder.path(), &arguments).1, "name\r\nA\r\n");
    let (_, stdout, stderr) = run(folder.path(), &["query", "a.nt", "-q", query, arguments[5], arguments[6]]);
    assert_eq!(stdout, "name\r\nA\r\n");
    assert!(stderr.contains("sparql::schema-org"), "{stderr}");
}

#[test]
fn no_dataset_takes_a_reserved_graph() {
    let folder = folder();
    let graphs = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }";
    let named = |name| run(folder.path(), &["query", "sums.jsonld", "--dataset", name, "-q", graphs]);
    let (status, stdout, stderr) = named("catalog");
    assert_eq!(status, 0);
    assert!(stdout.starts_with("g\r\nurn:evalgraph:graph:catalog-"), "{stdout}");
    assert!(stderr.contains("note[load::dataset-name]"), "{stderr}");
    assert_eq!(named("sidecar:a").1, "g\r\nurn:evalgraph:graph:sidecar%3Aa\r\n");
}

#[test]
fn an_explanation_has_steps_with_their_solutions_and_the_memory() {
    let folder = folder();
    let text = "SELECT ?t (COUNT(*) AS ?n) { ?s a ?t ; s:name ?name FILTER(?t != s:Dataset) } GROUP BY ?t ORDER BY ?t";
    let (status, stdout, stderr) = run(folder.path(), &["query", "sums.jsonld", "-q", text, "--explain"]);
    assert_eq!(status, 0, "{stderr}");
    for part in ["evaluated over columns\n", "answer: ", "plan:\n", "ORDER BY ?t", "GROUP BY ?t", "FILTER !"]
    {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    assert!(stdout.contains(" expected, "), "{stdout}");
    if cfg!(target_os = "linux") {
        let memory = stdout.lines().last().and_then(|line| line.strip_prefix("memory: "));
        let megabytes = memory.and_then(|memory| memory.strip_suffix(" MB at most"));
        let megabytes: u64 = megabytes.and_then(|number| number.parse().ok()).expect("the last line has it");
        assert!(megabytes < 64, "{stdout}");
    }
}
