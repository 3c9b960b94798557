//! Tables of figures for a person and as CSV; several of the same kind become one, side by side.

use std::collections::HashMap;
use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use super::visible::visible;

/// The longest text that a cell of a table for a person shows.
const LONGEST: usize = 48;

/// A value of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Number(f64),
    Count(usize),
    Absent,
}

impl Cell {
    fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// For a person: three places, long texts cut.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => {
                let text = visible(text).replace('\n', " ");
                match text.char_indices().nth(LONGEST) {
                    Some((end, _)) => format!("{}…", &text[..end]),
                    None => text,
                }
            }
            Self::Number(number) => format!("{number:.3}"),
            Self::Count(count) => count.to_string(),
            Self::Absent => "-".to_owned(),
        }
    }

    /// For a program: all digits; nothing where there is nothing.
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

/// A table whose first columns say what a row is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// What it is about, and what the numbers mean.
    pub(super) title: String,
    /// How many columns say what a row is about.
    pub(super) keys: usize,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(title: &str, keys: usize, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.to_owned(), keys, columns, rows: Vec::new() }
    }

    /// Tables of one kind as one: a column whose values are the same in all that have the row stands
    /// once, any other once for each table, under its name.
    pub(super) fn side_by_side(tables: &[(&str, Self)]) -> Option<Self> {
        let (_, first) = tables.first()?;
        let mut merged =
            Self { rows: Vec::new(), columns: first.columns[..first.keys].to_vec(), ..first.clone() };
        let keys = first.keys;
        let key = |row: &[Cell]| row[..keys].iter().map(Cell::exact).collect::<Vec<_>>();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        // The rows of each table in the order of the merged one.
        let mut rows: Vec<Vec<Option<&Vec<Cell>>>> = vec![Vec::new(); tables.len()];
        for (number, (_, table)) in tables.iter().enumerate() {
            for row in &table.rows {
                let place = *places.entry(key(row)).or_insert(merged.rows.len());
                if place == merged.rows.len() {
                    merged.rows.push(row[..keys].to_vec());
                }
                let rows = &mut rows[number];
                rows.resize(rows.len().max(place + 1), None);
                rows[place] = Some(row);
            }
        }
        for (rows, (name, _)) in rows.iter_mut().zip(tables) {
            rows.resize(merged.rows.len(), None);
            // Where one of them lacks a row, it is said which have it.
            if tables.iter().any(|(_, table)| table.rows.len() < merged.rows.len()) {
                merged.columns.push((*name).to_owned());
                for (row, found) in merged.rows.iter_mut().zip(rows.iter()) {
                    row.push(found.map_or(Cell::Absent, |_| Cell::Text("yes".to_owned())));
                }
            }
        }
        for column in keys..first.columns.len() {
            let values: Vec<Vec<Option<&Cell>>> = rows
                .iter()
                .map(|rows| rows.iter().map(|row| row.map(|row| &row[column])).collect())
                .collect();
            merged.add_column(&first.columns[column], tables, &values);
        }
        Some(merged)
    }

    /// Adds a column of several tables: once where no row has two values.
    fn add_column(&mut self, title: &str, tables: &[(&str, Self)], values: &[Vec<Option<&Cell>>]) {
        let of_row = |row: usize| values.iter().filter_map(move |values| values[row]);
        let is_same = |row: usize| {
            let mut of_row = of_row(row);
            let first = of_row.next();
            of_row.all(|value| Some(value) == first)
        };
        if (0..self.rows.len()).all(is_same) {
            self.columns.push(title.to_owned());
            for (number, row) in self.rows.iter_mut().enumerate() {
                row.push(of_row(number).next().cloned().unwrap_or(Cell::Absent));
            }
            return;
        }
        for ((name, _), values) in tables.iter().zip(values) {
            self.columns.push(format!("{title} {name}"));
            for (row, value) in self.rows.iter_mut().zip(values) {
                row.push(value.cloned().unwrap_or(Cell::Absent));
            }
        }
    }

    pub(super) fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{}", self.title)?;
        if self.rows.is_empty() {
            return writeln!(output, "  none");
        }
        let mut table = comfy_table::Table::new();
        table
            .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')))
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(Cell::shown).collect::<Vec<_>>());
        }
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if self.rows.iter().all(|row| row[at].is_number()) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            writeln!(output, "  {}", line.trim_end())?;
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
            writeln!(output, "{}", row.iter().map(Cell::exact).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}
