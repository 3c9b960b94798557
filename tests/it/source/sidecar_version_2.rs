//! Checkpoints of version 2.0, which are not JSON-LD: from their graphs they come back as they were.

use crate::beside::karenina_files;
use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::{parsed, shuffled};
use evalgraph::source::rewriting::{JsonStyle, StyledJson};
use std::fs;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["v2a-mycology.json", "v2b-meteorology.json", "v2c-oceans.json"]
        .map(|name| path(&format!("karenina/{name}")))
        .into();
    files.extend(
        karenina_files().into_iter().filter(|path| path.extension().is_some_and(|end| end == "json")),
    );
    files.sort();
    files
}

/// The text laid out in another way.
fn in_style(text: &str, style: JsonStyle) -> String {
    let document = parsed("any", text);
    let mut json = StyledJson::new(style);
    json.json(&document, document.root());
    json.finish()
}

/// The quads of a file with its sidecar, and the folder that they are to be written in.
fn quads(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("file.json"), text).expect("the folder is ours");
    let arguments = ["convert", "file.json", "--to", "nq", "--with", "sidecar"];
    let (status, quads, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    (folder, quads)
}

/// The file of quads, and what is said of it.
fn written(folder: &Path, quads: &str) -> (String, String) {
    fs::write(folder.join("file.nq"), quads).expect("the folder is ours");
    let (status, text, stderr) = run(folder, &["convert", "file.nq", "--to", "same"]);
    assert_eq!(status, 0, "{stderr}");
    (text, stderr)
}

/// The same where there is nothing to be said.
fn came_back(text: &str, seed: u64) -> String {
    let (folder, quads) = quads(text);
    let (text, stderr) = written(folder.path(), &shuffled(&quads, seed));
    assert_eq!(stderr, "");
    text
}

#[test]
fn every_file_comes_back_from_shuffled_quads() {
    let tabs = JsonStyle { indent: Some("\t".to_owned()), end: "\n".to_owned(), ..JsonStyle::default() };
    for (seed, path) in (0..).zip(files()) {
        let text = fs::read_to_string(&path).expect("the file can be read");
        for text in [in_style(&text, JsonStyle::default()), in_style(&text, JsonStyle::compact())] {
            assert_eq!(came_back(&text, seed), text, "{}", path.display());
        }
        let is_regular = in_style(&text, JsonStyle::from_document(&parsed("any", &text))) == text;
        let text = if is_regular { text } else { in_style(&text, tabs.clone()) };
        assert_eq!(came_back(&text, seed + 1), text, "{}", path.display());
    }
}

#[test]
fn order_spelling_nulls_and_what_the_graph_has_no_place_for_come_back() {
    let text = r#"{
  "exported_by": {
    "tool": "an older one",
    "build": 1.50
  },
  "checkpoint": {
    "b": {
      "raw_answer": "4",
      "question": "2+2?",
      "answer_template": "class Answer: pass",
      "finished": null,
      "question_rubric": {
        "metric_traits": [],
        "llm_traits": [
          {
            "name": "Second",
            "kind": "score",
            "max_score": 5.0,
            "min_score": 1e0,
            "note": "Größe"
          },
          {
            "name": "First",
            "description": null,
            "kind": "boolean"
          }
        ]
      },
      "keywords": []
    },
    "a": {
      "question": "1+1?",
      "raw_answer": "2",
      "original_answer_template": "",
      "answer_template": "class Answer: pass",
      "date_created": "",
      "last_modified": "2025-01-15T10:30:00Z",
      "finished": false,
      "question_rubric": null
    }
  },
  "global_rubric": null,
  "version": "2.0"
}
"#;
    let (folder, quads) = quads(text);
    let (back, stderr) = written(folder.path(), &shuffled(&quads, 3));
    assert_eq!((back, stderr.as_str()), (text.to_owned(), ""));
    let changed = quads.replacen("\"2+2?\"", "\"2+3?\"", 1).replacen("\"4\"", "\"5\"", 1);
    let changed = changed.replacen("Größe", "Höhe", 1);
    let expected = text.replace("2+2?", "2+3?").replace("\"4\"", "\"5\"").replace("Größe", "Höhe");
    assert_eq!(written(folder.path(), &shuffled(&changed, 4)).0, expected);
}

/// The quads without those of one node: of the object of a property.
fn without_rating(quads: &str, name: &str) -> String {
    let line = quads.lines().find(|line| line.contains(&format!("\"{name}\""))).expect("it is there");
    let node = line.split(' ').next().expect("a quad has a subject");
    let others = quads.lines().filter(|line| !line.contains(node));
    others.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_deleted_rating_is_missing_and_all_others_are_as_they_were() {
    let one = |name: &str, more: &str| format!("{{\"name\":\"{name}\",\"kind\":\"boolean\"{more}}}");
    let traits = [one("C", ",\"x\":null"), one("A", ""), one("B", ",\"description\":null")];
    let text = |traits: &[String]| {
        let traits = traits.join(",");
        format!(
            r#"{{"global_rubric":{{"llm_traits":[{traits}]}},"version":"2.0","checkpoint":{{"k":{{"question":"q","raw_answer":"r","answer_template":"class Answer: pass","last_modified":"2025-01-15T10:30:00Z"}}}}}}"#
        )
    };
    let (folder, quads) = quads(&text(&traits));
    let (back, stderr) = written(folder.path(), &without_rating(&shuffled(&quads, 9), "A"));
    assert_eq!(back, text(&[traits[0].clone(), traits[2].clone()]), "{stderr}");
}
