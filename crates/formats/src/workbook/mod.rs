//! Converts a sheet of an Excel workbook to CSV with the same values, which is then read like any CSV. Places in the
//! text name the cells of the sheet.
//!
//! Numbers keep their shortest form, dates and times become ISO 8601, and a formula is the value that it had when the
//! workbook was saved. Rows without values are left out.

mod cell_text;
mod package_parts;
mod sheet_choice;
mod sheet_text;
mod workbook_faults;

use std::io::Cursor;
use std::thread;

use calamine::{Reader as _, Xlsx};

use evalgraph_diagnostics::{Diagnostic, TableCells};
use package_parts::check_parts;
pub use sheet_choice::SheetChoice;
use sheet_choice::chosen_sheet;
use sheet_text::SheetWriter;
use workbook_faults::{OpenedWorkbook, SheetFailure, damaged, unreadable};

/// The name of the reading thread. The library panics on some damaged files, and its message does not help the user.
pub const THREAD: &str = "workbook";
/// The stack size of that thread in bytes.
const STACK: usize = 16 << 20;
/// The text of a sheet.
#[derive(Debug)]
pub struct SheetText {
    /// The text: CSV with commas, whose first line has the names of the columns.
    pub text: String,
    /// The cells that it was written from.
    pub cells: TableCells,
    /// What was left out.
    pub findings: Vec<Diagnostic>,
}

/// Returns a sheet of a workbook as CSV, or `None` if a part of the workbook or the text exceeds the limit.
///
/// # Errors
/// `workbook::damaged` if the workbook cannot be read, `workbook::sheet` if there is no sheet to read, and
/// `workbook::value` for a cell without a usable value.
pub fn read_sheet(
    name: &str,
    bytes: &[u8],
    choice: &SheetChoice<'_>,
    most: u64,
) -> Result<Option<SheetText>, Box<Diagnostic>> {
    let read = thread::scope(|scope| {
        let thread = thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK);
        let read = thread.spawn_scoped(scope, || read(name, bytes, choice, most));
        let read = read
            .map_err(|error| damaged(name, format_args!("the reading thread cannot be started: {error}")))?;
        // The library's assertions hold for files from correct writers, so a panic means that the file is damaged.
        read.join().unwrap_or_else(|_| Err(damaged(name, "it contradicts itself").into()))
    });
    match read {
        Ok(text) => Ok(Some(text)),
        Err(SheetFailure::TooLarge) => Ok(None),
        Err(SheetFailure::Fault(fault)) => Err(fault),
    }
}

fn read(name: &str, bytes: &[u8], choice: &SheetChoice<'_>, most: u64) -> Result<SheetText, SheetFailure> {
    check_parts(name, bytes, most)?;
    let mut workbook: OpenedWorkbook<'_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| unreadable(name, &error))?;
    let (sheet, findings) = chosen_sheet(name, &mut workbook, choice)?;
    let merged = workbook.merge_cells_by_sheet_name(&sheet).map_err(|error| unreadable(name, &error))?;
    let mut reader = workbook.worksheet_cells_reader(&sheet).map_err(|error| unreadable(name, &error))?;
    let mut writer = SheetWriter::new(name, &sheet, &merged, most);
    while let Some(cell) =
        reader.next_cell_with_formula_metadata().map_err(|error| unreadable(name, &error))?
    {
        writer.cell(cell.pos.into(), &cell.value, cell.formula.as_ref())?;
    }
    let (text, cells, left_out) = writer.finish()?;
    Ok(SheetText { text, cells, findings: findings.into_iter().chain(left_out).collect() })
}
