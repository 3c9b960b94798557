//! What whoever runs a server relies on: tokens for reading, origins, figures, the log, files that are watched.

use std::path::Path;
use std::time::{Duration, Instant};

use super::client::{PATIENCE, ask, get, query};
use super::served::{Served, store_of, wait_until};
use crate::cli::input::evalgraph;
use crate::cli::secrets_everywhere::{files, shown};

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

fn folder_with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    folder
}

#[test]
fn a_named_query_is_a_resource() {
    let served = Served::fixtures(&[PHYSICS]);
    let overview = served.send(&get("/query/overview").accept("text/csv"));
    assert_eq!(overview.status, 200, "{}", overview.text());
    let all = served.send(&get("/query/templates-by-size").accept("text/csv"));
    let none = served.send(&get("/query/templates-by-size?least=1000000").accept("text/csv"));
    assert_eq!((none.status, none.text().lines().count()), (200, 1), "{}", none.text());
    let form = ask("POST", "/query/templates-by-size").accept("text/csv");
    let form = form.body("application/x-www-form-urlencoded", "least=1");
    assert_eq!(served.send(&form).text(), all.text());
    assert_eq!(served.send(&get("/query/templates-by-size?least=many")).status, 400);
    assert_eq!(served.send(&get("/query/overview?no-such=1")).status, 400);
    let unknown = served.send(&get("/query/overveiw"));
    assert!(unknown.status == 404 && unknown.text().contains("overview"), "{}", unknown.text());
}

#[test]
fn no_answer_shows_a_key() {
    let folder = store_of(&[]);
    let mut arguments = vec!["--keep-going"];
    let files = files();
    for (name, bytes) in &files {
        std::fs::write(folder.path().join(name), bytes).expect("the folder is ours");
        arguments.push(name);
    }
    let served = Served::start(folder.path(), &arguments);
    for request in [
        query("SELECT * { ?s ?p ?o }"),
        query("SELECT * { GRAPH ?g { ?s ?p ?o } }").accept("text/csv"),
        query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"),
        get("/"),
        get("/query/overview"),
    ] {
        let reply = served.send(&request);
        assert_eq!(reply.status, 200);
        assert_eq!(shown("an answer", &reply.body), None);
    }
    let written = Served::start(folder.path(), &["--write", "--no-token"]);
    for (name, bytes) in files {
        for media_type in ["application/ld+json", "text/turtle", ""] {
            let put = ask("PUT", "/store?graph=urn:x:g").body(media_type, bytes.clone());
            assert_eq!(shown(name, &written.send(&put.accept("application/json")).body), None);
            let there = written.send(&query("SELECT * { ?s ?p ?o }"));
            assert_eq!(shown(name, &there.body), None);
        }
    }
}

#[test]
fn an_address_that_others_reach_needs_a_token_or_a_word() {
    let folder = folder_with("a.ttl", "<urn:x:s> <urn:x:p> 1 .");
    let output = evalgraph(folder.path()).args(["serve", "a.ttl", "--bind", "0.0.0.0:0"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("serve::open"));
    std::fs::write(folder.path().join("token"), "correct-horse-battery\n").expect("the folder is ours");
    let served = Served::start(folder.path(), &["a.ttl", "--read-token", "token"]);
    for request in [query("ASK {}"), get("/metrics"), get("/")] {
        assert_eq!(served.send(&request).status, 401);
        let shown = request.with("authorization", "Bearer correct-horse-battery");
        assert_eq!(served.send(&shown).status, 200);
    }
    assert_eq!(served.send(&get("/health")).status, 200);
}

#[test]
fn pages_of_an_allowed_server_may_ask_and_no_others() {
    let served = Served::fixtures(&[PHYSICS, "--allow-origin", "https://app.example"]);
    let from = |origin: &str| served.send(&query("ASK {}").with("origin", origin));
    let allowed = from("https://app.example");
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://app.example"));
    assert_eq!(from("https://evil.example").header("access-control-allow-origin"), None);
    let preflight = served.send(&ask("OPTIONS", "/query").with("origin", "https://app.example"));
    assert_eq!(preflight.status, 204);
    let allowed = preflight.header("access-control-allow-headers").expect("a page may send some");
    let allowed: Vec<&str> = allowed.split(", ").collect();
    // All headers that the server reads, of those that a browser asks about first.
    for header in ["authorization", "content-encoding", "content-type", "if-match", "if-none-match"] {
        assert!(allowed.contains(&header), "{header}");
    }
    let bad = evalgraph(Path::new(".")).args(["serve", PHYSICS, "--allow-origin", "app"]).output();
    assert_eq!(bad.expect("the program starts").status.code(), Some(2));
}

#[test]
fn requests_are_counted_and_logged() {
    let folder = folder_with("a.ttl", "<urn:x:s> <urn:x:p> 1 .");
    let served = Served::start(folder.path(), &["a.ttl", "--access-log", "log"]);
    served.send(&query("ASK {}"));
    served.send(&query("ASK {"));
    served.send(&get("/secret%1b[31m?token=hidden"));
    served.send(&ask("OPTIONS", "/query"));
    let log = || std::fs::read_to_string(folder.path().join("log")).expect("the log is there");
    let end = Instant::now() + PATIENCE;
    while log().lines().count() < 4 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    let log = log();
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].contains(" 127.0.0.1 GET /query 200 "), "{log}");
    assert!(lines[1].contains(" GET /query 400 ") && lines[2].contains(" 404 "), "{log}");
    assert!(!log.contains("broken"), "{log}");
    assert!(!log.contains("hidden") && !log.contains('\u{1b}'), "{log}");
    let metrics = served.send(&get("/metrics")).text();
    for line in [
        "evalgraph_requests_total{resource=\"query\",status=\"200\"} 1",
        "evalgraph_requests_total{resource=\"query\",status=\"400\"} 1",
        "evalgraph_requests_total{resource=\"none\",status=\"404\"} 1",
        "evalgraph_connections 1",
        "evalgraph_evaluations_running 0",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
}

#[test]
fn texts_of_a_store_are_let_go_of_between_requests() {
    let folder = store_of(&[PHYSICS]);
    let served = Served::start(folder.path(), &["--cache", "0"]);
    let all = || served.send(&query("SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o").accept("text/csv"));
    let (first, second) = (all(), all());
    assert_eq!((first.status, first.header("etag")), (200, second.header("etag")));
    assert_eq!(first.text(), second.text());
}

#[test]
fn files_that_are_watched_are_read_again() {
    let folder = folder_with("a.ttl", "<urn:x:s> <urn:x:p> 1 .");
    let said = folder.path().join("said");
    let mut command = crate::program::program();
    command.current_dir(folder.path()).args(["serve", "*.ttl", "--watch", "--bind", "127.0.0.1:0"]);
    command.stderr(std::fs::File::create(&said).expect("the folder is ours"));
    let served = Served::of(command);
    let rows = || served.send(&query("SELECT ?o { ?s ?p ?o }").accept("text/csv"));
    let wait_for = |count: usize| wait_until(|| rows().text().lines().count() == count + 1);
    wait_for(1);
    let first = rows();
    std::fs::write(folder.path().join("b.ttl"), "<urn:x:s> <urn:x:p> 2 .").expect("the folder is ours");
    wait_for(2);
    assert_ne!(rows().header("etag"), first.header("etag"));
    // A file at fault leaves the data as they are, and is read again when it is whole.
    std::fs::write(folder.path().join("b.ttl"), "<urn:x:s> <urn:x:p>").expect("the folder is ours");
    let is_said = || std::fs::read_to_string(&said).is_ok_and(|said| said.contains("error[rdf::syntax]"));
    wait_until(is_said);
    assert_eq!(rows().text().lines().count(), 3);
    std::fs::write(folder.path().join("b.ttl"), "<urn:x:s> <urn:x:p> 2, 3 .").expect("the folder is ours");
    wait_for(3);
}

#[test]
fn a_file_at_fault_is_left_out_by_a_server() {
    let folder = folder_with("a.ttl", "<urn:x:s> <urn:x:p> 1 .");
    std::fs::write(folder.path().join("b.ttl"), "<urn:x:s> <urn:x:p>").expect("the folder is ours");
    let said = folder.path().join("said");
    let mut command = crate::program::program();
    command.current_dir(folder.path()).args(["serve", ".", "--bind", "127.0.0.1:0"]);
    command.stderr(std::fs::File::create(&said).expect("the folder is ours"));
    let served = Served::of(command);
    let rows = served.send(&query("SELECT ?o { ?s ?p ?o }").accept("text/csv"));
    assert_eq!(rows.text().lines().count(), 2);
    wait_until(|| {
        std::fs::read_to_string(&said).is_ok_and(|said| said.contains("b.ttl:1:20: error[rdf::syntax]"))
    });
    assert!(std::fs::read_to_string(&said).is_ok_and(|said| said.lines().count() <= 5));
}

/// `--open` hands the address to the program that the system opens browsers with.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_opened_at_the_address() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = store_of(&[]);
    let programs = tempfile::tempdir().expect("there is room");
    let opener = programs.path().join("xdg-open");
    std::fs::write(&opener, "#!/bin/sh\nprintf %s \"$1\" > opened.new && /bin/mv opened.new opened\n")
        .and_then(|()| std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)))
        .expect("the folder is ours");
    let mut command = crate::program::program();
    command.current_dir(folder.path()).env("PATH", programs.path());
    command.args(["serve", "--bind", "127.0.0.1:0", "--open"]);
    let served = Served::of(command);
    let opened = folder.path().join("opened");
    let end = Instant::now() + PATIENCE;
    while !opened.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    let opened = std::fs::read_to_string(opened).expect("the browser was opened");
    assert_eq!(opened, format!("http://{}/", served.address));
}
