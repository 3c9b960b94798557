//! Quads as columns of Parquet: each term as it is written, its number, and the value of an object in columns with types,
//! so that engines without RDF can join terms and compute with values.

use std::io::{self, Write};

use chrono::{DateTime, Utc};

use super::cells::ColumnCell;
use super::column_batch::ColumnBatch;
use super::column_facts::ColumnType;
use super::lexical_values::{ColumnDatatype, LexicalDigits, TimestampValue, boolean, date_time, floating};
use super::parquet::write_columns;

/// How many digits a decimal has, and how many of them after the point.
const DECIMAL: ColumnType = ColumnType::Decimal { precision: 38, scale: SCALE as u8 };
const SCALE: usize = 18;
const TIME: ColumnType = ColumnType::Timestamp { is_utc: true };

/// The columns of a file of quads. Those of the predicate are left out if the file has only one.
const COLUMNS: [(&str, ColumnType); 15] = [
    ("g_id", ColumnType::Integer),
    ("s_id", ColumnType::Integer),
    ("s", ColumnType::Text),
    (PREDICATE[0], ColumnType::Integer),
    (PREDICATE[1], ColumnType::Text),
    ("o_id", ColumnType::Integer),
    ("o", ColumnType::Text),
    ("o_kind", ColumnType::Text),
    ("o_datatype", ColumnType::Text),
    ("o_lang", ColumnType::Text),
    ("o_num", DECIMAL),
    ("o_dbl", ColumnType::Double),
    ("o_bool", ColumnType::Boolean),
    ("o_time", TIME),
    ("o_zoned", ColumnType::Boolean),
];
const PREDICATE: [&str; 2] = ["p_id", "p"];

/// The columns of the file of graphs.
const OF_GRAPHS: [(&str, ColumnType); 4] = [
    ("g_id", ColumnType::Integer),
    ("g", ColumnType::Text),
    ("file", ColumnType::Text),
    ("quads", ColumnType::Integer),
];

/// A term of a row: its number, and its text.
#[derive(Debug, Clone)]
pub(crate) struct NumberedTerm {
    pub(crate) number: i64,
    pub(crate) text: String,
}

/// A row of a file of quads.
#[derive(Debug)]
pub(crate) struct QuadRow<'r> {
    pub(crate) graph: i64,
    pub(crate) subject: &'r NumberedTerm,
    pub(crate) predicate: &'r NumberedTerm,
    pub(crate) object: &'r NumberedTerm,
    /// `blank`, `iri` or `literal`.
    pub(crate) kind: &'static str,
    pub(crate) datatype: Option<&'r str>,
    pub(crate) language: Option<&'r str>,
}

/// A row of the file of graphs.
#[derive(Debug)]
pub(crate) struct GraphRow {
    pub(crate) graph: NumberedTerm,
    /// The path of its file.
    pub(crate) file: Option<String>,
    pub(crate) quads: u64,
}

/// Writes rows of quads that `rows` passes on, in their order.
///
/// # Errors
///
/// Fails if the output cannot be written, or with the error of `rows`.
pub(crate) fn write_quads(
    has_predicate: bool,
    rows: impl FnOnce(&mut dyn FnMut(QuadRow<'_>) -> io::Result<()>) -> io::Result<()>,
    output: impl Write + Send,
) -> io::Result<()> {
    let is_there = move |name: &str| has_predicate || !PREDICATE.contains(&name);
    let columns = move || COLUMNS.into_iter().filter(move |(name, _)| is_there(name));
    let empty = || ColumnBatch::new(columns().map(|(_, column_type)| column_type));
    let batches = |visitor: &mut dyn FnMut(ColumnBatch) -> io::Result<()>| {
        let mut batch = empty();
        rows(&mut |row| {
            let cells = cells(&row);
            let cells = COLUMNS.into_iter().zip(cells).filter(|((name, _), _)| is_there(name));
            batch.push(cells.map(|(_, cell)| cell));
            if batch.is_full() { visitor(std::mem::replace(&mut batch, empty())) } else { Ok(()) }
        })?;
        if batch.rows > 0 { visitor(batch) } else { Ok(()) }
    };
    write_columns("quads", columns(), None, batches, output)
}

/// Writes the file of graphs.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub(crate) fn write_graphs(rows: &[GraphRow], output: impl Write + Send) -> io::Result<()> {
    let mut batch = ColumnBatch::new(OF_GRAPHS.iter().map(|(_, column_type)| *column_type));
    for GraphRow { graph, file, quads } in rows {
        let cells = [
            Some(ColumnCell::Integer(graph.number)),
            Some(ColumnCell::Text(&graph.text)),
            file.as_deref().map(ColumnCell::Text),
            i64::try_from(*quads).ok().map(ColumnCell::Integer),
        ];
        batch.push(cells.into_iter());
    }
    write_columns("graphs", OF_GRAPHS.into_iter(), None, |visitor| visitor(batch), output)
}

/// Returns the cells of a row, in the order of [`COLUMNS`].
fn cells<'r>(row: &QuadRow<'r>) -> [Option<ColumnCell<'r>>; COLUMNS.len()] {
    let [number, double, boolean, time, is_zoned] = match row.datatype.filter(|_| row.language.is_none()) {
        Some(datatype) => values(&row.object.text, datatype),
        None => [const { None }; 5],
    };
    [
        Some(ColumnCell::Integer(row.graph)),
        Some(ColumnCell::Integer(row.subject.number)),
        Some(ColumnCell::Text(&row.subject.text)),
        Some(ColumnCell::Integer(row.predicate.number)),
        Some(ColumnCell::Text(&row.predicate.text)),
        Some(ColumnCell::Integer(row.object.number)),
        Some(ColumnCell::Text(&row.object.text)),
        Some(ColumnCell::Text(row.kind)),
        row.datatype.map(ColumnCell::Text),
        row.language.map(ColumnCell::Text),
        number,
        double,
        boolean,
        time,
        is_zoned,
    ]
}

/// Returns the value of a literal in the columns for numbers, floating-point numbers, booleans and times, and whether a
/// time has a zone. A value that its column cannot hold exactly has none.
fn values(text: &str, datatype: &str) -> [Option<ColumnCell<'static>>; 5] {
    let mut values = [const { None }; 5];
    match ColumnDatatype::from_datatype(datatype) {
        kind @ (ColumnDatatype::Integer | ColumnDatatype::Decimal) => {
            let digits = LexicalDigits::read(text, kind == ColumnDatatype::Decimal);
            values[0] = digits.and_then(|digits| digits.unscaled(SCALE)).map(ColumnCell::Decimal);
        }
        ColumnDatatype::Float => {
            values[1] = floating::<f32>(text).map(|value| ColumnCell::Double(value.into()));
        }
        ColumnDatatype::Double => values[1] = floating(text).map(ColumnCell::Double),
        ColumnDatatype::Boolean => values[2] = boolean(text).map(ColumnCell::Boolean),
        ColumnDatatype::DateTime => {
            if let Some((time, is_zoned)) = time_of(text) {
                values[3] = Some(ColumnCell::Timestamp(time));
                values[4] = Some(ColumnCell::Boolean(is_zoned));
            }
        }
        ColumnDatatype::Text | ColumnDatatype::Date | ColumnDatatype::Other => {}
    }
    values
}

/// Returns a point in time in UTC, and whether it has a zone. A time without a zone is taken as it is.
fn time_of(text: &str) -> Option<(TimestampValue, bool)> {
    if let Some(time) = date_time(text) {
        return Some((time, time.is_utc));
    }
    // The same time in UTC, whose text loses nothing.
    let time: DateTime<Utc> = DateTime::parse_from_rfc3339(text).ok()?.into();
    let time = date_time(&time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))?;
    Some((time, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact_or_missing() {
        let xsd = |name: &str| format!("http://www.w3.org/2001/XMLSchema#{name}");
        let shown = |text: &str, name: &str| {
            let values = values(text, &xsd(name));
            values.iter().map(|value| value.as_ref().map(|value| format!("{value:?}"))).collect::<Vec<_>>()
        };
        assert_eq!(shown("-1.5", "decimal")[0].as_deref(), Some("Decimal(-1500000000000000000)"));
        assert_eq!(shown("007", "unsignedByte")[0].as_deref(), Some("Decimal(7000000000000000000)"));
        assert_eq!(shown("0.1234567890123456789", "decimal")[0], None);
        assert_eq!(shown("1e3", "decimal")[0], None);
        assert_eq!(shown("1e3", "double")[1].as_deref(), Some("Double(1000.0)"));
        assert_eq!(shown("1", "boolean")[2].as_deref(), Some("Boolean(true)"));
        assert_eq!(shown("yes", "boolean")[2], None);
        assert_eq!(
            shown("2026-01-01T01:00:00+01:00", "dateTime")[3..],
            shown("2026-01-01T00:00:00Z", "dateTime")[3..]
        );
        assert_eq!(shown("2026-01-01T00:00:00", "dateTime")[4].as_deref(), Some("Boolean(false)"));
        assert_eq!(shown("1.5", "string"), [const { None }; 5]);
    }
}
