//! The text or typed value of a term in a column.

use super::column_facts::ColumnType;
use super::columns::{ColumnTermPart, ResultsColumn};
use super::held_rows::HeldValue;
use super::lexical_values::{LexicalDigits, TimestampValue, boolean, date, date_time, floating};
use super::term_kind::KindNumber;
use chrono::NaiveDate;

/// The value of a column in one row.
#[derive(Debug)]
pub(super) enum ColumnCell<'h> {
    Text(&'h str),
    /// The datatype, the language or the kind of node.
    Datatype(KindNumber),
    Boolean(bool),
    Integer(i64),
    Decimal(i128),
    Float(f32),
    Double(f64),
    Date(NaiveDate),
    Timestamp(TimestampValue),
}

impl<'h> ColumnCell<'h> {
    /// The value of a column for a term. The column's type fits all of its values, so there always is one.
    pub(super) fn from_held_value(column: &ResultsColumn, held: HeldValue<'h>) -> Option<Self> {
        let text = held.text;
        let column_type = match column.part {
            ColumnTermPart::Datatype => return Some(Self::Datatype(held.kind)),
            ColumnTermPart::Value(column_type) => column_type,
        };
        match column_type {
            ColumnType::Text => Some(Self::Text(text)),
            ColumnType::Boolean => boolean(text).map(Self::Boolean),
            ColumnType::Integer => text.parse().ok().map(Self::Integer),
            ColumnType::Decimal { scale, .. } => {
                LexicalDigits::read(text, true)?.unscaled(usize::from(scale)).map(Self::Decimal)
            }
            ColumnType::Float => floating(text).map(Self::Float),
            ColumnType::Double => floating(text).map(Self::Double),
            ColumnType::Date => date(text).map(Self::Date),
            ColumnType::Timestamp { .. } => date_time(text).map(Self::Timestamp),
        }
    }
}
