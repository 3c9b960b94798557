//! The report as CSV (RFC 4180): a row for each result.

use std::io::{self, Write};

use super::json_text::Scalar;
use super::reported::Reported;

/// Writes the report.
pub(super) fn write(reported: &Reported<'_>, output: &mut impl Write) -> io::Result<()> {
    let names: Vec<&str> = reported.words.names().collect();
    writeln!(output, "{}", names.join(","))?;
    for finding in reported.findings() {
        for (at, value) in finding.facts(reported.words).into_iter().enumerate() {
            if at > 0 {
                output.write_all(b",")?;
            }
            match value {
                Scalar::Text(text) => write_text(text, output)?,
                Scalar::Number(number) => write!(output, "{number}")?,
                Scalar::Boolean(boolean) => write!(output, "{boolean}")?,
                Scalar::Null => {}
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
