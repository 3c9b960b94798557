//! The export as Parquet for 100,000 questions beside N-Quads: its size beside the gzipped file, its CPU beside that of the plain
//! one, and the program's memory. Then queries as SQL on DuckDB beside SQL written by hand over the table `questions`. That
//! needs DuckDB, which `tests/peers/install sql` installs.
//!
//! `cargo bench --profile dist --bench parquet` prints the figures. `EVALGRAPH_QUESTIONS` makes other numbers of questions.

#[path = "support/mod.rs"]
mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::checkpoint;
use support::children::{cpu, evalgraph, peak_memory};
use tempfile::TempDir;

/// The most memory of the program, in mebibytes.
const MOST_MEMORY: u64 = 400;
/// How many times the least CPU is taken of.
const RUNS: u32 = 3;

/// A query, and SQL over the table `questions` with the same answer.
struct Asked {
    name: &'static str,
    query: &'static str,
    by_hand: &'static str,
}

const ASKED: [Asked; 3] = [
    Asked {
        name: "star with texts",
        query: "SELECT ?q ?text ?answer {
                  ?q a s:Question ; s:text ?text ; s:acceptedAnswer ?accepted .
                  ?accepted s:text ?answer .
                  ?item s:item ?q ; s:dateCreated ?created
                  FILTER(STR(?created) > '2025-09')
                }",
        by_hand: "SELECT id, question_text, answer FROM questions WHERE created > '2025-09'",
    },
    Asked {
        name: "star with dates",
        query: "SELECT ?q ?created ?modified {
                  ?q a s:Question .
                  ?item s:item ?q ; s:dateCreated ?created ; s:dateModified ?modified
                  FILTER(STR(?created) > '2025-09')
                }",
        by_hand: "SELECT id, created, modified FROM questions WHERE created > '2025-09'",
    },
    Asked {
        name: "group by month",
        query: "SELECT ?month (COUNT(*) AS ?n) {
                  ?q a s:Question . ?item s:item ?q ; s:dateCreated ?created
                  BIND(SUBSTR(STR(?created), 1, 7) AS ?month)
                } GROUP BY ?month",
        by_hand: "SELECT substr(created, 1, 7) AS month, count(*) AS n FROM questions GROUP BY 1",
    },
];

fn main() {
    let questions = std::env::var("EVALGRAPH_QUESTIONS").ok().and_then(|number| number.parse().ok());
    let questions = questions.unwrap_or(100_000);
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path();
    checkpoint::write_into(path, questions);
    println!("{questions} questions, {} quads", checkpoint::quads(questions));
    let export = |arguments: &[&str]| {
        let mut command = evalgraph(path);
        command.arg("export").args(arguments).args(["--replace", "checkpoint.jsonld"]);
        command
    };
    let time = |arguments: &[&str]| cpu(RUNS, || export(arguments)).expect("the program runs").as_secs_f64();
    let parquet = time(&["parquet", "quads"]);
    let plain = time(&["files", "plain"]);
    let gzipped = time(&["files", "gzipped", "--compress", "gzip"]);
    let [of_parquet, of_gzipped] = ["quads", "gzipped"].map(|name| size(&path.join(name)));
    let per_question = |bytes: u64| bytes as f64 / questions as f64;
    println!(
        "size: {:.0} bytes a question; {:.0} as gzipped N-Quads, ratio {:.2} (bar 0.5)",
        per_question(of_parquet),
        per_question(of_gzipped),
        of_parquet as f64 / of_gzipped as f64
    );
    println!(
        "CPU: {parquet:.1} s; N-Quads {plain:.1} s, ratio {:.2} (bar 2); gzipped {gzipped:.1} s, ratio {:.2}",
        parquet / plain,
        parquet / gzipped
    );
    for (name, arguments) in
        [("quads", &["parquet", "quads"][..]), ("with tables", &["parquet", "tables", "--tables"])]
    {
        let mut child = export(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.as_mut().expect("the program starts");
        let memory = peak_memory(child, "RssAnon").unwrap_or(0) >> 20;
        assert!(child.wait().expect("it is our child").success());
        println!("memory, {name}: {memory} MiB (bar {MOST_MEMORY})");
    }
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    if !peers.join(".venv-sql/installed.txt").exists() {
        return println!("left out: DuckDB is not there; tests/peers/install sql installs it");
    }
    for asked in &ASKED {
        let output = evalgraph(path).args(["query", "-q", asked.query, "--sql", "duckdb"]).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let statement = String::from_utf8(output.stdout).expect("it is a text");
        let [ours, by_hand] = seconds(&peers, &path.join("tables"), [&statement, asked.by_hand]);
        println!(
            "{}: {ours:.3} s of CPU on DuckDB; by hand {by_hand:.3} s, ratio {:.1} (bar 2)",
            asked.name,
            ours / by_hand
        );
    }
}

/// The bytes of the files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("the folder is ours");
    let sizes = entries.map(|entry| {
        let entry = entry.expect("the folder is ours");
        let about = entry.metadata().expect("the folder is ours");
        if about.is_dir() { size(&entry.path()) } else { about.len() }
    });
    sizes.sum()
}

/// The least CPU of DuckDB for each of two statements with answers of the same size, over an exported folder.
fn seconds(peers: &Path, folder: &Path, statements: [&str; 2]) -> [f64; 2] {
    let mut command = Command::new(peers.join(".venv-sql/bin/python"));
    command.arg(peers.join("sql_peer.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it is installed");
    let mut questions = child.stdin.take().expect("it is piped");
    for statement in statements {
        let question = json!({"engine": "duckdb", "folder": folder, "statement": statement, "runs": RUNS});
        writeln!(questions, "{question}").expect("it reads them");
    }
    drop(questions);
    let output = child.wait_with_output().expect("it is our child");
    let answers = String::from_utf8(output.stdout).expect("it is JSON");
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(answers[0]["rows"], answers[1]["rows"], "{answers:?}");
    [0, 1].map(|at| answers[at]["seconds"].as_f64().expect("it has measured them"))
}
