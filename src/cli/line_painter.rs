//! Colours of text on a terminal. Whole lines are coloured, depending on their beginning or content. Text that goes
//! elsewhere stays unchanged.

use std::io::{self, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

use super::harmless::shown;

/// Returns the style of a line. `None` for plain text.
pub(super) type LineStyler = fn(&str) -> Option<Style>;

/// A writer that paints each line.
pub(super) struct LinePainter<W: Write> {
    output: W,
    look: Option<LineStyler>,
    line: Vec<u8>,
}

impl<W: Write> LinePainter<W> {
    /// The styler for output to a path. `None` unless the output is stdout and shows colours.
    pub(super) fn look(path: Option<&Path>, look: Option<LineStyler>) -> Option<LineStyler> {
        let is_coloured = || AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        look.filter(|_| path.is_none() && is_coloured())
    }

    /// Creates a writer that paints lines with a styler.
    pub(super) fn new(output: W, look: Option<LineStyler>) -> Self {
        Self { output, look, line: Vec::new() }
    }

    /// Writes the last line if it has no line end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_line()
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        if self.look.is_none() {
            return self.output.write_all(&line);
        }
        let text = shown(&String::from_utf8_lossy(&line));
        match self.look.and_then(|look| look(&text)) {
            Some(style) => {
                let (text, end) = text.strip_suffix('\n').map_or((text.as_str(), ""), |text| (text, "\n"));
                write!(self.output, "{style}{text}{style:#}{end}")
            }
            None => self.output.write_all(text.as_bytes()),
        }
    }
}

impl<W: Write> Write for LinePainter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.look.is_none() {
            return self.output.write(bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const BOLD: Style = Style::new().bold();

/// The style of a line of differences: removed or added.
pub(super) fn difference(line: &str) -> Option<Style> {
    match line.trim_start() {
        line if line.starts_with("- ") => Some(RED),
        line if line.starts_with("+ ") => Some(GREEN),
        _ if line.starts_with(' ') || line.trim().is_empty() => None,
        _ => Some(BOLD),
    }
}

/// The style of a line of a report: names of files, and rules by their severity.
pub(super) fn report(line: &str) -> Option<Style> {
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
pub(super) fn facts(line: &str) -> Option<Style> {
    (!line.starts_with(' ') && !line.trim().is_empty()).then_some(BOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_painted_whole_however_they_come() {
        let mut bytes = Vec::new();
        let mut painted = LinePainter { output: &mut bytes, look: Some(difference), line: Vec::new() };
        for piece in ["file\n  - o", "ld\n", "  + new\u{1b}[2J\n  same\n", "+ end"] {
            painted.write_all(piece.as_bytes()).expect("memory takes all");
        }
        painted.finish().expect("memory takes all");
        let text = String::from_utf8(bytes).expect("it is UTF-8");
        let expected = format!(
            "{BOLD}file{BOLD:#}\n{RED}  - old{RED:#}\n{GREEN}  + new␛[2J{GREEN:#}\n  same\n{GREEN}+ end{GREEN:#}"
        );
        assert_eq!(text, expected);
    }
}
