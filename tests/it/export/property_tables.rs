//! The tables of an export as Parquet have the answers of the named queries.

use std::fs;
use std::path::Path;

use crate::cli::input::run;

const TABLES: [(&str, &str); 4] = [
    ("files", "overview"),
    ("questions", "questions"),
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
    ];
    names.map(|name| format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).to_vec()
}

/// The rows of a file, as text, sorted.
fn rows(path: &Path) -> Vec<String> {
    let mut rows: Vec<String> = super::parquet::rows(path).iter().map(ToString::to_string).collect();
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
        assert!(expected.len() > 2, "{table}");
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
    assert!(said.contains("left out, since they have no rows: trait_ranges, traits"), "{said}");
    let names: Vec<_> = fs::read_dir(path.join("out/tables")).expect("it is there").collect();
    assert_eq!(names.len(), 2);
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
