//! RLCF: every fixture goes into a graph and comes back as it was.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files below the folder of fixtures, by their paths from it.
pub(crate) fn fixtures(extensions: &[&str]) -> Vec<PathBuf> {
    let root = path("rlcf");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() {
                let is_other = ["bad", "worked"].iter().any(|name| path.ends_with(name));
                folders.extend((!is_other).then_some(path));
            } else if extensions.contains(&extension) {
                files.push(path.strip_prefix(&root).expect("it is below the folder").to_owned());
            }
        }
    }
    files.sort();
    files
}

/// The text of a file with the values of its `api_key`s overwritten, as every output has them.
pub(crate) fn without_keys(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find("sk-fixture") {
        let end = at + text[at..].find('"').expect("the key is a string");
        text.replace_range(at..end, &"*".repeat(end - at));
    }
    text
}

fn quads_of(root: &Path, file: &Path) -> String {
    let file = file.to_str().expect("names are UTF-8");
    let arguments = ["convert", file, "--from", "rlcf", "--to", "nq", "--with", "sidecar"];
    let (status, quads, stderr) = run(root, &arguments);
    assert_eq!(status, 0, "{file}: {stderr}");
    quads
}

#[test]
fn every_file_comes_back_from_its_shuffled_quads() {
    let root = path("rlcf");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = fixtures(&["json", "jsonl", "yaml"]);
    assert!(files.len() > 43, "{files:?}");
    for file in files {
        let quads = quads_of(&root, &file);
        fs::write(folder.path().join("quads.nq"), shuffled(&quads, 5)).expect("the folder is ours");
        let (status, back, stderr) = run(folder.path(), &["convert", "quads.nq", "--to", "same"]);
        let shown = file.display();
        assert_eq!((status, stderr.as_str()), (0, ""), "{shown}");
        let text = fs::read_to_string(root.join(&file)).expect("the fixture is there");
        assert_eq!(back, without_keys(&text), "{shown}");
    }
}

#[test]
fn what_is_wrong_in_yaml_has_its_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let yaml = "tasks:\n  - task_type: QA\n    input_data:\n      question: Why?\n  - task_type: [\n";
    fs::write(folder.path().join("tasks.yaml"), yaml).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["stats", "tasks.yaml"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("tasks.yaml:6:1: error[yaml::syntax]: this is not YAML: "), "{stderr}");
}

#[test]
fn every_term_of_our_own_is_described() {
    let vocabulary = fs::read_to_string(path("../shapes/vocabulary.ttl")).expect("the vocabulary is there");
    let root = path("rlcf");
    let mut terms = BTreeSet::new();
    for file in fixtures(&["json", "jsonl"]) {
        let quads = quads_of(&root, &file);
        let found = quads.split("<urn:evalgraph:vocab:").skip(1).filter_map(|rest| rest.split('>').next());
        terms.extend(found.map(str::to_owned));
    }
    assert!(terms.len() > 60, "{terms:?}");
    for term in terms {
        assert!(vocabulary.contains(&format!("\neg:{term}\n")), "eg:{term} is not described");
    }
}

#[test]
fn the_graph_has_the_words_of_schema_org() {
    let root = path("rlcf");
    let feedback = quads_of(&root, Path::new("feedback.jsonl"));
    let node = "<urn:evalgraph:rlcf:feedback:feedback/1>";
    for line in [
        format!("{node} <http://schema.org/author> <urn:evalgraph:rlcf:feedback:user/1> "),
        format!("{node} <http://schema.org/itemReviewed> <urn:evalgraph:rlcf:feedback:response/1> "),
        format!(
            "{node} <http://schema.org/reviewBody> \"Clause 9 says fourteen days, as precedent has it.\" "
        ),
        format!("{node} <urn:evalgraph:vocab:feedbackPosition> \"correct\" "),
        format!(
            "{node} <http://schema.org/dateCreated> \"2026-02-04T11:00:00\"^^<http://www.w3.org/2001/XMLSchema#dateTime> "
        ),
        "<http://schema.org/ratingValue> \"8.5\"^^<http://www.w3.org/2001/XMLSchema#decimal> ".to_owned(),
    ] {
        assert!(feedback.contains(&line), "{line}");
    }
    let rows = quads_of(&root, Path::new("datasets/nli_entailment.jsonl"));
    assert!(rows.contains("<http://schema.org/additionalType> \"NLI_ENTAILMENT\" "), "{rows}");
    let tasks = quads_of(&root, Path::new("tasks.jsonl"));
    let answer = "<urn:evalgraph:rlcf:tasks:task/1/ground-truth> <http://schema.org/text> \"Within fourteen days of delivery.\" ";
    assert!(tasks.contains(answer), "{tasks}");
}
