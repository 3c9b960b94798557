//! Results as files of tables: which types columns get, and what xlsx refuses. Others read them in `tables_peers`.

use std::fs;
use std::path::Path;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::input::run;

/// An answer with a column of each type, absent values, and columns that stay text.
pub(crate) const TYPES: &str = r#"
SELECT ?text ?iri ?flag ?whole ?large ?exact ?float ?double ?day ?local ?utc ?offset ?mixed ?Mixed_Datatype ?tagged ?none {
VALUES (?text ?iri ?flag ?whole ?large ?exact ?float ?double ?day ?local ?utc ?offset ?mixed ?Mixed_Datatype ?tagged ?none) {
    ("Grüße, 世界 😀 \"|\\\n" <http://example.org/ä> true 42 170141183460469231731687303715884105 12.50
     "0.1"^^xsd:float 1.5e-3 "2024-02-29"^^xsd:date "2024-02-29T12:30:00.5"^^xsd:dateTime
     "2024-02-29T12:30:00Z"^^xsd:dateTime "2024-02-29T12:30:00+02:00"^^xsd:dateTime 1 "a" "b"@en UNDEF)
    (UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF)
    ("=1+1" s:Question false -9223372036854775808 -1 -0.005
     "INF"^^xsd:float "-INF"^^xsd:double "0001-01-01"^^xsd:date "9999-12-31T23:59:59.999999"^^xsd:dateTime
     "1969-12-31T23:59:59.5Z"^^xsd:dateTime "2024-02-29T12:30:00Z"^^xsd:dateTime "1.50"^^xsd:decimal "" "ب"@ar UNDEF)
    ("" <urn:x> true 0 0 "0"^^xsd:decimal "-0.0"^^xsd:float "3"^^xsd:double "1969-12-31"^^xsd:date
     "1970-01-01T00:00:00"^^xsd:dateTime "2024-02-29T12:30:00+00:00"^^xsd:dateTime UNDEF s:Answer UNDEF UNDEF UNDEF)
} }"#;

/// A folder with an empty graph.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("e.ttl"), "").expect("the folder is ours");
    folder
}

fn query<'a>(text: &'a str, file: &'a str) -> [&'a str; 6] {
    ["query", "e.ttl", "-q", text, "-o", file]
}

/// Writes the answer to a query, which has to be possible.
pub(crate) fn write(folder: &Path, text: &str, file: &str) {
    let (status, stdout, stderr) = run(folder, &query(text, file));
    assert_eq!((status, stdout, stderr), (0, String::new(), String::new()), "{text}");
}

/// The columns of a Parquet file, and what it says of them.
fn schema(path: &Path) -> (Vec<String>, Value) {
    let file =
        SerializedFileReader::new(fs::File::open(path).expect("it was written")).expect("it is Parquet");
    let metadata = file.metadata().file_metadata();
    let column = |field: &std::sync::Arc<parquet::schema::types::Type>| {
        let logical =
            field.get_basic_info().logical_type_ref().map_or(String::new(), |it| format!(" {it:?}"));
        format!("{} {}{logical}", field.name(), field.get_physical_type())
    };
    let columns = metadata.schema().get_fields().iter().map(column).collect();
    let said = metadata.key_value_metadata().and_then(|entries| entries.first()?.value.clone());
    (columns, serde_json::from_str(&said.expect("the file says it")).expect("it is JSON"))
}

#[test]
fn columns_of_one_datatype_get_its_type() {
    let folder = folder();
    write(folder.path(), TYPES, "out.parquet");
    let (columns, said) = schema(&folder.path().join("out.parquet"));
    insta::assert_snapshot!(columns.join("\n"));
    assert_eq!(said[0], json!({"name": "text", "datatype": "http://www.w3.org/2001/XMLSchema#string"}));
    assert_eq!(said[1], json!({"name": "iri", "datatype": "iri"}));
    assert_eq!(said[11], json!({"name": "offset", "datatypeColumn": "offset_datatype"}));
    assert_eq!(said[12], json!({"name": "mixed", "datatypeColumn": "mixed_datatype_2"}));
    assert_eq!(said[15], json!({"name": "none"}));
}

#[test]
fn what_has_no_type_is_text_with_its_datatype() {
    let folder = folder();
    for (values, expected) in [
        (r#""01"^^xsd:int 7"#, r#"["01 …#int", "7 …#integer"]"#),
        ("<urn:x> \"urn:x\"", r#"["urn:x iri", "urn:x …#string"]"#),
        (r#""x"^^xsd:integer"#, r#"["x …#integer"]"#),
        (r#""2024-01-01Z"^^xsd:date"#, r#"["2024-01-01Z …#date"]"#),
        (
            r#""2024-01-01T00:00:00"^^xsd:dateTime "2024-01-01T00:00:00Z"^^xsd:dateTime"#,
            r#"["2024-01-01T00:00:00 …#dateTime", "2024-01-01T00:00:00Z …#dateTime"]"#,
        ),
        (r#""2024-01-01T00:00:00.1234567"^^xsd:dateTime"#, r#"["2024-01-01T00:00:00.1234567 …#dateTime"]"#),
        (
            "123456789012345678901234567890123456789",
            r#"["123456789012345678901234567890123456789 …#integer"]"#,
        ),
        (r#""a"@en "a"@en"#, r#"["a @en", "a @en"]"#),
        (r#""2020"^^xsd:gYear"#, r#"["2020 …#gYear"]"#),
    ] {
        let text = format!("SELECT ?a {{ VALUES ?a {{ {values} }} }}");
        write(folder.path(), &text, "out.parquet");
        let (status, stdout, stderr) = run(
            folder.path(),
            &["query", "e.ttl", "-q", &text, "--format", "parquet", "-o", "again.parquet"],
        );
        assert_eq!((status, stdout), (0, String::new()), "{stderr}");
        let [bytes, again] = ["out.parquet", "again.parquet"].map(|name| fs::read(folder.path().join(name)));
        let bytes = bytes.expect("it was written");
        assert_eq!(Some(&bytes), again.ok().as_ref(), "equal answers are equal files");
        let lines = evalgraph::source::parquet::json_lines("out.parquet", bytes, u64::MAX);
        let lines = lines.expect("it is Parquet").expect("no limit is met");
        let row = |line: &str| {
            let row: Value = serde_json::from_str(line).expect("it is JSON");
            let of = |name: &str| row[name].as_str().expect("it is text").to_owned();
            format!("{} {}", of("a"), of("a_datatype").replace("http://www.w3.org/2001/XMLSchema", "…"))
        };
        let rows: Vec<String> = lines.lines().map(row).collect();
        assert_eq!(format!("{rows:?}"), expected, "{values}");
    }
}

#[test]
fn cells_of_xlsx_hold_values_as_they_are_or_there_is_no_file() {
    let folder = folder();
    let long = format!("\"{}\"", "x".repeat(32_768));
    let longest = format!("\"{}\"", "x".repeat(32_767));
    for (values, says) in [
        ("1 1234567890123456", "row 2, column `a`: `1234567890123456` has 16 digits"),
        ("0.1234567890123456", "has 16 digits, but an xlsx cell keeps only 15"),
        (long.as_str(), "has 32,768 characters, but an xlsx cell holds at most 32,767"),
        (r#""1899-12-31"^^xsd:date"#, "`1899-12-31` is before 1900"),
        (r#""1899-12-31T00:00:00"^^xsd:dateTime"#, "is before 1900"),
        (r#""2024-01-01T00:00:00.0001"^^xsd:dateTime"#, "is finer than the milliseconds of xlsx"),
        (r#""NaN"^^xsd:double"#, "`NaN` is not a number that an xlsx cell can hold"),
        ("1e308", "is outside of the range of numbers in an xlsx cell"),
        (r#""INF"^^xsd:float"#, "`INF` is not a number"),
    ] {
        let text = format!("SELECT ?a {{ VALUES ?a {{ {values} }} }}");
        let (status, stdout, stderr) = run(folder.path(), &query(&text, "out.xlsx"));
        assert_eq!((status, stdout), (2, String::new()), "{values}: {stderr}");
        assert!(stderr.contains("error[output::cell]") && stderr.contains(says), "{values}: {stderr}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder is ours").count(), 1, "no file is left");
    }
    for values in ["123456789012345000000", "0.00000000000123456789012345", "1e307", &longest, "\"=1+1\""] {
        write(folder.path(), &format!("SELECT ?a {{ VALUES ?a {{ {values} }} }}"), "out.xlsx");
    }
}

#[test]
fn answers_without_columns_or_rows_are_met() {
    let folder = folder();
    for format in ["parquet", "arrow", "xlsx"] {
        let file = format!("out.{format}");
        let (status, _, stderr) = run(folder.path(), &query("SELECT * {}", &file));
        assert!(status == 2 && stderr.contains("error[output::columns]"), "{stderr}");
        write(folder.path(), "SELECT ?a { VALUES ?a {} }", &file);
        write(folder.path(), "ASK {}", &file);
    }
    let (columns, _) = schema(&folder.path().join("out.parquet"));
    assert_eq!(columns, ["boolean BOOLEAN"]);
}

#[test]
fn graphs_have_no_form_of_tables() {
    let folder = folder();
    let construct = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }";
    let (status, _, stderr) =
        run(folder.path(), &["query", "e.ttl", "-q", construct, "--format", "parquet", "-o", "out"]);
    assert!(status == 2 && stderr.contains("error[output::format]"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["query", "e.ttl", "-q", "ASK {}", "--format", "ttl"]);
    assert!(
        stderr.contains(
            "may be table, csv, tsv, json, jsonl, sparql-json, sparql-xml, md, html, parquet, arrow, xlsx"
        ),
        "{stderr}"
    );
    assert_eq!(status, 2);
    let (status, stdout, _) = run(folder.path(), &["query", "e.ttl", "-q", "ASK {}", "--format", "markdown"]);
    assert_eq!((status, &*stdout), (0, "true\n"));
}
