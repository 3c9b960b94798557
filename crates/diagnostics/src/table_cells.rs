//! The cells of a sheet whose rows were written as text. With them, places in the text name the cells.

use std::ops::Range;

use super::{Diagnostic, SourcePlace, SourceText};

/// The cells of a sheet, in the order of the text that was written from them. Every row of the text has the same
/// columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableCells {
    /// The sheet in places: its name, in quotes if it is not one word.
    sheet: String,
    /// The columns, from 0.
    columns: Vec<u32>,
    /// The rows, from 0.
    rows: Vec<u32>,
    /// The byte at which each cell begins, row by row.
    starts: Vec<u32>,
}

impl TableCells {
    /// Begins a sheet with the columns that the text has.
    pub fn new(sheet: &str, columns: Vec<u32>) -> Self {
        Self { sheet: shown_sheet(sheet), columns, rows: Vec::new(), starts: Vec::new() }
    }

    /// Adds a row with the byte of the text at which each of its cells begins.
    pub fn push_row(&mut self, row: u32, starts: impl IntoIterator<Item = u32>) {
        self.rows.push(row);
        self.starts.extend(starts);
    }

    /// Returns the finding with the cells in its places, which refer to the text of the sheet.
    #[must_use]
    pub fn named(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.place = diagnostic.place.map(|place| Box::new(self.moved(*place)));
        for (place, _) in &mut diagnostic.related {
            *place = self.moved(place.clone());
        }
        diagnostic
    }

    /// Translates a place in the text to the sheet. Its line is the row, and its column is that of the sheet.
    pub(super) fn moved(&self, mut place: SourcePlace) -> SourcePlace {
        if place.is_whole() || place.cell.is_some() {
            return place;
        }
        if let Some((row, column)) = self.at(&place.bytes) {
            place.cell = Some(format!("{}!{}{}", self.sheet, letters(column), u64::from(row) + 1));
            (place.line, place.column) = (u64::from(row) + 1, u64::from(column) + 1);
        }
        place
    }

    /// Returns the row and the column of the cell with the first of these bytes.
    fn at(&self, bytes: &Range<u64>) -> Option<(u32, u32)> {
        let cell = self.starts.partition_point(|start| u64::from(*start) <= bytes.start).checked_sub(1)?;
        let row = *self.rows.get(cell / self.columns.len())?;
        Some((row, self.columns[cell % self.columns.len()]))
    }
}

/// Returns the name of a sheet as formulas write it.
fn shown_sheet(name: &str) -> String {
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word { name.to_owned() } else { format!("'{}'", name.replace('\'', "''")) }
}

/// Returns the place of a cell with this text, given its row and its column, which count from 0.
pub fn cell_place(source: &str, sheet: &str, [row, column]: [u32; 2], text: &str) -> SourcePlace {
    let mut place = SourceText::new(source, text.as_bytes()).place(0..text.len());
    place.cell = Some(cell_name(sheet, row, column));
    (place.line, place.column) = (u64::from(row) + 1, u64::from(column) + 1);
    place
}

/// Returns the name of a cell as formulas write it; the row and the column count from 0.
fn cell_name(sheet: &str, row: u32, column: u32) -> String {
    format!("{}!{}{}", shown_sheet(sheet), letters(column), u64::from(row) + 1)
}

/// Returns the letters of a column, which counts from 0.
fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::{TableCells, cell_name};
    use crate::{Diagnostic, SourceText};

    #[test]
    fn cells_have_the_names_that_formulas_write() {
        let names = [(0, 0), (2, 25), (9, 26), (0, 701), (1_048_575, 16_383)];
        let names = names.map(|(row, column)| cell_name("Sheet1", row, column));
        assert_eq!(names, ["Sheet1!A1", "Sheet1!Z3", "Sheet1!AA10", "Sheet1!ZZ1", "Sheet1!XFD1048576"]);
        assert_eq!(cell_name("Bob's sheet", 0, 1), "'Bob''s sheet'!B1");
    }

    #[test]
    fn a_place_in_the_text_names_its_cell() {
        let text = "q,a\n1,\"two\"\n";
        let mut cells = TableCells::new("Sheet1", vec![1, 4]);
        cells.push_row(0, [0, 2]);
        cells.push_row(7, [4, 6]);
        let place = |bytes| SourceText::new("t.xlsx", text.as_bytes()).place(bytes);
        let named = cells.named(Diagnostic::error("a::b", "bad").at(place(7..8)));
        assert_eq!(named.to_string(), "t.xlsx: Sheet1!E8: a::b: bad");
        let named = cells.named(Diagnostic::error("a::b", "bad").at(place(0..0)));
        assert_eq!(named.to_string(), "t.xlsx: a::b: bad");
    }
}
