//! Rows in Parquet files: the same as on the lines of a file of JSON.

use crate::cli::input::run;
use evalgraph::source::parquet::json_lines;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs;
use std::sync::Arc;

const SCHEMA: &str = "message rows {
    required int64 id;
    required binary question (STRING);
    optional binary answer (STRING);
    optional boolean is_impossible;
    optional double score;
    optional float weight;
    optional int64 asked (TIMESTAMP(MICROS,true));
    optional int64 answered (TIMESTAMP(NANOS,false));
    optional group tags (LIST) { repeated group list { optional binary element (STRING); } }
    optional group contexts (LIST) {
        repeated group list {
            optional group element {
                optional binary filename (STRING);
                optional binary text (STRING);
            }
        }
    }
}";

/// What the file says; in the second row most is absent.
const LINES: &str = r#"{"id": 1, "question": "Wie \"groß\"?", "answer": "So", "is_impossible": false, "score": 0.5, "weight": 1.25, "asked": "2026-03-01T10:00:00Z", "answered": "2026-03-01T10:00:00.500", "tags": ["a", null], "contexts": [{"filename": "a.txt", "text": "t"}, {"text": "u"}]}
{"id": -2, "question": "And?", "is_impossible": true, "tags": []}
"#;

/// The seconds of the first time in [`LINES`].
const ASKED: i64 = 1_772_359_200;

/// A row group that is being written.
type Group<'g, 'b> = SerializedRowGroupWriter<'g, &'b mut Vec<u8>>;

/// Writes the next column: its values, and the levels of definition and repetition of all places.
fn column<T: DataType>(group: &mut Group<'_, '_>, values: &[T::T], levels: (&[i16], &[i16])) {
    let mut writer = group.next_column().expect("the row group is open").expect("the schema has the column");
    let [definition, repetition] =
        [levels.0, levels.1].map(|levels| Some(levels).filter(|levels| !levels.is_empty()));
    let written = writer.typed::<T>().write_batch(values, definition, repetition);
    written.expect("they fit");
    writer.close().expect("it can be written");
}

fn texts(group: &mut Group<'_, '_>, values: &[&str], levels: (&[i16], &[i16])) {
    let values: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(*text)).collect();
    column::<ByteArrayType>(group, &values, levels);
}

fn file() -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("it is a schema"));
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).expect("it can be written");
    let mut group = writer.next_row_group().expect("it can be written");
    const OF_FIRST: (&[i16], &[i16]) = (&[1, 0], &[]);
    column::<Int64Type>(&mut group, &[1, -2], (&[], &[]));
    texts(&mut group, &["Wie \"groß\"?", "And?"], (&[], &[]));
    texts(&mut group, &["So"], OF_FIRST);
    column::<BoolType>(&mut group, &[false, true], (&[1, 1], &[]));
    column::<DoubleType>(&mut group, &[0.5], OF_FIRST);
    column::<FloatType>(&mut group, &[1.25], OF_FIRST);
    column::<Int64Type>(&mut group, &[ASKED * 1_000_000], OF_FIRST);
    column::<Int64Type>(&mut group, &[ASKED * 1_000_000_000 + 500_000_000], OF_FIRST);
    texts(&mut group, &["a"], (&[3, 2, 1], &[0, 1, 0]));
    texts(&mut group, &["a.txt"], (&[4, 3, 0], &[0, 1, 0]));
    texts(&mut group, &["t", "u"], (&[4, 4, 0], &[0, 1, 0]));
    group.close().expect("it can be written");
    writer.close().expect("it can be written");
    bytes
}

#[test]
fn rows_have_the_text_of_json_lines() {
    let text = json_lines("rows.parquet", file(), u64::MAX).expect("it is a Parquet file");
    assert_eq!(text.as_deref(), Some(LINES));
    let limited = json_lines("rows.parquet", file(), 300).expect("it is a Parquet file");
    assert_eq!(limited, None);
}

#[test]
fn every_command_takes_rows_in_parquet_as_it_takes_json_lines() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // What a file is, its content says.
    fs::write(folder.path().join("rows.data"), file()).expect("the folder is ours");
    fs::write(folder.path().join("rows.jsonl"), LINES).expect("the folder is ours");
    let commands: [&[&str]; 4] = [
        &["stats"],
        &["convert", "--to", "nt"],
        &["validate", "--profile", "seed"],
        &[
            "query",
            "-q",
            "SELECT ?text { ?question a <http://schema.org/Question> ; <http://schema.org/text> ?text }",
        ],
    ];
    for command in commands {
        let of = |file: &str| {
            let (status, stdout, stderr) = run(folder.path(), &[command, &[file]].concat());
            (status, stdout.replace(file, "FILE"), stderr.replace(file, "FILE"))
        };
        let (in_parquet, in_lines) = (of("rows.data"), of("rows.jsonl"));
        assert_eq!(in_parquet, in_lines, "{command:?}");
        assert!(in_lines.0 < 2 && !in_lines.1.is_empty(), "{in_lines:?}");
    }
}

#[test]
fn what_is_damaged_or_too_large_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut bytes = file();
    let end = bytes.len() - 4;
    bytes[end - 60..end - 30].fill(0xFF);
    fs::write(folder.path().join("a.parquet"), bytes).expect("the folder is ours");
    fs::write(folder.path().join("b.parquet"), file()).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["stats", "a.parquet"]);
    assert!(
        status == 2 && stderr.contains("error[parquet::damaged]: the Parquet file cannot be read"),
        "{stderr}"
    );
    let size = file().len().to_string();
    let (status, _, stderr) = run(folder.path(), &["stats", "b.parquet", "--max-size", &size]);
    assert_eq!(status, 0, "{stderr}");
}

/// A file of one row: a list with as many items as there are, each of them this text.
fn list_of(count: usize, item: &str) -> Vec<u8> {
    let schema = "message rows { required group items (LIST) { repeated group list { required binary element (STRING); } } }";
    let schema = Arc::new(parse_message_type(schema).expect("it is a schema"));
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::default()).expect("it can be written");
    let mut group = writer.next_row_group().expect("it can be written");
    let mut repetition = vec![1; count];
    repetition[0] = 0;
    texts(&mut group, &vec![item; count], (&vec![1; count], &repetition));
    group.close().expect("it can be written");
    writer.close().expect("it can be written");
    bytes
}

#[test]
fn the_limit_holds_inside_a_row() {
    let item = "x".repeat(1_000);
    let bytes = list_of(20_000, &item);
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    assert_eq!(json_lines("rows.parquet", bytes.clone(), 1_000_000).expect("it is whole"), None);
    let whole =
        json_lines("rows.parquet", bytes, 50_000_000).expect("it is whole").expect("it is small enough");
    assert_eq!(whole.len(), "{\"items\": [".len() + 20_000 * 1_004 - 2 + "]}\n".len());
    // A page is larger than the limit and than any that writers make.
    let page = list_of(1, &"x".repeat(17 << 20));
    assert_eq!(json_lines("rows.parquet", page, 1_000_000).expect("it is whole"), None);
    // There are more items than the text may have bytes.
    assert_eq!(json_lines("rows.parquet", list_of(10_000, ""), 9_000).expect("it is whole"), None);
}

/// The library asserts what a writer would never do; a file at fault is found before.
#[test]
fn a_file_with_any_byte_changed_is_read_or_refused() {
    let whole = file();
    for at in 0..whole.len() {
        for change in [0x01, 0x40, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            if let Err(fault) = json_lines("rows.parquet", bytes, 1 << 20) {
                assert!(fault.code.starts_with("parquet::"), "{at}: {fault}");
            }
        }
    }
}
