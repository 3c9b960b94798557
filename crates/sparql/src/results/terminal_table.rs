//! Solutions as a table for a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use oxrdf::{Term, Variable};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::results::display::{display_term, is_number};
use crate::text::prefixes::QueryPrefixes;
use evalgraph_diagnostics::thousands;

/// A clipped column that is narrower than this cannot be read. Rows then become blocks.
const READABLE: usize = 12;
/// The width of a day, such as 2025-12-31.
const DAY: usize = 10;
/// The space between two columns, in characters.
const GAP: usize = 2;
/// How many rows are kept to measure the columns. Later rows are written as they come: people do not read further, and
/// memory does not grow.
pub(crate) const HELD: usize = 10_000;
/// How many bytes of cells are kept to measure the columns.
pub(crate) const HELD_BYTES: usize = 16 << 20;
/// How many lines of a value are shown in a block.
const LINES: usize = 6;

/// How rows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableForm {
    /// A line for each row. If too little of the columns would fit, like [`TableForm::Blocks`].
    #[default]
    Fitting,
    /// A line for each row, of any width.
    Wide,
    /// A block for each row, with a line for each value.
    Blocks,
}

/// The layout of a table.
#[derive(Debug, Clone)]
pub struct TableLayout<'p> {
    /// The prefixes that shorten IRIs.
    pub prefixes: &'p QueryPrefixes,
    /// The width of the terminal, to which cells are clipped; without a width no cell is clipped.
    pub width: Option<usize>,
    /// How rows are laid out.
    pub form: TableForm,
    /// How many rows are shown. Further rows are only counted.
    pub shown: Option<u64>,
    /// A hint how to see everything, shown if something is left out.
    pub help: &'p str,
}

impl<'p> TableLayout<'p> {
    /// A table that is as wide as its cells, with all rows.
    pub fn new(prefixes: &'p QueryPrefixes) -> Self {
        Self { prefixes, width: None, form: TableForm::Fitting, shown: None, help: "" }
    }
}

/// Writes solutions as a table whose first rows determine the widths of its columns. Cells are clipped to
/// keep the table within the width, if there is one.
pub(crate) struct TableWriter<'p> {
    columns: Vec<TerminalColumn>,
    layout: TableLayout<'p>,
    /// The first rows, until they are written.
    held: Vec<Vec<String>>,
    held_bytes: usize,
    is_laid_out: bool,
    is_in_blocks: bool,
    rows: u64,
    /// How many blocks were written.
    blocks: u64,
}

/// A column, measured by the rows so far.
struct TerminalColumn {
    name: String,
    is_number: bool,
    /// `true` if all cells are IRIs and paths. These get the room that texts leave, because their end says enough.
    is_of_names: bool,
    /// `true` if all cells are times, which may be shortened to the day.
    is_of_times: bool,
    /// The width of the widest cell, later the width that the column may have.
    width: usize,
    /// `true` if a cell of the column was clipped.
    is_cut: bool,
    /// The folder that all paths of the column begin with, if it is left out.
    folder: String,
}

impl<'p> TableWriter<'p> {
    pub(crate) fn new(variables: &[Variable], layout: &TableLayout<'p>) -> Self {
        let column = |variable: &Variable| TerminalColumn {
            name: variable.as_str().to_owned(),
            is_number: true,
            is_of_names: true,
            is_of_times: true,
            width: variable.as_str().width(),
            is_cut: false,
            folder: String::new(),
        };
        let columns = variables.iter().map(column).collect();
        let is_in_blocks = layout.form == TableForm::Blocks;
        Self {
            columns,
            layout: layout.clone(),
            held: Vec::new(),
            held_bytes: 0,
            is_laid_out: false,
            is_in_blocks,
            rows: 0,
            blocks: 0,
        }
    }

    pub(crate) fn add(&mut self, values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
        self.rows += 1;
        if self.layout.shown.is_some_and(|shown| self.rows > shown) {
            return Ok(());
        }
        let cell = |value: &Option<Term>| {
            value.as_ref().map_or_else(String::new, |term| display_term(term, self.layout.prefixes))
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
            column.is_of_names &= cell.is_empty() || is_name(cell);
            column.is_of_times &= cell.is_empty() || is_time(cell);
            self.held_bytes += cell.len() + size_of::<String>();
        }
        self.held.push(cells);
        if self.held.len() >= HELD || self.held_bytes >= HELD_BYTES {
            self.lay_out(output)?;
        }
        Ok(())
    }

    /// Writes the rows that are still kept. On a terminal, also writes the number of rows and which columns were
    /// clipped.
    pub(crate) fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        if !self.is_laid_out {
            self.lay_out(output)?;
        }
        let Some(width) = self.layout.width else {
            return if self.rows == 0 { writeln!(output, "0 rows") } else { Ok(()) };
        };
        let mut footer =
            if self.rows == 1 { "1 row".to_owned() } else { format!("{} rows", thousands(self.rows)) };
        let shown = self.layout.shown.filter(|shown| *shown < self.rows);
        if let Some(shown) = shown {
            footer += &format!(", the first {} shown", thousands(shown));
        }
        for column in self.columns.iter().filter(|column| !column.folder.is_empty()) {
            footer += &format!(", {} in {}", column.name, column.folder);
        }
        let cut: Vec<&str> =
            self.columns.iter().filter(|column| column.is_cut).map(|column| column.name.as_str()).collect();
        if !cut.is_empty() {
            footer += &format!(", cut to {width} columns: {}", cut.join(", "));
        }
        if !self.layout.help.is_empty() && (shown.is_some() || !cut.is_empty()) {
            footer += &format!(" ({})", self.layout.help);
        }
        writeln!(output, "{}", clipped(&footer, width))
    }

    /// Determines the widths of the columns, and writes the header and the kept rows.
    fn lay_out(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.is_laid_out = true;
        let width = self.layout.width.filter(|_| self.layout.form != TableForm::Wide);
        if let (Some(width), false) = (width, self.is_in_blocks) {
            self.share(width);
        }
        let held = std::mem::take(&mut self.held);
        for column in &mut self.columns {
            column.is_number &= !held.is_empty();
        }
        if !self.is_in_blocks {
            let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
            self.write_line(&names, output)?;
            // Only clipped values are worth a remark, not a clipped header.
            self.columns.iter_mut().for_each(|column| column.is_cut = false);
            let whole = self.columns.iter().map(|column| column.width + GAP).sum();
            writeln!(output, "{}", "─".repeat(whole))?;
        }
        held.iter().try_for_each(|cells| self.write_row(cells, output))
    }

    /// Narrows the columns if they are too wide together. Times are shortened to the day, and paths lose the folder that
    /// they have in common. Then each column gets a readable width, texts get the room first, and IRIs and paths what
    /// texts leave. If the columns cannot all be readable, rows become blocks.
    fn share(&mut self, width: usize) {
        let room = width.saturating_sub(GAP * self.columns.len());
        if self.columns.iter().map(|column| column.width).sum::<usize>() <= room {
            return;
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            if column.is_of_times {
                column.width = column.width.min(DAY.max(column.name.width()));
            } else if column.is_of_names {
                column.leave_out_folder(&self.held, at);
            }
        }
        let least: usize = self.columns.iter().map(|column| column.width.min(READABLE)).sum();
        if least > room && !self.held.is_empty() {
            // Blocks have room for whole paths.
            self.columns.iter_mut().for_each(|column| column.folder.clear());
            self.is_in_blocks = true;
            return;
        }
        let mut left = room.saturating_sub(least);
        let (mut names, mut texts): (Vec<_>, Vec<_>) =
            self.columns.iter_mut().partition(|column| column.is_of_names);
        for columns in [&mut texts, &mut names] {
            // Narrow columns come first: what they do not need of their share is left for the wider ones.
            columns.sort_by_key(|column| column.width);
            let mut others = columns.len();
            for column in columns {
                let wanted = column.width.saturating_sub(READABLE);
                let more = wanted.min(left / others);
                column.width = column.width.min(READABLE + more);
                left -= more;
                others -= 1;
            }
        }
    }

    fn write_row(&mut self, cells: &[String], output: &mut impl Write) -> io::Result<()> {
        if self.is_in_blocks { self.write_block(cells, output) } else { self.write_line(cells, output) }
    }

    /// Writes a row as a line. A cell wider than its column is clipped on a terminal, and written in full elsewhere.
    fn write_line(&mut self, cells: &[String], output: &mut impl Write) -> io::Result<()> {
        let clips = self.layout.width.is_some() && self.layout.form != TableForm::Wide;
        let mut line = String::new();
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            let cell = cell.strip_prefix(&column.folder).unwrap_or(cell);
            let shown = if clips { clipped_cell(cell, column.width) } else { Cow::Borrowed(cell) };
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

    /// Writes a row as a block: one line for each bound value, or a few lines for a long one.
    fn write_block(&mut self, cells: &[String], output: &mut impl Write) -> io::Result<()> {
        self.blocks += 1;
        let title = format!("── {} ", thousands(self.blocks));
        let whole = self.layout.width.unwrap_or(title.width());
        writeln!(output, "{title}{}", "─".repeat(whole.saturating_sub(title.width())))?;
        let names = self.columns.iter().map(|column| column.name.width()).max().unwrap_or_default();
        let room = self.layout.width.map(|width| width.saturating_sub(names + GAP).max(READABLE));
        let most = if self.layout.form == TableForm::Wide { usize::MAX } else { LINES };
        for (column, cell) in self.columns.iter_mut().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let mut lines = room.map_or_else(|| vec![cell.as_str()], |room| lines(cell, room));
            let is_cut = lines.len() > most;
            column.is_cut |= is_cut;
            lines.truncate(most);
            for (number, line) in lines.iter().enumerate() {
                let name = if number == 0 { column.name.as_str() } else { "" };
                let blank = " ".repeat(names.saturating_sub(name.width()) + GAP);
                let line = match room.filter(|_| is_cut && number + 1 == most) {
                    Some(room) => clipped(&format!("{line} …"), room).into_owned(),
                    None => (*line).to_owned(),
                };
                writeln!(output, "{}", format!("{name}{blank}{line}").trim_end())?;
            }
        }
        Ok(())
    }
}

impl TerminalColumn {
    /// Leaves out the folder that the paths in all held rows begin with, and measures the column anew.
    fn leave_out_folder(&mut self, held: &[Vec<String>], at: usize) {
        let cells = || held.iter().map(|cells| cells[at].as_str()).filter(|cell| !cell.is_empty());
        let Some(first) = cells().next() else { return };
        let common = cells().fold(first, |common, cell| {
            let same = common.char_indices().zip(cell.chars()).find(|((_, a), b)| a != b);
            let end = same.map_or(common.len().min(cell.len()), |((end, _), _)| end);
            &common[..end]
        });
        let Some(end) = common.rfind('/').filter(|_| held.len() > 1 && !common.contains(':')) else { return };
        self.folder = common[..=end].to_owned();
        let widths = cells().map(|cell| cell[self.folder.len()..].width());
        self.width = widths.max().unwrap_or_default().max(self.name.width());
    }
}

/// Breaks a string into lines of at most `room` characters, between words if possible.
fn lines(text: &str, room: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > room {
        let mut width = 0;
        let fitting = rest.char_indices().find(|(_, c)| {
            width += c.width().unwrap_or(0);
            width > room
        });
        // A character that is wider than the room would never be taken off.
        let Some((end, _)) = fitting.filter(|(end, _)| *end > 0) else { break };
        let (head, _) = rest.split_at(end);
        let end = head.rfind(' ').filter(|at| *at > end / 2).map_or(end, |at| at + 1);
        let (line, behind) = rest.split_at(end);
        lines.push(line.trim_end());
        rest = behind;
    }
    lines.push(rest);
    lines
}

/// The part of a cell that fits: the end of an IRI or a path, which distinguishes it from others, the day of a time, or
/// the beginning of a string.
fn clipped_cell(cell: &str, limit: usize) -> Cow<'_, str> {
    if is_time(cell) && cell.len() > limit && limit >= DAY {
        return Cow::Owned(cell.chars().take(DAY).collect());
    }
    if is_name(cell) { clipped_front(cell, limit) } else { clipped(cell, limit) }
}

/// Returns whether a cell is an IRI or a path.
fn is_name(cell: &str) -> bool {
    (cell.contains('/') || cell.contains(':')) && !cell.contains(char::is_whitespace) && !is_time(cell)
}

/// Returns whether a cell is a date with a time.
fn is_time(cell: &str) -> bool {
    let is_of_time = |c: char| c.is_ascii_digit() || "-:.+TZ".contains(c);
    cell.len() > DAY && cell.as_bytes().get(DAY) == Some(&b'T') && cell.chars().all(is_of_time)
}

/// The end of a string that fits, with an ellipsis if something is left out.
fn clipped_front(text: &str, limit: usize) -> Cow<'_, str> {
    if text.width() <= limit {
        return Cow::Borrowed(text);
    }
    let mut width = 1;
    let too_much = text.char_indices().rev().find(|(_, c)| {
        width += c.width().unwrap_or(0);
        width > limit
    });
    let from = too_much.map_or(0, |(at, c)| at + c.len_utf8());
    Cow::Owned(format!("…{}", text.get(from..).unwrap_or_default()))
}

/// The beginning of a string that fits, with an ellipsis if something is left out.
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
