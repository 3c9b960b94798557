//! Turns the rows of a Parquet file into JSON lines with the same values, which are then read like any
//! JSON lines: the line of a place is the number of the row.
//!
//! An absent value has no member. Dates and times become texts of ISO 8601. Bytes are text where they are
//! UTF-8; other bytes are refused.

use crate::diagnostic::{Diagnostic, SourceText};
use crate::json::write_string;
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta};
use parquet::basic::{LogicalType, TimeUnit};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::fmt::Write as _;

/// Tells whether bytes are a Parquet file.
pub fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")
}

/// The rows of a Parquet file, each an object on a line. None where the text exceeds a limit.
///
/// # Errors
/// `parquet::damaged` where the file cannot be read, `parquet::value` for a value that JSON cannot hold,
/// both with the number of the row.
pub fn json_lines(name: &str, bytes: Vec<u8>, most: u64) -> Result<Option<String>, Box<Diagnostic>> {
    let reader =
        SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(|error| damaged(name, 0, &error))?;
    let metadata = reader.metadata().file_metadata();
    let columns: Vec<Column> = metadata.schema().get_fields().iter().map(|field| Column::of(field)).collect();
    let rows = reader.get_row_iter(None).map_err(|error| damaged(name, 0, &error))?;
    let mut text = String::new();
    for (number, row) in (1..).zip(rows) {
        let row = row.map_err(|error| damaged(name, number, &error))?;
        write_row(&row, &columns, &mut text)
            .map_err(|what| fault("parquet::value", name, format!("row {number}: {what}")))?;
        text.push('\n');
        if text.len() as u64 > most {
            return Ok(None);
        }
    }
    Ok(Some(text))
}

/// The facts of a column that the schema states and its values do not.
#[derive(Debug, Clone, Copy)]
enum Column {
    Plain,
    /// Points in time; whether they are in UTC, and whether they are counted in nanoseconds.
    Timestamps {
        is_utc: bool,
        are_nanoseconds: bool,
    },
}

impl Column {
    fn of(field: &parquet::schema::types::Type) -> Self {
        match field.get_basic_info().logical_type_ref() {
            Some(LogicalType::Timestamp(time)) => {
                let are_nanoseconds = matches!(time.unit, TimeUnit::NANOS);
                Self::Timestamps { is_utc: time.is_adjusted_to_u_t_c, are_nanoseconds }
            }
            _ => Self::Plain,
        }
    }
}

fn damaged(name: &str, row: u64, error: &ParquetError) -> Box<Diagnostic> {
    let at = if row == 0 { String::new() } else { format!(" at row {row}") };
    fault("parquet::damaged", name, format!("the Parquet file cannot be read{at}: {error}"))
}

fn fault(code: &'static str, name: &str, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, message).at(SourceText::new(name, b"").place(0..0)))
}

fn write_row(row: &Row, columns: &[Column], out: &mut String) -> Result<(), String> {
    out.push('{');
    let mut is_first = true;
    for (at, (key, field)) in row.get_column_iter().enumerate() {
        if matches!(field, Field::Null) {
            continue;
        }
        if !std::mem::replace(&mut is_first, false) {
            out.push_str(", ");
        }
        write_string(key, out);
        out.push_str(": ");
        let column = columns.get(at).copied().unwrap_or(Column::Plain);
        write_field(field, column, out).map_err(|what| format!("`{key}` {what}"))?;
    }
    out.push('}');
    Ok(())
}

fn write_field(field: &Field, column: Column, out: &mut String) -> Result<(), String> {
    let is_utc = matches!(column, Column::Timestamps { is_utc: true, .. });
    match field {
        Field::Null => out.push_str("null"),
        Field::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Field::Long(value) if matches!(column, Column::Timestamps { are_nanoseconds: true, .. }) => {
            write_time(Some(DateTime::from_timestamp_nanos(*value)), is_utc, out)?;
        }
        Field::Float16(value) => write_number(f64::from(*value), &value.to_string(), out)?,
        Field::Float(value) => write_number(f64::from(*value), &format!("{value:?}"), out)?,
        Field::Double(value) => write_number(*value, &format!("{value:?}"), out)?,
        Field::Str(text) => write_string(text, out),
        Field::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => write_string(text, out),
            Err(_) => return Err("has bytes that are no text".to_owned()),
        },
        Field::Date(days) => {
            let day = TimeDelta::try_days(i64::from(*days))
                .and_then(|since| NaiveDate::default().checked_add_signed(since))
                .ok_or("has a date beyond all calendars")?;
            let _ = write!(out, "\"{day}\"");
        }
        Field::TimeMillis(value) => write_day_time(i64::from(*value) * 1000, out)?,
        Field::TimeMicros(value) => write_day_time(*value, out)?,
        Field::TimestampMillis(value) => write_time(DateTime::from_timestamp_millis(*value), is_utc, out)?,
        Field::TimestampMicros(value) => write_time(DateTime::from_timestamp_micros(*value), is_utc, out)?,
        Field::Group(row) => write_row(row, &[], out)?,
        Field::ListInternal(list) => {
            out.push('[');
            for (at, item) in list.elements().iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_field(item, Column::Plain, out)?;
            }
            out.push(']');
        }
        Field::MapInternal(map) => {
            out.push('{');
            for (at, (key, value)) in map.entries().iter().enumerate() {
                let Field::Str(key) = key else { return Err("has keys that are no texts".to_owned()) };
                if at > 0 {
                    out.push_str(", ");
                }
                write_string(key, out);
                out.push_str(": ");
                write_field(value, Column::Plain, out)?;
            }
            out.push('}');
        }
        // Integers of all widths and decimals show their digits.
        other => drop(write!(out, "{other}")),
    }
    Ok(())
}

fn write_number(value: f64, digits: &str, out: &mut String) -> Result<(), String> {
    if !value.is_finite() {
        return Err(format!("is {digits}, and JSON has no such number"));
    }
    out.push_str(digits);
    Ok(())
}

fn write_time(time: Option<DateTime<chrono::Utc>>, is_utc: bool, out: &mut String) -> Result<(), String> {
    let time = time.ok_or("has a time beyond all calendars")?;
    let _ = write!(out, "\"{}{}\"", time.format("%Y-%m-%dT%H:%M:%S%.f"), if is_utc { "Z" } else { "" });
    Ok(())
}

fn write_day_time(microseconds: i64, out: &mut String) -> Result<(), String> {
    let seconds = u32::try_from(microseconds.div_euclid(1_000_000));
    let nanoseconds = microseconds.rem_euclid(1_000_000) as u32 * 1000;
    let time =
        seconds.ok().and_then(|seconds| NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanoseconds));
    let _ = write!(out, "\"{}\"", time.ok_or("has a time beyond a day")?.format("%H:%M:%S%.f"));
    Ok(())
}
