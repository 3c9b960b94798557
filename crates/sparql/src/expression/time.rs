//! Dates, times and durations (XML Schema Part 2, sections 3.2.6 to 3.2.14), and what SPARQL does with them.

use std::cmp::Ordering;

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef};
use oxsdatatypes::{
    Date, DateTime, DayTimeDuration, Decimal, Duration, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time,
    TimezoneOffset, YearMonthDuration,
};

use super::date_time_parts::DateTimeParts;

/// A point in time or a period, such as a year.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TemporalValue {
    DateTime(DateTime),
    Date(Date),
    Time(Time),
    Year(GYear),
    YearMonth(GYearMonth),
    Month(GMonth),
    MonthDay(GMonthDay),
    Day(GDay),
}

/// A duration. Durations of different types are equal if they have the same months and seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DurationValue {
    Duration(Duration),
    YearMonth(YearMonthDuration),
    DayTime(DayTimeDuration),
}

/// Does the same for the inner value of any type.
macro_rules! of_moment {
    ($moment:expr, $value:ident => $done:expr) => {
        match $moment {
            TemporalValue::DateTime($value) => $done,
            TemporalValue::Date($value) => $done,
            TemporalValue::Time($value) => $done,
            TemporalValue::Year($value) => $done,
            TemporalValue::YearMonth($value) => $done,
            TemporalValue::Month($value) => $done,
            TemporalValue::MonthDay($value) => $done,
            TemporalValue::Day($value) => $done,
        }
    };
}

/// Does the same for two values of one type. `None` if the types differ.
macro_rules! of_both {
    ($left:expr, $right:expr, $one:ident, $other:ident => $done:expr) => {
        match ($left, $right) {
            (TemporalValue::DateTime($one), TemporalValue::DateTime($other)) => Some($done),
            (TemporalValue::Date($one), TemporalValue::Date($other)) => Some($done),
            (TemporalValue::Time($one), TemporalValue::Time($other)) => Some($done),
            (TemporalValue::Year($one), TemporalValue::Year($other)) => Some($done),
            (TemporalValue::YearMonth($one), TemporalValue::YearMonth($other)) => Some($done),
            (TemporalValue::Month($one), TemporalValue::Month($other)) => Some($done),
            (TemporalValue::MonthDay($one), TemporalValue::MonthDay($other)) => Some($done),
            (TemporalValue::Day($one), TemporalValue::Day($other)) => Some($done),
            _ => None,
        }
    };
}

impl TemporalValue {
    /// The value of a lexical form. `None` if it is ill-formed or the datatype is a different one.
    pub(super) fn parse(text: &str, datatype: NamedNodeRef<'_>) -> Option<Self> {
        Some(match datatype {
            xsd::DATE_TIME => Self::date_time(text)?,
            xsd::DATE => Self::Date(text.parse().ok()?),
            xsd::TIME => Self::Time(text.parse().ok()?),
            xsd::G_YEAR => Self::Year(text.parse().ok()?),
            xsd::G_YEAR_MONTH => Self::YearMonth(text.parse().ok()?),
            xsd::G_MONTH => Self::Month(text.parse().ok()?),
            xsd::G_MONTH_DAY => Self::MonthDay(text.parse().ok()?),
            xsd::G_DAY => Self::Day(text.parse().ok()?),
            _ => return None,
        })
    }

    /// The value of a lexical form of `xsd:dateTime`.
    pub(super) fn date_time(text: &str) -> Option<Self> {
        Some(Self::DateTime(match DateTimeParts::from_lexical_form(text) {
            Some(fields) => fields.date_time(),
            None => text.parse().ok()?,
        }))
    }

    /// The position on the timeline of an `xsd:dateTime` with an offset.
    pub(super) fn instant(&self) -> Option<i128> {
        let Self::DateTime(value) = self else { return None };
        // The last two bytes are the offset, which does not change the position.
        let [instant @ .., _, _] = value.to_be_bytes();
        value.timezone_offset().map(|_| i128::from_be_bytes(instant))
    }

    pub(super) fn into_literal(self) -> Literal {
        let datatype = match self {
            Self::DateTime(_) => xsd::DATE_TIME,
            Self::Date(_) => xsd::DATE,
            Self::Time(_) => xsd::TIME,
            Self::Year(_) => xsd::G_YEAR,
            Self::YearMonth(_) => xsd::G_YEAR_MONTH,
            Self::Month(_) => xsd::G_MONTH,
            Self::MonthDay(_) => xsd::G_MONTH_DAY,
            Self::Day(_) => xsd::G_DAY,
        };
        Literal::new_typed_literal(of_moment!(self, value => value.to_string()), datatype)
    }

    /// Casts the value to a datatype, if possible (Functions and Operators, section 17.1.5).
    pub(super) fn cast(self, datatype: NamedNodeRef<'_>) -> Option<Self> {
        Some(match (datatype, self) {
            (xsd::DATE_TIME, Self::DateTime(_))
            | (xsd::DATE, Self::Date(_))
            | (xsd::TIME, Self::Time(_))
            | (xsd::G_YEAR, Self::Year(_))
            | (xsd::G_YEAR_MONTH, Self::YearMonth(_))
            | (xsd::G_MONTH, Self::Month(_))
            | (xsd::G_MONTH_DAY, Self::MonthDay(_))
            | (xsd::G_DAY, Self::Day(_)) => self,
            (xsd::DATE_TIME, Self::Date(value)) => Self::DateTime(value.try_into().ok()?),
            (xsd::DATE, Self::DateTime(value)) => Self::Date(value.try_into().ok()?),
            (xsd::TIME, Self::DateTime(value)) => Self::Time(value.into()),
            (xsd::G_YEAR, Self::DateTime(value)) => Self::Year(value.try_into().ok()?),
            (xsd::G_YEAR, Self::Date(value)) => Self::Year(value.try_into().ok()?),
            (xsd::G_YEAR_MONTH, Self::DateTime(value)) => Self::YearMonth(value.try_into().ok()?),
            (xsd::G_YEAR_MONTH, Self::Date(value)) => Self::YearMonth(value.into()),
            (xsd::G_MONTH, Self::DateTime(value)) => Self::Month(value.into()),
            (xsd::G_MONTH, Self::Date(value)) => Self::Month(value.into()),
            (xsd::G_MONTH_DAY, Self::DateTime(value)) => Self::MonthDay(value.into()),
            (xsd::G_MONTH_DAY, Self::Date(value)) => Self::MonthDay(value.into()),
            (xsd::G_DAY, Self::DateTime(value)) => Self::Day(value.into()),
            (xsd::G_DAY, Self::Date(value)) => Self::Day(value.into()),
            _ => return None,
        })
    }

    pub(super) fn equals(&self, other: &Self) -> bool {
        of_both!(self, other, one, another => one == another).unwrap_or(false)
    }

    /// The order of two values of one type. `None` if only one of them has a time zone and the order depends on it.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        of_both!(self, other, one, another => one.partial_cmp(another)).flatten()
    }

    pub(super) fn year(self) -> Option<i64> {
        match self {
            Self::DateTime(value) => Some(value.year()),
            Self::Date(value) => Some(value.year()),
            Self::Year(value) => Some(value.year()),
            Self::YearMonth(value) => Some(value.year()),
            _ => None,
        }
    }

    pub(super) fn month(self) -> Option<i64> {
        Some(i64::from(match self {
            Self::DateTime(value) => value.month(),
            Self::Date(value) => value.month(),
            Self::YearMonth(value) => value.month(),
            Self::Month(value) => value.month(),
            Self::MonthDay(value) => value.month(),
            _ => return None,
        }))
    }

    pub(super) fn day(self) -> Option<i64> {
        Some(i64::from(match self {
            Self::DateTime(value) => value.day(),
            Self::Date(value) => value.day(),
            Self::MonthDay(value) => value.day(),
            Self::Day(value) => value.day(),
            _ => return None,
        }))
    }

    pub(super) fn hours(self) -> Option<i64> {
        Some(i64::from(match self {
            Self::DateTime(value) => value.hour(),
            Self::Time(value) => value.hour(),
            _ => return None,
        }))
    }

    pub(super) fn minutes(self) -> Option<i64> {
        Some(i64::from(match self {
            Self::DateTime(value) => value.minute(),
            Self::Time(value) => value.minute(),
            _ => return None,
        }))
    }

    pub(super) fn seconds(self) -> Option<Decimal> {
        match self {
            Self::DateTime(value) => Some(value.second()),
            Self::Time(value) => Some(value.second()),
            _ => None,
        }
    }

    pub(super) fn offset(self) -> Option<TimezoneOffset> {
        of_moment!(self, value => value.timezone_offset())
    }

    pub(super) fn timezone(self) -> Option<DayTimeDuration> {
        of_moment!(self, value => value.timezone())
    }

    /// The same moment with another offset, or without one.
    pub(super) fn adjusted(self, offset: Option<TimezoneOffset>) -> Option<Self> {
        Some(match self {
            Self::DateTime(value) => Self::DateTime(value.adjust(offset)?),
            Self::Date(value) => Self::Date(value.adjust(offset)?),
            Self::Time(value) => Self::Time(value.adjust(offset)?),
            Self::Year(value) => Self::Year(value.adjust(offset)?),
            Self::YearMonth(value) => Self::YearMonth(value.adjust(offset)?),
            Self::Month(value) => Self::Month(value.adjust(offset)?),
            Self::MonthDay(value) => Self::MonthDay(value.adjust(offset)?),
            Self::Day(value) => Self::Day(value.adjust(offset)?),
        })
    }

    pub(super) fn plus(self, span: DurationValue) -> Option<Self> {
        Some(match (self, span) {
            (Self::DateTime(value), DurationValue::Duration(span)) => {
                Self::DateTime(value.checked_add_duration(span)?)
            }
            (Self::DateTime(value), DurationValue::YearMonth(span)) => {
                Self::DateTime(value.checked_add_year_month_duration(span)?)
            }
            (Self::DateTime(value), DurationValue::DayTime(span)) => {
                Self::DateTime(value.checked_add_day_time_duration(span)?)
            }
            (Self::Date(value), DurationValue::Duration(span)) => {
                Self::Date(value.checked_add_duration(span)?)
            }
            (Self::Date(value), DurationValue::YearMonth(span)) => {
                Self::Date(value.checked_add_year_month_duration(span)?)
            }
            (Self::Date(value), DurationValue::DayTime(span)) => {
                Self::Date(value.checked_add_day_time_duration(span)?)
            }
            (Self::Time(value), DurationValue::Duration(span)) => {
                Self::Time(value.checked_add_duration(span)?)
            }
            (Self::Time(value), DurationValue::DayTime(span)) => {
                Self::Time(value.checked_add_day_time_duration(span)?)
            }
            _ => return None,
        })
    }

    pub(super) fn minus_span(self, span: DurationValue) -> Option<Self> {
        Some(match (self, span) {
            (Self::DateTime(value), DurationValue::Duration(span)) => {
                Self::DateTime(value.checked_sub_duration(span)?)
            }
            (Self::DateTime(value), DurationValue::YearMonth(span)) => {
                Self::DateTime(value.checked_sub_year_month_duration(span)?)
            }
            (Self::DateTime(value), DurationValue::DayTime(span)) => {
                Self::DateTime(value.checked_sub_day_time_duration(span)?)
            }
            (Self::Date(value), DurationValue::Duration(span)) => {
                Self::Date(value.checked_sub_duration(span)?)
            }
            (Self::Date(value), DurationValue::YearMonth(span)) => {
                Self::Date(value.checked_sub_year_month_duration(span)?)
            }
            (Self::Date(value), DurationValue::DayTime(span)) => {
                Self::Date(value.checked_sub_day_time_duration(span)?)
            }
            (Self::Time(value), DurationValue::Duration(span)) => {
                Self::Time(value.checked_sub_duration(span)?)
            }
            (Self::Time(value), DurationValue::DayTime(span)) => {
                Self::Time(value.checked_sub_day_time_duration(span)?)
            }
            _ => return None,
        })
    }

    /// The time between two moments of one type.
    pub(super) fn minus(self, other: Self) -> Option<DurationValue> {
        Some(DurationValue::DayTime(match (self, other) {
            (Self::DateTime(left), Self::DateTime(right)) => left.checked_sub(right)?,
            (Self::Date(left), Self::Date(right)) => left.checked_sub(right)?,
            (Self::Time(left), Self::Time(right)) => left.checked_sub(right)?,
            _ => return None,
        }))
    }
}

impl DurationValue {
    /// The value of a lexical form. `None` if it is ill-formed or the datatype is a different one.
    pub(super) fn parse(text: &str, datatype: NamedNodeRef<'_>) -> Option<Self> {
        Some(match datatype {
            xsd::DURATION => Self::Duration(text.parse().ok()?),
            xsd::YEAR_MONTH_DURATION => Self::YearMonth(text.parse().ok()?),
            xsd::DAY_TIME_DURATION => Self::DayTime(text.parse().ok()?),
            _ => return None,
        })
    }

    pub(super) fn into_literal(self) -> Literal {
        match self {
            Self::Duration(value) => Literal::new_typed_literal(value.to_string(), xsd::DURATION),
            Self::YearMonth(value) => Literal::new_typed_literal(value.to_string(), xsd::YEAR_MONTH_DURATION),
            Self::DayTime(value) => Literal::new_typed_literal(value.to_string(), xsd::DAY_TIME_DURATION),
        }
    }

    pub(super) fn cast(self, datatype: NamedNodeRef<'_>) -> Option<Self> {
        let all = self.duration();
        Some(match datatype {
            xsd::DURATION => Self::Duration(all),
            xsd::YEAR_MONTH_DURATION => Self::YearMonth(all.try_into().ok()?),
            xsd::DAY_TIME_DURATION => Self::DayTime(all.try_into().ok()?),
            _ => return None,
        })
    }

    fn duration(self) -> Duration {
        match self {
            Self::Duration(value) => value,
            Self::YearMonth(value) => value.into(),
            Self::DayTime(value) => value.into(),
        }
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::YearMonth(left), Self::YearMonth(right)) => Self::YearMonth(left.checked_add(right)?),
            (Self::DayTime(left), Self::DayTime(right)) => Self::DayTime(left.checked_add(right)?),
            (left, right) => Self::Duration(left.duration().checked_add(right.duration())?),
        })
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::YearMonth(left), Self::YearMonth(right)) => Self::YearMonth(left.checked_sub(right)?),
            (Self::DayTime(left), Self::DayTime(right)) => Self::DayTime(left.checked_sub(right)?),
            (left, right) => Self::Duration(left.duration().checked_sub(right.duration())?),
        })
    }

    pub(super) fn negated(self) -> Option<Self> {
        Some(match self {
            Self::Duration(value) => Self::Duration(value.checked_neg()?),
            Self::YearMonth(value) => Self::YearMonth(value.checked_neg()?),
            Self::DayTime(value) => Self::DayTime(value.checked_neg()?),
        })
    }
}

impl PartialEq for DurationValue {
    fn eq(&self, other: &Self) -> bool {
        self.duration() == other.duration()
    }
}

impl PartialOrd for DurationValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.duration().partial_cmp(&other.duration())
    }
}
