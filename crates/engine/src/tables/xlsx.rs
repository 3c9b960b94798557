//! An Office Open XML workbook: one sheet, whose first row has the column names. It is laid out for reading: the names
//! stay visible and have filters, and long texts are wrapped. Texts are never formulas. A value that
//! does not fit into a cell unchanged ends the file with an error.

use std::io::{self, Write};

use chrono::{Datelike as _, NaiveDate, NaiveTime, Timelike as _};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};
use unicode_width::UnicodeWidthStr as _;

use super::cells::ColumnCell;
use super::column_facts::ColumnType;
use super::columns::ResultsColumn;
use super::held_rows::HeldRows;
use super::lexical_values::{LexicalDigits, TimestampValue};
use super::term_kind::ColumnTermKind;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, thousands};
use evalgraph_sparql::WriteError;

/// How many rows a sheet has, including the row of names.
const ROWS: u64 = 1 << 20;
/// How many columns a sheet has.
const COLUMNS: usize = 1 << 14;
/// The maximum length of a text in UTF-16 code units.
const CHARACTERS: usize = 32_767;
/// How many significant digits a number keeps.
const DIGITS: usize = 15;
/// The width of the widest column in characters, and of the narrowest one. A longer text is wrapped.
const WIDEST: usize = 60;
const NARROWEST: usize = 6;
/// The characters beside a name that the button of the filter covers.
const BUTTON: usize = 4;
/// The first year of the calendar.
const FIRST_YEAR: i32 = 1900;
/// The greatest number; its negative is the least.
const GREATEST: f64 = 9.999_999_999_999_99e307;

/// Checks that a sheet can have this number of rows.
///
/// # Errors
///
/// `output::sheet`.
pub(super) fn check_rows(rows: u64) -> Result<(), WriteError> {
    if rows < ROWS {
        return Ok(());
    }
    let most = thousands(ROWS - 1);
    let message =
        format!("the answer has more than {most} rows, the maximum of an xlsx sheet below the names");
    Err(beyond("output::sheet", message))
}

fn beyond(code: &'static str, message: String) -> WriteError {
    let fault = Diagnostic::error(code, message);
    WriteError::Evaluation(Box::new(fault.with_help(help![setting("format").to("parquet"), " can hold it"])))
}

/// Writes the rows as a workbook.
///
/// # Errors
///
/// `output::sheet` if there are too many columns, `output::cell` for a value that does not fit into a cell. Also fails
/// if the output cannot be written.
pub(super) fn write(
    columns: &[ResultsColumn],
    rows: &HeldRows,
    output: impl Write + Send,
) -> Result<(), WriteError> {
    if columns.len() > COLUMNS {
        let (count, most) = (thousands(columns.len() as u64), thousands(COLUMNS as u64));
        return Err(beyond(
            "output::sheet",
            format!("the answer has {count} columns, but an xlsx sheet holds at most {most}"),
        ));
    }
    let mut workbook = Workbook::new();
    // A fixed date, so equal results give equal files on any day.
    let made = ExcelDateTime::from_ymd(2000, 1, 1).map_err(failed)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let sheet = workbook.add_worksheet_with_constant_memory().map_err(failed)?;
    let formats = CellFormats::new();
    write_names(columns, sheet, &formats).map_err(failed)?;
    let mut widths: Vec<usize> = columns.iter().map(|column| column.name.width() + BUTTON).collect();
    let width = columns.last().map_or(0, |column| column.variable + 1);
    let mut row: u32 = 0;
    rows.visit(width, |values| {
        row += 1;
        for (at, column) in (0..).zip(columns) {
            let value = values.get(column.variable).copied().flatten();
            let Some((value, cell)) =
                value.and_then(|value| Some((value, ColumnCell::from_held_value(column, value)?)))
            else {
                continue;
            };
            let name;
            let text = match &cell {
                ColumnCell::Datatype(kind) => {
                    name = rows.kind(*kind).map(ColumnTermKind::text).unwrap_or_default();
                    name.as_str()
                }
                _ => value.text,
            };
            let place = CellPlace { row, column: at };
            let widest = &mut widths[usize::from(at)];
            *widest = (*widest).max(shown_width(text));
            let written = write_cell(&cell, text, place, sheet, &formats);
            written.map_err(|unfit| unfit.error(row, column, value.text))?;
        }
        Ok::<(), WriteError>(())
    })?;
    finish_layout(columns, &widths, row, sheet).map_err(failed)?;
    workbook.save_to_writer(output).map_err(|error| failed(error).into())
}

/// The error of the operating system that caused an error of the writer, or an error with the writer's message.
fn failed(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// Returns the width of the longest line of a text, in characters.
fn shown_width(text: &str) -> usize {
    // Beyond the widest column, a difference is not visible.
    text.lines().map(|line| line.chars().take(WIDEST).collect::<String>().width()).max().unwrap_or(0)
}

/// Returns whether a text needs several lines in the widest column.
fn is_long(text: &str) -> bool {
    text.contains('\n') || text.len() > WIDEST && text.width() > WIDEST
}

/// Sets the widths of the columns, and the filter of the names.
fn finish_layout(
    columns: &[ResultsColumn],
    widths: &[usize],
    last_row: u32,
    sheet: &mut Worksheet,
) -> Result<(), XlsxError> {
    for ((at, column), width) in (0..).zip(columns).zip(widths) {
        let width = (*width).clamp(NARROWEST, WIDEST) + 1;
        // A time that is wider than its column would be shown as `####`.
        let least = match column.column_type() {
            ColumnType::Date => 12,
            ColumnType::Timestamp { .. } => 24,
            _ => 0,
        };
        sheet.set_column_width(at, u32::try_from(width.max(least)).unwrap_or_default())?;
    }
    let last = u16::try_from(columns.len()).ok().and_then(|count| count.checked_sub(1));
    if let Some(last) = last.filter(|_| last_row > 0) {
        sheet.autofilter(0, 0, last_row, last)?;
    }
    Ok(())
}

struct CellFormats {
    name: Format,
    /// Cells are at the top of their row, which a long text makes high.
    plain: Format,
    long: Format,
    date: Format,
    time: Format,
    time_with_fraction: Format,
}

impl CellFormats {
    fn new() -> Self {
        let plain = Format::new().set_align(FormatAlign::Top);
        let of = |pattern: &str| plain.clone().set_num_format(pattern);
        Self {
            name: Format::new().set_bold(),
            long: plain.clone().set_text_wrap(),
            date: of("yyyy-mm-dd"),
            time: of("yyyy-mm-dd hh:mm:ss"),
            time_with_fraction: of("yyyy-mm-dd hh:mm:ss.000"),
            plain,
        }
    }
}

fn write_names(
    columns: &[ResultsColumn],
    sheet: &mut Worksheet,
    formats: &CellFormats,
) -> Result<(), XlsxError> {
    sheet.set_name("results")?;
    sheet.set_freeze_panes(1, 0)?;
    for (at, column) in (0..).zip(columns) {
        sheet.write_string_with_format(0, at, &column.name, &formats.name)?;
    }
    Ok(())
}

/// The reason why a value is not written into a cell.
enum CellFault {
    /// It does not fit into a cell. The text says what is wrong with it.
    Value(String),
    Io(io::Error),
}

impl From<XlsxError> for CellFault {
    fn from(error: XlsxError) -> Self {
        Self::Io(failed(error))
    }
}

impl CellFault {
    fn error(self, row: u32, column: &ResultsColumn, text: &str) -> WriteError {
        let what = match self {
            Self::Io(error) => return error.into(),
            Self::Value(what) => what,
        };
        let mut shown: String = text.chars().take(40).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        let (row, name) = (thousands(u64::from(row)), &column.name);
        let message = format!("row {row}, column `{name}`: `{shown}` {what}");
        let as_text = format!(" can hold it, and `STR(?{name})` makes the column text");
        let fault = Diagnostic::error("output::cell", message);
        WriteError::Evaluation(Box::new(fault.with_help(help![setting("format").to("parquet"), as_text])))
    }
}

/// The position of a cell, counted from zero.
#[derive(Debug, Clone, Copy)]
struct CellPlace {
    row: u32,
    column: u16,
}

fn write_cell(
    cell: &ColumnCell<'_>,
    text: &str,
    place: CellPlace,
    sheet: &mut Worksheet,
    formats: &CellFormats,
) -> Result<(), CellFault> {
    let CellPlace { row, column } = place;
    let unfit = |what: &str| CellFault::Value(what.to_owned());
    match cell {
        ColumnCell::Text(_) => {
            let characters = text.encode_utf16().count();
            if characters > CHARACTERS {
                let (has, most) = (thousands(characters as u64), thousands(CHARACTERS as u64));
                return Err(CellFault::Value(format!(
                    "has {has} characters, but an xlsx cell holds at most {most}"
                )));
            }
            let format = if is_long(text) { &formats.long } else { &formats.plain };
            sheet.write_string_with_format(row, column, text, format)?
        }
        ColumnCell::Datatype(_) => sheet.write_string_with_format(row, column, text, &formats.plain)?,
        ColumnCell::Boolean(value) => sheet.write_boolean_with_format(row, column, *value, &formats.plain)?,
        ColumnCell::Integer(_) | ColumnCell::Decimal(_) => {
            let digits = LexicalDigits::read(text, true).map_or(0, |digits| digits.significant());
            if digits > DIGITS {
                return Err(CellFault::Value(format!(
                    "has {digits} digits, but an xlsx cell keeps only {DIGITS}"
                )));
            }
            sheet.write_number_with_format(row, column, number(text)?, &formats.plain)?
        }
        // The shortest digits of a float are the ones that people know it by.
        ColumnCell::Float(value) => {
            sheet.write_number_with_format(row, column, number(&value.to_string())?, &formats.plain)?
        }
        ColumnCell::Double(value) => {
            sheet.write_number_with_format(row, column, number(&value.to_string())?, &formats.plain)?
        }
        ColumnCell::Date(date) => {
            let date =
                day(*date).ok_or_else(|| unfit("is before 1900, where the calendar of xlsx begins"))?;
            sheet.write_datetime_with_format(row, column, &date, &formats.date)?
        }
        ColumnCell::Timestamp(TimestampValue { date, time, .. }) => {
            let date =
                day(*date).ok_or_else(|| unfit("is before 1900, where the calendar of xlsx begins"))?;
            let time_of_day =
                milliseconds(*time).ok_or_else(|| unfit("is finer than the milliseconds of xlsx"))?;
            let format = if time_of_day == 0 { &formats.time } else { &formats.time_with_fraction };
            let hour = u16::try_from(time.hour()).unwrap_or_default();
            let [minute, second] =
                [time.minute(), time.second()].map(|part| u8::try_from(part).unwrap_or_default());
            let time = date.and_hms_milli(hour, minute, second, time_of_day)?;
            sheet.write_datetime_with_format(row, column, &time, format)?
        }
    };
    Ok(())
}

/// Parses a number that fits into a cell: finite, and neither too great nor too close to zero.
fn number(text: &str) -> Result<f64, CellFault> {
    let number: f64 = text.parse().map_err(|_| CellFault::Value("is not a number".to_owned()))?;
    match number {
        _ if !number.is_finite() => {
            Err(CellFault::Value("is not a number that an xlsx cell can hold".to_owned()))
        }
        _ if number.abs() > GREATEST || number.is_subnormal() => {
            Err(CellFault::Value("is outside of the range of numbers in an xlsx cell".to_owned()))
        }
        _ => Ok(number),
    }
}

fn day(date: NaiveDate) -> Option<ExcelDateTime> {
    if date.year() < FIRST_YEAR {
        return None;
    }
    let [month, day] = [date.month(), date.day()].map(|part| u8::try_from(part).unwrap_or_default());
    ExcelDateTime::from_ymd(u16::try_from(date.year()).ok()?, month, day).ok()
}

/// The milliseconds of a time. `None` if it has a finer part.
fn milliseconds(time: NaiveTime) -> Option<u16> {
    let nanoseconds = time.nanosecond();
    if !nanoseconds.is_multiple_of(1_000_000) {
        return None;
    }
    u16::try_from(nanoseconds / 1_000_000).ok()
}
