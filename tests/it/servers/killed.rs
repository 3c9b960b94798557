//! Exports and servers that are killed at random moments: each graph is the old one or the new one, and a second run finishes.

use std::env;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

use super::export::{export, found, made, program};
use super::server::{Kind, Server};

/// How often the program is killed, unless `EVALGRAPH_KILLS` says how often.
const KILLS: usize = 5;

/// How often a server is killed, a share of that.
const OF_SERVERS: usize = 5;

/// How many triples without blank nodes the largest graph has.
const TRIPLES: usize = 5_000;

fn kills() -> usize {
    env::var("EVALGRAPH_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}

/// Two versions of the data, and how long an export of one takes.
struct Versions {
    folders: [TempDir; 2],
    triples: [Vec<Vec<String>>; 2],
    time: Duration,
}

impl Versions {
    fn exported_to(server: &Server) -> Self {
        let folders = [(); 2].map(|()| TempDir::new().expect("a temporary folder"));
        let triples = [0, 1].map(|at| made(folders[at].path(), at, TRIPLES));
        let done = |folder: &TempDir| {
            let begin = Instant::now();
            let (status, said) = export(server, folder.path(), &["--replace"]);
            assert_eq!(status, 0, "{said}");
            begin.elapsed()
        };
        // The first one warms the server.
        done(&folders[1]);
        let time = done(&folders[0]);
        Self { folders, triples, time }
    }

    /// Checks that each graph is of the one version or of the other.
    fn check(&self, server: &Server, when: &str) {
        for (at, graph) in found(server).iter().enumerate() {
            let is_known = self.triples.iter().any(|version| version[at] == *graph);
            assert!(is_known, "{when}: a graph has {} triples", graph.len());
        }
    }

    /// Finishes an export of a version.
    fn finish(&self, server: &Server, version: usize, when: &str) {
        let options = ["--replace", "--resume"];
        let (status, said) = export(server, self.folders[version].path(), &options);
        assert_eq!(status, 0, "{when}: {said}");
        assert!(found(server) == self.triples[version], "{when}: the second run has finished");
        assert_eq!(server.graph("urn:evalgraph:staging"), None, "{when}");
    }
}

/// Starts an export of a folder.
fn started(server: &Server, folder: &Path) -> std::process::Child {
    let mut program = program(server, folder, &["--replace", "--resume"]);
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn the_program_is_killed(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let versions = Versions::exported_to(&server);
    let mut random = StdRng::seed_from_u64(7);
    for kill in 1..=kills() {
        let version = kill % 2;
        let moment = versions.time.mul_f64(random.random_range(0.0..1.1));
        let when = format!("{kind:?}, kill {kill} after {moment:?}");
        let mut child = started(&server, versions.folders[version].path());
        sleep(moment);
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        versions.check(&server, &when);
        versions.finish(&server, version, &when);
    }
}

fn the_server_is_killed(kind: Kind) {
    let Some(mut server) = Server::start(kind) else { return };
    let versions = Versions::exported_to(&server);
    let mut random = StdRng::seed_from_u64(11);
    for kill in 1..=(kills() / OF_SERVERS).max(2) {
        let version = kill % 2;
        let moment = versions.time.mul_f64(random.random_range(0.1..1.0));
        let when = format!("{kind:?} killed {kill} times, after {moment:?}");
        let mut child = started(&server, versions.folders[version].path());
        sleep(moment);
        let stopped = server.killed();
        // Its tries to reach the server are not what is tested here.
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        server = stopped.started();
        versions.check(&server, &when);
        versions.finish(&server, version, &when);
    }
}

macro_rules! killed {
    ($($name:ident: $test:ident($kind:expr);)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            $test($kind);
        }
    )*};
}

killed! {
    an_export_to_fuseki_is_killed: the_program_is_killed(Kind::Tdb2);
    an_export_to_rdf4j_is_killed: the_program_is_killed(Kind::Rdf4j);
    an_export_to_oxigraph_is_killed: the_program_is_killed(Kind::Oxigraph);
    an_export_to_virtuoso_is_killed: the_program_is_killed(Kind::Virtuoso);
    fuseki_on_disk_is_killed: the_server_is_killed(Kind::Tdb2);
    // Not RDF4J: its native store (4.1.3) does not outlive a kill in a PUT of one graph, by whomever, with whole indexes. With
    // `forceSync` it breaks later, and its LMDB store takes no more updates after a few kills.
    oxigraph_is_killed: the_server_is_killed(Kind::Oxigraph);
    virtuoso_is_killed: the_server_is_killed(Kind::Virtuoso);
}
