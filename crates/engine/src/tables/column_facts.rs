//! Facts that all values of a column share, and the resulting type.

use super::format::TableFileFormat;
use super::lexical_values::{
    ColumnDatatype, DECIMAL_DIGITS, LexicalDigits, boolean, date, date_time, floating,
};
use super::term_kind::{ColumnTermKind, KindNumber};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// An integer of 64 bits.
    Integer,
    /// A decimal with a fixed number of digits, some of them after the point.
    Decimal {
        /// How many digits there are.
        precision: u8,
        /// How many of them come after the point.
        scale: u8,
    },
    /// A floating-point number of 32 bits.
    Float,
    /// A floating-point number of 64 bits.
    Double,
    /// A day.
    Date,
    /// Microseconds, in UTC or without a time zone.
    Timestamp {
        /// `true` for times in UTC.
        is_utc: bool,
    },
}

/// The facts about a column, from its values so far.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnFacts {
    /// The kind of the values, if there are any.
    kind: Option<KindNumber>,
    value_kind: Option<ColumnDatatype>,
    /// `true` if the values have several kinds.
    is_mixed: bool,
    /// `true` if a value fits no column type.
    is_beyond: bool,
    /// `true` if an integer does not fit into 64 bits.
    is_large: bool,
    whole_digits: usize,
    fraction_digits: usize,
    /// `true` if times are in UTC. `None` if there are no times.
    is_utc: Option<bool>,
    /// The type of the column if it has no values, where that is not text.
    type_if_empty: Option<ColumnType>,
}

impl ColumnFacts {
    /// Adds a value.
    pub(super) fn add(&mut self, number: KindNumber, kind: &ColumnTermKind, text: &str) {
        let value_kind = match (self.kind, self.value_kind) {
            (Some(known), Some(value_kind)) if known == number => value_kind,
            (None, _) => {
                let value_kind = ColumnDatatype::from_term_kind(kind);
                self.kind = Some(number);
                self.value_kind = Some(value_kind);
                value_kind
            }
            _ => {
                self.is_mixed = true;
                return;
            }
        };
        if !self.is_mixed && !self.is_beyond {
            self.is_beyond = !self.takes(value_kind, text);
        }
    }

    /// Measures a value. Returns whether a column type fits it.
    fn takes(&mut self, kind: ColumnDatatype, text: &str) -> bool {
        match kind {
            ColumnDatatype::Text => true,
            ColumnDatatype::Boolean => boolean(text).is_some(),
            ColumnDatatype::Integer | ColumnDatatype::Decimal => {
                let Some(digits) = LexicalDigits::read(text, kind == ColumnDatatype::Decimal) else {
                    return false;
                };
                self.whole_digits = self.whole_digits.max(digits.whole_digits());
                self.fraction_digits = self.fraction_digits.max(digits.fraction_digits());
                self.is_large |= text.parse::<i64>().is_err();
                self.whole_digits + self.fraction_digits <= DECIMAL_DIGITS
            }
            ColumnDatatype::Float => floating::<f32>(text).is_some(),
            ColumnDatatype::Double => floating::<f64>(text).is_some(),
            ColumnDatatype::Date => date(text).is_some(),
            ColumnDatatype::DateTime => date_time(text).is_some_and(|time| {
                let is_utc = *self.is_utc.get_or_insert(time.is_utc);
                is_utc == time.is_utc
            }),
            ColumnDatatype::Other => false,
        }
    }

    /// Sets the type of the column in case it has no values.
    pub(super) fn set_type_if_empty(&mut self, column_type: ColumnType) {
        self.type_if_empty = Some(column_type);
    }

    /// The kind of all values, if there are values and they have the same kind.
    pub(super) fn kind(&self) -> Option<KindNumber> {
        self.kind.filter(|_| !self.is_mixed)
    }

    /// The type of the column. `None` if its values are written as text, with their datatypes in a second column.
    pub(super) fn column_type(&self, format: TableFileFormat) -> Option<ColumnType> {
        if self.is_mixed || self.is_beyond {
            return None;
        }
        let Some(kind) = self.value_kind else { return Some(self.type_if_empty.unwrap_or(ColumnType::Text)) };
        Some(match kind {
            ColumnDatatype::Text => ColumnType::Text,
            ColumnDatatype::Boolean => ColumnType::Boolean,
            ColumnDatatype::Integer if !self.is_large => ColumnType::Integer,
            ColumnDatatype::Integer | ColumnDatatype::Decimal => {
                let precision = u8::try_from((self.whole_digits + self.fraction_digits).max(1)).ok()?;
                ColumnType::Decimal { precision, scale: u8::try_from(self.fraction_digits).ok()? }
            }
            ColumnDatatype::Float => ColumnType::Float,
            ColumnDatatype::Double => ColumnType::Double,
            ColumnDatatype::Date => ColumnType::Date,
            ColumnDatatype::DateTime => {
                let is_utc = self.is_utc == Some(true);
                // Spreadsheet cells have no time zone.
                (format != TableFileFormat::Xlsx || !is_utc).then_some(ColumnType::Timestamp { is_utc })?
            }
            ColumnDatatype::Other => return None,
        })
    }
}
