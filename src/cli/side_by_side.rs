//! Tables of figures for people and as CSV. Several tables of the same kind can be merged into one, side by side.

use std::collections::HashMap;
use std::io::{self, Write};

use super::visible::visible;
use evalgraph_diagnostics::markdown::plain;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_engine::drawing::chart_number::ChartBar;
use evalgraph_sparql::{QueryPrefixes, TableCell, TableLayout, TerminalTable};

/// The maximum length of a text in a cell of a table for people.
const LONGEST: usize = 48;
/// The beginning of each line of a table, below its title.
const INDENT: &str = "  ";

/// A value of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FigureCell {
    Text(String),
    Number(f64),
    Count(usize),
    Absent,
}

impl FigureCell {
    fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// Returns the value for people: with three decimal places, and long texts cut.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => cut(&visible(text).replace('\n', " "), LONGEST).into_owned(),
            Self::Number(number) => format!("{number:.3}"),
            Self::Count(count) => count.to_string(),
            Self::Absent => "-".to_owned(),
        }
    }

    /// Returns the value for programs: with all digits. Empty if there is no value.
    fn exact(&self) -> String {
        match self {
            Self::Text(text) if text.contains(['"', ',', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Absent => String::new(),
        }
    }
}

/// The title of a column, and the function that makes its cells.
type FigureColumn<'c, T> = (&'c str, fn(&T) -> FigureCell);

/// A table whose first columns identify the rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FigureTable {
    /// The subject of the table, and the meaning of its numbers.
    pub(super) title: String,
    /// How many columns identify a row.
    pub(super) keys: usize,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<FigureCell>>,
}

impl FigureTable {
    /// The rows as numbers with labels: the columns that identify a row, and the first column with numbers.
    pub(super) fn bars(&self) -> Vec<ChartBar> {
        let number = |cell: &FigureCell| match cell {
            FigureCell::Number(number) if number.is_finite() => Some(*number),
            FigureCell::Count(count) => Some(*count as f64),
            _ => None,
        };
        let columns = self.keys..self.columns.len();
        let column =
            columns.into_iter().find(|&column| self.rows.iter().any(|row| number(&row[column]).is_some()));
        let Some(column) = column else { return Vec::new() };
        let bars = self.rows.iter().filter_map(|row| {
            let label = row[..self.keys].iter().map(FigureCell::shown).collect::<Vec<_>>().join(" · ");
            Some(ChartBar { label, value: number(&row[column])? })
        });
        bars.collect()
    }

    pub(super) fn new(title: &str, keys: usize, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.to_owned(), keys, columns, rows: Vec::new() }
    }

    /// Creates a table with a row for each thing and a cell for each column.
    pub(super) fn from_things<T>(
        title: &str,
        keys: usize,
        things: &[T],
        columns: &[FigureColumn<'_, T>],
    ) -> Self {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let row = |thing| columns.iter().map(|(_, cell)| cell(thing)).collect();
        Self { rows: things.iter().map(row).collect(), ..Self::new(title, keys, &names) }
    }

    /// Merges tables of one kind. A column appears once if its values are the same in all tables that have the row;
    /// otherwise it appears once for each table, with the table's name.
    pub(super) fn side_by_side(tables: &[(&str, Self)]) -> Option<Self> {
        let (_, first) = tables.first()?;
        let keys = first.keys;
        let mut merged = Self { rows: Vec::new(), columns: first.columns[..keys].to_vec(), ..first.clone() };
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        // For each row of the merged table, the same row of each table that has it.
        let mut found: Vec<Vec<Option<&Vec<FigureCell>>>> = Vec::new();
        for (number, (_, table)) in tables.iter().enumerate() {
            for row in &table.rows {
                let key = row[..keys].iter().map(FigureCell::exact).collect();
                let place = *places.entry(key).or_insert(found.len());
                if place == found.len() {
                    merged.rows.push(row[..keys].to_vec());
                    found.push(vec![None; tables.len()]);
                }
                found[place][number] = Some(row);
            }
        }
        // If a table lacks a row, extra columns show which tables have it.
        if tables.iter().any(|(_, table)| table.rows.len() < merged.rows.len()) {
            for (number, (name, _)) in tables.iter().enumerate() {
                let is_there =
                    |rows: &Vec<Option<_>>| rows[number].map(|_| FigureCell::Text("yes".to_owned()));
                merged.add_column((*name).to_owned(), found.iter().map(is_there));
            }
        }
        for (column, title) in first.columns.iter().enumerate().skip(keys) {
            let cell = |row: &Option<&Vec<FigureCell>>| row.map(|row| row[column].clone());
            let is_same = |rows: &Vec<_>| {
                let mut cells = rows.iter().filter_map(cell);
                let first = cells.next();
                cells.all(|cell| Some(cell) == first)
            };
            if found.iter().all(is_same) {
                merged.add_column(title.clone(), found.iter().map(|rows| rows.iter().find_map(cell)));
                continue;
            }
            for (number, (name, _)) in tables.iter().enumerate() {
                merged.add_column(format!("{title} {name}"), found.iter().map(|rows| cell(&rows[number])));
            }
        }
        Some(merged)
    }

    fn add_column(&mut self, title: String, cells: impl Iterator<Item = Option<FigureCell>>) {
        self.columns.push(title);
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell.unwrap_or(FigureCell::Absent));
        }
    }

    /// Writes the table for people, within this width if there is one.
    pub(super) fn write_text(&self, width: Option<usize>, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{}", self.title)?;
        if self.rows.is_empty() {
            return writeln!(output, "{INDENT}none");
        }
        let prefixes = QueryPrefixes::default();
        let width = width.map(|width| width.saturating_sub(INDENT.len()));
        let layout = TableLayout { width, ..TableLayout::new(&prefixes) };
        let mut text = Vec::new();
        let mut table = TerminalTable::new(self.columns.iter().map(String::as_str), &layout);
        for row in &self.rows {
            let cells = row.iter().map(|cell| TableCell { text: cell.shown(), is_number: cell.is_number() });
            table.add(cells, &mut text)?;
        }
        let cut = table.finish_rows(&mut text)?.join(", ");
        for line in String::from_utf8_lossy(&text).lines() {
            writeln!(output, "{}", format!("{INDENT}{line}").trim_end())?;
        }
        match width.filter(|_| !cut.is_empty()) {
            Some(width) => writeln!(output, "{INDENT}cut to {width} columns: {cut}"),
            None => Ok(()),
        }
    }

    /// Writes the title and the table as Markdown of GitHub. Numbers are aligned to the right.
    pub(super) fn write_markdown(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "### {}\n", plain(&self.title))?;
        if self.rows.is_empty() {
            return writeln!(output, "none");
        }
        let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let marks = (0..self.columns.len()).map(|at| {
            let is_number = self.rows.iter().all(|row| row[at].is_number());
            if is_number { "---:".to_owned() } else { "---".to_owned() }
        });
        writeln!(output, "{}", row(self.columns.iter().map(|name| plain(name)).collect()))?;
        writeln!(output, "{}", row(marks.collect()))?;
        for cells in &self.rows {
            writeln!(output, "{}", row(cells.iter().map(|cell| plain(&cell.shown())).collect()))?;
        }
        Ok(())
    }

    pub(super) fn write_csv(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(
            output,
            "{}",
            self.columns.iter().map(|name| name.replace(' ', "_")).collect::<Vec<_>>().join(",")
        )?;
        for row in &self.rows {
            writeln!(output, "{}", row.iter().map(FigureCell::exact).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}
