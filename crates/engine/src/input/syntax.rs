//! The syntax of records in an input that is not RDF: JSON, JSON Lines, CSV or YAML.

use std::sync::Arc;

use evalgraph_diagnostics::{Diagnostic, TableCells};
use evalgraph_formats::rows::{RowFormat, RowOptions, mapped_rows, read_rows};
use evalgraph_formats::sidecar::file_form::FileNotation;
use evalgraph_formats::yaml::read_yaml;
use evalgraph_json::{JsonDocument, Limits, decode, parse};
use evalgraph_rdf::detect::{html_page, is_html_page};

/// The separator of the text that is written from a sheet.
pub const SHEET_SEPARATOR: u8 = b',';

/// The syntax of the values in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordSyntax {
    /// One JSON text, or a page with JSON scripts.
    #[default]
    Json,
    /// One JSON text per line.
    JsonLines,
    /// A table with a header line.
    Csv,
    /// YAML.
    Yaml,
}

impl RecordSyntax {
    /// All syntaxes.
    pub const ALL: [Self; 4] = [Self::Json, Self::JsonLines, Self::Csv, Self::Yaml];

    /// The file name extensions of the syntax.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json"],
            Self::JsonLines => &["jsonl", "ndjson"],
            Self::Csv => &["csv", "tsv"],
            Self::Yaml => &["yaml", "yml"],
        }
    }

    /// Returns the syntax for a file name's extension, or `None` for JSON.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let (_, extension) = plain.rsplit_once('.')?;
        let is_known = |known: &&str| known.eq_ignore_ascii_case(extension);
        let all = [Self::JsonLines, Self::Csv, Self::Yaml];
        all.into_iter().find(|syntax| syntax.extensions().iter().any(is_known))
    }

    /// Returns whether a file name's extension is used for records: a table, YAML, or JSON that need not be JSON-LD.
    pub fn is_of_records(name: &str) -> bool {
        let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let is_json = plain.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("json"));
        is_json || Self::from_file_name(name).is_some()
    }

    /// Returns the syntax of an input according to its name, or else its first lines.
    pub fn from_input(name: &str, bytes: &[u8]) -> Option<Self> {
        Self::from_file_name(name).or_else(|| is_json_lines(bytes).then_some(Self::JsonLines))
    }

    /// Returns the notation of the values in a file with this syntax.
    pub fn notation(self, options: &RowOptions) -> FileNotation {
        match self {
            Self::Json | Self::JsonLines => FileNotation::Json,
            Self::Csv => FileNotation::Csv(options.separator),
            Self::Yaml => FileNotation::Yaml,
        }
    }

    /// Parses the bytes of an input as records, or returns `None` if the JSON-LD parser has to parse them.
    pub fn parse(
        self,
        name: &str,
        bytes: &mut Vec<u8>,
        options: &RowOptions,
        limits: Limits,
    ) -> Option<Result<Arc<JsonDocument>, Box<Diagnostic>>> {
        let format = match self {
            Self::Json if !options.has_mapping() => return None,
            // A failed download may be named like a table but contain an HTML page.
            Self::JsonLines | Self::Csv if is_html_page("", bytes) => {
                return Some(Err(html_page(name, bytes)));
            }
            Self::Json => RowFormat::Json,
            Self::JsonLines => RowFormat::JsonLines,
            Self::Csv => RowFormat::Csv,
            Self::Yaml => {
                let text = decode(name, std::mem::take(bytes));
                let document = text.and_then(|text| read_yaml(name, &text, limits));
                let document = document.and_then(|document| mapped_rows(document, options));
                return Some(document.map(Arc::new));
            }
        };
        let text = decode(name, std::mem::take(bytes));
        Some(text.and_then(|text| read_rows(name, text, format, options, limits)).map(Arc::new))
    }
}

/// Parses the text of a sheet as records.
///
/// # Errors
///
/// The errors of [`read_rows`], with the cells in their places.
pub fn of_sheet(
    name: &str,
    text: Vec<u8>,
    cells: &TableCells,
    options: &RowOptions,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let options = RowOptions { separator: Some(SHEET_SEPARATOR), ..options.clone() };
    let text = decode(name, text);
    let rows = text.and_then(|text| read_rows(name, text, RowFormat::Csv, &options, limits));
    rows.map_err(|fault| Box::new(cells.named(*fault)))
}

/// Returns whether bytes begin in a way that JSON records never do.
pub fn is_no_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    !matches!(text.trim_ascii_start().first(), None | Some(b'[' | b'{'))
}

/// Returns whether the first line is a JSON object, and the next line that is not empty begins another.
fn is_json_lines(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Some(end) = memchr::memchr(b'\n', text).filter(|_| text.first() == Some(&b'{')) else { return false };
    let next = text[end..].iter().find(|byte| !byte.is_ascii_whitespace());
    let first = std::str::from_utf8(&text[..end]).ok();
    next == Some(&b'{') && first.is_some_and(|line| parse("", line.to_owned(), Limits::default()).is_ok())
}
