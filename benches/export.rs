//! An export of 100,000 questions to Fuseki on disk, beside `curl` that posts the same quads as a file to an empty dataset, and
//! the program's memory (Linux, `proc(5)`, `RssAnon`). It needs the servers that `tests/servers/install` installs, and curl;
//! `EVALGRAPH_QUESTIONS` makes other numbers of questions.

#[path = "support/mod.rs"]
mod support;

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::checkpoint;
use support::children::{evalgraph, peak_memory, run};
use tempfile::TempDir;

/// The part of the peer's time that sending may take.
const BAR: f64 = 1.2;

/// The most memory of the exporter, in mebibytes.
const MOST_MEMORY: u64 = 200;

fn main() {
    let questions = std::env::var("EVALGRAPH_QUESTIONS").ok().and_then(|number| number.parse().ok());
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("made.jsonld"), checkpoint::text(questions.unwrap_or(100_000)))
        .expect("the corpus can be written");
    for arguments in [&["init", "."][..], &["load", "made.jsonld"], &["export", "files", "out"]] {
        run(evalgraph(folder.path()).args(arguments)).expect("the program runs");
    }
    let Some(posted) = posted(&folder.path().join("out/data.nq")) else {
        return println!("left out: tests/servers/install has not installed Fuseki, or curl is not here");
    };
    println!("curl posts the file{:>40.1} s", posted.as_secs_f64());
    for verify in ["false", "true"] {
        let (sent, whole, memory) = exported(folder.path(), verify);
        let ratio = sent.as_secs_f64() / posted.as_secs_f64();
        let holds = ratio <= BAR && memory <= MOST_MEMORY;
        println!(
            "--verify {verify}: sent in {:.1} s, {ratio:.2} of curl's (bar {BAR}); in place after {:.1} s; {memory} MiB {}",
            sent.as_secs_f64(),
            whole.as_secs_f64(),
            if holds { "ok" } else { "MISSED" }
        );
    }
}

/// How long `curl` takes to post a file to an empty server.
fn posted(file: &Path) -> Option<Duration> {
    let server = Fuseki::start()?;
    let begin = Instant::now();
    let mut curl = Command::new("curl");
    curl.args(["-f", "-X", "POST", "-H", "Content-Type: application/n-quads", "-T"]).arg(file);
    run(curl.arg(server.url("/ds/data")))?;
    Some(begin.elapsed())
}

/// How long an export to an empty server takes until it has sent all quads, and until they are in place, and the most memory of
/// the program in mebibytes.
fn exported(store: &Path, verify: &str) -> (Duration, Duration, u64) {
    let server = Fuseki::start().expect("it has started before");
    let begin = Instant::now();
    let mut command = evalgraph(store);
    command.args(["export", "fuseki", &server.url(""), "--dataset", "ds", "--verify", verify]);
    let mut child = command.stderr(Stdio::null()).spawn().expect("the program starts");
    let memory = peak_memory(&mut child, "RssAnon").unwrap_or(0) >> 20;
    let whole = begin.elapsed();
    assert!(child.wait().expect("it is our child").success());
    (server.time_of_posts(), whole, memory)
}

/// An empty Fuseki on disk, which ends when it is dropped.
struct Fuseki {
    process: Child,
    port: u16,
    folder: TempDir,
}

impl Fuseki {
    fn start() -> Option<Self> {
        let servers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers");
        let folder = TempDir::new().expect("a temporary folder");
        let port = TcpListener::bind(("127.0.0.1", 0)).ok()?.local_addr().ok()?.port();
        let log = File::create(Self::log(&folder)).expect("the folder is ours");
        let mut start = Command::new(servers.join("start"));
        start.args(["tdb2", &port.to_string()]).arg(folder.path()).env("SERVER_MEMORY", "6g");
        let process = start.stdout(log).stderr(Stdio::null()).spawn().ok()?;
        let mut server = Self { process, port, folder };
        while run(Command::new("curl").args(["-f", &server.url("/ds")])).is_none() {
            if server.process.try_wait().expect("it is our child").is_some() {
                return None;
            }
            sleep(Duration::from_millis(200));
        }
        Some(server)
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn log(folder: &TempDir) -> PathBuf {
        folder.path().join("log.txt")
    }

    /// The time that the server says it has spent on requests with quads: their number stands before the address, and before
    /// `200 OK (1.234 s)` or `(56 ms)`.
    fn time_of_posts(&self) -> Duration {
        let log = fs::read_to_string(Self::log(&self.folder)).expect("the server has a log");
        let number =
            |line: &str| line.split('[').nth(2).and_then(|rest| rest.split(']').next()).map(str::to_owned);
        let posts: Vec<_> = log
            .lines()
            .filter(|line| line.contains("/ds/data") && line.contains("] POST"))
            .map(number)
            .collect();
        let answers = log.lines().filter(|line| line.contains("] 200 OK (") && posts.contains(&number(line)));
        answers.filter_map(time).sum()
    }
}

/// The time in brackets at the end of a line.
fn time(line: &str) -> Option<Duration> {
    let (_, time) = line.rsplit_once('(')?;
    let (number, unit) = time.trim_end_matches(')').split_once(' ')?;
    let number: f64 = number.replace(',', "").parse().ok()?;
    Some(Duration::from_secs_f64(if unit == "ms" { number / 1e3 } else { number }))
}

impl Drop for Fuseki {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
