//! `validate` on Kwanzaa's datasets, as a person runs it.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_good_file_conforms_and_a_bad_one_says_where() {
    let (status, text, stderr) = run(&path("kwanzaa"), &["validate", "citation.json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(text.starts_with("citation.json: conforms to seed (kwanzaa/dataset): 0 violations"), "{text}");
    let (status, text, _) =
        run(&path("kwanzaa"), &["validate", "bad/no-third-source.json", "--profile", "contract"]);
    assert_eq!(status, 1);
    assert!(text.contains("W-18 violation: a citation such as `[1]` must refer to a source"), "{text}");
    assert!(text.contains("the text cites `[3]`, but there is 1 source"), "{text}");
    assert!(text.contains("at /samples/0/expected_output/answer/text"), "{text}");
}

#[test]
fn ids_are_compared_across_files_and_all_files_have_an_entry() {
    let (status, text, _) = run(&path("kwanzaa"), &["validate", "each-category.json", "bad/statistics.json"]);
    assert_eq!(status, 1);
    assert!(
        text.contains("`refusal_researcher_101` is also the id of /samples/2 of each-category.json"),
        "{text}"
    );
    assert!(text.contains("\nall files: conforms to seed (kwanzaa/dataset)"), "{text}");
}

#[test]
fn what_is_no_dataset_has_no_rules() {
    let (status, _, stderr) = run(&path("kwanzaa"), &["validate", "chat.jsonl"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the rules apply to datasets and answers, but this is kwanzaa/chat"), "{stderr}");
    let (status, _, stderr) =
        run(&path("karenina"), &["validate", "p2-genomics.jsonld", "--profile", "contract"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[validate::profile]"), "{stderr}");
}

/// The expected answer of a sample of the fixtures, as a file of its own.
fn answer(sample: usize) -> Value {
    let text = fs::read_to_string(path("kwanzaa/each-category.json")).expect("the fixture is there");
    let dataset: Value = serde_json::from_str(&text).expect("the fixture is JSON");
    dataset["samples"][sample]["expected_output"].clone()
}

#[test]
fn an_answer_alone_is_held_against_the_contract() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut changed = answer(0);
    changed["sources"][0]["year"] = json!("1999");
    changed["answer"]["text"] = json!("As the report says [4].");
    let mut without_version = answer(0);
    without_version["version"] = json!("1");
    for (name, value) in
        [("good", answer(0)), ("refusal", answer(2)), ("bad", changed), ("v", without_version)]
    {
        fs::write(folder.path().join(format!("{name}.json")), value.to_string()).expect("the folder is ours");
    }
    let (status, text, stderr) = run(folder.path(), &["validate", "good.json", "refusal.json"]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{text}");
    assert!(text.contains("good.json: conforms to contract (kwanzaa/answer): 0 violations"), "{text}");
    let (status, text, _) = run(folder.path(), &["validate", "bad.json"]);
    assert_eq!(status, 1);
    for found in ["W-Source violation", "at /sources/0/year", "W-18 violation", "at /answer/text"] {
        assert!(text.contains(found), "{found}: {text}");
    }
    assert!(text.contains("does not conform to contract (kwanzaa/answer): 2 violations"), "{text}");
    // The schema of datasets says no more of a source than that it is an object.
    let (status, text, _) = run(folder.path(), &["validate", "bad.json", "--profile", "seed"]);
    assert_eq!(status, 0, "{text}");
    // The version is what tells an answer: without it somebody has to say whose it is.
    let (status, text, _) = run(folder.path(), &["validate", "v.json", "--from", "kwanzaa"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("at /version"), "{text}");
    // The shipped code asks which parts there are.
    let (status, text, _) = run(folder.path(), &["validate", "good.json", "--profile", "code"]);
    assert_eq!(status, 0, "{text}");
    let mut without_answer = answer(0);
    without_answer["answer"]["text"] = json!("");
    fs::write(folder.path().join("empty.json"), without_answer.to_string()).expect("the folder is ours");
    let (status, text, _) = run(folder.path(), &["validate", "empty.json", "--profile", "code"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("at /answer/text"), "{text}");
}

/// A folder with files of several systems is checked by one word.
#[test]
fn shipped_and_code_are_one_profile_in_every_system() {
    let files = [
        "kwanzaa/citation.json",
        "train/support-desk.json",
        "karenina/p2-genomics.jsonld",
        "rlcf/users.json",
    ];
    let verdicts = ["shipped", "code"].map(|profile| {
        let (status, text, stderr) =
            run(&path(""), &[&["validate", "--profile", profile], &files[..]].concat());
        assert_ne!(status, 2, "{profile}: {stderr}");
        (status, text)
    });
    assert_eq!(verdicts[0], verdicts[1]);
    for profile in ["shipped", "code"] {
        let (status, _, stderr) = run(&path(""), &["figures", "rlcf/export.json", "--profile", profile]);
        assert_eq!(status, 0, "{profile}: {stderr}");
        let arguments = ["convert", "rlcf/export.json", "--to", "sft", "--profile", profile];
        let (status, _, stderr) = run(&path(""), &arguments);
        assert_eq!(status, 0, "{profile}: {stderr}");
    }
}

#[test]
fn questions_that_are_asked_twice_are_told_with_the_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let citation = path("kwanzaa/citation.json").display().to_string();
    let text = fs::read_to_string(&citation).expect("the fixture is there");
    let mut again: Value = serde_json::from_str(&text).expect("fixtures are JSON");
    let question = again["samples"][0]["user_query"].as_str().expect("a question").to_uppercase();
    let sample = again["samples"].as_array_mut().expect("an array").remove(0);
    again["samples"] = json!([sample]);
    again["samples"][0]["sample_id"] = json!("citation_builder_900");
    again["samples"][0]["user_query"] = json!(format!(" {question}\n"));
    fs::write(folder.path().join("again.json"), again.to_string()).expect("the folder is ours");
    let (_, text, _) = run(folder.path(), &["validate", &citation, "again.json"]);
    assert!(text.contains(&format!("the question of /samples/0 of {citation} is the same")), "{text}");
    assert!(text.contains("W-27 warning"), "{text}");
}
