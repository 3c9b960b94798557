//! `validate --watch`: a report after each change, errors included, and the status of the last one.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::cli::input::run;

const SHAPES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:x:Pet> a sh:NodeShape ; sh:targetClass <urn:x:Pet> ; sh:property <urn:x:name> .
<urn:x:name> sh:path <urn:x:name> ; sh:maxCount 1 .
";
const GOOD: &str = "<urn:x:a> a <urn:x:Pet> ; <urn:x:name> 'Rex' .";
const BAD: &str = "<urn:x:a> a <urn:x:Pet> ; <urn:x:name> 'Rex', 'King' .";

/// Far longer than a look at the files takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A validation that is watching, and the lines that it writes.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn begin(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = crate::program::program();
        command.current_dir(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (sender, lines) = mpsc::channel();
        pass_on(child.stdout.take().expect("it is piped"), sender.clone());
        pass_on(child.stderr.take().expect("it is piped"), sender);
        Self { child, lines }
    }

    /// Waits for lines with these texts, in any order: the lines of stdout and stderr come by ways of their own.
    fn wait_for_all(&self, texts: &[&str]) {
        let (mut left, mut seen) = (texts.to_vec(), Vec::new());
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            if let Some(at) = left.iter().position(|text| line.contains(text)) {
                left.remove(at);
            }
            if left.is_empty() {
                return;
            }
            seen.push(line);
        }
        panic!("{left:?} is not said, but {seen:#?}");
    }

    fn wait_for(&self, text: &str) {
        self.wait_for_all(&[text]);
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("something is said")
    }

    /// Presses Ctrl-C, and returns the exit status.
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let signal = Command::new("kill").args(["-INT", &id]).status().expect("kill is there");
        assert!(signal.success());
        self.child.wait().expect("it ends").code()
    }
}

fn wait_until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it does not come about");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn pass_on(stream: impl Read + Send + 'static, lines: Sender<String>) {
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream).lines().map_while(Result::ok);
        stream.try_for_each(|line| lines.send(line))
    });
}

/// A folder with shapes, and one below it with data that conform.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("data")).expect("the folder is ours");
    write(&folder, "shapes.ttl", SHAPES);
    write(&folder, "data/a.ttl", GOOD);
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("the folder is ours");
}

const WATCH: &[&str] = &["validate", "data", "--shapes", "shapes.ttl", "--watch"];

#[test]
fn each_change_is_followed_by_a_report() {
    let folder = folder();
    let watching = Watching::begin(folder.path(), WATCH);
    watching.wait_for("all files: conforms to");
    write(&folder, "data/a.ttl", BAD);
    watching.wait_for_all(&["`data/a.ttl` changed", "all files: does not conform to"]);
    // A file that is half written is at fault, and no end.
    write(&folder, "data/a.ttl", &BAD[..30]);
    watching.wait_for("error[rdf::syntax]");
    write(&folder, "data/a.ttl", GOOD);
    watching.wait_for("all files: conforms to");
    // New files count, and so do shapes.
    write(&folder, "data/b.ttl", BAD);
    watching.wait_for_all(&["`data/b.ttl` changed", "all files: does not conform to"]);
    write(&folder, "shapes.ttl", &SHAPES.replace("maxCount 1", "maxCount 22"));
    watching.wait_for_all(&["`shapes.ttl` changed", "all files: conforms to"]);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn the_status_is_that_of_the_last_time() {
    let folder = folder();
    write(&folder, "data/a.ttl", BAD);
    let watching = Watching::begin(folder.path(), WATCH);
    watching.wait_for("all files: does not conform to");
    watching.wait_for("at urn:x:a");
    assert_eq!(watching.interrupt(), Some(1));
    write(&folder, "data/a.ttl", &BAD[..30]);
    let watching = Watching::begin(folder.path(), WATCH);
    watching.wait_for("error[rdf::syntax]");
    // The note of the change comes after all that is said of the time before.
    write(&folder, "data/b.ttl", &BAD[..30]);
    watching.wait_for_all(&["`data/b.ttl` changed", "data/b.ttl"]);
    assert_eq!(watching.interrupt(), Some(2));
}

#[test]
fn rules_are_watched_too() {
    let folder = folder();
    let checkpoint = crate::karenina::fixtures::path("karenina/p2-genomics.jsonld");
    let text = fs::read_to_string(checkpoint).expect("the fixture can be read");
    write(&folder, "c.jsonld", &text);
    let watching = Watching::begin(folder.path(), &["validate", "c.jsonld", "--watch"]);
    watching.wait_for("c.jsonld: conforms to");
    write(&folder, "c.jsonld", &text.replacen("\"DataFeed\"", "\"Feed\"", 1));
    watching.wait_for_all(&["`c.jsonld` changed", "c.jsonld"]);
    assert!(watching.interrupt().is_some());
}

#[test]
fn a_report_among_the_data_is_no_change() {
    let folder = folder();
    let arguments = [WATCH, &["-o", "data/report.ttl"]].concat();
    let watching = Watching::begin(folder.path(), &arguments);
    let report = folder.path().join("data/report.ttl");
    let is_told = |conforms: &str| fs::read_to_string(&report).is_ok_and(|text| text.contains(conforms));
    wait_until(|| is_told("true"));
    write(&folder, "data/a.ttl", BAD);
    // The first change that is told is this one.
    assert!(watching.next().contains("`data/a.ttl` changed"));
    wait_until(|| is_told("false"));
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn stdin_and_a_store_are_not_watched() {
    let folder = folder();
    let (status, _, stderr) = run(folder.path(), &["validate", "-", "--watch"]);
    assert!(status == 2 && stderr.contains("input::stdin"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["validate", "--shapes", "shapes.ttl", "--watch"]);
    assert!(status == 2 && stderr.contains("INPUT"), "{stderr}");
}
