//! Chooses the sheet of a workbook that is read: the one that the user names, or the one whose header has the wanted
//! columns, or the first one with rows.

use calamine::{Reader as _, SheetType, SheetVisible, XlsxError};

use super::cell_text::cell_text;
use super::workbook_faults::{OpenedWorkbook, SheetFailure, fault, unreadable};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText};

/// Which sheet is read.
#[derive(Debug, Clone, Default)]
pub struct SheetChoice<'c> {
    /// The name of the sheet.
    pub sheet: Option<&'c str>,
    /// The columns that the right sheet has, if no sheet is named: one of each group.
    pub wanted: Vec<Vec<&'c str>>,
}

/// How many sheets a message names.
const SHOWN: usize = 8;

/// Returns the name of the sheet to read, and a note if others are left out.
pub(super) fn chosen_sheet(
    name: &str,
    workbook: &mut OpenedWorkbook<'_>,
    choice: &SheetChoice<'_>,
) -> Result<(String, Vec<Diagnostic>), SheetFailure> {
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheets: Vec<(String, bool)> =
        sheets.map(|sheet| (sheet.name.clone(), sheet.visible == SheetVisible::Visible)).collect();
    if let Some(sheet) = choice.sheet {
        return match sheets.iter().any(|(known, _)| known == sheet) {
            true => Ok((sheet.to_owned(), Vec::new())),
            false => Err(no_sheet(name, sheet, &sheets).into()),
        };
    }
    let is_all = !sheets.iter().any(|(_, is_visible)| *is_visible);
    let mut with_rows: Vec<(String, Vec<String>)> = Vec::new();
    for (sheet, _) in sheets.into_iter().filter(|(_, is_visible)| *is_visible || is_all) {
        let header = header_of(workbook, &sheet).map_err(|error| unreadable(name, &error))?;
        if !header.is_empty() {
            with_rows.push((sheet, header));
        }
    }
    let is_wanted = |header: &[String]| {
        let has_one = |group: &Vec<&str>| header.iter().any(|name| group.contains(&name.as_str()));
        choice.wanted.iter().all(has_one)
    };
    let chosen = with_rows.iter().position(|(_, header)| is_wanted(header)).unwrap_or(0);
    if with_rows.is_empty() {
        let message = "no sheet of the workbook has rows".to_owned();
        let help = "the first row of a sheet names the columns";
        return Err(fault("workbook::sheet", name, message, help).into());
    }
    let (sheet, _) = with_rows.remove(chosen);
    if with_rows.is_empty() {
        return Ok((sheet, Vec::new()));
    }
    let others: Vec<&str> = with_rows.iter().map(|(sheet, _)| sheet.as_str()).collect();
    let message = format!("the sheet `{sheet}` is read, and not {}", listed(&others));
    let note = Diagnostic::new(FindingSeverity::Note, "workbook::sheets", message);
    let note = note.at(SourceText::new(name, b"").place(0..0));
    Ok((sheet, vec![note.with_help(help!["choose another one with ", setting("sheet").to(others[0])])]))
}

/// Returns the values of the first row with values.
fn header_of(workbook: &mut OpenedWorkbook<'_>, sheet: &str) -> Result<Vec<String>, XlsxError> {
    let mut reader = match workbook.worksheet_cells_reader(sheet) {
        Ok(reader) => reader,
        // A chart has no cells.
        Err(XlsxError::NotAWorksheet(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut row = None;
    let mut names = Vec::new();
    while let Some(cell) = reader.next_cell()? {
        let (at, _) = cell.get_position();
        if row.is_some_and(|row| row != at) {
            break;
        }
        let name =
            cell_text(cell.get_value()).map_or_else(|fault| fault, |text| text.as_str().trim().to_owned());
        if !name.is_empty() {
            row = Some(at);
            names.push(name);
        }
    }
    Ok(names)
}

fn no_sheet(name: &str, sheet: &str, sheets: &[(String, bool)]) -> Box<Diagnostic> {
    let names: Vec<&str> = sheets.iter().map(|(name, _)| name.as_str()).collect();
    let message = match names.is_empty() {
        true => format!("there is no sheet `{sheet}`, and no other"),
        false => format!("there is no sheet `{sheet}`; there are {}", listed(&names)),
    };
    let place = SourceText::new(name, b"").place(0..0);
    let fault = Diagnostic::error("workbook::sheet", message).at(place);
    Box::new(match nearest(sheet, names.iter().copied()) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => fault.with_help("name one of them"),
    })
}

/// Returns names for a message.
fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}
