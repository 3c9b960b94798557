//! `add` and `remove`: questions and keywords come and go, in the store and in files alike, and nothing else
//! changes.

use std::fs;
use std::path::Path;

use crate::cli::input::run_at;
use crate::share::one_of;
use evalgraph::source::checking::IsoTimestamp;

/// Every dialect, rows in every notation, and tasks. In the file of the middle shape of version 2.0 stands what is laid out
/// in two ways; it is not written back byte for byte.
const FILES: [&str; 23] = [
    "karenina/g-ecology.jsonld",
    "karenina/gdev-geology.jsonld",
    "karenina/m-history.jsonld",
    "karenina/p0-programming.jsonld",
    "karenina/p1-physics.jsonld",
    "karenina/p2-awkward-ids.jsonld",
    "karenina/p2-genomics.jsonld",
    "karenina/p2-md5-arithmetic.jsonld",
    "karenina/p2-scenario.jsonld",
    "karenina/s0-cell-biology.jsonld",
    "karenina/s0b-chemistry.jsonld",
    "karenina/s0c-pharmacology.jsonld",
    "karenina/s1-astronomy.jsonld",
    "karenina/t-general-knowledge.jsonld",
    "karenina/v2a-mycology.json",
    "karenina/v2c-oceans.json",
    "karenina/x-neuroscience.jsonld",
    "train/support-desk.json",
    "train/awkward-rows.json",
    "train/lines.jsonl",
    "train/table.csv",
    "train/general-knowledge/train.json",
    "rlcf/tasks.jsonl",
];

/// The time of every run here, in seconds.
const NOW: i64 = 1_766_000_000;

const NEW: &str = "Why does \"it\" rain [in 50 % of cases]?";

/// Questions with their answers, as every command sees them.
const QUESTIONS: &str = "SELECT ?text ?answer { ?q a s:Question ; s:text|s:name ?text OPTIONAL { ?q s:acceptedAnswer/s:text ?answer } } \
     ORDER BY ?text ?answer";

/// The same, what the catalog knows of them, and how much there is in all.
const ALL: &str = "SELECT ?text ?answer ?key ?count { \
     { ?q a s:Question ; s:text|s:name ?text OPTIONAL { ?q s:acceptedAnswer/s:text ?answer } } UNION \
     { GRAPH <urn:evalgraph:graph:catalog> { ?c eg:textKey ?key OPTIONAL { ?c eg:answer ?answer } } } UNION \
     { SELECT (COUNT(*) AS ?count) { ?s ?p ?o } } } ORDER BY ?text ?answer ?key";

/// A fixture that was last changed at the time that stands still.
fn fixture(name: &str) -> String {
    let text = fs::read_to_string(crate::karenina::fixtures::path(name)).expect("it is there");
    if name.starts_with("rlcf/") { text } else { changed_now(text) }
}

/// All dates of changes are the time that stands still, in their spelling.
fn changed_now(mut text: String) -> String {
    let now = chrono::DateTime::from_timestamp(NOW, 0).expect("it is a time");
    for key in ["\"dateModified\": \"", "\"last_modified\": \"", "\"updated_at\": \""] {
        let mut at = 0;
        while let Some(found) = text[at..].find(key) {
            let begin = at + found + key.len();
            let end = begin + text[begin..].find('"').expect("it ends");
            // A context has a name there.
            if let Some(spelled) = IsoTimestamp::spelled_like(&text[begin..end], now) {
                text.replace_range(begin..end, &spelled);
            }
            at = begin;
        }
    }
    text
}

/// A folder with a file and a store that has read it.
fn folder(name: &str) -> (tempfile::TempDir, &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = name.rsplit('/').next().expect("it has a name");
    fs::write(folder.path().join(file), fixture(name)).expect("the folder is ours");
    ok(folder.path(), &["init"]);
    ok(folder.path(), &["load", file]);
    (folder, file)
}

/// Runs a command at a time that stands still.
fn run(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_at(NOW, path, arguments)
}

/// Runs a command that is to succeed; stdout.
fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

fn read(path: &Path, file: &str) -> String {
    fs::read_to_string(path.join(file)).expect("it is there")
}

/// What is said of a run that fails.
fn refused(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
    stderr
}

/// Returns whether the longer text is the shorter one with lines put in; of lines that are the same, a comma may come.
#[track_caller]
fn assert_only_lines_more(shorter: &str, longer: &str) {
    let mut more = longer.lines();
    for line in shorter.lines() {
        let plain = |line: &str| line.trim_end_matches([',', ']']).to_owned();
        assert!(more.any(|other| plain(other) == plain(line)), "`{line}` is gone or moved in\n{longer}");
    }
}

/// Asserts that the store writes a file and says what the file says.
#[track_caller]
fn assert_store_says(path: &Path, file: &str, text: &str) {
    assert_eq!(ok(path, &["convert", "--to", "same"]), text, "{file}");
    let written = path.join(format!("written-{file}"));
    fs::write(&written, text).expect("the folder is ours");
    let written = written.to_str().expect("names are UTF-8");
    let of_file = ok(path, &["query", written, "-q", ALL]);
    assert_eq!(ok(path, &["query", "-q", ALL]), of_file, "{file}");
}

#[test]
fn what_was_added_and_removed_again_leaves_no_trace() {
    for name in FILES.into_iter().step_by(one_of(2)) {
        let (folder, file) = folder(name);
        let path = folder.path();
        let before = fixture(name);
        let count = ok(path, &["query", "-q", QUESTIONS]);
        ok(path, &["add", NEW, file, "--answer", "Because \"of\" clouds"]);
        let added = read(path, file);
        assert_only_lines_more(&before, &added);
        assert!(added.contains("50 % of cases") && added.contains("clouds"), "{name}: {added}");
        assert!(refused(path, &["add", NEW, file, "--answer", "x"]).contains("add::exists"), "{name}");
        // The store comes to the same, and so does the update that it shows.
        let update = ok(path, &["add", NEW, "--answer", "Because \"of\" clouds", "--print"]);
        assert_eq!(ok(path, &["query", "-q", QUESTIONS]), count, "{name}: nothing was done yet");
        ok(path, &["add", NEW, "--answer", "Because \"of\" clouds"]);
        assert_store_says(path, file, &added);
        fs::write(path.join("add.ru"), &update).expect("the folder is ours");
        fs::write(path.join(file), &before).expect("the folder is ours");
        ok(path, &["load", "--replace", file]);
        ok(path, &["update", "-f", "add.ru"]);
        assert_store_says(path, file, &added);
        // And back.
        let update = ok(path, &["remove", NEW, "--print"]);
        fs::write(path.join("remove.ru"), &update).expect("the folder is ours");
        ok(path, &["remove", NEW]);
        assert_store_says(path, file, &before);
        ok(path, &["update", "-f", "add.ru"]);
        ok(path, &["update", "-f", "remove.ru"]);
        assert_eq!(ok(path, &["convert", "--to", "same"]), before, "{name}");
        fs::write(path.join(file), &added).expect("the folder is ours");
        ok(path, &["remove", NEW, file]);
        assert_eq!(read(path, file), before, "{name}");
    }
}

/// The texts of the questions of a file.
fn texts(path: &Path, file: &str) -> Vec<String> {
    let found = ok(path, &["query", file, "-q", QUESTIONS, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&found).expect("it is JSON");
    let rows = found.as_array().expect("there are rows");
    let mut texts: Vec<String> =
        rows.iter().map(|row| row["text"].as_str().expect("it has a text").to_owned()).collect();
    texts.dedup();
    texts
}

#[test]
fn any_question_can_be_removed_and_no_other_goes_with_it() {
    for name in FILES {
        let (folder, file) = folder(name);
        let path = folder.path();
        let before = fixture(name);
        let all = texts(path, file);
        for (number, text) in all.iter().enumerate().step_by(one_of(3)) {
            fs::write(path.join(file), &before).expect("the folder is ours");
            let (status, _, stderr) = run(path, &["remove", text, file]);
            if stderr.contains("remove::which-question") {
                continue;
            }
            assert_eq!(status, 0, "{name}: {text}: {stderr}");
            let removed = read(path, file);
            assert_only_lines_more(&removed, &before);
            let left: Vec<&String> = all.iter().filter(|other| *other != text).collect();
            if number == 0 {
                assert_eq!(texts(path, file).iter().collect::<Vec<_>>(), left, "{name}");
                fs::write(path.join(file), &before).expect("the folder is ours");
                ok(path, &["load", "--replace", file]);
                ok(path, &["remove", text]);
                assert_store_says(path, file, &removed);
                assert_eq!(run(path, &["doctor"]).0, 0, "{name}");
            }
        }
    }
}

#[test]
fn keywords_come_and_go_and_the_others_stay() {
    let files = FILES.iter().filter(|name| name.starts_with("karenina/")).step_by(one_of(2));
    for name in files {
        let (folder, file) = folder(name);
        let path = folder.path();
        let before = fixture(name);
        // One with keywords, where there is one.
        let query = "SELECT ?text { ?q a s:Question ; s:text|s:name ?text . OPTIONAL { ?i s:item ?q } \
             OPTIONAL { ?i s:keywords ?of_item } OPTIONAL { ?q s:keywords ?of_question } } \
             ORDER BY DESC(COALESCE(?of_item, ?of_question)) ?text LIMIT 1";
        let found = ok(path, &["query", file, "-q", query, "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&found).expect("it is JSON");
        let question = found[0]["text"].as_str().expect("there is one");
        let keywords = ["--keyword", "zz top", "--keyword", "zz \"end\""];
        ok(path, &[&["add", question, file][..], &keywords].concat());
        let added = read(path, file);
        assert!(added.contains("zz top"), "{name}: {added}");
        assert_eq!(texts(path, file), texts(path, &fixture_path(name)), "{name}");
        ok(path, &[&["add", question][..], &keywords].concat());
        assert_store_says(path, file, &added);
        // What it has is not added twice.
        ok(path, &["add", question, file, "--keyword", "zz top"]);
        assert_eq!(read(path, file), added, "{name}");
        ok(path, &["remove", question, file, "--keyword", "zz top"]);
        let less = read(path, file);
        assert!(!less.contains("zz top") && less.contains("zz "), "{name}: {less}");
        let fault = refused(path, &["remove", question, file, "--keyword", "zz top"]);
        assert!(fault.contains("remove::no-keyword"), "{fault}");
        ok(path, &["remove", question, file, "--keyword", "zz \"end\""]);
        assert_eq!(read(path, file), before, "{name}");
        ok(path, &[&["remove", question][..], &keywords].concat());
        assert_store_says(path, file, &before);
    }
}

fn fixture_path(name: &str) -> String {
    crate::karenina::fixtures::path(name).to_str().expect("names are UTF-8").to_owned()
}

#[test]
fn keywords_in_the_order_of_the_file_can_be_replaced() {
    let (folder, file) = folder("karenina/p1-physics.jsonld");
    let path = folder.path();
    ok(path, &["set", "What is the SI unit of electric charge?", file, "--keyword", "charge"]);
    let text = fixture("karenina/p1-physics.jsonld");
    let (of_file, by_hand) = (
        "      \"keywords\": [\n        \"units\",\n        \"electricity\"\n      ],",
        "      \"keywords\": [\n        \"charge\"\n      ],",
    );
    assert!(text.contains(of_file));
    assert_eq!(read(path, file), text.replacen(of_file, by_hand, 1));
    ok(path, &["remove", "What is the SI unit of electric charge?", "--keyword", "units"]);
    assert_eq!(
        ok(path, &["convert", "--to", "same"]),
        text.replacen("        \"units\",\n        \"electricity\"\n", "        \"electricity\"\n", 1)
    );
}

#[test]
fn the_updates_can_be_read() {
    let (folder, file) = folder("karenina/p1-physics.jsonld");
    let path = folder.path();
    let manifest = || fs::read(path.join(".evalgraph/manifest")).expect("it is there");
    let before = manifest();
    insta::assert_snapshot!(ok(
        path,
        &["add", "What is light?", "--answer", "A wave", "--keyword", "optics", "--print"]
    ));
    insta::assert_snapshot!(ok(path, &["remove", "What is the SI unit of electric charge?", "--print"]));
    let (status, stdout, stderr) = run(path, &["add", "What is light?", "--answer", "A wave", "--dry-run"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    assert!(stderr.contains("would add 1 question to `p1-physics.jsonld` of the store"), "{stderr}");
    ok(path, &["remove", "What is the SI unit of electric charge?", file, "--dry-run"]);
    assert_eq!((manifest(), read(path, file)), (before, fixture("karenina/p1-physics.jsonld")));
    for command in ["set", "add", "remove"] {
        let help = ok(path, &[command, "--help"]);
        let usage = format!("\nUsage: evalgraph {command} [OPTIONS] <QUESTION> [FILE]\n");
        assert!(help.contains(&usage), "{help}");
    }
    // A text that makes an id which another question has: the number of the library.
    let taken = ok(path, &["add", "What is light?", "--answer", "A wave", "--print"]);
    let id =
        taken.lines().find_map(|line| line.trim().strip_suffix("> a s:DataFeedItem ;")).expect("an item");
    let item = format!("INSERT DATA {{ {id}> a s:Thing }}");
    ok(path, &["update", "-q", &item]);
    let numbered = ok(path, &["add", "What is light?", "--answer", "A wave", "--print"]);
    assert!(numbered.contains(&format!("{id}-1> a s:DataFeedItem")), "{numbered}");
}

#[test]
fn what_is_not_clear_or_has_no_place_is_refused_and_nothing_changes() {
    let (folder, file) = folder("karenina/p1-physics.jsonld");
    let path = folder.path();
    for name in
        ["train/support-desk.json", "kwanzaa/grounded-answer.json", "rlcf/export.json", "rlcf/tasks.yaml"]
    {
        let own = name.rsplit('/').next().expect("it has a name");
        fs::write(path.join(own), fixture(name)).expect("the folder is ours");
    }
    ok(
        path,
        &["load", "support-desk.json", "grounded-answer.json", "rlcf/export.json"]
            .map(|name| name.rsplit('/').next().expect("it has a name")),
    );
    let manifest = || fs::read(path.join(".evalgraph/manifest")).expect("it is there");
    let before = manifest();
    let question = "What is the SI unit of electric charge?";
    let task = "What is the speed limit on the embankment road of Westhaven?";
    let noise = "When does the quiet time of the house rules begin?";
    for (arguments, code) in [
        (&["add", "New?", "--answer", "x"][..], "add::which-graph"),
        (&["add", question, file, "--answer", "x"], "add::exists"),
        (&["add", "TRAIN_Q001", "support-desk.json", "--answer", "x"], "add::exists"),
        (&["add", "New?", "--answer", "x", "--graph", "grounded-answer"], "add::no-place"),
        (&["add", "New?", "grounded-answer.json", "--answer", "x"], "add::no-place"),
        (&["add", "New?", "export.json", "--answer", "x"], "add::file"),
        (&["add", "New?", "tasks.yaml", "--answer", "x"], "add::no-place"),
        (&["add", "New?", "support-desk.json", "--answer", "x", "--keyword", "k"], "add::no-place"),
        (&["add", "", file, "--answer", "x"], "add::no-text"),
        (&["add", "New?", "--keyword", "k"], "add::unknown-question"),
        (&["add", "TRAIN_Q001", "--keyword", "k"], "add::no-place"),
        (&["add", question, file, "support-desk.json", "--keyword", "k"], "add::file"),
        (&["add", question], "required"),
        (&["add", question, "--keyword", "k", "--finished", "true"], "required"),
        (&["remove", "New?"], "remove::unknown-question"),
        (&["remove", question, "--keyword", "none such"], "remove::no-keyword"),
        (&["remove", "TRAIN_Q001", "--keyword", "k"], "remove::no-place"),
        (&["remove", task], "remove::in-use"),
        (&["remove", task, "export.json"], "remove::in-use"),
        (&["remove", noise, "tasks.yaml"], "remove::inexact"),
    ] {
        let stderr = refused(path, arguments);
        assert!(stderr.contains(code), "{arguments:?}: {stderr}");
    }
    assert!(refused(path, &["add", question, file, "--answer", "x"]).contains("`evalgraph set`"));
    assert_eq!(manifest(), before);
    for (name, own) in [
        ("karenina/p1-physics.jsonld", file),
        ("train/support-desk.json", "support-desk.json"),
        ("kwanzaa/grounded-answer.json", "grounded-answer.json"),
        ("rlcf/export.json", "export.json"),
        ("rlcf/tasks.yaml", "tasks.yaml"),
    ] {
        assert_eq!(read(path, own), fixture(name), "{name}");
    }
}

/// The text of a dataset but for its statistics, which follow from the samples.
fn without_statistics(text: &str) -> String {
    let Some((before, rest)) = text.split_once("\"statistics\": {") else { return text.to_owned() };
    let (_, after) = rest.split_once("\n  },").expect("the statistics end");
    format!("{before}{after}")
}

/// A file of samples conforms after each change, its statistics too, and the store has the same file.
#[test]
fn a_sample_is_added_with_all_that_its_dataset_asks_for() {
    for name in ["kwanzaa/each-category.json", "kwanzaa/grounded-answer.json", "kwanzaa/refusal.json"] {
        let (folder, file) = folder(name);
        let path = folder.path();
        let before = read(path, file);
        let conforms = |text: &str| {
            fs::write(path.join("now.json"), text).expect("the folder is ours");
            let report = ok(path, &["validate", "now.json"]);
            assert!(!report.contains("W-20"), "{name}: {report}");
        };
        ok(path, &["add", NEW, file, "--answer", "Because"]);
        let added = read(path, file);
        assert_only_lines_more(&without_statistics(&before), &without_statistics(&added));
        assert!(added.contains("\"clarifying_questions\": []"), "{name}: {added}");
        conforms(&added);
        let update = ok(path, &["add", NEW, "--answer", "Because", "--print"]);
        assert!(update.contains("(\"total_samples\" "), "{name}: {update}");
        ok(path, &["add", NEW, "--answer", "Because"]);
        assert_store_says(path, file, &added);
        ok(path, &["remove", NEW, file]);
        let removed = read(path, file);
        conforms(&removed);
        ok(path, &["remove", NEW]);
        assert_store_says(path, file, &removed);
        // All but the date is as it was.
        let undated = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("\"updated_at\""));
            lines.collect::<Vec<_>>().join("\n")
        };
        assert_eq!(undated(&removed), undated(&before), "{name}");
    }
}

/// Nobody knows what wrong statistics count: they stay, and `validate` reports them.
#[test]
fn statistics_that_are_wrong_stay_as_they_are() {
    let (folder, file) = folder("kwanzaa/each-category.json");
    let path = folder.path();
    let wrong = read(path, file).replacen("\"total_samples\": 4", "\"total_samples\": 40", 1);
    fs::write(path.join(file), wrong).expect("the folder is ours");
    ok(path, &["add", NEW, file, "--answer", "Because"]);
    assert!(read(path, file).contains("\"total_samples\": 40"));
}

#[test]
fn samples_and_tasks_go_with_what_only_they_refer_to() {
    for (name, question) in [
        ("kwanzaa/grounded-answer.json", "grounded_answer_educator_001"),
        ("kwanzaa/citation.json", ""),
        ("rlcf/tasks.jsonl", "2"),
    ] {
        let (folder, file) = folder(name);
        let path = folder.path();
        let before = fixture(name);
        let all = texts(path, file);
        let question = if question.is_empty() { all[0].as_str() } else { question };
        ok(path, &["remove", question, file]);
        let removed = read(path, file);
        assert_only_lines_more(&without_statistics(&removed), &without_statistics(&before));
        assert_eq!(texts(path, file).len() + 1, all.len(), "{name}");
        ok(path, &["remove", question]);
        assert_store_says(path, file, &removed);
    }
}

#[test]
fn a_checkpoint_without_questions_takes_its_first_one_and_is_empty_again_without_it() {
    let (folder, file) = folder("karenina/p2-dialogue.jsonld");
    let path = folder.path();
    // The library loads no questions beside scenarios.
    for arguments in [&["add", "First?", "--answer", "Yes"][..], &["add", "First?", file, "--answer", "Yes"]]
    {
        let stderr = refused(path, arguments);
        assert!(stderr.contains("add::no-place") && stderr.contains("has scenarios"), "{stderr}");
    }
    assert_eq!(read(path, file), fixture("karenina/p2-dialogue.jsonld"));
    let mut empty: serde_json::Value = serde_json::from_str(&read(path, file)).expect("it is JSON");
    empty.as_object_mut().and_then(|root| root.shift_remove("hasPart")).expect("it has scenarios");
    let text = serde_json::to_string_pretty(&empty).expect("it is JSON") + "\n";
    fs::write(path.join(file), text).expect("the folder is ours");
    ok(path, &["add", "First?", file, "--answer", "Yes", "--keyword", "k"]);
    let gui = ok(path, &["convert", file, "--to", "karenina"]);
    // It looks as in any file of the library, which loads it.
    let item_of = |text: &str| {
        let begin = text.find("\"dataFeedElement\": [").expect("it has a list");
        text[begin..].split("\n  ]").next().map(str::to_owned)
    };
    assert_eq!(item_of(&gui), item_of(&read(path, file)));
    ok(path, &["validate", file]);
    ok(path, &["remove", "First?", file]);
    assert!(read(path, file).contains("\"dataFeedElement\": []"));
}
