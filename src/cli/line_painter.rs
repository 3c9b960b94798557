//! Colours of text on a terminal. Whole lines are coloured, depending on their beginning or content. Text that goes
//! elsewhere stays unchanged.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};

use super::harmless::shown;

/// How many lines are known when the style of a line is chosen.
const KNOWN: usize = 3;

/// Returns the style of the first of some lines, given those that follow it. `None` for plain text.
pub(super) type LineStyler = fn(&[String; KNOWN]) -> Option<Style>;

/// Paints lines, and makes control characters visible.
#[derive(Debug)]
pub(super) struct LinePainter {
    look: LineStyler,
    /// The last line, as far as it was written.
    line: Vec<u8>,
    /// The lines before it, the style of the first of which depends on the others.
    known: [String; KNOWN],
}

impl LinePainter {
    pub(super) fn new(look: LineStyler) -> Self {
        Self { look, line: Vec::new(), known: Default::default() }
    }

    /// Writes further bytes, up to the lines that are known but not written.
    pub(super) fn write(&mut self, bytes: &[u8], output: &mut impl Write) -> io::Result<()> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.next_line(output)?;
            }
        }
        Ok(())
    }

    /// Writes the remaining lines.
    pub(super) fn finish(&mut self, output: &mut impl Write) -> io::Result<()> {
        (0..=KNOWN).try_for_each(|_| self.next_line(output))
    }

    /// Adds the line that ends here, and writes the first line in its style.
    fn next_line(&mut self, output: &mut impl Write) -> io::Result<()> {
        let line = shown(&String::from_utf8_lossy(&self.line));
        self.line.clear();
        let style = (self.look)(&self.known).filter(|_| !self.known[0].is_empty());
        self.known.rotate_left(1);
        let first = std::mem::replace(&mut self.known[KNOWN - 1], line);
        match style {
            Some(style) => {
                let (text, end) = first.strip_suffix('\n').map_or((&*first, ""), |text| (text, "\n"));
                write!(output, "{style}{text}{style:#}{end}")
            }
            None => output.write_all(first.as_bytes()),
        }
    }
}

const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The style of a line of a table: its header of one or two lines, and the lines that it is drawn with.
pub(super) fn table(lines: &[String; KNOWN]) -> Option<Style> {
    let is_drawn = |line: &str| !line.is_empty() && line.chars().all(|c| c == '─');
    let is_of_header = !lines[0].trim().is_empty() && lines.iter().any(|line| is_drawn(line.trim()));
    (is_of_header || lines[0].trim_start().starts_with("── ")).then_some(DIM)
}

/// The style of a line of a comparison: what is better, what is worse, and the titles.
pub(super) fn comparison([line, ..]: &[String; KNOWN]) -> Option<Style> {
    let is_verdict = |verdict: &str| {
        line.contains(&format!(" is {verdict} than ")) || line.contains(&format!("  {verdict}  "))
    };
    match () {
        () if line.starts_with("── ") => Some(DIM),
        () if !line.starts_with(' ') => Some(BOLD),
        () if is_verdict("worse") => Some(RED),
        () if is_verdict("better") => Some(GREEN),
        () => None,
    }
}

/// The style of a line of tables with titles, which are not indented.
pub(super) fn titled_tables(lines: &[String; KNOWN]) -> Option<Style> {
    facts(lines).or_else(|| table(lines))
}

/// The style of a line of differences: removed or added.
pub(super) fn difference([line, ..]: &[String; KNOWN]) -> Option<Style> {
    match line.trim_start() {
        line if line.starts_with("- ") => Some(RED),
        line if line.starts_with("+ ") => Some(GREEN),
        _ if line.starts_with(' ') || line.trim().is_empty() => None,
        _ => Some(BOLD),
    }
}

/// The style of a line of a report: names of files, and rules by their severity.
pub(super) fn report([line, ..]: &[String; KNOWN]) -> Option<Style> {
    let head = line.split(": ").next().unwrap_or_default();
    match head.rsplit(' ').next() {
        _ if !line.starts_with(' ') && line.contains("does not conform") => Some(RED.bold()),
        _ if !line.starts_with(' ') && line.contains(": conforms") => Some(GREEN.bold()),
        Some("violation" | "error") if line.starts_with("  ") && !line.starts_with("    ") => Some(RED),
        Some("warning") if line.starts_with("  ") && !line.starts_with("    ") => Some(YELLOW),
        _ => None,
    }
}

/// The style of a line of facts: the names of things.
pub(super) fn facts([line, ..]: &[String; KNOWN]) -> Option<Style> {
    (!line.starts_with(' ') && !line.trim().is_empty()).then_some(BOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(look: LineStyler, pieces: &[&str]) -> String {
        let (mut painter, mut bytes) = (LinePainter::new(look), Vec::new());
        for piece in pieces {
            painter.write(piece.as_bytes(), &mut bytes).expect("memory takes all");
        }
        painter.finish(&mut bytes).expect("memory takes all");
        String::from_utf8(bytes).expect("it is UTF-8")
    }

    #[test]
    fn lines_are_painted_whole_however_they_come() {
        let text = painted(difference, &["file\n  - o", "ld\n", "  + new\u{1b}[2J\n  same\n", "+ end"]);
        let expected = format!(
            "{BOLD}file{BOLD:#}\n{RED}  - old{RED:#}\n{GREEN}  + new␛[2J{GREEN:#}\n  same\n{GREEN}+ end{GREEN:#}"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn the_header_of_a_table_is_dim_wherever_the_table_begins() {
        let text = painted(titled_tables, &["tasks\n      of\n  id  n\n", "  ─────\n  a   1\n\nnone\n"]);
        let expected = format!(
            "{BOLD}tasks{BOLD:#}\n{DIM}      of{DIM:#}\n{DIM}  id  n{DIM:#}\n{DIM}  ─────{DIM:#}\n  a   1\n\n{BOLD}none{BOLD:#}\n"
        );
        assert_eq!(text, expected);
        assert_eq!(
            painted(table, &["── 1 ──\na  1\n1 row\n"]),
            format!("{DIM}── 1 ──{DIM:#}\na  1\n1 row\n")
        );
        assert_eq!(painted(table, &[]), "");
    }
}
