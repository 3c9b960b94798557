//! Solutions as a table for a terminal.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use oxrdf::{Term, Variable};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::display::{display_term, is_number};
use super::prefixes::Prefixes;

/// The narrowest that a column is made.
const NARROWEST: usize = 4;
/// What stands between two columns, in characters.
const GAP: usize = 2;

/// Collects solutions; a table is as wide as its widest cell, so all must be known.
pub(super) struct TableWriter<'p> {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    is_number: Vec<bool>,
    prefixes: &'p Prefixes,
}

impl<'p> TableWriter<'p> {
    pub(super) fn new(variables: &[Variable], prefixes: &'p Prefixes) -> Self {
        let header: Vec<String> = variables.iter().map(|variable| variable.as_str().to_owned()).collect();
        let is_number = vec![true; header.len()];
        Self { header, rows: Vec::new(), is_number, prefixes }
    }

    pub(super) fn add(&mut self, values: &[Option<Term>]) {
        for (is_number_column, value) in self.is_number.iter_mut().zip(values) {
            *is_number_column &= match value {
                Some(Term::Literal(literal)) => is_number(literal),
                None => true,
                Some(_) => false,
            };
        }
        let cell = |value: &Option<Term>| {
            value.as_ref().map_or_else(String::new, |term| display_term(term, self.prefixes))
        };
        self.rows.push(values.iter().map(cell).collect());
    }

    /// Writes the table; cells are clipped so that it is not wider than `width`.
    pub(super) fn finish(self, width: Option<usize>, output: &mut impl Write) -> io::Result<()> {
        if self.header.is_empty() {
            return Ok(());
        }
        let limits = width.map(|width| self.limits(width));
        let clip = |(column, text): (usize, &String)| match &limits {
            Some(limits) => clipped(text, limits[column]),
            None => text.clone(),
        };
        let mut table = Table::new();
        table
            .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')))
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.header.iter().enumerate().map(clip).collect::<Vec<_>>());
        for row in &self.rows {
            table.add_row(row.iter().enumerate().map(clip).collect::<Vec<_>>());
        }
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, u16::try_from(GAP).unwrap_or(1)));
            if self.is_number[at] && !self.rows.is_empty() {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            writeln!(output, "{}", line.trim_end())?;
        }
        let cut = limits.as_ref().map_or_else(Vec::new, |limits| self.cut(limits));
        let rows = self.rows.len();
        match (rows, width, cut.as_slice()) {
            (0, ..) => writeln!(output, "0 rows"),
            (rows, Some(width), [_, ..]) => {
                let plural = if rows == 1 { "row" } else { "rows" };
                let line = format!("{rows} {plural}, cut to {width} columns: {}", cut.join(", "));
                writeln!(output, "{}", clipped(&line, width))
            }
            _ => Ok(()),
        }
    }

    /// The names of the columns in which something is left out.
    fn cut(&self, limits: &[usize]) -> Vec<&str> {
        let is_cut = |&column: &usize| self.rows.iter().any(|row| row[column].width() > limits[column]);
        (0..self.header.len()).filter(is_cut).map(|column| self.header[column].as_str()).collect()
    }

    /// How wide each column may be: narrow ones as they are, the wide ones share what is left.
    fn limits(&self, width: usize) -> Vec<usize> {
        let natural: Vec<usize> = (0..self.header.len())
            .map(|column| {
                let cells = self.rows.iter().map(|row| row[column].width());
                cells.chain([self.header[column].width()]).max().unwrap_or(0)
            })
            .collect();
        let mut left = width.saturating_sub(GAP * natural.len());
        let mut order: Vec<usize> = (0..natural.len()).collect();
        order.sort_by_key(|&column| natural[column]);
        let mut limits = vec![0; natural.len()];
        for (done, &column) in order.iter().enumerate() {
            let share = (left / (natural.len() - done)).max(NARROWEST);
            limits[column] = natural[column].min(share);
            left = left.saturating_sub(limits[column]);
        }
        limits
    }
}

/// The beginning of a text that fits, with an ellipsis where something is left out.
fn clipped(text: &str, limit: usize) -> String {
    if text.width() <= limit {
        return text.to_owned();
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
    out
}
