//! The text of a file that is no JSON, beyond the values that stand in it: of YAML all but its values, of a
//! table how its cells are written.
//!
//! A form is kept only if the file's own values, written in it, are read back as they are. It takes
//! other values, too: what was changed shows, the rest stays byte for byte. Where it cannot hold them,
//! nothing is written.

mod mould;
mod table;

use super::json_difference::value_hash;
use crate::json::{Document, Limits, Style, StyledJson, TokenId, parse};
use mould::Mould;
use table::Table;

/// For texts of our own making, which may be longer than inputs.
const LIMITS: Limits = Limits { size: u64::MAX, depth: 2048 };

/// How the values of a file are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// JSON, or JSON lines.
    Json,
    /// A table with this separator, else with the one that its first line suggests.
    Csv(Option<u8>),
    /// YAML.
    Yaml,
}

/// What is kept of a text that is no JSON.
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
        is_same((&read, read.root()), (values, values.root())).then_some(text)
    }

    /// The form as JSON.
    pub(super) fn encode(&self) -> String {
        let mut json = StyledJson::new(Style::compact());
        json.open('{');
        match self {
            Self::Yaml(mould) => mould.encode(&mut json),
            Self::Csv(table) => table.encode(&mut json),
        }
        json.close('}');
        json.finish()
    }

    /// The form that a JSON text says; none where it says none.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let json = parse("form", text.to_owned(), LIMITS).ok()?;
        let yaml = || Mould::decode(&json).map(Self::Yaml);
        yaml().or_else(|| Table::decode(&json).map(Self::Csv))
    }
}

/// Whether two values say the same, in whatever order their members stand.
///
/// Recurses by level; the parser limits the depth.
fn is_same((left, value): (&Document, TokenId), (right, other): (&Document, TokenId)) -> bool {
    if left.kind(value) == right.kind(other) && left.is_object(value) {
        return left.members(value).count() == right.members(other).count()
            && left.members(value).all(|member| {
                let found = right.get(other, left.symbol_text(member.symbol));
                found.is_some_and(|found| is_same((left, member.value), (right, found)))
            });
    }
    if left.kind(value) == right.kind(other) && left.is_array(value) {
        return left.items(value).count() == right.items(other).count()
            && left
                .items(value)
                .zip(right.items(other))
                .all(|(item, found)| is_same((left, item), (right, found)));
    }
    match (left.string(value), right.string(other)) {
        (Some(text), Some(found)) => text == found,
        (None, None) => left.kind(value) == right.kind(other) && left.raw(value) == right.raw(other),
        _ => false,
    }
}

/// A text that stands where a value is, as long as the value has that hash.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spelled {
    hash: String,
    text: String,
}

impl Spelled {
    fn of((document, value): (&Document, TokenId), text: &str) -> Self {
        Self { hash: value_hash(document, value), text: text.to_owned() }
    }

    /// The text, if the value is what it was.
    fn text_of(&self, (document, value): (&Document, TokenId)) -> Option<&str> {
        (self.hash == value_hash(document, value)).then_some(self.text.as_str())
    }

    fn encode(&self, json: &mut StyledJson) {
        json.open('[');
        for text in [&self.hash, &self.text] {
            json.item();
            json.string(text);
        }
        json.close(']');
    }

    fn decode((json, pair): (&Document, TokenId)) -> Option<Self> {
        let mut texts = json.items(pair).map(|text| json.string(text));
        let mut next = || Some(texts.next()??.into_owned());
        Some(Self { hash: next()?, text: next()? })
    }
}
