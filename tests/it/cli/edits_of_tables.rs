//! `set --edits`: the rows of a table bring their edits back into the file that they came from, and nothing else.

use super::input::{run, run_at};
use crate::fixture_files::root;
use rust_xlsxwriter::Workbook;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of each dialect and system with questions.
fn files() -> Vec<PathBuf> {
    let others = [
        "train/support-desk.json",
        "train/lines.jsonl",
        "train/awkward-rows.json",
        "train/table.csv",
        "train/general-knowledge/train.json",
        "kwanzaa/each-category.json",
        "kwanzaa/grounded-answer.json",
        "rlcf/tasks.jsonl",
    ];
    let checkpoints = fs::read_dir(root().join("karenina")).expect("the fixtures are there");
    let mut files: Vec<PathBuf> = checkpoints.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.extend(others.map(|other| root().join(other)));
    files
}

/// Writes the cards of the questions of a file as a workbook, as a person saves it: all values as texts.
fn save(path: &Path, cards: &[Value]) {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let names = ["id", "question_text", "answer", "finished", "keywords", "traits"];
    for (column, name) in (0..).zip(names) {
        sheet.write(0, column, name).expect("a cell");
        for (row, card) in (1..).zip(cards) {
            match &card[name] {
                Value::String(text) => sheet.write(row, column, text).expect("a cell"),
                Value::Bool(value) => sheet.write(row, column, *value).expect("a cell"),
                _ => sheet,
            };
        }
    }
    workbook.save(path).expect("the folder is ours");
}

#[test]
fn the_cards_of_a_file_change_nothing_and_an_edited_answer_only_itself() {
    for file in files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        fs::copy(&file, folder.path().join(name)).expect("the file can be copied");
        let run = |arguments: &[&str]| run_at(0, folder.path(), arguments);
        let (status, _, stderr) = run(&["query", name, "-n", "question-cards", "-o", "t.xlsx"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        let (_, cards, _) = run(&["query", name, "-n", "question-cards", "--format", "jsonl"]);
        let mut cards: Vec<Value> =
            cards.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let has_id = cards.iter().all(|card| card["id"].as_str().is_some_and(|id| !id.is_empty()));
        let key = if has_id { "id" } else { "question_text" };
        let set = ["set", "--edits", "t.xlsx", "--key", key, name];
        let (status, diff, stderr) = run(&set);
        assert!(
            status == 0 && diff.is_empty() && stderr.contains("set::unchanged"),
            "{name}: {diff}{stderr}"
        );
        let Some(card) =
            cards.iter_mut().find(|card| card["answer"].as_str().is_some_and(|text| !text.is_empty()))
        else {
            continue;
        };
        card["answer"] = Value::from("An edited answer, with \"quotes\".");
        save(&folder.path().join("t.xlsx"), &cards);
        let (status, diff, stderr) = run(&set);
        let changed = diff.lines().filter(|line| line.starts_with(['+', '-']) && !line.starts_with("+++"));
        let changed = changed.filter(|line| !line.starts_with("---"));
        let changed: Vec<&str> = changed
            .filter(|line| {
                ["dateModified", "last_modified", "updated_at"].iter().all(|date| !line.contains(date))
            })
            .collect();
        assert!(status == 0 && stderr.contains("would change 1 value of 1 question"), "{name}: {stderr}");
        let [before, after] = changed[..] else { panic!("{name}: {diff}") };
        assert!(
            before.starts_with('-') && after.starts_with('+') && after.contains("An edited answer"),
            "{diff}"
        );
        let original = fs::read(&file).expect("the fixture is there");
        let written = || fs::read(folder.path().join(name)).expect("it is there");
        assert!(written() == original, "{name} was written");
        let (status, diff, _) = run(&[&set[..], &["--write"]].concat());
        assert!(status == 0 && diff.is_empty() && written() != original, "{name}: {diff}");
        let (_, diff, stderr) = run(&set);
        assert!(diff.is_empty() && stderr.contains("set::unchanged"), "{name}: {diff}{stderr}");
    }
}

const CHECKPOINT: &str = "id,question,answer,keywords\nurn:q:1,What is 2 + 2?,4,sums;easy\nurn:q:2,Who?,I,\n";

/// A folder with a checkpoint of two questions.
fn checkpoint() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("q.csv"), CHECKPOINT).expect("the folder is ours");
    let (status, _, stderr) = run_at(0, folder.path(), &["new", "q.csv", "-o", "q.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    folder
}

#[test]
fn each_value_that_a_table_can_change_arrives() {
    let folder = checkpoint();
    let table = "id,answer,text,keywords,finished\nurn:q:1,four,How much is 2 + 2?,easy,yes\nurn:q:2,,,,\n";
    fs::write(folder.path().join("t.csv"), table).expect("the folder is ours");
    let (_, diff, stderr) = run_at(0, folder.path(), &["set", "--edits", "t.csv", "--key", "id", "q.jsonld"]);
    insta::assert_snapshot!(stderr, @"note[set::summary]: would change 4 values of 1 question in `q.jsonld`");
    insta::assert_snapshot!(diff, @r#"
    --- q.jsonld
    +++ q.jsonld
    @@ -45,10 +45,10 @@
           "dateModified": "1970-01-01T00:00:00.000000",
           "item": {
             "@type": "Question",
    -        "text": "What is 2 + 2?",
    +        "text": "How much is 2 + 2?",
             "acceptedAnswer": {
               "@type": "Answer",
    -          "text": "4"
    +          "text": "four"
             },
             "hasPart": {
               "@type": "SoftwareSourceCode",
    @@ -57,8 +57,14 @@
               "programmingLanguage": "Python"
             },
             "keywords": [
    -          "sums",
               "easy"
    +        ],
    +        "additionalProperty": [
    +          {
    +            "@type": "PropertyValue",
    +            "name": "finished",
    +            "value": true
    +          }
             ]
           }
         },
    "#);
    // Other forms of the same table, whose columns have other names.
    let lines = "{\"n\": \"urn:q:1\", \"gold\": \"four\", \"question\": \"How much is 2 + 2?\", \"keywords\": [\"easy\"], \
                 \"finished\": true}\n{\"n\": \"urn:q:2\", \"gold\": null}\n";
    fs::write(folder.path().join("t.jsonl"), lines).expect("the folder is ours");
    let arguments = ["set", "--edits", "t.jsonl", "--key", "n", "--map-column", "answer=gold", "q.jsonld"];
    let (_, of_lines, stderr) = run_at(0, folder.path(), &arguments);
    assert_eq!(of_lines, diff, "{stderr}");
    let (_, update, _) = run_at(0, folder.path(), &[&arguments[..], &["--print"]].concat());
    assert_eq!(update.matches("INSERT").count(), 6, "two dates and four values: {update}");
}

#[test]
fn without_a_file_the_store_is_changed() {
    let folder = checkpoint();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    run(&["init"]);
    run(&["load", "q.jsonld"]);
    fs::write(folder.path().join("t.csv"), "question,answer\nWho?,You\n").expect("the folder is ours");
    let set = ["set", "--edits", "t.csv", "--key", "question"];
    let (status, shown, stderr) = run(&set);
    assert!(status == 0 && shown.contains("\"You\""), "{shown}{stderr}");
    let answers = || run(&["query", "-n", "question-cards", "--format", "csv"]).1;
    assert!(!answers().contains("You"), "{}", answers());
    let (status, _, stderr) = run(&[&set[..], &["--write"]].concat());
    assert!(status == 0 && stderr.contains("changed 1 value of 1 question"), "{stderr}");
    assert!(answers().contains("You"), "{}", answers());
}

#[test]
fn a_table_that_cannot_be_applied_changes_nothing() {
    let folder = checkpoint();
    let before = fs::read(folder.path().join("q.jsonld")).expect("it was written");
    let said = |table: &str, key: &str| {
        fs::write(folder.path().join("t.csv"), table).expect("the folder is ours");
        let arguments = ["set", "--edits", "t.csv", "--key", key, "q.jsonld", "--write"];
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert!(status == 2 && stdout.is_empty(), "{stdout}{stderr}");
        assert!(fs::read(folder.path().join("q.jsonld")).is_ok_and(|now| now == before), "it was written");
        stderr
    };
    insta::assert_snapshot!(said("id,answer\nurn:q:1,4\nurn:q:22,I\nurn:x,I\n", "id"), @"
    t.csv:3:1: error[set::unknown-question]: there is no question `urn:q:22`
    3 | urn:q:22,I
      | ^^^^^^^^
      = help: did you mean `urn:q:2`?
      = help: 1 other row does not name a question either
    ");
    insta::assert_snapshot!(said("id,answer\nurn:q:1,5\nurn:q:1,6\n", "id"), @"
    t.csv:3:1: error[set::table]: two rows change the answer of one question, each to another value
    3 | urn:q:1,6
      | ^^^^^^^
    t.csv:2:1: note: the other row
    ");
    insta::assert_snapshot!(said("id,finished\nurn:q:1,perhaps\n", "id"), @"
    t.csv:2:9: error[set::table]: `finished` is `perhaps`, not true or false
    2 | urn:q:1,perhaps
      |         ^^^^^^^
    ");
    insta::assert_snapshot!(said("ids,answer\nurn:q:1,5\n", "id"), @"
    t.csv: error[set::table]: no row has a value in a column `id`; the columns are `ids`, `answer`
     = help: did you mean `--key ids`?
    ");
    insta::assert_snapshot!(said("id,gold\nurn:q:1,5\n", "id"), @"
    t.csv: error[set::table]: the table has no column with a value that `set` changes: `id`, `gold`
     = help: these are answer, question, keywords and finished
    ");
    insta::assert_snapshot!(said("id,answer\nurn:q:1,5\n,6\n", "id"), @"
    t.csv:3:1: error[set::table]: a row without `id`, so the question is unknown
    3 | ,6
      | ^
      = help: fill it in, or choose another column with `--key`
    ");
    insta::assert_snapshot!(said("id,text,question,answer\nurn:q:1,5,6,7\n", "id"), @"
    t.csv: error[set::table]: the columns `text`, `question` say the same about a question
     = help: delete all but one
    ");
}

#[test]
fn a_row_of_a_workbook_without_a_question_names_the_cell() {
    let folder = checkpoint();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, cells) in (0..).zip([["id", "answer"], ["urn:q:1", "4"], ["urn:q:3", "I"]]) {
        for (column, cell) in (1..).zip(cells) {
            sheet.write(row, column, cell).expect("a cell");
        }
    }
    workbook.save(folder.path().join("t.xlsx")).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["set", "--edits", "t.xlsx", "--key", "id", "q.jsonld"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @"
    t.xlsx: Sheet1!B3: error[set::unknown-question]: there is no question `urn:q:3`
    3 | urn:q:3,I
      | ^^^^^^^
      = help: did you mean `urn:q:1`?
    ");
}

#[test]
fn a_table_and_a_question_are_not_given_together() {
    let folder = checkpoint();
    let said = |arguments: &[&str]| run(folder.path(), arguments).2;
    let both = said(&["set", "Who?", "q.jsonld", "--edits", "q.csv", "--key", "id"]);
    assert!(both.contains("Who?"), "{both}");
    let without = said(&["set", "q.jsonld", "--edits", "q.csv"]);
    assert!(without.contains("--key <COLUMN>"), "{without}");
    let with_answer = said(&["set", "q.jsonld", "--edits", "q.csv", "--key", "id", "--answer", "x"]);
    assert!(with_answer.contains("cannot be used with"), "{with_answer}");
    let write = said(&["set", "Who?", "q.jsonld", "--answer", "x", "--write"]);
    assert!(write.contains("--edits"), "{write}");
}
