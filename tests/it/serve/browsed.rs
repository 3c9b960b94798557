//! What the tests of the page's resources share: files of all systems behind a server, and objects that it answers with.

use std::path::Path;

use serde_json::Value;

use super::client::{Reply, encoded, get};
use super::served::Served;

/// Files of each system: all dialects of checkpoints, rows with their evaluation, samples, tasks with the opinions of experts,
/// and those that have questions in common.
pub(super) const FILES: [&str; 30] = [
    "fixtures/karenina",
    "fixtures/train/general-knowledge",
    "fixtures/train/support-desk.json",
    "fixtures/train/awkward-rows.json",
    "fixtures/train/lines.jsonl",
    "fixtures/train/table.csv",
    "fixtures/train/evaluation/rag_general_knowledge_evaluation_data.json",
    "fixtures/train/evaluation/rag_general_knowledge_evaluation_results.json",
    "fixtures/kwanzaa/citation.json",
    "fixtures/kwanzaa/grounded-answer.json",
    "fixtures/kwanzaa/refusal.json",
    "fixtures/kwanzaa/variants.json",
    "fixtures/kwanzaa/chat.jsonl",
    "fixtures/rlcf/users.json",
    "fixtures/rlcf/tasks.jsonl",
    "fixtures/rlcf/responses.json",
    "fixtures/rlcf/feedback.jsonl",
    "fixtures/rlcf/ratings.json",
    "fixtures/rlcf/tasks.yaml",
    "fixtures/across",
    "fixtures/results",
    "fixtures/hostile/p2-hostile.jsonld",
    "fixtures/hostile/g-one-line.jsonld",
    "fixtures/hostile/g-in-array.jsonld",
    "fixtures/hostile/g-ascii.jsonld",
    "fixtures/revisions",
    "fixtures/verification/results-today.json",
    "fixtures/verification/results-list.json",
    "fixtures/verification/results-table.csv",
    "fixtures/croissant/owls-1.1.json",
];

/// A server over the files of all systems.
pub(super) fn all_systems() -> Served {
    Served::fixtures(&FILES)
}

/// The object of an answer.
pub(super) fn object(served: &Served, target: &str) -> Value {
    let reply = served.send(&get(target));
    assert_eq!(reply.status, 200, "{target}: {}", reply.text());
    assert_eq!(reply.header("content-type"), Some("application/json"), "{target}");
    reply.json()
}

/// All questions, without counts.
pub(super) fn questions(served: &Served) -> Vec<Value> {
    list(&object(served, "/api/questions?limit=1000&facets=false"), "questions").to_vec()
}

/// The questions of a file.
pub(super) fn of_file(served: &Served, file: &str) -> Vec<Value> {
    let target = format!("/api/questions?limit=1000&facets=false&search={}", encoded(file));
    let all = object(served, &target);
    let is_of_file = |question: &&Value| text(question, "file").ends_with(file);
    list(&all, "questions").iter().filter(is_of_file).cloned().collect()
}

/// One question as a page shows it.
pub(super) fn question(served: &Served, of: &Value) -> Value {
    object(served, &target_of(of))
}

pub(super) fn target_of(question: &Value) -> String {
    let (graph, id) = (encoded(text(question, "graph")), encoded(text(question, "id")));
    format!("/api/question?graph={graph}&id={id}")
}

pub(super) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list `{name}`: {value}"))
}

pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("no text `{name}`: {value}"))
}

/// The only one of some values whose text begins so.
pub(super) fn begins<'v>(values: &'v [Value], beginning: &str) -> &'v Value {
    let mut found = values.iter().filter(|value| text(value, "text").starts_with(beginning));
    let one = found.next().unwrap_or_else(|| panic!("none begins `{beginning}`"));
    assert!(found.next().is_none(), "several begin `{beginning}`");
    one
}

/// The code of a problem.
pub(super) fn code(reply: &Reply) -> String {
    text(&reply.json(), "code").to_owned()
}

/// A file beside the project.
pub(super) fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("it is there")
}
