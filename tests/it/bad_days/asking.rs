//! Commands with `--endpoint` on a server's bad days.

use std::fs;

use super::{GRAPH, at_once, bad_days, run, without_ports};
use crate::faulty_server::{Fault, FaultyServer, Guard, Plan};
use crate::share::one_of;

const PATIENCE: [&str; 4] = ["--net-timeout", "1s", "--retries", "1"];

const SHAPES: &str = "@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:shape> a sh:NodeShape ; sh:targetSubjectsOf <urn:p> ; sh:property [ sh:path <urn:p> ; sh:minCount 2 ] .";

/// A server with a graph.
fn server() -> FaultyServer {
    let server = FaultyServer::start();
    let data: String =
        (0..10).map(|number| format!("<urn:s{number}> <urn:p> <urn:o{number}> <{GRAPH}> .\n")).collect();
    let loaded = server.store().load_from_slice(oxigraph::io::RdfFormat::NQuads, data.as_bytes());
    assert!(loaded.is_ok());
    server
}

fn ask(server: &FaultyServer, arguments: &[&str]) -> super::Ended {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:s> <urn:p> <urn:o> .").expect("the folder is ours");
    fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("the folder is ours");
    let endpoint = server.http().url("/ds");
    let (command, rest) = arguments.split_first().expect("a command");
    let ended =
        run(folder.path(), &[], &[&[*command, "--endpoint", &endpoint], &PATIENCE[..], rest].concat());
    if ended.status == 2 {
        assert!(!folder.path().join("out").exists(), "{arguments:?} leaves half a file");
    }
    ended
}

#[test]
fn a_query_says_what_is_wrong_with_the_server() {
    let texts = at_once(bad_days().into_iter().map(|(name, fault)| {
        move || {
            let server = server();
            server.plan(Plan::of("/ds", fault));
            let query = ["query", "-q", "SELECT ?s { ?s ?p ?o }", "--default-graph", "strict"];
            let ended = ask(&server, &query);
            server.heal();
            let again = ask(&server, &query[..3]);
            assert_eq!((again.status, again.stdout.lines().count()), (0, 11), "{name}: {}", again.stderr);
            // Rows are written as they come.
            assert_eq!(ended.status, 2, "{name}");
            assert!(again.stdout.starts_with(&ended.stdout), "{name}: {}", ended.stdout);
            format!("{name}\n{}", without_ports(&ended.stderr, &server))
        }
    }));
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn credentials_that_are_wrong_are_told_from_none() {
    let server = FaultyServer::guarded(Guard::Digest("ada", "secret"));
    let (folder, url) = (tempfile::tempdir().expect("a temporary folder"), server.http().url("/ds"));
    let says =
        |variables: &[(&str, &str)]| run(folder.path(), variables, &["graphs", "--endpoint", &url]).stderr;
    let login = |password| says(&[("EVALGRAPH_USER", "ada"), ("EVALGRAPH_PASSWORD", password)]);
    assert!(says(&[]).contains("asks for credentials (401)"), "{}", says(&[]));
    assert!(login("wrong").contains("does not accept the credentials (401)"), "{}", login("wrong"));
    assert!(!login("secret").contains("401"), "{}", login("secret"));
}

#[test]
fn each_command_ends_with_one_error_and_without_half_a_file() {
    let commands: [&[&str]; 9] = [
        &["query", "-q", "SELECT ?s { ?s ?p ?o }", "-o", "out"],
        &["query", "-q", "CONSTRUCT WHERE { ?s ?p ?o }", "-o", "out"],
        &["graphs"],
        &["stats"],
        &["dump", "-o", "out"],
        &["convert", "--to", "nq", "-o", "out"],
        &["check", "-o", "out", "--format", "json"],
        &["diff", "a.ttl"],
        &["validate", "--shapes", "shapes.ttl", "-o", "out", "--format", "json"],
    ];
    let each = |command: &[&str], number: usize, (name, fault): (&str, Fault)| {
        let server = server();
        // The first request, or a later one.
        server.plan(Plan::of("/ds", fault).after(number % 3));
        let ended = ask(&server, command);
        let what = format!("{command:?}, {name} after {}: {}", number % 3, ended.stderr);
        if server.played() > 0 {
            assert_eq!(ended.status, 2, "{what}");
            assert_eq!(ended.stderr.matches("error[").count(), 1, "{what}");
            assert!(ended.stderr.contains("error[server::"), "{what}");
        } else {
            assert!(ended.status < 2, "{what}");
        }
    };
    at_once(commands.into_iter().enumerate().flat_map(|(at, command)| {
        let days = bad_days().into_iter().enumerate();
        let days = days.filter(move |(number, _)| (at + number).is_multiple_of(one_of(2)));
        days.map(move |(number, day)| move || each(command, number, day))
    }));
}

#[test]
fn an_update_is_done_or_it_is_said_that_nobody_knows() {
    let update = ["update", "-q", "INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"];
    let texts = at_once(bad_days().into_iter().map(|(name, fault)| {
        move || {
            let server = server();
            server.plan(Plan::of("/ds", fault));
            let ended = ask(&server, &update);
            let is_made = server.graph("urn:g").len() == 1;
            let is_known = !ended.stderr.contains("it is not known whether the update was made");
            let is_said = ended.stderr.contains("nothing was changed") || ended.status == 0;
            assert!(is_known == is_said && (is_made || ended.status == 2), "{name}: {}", ended.stderr);
            assert!(!(is_made && ended.stderr.contains("nothing was changed")), "{name}");
            server.heal();
            assert_eq!(ask(&server, &update).status, 0, "{name}");
            assert_eq!(server.graph("urn:g").len(), 1, "{name}");
            format!("{name}: {}\n{}", ended.status, without_ports(&ended.stderr, &server))
        }
    }));
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn a_url_that_is_no_endpoint_is_said_to_be_none() {
    let server = server();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let texts = ["/", "/other", "/ds/data", "/ds/update", "/$/ping"].map(|path| {
        let url = server.http().url(path);
        let query = ["query", "-q", "SELECT ?s { ?s ?p ?o }", "--endpoint", &url];
        let ended = run(folder.path(), &[], &query);
        format!("{path} {}\n{}", ended.status, without_ports(&ended.stderr, &server))
    });
    insta::assert_snapshot!(texts.join("\n"));
    let texts =
        ["localhost:3030/ds", "http://nowhere.invalid/ds", "http://127.0.0.1:9/ds", "https://127.0.0.1:9/ds"];
    let texts = texts.map(|url| run(folder.path(), &[], &["graphs", "--endpoint", url]).stderr);
    insta::assert_snapshot!(texts.join("\n"));
}
