//! Solutions as a table for a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use oxrdf::{Term, Variable};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::display::{display_term, is_number};
use super::prefixes::Prefixes;

/// The least width of a narrowed column.
const NARROWEST: usize = 4;
/// The space between two columns, in characters.
const GAP: usize = 2;
/// How many rows are held to measure the columns. Later rows are written as they come: a person does not read
/// further, and memory does not grow.
const HELD: usize = 10_000;
/// How many bytes of cells are held to measure the columns.
const HELD_BYTES: usize = 16 << 20;

/// Writes solutions as a table whose first rows determine the widths of its columns. Cells are clipped to
/// keep the table within the width, if there is one.
pub(super) struct TableWriter<'p> {
    columns: Vec<Column>,
    width: Option<usize>,
    prefixes: &'p Prefixes,
    /// The first rows, until they are written.
    held: Vec<Vec<String>>,
    held_bytes: usize,
    is_laid_out: bool,
    rows: u64,
}

/// A column, measured by the rows so far.
struct Column {
    name: String,
    is_number: bool,
    /// The width of the widest cell, later the width that the column may have.
    width: usize,
    /// Whether a cell of the column was clipped.
    is_cut: bool,
}

impl<'p> TableWriter<'p> {
    pub(super) fn new(variables: &[Variable], prefixes: &'p Prefixes, width: Option<usize>) -> Self {
        let column = |variable: &Variable| Column {
            name: variable.as_str().to_owned(),
            is_number: true,
            width: variable.as_str().width(),
            is_cut: false,
        };
        let columns = variables.iter().map(column).collect();
        Self { columns, width, prefixes, held: Vec::new(), held_bytes: 0, is_laid_out: false, rows: 0 }
    }

    pub(super) fn add(&mut self, values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
        self.rows += 1;
        let cell = |value: &Option<Term>| {
            value.as_ref().map_or_else(String::new, |term| display_term(term, self.prefixes))
        };
        let cells: Vec<String> = values.iter().map(cell).collect();
        if self.is_laid_out {
            return self.write_row(&cells, output);
        }
        for ((column, value), cell) in self.columns.iter_mut().zip(values).zip(&cells) {
            column.width = column.width.max(cell.width());
            column.is_number &= match value {
                Some(Term::Literal(literal)) => is_number(literal),
                None => true,
                Some(_) => false,
            };
            self.held_bytes += cell.len() + size_of::<String>();
        }
        self.held.push(cells);
        if self.held.len() >= HELD || self.held_bytes >= HELD_BYTES {
            self.lay_out(output)?;
        }
        Ok(())
    }

    /// Writes the rows that are still held, and the names of clipped columns.
    pub(super) fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        if !self.is_laid_out {
            self.lay_out(output)?;
        }
        let cut: Vec<&str> =
            self.columns.iter().filter(|column| column.is_cut).map(|column| column.name.as_str()).collect();
        match (self.rows, self.width, cut.as_slice()) {
            (0, ..) => writeln!(output, "0 rows"),
            (rows, Some(width), [_, ..]) => {
                let plural = if rows == 1 { "row" } else { "rows" };
                let line = format!("{rows} {plural}, cut to {width} columns: {}", cut.join(", "));
                writeln!(output, "{}", clipped(&line, width))
            }
            _ => Ok(()),
        }
    }

    /// Settles the widths of the columns, and writes the header and the rows that are held.
    fn lay_out(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.is_laid_out = true;
        if let Some(width) = self.width {
            self.share(width);
        }
        let held = std::mem::take(&mut self.held);
        for column in &mut self.columns {
            column.is_number &= !held.is_empty();
        }
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        self.write_row(&names, output)?;
        self.columns.iter_mut().for_each(|column| column.is_cut = false);
        let whole = self.columns.iter().map(|column| column.width + GAP).sum();
        writeln!(output, "{}", "─".repeat(whole))?;
        held.iter().try_for_each(|cells| self.write_row(cells, output))
    }

    /// Narrows columns that are too wide together: narrow columns stay as they are, wide columns share the
    /// rest of the width.
    fn share(&mut self, width: usize) {
        let count = self.columns.len();
        let mut left = width.saturating_sub(GAP * count);
        let mut order: Vec<&mut Column> = self.columns.iter_mut().collect();
        order.sort_by_key(|column| column.width);
        for (done, column) in order.into_iter().enumerate() {
            let share = (left / (count - done)).max(NARROWEST);
            column.width = column.width.min(share);
            left = left.saturating_sub(column.width);
        }
    }

    /// Writes a row. A cell wider than its column is clipped on a terminal, and written whole elsewhere.
    fn write_row(&mut self, cells: &[String], output: &mut impl Write) -> io::Result<()> {
        let mut line = String::new();
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            let shown = match self.width {
                Some(_) => clipped(cell, column.width),
                None => Cow::Borrowed(cell.as_str()),
            };
            column.is_cut |= matches!(shown, Cow::Owned(_));
            let blank = " ".repeat(column.width.saturating_sub(shown.width()));
            match column.is_number {
                true => line.extend([&blank, &*shown]),
                false => line.extend([&*shown, &blank]),
            }
            line.extend([" "; GAP]);
        }
        writeln!(output, "{}", line.trim_end())
    }
}

/// The beginning of a text that fits, with an ellipsis where something is left out.
fn clipped(text: &str, limit: usize) -> Cow<'_, str> {
    if text.width() <= limit {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut width = 1;
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width > limit {
            break;
        }
        out.push(c);
    }
    out.push('…');
    Cow::Owned(out)
}
