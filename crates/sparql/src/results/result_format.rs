//! Writes the answer of SELECT and ASK: as a table, JSON objects with plain values, CSV, TSV, JSON and XML of the SPARQL
//! 1.1 recommendations, Markdown or a page. Graphs are written by the RDF writers.

use std::io::{self, BufWriter, Write};

use oxrdf::{Term, Variable};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};

use crate::evaluate::{EvaluationError, SolutionSequence};
use crate::results::html_page::{HtmlWriter, write_boolean_page};
use crate::results::markdown_table::MarkdownWriter;
use crate::results::plain_rows::PlainRowWriter;
use crate::results::terminal_table::{TableCell, TableLayout, TerminalTable};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};

/// How many bytes of results are collected before they are written.
const BUFFER: usize = 1 << 13;

/// The format in which solutions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// For a terminal.
    Table,
    /// Comma-separated values, without the kinds of terms.
    Csv,
    /// Tab-separated values, terms in Turtle's notation.
    Tsv,
    /// One JSON array of objects with plain values, one object per line.
    Json,
    /// One JSON object with plain values per line.
    Jsonl,
    /// SPARQL 1.1 Query Results JSON Format.
    SparqlJson,
    /// SPARQL Query Results XML Format.
    SparqlXml,
    /// A table of Markdown.
    Markdown,
    /// A page with a table.
    Html,
}

impl ResultFormat {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Table,
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Jsonl,
        Self::SparqlJson,
        Self::SparqlXml,
        Self::Markdown,
        Self::Html,
    ];

    /// The format by its name or its other name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name || format.alias() == Some(name))
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        ["table", "csv", "tsv", "json", "jsonl", "sparql-json", "sparql-xml", "md", "html"][self as usize]
    }

    /// Another name of the format, if it has one.
    pub fn alias(self) -> Option<&'static str> {
        match self {
            Self::SparqlXml => Some("xml"),
            Self::Markdown => Some("markdown"),
            _ => None,
        }
    }

    /// The media types, the registered or usual one first. `application/json` is the format of SPARQL, as its clients
    /// expect, so the array of plain values has none of its own.
    pub fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Table => &["text/plain"],
            Self::Csv => &["text/csv"],
            Self::Tsv => &["text/tab-separated-values"],
            Self::Json => &[],
            Self::Jsonl => &["application/x-ndjson", "application/jsonl"],
            Self::SparqlJson => &["application/sparql-results+json", "application/json"],
            Self::SparqlXml => &["application/sparql-results+xml", "application/xml", "text/xml"],
            Self::Markdown => &["text/markdown"],
            Self::Html => &["text/html"],
        }
    }

    fn standard(self) -> Option<QueryResultsFormat> {
        match self {
            Self::Table | Self::Json | Self::Jsonl | Self::Markdown | Self::Html => None,
            Self::Csv => Some(QueryResultsFormat::Csv),
            Self::Tsv => Some(QueryResultsFormat::Tsv),
            Self::SparqlJson => Some(QueryResultsFormat::Json),
            Self::SparqlXml => Some(QueryResultsFormat::Xml),
        }
    }
}

/// The reason why writing ended early.
#[derive(Debug)]
pub enum WriteError {
    /// The output cannot be written to.
    Io(io::Error),
    /// The evaluation failed before its end.
    Evaluation(EvaluationError),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Evaluation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<EvaluationError> for WriteError {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}

/// Writes solutions and returns their number. All formats write solutions as they come. The table and Markdown keep
/// their first rows, up to 10,000 or 16 MiB, to measure the columns.
///
/// # Errors
///
/// If the output cannot be written to, or the evaluation fails before its end. Solutions that were already written stay
/// in the output.
pub fn write_solutions(
    solutions: SolutionSequence<'_>,
    format: ResultFormat,
    layout: &TableLayout<'_>,
    output: impl Write,
) -> Result<u64, WriteError> {
    // A row consists of many small pieces, so writes are buffered.
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let count = write_rows(solutions, format, layout, &mut output)?;
    output.flush()?;
    Ok(count)
}

/// Like [`write_solutions`], but without a buffer: each solution is in the output before the next one is requested.
pub fn write_rows(
    solutions: SolutionSequence<'_>,
    format: ResultFormat,
    layout: &TableLayout<'_>,
    mut output: impl Write,
) -> Result<u64, WriteError> {
    let variables = solutions.variables().to_vec();
    let mut count = 0;
    if format == ResultFormat::Csv {
        let names: Vec<&str> = variables.iter().map(Variable::as_str).collect();
        write!(output, "{}\r\n", names.join(","))?;
        for solution in solutions {
            write_csv_row(solution?.values(), &mut output)?;
            count += 1;
        }
    } else if let Some(standard) = format.standard() {
        let serializer = QueryResultsSerializer::from_format(standard);
        let is_xml = format == ResultFormat::SparqlXml;
        let mut output = ReturnsAsReferences { output: &mut output, is_xml };
        let mut writer = serializer.serialize_solutions_to_writer(&mut output, variables)?;
        for solution in solutions {
            let solution = solution?;
            if is_xml {
                check_is_xml(solution.values())?;
            }
            writer.serialize(&solution)?;
            count += 1;
        }
        writer.finish()?;
        if matches!(format, ResultFormat::SparqlJson | ResultFormat::SparqlXml) {
            output.write_all(b"\n")?;
        }
    } else if matches!(format, ResultFormat::Json | ResultFormat::Jsonl) {
        let mut rows = PlainRowWriter::new(&variables);
        if format == ResultFormat::Json {
            rows = rows.in_array(&mut output)?;
        }
        for solution in solutions {
            rows.add(solution?.values(), &mut output)?;
            count += 1;
        }
        rows.finish(&mut output)?;
    } else if format == ResultFormat::Markdown {
        let mut table = MarkdownWriter::new(&variables, layout.prefixes);
        for solution in solutions {
            table.add(solution?.values(), &mut output)?;
            count += 1;
        }
        table.finish(&mut output)?;
    } else if format == ResultFormat::Html {
        let mut page = HtmlWriter::new(&variables, layout.prefixes, &mut output)?;
        for solution in solutions {
            page.add(solution?.values(), &mut output)?;
            count += 1;
        }
        page.finish(&mut output)?;
    } else {
        let mut table = TerminalTable::new(variables.iter().map(Variable::as_str), layout);
        for solution in solutions {
            let solution = solution?;
            let cell = |value: &Option<Term>| TableCell::from_term(value.as_ref(), layout.prefixes);
            table.add(solution.values().iter().map(cell), &mut output)?;
            count += 1;
        }
        table.finish(&mut output)?;
    }
    Ok(count)
}

/// Writes the answer of ASK.
///
/// # Errors
///
/// If the output cannot be written to.
pub fn write_boolean(answer: bool, format: ResultFormat, mut output: impl Write) -> io::Result<()> {
    match format.standard() {
        Some(standard) => {
            let serializer = QueryResultsSerializer::from_format(standard);
            serializer.serialize_boolean_to_writer(&mut output, answer)?;
            writeln!(output)?;
        }
        None if format == ResultFormat::Html => write_boolean_page(answer, &mut output)?,
        None => writeln!(output, "{answer}")?,
    }
    output.flush()
}

/// Writes a row of SPARQL 1.1 Query Results CSV: the string of each term, including IRIs, quoted according to RFC 4180.
fn write_csv_row(values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
    for (at, term) in values.iter().enumerate() {
        if at > 0 {
            output.write_all(b",")?;
        }
        match term {
            None => {}
            Some(Term::NamedNode(node)) => write_csv_cell(node.as_str(), output)?,
            Some(Term::BlankNode(node)) => write!(output, "{node}")?,
            Some(Term::Literal(literal)) => write_csv_cell(literal.value(), output)?,
        }
    }
    output.write_all(b"\r\n")
}

fn write_csv_cell(text: &str, output: &mut impl Write) -> io::Result<()> {
    if text.contains(['"', ',', '\r', '\n']) {
        return write!(output, "\"{}\"", text.replace('"', "\"\""));
    }
    output.write_all(text.as_bytes())
}

/// Writes carriage returns in XML as character references, since a parser turns literal ones into line feeds (XML 1.0,
/// 2.11).
struct ReturnsAsReferences<W> {
    output: W,
    is_xml: bool,
}

impl<W: Write> Write for ReturnsAsReferences<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if !self.is_xml {
            return self.output.write(buffer);
        }
        // A call writes up to the next carriage return. The caller passes the rest again, as for any short write.
        match buffer.iter().position(|byte| *byte == b'\r') {
            Some(0) => self.output.write_all(b"&#xD;").map(|()| 1),
            Some(at) => self.output.write(&buffer[..at]),
            None => self.output.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Checks that XML allows all characters of a row (XML 1.0, 2.2).
fn check_is_xml(values: &[Option<Term>]) -> Result<(), EvaluationError> {
    let is_none = |char: &char| matches!(char, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    for term in values.iter().flatten() {
        let text = match term {
            Term::NamedNode(node) => node.as_str(),
            Term::BlankNode(_) => continue,
            Term::Literal(literal) => literal.value(),
        };
        if let Some(char) = text.chars().find(is_none) {
            let message =
                format!("XML does not allow the character U+{:04X}, which is in the answer", u32::from(char));
            let fault = Diagnostic::error("output::character", message);
            return Err(Box::new(
                fault.with_help(help![setting("format").to("sparql-json"), " can write it"]),
            ));
        }
    }
    Ok(())
}
