//! What others read of the files of tables and of rows: pandas, polars, DuckDB, pyarrow and openpyxl find the same values, and
//! the types of `docs/results.md`.

use std::path::Path;

use serde_json::{Value, json};

use super::input::run;
use super::tables::{TYPES, folder, write};
use crate::beside::skipped;
use crate::random::engines::Process;

/// The process, if it is installed.
fn peer() -> Option<Process> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    let installed = folder.join(".venv-tables/installed.txt");
    if !installed.exists() {
        let why = format!("{} is not there; `tests/peers/install tables` makes it", installed.display());
        skipped("the comparison with readers of tables", &why);
        return None;
    }
    let script = folder.join("tables_peer.py").display().to_string();
    Some(Process::new("tables", &folder.join(".venv-tables/bin/python"), &[script]))
}

/// The names of the columns, their values in each row, and the types that pandas and pyarrow, polars, and DuckDB give.
fn expected() -> Vec<(&'static str, Value, [&'static str; 3])> {
    let text = ["string", "String", "VARCHAR"];
    let xsd = |name: &str| format!("http://www.w3.org/2001/XMLSchema#{name}");
    vec![
        ("text", json!(["Grüße, 世界 😀 \"|\\\n", null, "=1+1", ""]), text),
        ("iri", json!(["http://example.org/ä", null, "http://schema.org/Question", "urn:x"]), text),
        ("flag", json!(["true", null, "false", "true"]), ["bool", "Boolean", "BOOLEAN"]),
        ("whole", json!(["42", null, "-9223372036854775808", "0"]), ["int64", "Int64", "BIGINT"]),
        (
            "large",
            json!(["170141183460469231731687303715884105", null, "-1", "0"]),
            ["decimal128(36, 0)", "Decimal(precision=36, scale=0)", "DECIMAL(36,0)"],
        ),
        (
            "exact",
            json!(["12.500", null, "-0.005", "0.000"]),
            ["decimal128(5, 3)", "Decimal(precision=5, scale=3)", "DECIMAL(5,3)"],
        ),
        ("float", json!(["0.10000000149011612", null, "inf", "-0.0"]), ["float", "Float32", "FLOAT"]),
        ("double", json!(["0.0015", null, "-inf", "3.0"]), ["double", "Float64", "DOUBLE"]),
        ("day", json!(["2024-02-29", null, "0001-01-01", "1969-12-31"]), ["date32[day]", "Date", "DATE"]),
        (
            "local",
            json!(["2024-02-29T12:30:00.500000", null, "9999-12-31T23:59:59.999999", "1970-01-01T00:00:00"]),
            ["timestamp[us]", "Datetime(time_unit='us', time_zone=None)", "TIMESTAMP"],
        ),
        (
            "utc",
            json!([
                "2024-02-29T12:30:00+00:00",
                null,
                "1969-12-31T23:59:59.500000+00:00",
                "2024-02-29T12:30:00+00:00"
            ]),
            [
                "timestamp[us, tz=UTC]",
                "Datetime(time_unit='us', time_zone='UTC')",
                "TIMESTAMP WITH TIME ZONE",
            ],
        ),
        ("offset", json!(["2024-02-29T12:30:00+02:00", null, "2024-02-29T12:30:00Z", null]), text),
        ("offset_datatype", json!([xsd("dateTime"), null, xsd("dateTime"), null]), text),
        ("mixed", json!(["1", null, "1.50", "http://schema.org/Answer"]), text),
        ("mixed_datatype_2", json!([xsd("integer"), null, xsd("decimal"), "iri"]), text),
        ("Mixed_Datatype", json!(["a", null, "", null]), text),
        ("tagged", json!(["b", null, "ب", null]), text),
        ("tagged_datatype", json!(["@en", null, "@ar", null]), text),
        ("none", json!([null, null, null, null]), text),
    ]
}

fn columns(peer: &mut Process, reader: &str, file: &Path) -> Value {
    let mut reply = peer.ask(&json!({ "reader": reader, "file": file })).expect("it answers");
    assert_eq!(reply["error"], Value::Null, "{reader}");
    reply["columns"].take()
}

#[test]
#[ignore = "needs pandas, polars, DuckDB and openpyxl, which tests/peers/install installs"]
fn readers_find_the_values_and_the_types() {
    let Some(mut peer) = peer() else { return };
    let folder = folder();
    for format in ["parquet", "arrow"] {
        let file = folder.path().join(format!("out.{format}"));
        write(folder.path(), TYPES, &format!("out.{format}"));
        for (at, reader) in ["pyarrow", "pandas", "polars", "duckdb"].into_iter().enumerate() {
            let expected = expected().into_iter().map(|(name, values, types)| {
                let kind = types[at.saturating_sub(1)];
                json!([
                    name,
                    if reader == "pandas" { format!("{kind}[pyarrow]") } else { kind.to_owned() },
                    values
                ])
            });
            let expected: Vec<Value> = expected.collect();
            let found = columns(&mut peer, &format!("{reader} {format}"), &file);
            for (found, expected) in found.as_array().expect("columns").iter().zip(&expected) {
                assert_eq!(found, expected, "{reader} {format}");
            }
            assert_eq!(found.as_array().map(Vec::len), Some(expected.len()), "{reader} {format}");
        }
    }
}

/// What cells hold of it: no absent column of texts alone, no number with many digits, no time zone.
const CELLS: &str = r#"
SELECT ?text ?flag ?whole ?exact ?float ?double ?day ?local ?utc ?mixed {
VALUES (?text ?flag ?whole ?exact ?float ?double ?day ?local ?utc ?mixed) {
    ("=1+1" true 123456789012345 12.50 "0.1"^^xsd:float 1.5e-3 "2024-02-29"^^xsd:date
     "2024-02-29T12:30:00.5"^^xsd:dateTime "2024-02-29T12:30:00Z"^^xsd:dateTime 1)
    (UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF)
    ("Grüße, 世界 😀\n<b>" false -7 -0.005 "-2"^^xsd:float 0.30000000000000004e0 "1900-01-01"^^xsd:date
     "9999-12-31T23:59:59.999"^^xsd:dateTime "1969-12-31T23:59:59.5Z"^^xsd:dateTime "1.50"^^xsd:decimal)
} }"#;

#[test]
#[ignore = "needs pandas, polars, DuckDB and openpyxl, which tests/peers/install installs"]
fn readers_of_xlsx_find_the_values_and_no_formula() {
    let Some(mut peer) = peer() else { return };
    let folder = folder();
    write(folder.path(), CELLS, "out.xlsx");
    let xsd = |name: &str| format!("http://www.w3.org/2001/XMLSchema#{name}");
    let expected = json!([
        ["text", "s", ["=1+1", null, "Grüße, 世界 😀\n<b>"]],
        ["flag", "b", ["true", null, "false"]],
        ["whole", "n", ["123456789012345", null, "-7"]],
        ["exact", "n", ["12.5", null, "-0.005"]],
        ["float", "n", ["0.1", null, "-2"]],
        ["double", "n", ["0.0015", null, "0.30000000000000004"]],
        ["day", "d", ["2024-02-29T00:00:00", null, "1900-01-01T00:00:00"]],
        ["local", "d", ["2024-02-29T12:30:00.500000", null, "9999-12-31T23:59:59.999000"]],
        ["utc", "s", ["2024-02-29T12:30:00Z", null, "1969-12-31T23:59:59.5Z"]],
        ["utc_datatype", "s", [xsd("dateTime"), null, xsd("dateTime")]],
        ["mixed", "s", ["1", null, "1.50"]],
        ["mixed_datatype", "s", [xsd("integer"), null, xsd("decimal")]],
    ]);
    let file = folder.path().join("out.xlsx");
    assert_eq!(columns(&mut peer, "openpyxl xlsx", &file), expected);
    let frame = columns(&mut peer, "pandas xlsx", &file);
    let types: Vec<&str> =
        frame.as_array().expect("columns").iter().filter_map(|column| column[1].as_str()).collect();
    assert_eq!(
        types[..6],
        [
            "string[pyarrow]",
            "bool[pyarrow]",
            "int64[pyarrow]",
            "double[pyarrow]",
            "double[pyarrow]",
            "double[pyarrow]"
        ]
    );
    assert_eq!(frame[0][2], expected[0][2]);
}

/// Rows with each kind of plain value.
const ROWS: &str = r#"
SELECT ?code ?day ?flag ?whole ?exact ?double ?iri ?ill {
VALUES (?code ?day ?flag ?whole ?exact ?double ?iri ?ill) {
    ("007" "2024-02-29"^^xsd:date true 9007199254740991 12.50 1.5e-3 s:Question "1.5"^^xsd:integer)
    (UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF)
    ("Grüße \"|\\\n"@de "1970-01-01"^^xsd:date false "-7"^^xsd:long "-.5"^^xsd:decimal "INF"^^xsd:double <urn:x> "x"^^xsd:integer)
} }"#;

#[test]
#[ignore = "needs pandas, polars, DuckDB and openpyxl, which tests/peers/install installs"]
fn pandas_finds_the_plain_values_of_rows() {
    let Some(mut peer) = peer() else { return };
    let folder = folder();
    let expected = json!([
        ["code", "string", ["007", null, "Grüße \"|\\\n"]],
        ["day", "string", ["2024-02-29", null, "1970-01-01"]],
        ["flag", "boolean", ["true", null, "false"]],
        ["whole", "Int64", ["9007199254740991", null, "-7"]],
        ["exact", "Float64", ["12.5", null, "-0.5"]],
        ["double", "Float64", ["0.0015", null, null]],
        ["iri", "string", ["http://schema.org/Question", null, "urn:x"]],
        ["ill", "string", ["1.5", null, "x"]],
    ]);
    for format in ["jsonl", "json"] {
        let file = folder.path().join(format!("out.{format}"));
        write(folder.path(), ROWS, &format!("out.{format}"));
        assert_eq!(columns(&mut peer, &format!("pandas {format}"), &file), expected, "{format}");
    }
}

#[test]
#[ignore = "needs pandas, polars, DuckDB and openpyxl, which tests/peers/install installs"]
fn duckdb_counts_what_sparql_counts() {
    let Some(mut peer) = peer() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inputs = ["karenina/g-ecology.jsonld", "train/support-desk.json", "kwanzaa/each-category.json"]
        .map(|name| format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR")));
    let inputs = inputs.each_ref().map(String::as_str);
    let options = ["export", "parquet", "out", "--tables", "--closure", "http://schema.org/item"];
    let (status, _, stderr) = run(folder.path(), &[&options[..], &inputs].concat());
    assert_eq!(status, 0, "{stderr}");
    let pairs = [
        ("SELECT (COUNT(*) AS ?n) { ?s s:item+ ?o }", "SELECT count(*) AS n FROM closures"),
        (
            "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?g ?q { GRAPH ?g { ?q a s:Question ; s:text ?t } } }",
            "SELECT count(*) AS n FROM questions",
        ),
        ("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "SELECT count(*) AS n FROM triples"),
        ("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", "SELECT count(*) AS n FROM quads"),
        (
            "SELECT (COUNT(*) AS ?n) { ?q a s:Question ; s:text ?t }",
            "SELECT count(*) AS n FROM triples a JOIN triples b ON a.s_id = b.s_id
             WHERE a.p = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type' AND a.o = 'http://schema.org/Question'
             AND a.o_kind = 'iri' AND b.p = 'http://schema.org/text'",
        ),
        (
            "SELECT (SUM(?v) AS ?n) { ?x s:bestRating ?v FILTER(isNumeric(?v)) }",
            "SELECT CAST(sum(o_num) AS BIGINT) AS n FROM triples WHERE p = 'http://schema.org/bestRating'",
        ),
    ];
    for (sparql, sql) in pairs {
        let (status, stdout, stderr) =
            run(folder.path(), &[&["query", "-q", sparql, "--format", "csv"], &inputs[..]].concat());
        assert_eq!(status, 0, "{stderr}");
        let ours = stdout.lines().nth(1).unwrap_or_default().to_owned();
        let ask = json!({"reader": "duckdb views", "file": folder.path().join("out"), "query": sql});
        let reply = peer.ask(&ask).expect("it answers");
        assert_eq!(reply["columns"][0][2][0], ours, "{sql}: {reply}");
    }
}
