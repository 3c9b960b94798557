//! The report as CSV (RFC 4180), with one row for each result.

use std::io::{self, Write};

use super::json_text::ReportScalar;
use super::reported_files::ReportedFiles;

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let names: Vec<&str> = reported.words.names().collect();
    writeln!(output, "{}", names.join(","))?;
    for finding in reported.findings() {
        for (at, value) in finding.facts(reported.words).into_iter().enumerate() {
            if at > 0 {
                output.write_all(b",")?;
            }
            match value {
                ReportScalar::Text(text) => write_text(text, output)?,
                ReportScalar::Number(number) => write!(output, "{number}")?,
                ReportScalar::Boolean(boolean) => write!(output, "{boolean}")?,
                ReportScalar::Null => {}
            }
        }
        writeln!(output)?;
    }
    Ok(())
}

fn write_text(text: &str, output: &mut impl Write) -> io::Result<()> {
    match text.contains(['"', ',', '\n', '\r']) {
        true => write!(output, "\"{}\"", text.replace('"', "\"\"")),
        false => output.write_all(text.as_bytes()),
    }
}
