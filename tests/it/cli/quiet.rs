//! Findings do not bury the answer: a run prints at most five lines of them, whatever it reads, and all of them with
//! `--verbose` or for programs.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::share::one_of;

/// How many lines of findings a run prints.
const LINES: usize = 5;

const COMMANDS: [&[&str]; 7] = [
    &["stats"],
    &["validate"],
    &["check"],
    &["convert", "--to", "nq", "-o", "/dev/null"],
    &["convert", "--to", "karenina", "-o", "/dev/null"],
    &["query", "-n", "overview"],
    &["canon", "-o", "/dev/null"],
];

/// What a run prints on stderr, without the line about `--strict`.
fn findings(folder: &Path, command: &[&str], input: &str, more: &[&str]) -> String {
    let arguments = [&command[..1], &[input], &command[1..], more].concat();
    run(folder, &arguments).2
}

/// How many findings a text or JSON lines have.
fn count(stderr: &str, is_json: bool) -> usize {
    let titles = ["error[", "warning[", "note["];
    match is_json {
        true => stderr
            .lines()
            .filter(|line| line.contains("\"severity\":") && !line.contains("\"summary\""))
            .count(),
        false => {
            let begins = |line: &&str| titles.iter().any(|title| line.starts_with(title));
            let follows = |line: &str| titles.iter().any(|title| line.contains(&format!(": {title}")));
            stderr.lines().filter(|line| begins(line) || follows(line)).count()
        }
    }
}

fn inputs() -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = fs::read_dir(fixtures).expect("it is there");
    let mut folders: Vec<String> =
        entries.map(|entry| entry.expect("it is readable").path().display().to_string()).collect();
    folders.retain(|path| Path::new(path).is_dir());
    folders.sort();
    folders
}

#[test]
fn every_command_over_every_folder_prints_five_lines_at_most() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pairs = inputs().into_iter().flat_map(|input| COMMANDS.map(|command| (input.clone(), command)));
    for (input, command) in pairs.step_by(one_of(3)) {
        let stderr = findings(folder.path(), command, &input, &[]);
        assert!(stderr.lines().count() <= LINES, "{command:?} {input}:\n{stderr}");
        let all = count(&findings(folder.path(), command, &input, &["-v"]), false);
        let json = count(&findings(folder.path(), command, &input, &["--diagnostics", "json"]), true);
        assert_eq!(all, json, "{command:?} {input}");
        assert!(count(&stderr, false) <= all, "{command:?} {input}");
    }
}

/// Its first command: a table, and at most two lines beside it.
#[test]
fn the_first_command_of_the_readme_shows_its_table() {
    let (status, stdout, stderr) =
        run(Path::new(env!("CARGO_MANIFEST_DIR")), &["query", "fixtures/karenina", "-n", "overview"]);
    assert_eq!((status, stdout.lines().count()), (0, 19), "{stdout}");
    assert!(stderr.lines().count() <= 2, "{stderr}");
}

/// As the Python library writes them: ids that are MD5 sums, and `https://schema.org/`.
#[test]
fn two_hundred_usual_files_are_read_in_silence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina/p2-md5-arithmetic.jsonld");
    let text = fs::read_to_string(fixture).expect("it is there");
    for number in 0..200 {
        let own = text.replace("1775808000.25", &format!("17758{number:05}.25"));
        fs::write(folder.path().join(format!("c-{number}.jsonld")), own).expect("the folder is ours");
    }
    let (status, _, stderr) = run(folder.path(), &["query", ".", "-n", "overview"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    // One broken file is the only thing to read of, and how to go on without it.
    fs::write(folder.path().join("broken.jsonld"), "{\"@context\": {},\n \"a\": }")
        .expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["query", ".", "-n", "overview"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.lines().count() <= LINES, "{stderr}");
    assert!(stderr.starts_with("./broken.jsonld:2:7: error[json::"), "{stderr}");
    assert!(stderr.contains("`--keep-going` leaves out the files that are at fault"), "{stderr}");
    let (status, stdout, _) = run(folder.path(), &["query", ".", "-n", "overview", "--keep-going"]);
    assert_eq!((status, stdout.lines().count()), (2, 201));
}

#[test]
fn findings_come_after_the_answer_and_errors_last() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = "{\"question\": \"q\", \"answer\": \"a\", \"foo\": 1}\n{\"question\": 1, \"answer\": \"a\"}\n";
    fs::write(folder.path().join("a.jsonl"), rows).expect("the folder is ours");
    fs::write(folder.path().join("b.json"), "[1").expect("the folder is ours");
    let (_, _, stderr) = run(folder.path(), &["stats", "a.jsonl", "b.json", "--keep-going"]);
    let first_error = stderr.find("error[").expect("one file is at fault");
    assert!(!stderr[first_error..].contains("warning["), "{stderr}");
}
