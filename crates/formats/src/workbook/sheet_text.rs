//! Writes the cells of a sheet as CSV, row by row, and notes where each cell begins.

use std::mem;

use calamine::{DataRef, Dimensions, XlsxFormulaMetadata};

use super::cell_text::{CellText, cell_text};
use super::workbook_faults::{SheetFailure, damaged};
use crate::secrets;
use evalgraph_diagnostics::table_cells::cell_place;
use evalgraph_diagnostics::{Diagnostic, SourcePlace, TableCells, thousands};
use evalgraph_json::number::is_number;

/// The separator of the text.
const SEPARATOR: char = ',';
/// The most columns of a sheet.
const COLUMNS: u32 = 1 << 14;

/// Writes the cells of a sheet, which come row by row.
pub(super) struct SheetWriter<'s> {
    name: &'s str,
    sheet: &'s str,
    merged: &'s [Dimensions],
    most: u64,
    text: String,
    /// The columns with a name; empty before the first row with values.
    columns: Vec<u32>,
    cells: TableCells,
    /// The row that is collected, and its values.
    row: u32,
    values: Vec<(u32, CellText)>,
    /// The cells in columns without a name: how many there are, and the place of the first.
    nameless: u64,
    first_nameless: Option<SourcePlace>,
}

impl<'s> SheetWriter<'s> {
    pub(super) fn new(name: &'s str, sheet: &'s str, merged: &'s [Dimensions], most: u64) -> Self {
        Self {
            name,
            sheet,
            merged,
            // The places in the text are numbers of 32 bits.
            most: most.min(u64::from(u32::MAX)),
            text: String::new(),
            columns: Vec::new(),
            cells: TableCells::default(),
            row: 0,
            values: Vec::new(),
            nameless: 0,
            first_nameless: None,
        }
    }

    /// Adds the next cell at this row and column.
    pub(super) fn cell(
        &mut self,
        [row, column]: [u32; 2],
        value: &DataRef<'_>,
        formula: Option<&XlsxFormulaMetadata>,
    ) -> Result<(), SheetFailure> {
        let last = self.values.last().map(|(column, _)| *column);
        if row < self.row || row == self.row && last.is_some_and(|last| last >= column) || column >= COLUMNS {
            return Err(damaged(self.name, "its cells are not in their order").into());
        }
        if row != self.row {
            self.end_row()?;
            self.row = row;
        }
        if formula.is_some() && *value == DataRef::Empty {
            let message = "the formula has no value, because no program has computed it";
            let help = "open the workbook in Excel or LibreOffice, and save it";
            return Err(self.value_fault(column, "=", message, help).into());
        }
        match cell_text(value) {
            Ok(text) if text.as_str().is_empty() => {}
            Ok(text) => self.values.push((column, text)),
            Err(message) => {
                let shown = match value {
                    DataRef::Error(error) => error.to_string(),
                    _ => "?".to_owned(),
                };
                let help = "correct the cell, or empty it";
                return Err(self.value_fault(column, &shown, &message, help).into());
            }
        }
        Ok(())
    }

    /// Returns the text and its cells, and a finding about cells that were left out.
    pub(super) fn finish(mut self) -> Result<(String, TableCells, Option<Diagnostic>), SheetFailure> {
        self.end_row()?;
        let finding = self.first_nameless.map(|place| {
            let cells = match self.nameless {
                1 => "1 cell is".to_owned(),
                cells => format!("{} cells are", thousands(cells)),
            };
            let message = format!("{cells} in a column without a name, and not read");
            let finding = Diagnostic::warning("workbook::nameless", message).at(place);
            finding.with_help("name the column in the first row, or delete it")
        });
        Ok((self.text, self.cells, finding))
    }

    fn value_fault(&self, column: u32, shown: &str, message: &str, help: &'static str) -> Box<Diagnostic> {
        let place = self.place(column, shown);
        Box::new(Diagnostic::error("workbook::value", message).at(place).with_help(help))
    }

    fn place(&self, column: u32, shown: &str) -> SourcePlace {
        let place = cell_place(self.name, self.sheet, [self.row, column], shown);
        if secrets::are_possible(shown.as_bytes()) { place.without_text() } else { place }
    }

    /// Writes the row that was collected. The first one has the names of the columns.
    fn end_row(&mut self) -> Result<(), SheetFailure> {
        let values = mem::take(&mut self.values);
        if values.is_empty() {
            return Ok(());
        }
        if self.columns.is_empty() {
            let header = self.with_merged(&values);
            self.columns = header.iter().map(|(column, _)| *column).collect();
            self.cells = TableCells::new(self.sheet, self.columns.clone());
            return self.write(&header);
        }
        let is_named = |column: &u32| self.columns.binary_search(column).is_ok();
        let (named, nameless): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(column, _)| is_named(column));
        if let Some((column, text)) = nameless.first() {
            self.nameless += nameless.len() as u64;
            if self.first_nameless.is_none() {
                self.first_nameless = Some(self.place(*column, text.as_str()));
            }
        }
        if named.is_empty() { Ok(()) } else { self.write(&named) }
    }

    /// Returns the names of the columns. A cell that spans several columns names them all.
    fn with_merged(&self, names: &[(u32, CellText)]) -> Vec<(u32, CellText)> {
        let mut all = Vec::with_capacity(names.len());
        for (at, (column, name)) in names.iter().enumerate() {
            let spanning = self.merged.iter().find(|merged| {
                let rows = merged.start.0..=merged.end.0;
                merged.start.1 == *column && rows.contains(&self.row)
            });
            let next = names.get(at + 1).map_or(COLUMNS, |(next, _)| *next);
            let end = spanning.map_or(*column, |merged| merged.end.1).min(next - 1);
            all.extend((*column..=end).map(|column| (column, name.clone())));
        }
        all
    }

    fn write(&mut self, values: &[(u32, CellText)]) -> Result<(), SheetFailure> {
        let mut starts = Vec::with_capacity(self.columns.len());
        let mut values = values.iter().peekable();
        for (at, column) in self.columns.iter().enumerate() {
            if at > 0 {
                self.text.push(SEPARATOR);
            }
            starts.push(self.text.len() as u32);
            if let Some((_, value)) = values.next_if(|(next, _)| next == column) {
                push_field(value, &mut self.text);
            }
            if self.text.len() as u64 > self.most {
                return Err(SheetFailure::TooLarge);
            }
        }
        self.text.push('\n');
        self.cells.push_row(self.row, starts);
        Ok(())
    }
}

/// Writes a field of CSV. A text that looks like a number gets quotes, which make it a text for the reader as well.
fn push_field(value: &CellText, text: &mut String) {
    let (field, is_text) = match value {
        CellText::Bare(field) => (field, false),
        CellText::Text(field) => (field, true),
    };
    let is_special = field.contains([SEPARATOR, '"', '\n', '\r']);
    if is_special || is_text && (is_number(field) || field.trim().len() < field.len()) {
        text.push('"');
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(field);
    }
}
