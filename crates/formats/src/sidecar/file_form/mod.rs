//! Keeps the text around the values of a file that is not JSON: all of a YAML text but its values, and the way in
//! which the cells of a table are written.
//!
//! A form is kept only if the file's own values, written in it, are read back as they are. It takes other
//! values, too: changed values show, and the rest of the text stays byte for byte. Nothing is written where the
//! form cannot hold the values.

mod mould;
mod spelled;
mod table;

use super::json_difference::value_hash;
use super::members::{LIMITS, MemberReader, MemberWriter};
use evalgraph_json::{Document, parse};
use mould::Mould;
use spelled::is_same;
use table::Table;

/// Tells how the values of a file are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
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
    Yaml(Mould),
    /// Of CSV.
    Csv(Table),
}

impl FileForm {
    /// Learns the form of a file; none for JSON, and where the values would not come back.
    pub fn of(file: &Document, notation: Notation) -> Option<Self> {
        let form = match notation {
            Notation::Json => return None,
            Notation::Csv(separator) => Self::Csv(Table::of(file, separator)?),
            Notation::Yaml => Self::Yaml(Mould::of(file)?),
        };
        form.write(file).is_some().then_some(form)
    }

    /// Writes values in this form; none where it cannot hold them.
    pub fn write(&self, values: &Document) -> Option<String> {
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
        let members = MemberReader::of(&json);
        let yaml = Mould::decode(members).map(Self::Yaml);
        yaml.or_else(|| Table::decode(members).map(Self::Csv))
    }
}
