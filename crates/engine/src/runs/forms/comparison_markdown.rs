//! A comparison as Markdown, for a comment on a change.

use std::io::{self, Write};

use super::comparison_sections::{SectionTable, sections, sides_table};
use crate::runs::run_comparison::{DifferenceVerdict, RunComparison};
use evalgraph_diagnostics::markdown::plain;
use evalgraph_diagnostics::thousands;

/// Writes a comparison.
pub(super) fn write(comparison: &RunComparison, shown: usize, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "# Comparison of runs\n")?;
    write_table(&sides_table(comparison), output)?;
    for section in sections(comparison, shown) {
        writeln!(output, "\n## {}\n", plain(&section.title))?;
        for sentence in &section.sentences {
            let text = plain(&sentence.text);
            let is_marked =
                matches!(sentence.verdict, Some(DifferenceVerdict::Better | DifferenceVerdict::Worse));
            let mark = if is_marked { "**" } else { "" };
            writeln!(output, "- {mark}{text}{mark}")?;
        }
        for table in &section.tables {
            writeln!(output, "\n### {}\n", plain(&table.title))?;
            write_table(table, output)?;
        }
    }
    Ok(())
}

fn write_table(table: &SectionTable, output: &mut impl Write) -> io::Result<()> {
    let row = |cells: &[String]| cells.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join(" | ");
    writeln!(output, "| {} |", row(&table.header))?;
    let lines = (0..table.header.len()).map(|column| if column < table.texts { "---" } else { "---:" });
    writeln!(output, "| {} |", lines.collect::<Vec<_>>().join(" | "))?;
    for cells in &table.rows {
        writeln!(output, "| {} |", row(cells))?;
    }
    if table.left_out > 0 {
        writeln!(output, "\n… and {} more", thousands(table.left_out as u64))?;
    }
    Ok(())
}
