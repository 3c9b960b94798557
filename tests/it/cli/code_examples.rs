//! The examples of `evalgraph explain` are run: what is wrong leads to its code, and what is right does not.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use evalgraph::diagnostic::codes::{CODE_EXAMPLES, CodeExample, ExampleRun, example_of};
use evalgraph::jsonld::{JsonLdErrorCode, WarningCode};
use rayon::prelude::*;
use tempfile::TempDir;

use super::input::{evalgraph, run_at};

/// Records of a small community of experts.
const RLCF: &str = r#"{"users": [{"id": 1, "username": "ada", "authority_score": 0.7, "track_record_score": 0.6, "baseline_credential_score": 0.5, "credentials": []}],
 "tasks": [{"id": 1, "task_type": "QA", "input_data": {"question": "What is 2 + 2?", "context": "Sums."}, "ground_truth_data": {"validated_answer": "4"}, "created_at": "2026-02-01T09:00:00", "status": "CLOSED"}],
 "responses": [{"id": 1, "task_id": 1, "output_data": {"message": "4"}, "model_version": "m", "generated_at": "2026-02-01T09:00:30"}],
 "feedback": [{"id": 1, "user_id": 1, "response_id": 1, "is_blind_phase": true, "accuracy_score": 8.5, "utility_score": 7.8, "transparency_score": 9.0, "feedback_data": {"validated_answer": "4", "position": "correct", "reasoning": "Sums."}}]}"#;

/// The files that examples name, beside two checkpoints that are made of tables.
const FILES: [(&str, &[u8]); 42] = [
    ("data.ttl", br#"@prefix s: <http://schema.org/> .
@prefix ex: <http://example.org/> .
ex:q1 a s:Question ; s:text "What is 2 + 2?" ; s:acceptedAnswer ex:a1 ; ex:p 1 .
ex:a1 a s:Answer ; s:text "4" .
"#),
    ("data.jsonld", br#"{"@context": {"@vocab": "http://schema.org/"}, "@id": "http://example.org/q1", "@type": "Question", "text": "What is 2 + 2?"}"#),
    ("lists.jsonld", br#"{"@id": "urn:x:1", "urn:x:p": [{"@list": [1]}, {"@list": [2]}]}"#),
    ("prefixed.jsonld", br#"{"@id": "urn:x:1", "urn:x:p": {"@id": "tag:ada"}}"#),
    ("imports.jsonld", br#"{"@context": {"@import": "https://example.org/context"}, "name": "Ada"}"#),
    ("remote.jsonld", br#"{"@context": "https://example.org/context", "name": "Ada"}"#),
    ("rows.json", br#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}]"#),
    ("empty.json", b""),
    ("empty.txt", b""),
    ("half.parquet", b"PAR1, half a file, PAR1"),
    ("runs.zip", b"PK\x03\x04\x14"),
    ("screenshot.png", b"\x89PNG\x0d\n\x1a\n"),
    ("half.jsonld.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00"),
    ("latin1.jsonld", b"{\"http://schema.org/name\": \"Ren\xe9e\"}\n"),
    ("notes/todo.txt", b"Write the questions.\n"),
    ("runs/a.jsonld", br#"{"@id": "urn:x:1", "http://schema.org/name": "Ada"}"#),
    ("runs/b.jsonld", br#"{"@id": "urn:x:2", "http://schema.org/name": "Grace"}"#),
    ("more-rows.json", br#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4", "is_impossible": null}]"#),
    ("own-templates/stray.py", b"class Answer: pass\n"),
    ("own-queries/find.rq", b"# param: word string\nSELECT ?q { ?q s:text ?t FILTER(CONTAINS(?t, ?word)) }\n"),
    ("evalgraph.toml", br#"queries = "own-queries"
[endpoints.fuseki]
url = "http://localhost:3030/ds"
"#),
    ("password", b"sesame\n"),
    ("open-password", b"sesame\n"),
    ("settings.json", b"{}\n"),
    ("packed.jsonld", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabVJT\xb22\xac\x05\x00\xaf\xac\x1bV\x07\x00\x00\x00"),
    ("tasks.json", br#"{"tasks": [{"id": 1, "task_type": "QA", "input_data": {"question": "What is 2 + 2?"}}]}"#),
    ("runs/a.ttl", b"<urn:x:a> <urn:x:p> 1 .\n"),
    ("more-runs/a.ttl", b"<urn:x:b> <urn:x:p> 2 .\n"),
    ("more-runs/b.ttl", b"<urn:x:b> <urn:x:p> 2 .\n"),
    (
"results.json",
br#"{"format_version": "2.2", "metadata": {"export_timestamp": "2026-04-15T12:00:00Z", "karenina_version": "0.9.0"},
 "shared_data": {}, "results": [{"metadata": {"question_id": "q1", "question_text": "What is 2 + 2?"}}]}"#,
),
    ("first/train.json", br#"[{"id": 1, "question": "What is 2 + 2?", "answer": "4"}]"#),
    ("second/train.json", br#"[{"id": 2, "question": "What is 2 + 3?", "answer": "5"}]"#),
    ("odd-rows.jsonl", br#"{"id":"R1",   "question": "What is 2 + 2?", "answer":"4"}
{"id": "R2", "question": "What is 2 + 3?",  "answer": "5"}
"#),
    ("named-rows.json", br#"[{"id": "first", "question": "What is 2 + 2?", "answer": "4"}, {"id": "second", "question": "What is 2 + 3?", "answer": "5"}]"#),
    ("own-terms.ttl", br#"@prefix s: <https://schema.org/> .
@prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
s:Question a r:Class ; r:label "Question" .
"#),
    ("shapes.ttl", b"@prefix sh: <http://www.w3.org/ns/shacl#> .\n<http://example.org/Question> a sh:NodeShape ; sh:targetClass <http://schema.org/Question> ; sh:nodeKind sh:IRI .\n"),
    ("question.rq", b"SELECT ?q { ?q s:text ?t FILTER(CONTAINS(?t, ?word)) }\n"),
    ("latin1.rq", b"SELECT ?q { ?q s:text \"Ren\xe9e\" }\n"),
    ("questions.csv", b"id,question,answer\nurn:x:q1,What is 2 + 2?,4\nurn:x:q2,What is 2 + 3?,5\n"),
    ("other.csv", b"id,question,answer\nurn:x:q1,What is 2 + 2?,four\n"),
    ("rlcf.json", RLCF.as_bytes()),
    ("config.toml", b""),
];

/// The prefixes that the shapes of examples leave out.
const PREFIXES: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <http://example.org/> .
";

/// A folder with the files, and with a store if command lines are run in it.
fn folder(checkpoints: &[(&str, Vec<u8>)], has_store: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for (name, content) in FILES {
        write(path, name, content);
    }
    for (name, content) in checkpoints {
        write(path, name, content);
    }
    write(path, "other-rlcf.json", RLCF.replace("ada", "eva").as_bytes());
    write(path, "no-authority.json", RLCF.replace("0.7", "0.0").as_bytes());
    let text = "a".repeat(33_000);
    write(path, "long.ttl", format!("<urn:x:q1> <http://schema.org/text> \"{text}\" .").as_bytes());
    let only_mine = fs::Permissions::from_mode(0o600);
    fs::set_permissions(path.join("password"), only_mine).expect("the folder is ours");
    fs::set_permissions(path.join("open-password"), fs::Permissions::from_mode(0o644)).expect("it is ours");
    if has_store {
        assert_eq!(super::input::run(path, &["init"]).0, 0);
        assert_eq!(super::input::run(path, &["load", "checkpoint.jsonld"]).0, 0);
    }
    folder
}

fn write(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is ours");
    fs::write(path, content).expect("the folder is ours");
}

/// The checkpoints that examples name. The second one is newer, and gives another answer to the first question.
fn checkpoints() -> [(&'static str, Vec<u8>); 2] {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = |name, table: &str, time| {
        let (_, rows) = FILES.iter().find(|(file, _)| *file == table).expect("there is the table");
        write(folder.path(), table, rows);
        let (status, stdout, stderr) = run_at(time, folder.path(), &["new", table]);
        assert_eq!(status, 0, "{stderr}");
        (name, stdout.into_bytes())
    };
    [
        made("checkpoint.jsonld", "questions.csv", 1_700_000_000),
        made("other.jsonld", "other.csv", 1_700_000_100),
    ]
}

/// The words of a command line: blanks in single quotes do not end one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, piece) in line.split('\'').enumerate() {
        let is_quoted = at % 2 == 1;
        for (at, word) in piece.split(|character| character == ' ' && !is_quoted).enumerate() {
            if at > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("there is one").push_str(word);
        }
    }
    words
}

/// Runs command lines, and returns what they say on stderr.
fn said(folder: &Path, lines: &str, is_verbose: bool) -> String {
    let mut said = String::new();
    for line in lines.lines() {
        let mut words = words(line);
        let mut command = evalgraph(folder);
        command.env_remove("SOURCE_DATE_EPOCH");
        while let Some((name, value)) = words[0].split_once('=') {
            command.env(name, value);
            words.remove(0);
        }
        assert_eq!(words[0], "evalgraph", "{line}");
        command.args(&words[1..]);
        if words.iter().any(|word| word == "--endpoint") {
            command.args(["--retries", "0"]);
        }
        if is_verbose {
            command.arg("-v");
        }
        said.push_str(&String::from_utf8_lossy(&command.output().expect("the program starts").stderr));
    }
    said
}

/// Runs one of the texts of an example in a folder of its own.
fn told(checkpoints: &[(&str, Vec<u8>)], run: ExampleRun, text: &str, is_verbose: bool) -> String {
    let folder = folder(checkpoints, run == ExampleRun::Line);
    let path = folder.path();
    let with = |name: &str, content: &str, lines: &str| {
        write(path, name, format!("{content}\n").as_bytes());
        said(path, lines, is_verbose)
    };
    match run {
        ExampleRun::Command => String::new(),
        ExampleRun::Line => said(path, text, is_verbose),
        ExampleRun::File(name) => with(name, text, &format!("evalgraph convert {name} --to nq")),
        ExampleRun::With { file, command } => with(file, text, command),
        ExampleRun::Query => with("q.rq", text, "evalgraph query data.ttl -f q.rq"),
        ExampleRun::Update => with("u.ru", text, "evalgraph update data.ttl -f u.ru"),
        ExampleRun::Shapes => {
            with("own.ttl", &format!("{PREFIXES}{text}"), "evalgraph validate data.ttl --shapes own.ttl")
        }
        ExampleRun::Item => {
            let head = r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": "DataFeed", "dataFeedElement": ["#;
            with("a.jsonld", &format!("{head}\n{text}\n]}}"), "evalgraph convert a.jsonld --to karenina")
        }
    }
}

/// What is wrong with an example.
fn fault(checkpoints: &[(&str, Vec<u8>)], example: &CodeExample) -> Option<String> {
    let CodeExample { code, wrong, right, run } = *example;
    let has_code = |text: &str| {
        ["error", "warning", "note"].iter().any(|severity| text.contains(&format!("{severity}[{code}]")))
    };
    let mut is_verbose = false;
    let mut found = told(checkpoints, run, wrong, is_verbose);
    if !has_code(&found) {
        is_verbose = true;
        found = told(checkpoints, run, wrong, is_verbose);
    }
    if !has_code(&found) {
        return Some(format!("`{code}` does not come of\n{wrong}\nbut\n{found}"));
    }
    let found = told(checkpoints, run, right, is_verbose);
    has_code(&found).then(|| format!("`{code}` comes of what is right, too:\n{right}\n{found}"))
}

#[test]
fn what_is_wrong_leads_to_its_code_and_what_is_right_does_not() {
    let checkpoints = checkpoints();
    let run: Vec<&CodeExample> = CODE_EXAMPLES
        .iter()
        .copied()
        .flatten()
        .filter(|example| example.run != ExampleRun::Command)
        .collect();
    assert!(run.len() >= 350, "{} examples are run", run.len());
    let faults: Vec<String> = run.par_iter().filter_map(|example| fault(&checkpoints, example)).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), run.len(), faults.join("\n"));
}

#[test]
fn every_code_of_json_ld_has_an_example_and_every_other_example_a_code() {
    let errors = JsonLdErrorCode::ALL.iter().map(|code| code.as_str());
    let codes: BTreeSet<&str> = errors.chain(WarningCode::ALL.iter().map(|code| code.as_str())).collect();
    let without: Vec<&&str> = codes.iter().filter(|code| example_of(code).is_none()).collect();
    assert!(without.is_empty(), "{without:?}");
    for example in CODE_EXAMPLES.iter().copied().flatten().filter(|example| !example.code.contains("::")) {
        assert!(codes.contains(example.code), "`{}` is not a code", example.code);
    }
}

#[test]
fn words_end_at_blanks_outside_of_quotes() {
    assert_eq!(
        words("evalgraph add 'What is 2 + 2?' --answer 4"),
        ["evalgraph", "add", "What is 2 + 2?", "--answer", "4"]
    );
    assert_eq!(words("a '' b"), ["a", "", "b"]);
}
