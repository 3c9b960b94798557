//! The values of Parquet as JSON.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta};
use parquet::basic::{LogicalType, TimeUnit};
use parquet::record::Field;
use parquet::schema::types::Type;

use evalgraph_json::write_string;

/// Facts about a column that are in the schema and not in its values.
#[derive(Debug, Clone, Copy)]
pub(super) enum ColumnMeaning {
    Plain,
    /// Points in time: whether they are in UTC, and whether they are counted in nanoseconds.
    Timestamps {
        is_utc: bool,
        are_nanoseconds: bool,
    },
}

impl ColumnMeaning {
    /// Returns the facts about a field.
    pub(super) fn from_field(field: &Type) -> Self {
        match field.get_basic_info().logical_type_ref() {
            Some(LogicalType::Timestamp(time)) => {
                let are_nanoseconds = matches!(time.unit, TimeUnit::NANOS);
                Self::Timestamps { is_utc: time.is_adjusted_to_u_t_c, are_nanoseconds }
            }
            _ => Self::Plain,
        }
    }
}

/// Writes a value of a column as JSON.
///
/// # Errors
///
/// A description of the value, if JSON cannot represent it.
pub(super) fn write_value(field: &Field, column: ColumnMeaning, out: &mut String) -> Result<(), String> {
    let is_utc = matches!(column, ColumnMeaning::Timestamps { is_utc: true, .. });
    match field {
        Field::Null => out.push_str("null"),
        Field::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Field::Long(value) if matches!(column, ColumnMeaning::Timestamps { are_nanoseconds: true, .. }) => {
            write_time(Some(DateTime::from_timestamp_nanos(*value)), is_utc, out)?;
        }
        Field::Float16(value) => write_number(f64::from(*value), &value.to_string(), out)?,
        Field::Float(value) => write_number(f64::from(*value), &format!("{value:?}"), out)?,
        Field::Double(value) => write_number(*value, &format!("{value:?}"), out)?,
        Field::Str(text) => write_string(text, out),
        Field::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => write_string(text, out),
            Err(_) => return Err("has bytes that are not text".to_owned()),
        },
        Field::Date(days) => {
            let day = TimeDelta::try_days(i64::from(*days))
                .and_then(|since| NaiveDate::default().checked_add_signed(since))
                .ok_or("has a date outside the supported range")?;
            let _ = write!(out, "\"{day}\"");
        }
        Field::TimeMillis(value) => write_day_time(i64::from(*value) * 1000, out)?,
        Field::TimeMicros(value) => write_day_time(*value, out)?,
        Field::TimestampMillis(value) => write_time(DateTime::from_timestamp_millis(*value), is_utc, out)?,
        Field::TimestampMicros(value) => write_time(DateTime::from_timestamp_micros(*value), is_utc, out)?,
        // Integers of all widths, and decimals, are written with their digits.
        other => drop(write!(out, "{other}")),
    }
    Ok(())
}

fn write_number(value: f64, digits: &str, out: &mut String) -> Result<(), String> {
    if !value.is_finite() {
        return Err(format!("is {digits}, which JSON cannot represent"));
    }
    out.push_str(digits);
    Ok(())
}

fn write_time(time: Option<DateTime<chrono::Utc>>, is_utc: bool, out: &mut String) -> Result<(), String> {
    let time = time.ok_or("has a time outside the supported range")?;
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
