//! `evalgraph diff` of files of records: one change of a file is one difference, of every format.

use crate::cli::input::run;
use crate::fixture_files::{files_below, root, short};
use crate::share::one_of;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files that no command reads: they are broken, or replies that something went wrong, or have columns that
/// nobody has said the meaning of.
const UNREADABLE: [&str; 7] = [
    "broken/missing-comma.jsonld",
    "broken/wrong-container.jsonld",
    "rlcf/errors/not_found.json",
    "rlcf/errors/validation.json",
    "rlcf/replies/exported_dataset.jsonl",
    "train/bad/latin1.json",
    "train/prompts.jsonl",
];

/// A question with two answers, whose comparison by question ends in an error.
const HOSTILE: &str = "hostile/p2-hostile.jsonld";

/// Changes that change nothing: flags of a frame in what is read as data, and the kind that a trait of
/// version 2.0 has by itself.
const MEANS_THE_SAME: [&str; 2] =
    ["frames/questions.jsonld", "karenina/v2c-oceans.json member removed at /global_rubric/llm_traits/0"];

fn readable() -> Vec<PathBuf> {
    files_below(".").into_iter().filter(|path| !UNREADABLE.contains(&name_of(path).as_str())).collect()
}

fn name_of(path: &Path) -> String {
    short(path).trim_start_matches("./").to_owned()
}

#[test]
fn every_file_is_the_same_as_itself_in_every_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (number, path) in readable().into_iter().enumerate() {
        let file = path.display().to_string();
        let forms = ["text", "json", "markdown", "rdf-patch"].into_iter();
        for form in forms.skip(number % one_of(2)).step_by(one_of(2)) {
            if name_of(&path) == HOSTILE && form != "rdf-patch" {
                continue;
            }
            let (status, stdout, stderr) = run(folder.path(), &["diff", &file, &file, "--format", form]);
            assert_eq!(status, 0, "{file} {form}: {stdout} {stderr}");
            match form {
                "text" => assert_eq!(stdout, "", "{file}"),
                "rdf-patch" => assert!(stdout.ends_with("TX .\nTC .\n"), "{file}: {stdout}"),
                "json" => assert!(stdout.contains("\"equal\": true"), "{file}: {stdout}"),
                _ => assert!(stdout.contains(" differs.\n"), "{file}: {stdout}"),
            }
        }
    }
}

#[test]
fn every_folder_is_the_same_as_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["across", "karenina", "kwanzaa", "results", "revisions", "rlcf/datasets", "train/evaluation"]
    {
        let path = root().join(name).display().to_string();
        let (status, stdout, stderr) = run(folder.path(), &["diff", &path, &path]);
        assert_eq!((status, stdout.as_str()), (0, ""), "{name}: {stderr}");
    }
}

/// A file in JSON or in JSON lines.
struct Text {
    name: String,
    is_lines: bool,
    value: Value,
}

impl Text {
    fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let text = text.trim_start_matches('\u{feff}');
        let name = path.file_name()?.to_string_lossy().into_owned();
        let is_lines = name.ends_with(".jsonl");
        let value = match is_lines {
            true => text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(serde_json::from_str::<Value>)
                .collect(),
            false => serde_json::from_str(text),
        };
        Some(Self { name, is_lines, value: value.ok()? })
    }

    fn write(&self, value: &Value) -> String {
        match value.as_array().filter(|_| self.is_lines) {
            Some(lines) => lines.iter().map(|line| format!("{line}\n")).collect(),
            None => format!("{value:#}\n"),
        }
    }
}

/// A change of a file that matters.
struct Mutation {
    what: &'static str,
    /// The pointer of the value or of the record that is changed.
    at: String,
    after: Value,
}

/// The mutations of a file: of a few records, spread over it.
fn mutations(value: &Value) -> Vec<Mutation> {
    let mut leaves = Vec::new();
    collect_leaves(value, String::new(), &mut leaves);
    let mut mutations = Vec::new();
    for (at, leaf) in spread(&leaves, 3) {
        let other = match leaf {
            Value::String(text) => json!(format!("{text}, changed")),
            Value::Bool(is_true) => json!(!is_true),
            Value::Null => json!(true),
            Value::Number(_) => json!(77),
            _ => continue,
        };
        mutations.push(mutated(value, "value changed", at, |place| *place = other));
        if !leaf.is_null() {
            mutations.push(mutated(value, "value nulled", at, |place| *place = Value::Null));
        }
        let Some((object, key)) = at.rsplit_once('/') else { continue };
        if value.pointer(object).is_some_and(Value::is_object) {
            let key = key.replace("~1", "/").replace("~0", "~");
            mutations.push(mutated(value, "member removed", object, |object| {
                object.as_object_mut().expect("an object").shift_remove(&key);
            }));
            mutations.push(mutated(value, "key renamed", object, |object| {
                let members = object.as_object_mut().expect("an object");
                let members = std::mem::take(members).into_iter();
                let renamed = members.map(|(own, value)| (if own == key { own + "_x" } else { own }, value));
                *object = Value::Object(renamed.collect());
            }));
        }
    }
    for (pointer, records) in lists(value) {
        for at in BTreeSet::from([0, records / 2, records.saturating_sub(1)]) {
            if records > 1 {
                mutations.push(mutated(value, "record removed", &pointer, |list| {
                    list.as_array_mut().expect("an array").remove(at);
                }));
            }
        }
    }
    mutations
}

fn mutated(value: &Value, what: &'static str, at: &str, change: impl FnOnce(&mut Value)) -> Mutation {
    let mut after = value.clone();
    change(after.pointer_mut(at).expect("the place is there"));
    Mutation { what, at: at.to_owned(), after }
}

fn spread<T>(all: &[T], count: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by((all.len() / count).max(1)).take(count)
}

fn collect_leaves<'v>(value: &'v Value, at: String, leaves: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_leaves(item, format!("{at}/{index}"), leaves);
            }
        }
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| *key != "@context") {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect_leaves(member, format!("{at}/{key}"), leaves);
            }
        }
        leaf => leaves.push((at, leaf)),
    }
}

/// The arrays of objects at the root, or just below it, with how many they hold.
fn lists(value: &Value) -> Vec<(String, usize)> {
    let is_list =
        |value: &Value| value.as_array().filter(|items| items.iter().all(Value::is_object)).map(Vec::len);
    let members = value.as_object().into_iter().flatten();
    let below = members.filter_map(|(key, member)| Some((format!("/{key}"), is_list(member)?)));
    is_list(value).map(|records| (String::new(), records)).into_iter().chain(below).collect()
}

struct Pair {
    folder: TempDir,
    a: String,
    b: String,
}

impl Pair {
    fn of(text: &Text, after: &Value) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |side: &str, value: &Value| {
            fs::create_dir(folder.path().join(side)).expect("the folder is ours");
            let path = format!("{side}/{}", text.name);
            fs::write(folder.path().join(&path), text.write(value)).expect("the folder is ours");
            path
        };
        let (a, b) = (write("a", &text.value), write("b", after));
        Self { folder, a, b }
    }

    fn diff(&self, options: &[&str]) -> (i32, String, String) {
        run(self.folder.path(), &[&["diff", &self.a, &self.b], options].concat())
    }
}

/// The differences that the JSON form has: a path for each change, a sign for each lone record.
fn differences(json: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let path = |change: &Value| {
        let parts = list(&change["path"]);
        parts.iter().map(|part| part.as_str().expect("a string").to_owned()).collect::<Vec<_>>().join("/")
    };
    let whole = list(&json["file"]).into_iter().chain(list(&json["checkpoint"]));
    let changed = list(&json["changed"]).into_iter().flat_map(|record| list(&record["changes"]));
    let mut all: Vec<String> = whole.chain(changed).map(|change| path(&change)).collect();
    all.extend(list(&json["removed"]).iter().map(|_| "-".to_owned()));
    all.extend(list(&json["added"]).iter().map(|_| "+".to_owned()));
    all
}

/// A file of records: the change is told as it is, and nothing else.
#[test]
fn one_change_of_a_record_file_is_one_difference() {
    let (mut exact, mut refused) = (0, Vec::new());
    for folder in ["across", "kwanzaa", "results", "rlcf", "train"] {
        for path in
            files_below(folder).into_iter().filter(|path| !UNREADABLE.contains(&name_of(path).as_str()))
        {
            let Some(text) = Text::read(&path) else { continue };
            // Outside of its folder the name of that file says that it holds tasks.
            if text.name.ends_with(".jsonld") || path.ends_with("config/tasks.json") {
                continue;
            }
            for Mutation { what, at, after } in mutations(&text.value).into_iter().step_by(one_of(5)) {
                let name = format!("{} {what} at {at}", name_of(&path));
                let pair = Pair::of(&text, &after);
                let (status, stdout, stderr) = pair.diff(&["--format", "json"]);
                if status == 2 {
                    refused.push(name);
                    continue;
                }
                assert_eq!(status, 1, "{name}: {stdout} {stderr}");
                let json: Value = serde_json::from_str(&stdout).expect("it is JSON");
                let found = differences(&json);
                let expected = match what {
                    "key renamed" => 2,
                    _ => 1,
                };
                assert_eq!(found.len(), expected, "{name}: {found:?} {stdout}");
                exact += 1;
            }
        }
    }
    assert!(exact * one_of(5) > 600, "{exact}");
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn no_change_of_a_file_passes_in_silence_in_any_form() {
    for path in readable() {
        let Some(text) = Text::read(&path) else { continue };
        for Mutation { what, at, after } in mutations(&text.value).into_iter().step_by(5 * one_of(3)) {
            let pair = Pair::of(&text, &after);
            for form in ["text", "markdown", "rdf-patch"] {
                let (status, stdout, stderr) = pair.diff(&["--format", form]);
                let name = format!("{} {what} at {at} as {form}", name_of(&path));
                if status == 0 {
                    let is_known = MEANS_THE_SAME.iter().any(|known| name.starts_with(known));
                    assert!(is_known || stderr.contains("diff::dialects"), "{name}: {stdout} {stderr}");
                    continue;
                }
                if form == "rdf-patch" && status == 1 {
                    let is_told = stderr.contains("diff::not-in-graph");
                    let has_lines = stdout.contains("\nD ") || stdout.contains("\nA ");
                    assert!(is_told || has_lines, "{name}: {stdout} {stderr}");
                }
            }
        }
    }
}

fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is ours");
        fs::write(path, text).expect("the folder is ours");
    }
    folder
}

const ROWS: &str = r#"[
  {"id": "a", "question": "Why?", "answer": "So", "is_impossible": false, "contexts": []},
  {"id": "b", "question": "Who?", "answer": "We", "is_impossible": null, "contexts": []}
]
"#;

#[test]
fn a_difference_of_records_has_both_places() {
    let after = ROWS.replace("\"So\"", "\"Because\"").replace("null", "true");
    let folder = folder_of(&[("a.json", ROWS), ("b.json", &after)]);
    let (status, stdout, _) = run(folder.path(), &["diff", "a.json", "b.json"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @r#"
    row a: Why?
      answer
        - a.json:2:45: "So"
        + b.json:2:45: "Because"
    row b: Who?
      is_impossible
        - a.json:3:68: null
        + b.json:3:68: true
    2 records changed, 0 added, 0 removed, 0 the same; 0 differences of the file itself
    "#);
}

#[test]
fn syntax_and_order_of_keys_make_no_difference_and_the_order_of_records_is_one() {
    let lines = "{\"answer\":\"So\",\"id\":\"a\",\"question\":\"Why?\",\"is_impossible\":false,\"contexts\":[]}\n\
                 {\"id\":\"b\",\"question\":\"Who?\",\"answer\":\"We\",\"is_impossible\":null,\"contexts\":[]}\n";
    let turned: String = lines.lines().rev().map(|line| format!("{line}\n")).collect();
    let folder = folder_of(&[("a.json", ROWS), ("b.jsonl", lines), ("c.jsonl", &turned)]);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.json", "b.jsonl"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    let (status, stdout, _) = run(folder.path(), &["diff", "a.json", "c.jsonl"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @r"
    file
      order
        - a.json:1:1: [0,1]
        + c.jsonl:1:1: [1,0]
    0 records changed, 0 added, 0 removed, 2 the same; 1 difference of the file itself
    ");
    let (status, _, _) = run(folder.path(), &["diff", "a.json", "c.jsonl", "--ignore", "order"]);
    assert_eq!(status, 0);
}

#[test]
fn a_patch_says_which_difference_has_no_place_in_the_graph() {
    let after = ROWS.replace("\"is_impossible\": null, ", "").replace("\"So\"", "\"Because\"");
    let folder = folder_of(&[("a.json", ROWS), ("b.json", &after)]);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.json", "b.json", "--format", "rdf-patch"]);
    assert_eq!(status, 1);
    let changes: String = stdout.lines().skip(1).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(changes, @r#"
    TX .
    D <urn:evalgraph:train:a:a/answer> <http://schema.org/text> "So" <urn:evalgraph:graph:a> .
    A <urn:evalgraph:train:a:a/answer> <http://schema.org/text> "Because" <urn:evalgraph:graph:a> .
    TC .
    "#);
    assert!(
        stderr.contains("a.json:3:68: warning[diff::not-in-graph]: row `b`: `is_impossible` differs"),
        "{stderr}"
    );
}

#[test]
fn folders_are_compared_file_by_file_where_there_are_records() {
    let after = ROWS.replace("\"So\"", "\"Because\"");
    let folder = folder_of(&[
        ("a/one.json", ROWS),
        ("a/deep/two.json", ROWS),
        ("a/three.json", ROWS),
        ("b/one.json", ROWS),
        ("b/deep/two.json", &after),
        ("b/four.json", ROWS),
    ]);
    let (status, stdout, _) = run(folder.path(), &["diff", "a", "b"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @r#"
    a/deep/two.json → b/deep/two.json
    row a: Why?
      answer
        - a/deep/two.json:2:45: "So"
        + b/deep/two.json:2:45: "Because"
    1 record changed, 0 added, 0 removed, 1 the same; 0 differences of the file itself
    - a/three.json
    + b/four.json
    1 file changed, 1 added, 1 removed, 1 the same
    "#);
    let (_, stdout, _) = run(folder.path(), &["diff", "a", "b", "--format", "json"]);
    let json: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(json["removed"], json!(["a/three.json"]));
    assert_eq!(json["files"].as_array().map(Vec::len), Some(2));
}

#[test]
fn version_2_differs_in_folders_and_by_triple() {
    let path = root().join("karenina/v2a-mycology.json");
    let text = fs::read_to_string(path).expect("the fixture is there");
    let after = text.replacen("\"raw_answer\": \"", "\"raw_answer\": \"Not ", 1);
    assert_ne!(text, after);
    let other = "{\"@context\": {\"@vocab\": \"http://schema.org/\"}, \"name\": \"x\"}";
    let folder = folder_of(&[
        ("a/v2.json", &text),
        ("a/x.jsonld", other),
        ("b/v2.json", &after),
        ("b/x.jsonld", other),
    ]);
    for options in [&["diff", "a", "b"][..], &["diff", "a/v2.json", "b/v2.json", "--by", "triple"]] {
        let (status, stdout, stderr) = run(folder.path(), options);
        assert_eq!(status, 1, "{stderr}");
        assert_eq!(stdout.lines().count(), 2, "{stdout}");
        assert!(stdout.contains("\"Not "), "{stdout}");
    }
}

#[test]
fn a_named_system_is_obeyed() {
    let after = ROWS.replace("\"So\"", "\"Because\"");
    let folder = folder_of(&[("a.json", ROWS), ("b.json", &after)]);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.json", "b.json", "--from", "train"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.contains("row a: Why?"), "{stdout}");
}

#[test]
fn records_and_their_graph_are_compared_by_triple() {
    let folder = folder_of(&[("a.json", ROWS)]);
    let (status, nq, stderr) = run(folder.path(), &["convert", "a.json", "--to", "nq"]);
    assert_eq!(status, 0, "{stderr}");
    fs::write(folder.path().join("a.nq"), &nq).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.json", "a.nq"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    fs::write(folder.path().join("a.nq"), nq.replace("\"So\"", "\"Because\"")).expect("the folder is ours");
    let (status, stdout, _) = run(folder.path(), &["diff", "a.json", "a.nq"]);
    assert_eq!((status, stdout.lines().count()), (1, 2), "{stdout}");
    let (status, _, stderr) = run(folder.path(), &["diff", "a.json", "a.nq", "--by", "record"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("diff::record"), "{stderr}");
}
