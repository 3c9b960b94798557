//! The tables of an export as Parquet have the answers of the named queries.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::input::run;

const TABLES: [(&str, &str); 11] = [
    ("answers", "answers"),
    ("files", "overview"),
    ("models", "models"),
    ("questions", "questions"),
    ("ratings", "ratings"),
    ("results", "results"),
    ("retrievals", "retrievals"),
    ("runs", "runs"),
    ("samples", "samples"),
    ("trait_ranges", "trait-ranges"),
    ("traits", "traits"),
];

fn fixtures() -> Vec<String> {
    let names = [
        "karenina/g-ecology.jsonld",
        "karenina/p1-physics.jsonld",
        "karenina/s0-cell-biology.jsonld",
        "train/support-desk.json",
        "rlcf/worked/export.json",
        "kwanzaa/each-category.json",
        "verification/results-today.json",
        "results/results-export.json",
    ];
    names.map(|name| format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).to_vec()
}

/// The rows of a file, as text, sorted. A query does not know lines.
fn rows(path: &Path) -> Vec<String> {
    let row = |row: &Value| {
        let cells = row.as_object().expect("a row is an object").iter();
        let cells = cells.filter(|(name, _)| *name != "line").map(|(name, cell)| format!("{name}: {cell}"));
        cells.collect::<Vec<_>>().join(", ")
    };
    let mut rows: Vec<String> = super::parquet::rows(path).iter().map(row).collect();
    rows.sort();
    rows
}

fn ran(folder: &Path, arguments: &[&str], inputs: &[String]) -> String {
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let (status, _, stderr) = run(folder, &[arguments, &inputs].concat());
    assert_eq!(status, 0, "{stderr}");
    stderr
}

#[test]
fn tables_have_the_answers_of_named_queries() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (path, inputs) = (folder.path(), fixtures());
    ran(path, &["export", "parquet", "out", "--tables"], &inputs);
    for part in ["1/3", "2/3", "3/3"] {
        ran(path, &["export", "parquet", "parts", "--tables", "--part", part], &inputs);
    }
    ran(path, &["export", "parquet", "parts", "--join"], &[]);
    ran(path, &["init"], &[]);
    ran(path, &["load"], &inputs);
    ran(path, &["export", "parquet", "stored", "--tables"], &[]);
    let views = fs::read_to_string(path.join("out/views.duckdb.sql")).expect("it is there");
    for (table, query) in TABLES {
        let answer = format!("{table}.parquet");
        ran(path, &["query", "-n", query, "-o", &answer], &inputs);
        let expected = rows(&path.join(&answer));
        assert!(expected.len() > 1, "{table}");
        let name = format!("tables/{answer}");
        assert_eq!(rows(&path.join("out").join(&name)), expected, "{table}");
        assert!(views.contains(&format!("VIEW {table} AS")), "{views}");
        let bytes = |out: &str| fs::read(path.join(out).join(&name)).expect("it is there");
        assert!(bytes("out") == bytes("parts"), "{table}");
        // A store knows the same files by other names.
        assert_eq!(rows(&path.join("stored").join(&name)).len(), expected.len(), "{table}");
    }
    let (status, stdout, stderr) = run(path, &["check", "out/_schema.json"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("0 violations, 0 warnings, 0 info"), "{stdout}");
}

/// Records of rows, and the text that is in the line of each or in one of the two after it.
const IN_LINES: [(&str, &str, &str); 9] = [
    ("answers", "urn:evalgraph:train:support-desk:TRAIN_Q001/answer", "TRAIN_Q001"),
    (
        "answers",
        "urn:uuid:answer-b715d925b866916a3057a69a1c0c9c68",
        "answer-b715d925b866916a3057a69a1c0c9c68",
    ),
    ("models", "urn:evalgraph:karenina:results-today:result/00112233445566a1", "\"metadata\""),
    ("questions", "urn:uuid:e329f819314a1fc9926a0c1055f9a9dd", "urn:uuid:e329f819314a1fc9926a0c1055f9a9dd"),
    ("ratings", "urn:evalgraph:rlcf:export:feedback/10", "10"),
    ("results", "urn:evalgraph:karenina:results-export:result/00112233445566aa", "\"metadata\""),
    ("retrievals", "urn:evalgraph:train:support-desk:TRAIN_Q001/contexts/0", "\"filename\""),
    ("runs", "urn:evalgraph:karenina:results-today:result/00112233445566a1", "\"metadata\""),
    ("samples", "urn:evalgraph:train:support-desk:TRAIN_Q001", "TRAIN_Q001"),
];

#[test]
fn rows_have_the_lines_of_their_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    ran(path, &["export", "parquet", "out", "--tables"], &fixtures());
    for (table, record, text) in IN_LINES {
        let rows = super::parquet::rows(&path.join(format!("out/tables/{table}.parquet")));
        let of_record = |row: &&Value| row["node"] == record || row["id"] == record;
        let row = rows.iter().find(of_record).unwrap_or_else(|| panic!("{table}: {record}"));
        let file = fs::read_to_string(row["file"].as_str().expect("a path")).expect("it is there");
        let line = usize::try_from(row["line"].as_u64().expect("a line")).expect("it is small");
        let lines: Vec<&str> = file.lines().skip(line - 1).take(3).collect();
        assert!(lines.concat().contains(text), "{table}: {record}: {lines:?}");
    }
}

#[test]
fn tables_without_rows_are_left_out_which_is_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(
        path.join("a.ttl"),
        "<urn:a> a <http://schema.org/Question> ; <http://schema.org/text> \"?\" .",
    )
    .expect("ours");
    let said = ran(path, &["export", "parquet", "out", "--tables"], &["a.ttl".to_owned()]);
    assert!(said.contains("left out, since they have no rows: answers, models,"), "{said}");
    let names = fs::read_dir(path.join("out/tables")).expect("it is there");
    let names: BTreeSet<_> = names.map(|entry| entry.expect("ours").file_name()).collect();
    // The rows are kept for files that are added later.
    let expected = ["files.parquet", "questions.parquet", "rows.zst"];
    assert!(names.iter().map(|name| name.to_string_lossy()).eq(expected), "{names:?}");
}

#[test]
fn parts_with_and_without_tables_are_not_joined() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (path, inputs) = (folder.path(), fixtures());
    ran(path, &["export", "parquet", "out", "--part", "1/2", "--tables"], &inputs);
    ran(path, &["export", "parquet", "out", "--part", "2/2"], &inputs);
    let (status, _, stderr) = run(path, &["export", "parquet", "out", "--join"]);
    assert!(status != 0 && stderr.contains("export::other-parts"), "{stderr}");
}
