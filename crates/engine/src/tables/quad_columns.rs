//! Quads as columns of Parquet: each term as it is written, its number, and the value of an object in columns with types,
//! so that engines without RDF can join terms and compute with values.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};

use chrono::{DateTime, Datelike};

use super::cells::ColumnCell;
use super::column_batch::ColumnBatch;
use super::column_facts::ColumnType;
use super::lexical_values::TimestampValue;
use super::parquet::{ColumnOrder, ParquetFile, read_columns, write_columns};
use evalgraph_sparql::ColumnValue;

/// How many digits a decimal has, and how many of them after the point.
const DECIMAL: ColumnType = ColumnType::Decimal { precision: 38, scale: 18 };
/// The largest decimal, in units of its last digit.
const MOST: u128 = 10_u128.pow(38) - 1;
const TIME: ColumnType = ColumnType::Timestamp { is_utc: true };

/// The columns of a file of quads. Those of the predicate are left out if the file has only one.
const COLUMNS: [(&str, ColumnType); 16] = [
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
    ("is_first", ColumnType::Boolean),
];
/// Rows are sorted by the numbers of predicate and subject.
const ORDER: ColumnOrder = ColumnOrder { ascending: &["s_id"], varied: &["o_id"], unordered: &["s", "o"] };
const OF_GRAPH: [&str; 2] = ["g_id", "is_first"];
const PREDICATE: [&str; 2] = ["p_id", "p"];

/// The columns of the file of graphs.
const OF_GRAPHS: [(&str, ColumnType); 4] = [
    ("g_id", ColumnType::Integer),
    ("g", ColumnType::Text),
    ("file", ColumnType::Text),
    ("quads", ColumnType::Integer),
];

/// A column for a description.
#[derive(Debug, Clone)]
pub(crate) struct DescribedColumn {
    pub(crate) name: Cow<'static, str>,
    /// The data type in Croissant.
    pub(crate) data_type: &'static str,
    pub(crate) description: &'static str,
}

impl DescribedColumn {
    fn new(name: &'static str, column_type: ColumnType) -> Self {
        let data_type = match column_type {
            ColumnType::Text => "sc:Text",
            ColumnType::Boolean => "sc:Boolean",
            ColumnType::Integer => "cr:Int64",
            ColumnType::Decimal { .. } => "sc:Number",
            ColumnType::Float => "cr:Float32",
            ColumnType::Double => "cr:Float64",
            ColumnType::Date => "sc:Date",
            ColumnType::Timestamp { .. } => "sc:DateTime",
        };
        Self { name: Cow::Borrowed(name), data_type, description: meaning(name) }
    }
}

/// The columns of the file of graphs, for a description.
pub(crate) fn graph_columns() -> Vec<DescribedColumn> {
    OF_GRAPHS.iter().map(|(name, column_type)| DescribedColumn::new(name, *column_type)).collect()
}

/// Returns the columns of a file that was written before, for a description.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub(crate) fn columns_of_file(file: File) -> io::Result<Vec<DescribedColumn>> {
    let column = |(name, column_type)| DescribedColumn {
        name: Cow::Owned(name),
        description: "A column of the answer",
        ..DescribedColumn::new("", column_type)
    };
    Ok(read_columns(file)?.into_iter().map(column).collect())
}

/// Returns what a column has.
fn meaning(name: &str) -> &'static str {
    match name {
        "g_id" => "The number of the graph's name",
        "s_id" => "The number of the subject",
        "p_id" => "The number of the predicate",
        "o_id" => "The number of the object",
        "g" => "The name of the graph",
        "s" => "The IRI of the subject; a blank node has none",
        "p" => "The IRI of the predicate",
        "o" => "The IRI or the lexical form of the object; a blank node has neither",
        "o_kind" => "Whether the object is an `iri`, `blank` or a `literal`",
        "o_datatype" => "The datatype of a literal",
        "o_lang" => "The language of a literal",
        "o_num" => "The value of an integer or a decimal",
        "o_dbl" => "The nearest double of a number",
        "o_bool" => "The value of an xsd:boolean",
        "o_time" => "The point in time of an xsd:dateTime, in UTC",
        "o_zoned" => "Whether the point in time was written with a zone",
        "is_first" => "Whether no row before has the same subject, predicate and object",
        "file" => "The path of the file that the graph was read from",
        "quads" => "How many quads the graph has",
        _ => "",
    }
}

/// A term of a row: its number, and its text. A blank node has none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedTerm<'t> {
    pub(crate) number: i64,
    pub(crate) text: Option<&'t str>,
}

/// A row of a file of quads.
#[derive(Debug)]
pub(crate) struct QuadRow<'r> {
    pub(crate) graph: i64,
    pub(crate) subject: NumberedTerm<'r>,
    pub(crate) predicate: NumberedTerm<'r>,
    pub(crate) object: NumberedTerm<'r>,
    /// `blank`, `iri` or `literal`.
    pub(crate) kind: &'static str,
    pub(crate) datatype: Option<&'r str>,
    pub(crate) language: Option<&'r str>,
    /// `true` if no row before it has the same triple, in another graph.
    pub(crate) is_first: bool,
}

/// A row of the file of graphs.
#[derive(Debug)]
pub(crate) struct GraphRow<'r> {
    pub(crate) graph: NumberedTerm<'r>,
    /// The path of its file.
    pub(crate) file: Option<&'r str>,
    pub(crate) quads: u64,
}

/// What the rows of a file share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuadFileKind {
    /// Nothing: the file has all columns.
    All,
    /// The predicate, which has no columns.
    Predicate,
    /// The predicate. A row says that its subject leads to its object over one or more steps, in the union of all graphs.
    Closure,
}

impl QuadFileKind {
    /// Returns whether files have a column.
    fn has(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Predicate => !PREDICATE.contains(&name),
            Self::Closure => !PREDICATE.contains(&name) && !OF_GRAPH.contains(&name),
        }
    }

    /// Returns the columns of files for a description.
    pub(crate) fn described(self) -> Vec<DescribedColumn> {
        self.columns().map(|(name, column_type)| DescribedColumn::new(name, column_type)).collect()
    }

    /// Returns the columns of files, in their order.
    fn columns(self) -> impl Iterator<Item = (&'static str, ColumnType)> {
        COLUMNS.into_iter().filter(move |(name, _)| self.has(name))
    }
}

/// A file of quads that is written row by row.
pub(crate) struct QuadFileWriter<W: Write + Send> {
    file: ParquetFile<W>,
    batch: ColumnBatch,
    kind: QuadFileKind,
    /// `true` for each of [`COLUMNS`] that the file has.
    is_there: [bool; COLUMNS.len()],
}

impl<W: Write + Send> QuadFileWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(crate) fn new(kind: QuadFileKind, output: W) -> io::Result<Self> {
        let file = ParquetFile::new("quads", kind.columns(), None, ORDER, output)?;
        let is_there = COLUMNS.map(|(name, _)| kind.has(name));
        Ok(Self { file, batch: empty_batch(kind), kind, is_there })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(crate) fn write(&mut self, row: &QuadRow<'_>) -> io::Result<()> {
        let cells = cells(row).into_iter().zip(self.is_there).filter(|(_, is_there)| *is_there);
        self.batch.push(cells.map(|(cell, _)| cell));
        if !self.batch.is_full() {
            return Ok(());
        }
        self.file.write(std::mem::replace(&mut self.batch, empty_batch(self.kind)))
    }

    /// Writes the end of the file, and returns the output.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if self.batch.rows > 0 {
            self.file.write(self.batch)?;
        }
        self.file.finish()
    }
}

fn empty_batch(kind: QuadFileKind) -> ColumnBatch {
    ColumnBatch::new(kind.columns().map(|(_, column_type)| column_type))
}

/// Writes the file of graphs.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub(crate) fn write_graphs(rows: &[GraphRow<'_>], output: impl Write + Send) -> io::Result<()> {
    let mut batch = ColumnBatch::new(OF_GRAPHS.iter().map(|(_, column_type)| *column_type));
    for GraphRow { graph, file, quads } in rows {
        let cells = [
            Some(ColumnCell::Integer(graph.number)),
            graph.text.map(ColumnCell::Text),
            file.map(ColumnCell::Text),
            i64::try_from(*quads).ok().map(ColumnCell::Integer),
        ];
        batch.push(cells.into_iter());
    }
    write_columns("graphs", OF_GRAPHS.into_iter(), None, |visitor| visitor(batch), output)
}

/// Returns the cells of a row, in the order of [`COLUMNS`].
fn cells<'r>(row: &QuadRow<'r>) -> [Option<ColumnCell<'r>>; COLUMNS.len()] {
    let [number, double, boolean, time, is_zoned] = match row.datatype.filter(|_| row.language.is_none()) {
        Some(datatype) => values(row.object.text.unwrap_or_default(), datatype),
        None => [const { None }; 5],
    };
    [
        Some(ColumnCell::Integer(row.graph)),
        Some(ColumnCell::Integer(row.subject.number)),
        row.subject.text.map(ColumnCell::Text),
        Some(ColumnCell::Integer(row.predicate.number)),
        row.predicate.text.map(ColumnCell::Text),
        Some(ColumnCell::Integer(row.object.number)),
        row.object.text.map(ColumnCell::Text),
        Some(ColumnCell::Text(row.kind)),
        row.datatype.map(ColumnCell::Text),
        row.language.map(ColumnCell::Text),
        number,
        double,
        boolean,
        time,
        is_zoned,
        Some(ColumnCell::Boolean(row.is_first)),
    ]
}

/// Returns the value of a literal in the columns for numbers, floating-point numbers, booleans and times, and whether a
/// time has a zone. A literal has the value that it has in queries, unless its column cannot hold that exactly.
fn values(text: &str, datatype: &str) -> [Option<ColumnCell<'static>>; 5] {
    let mut values = [const { None }; 5];
    match ColumnValue::from_lexical_form(text, datatype) {
        // Every number has its nearest double, so that numbers of all types can be compared.
        Some(ColumnValue::Exact { units, double }) if units.unsigned_abs() <= MOST => {
            values[0] = Some(ColumnCell::Decimal(units));
            values[1] = Some(ColumnCell::Double(double));
        }
        Some(ColumnValue::Floating(value)) => values[1] = Some(ColumnCell::Double(value)),
        Some(ColumnValue::Boolean(value)) => values[2] = Some(ColumnCell::Boolean(value)),
        Some(ColumnValue::Instant { units, is_zoned }) => {
            if let Some(time) = time_of(units) {
                values[3] = Some(ColumnCell::Timestamp(time));
                values[4] = Some(ColumnCell::Boolean(is_zoned));
            }
        }
        Some(ColumnValue::Exact { .. }) | None => {}
    }
    values
}

/// Returns the point in time that is so many units of 10⁻¹⁸ s after the beginning of the year 1. `None` if it has a
/// fraction of a microsecond, or is outside of the years 1 to 9999, which all readers support.
fn time_of(units: i128) -> Option<TimestampValue> {
    const IN_MICROSECOND: i128 = 1_000_000_000_000;
    /// The microseconds from the beginning of the year 1 to that of 1970.
    const UNTIL_1970: i64 = 62_135_596_800_000_000;
    let microseconds = i64::try_from(units / IN_MICROSECOND).ok().filter(|_| units % IN_MICROSECOND == 0)?;
    let time = DateTime::from_timestamp_micros(microseconds.checked_sub(UNTIL_1970)?)?.naive_utc();
    (1..=9999).contains(&time.year()).then(|| TimestampValue {
        date: time.date(),
        time: time.time(),
        is_utc: true,
    })
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
        assert_eq!(
            shown("99999999999999999999.5", "decimal")[0].as_deref(),
            Some("Decimal(99999999999999999999500000000000000000)")
        );
        assert_eq!(shown("100000000000000000000", "decimal")[0], None);
        assert_eq!(shown("9223372036854775808", "integer")[0], None);
        assert_eq!(shown("300", "byte")[0], None);
        assert_eq!(shown("1e3", "decimal")[0], None);
        assert_eq!(shown("1e3", "double")[1].as_deref(), Some("Double(1000.0)"));
        assert_eq!(shown("1", "boolean")[2].as_deref(), Some("Boolean(true)"));
        assert_eq!(shown("yes", "boolean")[2], None);
        assert_eq!(
            shown("2026-01-01T01:00:00+01:00", "dateTime")[3..],
            shown("2026-01-01T00:00:00Z", "dateTime")[3..]
        );
        assert_eq!(shown("2026-01-01T00:00:00", "dateTime")[4].as_deref(), Some("Boolean(false)"));
        for (text, is_held) in [
            ("1970-01-01T00:00:00.000001Z", true),
            ("1970-01-01T00:00:00.0000001Z", false),
            ("0001-01-01T00:00:00Z", true),
            ("0000-12-31T23:59:59Z", false),
            ("9999-12-31T23:59:59.999999Z", true),
            ("10000-01-01T00:00:00Z", false),
        ] {
            assert_eq!(shown(text, "dateTime")[3].is_some(), is_held, "{text}");
        }
        assert_eq!(shown("1.5", "string"), [const { None }; 5]);
    }
}
