//! Columns of other names: values inside of columns keep their places, a path or form that does not fit is refused with
//! the next step, and nothing that a path leaves behind is lost silently.

use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, root};
use evalgraph::json::{JsonDocument, Limits};
use evalgraph::source::rows::{COLUMN_PRESETS, RowFormat, RowOptions, read_rows};
use proptest::prelude::{ProptestConfig, proptest};
use std::fs;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    }
    folder
}

/// The rows of JSON lines with assigned columns, or the message of the fault.
fn rows(text: &str, columns: &[(&str, &str)]) -> Result<JsonDocument, String> {
    let columns = columns.iter().map(|&(key, path)| (key.to_owned(), path.to_owned())).collect();
    let options = RowOptions { columns, ..RowOptions::default() };
    let read = read_rows("t", text.to_owned(), RowFormat::JsonLines, &options, Limits::default());
    read.map_err(|fault| fault.to_string())
}

/// The line and the column of the value that a key has in a row.
fn place(document: &JsonDocument, row: usize, key: &str) -> (u64, u64) {
    let row = document.items(document.root()).nth(row).expect("the row is there");
    let place = document.place(document.get(row, key).expect("the key has a value"));
    (place.line, place.column)
}

#[test]
fn a_value_inside_of_a_column_keeps_its_place() {
    let text = concat!(
        "{\"q\": {\"t\": \"one?\"}, \"c\": [\"x\", \"y\"], \"a\": 1}\n",
        "{\"a\": \"A\", \"c\": [\"x\", \"y\"], \"q\": {\"t\": \"two?\"}}\n",
    );
    let read = rows(text, &[("question", "q.t"), ("answer", "c[a]"), ("contexts", "c.*")]);
    let read = read.expect("each path leads to values");
    assert_eq!([place(&read, 0, "question"), place(&read, 0, "answer")], [(1, 13), (1, 33)]);
    assert_eq!([place(&read, 1, "question"), place(&read, 1, "answer")], [(2, 40), (2, 18)]);
    assert_eq!([place(&read, 0, "contexts"), place(&read, 0, "c")], [(1, 28), (1, 27)]);
}

#[test]
fn a_finding_about_such_a_value_has_its_place() {
    let text = "{\"question\": \"q\", \"answers\": {\"text\": [{\"t\": \"a\"}]}}\n";
    let folder = folder(&[("a.jsonl", text)]);
    let (status, _, stderr) =
        run(folder.path(), &["stats", "a.jsonl", "--map-column", "answer=answers.text.0"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.starts_with("a.jsonl:1:40: warning[records::misplaced]: `answer` is an object"),
        "{stderr}"
    );
    assert!(stderr.contains("only a part of `answers` is in the graph"), "{stderr}");
}

#[test]
fn a_column_named_like_a_path_is_read() {
    let text = "{\"a.b\": \"exact\", \"a\": {\"b\": \"inner\"}}\n{\"a\": {\"b\": \"inner\"}}\n";
    let read = rows(text, &[("question", "a.b")]).expect("the column is there");
    let question = |row: usize| {
        let row = read.items(read.root()).nth(row)?;
        read.get(row, "question").and_then(|value| read.string(value)).map(|text| text.into_owned())
    };
    assert_eq!([question(0), question(1)], [Some("exact".to_owned()), None]);
}

#[test]
fn the_first_column_that_a_row_has_is_read() {
    let text = "{\"p\": \"1\", \"q\": \"2\"}\n{\"q\": \"3\"}\n{\"p\": null, \"q\": \"4\"}\n{\"x\": 5}\n";
    let read = rows(text, &[("question", "p"), ("question", "q")]).expect("the columns are there");
    let question = |row| read.get(row, "question").and_then(|value| read.string(value));
    let questions: Vec<_> = read.items(read.root()).map(question).collect();
    assert_eq!(questions, [Some("1".into()), Some("3".into()), Some("4".into()), None]);
    assert_eq!(rows(text, &[("question", "z"), ("question", "q")]).map(drop), Ok(()));
}

#[test]
fn a_path_that_leads_nowhere_is_told_with_the_nearest() {
    let text = "{\"q\": \"x\", \"as\": {\"text\": [\"a\"], \"start\": 1}, \"e\": [], \"n\": null}\n";
    let cases = [
        ("as.txt", "t:1:18: train::column: no row has a value at `as.txt`: `as` has `text`, `start`"),
        ("as.text.1", "t:1:27: train::column: no row has a value at `as.text.1`: `as.text` is a list"),
        ("as.start.x", "t:1:43: train::column: no row has a value at `as.start.x`: `as.start` is a number"),
        ("q.x", "t:1:7: train::column: no row has a value at `q.x`: `q` is a string"),
        ("e.0", "t:1:52: train::column: no row has a value at `e.0`: `e` is empty"),
        ("n.x", "t:1:1: train::column: no row has a value at `n.x`: `n` is null"),
        ("asx.text", "t:1:1: train::column: no column is named `asx`; there are `q`, `as`, `e`, `n`"),
        ("as.", "t:1:1: train::column: no column is named `as.`; there are `q`, `as`, `e`, `n`"),
        (
            "as.api_key",
            "t: train::column: the column `as.api_key` contains API keys, which no output may show",
        ),
    ];
    for (path, message) in cases {
        assert_eq!(rows(text, &[("answer", path)]).err().as_deref(), Some(message), "{path}");
    }
    let folder = folder(&[("a.jsonl", text), ("a.csv", "question,answer\nq,a\n")]);
    let told = |file: &str, mapping: &str, told: &str| {
        let (status, stdout, stderr) = run(folder.path(), &["stats", file, "--map-column", mapping]);
        assert!(status == 2 && stdout.is_empty() && stderr.contains(told), "{mapping}: {stderr}");
    };
    told("a.jsonl", "answer=as.txt", "did you mean `--map-column answer=as.text`?");
    told("a.jsonl", "answer=as.text.x", "did you mean `--map-column answer=as.text.0`?");
    told("a.jsonl", "answer=asx.text", "did you mean `as`?");
    told("a.csv", "answer=answer.0", "a cell of `answer` has no values inside of it");
}

#[test]
fn a_choice_that_is_not_there_is_an_error_with_its_place() {
    let row = |answer: &str| {
        format!("{{\"question\": \"q\", \"choices\": [\"a\", \"b\"], \"answer\": {answer}}}\n")
    };
    let cases = [
        ("2", "`answer` is 2, but `choices` has 2 values"),
        ("\"C\"", "`answer` is \"C\", but `choices` has 2 values"),
        ("-1", "`answer` is -1, neither a number from 0 nor a letter from A"),
        ("\"1\"", "if a list has the labels of `choices`, name it: `choices[LABELS=answer]`"),
        ("{}", "`answer` is {}, neither a number from 0 nor a letter from A"),
    ];
    for (answer, told) in cases {
        let folder = folder(&[("a.jsonl", &(row("1") + &row(answer)))]);
        let (status, stdout, stderr) = run(folder.path(), &["stats", "a.jsonl", "--columns", "mmlu"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{answer}");
        assert!(
            stderr.starts_with("a.jsonl:2:52: error[train::choice]: ") && stderr.contains(told),
            "{stderr}"
        );
        let (status, _, stderr) = run(folder.path(), &["new", "a.jsonl", "--columns", "mmlu"]);
        assert!(status == 2 && stderr.starts_with("a.jsonl:2:52: error[new::row]: "), "{stderr}");
    }
}

#[test]
fn secrets_do_not_leave_through_a_path() {
    let text =
        "{\"answer\": \"b\", \"input\": {\"name\": \"api_key\", \"value\": \"sk-1234567890abcdef\"}}\n";
    let folder = folder(&[("a.jsonl", text)]);
    for command in [&["convert", "--to", "nq"][..], &["convert", "--to", "train"], &["new"], &["validate"]] {
        let arguments = [command, &["a.jsonl", "--map-column", "question=input.value"]].concat();
        let (_, stdout, stderr) = run(folder.path(), &arguments);
        assert!(!format!("{stdout}{stderr}").contains("1234567890"), "{command:?}: {stdout}{stderr}");
    }
}

#[test]
fn a_new_checkpoint_has_the_first_answer_and_keeps_the_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| root().join(FOREIGN).join(name).display().to_string();
    let made = |arguments: &[&str]| {
        let (status, stdout, stderr) = run(folder.path(), &[&["new"], arguments].concat());
        assert_eq!(status, 0, "{stderr}");
        serde_json::from_str::<serde_json::Value>(&stdout).expect("a checkpoint is JSON")
    };
    let answers = |checkpoint: &serde_json::Value| {
        let items = checkpoint["dataFeedElement"].as_array().expect("there are items");
        let answer = |item: &serde_json::Value| item["item"]["acceptedAnswer"]["text"].clone();
        items.iter().map(answer).collect::<Vec<_>>()
    };
    let several = made(&[&file("nq-open.jsonl")]);
    assert_eq!(answers(&several), ["twice a day", "Ida"]);
    let others = &several["dataFeedElement"][0]["item"]["additionalProperty"][0];
    assert_eq!(
        (&others["name"], &others["value"]),
        (&"custom_other_answers".into(), &serde_json::json!(["twice"]))
    );
    let chosen = made(&[&file("mmlu-rows.jsonl"), "--columns", "mmlu"]);
    assert_eq!(answers(&chosen), ["the glass hen", "rust"]);
    let inner = made(&[&file("squad-rows.jsonl"), "--map-column", "answer=answers.text.0"]);
    assert_eq!(answers(&inner), ["green", "one"]);
    let table = made(&[&file("truthfulqa.csv"), "--columns", "truthfulqa"]);
    assert_eq!(answers(&table), ["No, owls do not read", "Nothing unusual"]);
}

#[test]
fn other_accepted_answers_are_counted_as_lost_and_written_back() {
    let text = concat!(
        "{\"question\": \"q1\", \"answer\": [\"b\", \"a\", \"b\"]}\n",
        "{\"question\": \"q2\", \"answer\": []}\n",
        "{\"question\": \"q3\", \"answer\": [\"c\"]}\n",
        "{\"question\": \"q4\", \"answer\": \"d\"}\n",
    );
    let folder = folder(&[("a.jsonl", text)]);
    let (status, same, stderr) = run(folder.path(), &["convert", "a.jsonl", "--to", "same"]);
    assert_eq!((status, same.as_str()), (0, text), "{stderr}");
    let (status, rows, stderr) = run(folder.path(), &["convert", "a.jsonl", "--to", "train"]);
    let lost = "train cannot hold the texts of `answer` besides the first of `a`";
    assert!(status == 0 && stderr.contains(lost), "{stderr}");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("rows are JSON");
    let answers: Vec<_> = (0..4).map(|row| rows[row]["answer"].clone()).collect();
    assert_eq!(answers, ["b", "", "c", "d"]);
}

#[test]
fn each_form_has_a_row_in_the_table_of_foreign_files_and_in_the_page() {
    let page = fs::read_to_string(root().join("../docs/formats.md")).expect("the page is there");
    let table = fs::read_to_string(root().join(FOREIGN).join("expected.tsv")).expect("the table is there");
    let names = COLUMN_PRESETS.iter().map(|preset| preset.name);
    assert!(names.is_sorted());
    for preset in &COLUMN_PRESETS {
        let row = format!("| [`{}`]({}) | {} |", preset.name, preset.source, preset.meaning);
        assert!(page.contains(&row), "{row}");
        assert!(table.contains(&format!("\t--columns {}\tread\t", preset.name)), "{}", preset.name);
        assert!(preset.columns.iter().any(|column| column.key == "question" && column.is_required));
    }
}

#[test]
fn an_own_column_takes_precedence_over_that_of_a_form() {
    let text = "{\"question\": \"q\", \"choices\": [\"a\", \"b\"], \"answer\": 0, \"long\": \"c\"}\n";
    let folder =
        folder(&[("a.jsonl", text), ("o.json", "{\"data\": [{\"question\": \"q\", \"answer\": \"a\"}]}")]);
    let query = "SELECT ?text { [] s:acceptedAnswer/s:text ?text }";
    let arguments = ["query", "a.jsonl", "--columns", "mmlu", "--map-column", "answer=long", "-q", query];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stdout.as_str()), (0, "text\r\nc\r\n"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["stats", "o.json", "--columns", "mmlu"]);
    assert!(status == 2 && stderr.contains("the list `data` may have the records"), "{stderr}");
}

#[test]
fn rows_that_are_read_without_their_choices_get_the_suggestion() {
    let folder = root().join(FOREIGN);
    for (file, form) in [("mmlu-rows.jsonl", "mmlu"), ("hotpotqa.json", "hotpotqa")] {
        let suggestion = format!("did you mean `--columns {form}`?");
        for command in ["stats", "query", "convert"] {
            let options = match command {
                "stats" => vec![],
                "query" => vec!["-n", "overview"],
                _ => vec!["--to", "nq"],
            };
            let (status, _, stderr) = run(&folder, &[&[command, file][..], &options].concat());
            assert!(status == 0 && stderr.contains(&suggestion), "{command}: {stderr}");
            let mapped = [&[command, file, "--columns", form][..], &options].concat();
            let (status, _, stderr) = run(&folder, &mapped);
            assert!(status == 0 && !stderr.contains("did you mean"), "{command}: {stderr}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever a path is, rows are read or refused.
    #[test]
    fn no_path_ends_the_program(path in "[ab*.\\[\\]=0-1-]{1,12}", row in "[\\[\\]{}\",:ab01]{0,30}") {
        let text = format!("{{\"a\": [{{\"b\": [\"x\", 1]}}], \"b\": \"A\"}}\n{row}\n");
        for text in [text.as_str(), "{\"a\": {\"b\": [0, \"a\"]}, \"b\": [1, 0]}\n[]\n"] {
            if let Ok(read) = rows(text, &[("question", path.as_str()), ("contexts", "a.b")]) {
                for row in read.items(read.root()) {
                    read.members(row).for_each(|member| drop((read.place(member.value), read.raw(member.value).len())));
                }
            }
        }
    }
}
