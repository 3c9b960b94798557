//! Solutions as a GitHub Markdown table: one line for each row, with all text of the data escaped.

use std::io::{self, Write};

use oxrdf::{Term, Variable};

use crate::results::display::{datatype_suffix, is_number};
use crate::results::terminal_table::{HELD, HELD_BYTES};
use crate::results::web_link::web_link;
use crate::text::prefixes::QueryPrefixes;
use evalgraph_diagnostics::markdown::{code, plain};

/// Writes solutions as a table. A column is aligned to the right if its first rows are numbers.
pub(crate) struct MarkdownWriter<'p> {
    columns: Vec<MarkdownColumn>,
    prefixes: &'p QueryPrefixes,
    /// The first rows, until they are written.
    held: Vec<Vec<String>>,
    held_bytes: usize,
    has_header: bool,
}

/// A column, according to the rows so far.
struct MarkdownColumn {
    name: String,
    /// `true` if a value was bound, and each was a number.
    is_number: Option<bool>,
}

impl<'p> MarkdownWriter<'p> {
    pub(crate) fn new(variables: &[Variable], prefixes: &'p QueryPrefixes) -> Self {
        let column =
            |variable: &Variable| MarkdownColumn { name: variable.as_str().to_owned(), is_number: None };
        let columns = variables.iter().map(column).collect();
        Self { columns, prefixes, held: Vec::new(), held_bytes: 0, has_header: false }
    }

    pub(crate) fn add(&mut self, values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
        let cell = |value: &Option<Term>| value.as_ref().map_or_else(String::new, |term| self.cell(term));
        let cells: Vec<String> = values.iter().map(cell).collect();
        if self.has_header {
            return write_row(&cells, output);
        }
        for ((column, value), cell) in self.columns.iter_mut().zip(values).zip(&cells) {
            if let Some(term) = value {
                let is_number = matches!(term, Term::Literal(literal) if is_number(literal));
                column.is_number = Some(is_number && column.is_number != Some(false));
            }
            self.held_bytes += cell.len() + size_of::<String>();
        }
        self.held.push(cells);
        if self.held.len() >= HELD || self.held_bytes >= HELD_BYTES {
            self.write_held(output)?;
        }
        Ok(())
    }

    /// Writes the rows that are still held.
    pub(crate) fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        if self.has_header || self.columns.is_empty() {
            return Ok(());
        }
        self.write_held(output)
    }

    fn write_held(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.has_header = true;
        let names: Vec<String> = self.columns.iter().map(|column| plain(&column.name)).collect();
        write_row(&names, output)?;
        for column in &self.columns {
            output.write_all(if column.is_number == Some(true) { b"|--:" } else { b"|---" })?;
        }
        output.write_all(b"|\n")?;
        std::mem::take(&mut self.held).iter().try_for_each(|cells| write_row(cells, output))
    }

    fn cell(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(node) => {
                let iri = node.as_str();
                let shown = self.prefixes.shorten(iri).unwrap_or_else(|| iri.to_owned());
                match web_link(iri) {
                    Some(link) => format!("[{}](<{link}>)", inert(&shown)),
                    None => inert_line(&shown),
                }
            }
            Term::BlankNode(node) => plain(&format!("_:{}", node.as_str())),
            Term::Literal(literal) => {
                let text = literal.value().replace("\r\n", "\n");
                let lines = text.split('\n').map(inert_line).collect::<Vec<_>>().join("<br>");
                match (literal.language(), datatype_suffix(literal, self.prefixes)) {
                    // A page would read `@` as the mention of a person.
                    (Some(_), language) => format!("{lines} {}", code(&language)),
                    (None, datatype) => lines + &plain(&datatype),
                }
            }
        }
    }
}

fn write_row(cells: &[String], output: &mut impl Write) -> io::Result<()> {
    for cell in cells {
        write!(output, "| {cell} ")?;
    }
    output.write_all(b"|\n")
}

/// A line of a string. A page turns some strings into links and mentions even if they are escaped, but not in a code
/// span.
fn inert_line(line: &str) -> String {
    let mentions = line.split('@').skip(1).zip(line.split('@')).any(|(after, before)| {
        after.starts_with(char::is_alphanumeric) && !before.ends_with(char::is_alphanumeric)
    });
    if mentions || ["://", "www."].iter().any(|sign| line.contains(sign)) { code(line) } else { inert(line) }
}

/// Escapes a string, including the signs that delimit mathematics.
fn inert(text: &str) -> String {
    plain(text).replace('$', "\\$")
}
