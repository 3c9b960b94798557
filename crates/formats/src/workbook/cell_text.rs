//! The text of the value of a cell.

use calamine::{DataRef, ExcelDateTime};

/// The largest number that is written as an integer with all its digits.
const LARGEST_INTEGER: f64 = 1e15;
/// The longest number that is written without an exponent.
const LONGEST: usize = 24;
/// The milliseconds of a day.
const DAY: f64 = 86_400_000.0;

/// The text of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CellText {
    /// A number, a date, or true or false.
    Bare(String),
    /// A text, which is a text even if it looks like a number.
    Text(String),
}

impl CellText {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Bare(text) | Self::Text(text) => text,
        }
    }
}

/// Returns the text of a value, or what is wrong with the value. An empty cell has an empty text.
pub(super) fn cell_text(value: &DataRef<'_>) -> Result<CellText, String> {
    Ok(match value {
        DataRef::Empty => CellText::Text(String::new()),
        DataRef::Int(number) => CellText::Bare(number.to_string()),
        DataRef::Float(number) => CellText::Bare(number_text(*number)?),
        DataRef::String(text) => CellText::Text(text.clone()),
        DataRef::SharedString(text) => CellText::Text((*text).to_owned()),
        DataRef::Bool(value) => CellText::Bare(value.to_string()),
        DataRef::DateTime(time) => CellText::Bare(time_text(*time)?),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => CellText::Bare(text.clone()),
        DataRef::Error(error) => return Err(format!("the cell has the error `{error}`")),
    })
}

fn number_text(number: f64) -> Result<String, String> {
    if !number.is_finite() {
        return Err(format!("`{number}` is not a number"));
    }
    if number.fract() == 0.0 && number.abs() < LARGEST_INTEGER {
        // Zero may have a sign.
        return Ok(format!("{}", number as i64));
    }
    let text = number.to_string();
    Ok(if text.len() > LONGEST { format!("{number:e}") } else { text })
}

/// Returns a date, a time of day or both in ISO 8601, and a duration in hours, minutes and seconds.
fn time_text(time: ExcelDateTime) -> Result<String, String> {
    let days = time.as_f64();
    if !days.is_finite() || days.abs() > LARGEST_INTEGER / DAY {
        return Err(format!("`{days}` is not a date or a time"));
    }
    let milliseconds = (days * DAY).round() as i64;
    if time.is_duration() {
        let sign = if milliseconds < 0 { "-" } else { "" };
        let all = milliseconds.unsigned_abs();
        return Ok(format!(
            "{sign}{:02}:{:02}:{:02}{}",
            all / 3_600_000,
            all / 60_000 % 60,
            all / 1_000 % 60,
            fraction(all)
        ));
    }
    if milliseconds < 0 {
        return Err("the date is before the calendar of the workbook".to_owned());
    }
    let (year, month, day, hour, minute, second, millisecond) = time.to_ymd_hms_milli();
    let of_day = format!("{hour:02}:{minute:02}:{second:02}{}", fraction(u64::from(millisecond)));
    let date = format!("{year:04}-{month:02}-{day:02}");
    Ok(match (days < 1.0, of_day.as_str()) {
        (true, _) => of_day,
        (false, "00:00:00") => date,
        (false, _) => format!("{date}T{of_day}"),
    })
}

/// Returns the milliseconds of a second with the point before them, or nothing if there are none.
fn fraction(milliseconds: u64) -> String {
    match milliseconds % 1_000 {
        0 => String::new(),
        rest => format!(".{rest:03}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::cell_text;
    use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};

    #[test]
    fn values_have_their_shortest_text() {
        let number = |number| cell_text(&DataRef::Float(number)).map(|text| text.as_str().to_owned());
        let numbers = [1.0, -0.0, 0.1, 1e21, 123_456_789_012.0, 2.5e-9].map(number);
        let numbers: Vec<&str> =
            numbers.iter().map(|text| text.as_deref().expect("they are numbers")).collect();
        assert_eq!(numbers, ["1", "0", "0.1", "1000000000000000000000", "123456789012", "0.0000000025"]);
        assert_eq!(number(1e300).as_deref(), Ok("1e300"));
        assert!(number(f64::NAN).is_err());
    }

    #[test]
    fn dates_and_times_are_in_iso_8601() {
        let time = |days, kind| {
            let text = cell_text(&DataRef::DateTime(ExcelDateTime::new(days, kind, false)));
            text.map_or_else(|fault| fault, |text| text.as_str().to_owned())
        };
        let date = |days| time(days, ExcelDateTimeType::DateTime);
        assert_eq!(date(46_053.0), "2026-01-31");
        assert_eq!(date(46_053.0 + 10.0 / 24.0), "2026-01-31T10:00:00");
        assert_eq!(date(0.5), "12:00:00");
        assert_eq!(time(1.25, ExcelDateTimeType::TimeDelta), "30:00:00");
        assert!(date(-3.0).contains("before the calendar"));
        assert!(date(1e300).contains("not a date"));
    }
}
