//! A server for one test, on loopback ports of its own and with a folder of its own; it is killed when it is dropped.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evalgraph::ServerPlace;
use tempfile::TempDir;

use super::http::{Answered, Question};
use super::without;

/// How long a server may take to start: a Java program on a busy machine takes half a minute.
const PATIENCE: Duration = Duration::from_secs(180);

/// The repository of RDF4J that tests use.
const RDF4J_REPOSITORY: &str = r#"
@prefix rep: <http://www.openrdf.org/config/repository#> .
@prefix sr: <http://www.openrdf.org/config/repository/sail#> .
@prefix sail: <http://www.openrdf.org/config/sail#> .
[] a rep:Repository ; rep:repositoryID "ds" ; rep:repositoryImpl [
    rep:repositoryType "openrdf:SailRepository" ; sr:sailImpl [ sail:sailType "openrdf:NativeStore" ] ] .
"#;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Apache Jena Fuseki with a dataset in memory.
    Fuseki,
    /// Apache Jena Fuseki with a dataset on disk.
    Tdb2,
    Rdf4j,
    Oxigraph,
    Virtuoso,
}

impl Kind {
    /// Returns whether a graph is still there after the server was stopped.
    pub(crate) fn is_persistent(self) -> bool {
        self != Self::Fuseki
    }

    /// The name in `tests/servers/start`, and a file that an installed server has.
    fn files(self) -> (&'static str, &'static str) {
        match self {
            Self::Fuseki => ("fuseki", "jena-fuseki-server-5.6.0.jar"),
            Self::Tdb2 => ("tdb2", "jena-fuseki-server-5.6.0.jar"),
            Self::Rdf4j => ("rdf4j", "rdf4j-http-server-4.1.3.war"),
            Self::Oxigraph => ("oxigraph", "oxigraph"),
            Self::Virtuoso => ("virtuoso", "virtuoso"),
        }
    }

    /// A file or folder of the installed program; none where it is not installed, which is said.
    pub(crate) fn installed(self) -> Option<PathBuf> {
        let installed = folder().join("programs").join(self.files().1);
        if !installed.exists() {
            without(self, &format!("{} is not there; tests/servers/install makes it", installed.display()));
            return None;
        }
        Some(installed)
    }

    /// The path of the Graph Store Protocol, where the service names a graph by a parameter.
    fn graph_store(self) -> &'static str {
        match self {
            Self::Fuseki | Self::Tdb2 => "/ds/data",
            Self::Rdf4j => "/rdf4j-server/repositories/ds/rdf-graphs/service",
            Self::Oxigraph => "/store",
            Self::Virtuoso => "/sparql-graph-crud-auth",
        }
    }

    /// A path that is found as soon as the server is ready.
    fn ready(self) -> &'static str {
        match self {
            Self::Fuseki | Self::Tdb2 => "/ds",
            Self::Rdf4j => "/rdf4j-server/protocol",
            Self::Oxigraph => "/",
            Self::Virtuoso => "/sparql",
        }
    }

    fn login(self) -> Option<[&'static str; 2]> {
        (self == Self::Virtuoso).then_some(["dba", "dba"])
    }
}

/// A server that answers.
pub(crate) struct Server {
    kind: Kind,
    port: u16,
    process: Process,
    folder: TempDir,
}

/// A server that was stopped, with all that it keeps.
pub(crate) struct Stopped {
    kind: Kind,
    folder: TempDir,
}

/// A process that ends with its owner.
struct Process(Child);

impl Server {
    /// Starts an empty server; none where it is not installed, which is said.
    pub(crate) fn start(kind: Kind) -> Option<Self> {
        kind.installed()?;
        let stopped = Stopped { kind, folder: TempDir::new().expect("a temporary folder") };
        let server = stopped.started();
        if kind == Kind::Rdf4j {
            let question = Question {
                method: "PUT",
                target: "/rdf4j-server/repositories/ds",
                fields: &[("Content-Type", "text/turtle")],
                body: RDF4J_REPOSITORY,
            };
            server.done(&question);
        }
        Some(server)
    }

    /// The address of queries.
    pub(crate) fn query_url(&self) -> String {
        let path = match self.kind {
            Kind::Fuseki | Kind::Tdb2 => "/ds",
            Kind::Rdf4j => "/rdf4j-server/repositories/ds",
            Kind::Oxigraph => "/query",
            Kind::Virtuoso => "/sparql-auth",
        };
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Adds N-Quads.
    pub(crate) fn add(&self, quads: &str) {
        let target = match self.kind {
            Kind::Fuseki | Kind::Tdb2 => "/ds/data",
            Kind::Rdf4j => "/rdf4j-server/repositories/ds/statements",
            Kind::Oxigraph => "/store",
            // By HTTP it takes a graph at a time, with blank nodes of its own.
            Kind::Virtuoso => return self.add_by_loader(quads),
        };
        let fields = [("Content-Type", "application/n-quads")];
        self.done(&Question { method: "POST", target, fields: &fields, body: quads });
    }

    /// Adds N-Quads by Virtuoso's own loader, which reads a file.
    fn add_by_loader(&self, quads: &str) {
        let file = self.folder.path().join("added.nq");
        fs::write(&file, quads).expect("the folder is ours");
        // 512 are N-Quads.
        let load = format!("TTLP(file_to_string_output('{}'), '', 'urn:none', 512)", file.display());
        let programs = self.kind.installed().expect("the server has started");
        let mut isql = Command::new(programs.join("usr/bin/isql-vt"));
        isql.env("LD_LIBRARY_PATH", programs.join("lib/x86_64-linux-gnu"));
        isql.arg((self.port + 1).to_string()).args(["dba", "dba", &format!("exec={load};")]);
        let output = isql.output().expect("it is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Replaces a graph by N-Triples.
    pub(crate) fn put(&self, graph: &str, triples: &str) {
        self.done(&Question {
            method: "PUT",
            target: &self.target(graph),
            fields: &[("Content-Type", "application/n-triples")],
            body: triples,
        });
    }

    /// A graph as lines of N-Triples in order, with spaces between terms; none where it is empty or not there.
    pub(crate) fn graph(&self, graph: &str) -> Option<String> {
        let answered = self.ask(&Question {
            method: "GET",
            target: &self.target(graph),
            fields: &[("Accept", "application/n-triples")],
            body: "",
        });
        assert!(matches!(answered.status, 200 | 404), "{}\n{}", answered.head, answered.body);
        let is_triple = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let found = answered.status == 200;
        let mut lines: Vec<String> = answered
            .body
            .lines()
            .filter(|line| found && is_triple(line))
            .map(|line| line.replace('\t', " "))
            .collect();
        lines.sort();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The folder that the server may read and write.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Stops the server in order.
    pub(crate) fn stopped(self) -> Stopped {
        let Self { kind, mut process, folder, .. } = self;
        let told = Command::new("kill").arg(process.0.id().to_string()).status();
        assert!(told.is_ok_and(|status| status.success()), "{kind:?} can be told to end");
        process.0.wait().expect("it is our child");
        Stopped { kind, folder }
    }

    /// Ends the server at once, as a loss of power would.
    pub(crate) fn killed(self) -> Stopped {
        let Self { kind, process, folder, .. } = self;
        drop(process);
        Stopped { kind, folder }
    }

    /// The place of exports to the server, whose port may be that of a relay.
    pub(crate) fn place(&self, port: u16) -> ServerPlace {
        let url = |path: &str| format!("http://127.0.0.1:{port}{path}");
        match self.kind {
            Kind::Fuseki | Kind::Tdb2 => ServerPlace::Fuseki { url: url(""), dataset: "ds".to_owned() },
            Kind::Rdf4j => ServerPlace::Rdf4j { url: url("/rdf4j-server"), repository: "ds".to_owned() },
            Kind::Oxigraph => ServerPlace::GraphStore { url: url("/store"), update: Some(url("/update")) },
            Kind::Virtuoso => ServerPlace::Virtuoso { url: url("") },
        }
    }

    /// The arguments of an export to the server.
    pub(crate) fn export_arguments(&self) -> Vec<String> {
        let arguments = match self.place(self.port) {
            ServerPlace::Fuseki { url, dataset } => {
                vec!["fuseki".to_owned(), url, "--dataset".to_owned(), dataset]
            }
            ServerPlace::Rdf4j { url, repository } => {
                vec!["rdf4j".to_owned(), url, "--repository".to_owned(), repository]
            }
            ServerPlace::GraphStore { url, update: Some(update) } => {
                vec!["gsp".to_owned(), url, "--update-url".to_owned(), update]
            }
            ServerPlace::Virtuoso { url } => vec!["virtuoso".to_owned(), url],
            place => panic!("no test exports to {place:?}"),
        };
        [vec!["export".to_owned()], arguments].concat()
    }

    /// The variables of the environment by which the server knows who exports.
    pub(crate) fn credentials(&self) -> Vec<(&'static str, &'static str)> {
        let [user, password] = match self.kind.login() {
            Some(login) => login,
            None => return Vec::new(),
        };
        vec![("EVALGRAPH_USER", user), ("EVALGRAPH_PASSWORD", password)]
    }

    fn target(&self, graph: &str) -> String {
        format!("{}?graph={}", self.kind.graph_store(), graph.replace('%', "%25"))
    }

    fn ask(&self, question: &Question<'_>) -> Answered {
        question.ask(self.port, self.kind.login()).unwrap_or_else(|error| panic!("{:?}: {error}", self.kind))
    }

    fn done(&self, question: &Question<'_>) {
        let answered = self.ask(question);
        assert!(matches!(answered.status, 200..300), "{}\n{}", answered.head, answered.body);
    }
}

impl Stopped {
    /// Starts the server again and waits until it answers.
    pub(crate) fn started(self) -> Server {
        let Self { kind, folder: own } = self;
        let (port, output) = (free_ports(), own.path().join("output.txt"));
        let written = File::create(&output).expect("the folder is ours");
        let mut start = Command::new(folder().join("start"));
        start.arg(kind.files().0).arg(port.to_string()).arg(own.path()).stdin(Stdio::null());
        start.stdout(written.try_clone().expect("a file has two handles")).stderr(written);
        let mut process = Process(start.spawn().expect("tests/servers/start can be run"));
        let end = Instant::now() + PATIENCE;
        let ready = Question { method: "GET", target: kind.ready(), fields: &[], body: "" };
        while !ready.ask(port, None).is_ok_and(|answered| answered.status == 200) {
            let said = || fs::read_to_string(&output).unwrap_or_default();
            let ended = process.0.try_wait().expect("it is our child");
            assert!(ended.is_none(), "{kind:?} has ended: {}", said());
            assert!(Instant::now() < end, "{kind:?} does not answer: {}", said());
            sleep(Duration::from_millis(100));
        }
        Server { kind, port, process, folder: own }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first of two ports that follow each other and are free.
fn free_ports() -> u16 {
    let found = (0..100).find_map(|_| {
        let first = TcpListener::bind(("127.0.0.1", 0)).ok()?;
        let port = first.local_addr().ok()?.port();
        TcpListener::bind(("127.0.0.1", port.checked_add(1)?)).ok().map(|_| port)
    });
    found.expect("loopback has free ports")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers")
}
