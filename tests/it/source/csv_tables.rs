//! Tables in CSV: whatever stands in a cell comes back as it was, findings have their places in the file, and
//! columns that no system knows are named.

use crate::cli::input::run;
use crate::source::records_harmed::there_and_back;
use evalgraph::json::Limits;
use evalgraph::source::csv::read_csv;
use evalgraph::source::rows::{RowFormat, RowOptions, read_rows};
use evalgraph::source::sidecar::file_form::FileNotation;
use evalgraph::source::train::shapes;
use std::fs;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    }
    folder
}

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A cell of characters that CSV, JSON or RDF treat in a way of their own.
fn cell(random: &mut Random) -> String {
    const PARTS: [&str; 18] = [
        "a",
        "\\",
        "\"",
        "\n",
        "\r\n",
        "\t",
        ",",
        ";",
        "é",
        "\u{1F600}",
        "\\n",
        "\\u0041",
        "{",
        "[1]",
        " ",
        "7",
        "true",
        "'",
    ];
    let text: String = (0..random.below(6)).map(|_| PARTS[random.below(PARTS.len())]).collect();
    let needs_quotes = text.starts_with('"') || text.contains([',', ';', '\n', '\r']);
    match needs_quotes || random.below(3) == 0 {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[test]
fn cells_of_any_column_come_back_byte_for_byte() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let mut text = "id,question,answer,is_impossible,note,contexts,\"a \"\"b\"\"\"\n".to_owned();
        for row in 0..1 + random.below(4) {
            let cells: Vec<String> = (0..5).map(|_| cell(&mut random)).collect();
            let yes = ["true", "FALSE", "", "maybe"][random.below(4)];
            let [question, answer, note, contexts, other] = cells.as_slice() else {
                panic!("there are five")
            };
            text.push_str(&format!("{row},{question},{answer},{yes},{note},{contexts},{other}\n"));
        }
        let options = RowOptions::default();
        let file = read_rows("set.csv", text.clone(), RowFormat::Csv, &options, Limits::default())
            .unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        let fields = read_csv("set.csv", &text, b',').expect("it is a table");
        for (row, record) in file.items(file.root()).zip(&fields[1..]) {
            let value =
                file.get(row, "note").map(|note| file.string(note).expect("it is a text").into_owned());
            assert_eq!(value.unwrap_or_default(), record[4].text, "{text}");
        }
        let (_, _, back) = there_and_back(&file, &shapes::ROWS, FileNotation::Csv(None));
        assert_eq!(back, text, "seed {seed}");
    }
}

#[test]
fn a_quote_inside_a_bare_cell_is_a_character() {
    let text = "question,answer\nthe \"x\" word?,5\" disk\n";
    let folder = folder(&[("q.csv", text)]);
    let (status, back, stderr) = run(folder.path(), &["convert", "q.csv", "--to", "same"]);
    assert_eq!((status, back.as_str(), stderr.as_str()), (0, text, ""));
    let query = "SELECT ?t { ?q a s:Question ; s:text ?t }";
    let (_, found, _) = run(folder.path(), &["query", "q.csv", "-q", query, "--format", "tsv"]);
    assert_eq!(found, "?t\n\"the \\\"x\\\" word?\"\n");
    // After an edit, too, all other cells are as they were.
    let (status, _, stderr) = run(folder.path(), &["set", "the \"x\" word?", "q.csv", "--answer", "none"]);
    assert_eq!(status, 0, "{stderr}");
    let now = fs::read_to_string(folder.path().join("q.csv")).expect("it is there");
    assert_eq!(now, "question,answer\nthe \"x\" word?,none\n");
}

#[test]
fn an_edit_leaves_the_cells_of_other_rows_and_columns_as_they_are() {
    let text = "id,question,answer,is_impossible,path\n1,q,a,true,\"C:\\new, x\"\n2,r,b,true,\"two\nlines\"\n3,s,c,true,\"C:\\\"\n";
    let folder = folder(&[("c.csv", text)]);
    let (status, _, stderr) = run(folder.path(), &["set", "r", "c.csv", "--answer", "z"]);
    assert_eq!(status, 0, "{stderr}");
    let now = fs::read_to_string(folder.path().join("c.csv")).expect("it is there");
    assert_eq!(now, text.replace("2,r,b", "2,r,z"));
}

#[test]
fn places_are_those_of_the_file() {
    let folder = folder(&[
        ("a.csv", "question,answer,foo\nq one?,a,1\nq two?,b,2\n"),
        ("b.jsonl", "{\"prompt\":\"q\",\n\"answer\":\"a\",\"foo\":1}\n"),
        ("c.jsonl", "{\"prompt\":\"q\",\"answer\":\"a\",\"foo\":1}\n{\"prompt\":\"r\",\"answer\":\"b\"}\n"),
    ]);
    let (_, _, stderr) = run(folder.path(), &["stats", "a.csv", "-v"]);
    assert!(
        stderr.starts_with("a.csv:1:17: warning[records::unknown-key]: `foo` is not a key of train"),
        "{stderr}"
    );
    assert!(stderr.contains("1 | question,answer,foo\n  |                 ^^^\n"), "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["stats", "c.jsonl", "--map-column", "question=prompt"]);
    assert!(
        stderr.starts_with("c.jsonl:1:28: warning[records::unknown-key]: `foo` is not a key"),
        "{stderr}"
    );
}

#[test]
fn columns_of_no_system_are_named_with_the_way_out() {
    let folder = folder(&[
        ("pg.csv", "prompt,gold\nq,a\n"),
        ("pg.jsonl", "{\"prompt\":\"q\",\"gold\":\"a\"}\n{\"prompt\":\"r\",\"gold\":\"b\"}\n"),
        ("empty.csv", ""),
        ("numbers.csv", "a,b\n1,2\n"),
    ]);
    let known = "there are `prompt`, `gold`";
    let cases: [(&[&str], &[&str]); 8] = [
        (
            &["stats", "pg.csv"],
            &[
                "pg.csv:1:1: error[input::unknown]",
                "its keys are `prompt`, `gold`",
                "--map-column question=NAME",
            ],
        ),
        (
            &["convert", "pg.jsonl", "--to", "same"],
            &["pg.jsonl:1:2: error[input::unknown]", "its keys are `prompt`, `gold`", "--from train"],
        ),
        (&["convert", "numbers.csv", "--to", "train"], &["numbers.csv:1:1: error[input::unknown]"]),
        (
            &["stats", "pg.csv", "--map-column", "question=promt"],
            &["error[train::column]: no column is named `promt`", known, "did you mean `prompt`?"],
        ),
        (
            &["stats", "pg.jsonl", "--map-column", "question=promt"],
            &["error[train::column]: no column is named `promt`", known, "did you mean `prompt`?"],
        ),
        (
            &["stats", "pg.csv", "--map-column", "prompt=question"],
            &["no column is named `question`", "the other way round? `--map-column question=prompt`"],
        ),
        (&["new", "pg.jsonl"], &["error[new::column]: no column is named `question`", known]),
        (&["stats", "empty.csv"], &["no column is named `question`: the table is empty"]),
    ];
    for (arguments, told) in cases {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        for told in told {
            assert!(stderr.contains(told), "{arguments:?}: {told}\n{stderr}");
        }
    }
    let (status, stdout, stderr) = run(
        folder.path(),
        &["stats", "pg.csv", "--map-column", "question=prompt", "--map-column", "answer=gold"],
    );
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("rows                1\n"), "{stdout}");
}

#[test]
fn files_of_nobody_are_told_what_was_tried() {
    let folder = folder(&[
        ("squad.json", "{\"data\":[{\"title\":\"t\",\"paragraphs\":[]}],\"version\":\"1.1\"}"),
        (
            "answer.json",
            "{\"version\":\"v9\",\"answer\":{\"text\":\"a\"},\"sources\":[],\"unknowns\":{},\"retrieval_summary\":{}}",
        ),
        (
            "sample.json",
            "{\"samples\":[{\"user_query\":\"q\",\"expected_output\":{},\"retrieved_context\":[]}]}",
        ),
    ]);
    let (status, _, stderr) = run(folder.path(), &["stats", "squad.json"]);
    assert_eq!(status, 2);
    let told = "squad.json:1:2: error[input::unknown]: the file is of no known format";
    assert!(stderr.starts_with(told) && stderr.contains("`jq .data FILE > rows.json`"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["validate", "squad.json"]);
    assert!(status == 2 && stderr.starts_with(told), "{stderr}");
    for (name, told) in [("answer.json", "(kwanzaa/answer)"), ("sample.json", "(kwanzaa/dataset)")] {
        let (status, stdout, stderr) = run(folder.path(), &["validate", name]);
        assert_eq!(status, 1, "{stderr}");
        assert!(stdout.contains(told), "{stdout}");
    }
}
