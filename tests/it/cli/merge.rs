//! `evalgraph merge` and `evalgraph split`: nothing is lost, conflicts are shown, and what was split is
//! merged again.

use crate::beside::karenina_files;
use crate::cli::input::run;
use crate::karenina::fixtures::{fixtures_in, path};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const CONTEXT: &str = r#"{"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}}"#;

fn question(id: &str, text: &str, answer: &str, modified: &str) -> String {
    format!(
        r#"{{"@type": "DataFeedItem", "@id": "{id}", "dateModified": "{modified}", "zz": 1.0,
      "item": {{"@type": "Question", "text": "{text}", "acceptedAnswer": {{"@type": "Answer", "text": "{answer}"}}}}}}"#
    )
}

fn checkpoint(name: &str, more: &str, questions: &[String]) -> String {
    format!(
        "{{\n  \"@context\": {CONTEXT},\n  \"@type\": \"DataFeed\",\n  \"name\": \"{name}\",{more}\n  \
         \"dataFeedElement\": [\n    {}\n  ]\n}}\n",
        questions.join(",\n    ")
    )
}

fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("the folder is ours");
    }
    folder
}

const OLD: &str = "2026-01-01T00:00:00";
const NEW: &str = "2026-02-01T00:00:00";

fn two(first: &[String], second: &[String]) -> TempDir {
    folder(&[("a.jsonld", checkpoint("A", "", first)), ("b.jsonld", checkpoint("B", "", second))])
}

fn merge(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    run(folder.path(), &[&["merge", "a.jsonld", "b.jsonld"], arguments].concat())
}

fn answers(text: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(text).expect("it is JSON");
    let items = value["dataFeedElement"].as_array().expect("a list").iter();
    items.map(|item| item["item"]["acceptedAnswer"]["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn parts_that_no_merge_takes_are_told_of() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(path("karenina/p1-physics.jsonld")).expect("it is there");
    // The first one stands in the context.
    let (before, after) = text.rsplit_once("\"acceptedAnswer\"").expect("the last question has an answer");
    let text = format!("{before}\"otherAnswer\"{after}");
    fs::write(folder.path().join("a.jsonld"), text).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["split", "a.jsonld", "--max", "2", "-o", "parts"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("warning[karenina::no-answer]"), "{stderr}");
    assert!(stderr.contains("`merge` refuses the parts until this is fixed"), "{stderr}");
    let parts: Vec<&str> = stdout.lines().collect();
    let (status, _, stderr) = run(folder.path(), &[&["merge"], &parts[..]].concat());
    assert!(status == 2 && stderr.contains("error[karenina::no-answer]"), "{stderr}");
    let strict = ["split", "a.jsonld", "--max", "2", "-o", "strictly", "--strict"];
    assert_eq!(run(folder.path(), &strict).0, 2);
    assert!(!folder.path().join("strictly").exists());
}

#[test]
fn questions_that_the_first_lacks_are_added_as_they_stand() {
    let added = question("urn:x:2", "What?", "It", NEW);
    let folder = two(
        &[question("urn:x:1", "Why?", "So", OLD)],
        &[question("urn:x:1", "Why?", "So", OLD), added.clone()],
    );
    let (status, stdout, stderr) = merge(&folder, &[]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout, checkpoint("A", "", &[question("urn:x:1", "Why?", "So", OLD), added]));
    assert!(stderr.contains("the field `name` differs from that of the first file"), "{stderr}");
}

#[test]
fn a_conflict_is_shown_with_both_lines_and_nothing_is_written() {
    let folder = two(&[question("urn:x:1", "Why?", "So", OLD)], &[question("urn:x:9", "Why?", "Never", NEW)]);
    let (status, stdout, stderr) = merge(&folder, &["-o", "c.jsonld"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(!folder.path().join("c.jsonld").exists());
    assert!(
        stderr.contains(
            "b.jsonld:7:99: error[merge::conflict]: two files differ in the question `urn:x:9`: `answer`"
        ),
        "{stderr}"
    );
    assert!(stderr.contains("a.jsonld:7:99: note: the other file"), "{stderr}");
    for (prefer, answer) in [("first", "So"), ("last", "Never"), ("newest", "Never")] {
        let (status, stdout, stderr) = merge(&folder, &["--prefer", prefer]);
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(answers(&stdout), [answer], "{prefer}");
        assert!(stderr.contains("1 conflict was decided by preference"), "{stderr}");
    }
}

#[test]
fn the_newer_question_is_taken_where_only_dates_differ() {
    let folder = two(&[question("urn:x:1", "Why?", "So", OLD)], &[question("urn:x:1", "Why?", "So", NEW)]);
    let (status, stdout, stderr) = merge(&folder, &[]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout, checkpoint("A", "", &[question("urn:x:1", "Why?", "So", NEW)]));
}

#[test]
fn without_dates_the_newest_cannot_be_told() {
    let folder =
        two(&[question("urn:x:1", "Why?", "So", OLD)], &[question("urn:x:1", "Why?", "No", "lately")]);
    let (status, _, stderr) = merge(&folder, &["--prefer", "newest"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("no timestamp in `dateModified`"), "{stderr}");
}

#[test]
fn of_two_of_one_time_neither_is_newer() {
    let folder = two(&[question("urn:x:1", "Why?", "So", OLD)], &[question("urn:x:1", "Why?", "No", OLD)]);
    let (status, stdout, stderr) = merge(&folder, &["--prefer", "newest", "-o", "c.jsonld"]);
    assert_eq!((status, stdout.as_str(), folder.path().join("c.jsonld").exists()), (2, "", false));
    assert!(stderr.contains("both have the same `dateModified`, so neither is newer"), "{stderr}");
}

#[test]
fn a_file_merged_with_itself_is_itself() {
    for file in fixtures_in("karenina").iter().filter(|file| file.ends_with(".jsonld")) {
        let name = path(file).display().to_string();
        let text = fs::read_to_string(&name).expect("a fixture");
        for prefer in [&[][..], &["--prefer", "newest"], &["--prefer", "last"]] {
            let (status, stdout, stderr) =
                run(Path::new("."), &[&["merge", &name, &name][..], prefer].concat());
            if status == 0 {
                assert_eq!(stdout, text, "{name} {prefer:?}");
            } else {
                panic!("{name} {prefer:?}: {stderr}");
            }
        }
    }
}

#[test]
fn the_help_for_two_dialects_is_a_command_that_works() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["p1-physics.jsonld", "s1-astronomy.jsonld"] {
        fs::copy(path(&format!("karenina/{name}")), folder.path().join(name)).expect("a fixture");
    }
    let (status, _, stderr) = run(folder.path(), &["merge", "p1-physics.jsonld", "s1-astronomy.jsonld"]);
    assert_eq!(status, 2);
    let command = stderr.split('`').find(|part| part.starts_with("evalgraph convert")).expect("a command");
    assert_eq!(
        command,
        "evalgraph convert p1-physics.jsonld s1-astronomy.jsonld --to karenina -o MERGED.jsonld"
    );
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let text = fs::read_to_string(folder.path().join("MERGED.jsonld")).expect("it was written");
    assert_eq!(answers(&text).len(), 8);
}

#[test]
fn questions_that_the_library_numbers_are_several() {
    let numbered = [question("urn:x:1", "Why?", "So", OLD), question("urn:x:1-1", "Why?", "No", OLD)];
    let folder = two(&numbered[..1], &numbered[1..]);
    let (status, stdout, stderr) = merge(&folder, &[]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(answers(&stdout), ["So", "No"]);
    // Within one file, too.
    let folder = two(&numbered, &numbered);
    assert_eq!(answers(&merge(&folder, &[]).1), ["So", "No"]);
}

#[test]
fn global_traits_and_properties_are_joined_by_name() {
    let rating = |name: &str, best: u8| {
        format!(
            r#"{{"@type": "Rating", "name": "{name}", "additionalType": "karenina:GlobalRubricTrait", "bestRating": {best}, "worstRating": 0}}"#
        )
    };
    let property =
        |name: &str| format!(r#"{{"@type": "PropertyValue", "name": "{name}", "value": [1.0, {{}}]}}"#);
    let head = |rating: &str, property: &str| {
        format!("\n  \"rating\": [{rating}],\n  \"additionalProperty\": [{property}],")
    };
    let one = question("urn:x:1", "Why?", "So", OLD);
    let folder = folder(&[
        ("a.jsonld", checkpoint("A", &head(&rating("clear", 1), &property("p")), std::slice::from_ref(&one))),
        ("b.jsonld", checkpoint("A", &head(&rating("deep", 5), &property("q")), std::slice::from_ref(&one))),
        ("c.jsonld", checkpoint("A", &head(&rating("clear", 5), &property("p")), &[])),
        ("d.jsonld", checkpoint("A", "", std::slice::from_ref(&one))),
    ]);
    let (status, stdout, stderr) = merge(&folder, &[]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let both = |one: String, two: String| format!("{one},{two}");
    let ratings = both(rating("clear", 1), rating("deep", 5));
    assert_eq!(
        stdout,
        checkpoint("A", &head(&ratings, &both(property("p"), property("q"))), std::slice::from_ref(&one))
    );
    let (status, _, stderr) = run(folder.path(), &["merge", "a.jsonld", "c.jsonld"]);
    assert_eq!(status, 2);
    assert!(
        stderr
            .contains("in the global trait `clear`: `traits / clear / kind`, `traits / clear / bestRating`"),
        "{stderr}"
    );
    let (status, stdout, _) = run(folder.path(), &["merge", "a.jsonld", "c.jsonld", "--prefer", "last"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("\"bestRating\": 5"), "{stdout}");
    // Lists that the first file lacks are made.
    let (status, stdout, stderr) = run(folder.path(), &["merge", "d.jsonld", "a.jsonld"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(value["rating"][0]["name"], "clear");
    assert_eq!(value["additionalProperty"][0]["value"], json!([1.0, {}]));
}

#[test]
fn other_forms_have_to_be_converted_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| path(name).display().to_string();
    let (status, stdout, stderr) = run(
        folder.path(),
        &["merge", &file("karenina/p2-genomics.jsonld"), &file("karenina/g-ecology.jsonld")],
    );
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("error[merge::dialects]"), "{stderr}");
    assert!(stderr.contains("convert them into one"), "{stderr}");
}

#[test]
fn version_2_is_merged_by_its_keys() {
    let entry = |answer: &str| {
        format!(
            r#"{{"question": "Why {answer}?", "raw_answer": "{answer}", "original_answer_template": "", "answer_template": "", "last_modified": "{OLD}", "finished": false}}"#
        )
    };
    let file = |entries: &str| {
        format!(r#"{{"version": "2.0", "global_rubric": null, "checkpoint": {{{entries}}}}}"#)
    };
    let one = format!("\"k\\u0031\": {}", entry("So"));
    let two = format!("\"k2\": {}", entry("It"));
    let folder = folder(&[
        ("a.jsonld", file(&one)),
        ("b.jsonld", file(&format!("{}, {two}", one.replace("\\u0031", "1")))),
    ]);
    let (status, stdout, stderr) = merge(&folder, &[]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(stdout, file(&format!("{one},{two}")));
}

/// All files below, sorted.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it is readable").path()).collect();
    files.sort();
    files
}

fn check_split(file: &Path, max: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = file.display().to_string();
    let (status, stdout, stderr) = run(folder.path(), &["split", &name, "--max", max, "-o", "parts"]);
    assert_eq!(status, 0, "{name}: {stderr}");
    let parts: Vec<&str> = stdout.lines().collect();
    assert_eq!(parts.len(), files_in(&folder.path().join("parts")).len(), "{name}");
    let (status, stdout, stderr) = run(folder.path(), &[&["merge"], parts.as_slice()].concat());
    assert_eq!(status, 0, "{name}: {stderr}");
    let whole = fs::read_to_string(file).expect("the fixture is there");
    let value = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON");
    assert_eq!(value(&stdout), value(&whole), "{name} in parts of {max}");
    // Files that are laid out with one item a line come back byte for byte.
    assert_eq!(stdout, whole, "{name} in parts of {max}");
    for part in parts.iter().filter(|part| part.ends_with(".jsonld")) {
        let (status, _, stderr) = run(folder.path(), &["stats", part]);
        assert_eq!(status, 0, "{part}: {stderr}");
    }
}

#[test]
fn what_was_split_is_merged_again() {
    for name in fixtures_in("karenina") {
        let file = path(&name);
        check_split(&file, "1");
        check_split(&file, "3");
        check_split(&file, "1GB");
        check_split(&file, "12kB");
    }
    for file in karenina_files() {
        check_split(&file, "1");
    }
}

#[test]
fn parts_keep_within_their_limit() {
    let questions: Vec<String> =
        (0..20).map(|at| question(&format!("urn:x:{at}"), &format!("Why {at}?"), "So", OLD)).collect();
    let folder = folder(&[("a.jsonld", checkpoint("A", "", &questions))]);
    let (status, stdout, stderr) = run(folder.path(), &["split", "a.jsonld", "--max", "1kB", "-o", "parts"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("parts/a-001.jsonld\nparts/a-002.jsonld\n"), "{stdout}");
    for part in stdout.lines() {
        let bytes = fs::metadata(folder.path().join(part)).expect("the part is there").len();
        assert!(bytes <= 1000, "{part} has {bytes}");
    }
    let (status, _, stderr) = run(folder.path(), &["split", "a.jsonld", "--max", "300B", "-o", "few"]);
    assert_eq!(status, 0);
    assert!(stderr.contains("warning[split::large]"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["split", "a.jsonld", "--max", "90B", "-o", "few"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[split::head]"), "{stderr}");
    assert_eq!(run(folder.path(), &["split", "a.jsonld", "--max", "0", "-o", "few"]).0, 2);
}

#[test]
fn the_newest_file_says_what_the_root_says() {
    let file = |name: &str, note: &str, modified: &str, more: &str| {
        let property = |name: &str, value: &str| {
            format!(r#"{{"@type": "PropertyValue", "name": "{name}", "value": "{value}"}}"#)
        };
        let (one, two) = (property("note", note), property("of", name));
        let head = format!(
            "\n  \"version\": \"{name}\",\n  \"dateModified\": \"{modified}\",\n  \"additionalProperty\": [{one}, {two}],{more}"
        );
        checkpoint(name, &head, &[question("urn:x:1", "Why?", "So", OLD)])
    };
    let files = [
        file("A", "same", "2026-03-01T00:00:00Z", ""),
        file("B", "same", "2026-03-01T02:30:00+01:00", "\n  \"license\": \"MIT\","),
        file("C", "other", "2026-02-01", ""),
    ];
    let names = ["a.jsonld", "b.jsonld", "c.jsonld"];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in names.iter().zip(&files) {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    }
    let (status, stdout, stderr) =
        run(folder.path(), &["merge", "a.jsonld", "b.jsonld", "c.jsonld", "--prefer", "newest", "-v"]);
    assert_eq!(status, 0, "{stderr}");
    let expected = file("B", "same", "2026-03-01T02:30:00+01:00", "");
    let expected = expected.trim_end().strip_suffix("\n}").expect("the root ends so");
    assert_eq!(stdout.trim_end(), format!("{expected},\n  \"license\": \"MIT\"\n}}"));
    for (what, line) in [("the field `name`", "a.jsonld:"), ("the property `of`", "a.jsonld:")] {
        let said = format!("{what} differs from that of the newest file, which is used");
        assert!(stderr.lines().any(|text| text.starts_with(line) && text.contains(&said)), "{stderr}");
    }
    assert!(stderr.lines().any(|text| text.starts_with("c.jsonld:") && text.contains("`note`")), "{stderr}");
    let (_, stdout, _) =
        run(folder.path(), &["merge", "a.jsonld", "b.jsonld", "c.jsonld", "--prefer", "first"]);
    assert!(stdout.contains("\"version\": \"A\""), "{stdout}");
}
