//! `evalgraph new`: a checkpoint from a table, with ids as the library makes them; and the reader of
//! CSV.

use crate::cli::input::{evalgraph, run};
use evalgraph::source::checkpoint::template::default_stub;
use evalgraph::source::csv::{read_csv, separator_of};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

fn folder(name: &str, content: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), content).expect("the folder is ours");
    folder
}

/// Runs `new` at a fixed time.
fn new(name: &str, content: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = folder(name, content);
    let output = evalgraph(folder.path())
        .args(["new", name])
        .args(arguments)
        .env("SOURCE_DATE_EPOCH", "1767225600")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    (output.status.code().expect("it ends"), text(output.stdout), text(output.stderr))
}

fn made(name: &str, content: &str, arguments: &[&str]) -> Value {
    let (status, stdout, stderr) = new(name, content, arguments);
    assert_eq!(status, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("it is JSON")
}

#[test]
fn a_table_becomes_a_checkpoint_that_the_library_loads() {
    let table = "question,answer\nWhat is 2+2?,4\n\"Why, \"\"so\"\"?\",So\n";
    let value = made("sums.csv", table, &[]);
    assert_eq!(value["@type"], "DataFeed");
    assert_eq!(value["name"], "sums");
    assert_eq!(value["dateCreated"], "2026-01-01T00:00:00.000000");
    let item = &value["dataFeedElement"][0];
    assert_eq!(item["@id"], "urn:uuid:question-what-is-2+2-936dbc87");
    assert_eq!(item["dateModified"], "2026-01-01T00:00:00.000000");
    assert_eq!(item["item"]["text"], "What is 2+2?");
    assert_eq!(item["item"]["acceptedAnswer"]["text"], "4");
    let template = item["item"]["hasPart"]["text"].as_str().expect("a text");
    assert_eq!(template.trim(), default_stub("What is 2+2?"));
    let folder = folder("a.jsonld", &value.to_string());
    let (status, stdout, stderr) = run(folder.path(), &["validate", "a.jsonld", "--profile", "karenina"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}

#[test]
fn an_empty_answer_is_missing() {
    let (status, stdout, stderr) = new("a.csv", "question,answer\nWhy?,\n,So\n", &[]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("a.csv:2:1: error[new::row]: a row without answer"), "{stderr}");
    assert!(stderr.contains("a.csv:3:1: error[new::row]: a row without question"), "{stderr}");
}

#[test]
fn every_column_has_its_place() {
    let table = "id,prompt,gold,template,keywords,finished,Level,author\n\
                 urn:x:1,Why?,So,\"class A:\n    pass\",a; b;,yes,hard,\"{\"\"@type\"\": \"\"Person\"\"}\"\n";
    let mapping = ["--map-column", "question=prompt", "--map-column", "answer=gold", "--name", "Mine"];
    let value = made("a.csv", table, &mapping);
    assert_eq!(value["name"], "Mine");
    let item = &value["dataFeedElement"][0];
    assert_eq!(item["@id"], "urn:x:1");
    assert_eq!(item["item"]["hasPart"]["text"], "class A:\n    pass");
    assert_eq!(item["item"]["keywords"], json!(["a", "b"]));
    assert_eq!(
        item["item"]["additionalProperty"],
        json!([
            {"@type": "PropertyValue", "name": "finished", "value": true},
            {"@type": "PropertyValue", "name": "custom_Level", "value": "hard"},
            {"@type": "PropertyValue", "name": "author", "value": "{\"@type\": \"Person\"}"},
        ])
    );
}

#[test]
fn json_lines_keep_their_values() {
    let table = "{\"question\": \"Why?\", \"answer\": 4.50, \"keywords\": [\"k\"], \"level\": [1.0, 12345678901234567890]}\n\n\
                 {\"question\": \"Why?\", \"answer\": \"So\", \"finished\": false, \"id\": null}\n\
                 {\"question\": \"Why?\", \"answer\": \"No\"}";
    let (status, stdout, stderr) = new("a.jsonl", table, &[]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("12345678901234567890"), "{stdout}");
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let items = value["dataFeedElement"].as_array().expect("a list");
    assert_eq!(items[0]["item"]["acceptedAnswer"]["text"], "4.50");
    assert_eq!(items[0]["item"]["keywords"], json!(["k"]));
    let ids: Vec<&str> = items.iter().map(|item| item["@id"].as_str().expect("an id")).collect();
    let first = ids[0];
    assert_eq!(ids, [first, &format!("{first}-1"), &format!("{first}-2")]);
}

#[test]
fn what_is_wrong_has_its_line() {
    let cases = [
        (
            "a.csv",
            "frage,antwort\nWarum?,So\n",
            "a.csv:1:1: error[new::column]: no column is named `question`",
        ),
        ("a.csv", "question,answer,answer\n", "error[new::column]: two columns are named `answer`"),
        ("a.csv", "question,answer\nWhy?,So,more\n", "a.csv:2:1: error[new::fields]: 3 fields"),
        ("a.csv", "question,answer\n\"Why?,So\n", "a.csv:2:1: error[csv::quote]: the quote that opens here"),
        (
            "a.csv",
            "question,answer\n\"Why\"?,So\n",
            "a.csv:2:5: error[csv::quote]: text follows the closing quote",
        ),
        ("a.csv", "question,answer\n", "error[new::empty]"),
        ("a.csv", "", "error[new::column]"),
        (
            "a.csv",
            "question,answer,id\na,b,1\nc,d,1\n",
            "a.csv:3:5: error[new::id]: two questions have the id `1`",
        ),
        (
            "a.csv",
            "question,answer,finished\na,b,maybe\n",
            "a.csv:2:5: error[new::row]: `finished` is `maybe`",
        ),
        (
            "a.jsonl",
            "{\"question\": \"a\"}\n",
            "a.jsonl:1:1: error[new::column]: no column is named `answer`; there are `question`",
        ),
        (
            "a.jsonl",
            "{\"question\": \"a\", \"answer\": \"b\"}\n{\"question\": \"c\"}\n",
            "a.jsonl:2:1: error[new::row]: a row without answer",
        ),
        ("a.jsonl", "{\"question\": \"a\", \"answer\": \"b\"}\n{\"question\"\n", "a.jsonl:"),
        ("a.jsonl", "[1]\n", "a.jsonl:1:2: error[new::row]: a row is not a JSON object"),
        ("a.jsonl", "", "error[new::empty]"),
    ];
    for (name, content, expected) in cases {
        let (status, stdout, stderr) = new(name, content, &[]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{content}: {stderr}");
        assert!(stderr.contains(expected), "{content}: {stderr}");
    }
    assert_eq!(new("a.csv", "q,a\n", &["--map-column", "frage=q"]).0, 2);
}

#[test]
fn a_run_can_be_repeated() {
    let table = "question;answer\r\nWhy?;\"a;b\"\r\n";
    let (_, first, _) = new("a.csv", table, &[]);
    assert_eq!(new("a.csv", table, &[]).1, first);
    assert!(first.contains("\"a;b\""), "{first}");
}

#[test]
fn csv_is_read_as_rfc_4180_has_it() {
    let rows = |text: &str| -> Vec<Vec<String>> {
        let records = read_csv("a.csv", text, b',').expect("it is CSV");
        records.into_iter().map(|record| record.into_iter().map(|field| field.text).collect()).collect()
    };
    assert_eq!(rows("a,b\r\nc,d"), [["a", "b"], ["c", "d"]]);
    assert_eq!(rows("a,\n,b\n\n"), [["a", ""], ["", "b"]]);
    assert_eq!(rows("\"a\r\nb\",\"\"\"\"\n"), [["a\r\nb", "\""]]);
    assert_eq!(rows("\u{feff}é,ü\n"), [["é", "ü"]]);
    assert_eq!(rows("\"\"\n"), [[""]]);
    assert_eq!(rows(" a , b \n"), [[" a ", " b "]]);
    assert_eq!(rows(""), [[""; 0]; 0]);
    for (text, separator) in [("a;b,c;d", b';'), ("a\tb", b'\t'), ("a", b','), ("\"a;b;c\",d", b',')] {
        assert_eq!(separator_of(text), separator, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_as_csv_is_read_again(
        rows in proptest::collection::vec(proptest::collection::vec("[a\u{e9},;\"\n\r ]{0,6}", 2..4), 1..5)
    ) {
        let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
        let lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let records = read_csv("a.csv", &lines.join("\r\n"), b',').expect("it is CSV");
        let read: Vec<Vec<String>> =
            records.into_iter().map(|record| record.into_iter().map(|field| field.text).collect()).collect();
        prop_assert_eq!(read, rows);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[a\u{e9}\u{1f600},;\"\n\r ]{0,30}") {
        for (at, field) in read_csv("a.csv", &text, b',').into_iter().flatten().flatten().enumerate() {
            prop_assert!(field.bytes.end <= text.len(), "{}", at);
        }
    }
}
