//! Files as other programs write them: every command reads a file as its row of `fixtures/foreign/expected.tsv` says, or
//! refuses it in a few lines that name the next step. No command succeeds with nothing.

mod expected;

use crate::beside::suites;
use crate::cli::input::{evalgraph, run};
use crate::fixture_files::{FOREIGN, root};
use crate::share::one_of;
use expected::{Reading, Refusal, Row, Verdict, rows};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The most lines of a refusal.
const MOST_LINES: usize = 8;

/// The commands that every file goes through.
const COMMANDS: [&[&str]; 5] = [
    &["stats", "FILE", "--format", "json"],
    &["convert", "FILE", "-o", "made.nq"],
    &["load", "FILE"],
    &["query", "FILE", "-n", "overview", "--format", "sparql-json"],
    &["validate", "FILE"],
];

/// The questions in their order, with their answers and numbers of contexts.
const QUESTIONS: &str = "SELECT ?text ?answer (COUNT(?context) AS ?contexts) { ?question a s:Question \
     OPTIONAL { ?question s:position ?at } OPTIONAL { ?question s:text ?text } \
     OPTIONAL { ?question s:acceptedAnswer ?accepted OPTIONAL { ?accepted s:text ?answer } \
     OPTIONAL { ?accepted s:isBasedOn ?context } } } \
     GROUP BY ?question ?at ?text ?answer ORDER BY ?at";

const NUMBER_OF_QUESTIONS: &str = "SELECT (COUNT(DISTINCT ?question) AS ?n) { ?question a s:Question }";

/// How a command ended, and what it printed.
struct Ended {
    command: &'static str,
    status: i32,
    stdout: String,
    stderr: String,
}

/// A folder with a copy of a file and an empty store.
fn folder_with(file: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = file.file_name().expect("a file has a name");
    fs::copy(file, folder.path().join(name)).expect("the file can be copied");
    let (status, _, stderr) = run(folder.path(), &["init"]);
    assert_eq!(status, 0, "{stderr}");
    folder
}

fn ended(folder: &Path, command: &'static [&'static str], file: &str, options: &[String]) -> Ended {
    let command_line = command.iter().map(|argument| if *argument == "FILE" { file } else { *argument });
    let arguments: Vec<&str> = command_line.chain(options.iter().map(String::as_str)).collect();
    let (status, stdout, stderr) = run(folder, &arguments);
    Ended { command: command[0], status, stdout, stderr }
}

impl Ended {
    /// The faults of a refusal.
    fn refusal_faults(&self, expected: &Refusal) -> Vec<String> {
        let lines = self.stderr.lines().count();
        let mut helps = self.stderr.lines().filter(|line| line.trim_start().starts_with("= help: "));
        // `validate` may say in its own words that there are no rules for the file.
        let has_code = self.command == "validate" || self.stderr.contains(&expected.code);
        let checks = [
            (self.status == 2, format!("ends with {}", self.status)),
            (self.stdout.is_empty(), "prints something".to_owned()),
            (lines <= MOST_LINES, format!("says {lines} lines")),
            (has_code, format!("does not say `{}`", expected.code)),
            (
                helps.any(|line| line.contains(&expected.help)),
                format!("has no help with `{}`", expected.help),
            ),
        ];
        let faults = checks.into_iter().filter(|(is_right, _)| !is_right);
        faults.map(|(_, fault)| format!("{} {fault}", self.command)).collect()
    }

    /// The fault of a command that should have read the file.
    fn reading_fault(&self) -> Option<String> {
        let is_read = match self.command {
            // A file that can be read may break a rule.
            "validate" => self.status < 2 && !self.stdout.is_empty(),
            _ => self.status == 0,
        };
        let first = self.stderr.lines().next().unwrap_or_default();
        (!is_read).then(|| format!("{} ends with {}: {first}", self.command, self.status))
    }
}

/// The rows of an answer in SPARQL's JSON, as the texts of some variables.
fn answers<const N: usize>(stdout: &str, variables: [&str; N]) -> Vec<[String; N]> {
    let answer: Value = serde_json::from_str(stdout).unwrap_or_default();
    let rows = answer["results"]["bindings"].as_array().cloned().unwrap_or_default();
    let text = |row: &Value, name: &str| row[name]["value"].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| variables.map(|name| text(row, name))).collect()
}

/// The number of questions by each way to them: figures, quads, the store, a named query.
fn numbers_of_questions(folder: &Path, ended: &[Ended]) -> [(&'static str, String); 4] {
    let stats: Value = serde_json::from_str(&ended[0].stdout).unwrap_or_default();
    let facts = &stats[0];
    let rows = facts.get("rows").or_else(|| facts.get("questions")).map(Value::to_string);
    let quads = fs::read_to_string(folder.join("made.nq")).unwrap_or_default();
    let class = "#type> <http://schema.org/Question>";
    let (_, stored, _) = run(folder, &["query", "-q", NUMBER_OF_QUESTIONS, "--format", "sparql-json"]);
    let one = |rows: Vec<[String; 1]>| rows.concat().concat();
    [
        ("stats", rows.unwrap_or_default()),
        ("convert", quads.lines().filter(|quad| quad.contains(class)).count().to_string()),
        ("load", one(answers(&stored, ["n"]))),
        // A file without questions has no row.
        (
            "query",
            Some(one(answers(&ended[3].stdout, ["questions"])))
                .filter(|n| !n.is_empty())
                .unwrap_or("0".into()),
        ),
    ]
}

/// What is wrong in the graph of a file that was read.
fn graph_faults(folder: &Path, row: &Row, ended: &[Ended], expected: &Reading) -> Vec<String> {
    let number = expected.contexts.len().to_string();
    let numbers = numbers_of_questions(folder, ended).into_iter().filter(|(_, found)| *found != number);
    let mut faults: Vec<String> =
        numbers.map(|(command, found)| format!("{command} has {found} questions, not {number}")).collect();
    let command: &[&str] = &["query", &row.file, "-q", QUESTIONS, "--format", "sparql-json"];
    let arguments: Vec<&str> =
        command.iter().copied().chain(row.options.iter().map(String::as_str)).collect();
    let (_, stdout, _) = run(folder, &arguments);
    let questions = answers(&stdout, ["text", "answer", "contexts"]);
    // The results of a run over all samples have no questions.
    let first = questions.first().map(|[text, answer, _]| [text.clone(), answer.clone()]).unwrap_or_default();
    if first != expected.first {
        faults.push(format!("the first question is {first:?}, not {:?}", expected.first));
    }
    let contexts: Vec<String> = questions.into_iter().map(|[_, _, contexts]| contexts).collect();
    if contexts != expected.contexts {
        faults.push(format!("the questions have {contexts:?} contexts, not {:?}", expected.contexts));
    }
    if !ended[0].stderr.contains(&expected.warning) {
        faults.push(format!("stats does not say `{}`", expected.warning));
    }
    faults
}

/// What is wrong with the outcome of a row.
fn faults(row: &Row) -> Vec<String> {
    let folder = folder_with(&root().join(FOREIGN).join(&row.file));
    let folder = folder.path();
    let all: Vec<Ended> =
        COMMANDS.iter().map(|&command| ended(folder, command, &row.file, &row.options)).collect();
    let mut faults: Vec<String> = match &row.verdict {
        Verdict::Refused(expected) => all.iter().flat_map(|ended| ended.refusal_faults(expected)).collect(),
        Verdict::Read(_) => all.iter().filter_map(Ended::reading_fault).collect(),
    };
    match &row.verdict {
        Verdict::Refused(_) if folder.join("made.nq").exists() => {
            faults.push("convert writes a file".to_owned());
        }
        Verdict::Read(expected) if faults.is_empty() => {
            faults.extend(graph_faults(folder, row, &all, expected));
        }
        _ => {}
    }
    faults.iter().map(|fault| format!("{}: {fault}", row.name())).collect()
}

#[test]
fn each_foreign_file_is_read_or_refused_as_the_table_says() {
    let rows: Vec<Row> = rows().into_iter().step_by(one_of(2)).collect();
    let faults: Vec<String> = rows.par_iter().flat_map_iter(faults).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// What is wrong with a table that `--to same` has written again; tables of other encodings become UTF-8.
fn faults_of_the_same(row: &Row) -> Option<String> {
    let path = root().join(FOREIGN).join(&row.file);
    let is_table = [".csv", ".tsv"].iter().any(|end| row.file.ends_with(end));
    let is_read = matches!(row.verdict, Verdict::Read(_));
    let text = fs::read_to_string(&path).ok().filter(|_| is_table && is_read)?;
    let folder = folder_with(&path);
    let ended =
        ended(folder.path(), &["convert", "FILE", "--to", "same", "-o", "same"], &row.file, &row.options);
    let same = fs::read_to_string(folder.path().join("same")).unwrap_or_default();
    (same != text).then(|| format!("{}: {same:?} {}", row.name(), ended.stderr))
}

#[test]
fn foreign_tables_come_back_byte_for_byte() {
    let faults: Vec<String> = rows().par_iter().filter_map(faults_of_the_same).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// What is wrong with `stats` of a file that comes without a name.
fn faults_without_a_name(row: &Row) -> Option<String> {
    let folder = root().join(FOREIGN);
    let bytes = fs::read(folder.join(&row.file)).expect("the file is there");
    let arguments =
        ["stats", "-", "--format", "json"].into_iter().chain(row.options.iter().map(String::as_str));
    let output = evalgraph(&folder).args(arguments).write_stdin(bytes).output().expect("the program starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let stats: Value = serde_json::from_str(&stdout).unwrap_or_default();
    let has = |key: &&str| stats[0][key].as_u64() > Some(0);
    let is_read = output.status.success() && ["rows", "questions", "runResults", "runs"].iter().any(has);
    let is_refused = output.status.code() == Some(2) && stderr.lines().count() <= MOST_LINES;
    (!is_read && !is_refused).then(|| format!("{}: {} {stdout}{stderr}", row.name(), output.status))
}

#[test]
fn no_foreign_file_on_stdin_is_an_empty_success() {
    let faults: Vec<String> = rows().par_iter().filter_map(faults_without_a_name).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_foreign_file_has_a_row_and_a_line_that_says_what_it_is() {
    let folder = root().join(FOREIGN);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name());
    let mut files: BTreeSet<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    for name in [".gitattributes", "README.md", "expected.tsv"] {
        assert!(files.remove(name), "{name}");
    }
    let of_rows: BTreeSet<String> = rows().into_iter().map(|row| row.file).collect();
    assert_eq!(files, of_rows);
    assert!(files.len() >= 60, "{}", files.len());
    let readme = fs::read_to_string(folder.join("README.md")).expect("the page is there");
    let without: Vec<&String> =
        files.iter().filter(|file| !readme.contains(&format!("\n| `{file}` | "))).collect();
    assert!(without.is_empty(), "{without:?}");
}

/// A checkout that changes line ends would leave nothing to test.
#[test]
fn line_ends_are_those_of_the_programs() {
    let ends = |name: &str| {
        let text = fs::read_to_string(root().join(FOREIGN).join(name)).expect("the file is there");
        let count = |end: &str| text.matches(end).count();
        [count("\r\n"), count("\r") - count("\r\n"), count("\n") - count("\r\n")]
    };
    assert_eq!(ends("excel-utf-8.csv"), [3, 0, 0]);
    assert_eq!(ends("excel-macintosh.csv"), [0, 3, 0]);
    assert_eq!(ends("mixed-breaks.csv"), [2, 0, 1]);
}

/// The data files of evaluation runs that others have published.
fn published() -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![suites().join("evaluation")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if ["json", "jsonl", "jsonld", "yaml", "eval"].contains(&extension.as_str()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// What is wrong with the outcome of a file that no row is about.
fn faults_of_published(path: &Path) -> Vec<String> {
    let folder = folder_with(path);
    let file = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let any = Refusal { code: String::new(), help: String::new() };
    let all: Vec<Ended> = COMMANDS.iter().map(|&command| ended(folder.path(), command, &file, &[])).collect();
    let refused = all.iter().filter(|ended| ended.status == 2);
    let mut faults: Vec<String> = refused.flat_map(|ended| ended.refusal_faults(&any)).collect();
    // JSON-LD and RDF have no rules, so `validate` refuses what the others read.
    let others = all.iter().filter(|ended| ended.command != "validate");
    let statuses: BTreeSet<i32> = others.map(|ended| ended.status).collect();
    let quads = fs::read_to_string(folder.path().join("made.nq")).unwrap_or_default();
    if statuses.len() > 1 || (statuses.contains(&0) && quads.is_empty()) {
        faults.push(format!("ends with {statuses:?} and {} bytes of quads", quads.len()));
    }
    faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect()
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn published_results_of_runs_are_refused_with_the_next_step_or_have_quads() {
    let files = published();
    assert!(files.len() > 60, "{}", files.len());
    let faults: Vec<String> = files.par_iter().flat_map_iter(|path| faults_of_published(path)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
