//! A distinctive `api_key` in every place that a file of RLCF has: no output shows it.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::rlcf::round_trip::fixtures;
use std::fs;
use std::path::Path;

/// What nobody may see, in pieces of which each would be too much.
const SECRET: &str = "sk-Zq7vXw9Kj2Hn4Tb8";

/// Files with the secret, and what the pointers of the note have to name.
fn files() -> Vec<(&'static str, String, &'static str)> {
    let task = |input: &str| {
        format!(
            r#"[{{"id": 1, "task_type": "QA", "input_data": {input}, "created_at": "2026-01-01T00:00:00", "status": "OPEN"}}]"#
        )
    };
    let s = SECRET;
    vec![
        (
            "ai_model_config.json",
            format!(r#"{{"name": "m", "api_key": "{s}", "max_tokens": 1}}"#),
            "/api_key",
        ),
        ("escaped.json", format!(r#"{{"name": "m", "api\u005fkey": "{s}", "max_tokens": 1}}"#), "/api_key"),
        (
            "twice.json",
            format!(r#"{{"name": "m", "api_key": "{s}", "api_key": "{s}x", "max_tokens": 1}}"#),
            "/api_key",
        ),
        (
            "ai_models.jsonl",
            format!("{{\"name\": \"m\", \"api_key\": \"{s}\", \"max_tokens\": 1}}\n"),
            "/0/api_key",
        ),
        (
            "nested.json",
            format!(r#"{{"name": "m", "max_tokens": 1, "api_key": {{"value": ["{s}"]}}}}"#),
            "/api_key",
        ),
        (
            "export.json",
            format!(r#"{{"users": [], "ai_models": [{{"name": "m", "api_key": "{s}"}}], "api_key": "{s}"}}"#),
            "/ai_models/0/api_key",
        ),
        (
            "tasks.json",
            task(&format!(r#"{{"question": "Why is it so?", "context": {{"api_key": "{s}"}}}}"#)),
            "/0/input_data/context/api_key",
        ),
        (
            "tasks_2.json",
            task(&format!(r#"{{"question": "Why?", "metadata_full": "{{\"api_key\": \"{s}\"}}"}}"#)),
            "/0/input_data/metadata_full",
        ),
        (
            "feedback.json",
            format!(
                r#"{{"user_id": 1, "feedback_data": {{}}, "metadata": {{"OPENROUTER_API_KEY": "{s}"}}}}"#
            ),
            "/metadata/OPENROUTER_API_KEY",
        ),
        (
            "yaml_content.json",
            format!(r#"{{"yaml_content": "tasks:\n  - task_type: QA\n    api_key: {s}\n"}}"#),
            "/yaml_content",
        ),
        (
            "model_config.json",
            format!(r#"{{"authority_weights": {{}}, "track_record": {{}}, "api_key": "{s}"}}"#),
            "/api_key",
        ),
        (
            "error.json",
            format!(r#"{{"detail": [{{"msg": "wrong", "input": {{"api_key": "{s}"}}}}]}}"#),
            "/detail/0/input/api_key",
        ),
        (
            "nli_entailment.json",
            format!(r#"[{{"premise": "a", "hypothesis": "b", "label": "c", "api-key": "{s}"}}]"#),
            "/0/api-key",
        ),
    ]
}

fn assert_hidden(what: &str, text: &str) {
    for length in [SECRET.len(), 8] {
        for piece in SECRET.as_bytes().windows(length) {
            let piece = std::str::from_utf8(piece).expect("it is ASCII");
            assert!(!text.contains(piece), "{what} shows `{piece}`:\n{text}");
        }
    }
}

#[test]
fn no_output_shows_a_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    for (name, text, pointer) in files() {
        fs::write(root.join(name), &text).expect("the folder is ours");
        let commands: [&[&str]; 8] = [
            &["convert", name, "--from", "rlcf", "--to", "nq", "--with", "sidecar", "--with", "catalog"],
            &["convert", name, "--to", "trig", "--with", "sidecar"],
            &["stats", name, "--from", "rlcf"],
            &["query", "SELECT * { ?s ?p ?o }", name, "--from", "rlcf"],
            &["expand", name],
            &["validate", name],
            &["to-rdf", name],
            &["compact", name],
        ];
        for arguments in commands {
            let (_, stdout, stderr) = run(root, arguments);
            assert_hidden(&format!("stdout of {arguments:?}"), &stdout);
            assert_hidden(&format!("stderr of {arguments:?}"), &stderr);
        }
        let (_, quads, stderr) = run(root, commands[0]);
        assert!(
            stderr.contains("note[input::secret]") && stderr.contains(&format!("`{pointer}`")),
            "{name}: {stderr}"
        );
        fs::write(root.join("quads"), quads).expect("the folder is ours");
        let (status, back, _) = run(root, &["convert", "quads", "--to", "same"]);
        assert_eq!(status, 0, "{name}");
        assert_hidden("the file that was written", &back);
    }
}

#[test]
fn a_file_that_cannot_be_parsed_is_not_shown() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let s = SECRET;
    for text in [
        format!(r#"{{"name": "m", "api_key": {s}, "max_tokens": 1}}"#),
        format!(r#"{{"name": "m", "api_key": "{s}, "max_tokens": 1}}"#),
        format!("{{\"name\": \"m\", \"api_key\": \"{s}\nx\"}}"),
        format!(r#"{{"api_key": "{s}"}} {{"#),
    ] {
        for name in ["model.json", "model.jsonl", "model.yaml"] {
            fs::write(folder.path().join(name), &text).expect("the folder is ours");
            for command in ["stats", "expand", "validate"] {
                let (status, stdout, stderr) = run(folder.path(), &[command, name]);
                // YAML takes some of it.
                assert!(status == 2 || name == "model.yaml", "{stdout}{stderr}");
                assert_hidden(command, &stdout);
                assert_hidden(command, &stderr);
            }
        }
    }
}

#[test]
fn the_fixtures_show_none_of_theirs() {
    let root = path("rlcf");
    for file in fixtures(&["json", "jsonl"]) {
        let file = file.to_str().expect("names are UTF-8");
        for arguments in
            [&["stats", file, "--from", "rlcf"][..], &["convert", file, "--to", "nq", "--with", "sidecar"]]
        {
            let (_, stdout, stderr) = run(Path::new(&root), arguments);
            assert!(!format!("{stdout}{stderr}").contains("sk-fixture"), "{file}");
        }
    }
}
