//! Rows as a table for a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use oxrdf::Term;
use unicode_width::UnicodeWidthStr;

use crate::results::clipped_text::{clipped, clipped_front, lines};
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

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCell {
    /// The text, without control characters.
    pub text: String,
    /// `true` for numbers, and for cells without a value. A column that has only these is aligned to the right.
    pub is_number: bool,
}

impl TableCell {
    /// The value of a variable in a solution.
    pub(crate) fn from_term(value: Option<&Term>, prefixes: &QueryPrefixes) -> Self {
        let is_number = match value {
            Some(Term::Literal(literal)) => is_number(literal),
            None => true,
            Some(_) => false,
        };
        Self { text: value.map_or_else(String::new, |term| display_term(term, prefixes)), is_number }
    }
}

/// Writes rows as a table whose first rows determine the widths of its columns. Cells are clipped to keep the table
/// within the width, if there is one.
pub struct TerminalTable<'p> {
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
    /// The width of the widest cell or of the name, later the width that the column may have.
    width: usize,
    /// The width of the widest cell.
    widest: usize,
    /// `true` if a cell of the column was clipped.
    is_cut: bool,
    /// The folder that all paths of the column begin with, if it is left out.
    folder: String,
}

impl<'p> TerminalTable<'p> {
    /// Starts a table with these columns.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>, layout: &TableLayout<'p>) -> Self {
        let column = |name: &str| TerminalColumn {
            name: name.to_owned(),
            is_number: true,
            is_of_names: true,
            is_of_times: true,
            width: name.width(),
            widest: 0,
            is_cut: false,
            folder: String::new(),
        };
        let columns = names.into_iter().map(column).collect();
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

    /// Adds a row with a cell for each column.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn add(
        &mut self,
        cells: impl IntoIterator<Item = TableCell>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        self.rows += 1;
        if self.layout.shown.is_some_and(|shown| self.rows > shown) {
            return Ok(());
        }
        let mut row = Vec::with_capacity(self.columns.len());
        for (column, TableCell { text, is_number }) in self.columns.iter_mut().zip(cells) {
            if !self.is_laid_out {
                column.widest = column.widest.max(text.width());
                column.width = column.width.max(column.widest);
                column.is_number &= is_number;
                column.is_of_names &= text.is_empty() || is_name(&text);
                column.is_of_times &= text.is_empty() || is_time(&text);
                self.held_bytes += text.len() + size_of::<String>();
            }
            row.push(text);
        }
        if self.is_laid_out {
            return self.write_row(&row, output);
        }
        self.held.push(row);
        if self.held.len() >= HELD || self.held_bytes >= HELD_BYTES {
            self.lay_out(output)?;
        }
        Ok(())
    }

    /// Writes the rows that are still kept. Returns the names of the columns that were clipped.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn finish_rows(&mut self, output: &mut impl Write) -> io::Result<Vec<&str>> {
        if !self.is_laid_out {
            self.lay_out(output)?;
        }
        let cut = self.columns.iter().filter(|column| column.is_cut);
        Ok(cut.map(|column| column.name.as_str()).collect())
    }

    /// Writes the rows that are still kept. On a terminal, also writes the number of rows and which columns were
    /// clipped.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        self.finish_rows(output)?;
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
        let help = format!(" ({})", self.layout.help);
        let is_wanted = !self.layout.help.is_empty() && (shown.is_some() || !cut.is_empty());
        if is_wanted && footer.width() + help.width() <= width {
            footer += &help;
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
            self.write_header(output)?;
            // Only clipped values are worth a remark, not a clipped header.
            self.columns.iter_mut().for_each(|column| column.is_cut = false);
            let whole = self.columns.iter().map(|column| column.width + GAP).sum();
            writeln!(output, "{}", "─".repeat(whole))?;
        }
        held.iter().try_for_each(|cells| self.write_row(cells, output))
    }

    /// Narrows the columns if they are too wide together. Names of several words get several lines. Times are shortened to
    /// the day, and paths lose the folder that they have in common. Then each column gets a readable width, texts get the room first, and IRIs and paths what
    /// texts leave. If the columns cannot all be readable, rows become blocks.
    fn share(&mut self, width: usize) {
        let room = width.saturating_sub(GAP * self.columns.len());
        if self.columns.iter().map(|column| column.width).sum::<usize>() <= room {
            return;
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.width = column.widest.max(column.longest_word());
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

    /// Writes the names of the columns, each in as many lines as it needs.
    fn write_header(&mut self, output: &mut impl Write) -> io::Result<()> {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let parts: Vec<Vec<&str>> = names
            .iter()
            .zip(&self.columns)
            .map(|(name, column)| match column.longest_word() <= column.width {
                true => lines(name, column.width),
                false => vec![name.as_str()],
            })
            .collect();
        let height = parts.iter().map(Vec::len).max().unwrap_or_default();
        for line in 0..height {
            // Short names stand above the line that ends the header.
            let part = |parts: &Vec<&str>| match (line + parts.len()).checked_sub(height) {
                Some(at) => parts[at].to_owned(),
                None => String::new(),
            };
            self.write_line(&parts.iter().map(part).collect::<Vec<_>>(), output)?;
        }
        Ok(())
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
    /// The width of the longest word of the name, which stays on one line.
    fn longest_word(&self) -> usize {
        self.name.split(' ').map(UnicodeWidthStr::width).max().unwrap_or_default()
    }

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
        self.width = widths.max().unwrap_or_default().max(self.longest_word());
    }
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
