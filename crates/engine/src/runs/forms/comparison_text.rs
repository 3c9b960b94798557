//! A comparison as text for a terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::comparison_sections::{SectionTable, sections, sides_table};
use crate::runs::run_comparison::RunComparison;
use evalgraph_diagnostics::thousands;
use evalgraph_diagnostics::visible::visible;

/// Writes a comparison.
pub(super) fn write(comparison: &RunComparison, shown: usize, output: &mut impl Write) -> io::Result<()> {
    write_table(&sides_table(comparison), output)?;
    for section in sections(comparison, shown) {
        writeln!(output, "\n{}", section.title)?;
        for sentence in &section.sentences {
            writeln!(output, "  {}", visible(&sentence.text))?;
        }
        for table in &section.tables {
            writeln!(output, "\n── {}", visible(&table.title))?;
            write_table(table, output)?;
        }
    }
    Ok(())
}

/// Writes a table whose columns are two blanks apart.
fn write_table(table: &SectionTable, output: &mut impl Write) -> io::Result<()> {
    let rows: Vec<Vec<String>> = std::iter::once(&table.header)
        .chain(&table.rows)
        .map(|row| row.iter().map(|cell| visible(cell).into_owned()).collect())
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..table.header.len()).map(width).collect();
    for row in &rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[column].saturating_sub(cell.width()));
            line.push(' ');
            match column < table.texts {
                true => line.extend([cell.as_str(), &blanks]),
                false => line.extend([blanks.as_str(), cell]),
            }
            line.push(' ');
        }
        writeln!(output, "{}", line.trim_end())?;
    }
    if table.left_out > 0 {
        writeln!(output, "  … and {} more", thousands(table.left_out as u64))?;
    }
    Ok(())
}
