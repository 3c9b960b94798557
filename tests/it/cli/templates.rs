//! `evalgraph templates`: out to files and back, whatever ids and texts hold.

use crate::cli::input::run;
use crate::karenina::fixtures::{fixtures_in, path};
use evalgraph::source::checkpoint::template_files::file_stem;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

fn checkpoint(ids: &[&str]) -> Value {
    let item = |(at, id): (usize, &&str)| {
        json!({"@type": "DataFeedItem", "@id": id, "item": {
            "@type": "Question", "text": format!("Why {at}?"), "acceptedAnswer": {"@type": "Answer", "text": "So"},
            "hasPart": {"@type": "SoftwareSourceCode", "name": "t", "text": format!("a = {at}\n")}}})
    };
    json!({
        "@context": {"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}},
        "@type": "DataFeed",
        "name": "Any",
        "dataFeedElement": ids.iter().enumerate().map(item).collect::<Vec<_>>()
    })
}

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.jsonld"), text).expect("the folder is ours");
    folder
}

fn out(folder: &TempDir) -> Vec<String> {
    let (status, stdout, stderr) = run(folder.path(), &["templates", "out", "a.jsonld", "-o", "t"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    let entries = fs::read_dir(folder.path().join("t")).expect("the directory is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it is readable").file_name().display().to_string()).collect();
    names.sort();
    names
}

fn take_in(folder: &TempDir) -> (i32, String, String) {
    run(folder.path(), &["templates", "in", "a.jsonld", "t"])
}

const HOSTILE: [&str; 14] = [
    "urn:uuid:question-what-is-2+2-936dbc87",
    "urn:uuid:QUESTION-what-is-2+2-936dbc87",
    "a/b",
    "a\\b",
    "../../etc/passwd",
    "CON",
    "con",
    "nul.txt",
    "",
    "line\nbreak\t\"quoted\" <tag> | ? * :",
    "...",
    "é",
    "е",
    "\u{1f600}",
];

#[test]
fn every_id_has_a_file_of_its_own_and_comes_back() {
    let long = "x".repeat(300);
    let longer = format!("{long}y");
    let ids: Vec<&str> = HOSTILE.iter().copied().chain([long.as_str(), longer.as_str()]).collect();
    let text = serde_json::to_string(&checkpoint(&ids)).expect("it is JSON");
    let folder = folder(&text);
    let names = out(&folder);
    assert_eq!(names.len(), ids.len());
    let lower: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(lower.len(), ids.len(), "no two differ in capitals alone");
    for name in &names {
        let is_safe = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
        assert!(name.bytes().all(is_safe) && name.len() < 90 && !name.starts_with('.'), "{name}");
        let stem = name.split('.').next().unwrap_or_default();
        assert!(!["con", "prn", "aux", "nul"].contains(&stem) || name.len() > 7, "{name}");
    }
    let (status, stdout, _) = take_in(&folder);
    assert_eq!((status, stdout.as_str()), (0, text.as_str()));
    for (at, id) in ids.iter().enumerate() {
        let file = folder.path().join("t").join(format!("{}.py", file_stem(id)));
        assert_eq!(fs::read_to_string(&file).expect("the file is there"), format!("a = {at}\n"), "{id}");
    }
}

#[test]
fn questions_of_one_id_are_told_apart_by_their_order() {
    let folder = folder(&checkpoint(&["urn:x:1", "urn:x:1"]).to_string());
    let names = out(&folder);
    assert_eq!(names.len(), 2);
    assert!(names[0].ends_with("-2.py"), "{names:?}");
}

#[test]
fn exactly_the_changed_texts_change() {
    // A spelling that nobody would choose, to see that it stays.
    let text = checkpoint(&["urn:x:1", "urn:x:2"])
        .to_string()
        .replace("\"a = 0\\n\"", "\"\\u0061 =  0\\n\"")
        .replace("\"So\"", "  \"S\\u006f\" ");
    let folder = folder(&text);
    out(&folder);
    let file = folder.path().join("t").join(format!("{}.py", file_stem("urn:x:2")));
    let edited = "def f():\r\n\treturn \"é\\u00e9\"  # \u{1f600}\n";
    fs::write(&file, edited).expect("the folder is ours");
    let (status, stdout, stderr) = take_in(&folder);
    assert_eq!(status, 0);
    assert!(stderr.contains("1 template changed"), "{stderr}");
    let expected = text.replace("\"a = 1\\n\"", &Value::from(edited).to_string());
    assert_eq!(stdout, expected);
}

#[test]
fn missing_and_unknown_files_are_said() {
    let text = checkpoint(&["urn:x:1", "urn:x:2"]).to_string();
    let folder = folder(&text);
    let names = out(&folder);
    fs::remove_file(folder.path().join("t").join(&names[0])).expect("the folder is ours");
    fs::write(folder.path().join("t/other.py"), "pass").expect("the folder is ours");
    fs::write(folder.path().join("t/notes.txt"), "no template").expect("the folder is ours");
    let (status, stdout, stderr) = take_in(&folder);
    assert_eq!((status, stdout.as_str()), (0, text.as_str()));
    assert!(stderr.contains("warning[templates::missing]"), "{stderr}");
    assert!(stderr.contains("`t/other.py` does not belong to any question"), "{stderr}");
    assert!(!stderr.contains("notes.txt"), "{stderr}");
    fs::write(folder.path().join("t").join(&names[1]), b"\xff").expect("the folder is ours");
    let (status, _, stderr) = take_in(&folder);
    assert_eq!(status, 2);
    assert!(stderr.contains("it is not UTF-8"), "{stderr}");
    assert_eq!(run(folder.path(), &["templates", "in", "a.jsonld", "nowhere"]).0, 2);
}

#[test]
fn every_fixture_comes_back_byte_for_byte() {
    for name in fixtures_in("karenina") {
        let text = fs::read_to_string(path(&name)).expect("the fixture is there");
        let folder = folder(&text);
        out(&folder);
        let (status, stdout, stderr) = take_in(&folder);
        assert_eq!(status, 0, "{name}: {stderr}");
        assert_eq!(stdout, text, "{name}");
        assert!(stderr.contains("0 templates changed"), "{name}: {stderr}");
    }
}
