//! Exports to a server on its bad days: the old graphs or the new ones, never half, and a second run finishes.

use std::fs;
use std::path::Path;

use super::{Ended, at_once, bad_days, run, without_ports};
use crate::faulty_server::{Fault, FaultyServer, Plan};
use crate::http_server::Answer;

/// How many triples the old graphs and the new ones have.
const OLD: usize = 3;
const NEW: usize = 7;

const PATIENCE: [&str; 5] = ["--replace", "--net-timeout", "1s", "--retries", "1"];

/// Writes two files whose triples all have one predicate; one of them has blank nodes.
fn write(folder: &Path, predicate: &str, triples: usize) {
    let with_names = |number| format!("<urn:s{number}> <urn:{predicate}> \"{number}\" .\n");
    let with_nodes = |number| format!("_:n{number} <urn:{predicate}> _:n0 .\n");
    let text = |line: &dyn Fn(usize) -> String| (0..triples).map(line).collect::<String>();
    fs::write(folder.join("a.ttl"), text(&with_names)).expect("the folder is ours");
    fs::write(folder.join("b.ttl"), text(&with_nodes)).expect("the folder is ours");
}

fn export(server: &FaultyServer, folder: &Path, more: &[&str]) -> Ended {
    let url = server.http().url("");
    let arguments = ["export", "fuseki", &url, "--dataset", "ds", "a.ttl", "b.ttl"];
    run(folder, &[], &[&arguments, &PATIENCE[..], more].concat())
}

/// A server that has the old graphs, and a folder with the new ones.
fn old() -> (FaultyServer, tempfile::TempDir) {
    let (server, folder) = (FaultyServer::start(), tempfile::tempdir().expect("a temporary folder"));
    write(folder.path(), "old", OLD);
    let ended = export(&server, folder.path(), &[]);
    assert_eq!((ended.status, state(&server)), (0, ["old", "old"]), "{}", ended.stderr);
    write(folder.path(), "new", NEW);
    (server, folder)
}

/// What each graph of a file is on the server.
fn state(server: &FaultyServer) -> [&'static str; 2] {
    ["a", "b"].map(|file| {
        let lines = server.graph(&format!("urn:evalgraph:graph:{file}"));
        let count = |predicate: &str| lines.iter().filter(|line| line.contains(predicate)).count();
        match (lines.len(), count("<urn:old>"), count("<urn:new>")) {
            (OLD, OLD, 0) => "old",
            (NEW, 0, NEW) => "new",
            _ => "half",
        }
    })
}

/// How many graphs there are but those of the files.
fn others(server: &FaultyServer) -> usize {
    let graphs: std::collections::HashSet<String> =
        server.store().iter().flatten().map(|quad| quad.graph_name.to_string()).collect();
    graphs.len() - 2
}

/// Exports on a bad day, looks at the server, and exports again on a good day.
fn survives(name: &str, plan: &Plan, resumes: bool) -> String {
    let (server, folder) = old();
    server.plan(plan.clone());
    let ended = export(&server, folder.path(), &[]);
    let what = format!("{name}, {plan:?}: {}", ended.stderr);
    let after = state(&server);
    assert!(!after.contains(&"half"), "{after:?} {what}");
    match ended.status {
        0 => assert_eq!(after, ["new", "new"], "{what}"),
        // The server has taken quads and does not have them.
        1 => assert!(ended.stderr.contains("[export::differs]"), "{what}"),
        status => {
            assert_eq!(status, 2, "{what}");
            assert_eq!(ended.stderr.matches("error[").count(), 1, "{what}");
        }
    }
    server.heal();
    let more: &[&str] = if resumes { &["--resume"] } else { &[] };
    let again = export(&server, folder.path(), more);
    assert_eq!((again.status, state(&server)), (0, ["new", "new"]), "again after {what}: {}", again.stderr);
    assert_eq!(others(&server), 0, "again after {what}");
    let told = without_ports(&ended.stderr, &server);
    let told: Vec<&str> = told.lines().filter(|line| !line.contains("[export::done]")).collect();
    format!("{name}: {}\n{}\n", ended.status, told.join("\n"))
}

#[test]
fn an_export_says_what_is_wrong_with_the_server_when_it_is_first_asked() {
    let texts = at_once(
        bad_days().into_iter().map(|(name, fault)| move || survives(name, &Plan::of("/ds", fault), false)),
    );
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn an_export_says_what_is_wrong_with_the_server_when_it_is_sent_quads() {
    let plan = |fault| Plan::of("POST /ds/data", fault);
    let texts =
        at_once(bad_days().into_iter().map(|(name, fault)| move || survives(name, &plan(fault), true)));
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn an_answer_that_breaks_off_while_it_is_read_is_asked_for_again() {
    // The register, and the staging graphs that are verified; counts.
    for (of, answers) in [("GET /ds/data", 3), ("POST /ds/query", 3)] {
        for spared in 0..answers {
            let (server, folder) = old();
            let plan = Plan::of(of, Fault::Cuts(20)).after(spared);
            server.plan(plan.clone().times(1));
            let ended = export(&server, folder.path(), &[]);
            let what = format!("{of} but for {spared}: {}", ended.stderr);
            assert_eq!((server.played(), ended.status, state(&server)), (1, 0, ["new", "new"]), "{what}");
            server.heal();
            write(folder.path(), "old", OLD);
            server.plan(plan);
            let ended = export(&server, folder.path(), &[]);
            assert!(ended.stderr.contains("error[server::broke-off]"), "{what} {}", ended.stderr);
            assert!(ended.stderr.contains("after 2 tries"), "{what} {}", ended.stderr);
            assert_eq!(ended.status, 2, "{what} {}", ended.stderr);
        }
    }
}

#[test]
fn an_export_that_is_disturbed_at_any_request_leaves_old_graphs_or_new_ones() {
    let (server, folder) = old();
    let before = server.http().requests().len();
    assert_eq!(export(&server, folder.path(), &[]).status, 0);
    let requests = server.http().requests().len() - before;
    let days: [(&str, Fault); 6] = [
        ("fails", Fault::Instead(Answer::status(500, "no"))),
        ("is full", Fault::Instead(Answer::status(507, ""))),
        ("closes while it is asked", Fault::Leaves(20)),
        ("closes without an answer", Fault::Forgets),
        ("closes in its answer", Fault::Cuts(20)),
        ("answers in HTML", Fault::Instead(Answer::ok("text/html", "<title>Sign in</title>"))),
    ];
    at_once(days.into_iter().map(|(name, fault)| {
        move || {
            for spared in 0..requests {
                // From then on, or once.
                let plan = Plan::of("/ds", fault.clone()).after(spared);
                survives(name, &plan, spared % 2 == 0);
                survives(name, &plan.times(1), spared % 2 == 1);
            }
        }
    }));
}
