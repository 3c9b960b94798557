//! Keeps the text around the values of a file that is not JSON: for YAML the whole text without its values, for a table
//! how its cells are written.
//!
//! A form is kept only if the file's own values, written in it, are read back unchanged. It also accepts other values:
//! the changed values appear, and the rest of the text stays byte for byte. Nothing is written if the form cannot
//! represent the values.

mod csv_form;
mod mould;
mod spelled_value;

use super::json_difference::value_hash;
use super::members::{LIMITS, MemberReader, MemberWriter};
use csv_form::CsvForm;
use evalgraph_json::{JsonDocument, parse};
use mould::YamlMould;
use spelled_value::is_same;

/// The notation of a file's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileNotation {
    /// JSON, or JSON lines.
    Json,
    /// A table with this separator; if `None`, the first line suggests it.
    Csv(Option<u8>),
    /// YAML.
    Yaml,
}

/// The form of a text that is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileForm {
    /// The form of a YAML file.
    Yaml(YamlMould),
    /// The form of a CSV file.
    Csv(CsvForm),
}

impl FileForm {
    /// Learns the form of a file. Returns `None` for JSON, and if the values would not be read back unchanged.
    pub fn from_document(file: &JsonDocument, notation: FileNotation) -> Option<Self> {
        let form = match notation {
            FileNotation::Json => return None,
            FileNotation::Csv(separator) => Self::Csv(CsvForm::from_document(file, separator)?),
            FileNotation::Yaml => Self::Yaml(YamlMould::from_document(file)?),
        };
        form.write(file).is_some().then_some(form)
    }

    /// Writes values in this form, or returns `None` if it cannot represent them.
    pub fn write(&self, values: &JsonDocument) -> Option<String> {
        let (text, read) = match self {
            Self::Yaml(mould) => mould.write(values)?,
            Self::Csv(table) => table.write(values)?,
        };
        is_same(&read, read.root(), values, values.root()).then_some(text)
    }

    /// Returns the form as JSON.
    pub(super) fn encode(&self) -> String {
        MemberWriter::text(|members| match self {
            Self::Yaml(mould) => mould.encode(members),
            Self::Csv(table) => table.encode(members),
        })
    }

    /// Reads a form from JSON, or returns `None` if the JSON is not a form.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let json = parse("form", text.to_owned(), LIMITS).ok()?;
        let members = MemberReader::new(&json);
        let yaml = YamlMould::decode(members).map(Self::Yaml);
        yaml.or_else(|| CsvForm::decode(members).map(Self::Csv))
    }
}
