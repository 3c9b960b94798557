//! What is named on the command line is obeyed, or told: settings, fields, files that are gone, parts of an earlier
//! run; and an export that would hold nothing says why.

use std::fs;
use std::path::Path;

use crate::cli::input::run;

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).display().to_string()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(fixture("karenina/p1-physics.jsonld"), folder.path().join("p.jsonld"))
        .expect("the fixture is there");
    fs::copy(fixture("karenina/s1-astronomy.jsonld"), folder.path().join("s.jsonld"))
        .expect("the fixture is there");
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("the folder is ours");
}

#[test]
fn an_export_of_nothing_says_what_is_missing() {
    let folder = folder();
    let [tasks, feedback, responses, users] =
        ["tasks.jsonl", "feedback.jsonl", "responses.json", "users.json"]
            .map(|name| fixture(&format!("rlcf/{name}")));
    let (status, stdout, stderr) =
        run(folder.path(), &["convert", &tasks, &feedback, &responses, "--to", "sft", "-o", "out.jsonl"]);
    assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
    assert!(
        stderr.contains("no feedback in the input yields a record of sft: there are no users"),
        "{stderr}"
    );
    assert!(!folder.path().join("out.jsonl").exists());
    let all = ["convert", &tasks, &feedback, &responses, &users, "--to", "sft"];
    let (status, stdout, stderr) = run(folder.path(), &all);
    assert!(status == 0 && !stdout.is_empty(), "{stderr}");
    // Of users alone the other kinds are missing.
    let (status, _, stderr) = run(folder.path(), &["convert", &users, "--to", "preference"]);
    assert_eq!(status, 1);
    assert!(stderr.contains("there are no tasks, no responses, no feedback"), "{stderr}");
    for (task_type, help) in [("qa", "did you mean `QA`?"), ("SUMMARY_OF_ALL", "there are `")] {
        let arguments = [&all[..], &["--task-type", task_type]].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
        assert!(
            stderr.contains(&format!("no task is of type `{task_type}`")) && stderr.contains(help),
            "{stderr}"
        );
    }
}

#[test]
fn templates_of_a_checkpoint_without_any_are_told() {
    let folder = folder();
    let text = r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": "DataFeed", "name": "A", "dataFeedElement": [
        {"@type": "DataFeedItem", "@id": "urn:x:1", "item": {"@type": "Question", "text": "Why?",
        "acceptedAnswer": {"@type": "Answer", "text": "So"}}}]}"#;
    write(folder.path(), "none.jsonld", text);
    let (status, _, stderr) = run(folder.path(), &["templates", "out", "none.jsonld", "-o", "t"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("the checkpoint has no template to write"), "{stderr}");
    assert!(!folder.path().join("t").exists());
}

#[test]
fn a_setting_that_is_none_is_refused() {
    let folder = folder();
    let export = fixture("rlcf/export.json");
    for (config, told) in [
        (r#"{"threshholds": {"disagreement": 0.1}}"#, "did you mean `thresholds`?"),
        (r#"{"thresholds": {"disagrement": 0.1}}"#, "did you mean `disagreement`?"),
        (r#"{"other": 1}"#, "there are `authority_weights`, `track_record`"),
        (
            r#"{"baseline_credentials": {"types": {"A": {"weight": 1, "wieght": 2,
                "scoring_function": {"type": "map", "values": {}}}}}}"#,
            "did you mean `weight`?",
        ),
        (
            r#"{"baseline_credentials": {"types": {"A": {"weight": 1,
                "scoring_function": {"type": "map", "valeus": {}}}}}}"#,
            "did you mean `values`?",
        ),
    ] {
        write(folder.path(), "config.json", config);
        let (status, stdout, stderr) = run(folder.path(), &["figures", &export, "--config", "config.json"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{config}: {stderr}");
        assert!(stderr.contains("error[rlcf::config]") && stderr.contains(told), "{config}: {stderr}");
    }
    // The same settings for the rules.
    for (config, told) in [
        (r#"{"rlfc": {}}"#, "rlfc"),
        (r#"{"rlcf": {"no_such_setting": 1}}"#, "no_such_setting"),
        (r#"{"kwanzaa": {"no_such_setting": 1}}"#, "no_such_setting"),
        (r#"{"train": {"no_such_setting": 1}}"#, "no_such_setting"),
    ] {
        write(folder.path(), "config.json", config);
        let (status, _, stderr) = run(folder.path(), &["validate", &export, "--config", "config.json"]);
        assert_eq!(status, 2, "{config}: {stderr}");
        assert!(stderr.contains(told), "{config}: {stderr}");
    }
    assert_eq!(
        run(folder.path(), &["figures", &export, "--config", &fixture("rlcf/model_config.yaml")]).0,
        0
    );
}

#[test]
fn a_field_to_ignore_has_to_be_one() {
    let folder = folder();
    let diff = |field: &str| run(folder.path(), &["diff", "p.jsonld", "s.jsonld", "--ignore", field]);
    let (status, stdout, stderr) = diff("dateModifed");
    assert_eq!((status, stdout.as_str()), (2, ""));
    insta::assert_snapshot!(stderr, @r"
    error[diff::ignore]: neither side has a field, property or key `dateModifed` to ignore
     = help: did you mean `dateModified`?
    ");
    // Of several pairs one at least, and of records any key.
    let fixture = |name: &str| fixture(&format!("train/{name}"));
    let (rows, others) = (fixture("support-desk.json"), fixture("awkward-rows.json"));
    let folders = fixture("general-knowledge");
    for (pair, field, told) in [
        ([&rows, &others], "anwser", Some("did you mean `answer`?")),
        ([&rows, &others], "answer", None),
        ([&folders, &folders], "anwser", Some("did you mean `answer`?")),
        ([&folders, &folders], "answer", None),
    ] {
        let (status, _, stderr) = run(folder.path(), &["diff", pair[0], pair[1], "--ignore", field]);
        assert_eq!(status == 2, told.is_some(), "{pair:?} {field}: {stderr}");
        assert!(told.is_none_or(|told| stderr.contains(told)), "{pair:?} {field}: {stderr}");
    }
    assert!(
        diff("zzzzzzzzzzzz").2.contains("there are `@context`, `@id`, `@type`, `answer`"),
        "{}",
        diff("zzzzzzzzzzzz").2
    );
    // Every field of every difference can be ignored.
    let (_, stdout, _) = run(folder.path(), &["diff", "p.jsonld", "s.jsonld", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    let mut paths = Vec::new();
    collect_paths(&value, &mut paths);
    assert!(paths.len() > 5, "{stdout}");
    for path in paths {
        let names = path.iter().enumerate().filter(|(at, _)| !(*at == 1 && path[0] == "traits"));
        for (_, field) in names.filter(|(at, _)| !(path[0] == "scenarios" && *at > 0)) {
            assert!(diff(field).0 < 2, "{field}: {}", diff(field).2);
        }
    }
}

/// The paths of all changes in a difference.
fn collect_paths(value: &serde_json::Value, paths: &mut Vec<Vec<String>>) {
    match value {
        serde_json::Value::Object(object) => {
            if let Some(serde_json::Value::Array(path)) = object.get("path") {
                paths.push(path.iter().filter_map(|part| part.as_str().map(str::to_owned)).collect());
            }
            object.values().for_each(|value| collect_paths(value, paths));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect_paths(item, paths)),
        _ => {}
    }
}

#[test]
fn parts_of_an_earlier_split_do_not_stay_unseen() {
    let folder = folder();
    let parts = || {
        let entries = fs::read_dir(folder.path().join("parts")).expect("it was made");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("ours").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let split = |more: &[&str]| run(folder.path(), &[&["split", "p.jsonld", "-o", "parts"], more].concat());
    assert_eq!(split(&["--max", "1"]).0, 0);
    write(folder.path(), "parts/p-notes.txt", "mine");
    assert_eq!(parts().len(), 5);
    // The same again writes over what is there.
    assert_eq!(split(&["--max", "1"]).0, 0);
    let (status, stdout, stderr) = split(&["--max", "2"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    insta::assert_snapshot!(stderr, @r"
    error[split::old-parts]: `parts` contains parts of an earlier split that the new parts do not replace: p-003.jsonld, p-004.jsonld
     = help: `--force` removes them; or name another folder
    ");
    assert_eq!(parts().len(), 5);
    assert_eq!(split(&["--max", "2", "--force"]).0, 0);
    assert_eq!(parts(), ["p-001.jsonld", "p-002.jsonld", "p-notes.txt"]);
}

fn names_in_store(folder: &Path) -> Vec<String> {
    let (status, stdout, stderr) = run(folder, &["graphs", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let graphs: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    let paths = graphs.as_array().into_iter().flatten().filter_map(|graph| graph["path"].as_str());
    let mut names: Vec<String> =
        paths.map(|path| path.rsplit('/').next().unwrap_or_default().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_graph_of_a_deleted_file_is_dropped_by_the_path_that_it_had() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "p.jsonld", "s.jsonld"]).0, 0);
    fs::remove_file(path.join("s.jsonld")).expect("it is ours");
    let (status, _, stderr) = run(path, &["graphs", "drop", "s.jsonld", "--dry-run"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("would drop 1 graph"), "{stderr}");
    assert_eq!(names_in_store(path), ["p.jsonld", "s.jsonld"]);
    let (status, _, stderr) = run(&path.join("in"), &["graphs", "drop", "../s.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(names_in_store(path), ["p.jsonld"]);
}

#[test]
fn files_that_are_gone_leave_the_store_where_that_is_wanted() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).expect("the folder is ours");
    for name in ["p.jsonld", "s.jsonld"] {
        fs::rename(path.join(name), path.join("in").join(name)).expect("the folder is ours");
    }
    fs::copy(path.join("in/p.jsonld"), path.join("outside.jsonld")).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "in", "outside.jsonld"]).0, 0);
    let questions = || {
        let (_, stdout, _) =
            run(path, &["query", "-q", "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?q a s:Question } }"]);
        stdout.lines().last().unwrap_or_default().to_owned()
    };
    let before = questions();
    fs::rename(path.join("in/p.jsonld"), path.join("in/new.jsonld")).expect("the folder is ours");
    fs::remove_file(path.join("outside.jsonld")).expect("it is ours");
    // Without the flag it is told, and nothing goes.
    let (status, _, stderr) = run(path, &["load", "in", "--dry-run"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.contains("in/p.jsonld` is gone, and its graph stays") && stderr.contains("--prune"),
        "{stderr}"
    );
    let (status, _, stderr) = run(path, &["load", "in", "--prune", "--dry-run"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.contains("would load 1 new, 1 unchanged") && stderr.contains("would remove 1"),
        "{stderr}"
    );
    assert_eq!(names_in_store(path), ["outside.jsonld", "p.jsonld", "s.jsonld"]);
    let (status, _, stderr) = run(path, &["load", "in", "--prune"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("in/p.jsonld` is gone: its graph is removed, too"), "{stderr}");
    // What lies outside of the folder stays; a renamed file counts once.
    assert_eq!(names_in_store(path), ["new.jsonld", "outside.jsonld", "s.jsonld"]);
    assert_eq!(questions(), before);
    // Nothing new to load, and still something to forget.
    fs::remove_file(path.join("in/s.jsonld")).expect("it is ours");
    assert_eq!(run(path, &["load", "in", "--prune"]).0, 0);
    assert_eq!(names_in_store(path), ["new.jsonld", "outside.jsonld"]);
}

#[test]
fn a_graph_that_was_changed_goes_only_where_that_is_said() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).expect("the folder is ours");
    fs::rename(path.join("p.jsonld"), path.join("in/p.jsonld")).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "in"]).0, 0);
    let changed =
        run(path, &["set", "What is the SI unit of electric charge?", "--answer", "The coulomb (C)"]);
    assert_eq!(changed.0, 0, "{}", changed.2);
    fs::rename(path.join("in/p.jsonld"), path.join("in/q.jsonld")).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["load", "in", "--prune"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[store::edited]") && stderr.contains("--replace"), "{stderr}");
    assert_eq!(names_in_store(path), ["p.jsonld"]);
    assert_eq!(run(path, &["load", "in", "--prune", "--replace"]).0, 0);
    assert_eq!(names_in_store(path), ["q.jsonld"]);
}

#[test]
fn what_needs_a_store_says_so() {
    let folder = folder();
    for command in ["load p.jsonld", "graphs", "dump", "doctor", "graphs drop p.jsonld"] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 2, "{command}");
        assert!(
            stderr.starts_with(
                "error[store::missing]: there is no store `.evalgraph` in this folder or above it\n"
            ),
            "{command}: {stderr}"
        );
    }
}

#[test]
fn an_id_of_a_table_that_is_no_iri_becomes_one() {
    let folder = folder();
    let path = folder.path();
    write(path, "t.csv", "id,question,answer\n0,What is 2 + 2?,4\nurn:x:2,What is 1 + 2?,3\na b,Why?,So\n");
    assert_eq!(run(path, &["new", "t.csv", "-o", "t.jsonld"]).0, 0);
    let text = fs::read_to_string(path.join("t.jsonld")).expect("it was written");
    for id in ["urn:evalgraph:karenina:t:0", "urn:x:2", "urn:evalgraph:karenina:t:a%20b"] {
        assert!(text.contains(&format!("\"@id\": \"{id}\"")), "{id}: {text}");
    }
    let (status, _, stderr) = run(path, &["to-rdf", "t.jsonld", "-o", "t.nq"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
}
