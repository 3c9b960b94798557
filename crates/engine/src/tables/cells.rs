//! The text or the typed value that a term has in a column.

use super::columns::{Column, Part};
use super::facts::ColumnType;
use super::held_rows::{Held, HeldRows};
use super::values::{Digits, Time, boolean, date, date_time, floating};
use chrono::NaiveDate;

/// The value of a column in one row.
#[derive(Debug)]
pub(super) enum Cell<'h> {
    Text(&'h str),
    /// The text of a kind of terms.
    Datatype(String),
    Boolean(bool),
    Integer(i64),
    Decimal(i128),
    Float(f32),
    Double(f64),
    Date(NaiveDate),
    Timestamp(Time),
}

impl<'h> Cell<'h> {
    /// The value of a column for a term. The column has the type of all its values, so that there is one.
    pub(super) fn of(column: &Column, held: Held<'h>, rows: &HeldRows) -> Option<Self> {
        let text = held.text;
        let column_type = match column.part {
            Part::Datatype => return rows.kind(held.kind).map(|kind| Self::Datatype(kind.text())),
            Part::Value(column_type) => column_type,
        };
        match column_type {
            ColumnType::Text => Some(Self::Text(text)),
            ColumnType::Boolean => boolean(text).map(Self::Boolean),
            ColumnType::Integer => text.parse().ok().map(Self::Integer),
            ColumnType::Decimal { scale, .. } => {
                Digits::read(text, true)?.unscaled(usize::from(scale)).map(Self::Decimal)
            }
            ColumnType::Float => floating(text).map(Self::Float),
            ColumnType::Double => floating(text).map(Self::Double),
            ColumnType::Date => date(text).map(Self::Date),
            ColumnType::Timestamp { .. } => date_time(text).map(Self::Timestamp),
        }
    }
}
