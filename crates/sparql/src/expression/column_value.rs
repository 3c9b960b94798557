//! The value that a literal has in queries, in a form for columns of tables.

use oxrdf::NamedNodeRef;
use oxrdf::vocab::xsd;

use super::decimal::units;
use super::numeral::NumericValue;
use super::time::TemporalValue;
use super::value::TermValue;

/// The value of a literal as the operators of queries see it. Only numbers, booleans and points in time have one here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnValue {
    /// An integer or a decimal.
    Exact {
        /// The number in units of 10⁻¹⁸.
        units: i128,
        /// The nearest double.
        double: f64,
    },
    /// An `xsd:double`, or an `xsd:float` as the double with the same value.
    Floating(f64),
    /// An `xsd:boolean`.
    Boolean(bool),
    /// An `xsd:dateTime`. One without a zone is taken as if it were in UTC.
    Instant {
        /// Its distance from the beginning of the year 1, in units of 10⁻¹⁸ s.
        units: i128,
        /// `true` if it has a zone.
        is_zoned: bool,
    },
}

impl ColumnValue {
    /// Returns the value of a lexical form. `None` if it is ill-formed, too large to compute with, or of another
    /// datatype.
    pub fn from_lexical_form(text: &str, datatype: &str) -> Option<Self> {
        /// One unit of integers, in units of decimals.
        const ONE: i128 = 1_000_000_000_000_000_000;
        // Most literals are strings.
        if datatype == xsd::STRING.as_str() {
            return None;
        }
        Some(match TermValue::typed(text, NamedNodeRef::new_unchecked(datatype))? {
            TermValue::Boolean(value) => Self::Boolean(value),
            TermValue::Number(number @ NumericValue::Integer(value)) => {
                Self::Exact { units: i128::from(i64::from(value)) * ONE, double: number.double().into() }
            }
            TermValue::Number(number @ NumericValue::Decimal(value)) => {
                Self::Exact { units: units(value), double: number.double().into() }
            }
            TermValue::Number(NumericValue::Float(value)) => Self::Floating(f32::from(value).into()),
            TermValue::Number(NumericValue::Double(value)) => Self::Floating(value.into()),
            TermValue::Moment(TemporalValue::DateTime(value)) => {
                let [instant @ .., _, _] = value.to_be_bytes();
                let is_zoned = value.timezone_offset().is_some();
                Self::Instant { units: i128::from_be_bytes(instant), is_zoned }
            }
            _ => return None,
        })
    }
}
