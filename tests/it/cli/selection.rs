//! `filter`, `sample`, `sort`, `dedupe`, `rename` and `move`: a file of the same kind, in which only what was asked has
//! changed.

use super::input::run;
use crate::fixture_files::{files_below, root};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the records of a file are.
enum Records {
    Checkpoint(&'static str),
    Object(&'static str),
    Root,
    Lines,
}

/// A file as JSON without its records, and its records as JSON.
struct Parted {
    head: Value,
    records: Vec<(String, Value)>,
}

fn parted(text: &str) -> Parted {
    let mut head: Value = serde_json::from_str(text).unwrap_or_else(|_| {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        json!({ "lines": lines.map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<Value>>() })
    });
    let at = match &head {
        Value::Array(items) if items.first().is_some_and(|item| item.get("dataFeedElement").is_some()) => {
            Records::Checkpoint("/0/dataFeedElement")
        }
        Value::Array(_) => Records::Root,
        head if head.get("lines").is_some() => Records::Lines,
        head if head.get("dataFeedElement").is_some() => Records::Checkpoint("/dataFeedElement"),
        head if head.get("hasPart").is_some() => Records::Checkpoint("/hasPart"),
        head if head.get("checkpoint").is_some() => Records::Object("/checkpoint"),
        head if head.get("samples").is_some() => Records::Checkpoint("/samples"),
        head if head.get("tasks").is_some() => Records::Checkpoint("/tasks"),
        line => {
            head = json!({ "lines": [line.clone()] });
            Records::Lines
        }
    };
    let list = match at {
        Records::Checkpoint(pointer) | Records::Object(pointer) => head.pointer_mut(pointer).expect("a list"),
        Records::Root => &mut head,
        Records::Lines => head.pointer_mut("/lines").expect("lines"),
    };
    let records = match list.take() {
        Value::Array(items) => items.into_iter().map(|item| (String::new(), item)).collect(),
        Value::Object(members) => members.into_iter().collect(),
        _ => panic!("no records"),
    };
    if let Value::Object(members) = &mut head {
        // They count the samples.
        members.shift_remove("statistics");
    }
    Parted { head, records }
}

/// The fixtures with a list of records, apart from tables.
fn fixtures() -> Vec<PathBuf> {
    let folders =
        ["karenina", "train", "kwanzaa", "rlcf", "chat", "every-eval-ever", "inspect", "lm-eval", "helm"];
    let files = folders.iter().flat_map(|folder| files_below(folder)).collect::<Vec<_>>();
    let is_of_list = |path: &PathBuf| {
        let name = path.display().to_string();
        let is_left_out = ["/bad/", "/requests/", "/errors/", "/replies/", "README", "one.json", "prompts"];
        let is_json = [".json", ".jsonl", ".jsonld"].iter().any(|end| name.ends_with(end));
        is_json && !is_left_out.iter().any(|part| name.contains(part))
    };
    files.into_iter().filter(is_of_list).collect()
}

/// Copies a fixture into a folder, and returns its name there with its text; nothing for one that has no list.
fn copied(path: &Path, folder: &Path) -> Option<(String, String)> {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("text");
    fs::write(folder.join(&name), &text).expect("our folder");
    let (status, _, stderr) = run(folder, &["sort", &name, "-o", "sorted"]);
    match status {
        2 if ["[selection::no-list]", "[input::unknown]"].iter().any(|code| stderr.contains(code)) => None,
        _ => Some((name, text)),
    }
}

fn of_each(mut check: impl FnMut(&Path, &str, &str)) {
    let mut checked = 0;
    for path in fixtures() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        if let Some((name, text)) = copied(&path, folder.path()) {
            check(folder.path(), &name, &text);
            checked += 1;
        }
    }
    assert!(checked >= 45, "{checked} fixtures have lists");
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it was written")
}

#[test]
fn a_sample_has_whole_records_and_all_else() {
    of_each(|folder, name, text| {
        let (status, _, stderr) = run(folder, &["sample", "2", name, "--seed", "7", "-o", "some"]);
        let (whole, some) = (parted(text), parted(&read(folder, "some")));
        assert_eq!(status, i32::from(whole.records.is_empty()), "{name}: {stderr}");
        assert_eq!(some.records.len(), whole.records.len().min(2), "{name}");
        assert!(some.records.iter().all(|record| whole.records.contains(record)), "{name}");
        // Lists that refer to the records may be shorter.
        if !text.contains("\"task_id\"") {
            assert_eq!(some.head, whole.head, "{name}");
        }
        // Another program reads it, and so do we.
        let (status, _, stderr) = run(folder, &["stats", name]);
        fs::rename(folder.join("some"), folder.join(name)).expect("our folder");
        let (status_of_some, _, stderr_of_some) = run(folder, &["stats", name]);
        assert_eq!(status_of_some, status, "{name}: {stderr_of_some} {stderr}");
    });
}

#[test]
fn sorting_moves_records_and_nothing_else() {
    of_each(|folder, name, text| {
        for by in ["text", "id", "created", "type,text"] {
            let (_, _, stderr) = run(folder, &["sort", name, "--order-by", by, "-o", "sorted"]);
            let (whole, mut sorted) = (parted(text), parted(&read(folder, "sorted")));
            // Keys of services are hidden.
            if !text.contains("api_key") {
                assert_eq!(sorted.head, whole.head, "{name}: {stderr}");
            }
            assert_eq!(sorted.records.len(), whole.records.len(), "{name}");
            assert!(whole.records.iter().all(|record| sorted.records.contains(record)), "{name}");
            // What is sorted stays as it is, byte for byte.
            let once = read(folder, "sorted");
            fs::write(folder.join("again.json"), &once).expect("our folder");
            fs::rename(folder.join("again.json"), folder.join(name)).expect("our folder");
            run(folder, &["sort", name, "--order-by", by, "-o", "sorted"]);
            assert_eq!(read(folder, "sorted"), once, "{name}");
            fs::write(folder.join(name), text).expect("our folder");
            sorted.records.clear();
        }
    });
}

#[test]
fn a_language_has_its_own_alphabet() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let record = |text: &str| format!("{{\"id\":\"{text}\",\"question\":\"{text}\",\"answer\":\"a\"}}\n");
    let rows = ["Zorn", "Åke", "Anna", "Örn", "Oslo"].map(record).concat();
    fs::write(folder.path().join("rows.jsonl"), rows).expect("our folder");
    let sorted = |locale: &[&str]| {
        let (status, stdout, stderr) = run(folder.path(), &[&["sort", "rows.jsonl"], locale].concat());
        assert_eq!(status, 0, "{stderr}");
        let names = stdout.lines().filter_map(|line| line.split('"').nth(3));
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sorted(&[]), "Åke Anna Örn Oslo Zorn");
    assert_eq!(sorted(&["--locale", "sv-SE"]), "Anna Oslo Zorn Åke Örn");
    let (status, _, stderr) = run(folder.path(), &["sort", "rows.jsonl", "--locale", "Swedish"]);
    assert!(status == 2 && stderr.contains("expected a language, such as `sv` or `de-AT`"), "{stderr}");
}

#[test]
fn criteria_and_their_inversion_are_all_records() {
    let criteria: &[&[&str]] = &[
        &["--text", "what"],
        &["--where", "strlen(?text) > 40"],
        &["--where", "NOT EXISTS { ?question s:acceptedAnswer ?none }"],
        &["--state", "finished"],
        &["--since", "2026"],
    ];
    of_each(|folder, name, text| {
        for criterion in criteria {
            let mut records = Vec::new();
            for more in [&[][..], &["--invert"]] {
                let (status, _, stderr) =
                    run(folder, &[&["filter", name, "-o", "some"], *criterion, more].concat());
                let some = parted(&read(folder, "some"));
                assert_eq!(status == 1, some.records.is_empty(), "{name} {criterion:?}: {stderr}");
                records.extend(some.records);
            }
            let whole = parted(text);
            assert_eq!(records.len(), whole.records.len(), "{name} {criterion:?}");
            assert!(whole.records.iter().all(|record| records.contains(record)), "{name} {criterion:?}");
        }
    });
}

#[test]
fn records_that_are_moved_away_and_back_are_the_file_again() {
    of_each(|folder, name, text| {
        let whole = parted(text);
        if whole.records.len() < 2 || text.contains("api_key\": \"") {
            return;
        }
        let other = format!("other/{name}");
        fs::create_dir(folder.join("other")).expect("our folder");
        run(folder, &["sample", "1", name, "-o", &other]);
        let Some(id) = id_of_first(&parted(&read(folder, &other))) else { return };
        let (status, _, stderr) = run(folder, &["filter", name, "--id", &id, "--invert", "-o", name]);
        if status == 2 {
            panic!("{name}: {stderr}");
        }
        let rest = parted(&read(folder, name));
        if rest.records.len() != whole.records.len() - 1 {
            // The id of the record is not its name here, such as the number of a row.
            return;
        }
        let (status, _, stderr) = run(folder, &["move", &id, &other, name]);
        assert_eq!(status, 0, "{name} {id}: {stderr}");
        let (back, left) = (parted(&read(folder, name)), parted(&read(folder, &other)));
        assert_eq!((back.records.len(), left.records.len()), (whole.records.len(), 0), "{name}");
        assert!(whole.records.iter().all(|record| back.records.contains(record)), "{name}");
        // Records of other lists come last as well.
        if !text.contains("\"task_id\"") {
            assert_eq!(back.head, whole.head, "{name}");
        }
    });
}

/// The id of a record, as its file has it.
fn id_of_first(parted: &Parted) -> Option<String> {
    let (key, record) = parted.records.first()?;
    if !key.is_empty() {
        return Some(key.clone());
    }
    let keys = ["/sample_id", "/id", "/identifier", "/@id", "/item/@id"];
    let id = keys.iter().find_map(|key| record.pointer(key))?;
    id.as_str().map(str::to_owned).or_else(|| id.as_i64().map(|id| id.to_string()))
}

#[test]
fn a_new_id_is_the_only_difference() {
    let mut renamed = 0;
    of_each(|folder, name, text| {
        let Some(id) = id_of_first(&parted(text)) else { return };
        if text.contains("api_key\": \"") {
            return;
        }
        let new = if id.parse::<i64>().is_ok() { "990099" } else { "urn:x:new" };
        let (status, _, stderr) = run(folder, &["rename", &id, new, name]);
        if status != 0 {
            assert!(stderr.contains("[rename::"), "{name}: {stderr}");
            return;
        }
        renamed += 1;
        let text_after = read(folder, name);
        let lines = text.lines().zip(text_after.lines()).filter(|(before, after)| before != after);
        for (before, after) in lines {
            let id = id.replace('"', "\\\"");
            assert!(before.contains(&id) && after.contains(new), "{name}: {before} → {after}");
        }
        let (status, _, stderr) = run(folder, &["rename", new, &id, name]);
        if stderr.contains("[rename::iri]") {
            return;
        }
        assert_eq!((status, read(folder, name).as_str()), (0, text), "{name}: {stderr}");
    });
    assert!(renamed >= 30, "{renamed} files have ids");
}

#[test]
fn what_refers_to_a_record_follows_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(root().join("rlcf/worked/export.json"), folder.path().join("export.json")).expect("a copy");
    let of_list = |name: &str, list: &str| -> Vec<Value> {
        let value: Value = serde_json::from_str(&read(folder.path(), name)).expect("JSON");
        value[list].as_array().expect("a list").clone()
    };
    let tasks = |name: &str| -> Vec<i64> {
        of_list(name, "responses")
            .iter()
            .map(|response| response["task_id"].as_i64().expect("an id"))
            .collect()
    };
    let (_, _, stderr) =
        run(folder.path(), &["filter", "export.json", "--id", "1", "--id", "2", "-o", "two.json"]);
    assert!(stderr.contains("2 of 11 records") && stderr.contains("items of other lists"), "{stderr}");
    assert_eq!(of_list("two.json", "tasks").len(), 2);
    assert!(tasks("two.json").iter().all(|task| [1, 2].contains(task)));
    let responses: Vec<i64> = of_list("two.json", "responses")
        .iter()
        .map(|response| response["id"].as_i64().expect("an id"))
        .collect();
    let feedback = of_list("two.json", "feedback");
    assert!(!feedback.is_empty());
    assert!(feedback.iter().all(|one| responses.contains(&one["response_id"].as_i64().expect("an id"))));
    run(folder.path(), &["rename", "2", "200", "two.json"]);
    assert!(tasks("two.json").iter().all(|task| [1, 200].contains(task)));
    // Both parts together are the whole.
    run(folder.path(), &["filter", "export.json", "--id", "1", "--invert", "-o", "rest.json"]);
    run(folder.path(), &["filter", "export.json", "--id", "1", "-o", "one.json"]);
    let (status, _, stderr) = run(folder.path(), &["move", "1", "one.json", "rest.json"]);
    assert_eq!(status, 0, "{stderr}");
    for list in ["tasks", "responses", "feedback", "ratings"] {
        let (whole, again) = (of_list("export.json", list), of_list("rest.json", list));
        assert_eq!(again.len(), whole.len(), "{list}");
        assert!(whole.iter().all(|item| again.contains(item)), "{list}");
    }
}

#[test]
fn what_belongs_to_a_record_keeps_an_id_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let export = |task: u8| {
        format!(
            r#"{{"users": [], "tasks": [{{"id": {task}, "task_type": "QA", "input_data": {{"question": "Why {task}?", "context": "c"}}, "status": "OPEN", "created_at": "2026-02-01T09:00:00"}}],
 "responses": [{{"id": 5, "task_id": {task}, "output_data": {{"answer": "So"}}, "model_version": "m", "generated_at": "2026-02-01T09:00:30"}}], "feedback": []}}"#
        )
    };
    fs::write(folder.path().join("a.json"), export(1)).expect("our folder");
    fs::write(folder.path().join("b.json"), export(2)).expect("our folder");
    let (status, _, stderr) = run(folder.path(), &["move", "1", "a.json", "b.json"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(
        stderr.contains("b.json:2:16: error[move::exists]") && stderr.contains("has the id `5`"),
        "{stderr}"
    );
    assert_eq!([read(folder.path(), "a.json"), read(folder.path(), "b.json")], [export(1), export(2)]);
}

#[test]
fn keys_of_services_are_not_overwritten_in_their_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows =
        r#"[{"id": 1, "question": "Why?", "answer": "So", "api_key": "sk-abcdefghijklmnopqrstuvwxyz"}]"#;
    fs::write(folder.path().join("a.json"), rows).expect("our folder");
    for arguments in [
        &["sort", "a.json", "-o", "a.json"][..],
        &["filter", "a.json", "--text", "why", "-o", "./", "--force"],
    ] {
        let (status, _, stderr) = run(folder.path(), arguments);
        assert_eq!((status, read(folder.path(), "a.json").as_str()), (2, rows), "{stderr}");
        assert!(stderr.contains("[selection::secret]"), "{stderr}");
    }
    let (status, stdout, _) = run(folder.path(), &["sort", "a.json"]);
    assert!(status == 0 && !stdout.contains("sk-abc"), "{stdout}");
}

#[test]
fn repeated_questions_are_left_out_and_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = [
        r#"{"id": "a", "question": "When was the bridge of Westhaven opened to the public?", "answer": "1901"}"#,
        r#"{"id": "b", "question": "Who built it?", "answer": "Marta Voss"}"#,
        r#"{"id": "c", "question": "when was  the bridge of Westhaven opened to the public?", "answer": "1901"}"#,
        r#"{"id": "d", "question": "When was the bridge of Westhaven opened to the public ?", "answer": "1901"}"#,
    ];
    fs::write(folder.path().join("rows.jsonl"), rows.join("\n")).expect("our folder");
    let (status, stdout, stderr) = run(folder.path(), &["dedupe", "rows.jsonl", "-v"]);
    assert_eq!((status, stdout), (0, [rows[0], rows[1], rows[3]].join("\n")), "{stderr}");
    assert!(stderr.contains("rows.jsonl:3:1: note[dedupe::pair]"), "{stderr}");
    assert!(stderr.contains("repeats the question of rows.jsonl:1:1"), "{stderr}");
    let (_, stdout, stderr) = run(folder.path(), &["dedupe", "rows.jsonl", "--near", "0.9", "-v"]);
    assert_eq!(stdout, [rows[0], rows[1], ""].join("\n"), "{stderr}");
    assert!(stderr.contains("similarity 0.9"), "{stderr}");
    assert!(stderr.contains("2 of 4 records"), "{stderr}");
}

#[test]
fn a_trial_run_shows_a_diff_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = "[\n  {\"id\": 1, \"question\": \"Why?\", \"answer\": \"So\"},\n  {\"id\": 2, \"question\": \"Who?\", \"answer\": \"She\"}\n]\n";
    fs::write(folder.path().join("rows.json"), rows).expect("our folder");
    let (status, stdout, _) =
        run(folder.path(), &["filter", "rows.json", "--text", "SHÉ", "--dry-run", "-o", "out.json"]);
    assert_eq!(status, 0);
    let diff = "--- rows.json\n+++ rows.json\n@@ -1,4 +1,3 @@\n [\n-  {\"id\": 1, \"question\": \"Why?\", \"answer\": \"So\"},\n   {\"id\": 2, \"question\": \"Who?\", \"answer\": \"She\"}\n ]\n";
    assert_eq!(stdout, diff);
    assert!(!folder.path().join("out.json").exists());
}

#[test]
fn mistakes_name_the_place_and_the_next_step() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = root().join("train/support-desk.json");
    fs::copy(&file, folder.path().join("a.json")).expect("a copy");
    fs::copy(&file, folder.path().join("b.json")).expect("a copy");
    let cases: &[(&[&str], &[&str])] = &[
        (&["filter", "a.json"], &["[filter::criteria]", "--state finished"]),
        (&["filter", "a.json", "--where", "?txt = 1"], &["[selection::variable]", "?text"]),
        (&["filter", "a.json", "--where", "strlen(?text >"], &["--where:1:15", "error"]),
        (&["filter", "a.json", "--since", "May"], &["2026-01-31"]),
        (&["filter", "a.json", "--system", "karenia"], &["karenina"]),
        (&["filter", "a.json", "b.json", "--text", "a"], &["[selection::output]", "-o DIR/"]),
        (&["filter", "a.json", "--text", "a", "-o", "x.csv"], &["[selection::form]", "convert that"]),
        (
            &["rename", "TRAIN_Q00", "x", "a.json"],
            &["[rename::unknown-question]", "did you mean `TRAIN_Q000`?"],
        ),
        (&["rename", "TRAIN_Q000", "TRAIN_Q001", "a.json"], &["a.json:", "[rename::exists]"]),
        (&["move", "TRAIN_Q000", "a.json", "b.json"], &["b.json:2", "[move::exists]", "the record to move"]),
        (&["dedupe", "a.json", "--near", "90"], &["from 0.3 to 1"]),
    ];
    for (arguments, parts) in cases {
        let (status, _, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 2, "{arguments:?}: {stderr}");
        for part in *parts {
            assert!(stderr.contains(part), "{arguments:?}: {part} is not in {stderr}");
        }
    }
    let original = fs::read_to_string(file).expect("the fixture is there");
    assert_eq!([read(folder.path(), "a.json"), read(folder.path(), "b.json")], [original.clone(), original]);
}

#[test]
fn questions_do_not_go_beside_scenarios() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, fixture) in [("from.jsonld", "p2-genomics.jsonld"), ("to.jsonld", "p2-dialogue.jsonld")] {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina").join(fixture);
        fs::copy(fixture, folder.path().join(name)).expect("our folder");
    }
    let before = [read(folder.path(), "from.jsonld"), read(folder.path(), "to.jsonld")];
    let question = "How many base pairs does the human genome have, roughly?";
    let (status, _, stderr) = run(folder.path(), &["move", question, "from.jsonld", "to.jsonld"]);
    assert_eq!(status, 2, "{stderr}");
    insta::assert_snapshot!(stderr, @r"
    error[move::scenarios]: `to.jsonld` has scenarios, and the library does not load questions beside them
     = help: name a checkpoint of questions
    ");
    for files in [["from.jsonld", "to.jsonld"], ["to.jsonld", "from.jsonld"]] {
        let (status, stdout, stderr) = run(folder.path(), &[&["merge"][..], &files].concat());
        assert!(status == 2 && stdout.is_empty(), "{stderr}");
        assert!(stderr.contains("to.jsonld:") && stderr.contains("error[merge::scenarios]"), "{stderr}");
    }
    assert_eq!(before, [read(folder.path(), "from.jsonld"), read(folder.path(), "to.jsonld")]);
}

#[test]
fn what_stands_for_no_answer_is_unbound_in_an_expression() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = r#"[{"id": 1, "question": "Why?", "answer": ""}, {"id": 2, "question": "Who?", "answer": "-"},
{"id": 3, "question": "When?", "answer": "In 1848"}]"#;
    fs::write(folder.path().join("rows.json"), rows).expect("our folder");
    for (expression, count) in [("strlen(?answer) < 15", 1), ("!BOUND(?answer)", 2), ("true", 3)] {
        let (_, stdout, _) = run(folder.path(), &["filter", "rows.json", "--where", expression]);
        assert_eq!(stdout.matches("\"id\"").count(), count, "{expression}: {stdout}");
    }
}

#[test]
fn what_no_record_has_is_said_with_what_was_meant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |arguments: &[&str]| {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/karenina/p1-physics.jsonld");
        let (status, _, stderr) = run(folder.path(), &[&["filter", file], arguments].concat());
        (
            status,
            stderr.lines().filter(|line| !line.contains("filter::summary")).collect::<Vec<_>>().join("\n"),
        )
    };
    insta::assert_snapshot!(said(&["--state", "finishd"]).1, @"note[filter::value]: no record has the state `finishd` (did you mean `finished`?)");
    insta::assert_snapshot!(said(&["--keyword", "astrology"]).1, @"note[filter::value]: no record has the keyword `astrology` (there are `dating`, `electricity`, `particles`, `units`)");
    // Records that meet the criteria say enough.
    assert_eq!(said(&["--state", "finished"]), (0, String::new()));
    assert_eq!(said(&["--state", "finishd", "--invert"]), (0, String::new()));
    // A list without records is in order.
    let none = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/karenina/p2-dialogue.jsonld");
    let (status, _, stderr) = run(folder.path(), &["sort", none]);
    assert_eq!(status, 0, "{stderr}");
    let rows = r#"[{"id": "a", "question": "Why?", "answer": "So"}]"#;
    fs::write(folder.path().join("rows.json"), rows).expect("our folder");
    let (status, _, stderr) = run(folder.path(), &["rename", "a", "", "rows.json"]);
    assert!(status == 2 && stderr.contains("error[rename::empty]"), "{stderr}");
}

#[test]
fn a_file_in_the_place_of_a_record_is_told_apart_from_a_missing_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = r#"[{"id": "a", "question": "Why?", "answer": "So"}]"#;
    fs::write(folder.path().join("rows.json"), rows).expect("our folder");
    let commands: [&[&str]; 5] = [
        &["rename", "rows.json", "a", "b"],
        &["move", "rows.json", "other.json", "a"],
        &["set", "rows.json", "Why?", "--answer", "So"],
        &["remove", "rows.json", "Why?"],
        &["add", "rows.json", "Who?", "--answer", "Eve"],
    ];
    for command in commands {
        let (status, _, stderr) = run(folder.path(), command);
        let said = "error[input::order]: `rows.json` is a file, and files come last\n";
        assert!(status == 2 && stderr.starts_with(said), "{command:?}: {stderr}");
    }
    assert_eq!(read(folder.path(), "rows.json"), rows);
}
