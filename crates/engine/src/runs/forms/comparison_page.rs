//! A comparison as a page for a browser. It loads nothing and has no scripts.

use std::io::{self, Write};

use super::comparison_sections::{SectionTable, sections, sides_table};
use crate::runs::run_comparison::{DifferenceVerdict, RunComparison};
use evalgraph_diagnostics::markup::escaped;
use evalgraph_diagnostics::thousands;

/// The style of the page.
const STYLE: &str = include_str!("comparison.css");
/// The digest of the style, which the page's policy allows.
const STYLE_DIGEST: &str = "sha256-3+HcfiXQZtC05KFMTOdZavRFejsYMRS7zS0SCwjRnIo=";

/// Writes a comparison.
pub(super) fn write(comparison: &RunComparison, shown: usize, output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_DIGEST}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Comparison of runs</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Comparison of runs</h1>"
    )?;
    write_table(&sides_table(comparison), output)?;
    for section in sections(comparison, shown) {
        writeln!(output, "<section>\n<h2>{}</h2>\n<ul>", escaped(&section.title))?;
        for sentence in &section.sentences {
            let class = match sentence.verdict {
                Some(DifferenceVerdict::Better) => " class=\"better\"",
                Some(DifferenceVerdict::Worse) => " class=\"worse\"",
                _ => "",
            };
            writeln!(output, "<li{class}>{}</li>", escaped(&sentence.text))?;
        }
        writeln!(output, "</ul>")?;
        for table in &section.tables {
            writeln!(output, "<h3>{}</h3>", escaped(&table.title))?;
            write_table(table, output)?;
        }
        writeln!(output, "</section>")?;
    }
    writeln!(output, "</main>\n</body>\n</html>")
}

fn write_table(table: &SectionTable, output: &mut impl Write) -> io::Result<()> {
    let row = |tag: &str, cells: &[String]| {
        let cell = |(column, cell): (usize, &String)| {
            let class = if column < table.texts { "" } else { " class=\"number\"" };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        cells.iter().enumerate().map(cell).collect::<String>()
    };
    writeln!(
        output,
        "<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>",
        row("th", &table.header)
    )?;
    for cells in &table.rows {
        writeln!(output, "<tr>{}</tr>", row("td", cells))?;
    }
    writeln!(output, "</tbody>\n</table></div>")?;
    if table.left_out > 0 {
        writeln!(output, "<p>… and {} more</p>", thousands(table.left_out as u64))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::{STYLE, STYLE_DIGEST};

    #[test]
    fn the_policy_allows_the_style() {
        assert_eq!(format!("sha256-{}", STANDARD.encode(Sha256::digest(STYLE))), STYLE_DIGEST);
        assert!(!STYLE.contains("</"));
    }
}
