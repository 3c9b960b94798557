//! Keeps the text around the values of a file that is not JSON: all of a YAML text but its values, and the way in
//! which the cells of a table are written.
//!
//! A form is kept only if the file's own values, written in it, are read back as they are. It takes other
//! values, too: changed values show, and the rest of the text stays byte for byte. Nothing is written where the
//! form cannot hold the values.

mod csv_form;
mod mould;
mod spelled_value;

use super::json_difference::value_hash;
use super::members::{LIMITS, MemberReader, MemberWriter};
use csv_form::CsvForm;
use evalgraph_json::{JsonDocument, parse};
use mould::YamlMould;
use spelled_value::is_same;

/// Tells how the values of a file are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileNotation {
    /// JSON, or JSON lines.
    Json,
    /// A table with this separator; without one, the first line suggests it.
    Csv(Option<u8>),
    /// YAML.
    Yaml,
}

/// The form of a text that is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileForm {
    /// Of YAML.
    Yaml(YamlMould),
    /// Of CSV.
    Csv(CsvForm),
}

impl FileForm {
    /// Learns the form of a file; none for JSON, and where the values would not come back.
    pub fn from_document(file: &JsonDocument, notation: FileNotation) -> Option<Self> {
        let form = match notation {
            FileNotation::Json => return None,
            FileNotation::Csv(separator) => Self::Csv(CsvForm::from_document(file, separator)?),
            FileNotation::Yaml => Self::Yaml(YamlMould::from_document(file)?),
        };
        form.write(file).is_some().then_some(form)
    }

    /// Writes values in this form; none where it cannot hold them.
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

    /// Reads a form from JSON; none where the JSON is not a form.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let json = parse("form", text.to_owned(), LIMITS).ok()?;
        let members = MemberReader::new(&json);
        let yaml = YamlMould::decode(members).map(Self::Yaml);
        yaml.or_else(|| CsvForm::decode(members).map(Self::Csv))
    }
}
