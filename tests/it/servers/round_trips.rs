//! All fixtures of all systems go to each server and come back: the graphs are the same, but for the literals of
//! `changed_literals.tsv`, and the decimal numbers and times that a server writes in one way only. The six hundred small files that break one rule each go with
//! `EVALGRAPH_FIXTURES=all`: some servers take seconds for each graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, OF_SHAPES, root};
use crate::rdf::isomorphism::{Quad, Term, isomorphic, read_n_quads};

/// The literals that a server gives back as others: its name, our literal, and the server's.
const CHANGED: &str = include_str!("changed_literals.tsv");

const COUNT: &str = "^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>";
const BOOLEAN: &str = "^^<http://www.w3.org/2001/XMLSchema#boolean>";
const INTEGER: &str = "^^<http://www.w3.org/2001/XMLSchema#integer>";
const DECIMAL: &str = "\"^^<http://www.w3.org/2001/XMLSchema#decimal>";
const DATE_TIME: &str = "\"^^<http://www.w3.org/2001/XMLSchema#dateTime>";

/// A literal as a server writes it that has one way to write a decimal number, and Oxigraph and Virtuoso for the time zone UTC.
fn one_way_to_write(kind: Kind, literal: &str) -> String {
    let is_short = matches!(kind, Kind::Oxigraph | Kind::Virtuoso);
    if let (true, Some(time)) =
        (is_short, literal.strip_suffix(DATE_TIME).and_then(|time| time.strip_suffix("+00:00")))
    {
        return format!("{time}Z{DATE_TIME}");
    }
    match literal.strip_suffix(DECIMAL) {
        Some(number) if number.contains('.') && (is_short || kind == Kind::Tdb2) => {
            let shorter = number.trim_end_matches('0');
            let shorter =
                if is_short { shorter.trim_end_matches('.').to_owned() } else { shorter.to_owned() };
            let whole = if shorter.ends_with('.') { "0" } else { "" };
            format!("{shorter}{whole}{DECIMAL}")
        }
        _ => literal.to_owned(),
    }
}

/// The literals that a server gives back as others.
struct Changes {
    kind: Kind,
    literals: BTreeMap<&'static str, &'static str>,
}

impl Changes {
    fn of(kind: Kind) -> Self {
        let rows = CHANGED.lines().map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [server, ours, theirs] => (server, ours, theirs),
            _ => panic!("{line}"),
        });
        let own = rows.filter(|(server, ..)| *server == format!("{kind:?}").to_lowercase());
        Self { kind, literals: own.map(|(_, ours, theirs)| (ours, theirs)).collect() }
    }

    /// The quad as the server gives it back, without its graph.
    fn changed(&self, [subject, predicate, object, _]: &Quad) -> Quad {
        let object = match object {
            Term::Ground(text) => Term::Ground(match self.literals.get(text.as_str()) {
                Some(other) => (*other).to_owned(),
                // Oxigraph has one datatype for all integers.
                None if self.kind == Kind::Oxigraph => {
                    one_way_to_write(self.kind, text).replace(COUNT, INTEGER)
                }
                None => one_way_to_write(self.kind, text),
            }),
            blank => blank.clone(),
        };
        [subject.clone(), predicate.clone(), object, Term::Ground(String::new())]
    }

    /// Returns whether the server may lose a graph: TDB2 makes other numbers of integers beyond 64 bits once it no longer has them in memory.
    fn may_lose(&self, graph: &BTreeSet<Quad>) -> bool {
        let is_beyond = |[_, _, object, _]: &Quad| match object {
            Term::Ground(text) => text
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix(&format!("\"{INTEGER}")))
                .is_some_and(|digits| digits.parse::<i64>().is_err()),
            _ => false,
        };
        self.kind == Kind::Tdb2 && graph.iter().any(is_beyond)
    }

    /// Returns whether the server cannot keep a graph: to Virtuoso `true` and `1` are one value.
    fn cannot_keep(&self, graph: &BTreeSet<Quad>) -> bool {
        let number = || Term::Ground(format!("\"1\"{INTEGER}"));
        let truth = Term::Ground(format!("\"true\"{BOOLEAN}"));
        let has_both = |[subject, predicate, object, name]: &Quad| {
            *object == truth && graph.contains(&[subject.clone(), predicate.clone(), number(), name.clone()])
        };
        self.kind == Kind::Virtuoso && graph.iter().any(has_both)
    }
}

/// A folder with a store of all fixtures that can be loaded, and its graphs by their names.
fn fixtures() -> (TempDir, BTreeMap<String, BTreeSet<Quad>>) {
    let folder = TempDir::new().expect("a temporary folder");
    let is_all = std::env::var("EVALGRAPH_FIXTURES").is_ok_and(|value| value == "all");
    let entries = fs::read_dir(root()).expect("the fixtures are there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let files: Vec<String> = paths
        .filter(|path| path.is_dir() && !path.ends_with(FOREIGN))
        .filter(|path| is_all || !path.ends_with(OF_SHAPES))
        .map(|path| path.display().to_string())
        .collect();
    // Some fixtures are at fault; the others are loaded.
    let load: Vec<&str> =
        ["load", "--keep-going"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let export = ["export", "files", "out", "--with", "catalog,sidecar"];
    let ended = [&["init"][..], &load, &export].map(|command| run(folder.path(), command));
    assert_eq!(ended[2].0, 0, "{ended:?}");
    let quads = fs::read_to_string(folder.path().join("out/data.nq")).expect("it is exported");
    let mut graphs: BTreeMap<String, BTreeSet<Quad>> = BTreeMap::new();
    for quad in read_n_quads(&quads) {
        let Term::Ground(name) = &quad[3] else { panic!("graphs of fixtures have IRIs") };
        graphs.entry(name.trim_matches(['<', '>']).to_owned()).or_default().insert(quad);
    }
    assert!(graphs.len() > if is_all { 1_000 } else { 200 }, "{}", graphs.len());
    (folder, graphs)
}

/// Exports a store with all its graphs: the exit status, and what is said.
fn export(server: &Server, store: &Path) -> (Option<i32>, String) {
    let mut program = crate::program::program();
    program.args(server.export_arguments()).args(["--with", "catalog,sidecar"]);
    let output = program.envs(server.credentials()).current_dir(store).output().expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn fixtures_come_back(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let (folder, graphs) = fixtures();
    let changes = Changes::of(kind);
    let (status, stderr) = export(&server, folder.path());
    let is_told = |name: &str| stderr.contains(&format!("the server has not kept `{name}`"));
    let is_lost = |name: &str, quads| changes.cannot_keep(quads) || changes.may_lose(quads) && is_told(name);
    let lost = graphs.iter().filter(|(name, quads)| is_lost(name, quads));
    let lost: BTreeSet<&str> = lost.map(|(name, _)| name.as_str()).collect();
    assert_eq!(status, Some(i32::from(!lost.is_empty())), "{stderr}");
    for graph in &lost {
        assert!(is_told(graph), "{graph}: {stderr}");
        assert_eq!(server.graph(graph), None, "{graph}");
    }
    for (name, quads) in graphs.iter().filter(|(name, _)| !lost.contains(name.as_str())) {
        let expected: BTreeSet<Quad> = quads.iter().map(|quad| changes.changed(quad)).collect();
        let found = read_n_quads(&server.graph(name).unwrap_or_default());
        let only = |left: &BTreeSet<Quad>, right: &BTreeSet<Quad>| -> Vec<Quad> {
            let is_ground = |quad: &&Quad| quad.iter().all(|term| matches!(term, Term::Ground(_)));
            left.difference(right).filter(is_ground).take(5).cloned().collect()
        };
        assert!(
            isomorphic(&expected, &found),
            "{kind:?} {name}: {:?} {:?}",
            only(&expected, &found),
            only(&found, &expected)
        );
    }
}

macro_rules! servers {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            fixtures_come_back($kind);
        }
    )*};
}

servers! {
    fixtures_come_back_from_fuseki_in_memory: Kind::Fuseki;
    fixtures_come_back_from_fuseki_on_disk: Kind::Tdb2;
    fixtures_come_back_from_rdf4j: Kind::Rdf4j;
    fixtures_come_back_from_oxigraph: Kind::Oxigraph;
    fixtures_come_back_from_virtuoso: Kind::Virtuoso;
}
