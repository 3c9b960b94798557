//! A server on loopback, which answers as servers do that are known, or as none should.

use std::fs;
use std::path::Path;

use oxigraph::io::RdfFormat;
use tempfile::TempDir;

use super::commands::{Place, exported, says_what_files_say, takes_updates};
use crate::cli::input::run;
use crate::faulty_server::FaultyServer;
use crate::http_server::{Answer, HttpServer, Request};

const ROWS: &str = "SELECT ?n { ?s <urn:n> ?n }";

#[test]
fn a_server_answers_as_files_do() {
    let (server, folder) = (FaultyServer::start(), TempDir::new().expect("a temporary folder"));
    let quads = exported(folder.path());
    server.store().load_from_slice(RdfFormat::NQuads, &quads).expect("the quads are well formed");
    let url = server.http().url("/ds");
    let place = Place { url, login: Vec::new(), folder: folder.path(), is_exact: false };
    says_what_files_say(&place);
    takes_updates(&place);
}

#[test]
fn a_server_without_sidecars_gives_no_file_back() {
    let server = FaultyServer::start();
    let quads = b"<urn:s> <urn:p> <urn:o> <urn:evalgraph:graph:a> .";
    server.store().load_from_slice(RdfFormat::NQuads, quads).expect("the quads are well formed");
    let convert = ["convert", "--endpoint", &server.http().url("/ds"), "--to", "same"];
    let (status, stdout, stderr) = run(Path::new("."), &convert);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.starts_with("error[sidecar::missing]"), "{stderr}");
    assert!(stderr.contains("`--with sidecar` at the export sends what `--to same` needs"), "{stderr}");
}

#[test]
fn a_named_query_says_that_a_server_has_no_catalog() {
    let (server, folder) = (FaultyServer::start(), TempDir::new().expect("a temporary folder"));
    let url = server.http().url("/ds");
    let asked = |name: &str| run(Path::new("."), &["query", "--endpoint", &url, "-n", name]);
    let without = || asked("unfinished").2;
    insta::assert_snapshot!(without().replace(&url, "URL"), @r"
    warning[endpoint::no-catalog]: the query asks for the catalog, which `URL` does not have
     = help: export it as well: `evalgraph export` … `--with catalog`
    ");
    // A query that needs no catalog says nothing.
    assert_eq!(asked("overview").2, "");
    let quads = exported(folder.path());
    server.store().load_from_slice(RdfFormat::NQuads, &quads).expect("the quads are well formed");
    assert_eq!(without(), "");
}

/// The value of a parameter of a form.
fn parameter(request: &Request, name: &str) -> String {
    let form = String::from_utf8_lossy(&request.body).into_owned();
    let value = form.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    evalgraph::rdf::iri::percent_decode(value.unwrap_or_default())
}

/// Asks for rows with the server's own default graph.
fn ask(server: &HttpServer, query: &str, more: &[&str]) -> (i32, String, String) {
    let url = server.url("/sparql?key=hidden");
    let asked = ["query", "--endpoint", &url, "-q", query, "--default-graph", "strict", "--format", "csv"];
    run(Path::new("."), &[&asked, more].concat())
}

/// Results in JSON with these numbers.
fn numbers(numbers: impl Iterator<Item = usize>) -> String {
    let row = |number| format!(r#"{{"n": {{"type": "literal", "value": "{number}"}}}}"#);
    let rows: Vec<String> = numbers.map(row).collect();
    format!(r#"{{"head": {{"vars": ["n"]}}, "results": {{"bindings": [{}]}}}}"#, rows.join(","))
}

/// A server that has 2,500 rows and gives so many at once, which it may say.
fn capped(most: usize, says_so: bool) -> HttpServer {
    HttpServer::start(move |request| {
        let query = parameter(request, "query");
        let word = |name: &str| {
            let at = query.find(name).map(|at| &query[at + name.len()..]);
            at.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok())
        };
        let offset = word("OFFSET ").unwrap_or(0);
        let end = word("LIMIT ").unwrap_or(usize::MAX).min(most);
        let rows = numbers((offset..2500).take(end));
        let answer = Answer::ok("application/sparql-results+json", rows);
        if says_so { answer.with("X-SPARQL-MaxRows", most.to_string()) } else { answer }
    })
}

#[test]
fn rows_that_a_server_cuts_off_are_asked_for() {
    for (most, says_so, requests) in [(1000, false, 3), (1024, false, 3), (700, true, 4), (2500, true, 2)] {
        let server = capped(most, says_so);
        let (status, stdout, stderr) = ask(&server, ROWS, &[]);
        assert_eq!(status, 0, "{stderr}");
        let rows: Vec<String> = (0..2500).map(|number| number.to_string()).collect();
        assert_eq!(stdout.lines().skip(1).collect::<Vec<_>>(), rows, "{most}");
        assert_eq!(server.requests().len(), requests, "{most}");
        assert_eq!(stderr.contains("warning[endpoint::pages]"), most < 2500, "{most}: {stderr}");
    }
}

#[test]
fn a_graph_that_is_constructed_has_no_part_cut_off() {
    let server = capped(1000, false);
    let construct = "CONSTRUCT { [] <urn:is> ?n . <urn:all> <urn:has> <urn:some> } { ?s <urn:n> ?n }";
    let url = server.url("/sparql");
    let query = ["query", "--endpoint", &url, "-q", construct, "--default-graph", "strict", "--format", "nt"];
    let (status, stdout, stderr) = run(Path::new("."), &query);
    assert_eq!((status, stdout.lines().count()), (0, 2501), "{stderr}");
    assert!(parameter(&server.requests()[0], "query").starts_with("SELECT ?n WHERE {"));
}

#[test]
fn no_more_rows_are_asked_for_than_are_wanted() {
    let server = capped(1000, true);
    let (_, stdout, stderr) = ask(&server, &format!("{ROWS} LIMIT 1000"), &[]);
    assert_eq!((stdout.lines().count(), server.requests().len(), stderr.as_str()), (1001, 1, ""));
    let (_, stdout, _) = ask(&server, ROWS, &["--limit", "30"]);
    assert_eq!((stdout.lines().count(), server.requests().len()), (31, 2));
    assert!(parameter(&server.requests()[1], "query").ends_with("LIMIT 30\n"));
    let (_, stdout, _) = ask(&server, &format!("{ROWS} OFFSET 200 LIMIT 1500"), &[]);
    assert_eq!(stdout.lines().count(), 1501);
    assert!(parameter(&server.requests()[3], "query").ends_with("OFFSET 1200 LIMIT 500\n"));
}

/// What is said of an answer with this type and body.
fn said(query: &str, media_type: &'static str, body: &'static str) -> (i32, String, String) {
    let server = HttpServer::start(move |_| Answer::ok(media_type, body));
    let (status, stdout, stderr) = ask(&server, query, &[]);
    (status, stdout, stderr.replace(&server.port().to_string(), "PORT"))
}

#[test]
fn results_are_read_in_each_format_that_tells_terms_apart() {
    let json = r#"{"head": {"link": [], "vars": ["n"]}, "results": {"bindings": [{"n": {"type": "typed-literal",
        "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "1"}}, {}]}}"#;
    let xml = r#"<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="n"/></head>
        <results><result><binding name="n"><literal>1</literal></binding></result><result/></results></sparql>"#;
    for (media_type, body) in [
        ("application/sparql-results+json; charset=utf-8", json),
        ("application/json", json),
        ("application/sparql-results+xml", xml),
        ("text/tab-separated-values", "?n\n1\n\n"),
    ] {
        let (status, stdout, stderr) = said(ROWS, media_type, body);
        assert_eq!((status, stdout.as_str()), (0, "n\r\n1\r\n\r\n"), "{media_type}: {stderr}");
    }
    for (media_type, body) in [
        ("application/n-triples", "<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> .\n"),
        ("text/turtle", "@prefix u: <urn:> . u:s u:p u:o ."),
        (
            "application/rdf+xml",
            r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description
                rdf:about="urn:s"><u:p rdf:resource="urn:o"/></rdf:Description></rdf:RDF>"#,
        ),
    ] {
        let server = HttpServer::start(move |_| Answer::ok(media_type, body));
        let url = server.url("/sparql");
        let query = ["query", "--endpoint", &url, "-q", "DESCRIBE <urn:s>", "--format", "nt"];
        let (status, stdout, stderr) =
            run(Path::new("."), &[&query[..], &["--default-graph", "strict"]].concat());
        assert_eq!((status, stdout.as_str()), (0, "<urn:s> <urn:p> <urn:o> .\n"), "{media_type}: {stderr}");
    }
}

#[test]
fn answers_that_are_none_are_refused_in_one_sentence() {
    let page = "<html><head><title>Sign in\n to the wiki</title></head><body>…</body></html>";
    for (query, media_type, body, sentence) in [
        (
            ROWS,
            "text/html",
            page,
            "`http://127.0.0.1:PORT/sparql` answers a query with `text/html`: Sign in to the wiki",
        ),
        (ROWS, "text/csv", "n\n1\n", "`http://127.0.0.1:PORT/sparql` answers a query with `text/csv`"),
        (
            "ASK { ?s ?p ?o }",
            "application/json",
            r#"{"head": {"vars": ["n"]}, "results": {"bindings": []}}"#,
            "`http://127.0.0.1:PORT/sparql` does not answer as it should: the answer is a table, not a boolean",
        ),
        (
            ROWS,
            "application/json",
            r#"{"head": {}, "boolean": true}"#,
            "`http://127.0.0.1:PORT/sparql` does not answer as it should: the answer is a boolean, not a table",
        ),
    ] {
        let (status, stdout, stderr) = said(query, media_type, body);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.starts_with(&format!("error[server::answer]: {sentence}")), "{stderr}");
        assert!(!stderr.contains("hidden"), "{stderr}");
    }
    let cut = r#"{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "literal", "value": "1"}}, {"n""#;
    let (status, _, stderr) = said(ROWS, "application/json", cut);
    assert_eq!(status, 2, "{stderr}");
    assert!(
        stderr.contains("error[server::answer]: `http://127.0.0.1:PORT/sparql` does not answer as it should"),
        "{stderr}"
    );
}

#[test]
fn graphs_that_are_named_go_with_each_request() {
    let server = HttpServer::start(|_| Answer::ok("application/json", numbers(0..1)));
    let url = server.url("/sparql");
    let graphs =
        ["--default-graph-uri", "urn:a", "--default-graph-uri", "urn:b", "--named-graph-uri", "urn:c"];
    let (status, _, stderr) =
        run(Path::new("."), &[&["query", "--endpoint", &url, "-q", ROWS], &graphs[..]].concat());
    assert_eq!(status, 0, "{stderr}");
    let update = ["update", "--endpoint", &url, "-q", "CLEAR SILENT GRAPH <urn:a>"];
    run(Path::new("."), &[&update, &graphs[..]].concat());
    let [query, update, ..] = &server.requests()[..] else { panic!("two requests") };
    let form = |request: &Request| String::from_utf8_lossy(&request.body).into_owned();
    let starts = |form: &str, start: &str| assert!(form.starts_with(start), "{form}");
    starts(
        &form(query),
        "default-graph-uri=urn%3Aa&default-graph-uri=urn%3Ab&named-graph-uri=urn%3Ac&query=",
    );
    starts(
        &form(update),
        "using-graph-uri=urn%3Aa&using-graph-uri=urn%3Ab&using-named-graph-uri=urn%3Ac&update=",
    );
}

#[test]
fn arguments_about_files_do_not_go_with_a_server() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("a.nt"), "").expect("the folder is ours");
    let endpoint = ["--endpoint", "http://127.0.0.1:1/ds"];
    for (arguments, other) in [
        (&["query", "a.nt", "-q", ROWS][..], "INPUT"),
        (&["query", "-q", ROWS, "--explain"], "--explain"),
        (&["query", "-q", ROWS, "--service", "urn:s=a.nt"], "--service"),
        (&["update", "-q", "CLEAR ALL", "--dry-run"], "--dry-run"),
        (&["stats", "--store", "."], "--store"),
        (&["diff", "a.nt", "a.nt"], "B"),
        (&["dump", "--store", "."], "--store"),
        (&["graphs", "--store", "."], "--store"),
    ] {
        let (status, _, stderr) = run(folder.path(), &[arguments, &endpoint].concat());
        let expected = format!("error[endpoint::argument]: `{other}` cannot be combined with `--endpoint`\n");
        assert_eq!((status, stderr.as_str()), (2, expected.as_str()), "{arguments:?}");
    }
    let (status, _, stderr) = run(folder.path(), &["stats", "a.nt", "--ca", "root.pem"]);
    let lone = "error[endpoint::argument]: `--ca` is for a server, but none is named with `--endpoint`\n";
    assert_eq!((status, stderr.as_str()), (2, lone));
    let (status, _, stderr) =
        run(folder.path(), &[&["graphs", "--default-graph-uri", "a b"], &endpoint[..]].concat());
    assert_eq!(
        (status, stderr.as_str()),
        (2, "error[endpoint::argument]: `a b` is not an IRI, so it names no graph\n")
    );
}
