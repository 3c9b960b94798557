//! The text of a file that is no JSON, beyond the values that stand in it: of YAML all but its values, of a
//! table how its cells are written.
//!
//! A form is kept only if the file's own values, written in it, are read back as they are. It takes
//! other values, too: what was changed shows, the rest stays byte for byte. Where it cannot hold them,
//! nothing is written.

mod mould;
mod spelled;
mod table;

use super::json_difference::value_hash;
use super::members::{LIMITS, MemberReader, MemberWriter};
use crate::json::{Document, parse};
use mould::Mould;
use spelled::is_same;
use table::Table;

/// Tells how the values of a file are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// JSON, or JSON lines.
    Json,
    /// A table with this separator, else with the one that its first line suggests.
    Csv(Option<u8>),
    /// YAML.
    Yaml,
}

/// Tells what is kept of a text that is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileForm {
    /// Of YAML.
    Yaml(Mould),
    /// Of CSV.
    Csv(Table),
}

impl FileForm {
    /// The form of a file; none of JSON, and where the file would not come back with its values.
    pub fn of(file: &Document, notation: Notation) -> Option<Self> {
        let form = match notation {
            Notation::Json => return None,
            Notation::Csv(separator) => Self::Csv(Table::of(file, separator)?),
            Notation::Yaml => Self::Yaml(Mould::of(file)?),
        };
        form.write(file).is_some().then_some(form)
    }

    /// Values in this form; none where it cannot hold them.
    pub fn write(&self, values: &Document) -> Option<String> {
        let (text, read) = match self {
            Self::Yaml(mould) => mould.write(values)?,
            Self::Csv(table) => table.write(values)?,
        };
        is_same(&read, read.root(), values, values.root()).then_some(text)
    }

    /// The form as JSON.
    pub(super) fn encode(&self) -> String {
        MemberWriter::text(|members| match self {
            Self::Yaml(mould) => mould.encode(members),
            Self::Csv(table) => table.encode(members),
        })
    }

    /// The form that a JSON text says; none where it says none.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let json = parse("form", text.to_owned(), LIMITS).ok()?;
        let members = MemberReader::of(&json);
        let yaml = Mould::decode(members).map(Self::Yaml);
        yaml.or_else(|| Table::decode(members).map(Self::Csv))
    }
}
