//! Files of conversations: how they are recognised, what is counted, which questions they have, and that they come back.

use crate::cli::input::run;
use crate::cli::query_figures::stats;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["tides.jsonl", "all-keys.jsonl", "array.json", "one.json"];

fn text(name: &str) -> String {
    fs::read_to_string(path("chat").join(name)).expect("the fixture is there")
}

/// The conversations of a file in any of its forms.
fn conversations(text: &str) -> Vec<Value> {
    match serde_json::from_str(text) {
        Ok(Value::Array(records)) => records,
        Ok(record) => vec![record],
        Err(_) => text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect(),
    }
}

fn convert(folder: &Path, file: &str, options: &[&str]) -> String {
    let (status, text, stderr) = run(folder, &[&["convert", file], options].concat());
    assert_eq!(status, 0, "{file}: {stderr}");
    text
}

#[test]
fn every_file_comes_back_from_its_shuffled_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (seed, name) in FILES.into_iter().enumerate() {
        assert_eq!(convert(&path("chat"), name, &["--to", "same"]), text(name), "{name}");
        let quads = convert(&path("chat"), name, &["--to", "nq", "--with", "sidecar"]);
        fs::write(folder.path().join("quads.nq"), shuffled(&quads, seed as u64)).expect("the folder is ours");
        assert_eq!(convert(folder.path(), "quads.nq", &["--to", "same"]), text(name), "{name}");
    }
}

/// Lines stay as they are; other forms become lines with the same values.
#[test]
fn conversations_are_written_as_lines_that_say_the_same() {
    for name in FILES {
        let written = convert(&path("chat"), name, &["--to", "hf-chat"]);
        assert_eq!(conversations(&written), conversations(&text(name)), "{name}");
        assert!(name.ends_with(".json") || written == text(name), "{name}");
        assert_eq!(written.lines().count(), conversations(&text(name)).len(), "{name}");
    }
}

/// A graph without a sidecar has neither null nor keys without a meaning.
#[test]
fn conversations_come_back_from_a_bare_graph() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (seed, name) in FILES.into_iter().enumerate() {
        let quads = convert(&path("chat"), name, &["--to", "nq"]);
        fs::write(folder.path().join("quads.nq"), shuffled(&quads, seed as u64)).expect("the folder is ours");
        let written = convert(folder.path(), "quads.nq", &["--to", "hf-chat"]);
        let mut expected = conversations(&text(name));
        for record in &mut expected {
            let record = record.as_object_mut().expect("a conversation is an object");
            record.retain(|key, _| key != "source" && key != "metadata");
            for message in record["messages"].as_array_mut().expect("messages") {
                message.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
            }
        }
        assert_eq!(conversations(&written), expected, "{name}");
    }
}

#[test]
fn a_system_prompt_goes_into_conversations_without_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("prompt.txt"), "Be brief.\n").expect("the folder is ours");
    let file = path("chat/all-keys.jsonl").display().to_string();
    let written = convert(folder.path(), &file, &["--to", "hf-chat", "--system-prompt", "prompt.txt"]);
    let prompt = json!({"role": "system", "content": "Be brief."});
    for (written, before) in conversations(&written).iter().zip(conversations(&text("all-keys.jsonl"))) {
        let has_prompt = ["system", "developer"].iter().any(|role| before["messages"][0]["role"] == *role);
        let mut expected = before.clone();
        if !has_prompt {
            expected["messages"].as_array_mut().expect("messages").insert(0, prompt.clone());
        }
        assert_eq!(*written, expected);
    }
}

#[test]
fn conversations_are_counted() {
    let file = path("chat/all-keys.jsonl").display().to_string();
    let figures = &stats(Path::new("."), &[file])[0];
    let counted = ["conversations", "questions", "messages", "turns", "toolCalls"];
    assert_eq!(counted.map(|key| figures[key].as_u64()), [6, 6, 21, 7, 2].map(Some));
    assert_eq!((&figures["withSystemPrompt"], &figures["withoutSystemPrompt"]), (&json!(2), &json!(4)));
    let by_role = json!({"assistant": 9, "developer": 1, "function": 1, "system": 1, "tool": 1, "user": 8});
    assert_eq!(figures["messagesByRole"], by_role);
}

/// The last question before the last answer is the question of a conversation, in the order of the file.
#[test]
fn other_systems_get_the_questions_and_answers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = path("chat/all-keys.jsonl").display().to_string();
    for bare in [false, true] {
        if bare {
            let quads = convert(folder.path(), &file, &["--to", "nq"]);
            fs::write(folder.path().join("quads.nq"), shuffled(&quads, 5)).expect("the folder is ours");
        }
        let file = if bare { "quads.nq" } else { &file };
        let rows: Value =
            serde_json::from_str(&convert(folder.path(), file, &["--to", "train"])).expect("it is JSON");
        let pairs: Vec<(&str, &str)> = rows
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| (row["question"].as_str().expect("a text"), row["answer"].as_str().expect("a text")))
            .collect();
        let expected = [
            ("And flood?", "The rising tide."),
            ("How high is the tide at Dover?", "5.2 metres."),
            ("What does this chart show?\nName the port.", "The tides at Brest."),
            ("Who won the match?", ""),
            ("I mean its phase.", "A \"full\" moon:\nall of it is lit."),
            ("How high is the tide at Brest?", "6.1 metres."),
        ];
        assert_eq!(pairs, expected);
        assert_eq!((&rows[0]["id"], &rows[2]["id"]), (&json!("two-turns"), &json!(7)));
    }
    for form in ["karenina", "kwanzaa", "rlcf"] {
        let written = convert(folder.path(), &file, &["--to", form]);
        assert!(written.contains("The rising tide."), "{form}: {written}");
    }
}

#[test]
fn named_queries_find_the_questions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = path("chat/tides.jsonl").display().to_string();
    let (status, table, stderr) = run(folder.path(), &["query", &file, "-n", "overview"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(table.lines().any(|line| line.ends_with(",,10,0,0,0,")), "{table}");
    let (_, table, _) = run(folder.path(), &["query", &file, "-n", "systems"]);
    assert!(table.lines().any(|line| line == "chat,1,10,10"), "{table}");
}

#[test]
fn files_are_recognised_by_their_content() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dialect = |text: &str, options: &[&str]| {
        fs::write(folder.path().join("file.json"), text).expect("the folder is ours");
        let (_, figures, _) =
            run(folder.path(), &[&["stats", "file.json", "--format", "json"], options].concat());
        let figures: Value = serde_json::from_str(&figures).unwrap_or_default();
        figures[0]["kind"].as_str().map(str::to_owned)
    };
    let message = r#"{"role": "user", "content": "Why?"}"#;
    let chat = Some("chat/conversations".to_owned());
    // Keys of other systems beside `messages` do not matter.
    let with_ids =
        format!(r#"[{{"messages": [{message}], "id": 1, "user_id": 2, "task_id": 3, "question": "Why?"}}]"#);
    assert_eq!(dialect(&with_ids, &[]), chat);
    assert_eq!(
        dialect(&format!(r#"[{{"messages": [{message}]}}, 7, {{"messages": [{message}]}}]"#), &[]),
        chat
    );
    let one = dialect(&format!(r#"{{"messages": [{message}], "model": "a"}}"#), &[]);
    assert_eq!(one.as_deref(), Some("chat/conversation"));
    assert_eq!(dialect(r#"[{"messages": ["Why?"]}]"#, &[]), None);
    assert_eq!(dialect(r#"[{"messages": ["Why?"]}]"#, &["--from", "chat"]), chat);
    let kwanzaa = fs::read_to_string(path("kwanzaa/chat.jsonl")).expect("the fixture is there");
    assert_eq!(dialect(&kwanzaa, &[]).as_deref(), Some("kwanzaa/chat"));
}
