//! `set`: a question gets another answer, other keywords or another state, and nothing else changes.

use std::fs;
use std::path::Path;

use crate::cli::input::run_at;

fn fixture(name: &str) -> String {
    fs::read_to_string(crate::karenina::fixtures::path(name)).expect("it is there")
}

fn folder(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in files {
        let own = name.rsplit('/').next().unwrap_or(name);
        fs::write(folder.path().join(own), fixture(name)).expect("the folder is ours");
    }
    folder
}

/// Runs a command at a time that stands still.
fn run(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_at(1_766_000_000, path, arguments)
}

/// Runs a command that is to succeed; stdout.
fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

/// The lines that only one of two texts has, each behind `-` or `+`; but for those with the dates of the change.
fn different_lines(left: &str, right: &str) -> Vec<String> {
    let only = |these: &str, those: &str, mark: char| -> Vec<String> {
        let mut others: Vec<&str> = those.lines().collect();
        let mut own = Vec::new();
        for line in these.lines() {
            match others.iter().position(|other| *other == line) {
                Some(at) => drop(others.remove(at)),
                None => own.push(format!("{mark}{}", line.trim())),
            }
        }
        own
    };
    let mut lines = [only(left, right, '-'), only(right, left, '+')].concat();
    lines.retain(|line| !["dateModified", "last_modified"].iter().any(|date| line.contains(date)));
    lines
}

/// The first question of a file, by its text, that has an answer.
fn first_question(path: &Path, file: &str) -> String {
    let query =
        "SELECT ?text { ?i s:item ?q . ?q s:text ?text ; s:acceptedAnswer ?a } ORDER BY ?text LIMIT 1";
    let found: serde_json::Value =
        serde_json::from_str(&ok(path, &["query", file, "-q", query, "--format", "json"]))
            .expect("it is JSON");
    found[0]["text"].as_str().expect("there is a question").to_owned()
}

const FILES: [(&str, &str); 12] = [
    ("karenina/p0-programming.jsonld", "\"text\": "),
    ("karenina/p1-physics.jsonld", "\"text\": "),
    ("karenina/p2-genomics.jsonld", "\"text\": "),
    ("karenina/p2-awkward-ids.jsonld", "\"text\": "),
    ("karenina/s0-cell-biology.jsonld", "\"text\": "),
    ("karenina/s1-astronomy.jsonld", "\"text\": "),
    ("karenina/g-ecology.jsonld", "\"text\": "),
    ("karenina/m-history.jsonld", "\"text\": "),
    ("karenina/v2a-mycology.json", "\"raw_answer\": "),
    ("karenina/v2c-oceans.json", "\"raw_answer\": "),
    ("karenina/x-neuroscience.jsonld", "\"text\": "),
    ("train/support-desk.json", "\"answer\": "),
];

#[test]
fn an_answer_is_set_in_the_file_and_in_the_store_alike() {
    for (name, key) in FILES {
        let folder = folder(&[name]);
        let path = folder.path();
        let file = name.rsplit('/').next().expect("it has a name");
        let question = first_question(path, file);
        ok(path, &["init"]);
        ok(path, &["load", file]);
        ok(path, &["set", &question, "--answer", "Forty-two"]);
        let of_store = ok(path, &["convert", "--to", "same"]);
        assert_eq!(
            fs::read_to_string(path.join(file)).expect("it is there"),
            fixture(name),
            "the file stays"
        );
        ok(path, &["set", &question, file, "--answer", "Forty-two"]);
        let of_file = fs::read_to_string(path.join(file)).expect("it is there");
        assert_eq!(of_store, of_file, "{name}");
        let lines = different_lines(&fixture(name), &of_file);
        assert_eq!(lines.len(), 2, "{name}: {lines:#?}");
        assert!(lines[1].starts_with(&format!("+{key}\"Forty-two\"")), "{name}: {lines:#?}");
    }
}

#[test]
fn finished_and_keywords_are_set_where_the_dialect_has_them() {
    for (name, _) in FILES.iter().filter(|(name, _)| name.starts_with("karenina/")) {
        let folder = folder(&[name]);
        let path = folder.path();
        let file = name.rsplit('/').next().expect("it has a name");
        let question = first_question(path, file);
        let now = || fs::read_to_string(path.join(file)).expect("it is there");
        ok(path, &["set", &question, file, "--finished", "false"]);
        let before = now();
        ok(path, &["set", &question, file, "--finished", "true"]);
        let lines = different_lines(&before, &now());
        assert!(
            lines.len() == 2 && lines[0].contains("false") && lines[1].contains("true"),
            "{name}: {lines:#?}"
        );
        // Who reads checkpoints finds the keywords, wherever they stand.
        ok(path, &["set", &question, file, "--keyword", "aa", "--keyword", "bb"]);
        let gui = ok(path, &["convert", file, "--to", "karenina"]);
        let gui: serde_json::Value = serde_json::from_str(&gui).expect("it is JSON");
        let items = gui["dataFeedElement"].as_array().expect("it has items");
        let of_question =
            items.iter().find(|item| item["item"]["text"] == question.as_str()).expect("it is there");
        let keywords = of_question["item"].get("keywords").or(of_question.get("keywords"));
        assert_eq!(keywords, Some(&serde_json::json!(["aa", "bb"])), "{name}");
        // Once more changes nothing.
        let before = now();
        ok(path, &["set", &question, file, "--keyword", "aa", "--keyword", "bb"]);
        assert_eq!(now(), before, "{name}");
    }
}

#[test]
fn the_update_can_be_read_and_does_the_same() {
    let folder = folder(&["karenina/p2-genomics.jsonld"]);
    let path = folder.path();
    ok(path, &["init"]);
    ok(path, &["load", "p2-genomics.jsonld"]);
    let question = "urn:uuid:question-which-enzyme-copies-rna-into-dna-5924efa2";
    let arguments =
        ["set", question, "--answer", "A \"transcriptase\"", "--finished", "true", "--text", "Which?"];
    let manifest = fs::read(path.join(".evalgraph/manifest")).expect("it is there");
    let update = ok(path, &[&arguments[..], &["--print"]].concat());
    assert_eq!(fs::read(path.join(".evalgraph/manifest")).expect("it is there"), manifest);
    insta::assert_snapshot!(update);
    fs::write(path.join("set.ru"), update).expect("the folder is ours");
    ok(path, &["update", "-f", "set.ru"]);
    let updated = ok(path, &["convert", "--to", "same"]);
    ok(path, &["load", "p2-genomics.jsonld", "--replace"]);
    ok(path, &arguments);
    assert_eq!(ok(path, &["convert", "--to", "same"]), updated);
    assert!(updated.contains("A \\\"transcriptase\\\"") && updated.contains("\"Which?\""), "{updated}");
    // By its id where nothing else tells it, or in a file of rows.
    let fixtures = self::folder(&["karenina/t-general-knowledge.jsonld"]);
    let file = "t-general-knowledge.jsonld";
    for arguments in [["q001", "--answer"], ["How many strings does a violin have?", "--text"]] {
        ok(fixtures.path(), &["set", arguments[0], file, arguments[1], "Forty-two"]);
    }
    let text = fs::read_to_string(fixtures.path().join(file)).expect("it is there");
    let lines = different_lines(&fixture(&format!("karenina/{file}")), &text);
    assert_eq!(lines[2..], ["+\"text\": \"Forty-two\"", "+\"name\": \"Forty-two\","], "{lines:#?}");
    let rows = self::folder(&["train/support-desk.json"]);
    ok(rows.path(), &["set", "TRAIN_Q001", "support-desk.json", "--answer", "Forty-two"]);
    assert!(
        ok(rows.path(), &["query", "support-desk.json", "-q", "ASK { ?a s:text \"Forty-two\" }"])
            .contains("true")
    );
}

#[test]
fn what_is_not_clear_or_has_no_place_is_refused() {
    let folder = folder(&["karenina/p2-genomics.jsonld", "train/support-desk.json"]);
    let path = folder.path();
    fs::copy(path.join("p2-genomics.jsonld"), path.join("copy.jsonld")).expect("the folder is ours");
    ok(path, &["init"]);
    ok(path, &["load", "p2-genomics.jsonld", "copy.jsonld", "support-desk.json"]);
    let question = "Which enzyme copies RNA into DNA?";
    let (status, _, stderr) = run(path, &["set", question, "--answer", "x"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("set::which-question") && stderr.contains("matches 2 questions"), "{stderr}");
    assert_eq!(
        stderr.matches("urn:uuid:question-which-enzyme-copies-rna-into-dna-5924efa2").count(),
        2,
        "{stderr}"
    );
    ok(path, &["set", question, "--answer", "x", "--graph", "copy.jsonld"]);
    let changed = ok(path, &["graphs", "--format", "json"]);
    assert_eq!(changed.matches("\"edited\": true").count(), 1, "{changed}");
    for (arguments, code) in [
        (&["set", "Nobody asks this", "--answer", "x"][..], "set::unknown-question"),
        (&["set", "TRAIN_Q001", "--finished", "true"], "set::no-place"),
        (&["set", "TRAIN_Q001", "--keyword", "x"], "set::no-place"),
        (&["set", question, "copy.jsonld", "p2-genomics.jsonld", "--answer", "x"], "set::file"),
        (&["set", question], "required"),
    ] {
        let (status, _, stderr) = run(path, arguments);
        assert_eq!(status, 2, "{arguments:?}");
        assert!(stderr.contains(code), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_change_is_dated_and_wins_over_the_file_that_it_was_made_in() {
    for (name, _) in FILES.iter().filter(|(name, _)| name.starts_with("karenina/")) {
        let folder = folder(&[name]);
        let path = folder.path();
        let file = name.rsplit('/').next().expect("it has a name");
        let question = first_question(path, file);
        let changed = format!("changed-{file}");
        for arguments in [
            &["set", &question, &changed, "--answer", "Forty-two"][..],
            &["add", &question, &changed, "--keyword", "quagga"],
            &["add", "Is it a quagga?", &changed, "--answer", "It is."],
        ] {
            fs::write(path.join(&changed), fixture(name)).expect("the folder is ours");
            let (status, _, stderr) = run_at(1_800_000_000, path, arguments);
            assert_eq!(status, 0, "{name} {arguments:?}: {stderr}");
            let text = fs::read_to_string(path.join(&changed)).expect("it is there");
            // The question, unless it is new, and the dataset, where it has a date.
            let dates = text.matches("2027-01-15T08:00:00").count();
            let of_dataset = usize::from(text.contains("\"dateModified\": \"20"));
            let expected = usize::from(arguments[1] == question) + of_dataset;
            assert!(dates >= expected, "{name} {arguments:?}: {dates} dates");
            // A new question stands at its end, wherever the other file has it.
            ok(path, &["merge", file, &changed, "--prefer", "newest", "-o", "merged.jsonld"]);
            let (status, differences, _) = run(path, &["diff", "merged.jsonld", &changed]);
            assert_eq!((status, differences.as_str()), (0, ""), "{name} {arguments:?}");
            // Done already: not even the dates change.
            if arguments[1] == question {
                let (status, _, stderr) = run_at(1_900_000_000, path, arguments);
                assert!(status == 0 && stderr.contains("nothing was changed"), "{name}: {stderr}");
                assert_eq!(fs::read_to_string(path.join(&changed)).expect("it is there"), text, "{name}");
            }
        }
    }
}
