//! Servers with bad days, as the command line meets them: one clear error, exit status 2, and a second run that finishes.

mod asking;
mod kinds;
mod proxies;
mod sending;

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::cli::input::evalgraph;
use crate::faulty_server::{Fault, FaultyServer};
use crate::http_server::Answer;

const GRAPH: &str = "urn:evalgraph:graph:a.ttl";

/// What a run of the program came to.
#[derive(Debug)]
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs the program with variables of the environment, and no others that are about servers.
fn run(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Ended {
    let mut command = evalgraph(folder);
    for name in ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "EVALGRAPH_USER", "EVALGRAPH_TOKEN"] {
        command.env_remove(name);
    }
    let output =
        command.envs(variables.iter().copied()).args(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    Ended {
        status: output.status.code().expect("the program ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The bad days of a server, each with a name.
fn bad_days() -> Vec<(&'static str, Fault)> {
    let instead = |status: u16, text: &str| Fault::Instead(Answer::status(status, text));
    let html = "<!doctype html><title>Sign in</title><p>Please sign in to go on.";
    vec![
        ("401", Fault::Refuses(Answer::status(401, "").with("WWW-Authenticate", "Basic realm=\"tests\""))),
        ("403", instead(403, "read only")),
        ("404", instead(404, "no such dataset")),
        ("413", Fault::Refuses(Answer::status(413, "at most 1 kB"))),
        ("429", instead(429, "")),
        ("500", instead(500, "java.lang.NullPointerException")),
        ("503 for an hour", Fault::Instead(Answer::status(503, "").with("Retry-After", "3600"))),
        ("full", instead(507, "")),
        ("HTML", Fault::Instead(Answer::ok("text/html; charset=utf-8", html))),
        ("closes while it is asked", Fault::Leaves(20)),
        ("closes without an answer", Fault::Forgets),
        ("closes in its answer", Fault::Cuts(20)),
        ("closes in a chunk", Fault::CutsChunks),
        ("hangs", Fault::Instead(Answer::Silence)),
        ("hangs in its answer", Fault::Stalls(20)),
        ("redirects", Fault::Instead(Answer::redirect(301, "http://127.0.0.1:9/elsewhere"))),
    ]
}

/// The text with the ports of servers as words.
fn without_ports(text: &str, server: &FaultyServer) -> String {
    text.replace(&format!(":{}", server.http().port()), ":PORT")
}

/// Returns whether tests that take a share of many cases take all of them.
fn run_all() -> bool {
    std::env::var_os("EVALGRAPH_MATRIX").is_some()
}

/// How much is done at once, since most of it is waiting.
const AT_ONCE: usize = 16;

/// Does all of this, and returns what it comes to in its order.
fn at_once<T: Send>(all: impl IntoIterator<Item = impl FnOnce() -> T + Send>) -> Vec<T> {
    let all: Vec<_> = all.into_iter().map(|one| Mutex::new((Some(one), None))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
            let mut one = one.lock().expect("nobody else works on it");
            one.1 = one.0.take().map(|one| one());
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE.min(all.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
    });
    all.into_iter().filter_map(|one| one.into_inner().expect("no thread has panicked").1).collect()
}
