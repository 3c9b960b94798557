//! The report as a table for a terminal: one line for each result, in columns as wide as their content.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::reported_files::ReportedFiles;
use super::text::total;
use evalgraph_diagnostics::{thousands, visible};

/// The titles of the columns. The last column may be long.
const COLUMNS: [&str; 4] = ["severity", "rule", "place", "message"];
/// How many columns are padded.
const PADDED: usize = COLUMNS.len() - 1;
/// How far the line below the titles reaches into the last column at most.
const LONGEST: usize = 40;
/// The space between two columns.
const GAP: usize = 2;

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut widths = COLUMNS.map(UnicodeWidthStr::width);
    let mut left_out = 0;
    // The rows are generated twice: keeping them would take as much memory as the whole text.
    for_each_row(reported, |cells| {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.width());
        }
        Ok(())
    })?;
    write_row(&COLUMNS, &widths, output)?;
    let padded: usize = widths[..PADDED].iter().map(|width| width + GAP).sum();
    writeln!(output, "{}", "─".repeat(padded + widths[PADDED].min(LONGEST)))?;
    for_each_row(reported, |cells| write_row(&cells.each_ref().map(String::as_str), &widths, output))?;
    for file in reported.files() {
        for (_, results) in file.by_rule() {
            left_out += results.len().saturating_sub(reported.shown);
        }
    }
    if left_out > 0 {
        let (more, shown) = (thousands(left_out as u64), thousands(reported.shown as u64));
        writeln!(output, "… and {more} more: at most {shown} per rule and file are shown")?;
    }
    writeln!(output, "{}", total(reported))
}

fn for_each_row(
    reported: &ReportedFiles<'_>,
    mut row: impl FnMut([String; COLUMNS.len()]) -> io::Result<()>,
) -> io::Result<()> {
    for file in reported.files() {
        for (rule, results) in file.by_rule() {
            for result in results.into_iter().take(reported.shown) {
                let place = match result.place.as_deref() {
                    Some(place) => place.to_string(),
                    None => file.finding(result).file().to_owned(),
                };
                let texts = [rule.severity.name(), &rule.id, &place, &*file.finding(result).message()];
                row(texts.map(|text| visible(text).into_owned()))?;
            }
        }
    }
    Ok(())
}

fn write_row(
    cells: &[&str; COLUMNS.len()],
    widths: &[usize; COLUMNS.len()],
    output: &mut impl Write,
) -> io::Result<()> {
    let mut line = String::new();
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        line.push_str(cell);
        if at < PADDED {
            line.extend(std::iter::repeat_n(' ', (width + GAP).saturating_sub(cell.width())));
        }
    }
    writeln!(output, "{}", line.trim_end())
}
