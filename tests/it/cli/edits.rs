//! Changes by hand and by updates, in files and in the store: who says that it is done has done it.

use crate::cli::input::run;
use crate::karenina::fixtures::path as fixture_path;
use std::fs;
use std::path::Path;

fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        let to = folder.path().join(name.rsplit('/').next().expect("it has a name"));
        fs::copy(fixture_path(name), to).expect("the folder is ours");
    }
    folder
}

fn ok(path: &Path, arguments: &[&str]) -> (String, String) {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    (stdout, stderr)
}

fn read(path: &Path, file: &str) -> String {
    fs::read_to_string(path.join(file)).expect("the file is there")
}

/// The first question of a file that has its text alone, and that text.
fn a_question(path: &Path, file: &str) -> Option<String> {
    let query = "SELECT ?text { ?q a s:Question ; s:text|s:name ?text } \
                 GROUP BY ?text HAVING (COUNT(DISTINCT ?q) = 1) ORDER BY ?text LIMIT 1";
    let (status, answer, _) = run(path, &["query", file, "--format", "json", "-q", query]);
    let answer: serde_json::Value = serde_json::from_str(&answer).ok().filter(|_| status == 0)?;
    let text = answer[0]["text"].as_str()?;
    Some(text.to_owned())
}

/// Files whose questions are stated as JSON and in words, or in other ways more than once.
const FILES: [&str; 18] = [
    "rlcf/tasks.yaml",
    "rlcf/tasks.jsonl",
    "rlcf/export.json",
    "rlcf/worked/export.json",
    "rlcf/requests/tasks.json",
    "rlcf/datasets/nli_entailment.jsonl",
    "rlcf/datasets/summarization_pairs.jsonl",
    "train/table.csv",
    "train/lines.jsonl",
    "train/support-desk.json",
    "train/evaluation/rag_general_knowledge_evaluation_data.json",
    "kwanzaa/variants.json",
    "kwanzaa/chat.jsonl",
    "chat/all-keys.jsonl",
    "every-eval-ever/boats_samples.jsonl",
    "karenina/v2b-meteorology.json",
    "karenina/p2-md5-arithmetic.jsonld",
    "results/results-export.json",
];

#[test]
fn what_set_says_is_done_is_in_the_file() {
    let mut set = 0;
    for name in FILES {
        let folder = folder(&[name]);
        let path = folder.path();
        let file = name.rsplit('/').next().expect("it has a name");
        let Some(question) = a_question(path, file) else { continue };
        let before = read(path, file);
        ok(path, &["init"]);
        ok(path, &["load", file]);
        for arguments in [["--text", "Is it a quagga?"], ["--answer", "It is a quagga."]] {
            let [flag, value] = arguments;
            fs::write(path.join(file), &before).expect("the folder is ours");
            let (status, _, stderr) = run(path, &["set", &question, file, flag, value]);
            let after = read(path, file);
            if stderr.contains("has secrets") {
                // Not even a change goes where a key of a service would be overwritten.
                assert_eq!((status, &after), (2, &before), "{name}");
                continue;
            }
            assert_eq!(status == 0, after != before, "{name} {flag}: {stderr}");
            assert_eq!(status == 0, after.contains(value), "{name} {flag}: {stderr}");
            if status == 0 {
                set += 1;
                let told = format!("changed the {} of 1 question in `{file}`", &flag[2..]);
                assert!(stderr.contains(&told), "{name}: {stderr}");
            }
            // The store does as the file.
            let (in_store, _, told) = run(path, &["set", &question, flag, value, "--dry-run"]);
            assert_eq!(in_store, status, "{name} {flag}: {stderr} {told}");
        }
    }
    assert!(set > 16, "{set}");
}

#[test]
fn words_and_the_value_that_they_are_of_are_kept_together() {
    let folder = folder(&["rlcf/tasks.yaml"]);
    let path = folder.path();
    let question = "When does the quiet time of the house rules begin?";
    let before = read(path, "tasks.yaml");
    ok(path, &["init"]);
    ok(path, &["load", "tasks.yaml"]);
    ok(path, &["set", question, "--text", "When is it quiet?"]);
    ok(path, &["convert", "--to", "same", "-o", "out/"]);
    assert_eq!(read(path, "out/tasks.yaml"), before.replace(question, "When is it quiet?"));
    // The value has the word at once, and a word follows its value.
    let (whole, _) =
        ok(path, &["query", "-q", "SELECT ?i { ?q s:text 'When is it quiet?' ; eg:inputData ?i }"]);
    assert!(whole.contains("\"\"question\"\":\"\"When is it quiet?\"\""), "{whole}");
    let update = "DELETE { GRAPH ?g { ?q eg:inputData ?old } } INSERT { GRAPH ?g { ?q eg:inputData ?new } } \
                  WHERE { GRAPH ?g { ?q eg:inputData ?old FILTER(CONTAINS(STR(?old), 'quiet')) \
                  BIND(STRDT(REPLACE(STR(?old), 'quiet', 'silent'), rdf:JSON) AS ?new) } }";
    let (_, stderr) = ok(path, &["update", "-q", update]);
    assert!(!stderr.contains("sidecar::"), "{stderr}");
    let (words, _) = ok(path, &["query", "-q", "SELECT ?q { ?q s:text 'When is it silent?' }"]);
    assert_eq!(words.lines().count(), 2, "{words}");
    ok(path, &["convert", "--to", "same", "-o", "out/", "--force"]);
    let silent = before.replace(question, "When is it silent?").replace("2: quiet time", "2: silent time");
    assert_eq!(read(path, "out/tasks.yaml"), silent);
}

#[test]
fn an_update_that_its_file_cannot_hold_is_told() {
    let folder = folder(&["train/support-desk.json"]);
    let path = folder.path();
    ok(path, &["init"]);
    ok(path, &["load", "support-desk.json"]);
    let update = "DELETE { GRAPH ?g { ?q s:position 2 } } INSERT { GRAPH ?g { ?q s:position 70 } } \
                  WHERE { GRAPH ?g { ?q a s:Question ; s:position 2 } }";
    let told = "warning[sidecar::not-written]: `position` of `urn:evalgraph:train:support-desk:TRAIN_Q002/question` is \
                \"70\" in the graph and \"7\" in the file";
    let (status, _, stderr) = run(path, &["update", "--strict", "-q", update]);
    assert_eq!(status, 2, "{stderr}");
    let (_, graphs) = ok(path, &["graphs", "--format", "json"]);
    assert!(!graphs.contains("\"edited\": true"), "{graphs}");
    let (_, stderr) = ok(path, &["update", "-q", update]);
    assert!(stderr.contains(told), "{stderr}");
    // Every command that reads the file says so, too.
    for arguments in [&["convert", "--to", "same"][..], &["stats"], &["validate"]] {
        let (_, _, stderr) = run(path, arguments);
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
    assert_eq!(run(path, &["convert", "--to", "same", "--strict"]).0, 2);
    // It is not a fault of the next change.
    let (_, stderr) = ok(path, &["set", "TRAIN_Q001", "--answer", "In the drawer"]);
    assert!(
        stderr.contains("changed the answer of 1 question in `support-desk.json` of the store"),
        "{stderr}"
    );
    assert!(!stderr.contains("sidecar::"), "{stderr}");
    let (same, _) = ok(path, &["convert", "--to", "same"]);
    assert!(same.contains("\"answer\": \"In the drawer\""), "{same}");
}

#[test]
fn a_graph_from_elsewhere_is_held_against_its_file() {
    let folder = folder(&["rlcf/responses.json"]);
    let path = folder.path();
    let arguments = ["convert", "responses.json", "--to", "nq", "--with", "sidecar", "-o", "r.nq"];
    ok(path, &arguments);
    let (same, stderr) = ok(path, &["convert", "r.nq", "--to", "same"]);
    assert_eq!((same, stderr.as_str()), (read(path, "responses.json"), ""));
    let quads = read(path, "r.nq");
    let line = quads.lines().find(|line| line.contains("/worstRating>") || line.contains("eg:Response"));
    let class = quads.lines().find(|line| line.contains("<http://schema.org/Answer>")).or(line);
    let class = class.expect("responses are answers");
    let changed = quads.replace(class, &class.replace("org/Answer>", "org/Comment>"));
    fs::write(path.join("r.nq"), changed).expect("the folder is ours");
    let (_, stderr) = ok(path, &["convert", "r.nq", "--to", "same"]);
    assert!(
        stderr.contains("warning[sidecar::not-written]: `type` of `urn:evalgraph:rlcf:responses:"),
        "{stderr}"
    );
    assert!(stderr.contains("the class follows from its place in the file"), "{stderr}");
    assert_eq!(run(path, &["convert", "r.nq", "--to", "same", "--strict"]).0, 2);
}
