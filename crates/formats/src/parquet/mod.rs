//! Converts the rows of a Parquet file to JSON lines with the same values, which are then read like any JSON lines: the
//! line number of a place is the number of the row.
//!
//! An absent value has no member. Dates and times become strings in ISO 8601. Bytes become strings if they are UTF-8;
//! other bytes are refused.

mod page_header;
mod pages;
mod parquet_rows;
mod parquet_values;

use std::thread;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::{Reader, TreeBuilder};

use evalgraph_diagnostics::{Diagnostic, SourceText};
use pages::{BoundedGroup, PageBounds};
use parquet_rows::{BoundedText, RowFailure, pass, write_row};
use parquet_values::ColumnMeaning;

/// The name of the reading thread. The library panics on some damaged files, and its message does not help the user.
pub const THREAD: &str = "parquet";
/// The stack size of that thread in bytes, because schemas may nest.
const STACK: usize = 64 << 20;
/// How many rows of a column are in memory at once. The second number is used if there are lists, which may be long.
const BATCH: usize = 1_024;
const BATCH_OF_LISTS: usize = 16;

/// Returns whether bytes are a Parquet file.
pub fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")
}

/// Returns the rows of a Parquet file, each as an object on its own line, or `None` if the text exceeds the limit.
///
/// # Errors
/// `parquet::damaged` if the file cannot be read, `parquet::value` for a value that JSON cannot represent; both give
/// the number of the row.
pub fn json_lines(name: &str, bytes: Vec<u8>, most: u64) -> Result<Option<String>, Box<Diagnostic>> {
    let bytes = Bytes::from(bytes);
    let unreadable = |reason: &str| {
        let error = ParquetError::General(reason.to_owned());
        damaged(name, 0, &error)
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK);
        let read = thread.spawn_scoped(scope, || read(name, &bytes, most));
        let read =
            read.map_err(|error| unreadable(&format!("the reading thread cannot be started: {error}")))?;
        // The library's assertions hold for files from correct writers, so a panic means that the file is damaged.
        read.join().unwrap_or_else(|_| Err(unreadable("it contradicts itself")))
    })
}

fn read(name: &str, bytes: &Bytes, most: u64) -> Result<Option<String>, Box<Diagnostic>> {
    let whole = |error: ParquetError| damaged(name, 0, &error);
    let file = SerializedFileReader::new(bytes.clone()).map_err(whole)?;
    check(file.metadata(), bytes.len()).map_err(whole)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let columns: Vec<ColumnMeaning> =
        schema.root_schema().get_fields().iter().map(|field| ColumnMeaning::from_field(field)).collect();
    let has_lists = schema.columns().iter().any(|column| column.max_rep_level() > 0);
    let batch = if has_lists { BATCH_OF_LISTS } else { BATCH };
    let (bounds, tree) = (PageBounds::new(most), TreeBuilder::new().with_batch_size(batch));
    let mut out = BoundedText { text: String::new(), most };
    let mut number = 0;
    for at in 0..file.num_row_groups() {
        let group = file.get_row_group(at).map_err(whole)?;
        let group = BoundedGroup { group, bytes: bytes.clone(), bounds: bounds.clone() };
        let count = file.metadata().row_group(at).num_rows();
        let begun = tree.build(schema.clone(), &group).and_then(|mut reader| {
            pass(&mut reader)?;
            Ok(reader)
        });
        let mut reader = match begun {
            Ok(reader) => reader,
            Err(_) if bounds.is_exceeded() => return Ok(None),
            Err(error) => return Err(damaged(name, number + 1, &error)),
        };
        let Reader::GroupReader(_, _, members) = &mut reader else { continue };
        for _ in 0..count {
            number += 1;
            match write_row(members, &columns, &mut out).and_then(|()| out.push("\n")) {
                Ok(()) => bounds.row(),
                Err(RowFailure::TooLarge) => return Ok(None),
                Err(RowFailure::Damaged(_)) if bounds.is_exceeded() => return Ok(None),
                Err(RowFailure::Damaged(error)) => return Err(damaged(name, number, &error)),
                Err(RowFailure::Value(what)) => {
                    return Err(fault("parquet::value", name, format!("row {number}: {what}")));
                }
            }
        }
    }
    Ok(Some(out.text))
}

/// Refuses columns outside the file, because the library assumes that their offsets are not negative.
fn check(metadata: &ParquetMetaData, length: usize) -> Result<(), ParquetError> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        let end = start.checked_add(column.compressed_size());
        let is_inside =
            start >= 0 && column.compressed_size() >= 0 && end.is_some_and(|end| end as u64 <= length as u64);
        if !is_inside {
            return Err(ParquetError::General("a column is outside of the file".to_owned()));
        }
    }
    Ok(())
}

fn damaged(name: &str, row: u64, error: &ParquetError) -> Box<Diagnostic> {
    let at = if row == 0 { String::new() } else { format!(" at row {row}") };
    fault("parquet::damaged", name, format!("the Parquet file cannot be read{at}: {error}"))
}

fn fault(code: &'static str, name: &str, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, message).at(SourceText::new(name, b"").place(0..0)))
}
