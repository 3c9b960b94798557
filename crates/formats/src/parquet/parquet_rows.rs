//! Assembles rows from their columns, value by value, and checks the size of the text after each value.
//!
//! A value has a definition level, which says how many of the optional levels around it are present, and a repetition
//! level, which says which list it continues (the Dremel encoding).

use parquet::errors::ParquetError;
use parquet::record::Field;
use parquet::record::reader::Reader;

use super::parquet_values::{ColumnMeaning, write_value};
use evalgraph_json::write_string;

/// The reason why a row is not written.
pub(super) enum RowFailure {
    /// The text exceeds the limit.
    TooLarge,
    Damaged(ParquetError),
    /// A value that JSON cannot represent, with its column.
    Value(String),
}

impl From<ParquetError> for RowFailure {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error)
    }
}

/// The text of the rows so far, and its limit.
pub(super) struct BoundedText {
    pub(super) text: String,
    pub(super) most: u64,
}

impl BoundedText {
    pub(super) fn push(&mut self, text: &str) -> Result<(), RowFailure> {
        self.text.push_str(text);
        self.check()
    }

    fn check(&self) -> Result<(), RowFailure> {
        if self.text.len() as u64 > self.most { Err(RowFailure::TooLarge) } else { Ok(()) }
    }
}

/// Writes the next row as an object.
pub(super) fn write_row(
    members: &mut [Reader],
    columns: &[ColumnMeaning],
    out: &mut BoundedText,
) -> Result<(), RowFailure> {
    out.push("{")?;
    let mut is_first = true;
    for (at, member) in members.iter_mut().enumerate() {
        let key = name(member)?.to_owned();
        let before = out.text.len();
        if !is_first {
            out.push(", ")?;
        }
        write_string(&key, &mut out.text);
        out.push(": ")?;
        let column = columns.get(at).copied().unwrap_or(ColumnMeaning::Plain);
        let is_there = write(member, column, out).map_err(|failure| match failure {
            RowFailure::Value(what) => RowFailure::Value(format!("`{key}` {what}")),
            failure => failure,
        })?;
        if is_there {
            is_first = false;
        } else {
            out.text.truncate(before);
        }
    }
    out.push("}")
}

/// Writes the next value. Returns whether it is present.
fn write(reader: &mut Reader, column: ColumnMeaning, out: &mut BoundedText) -> Result<bool, RowFailure> {
    if !matches!(reader, Reader::GroupReader(..)) && !has_next(reader) {
        return Err(ended());
    }
    match reader {
        Reader::PrimitiveReader(_, values) => {
            let value = values.current_value()?;
            values.read_next()?;
            if matches!(value, Field::Null) {
                return Ok(false);
            }
            write_value(&value, column, &mut out.text).map_err(RowFailure::Value)?;
            out.check()?;
            Ok(true)
        }
        Reader::OptionReader(level, value) => {
            if definition(value)? > *level {
                return write(value, column, out);
            }
            pass(value)?;
            Ok(false)
        }
        Reader::GroupReader(_, _, members) => {
            write_row(members, &[], out)?;
            Ok(true)
        }
        Reader::RepeatedReader(_, level, list, items) => {
            write_list(items, (*level, *list), out)?;
            Ok(true)
        }
        Reader::KeyValueReader(_, level, list, keys, values) => {
            write_map(keys, values, (*level, *list), out)?;
            Ok(true)
        }
    }
}

/// Writes a list; `levels` are its definition level and its repetition level.
fn write_list(items: &mut Reader, levels: (i16, i16), out: &mut BoundedText) -> Result<(), RowFailure> {
    let (level, list) = levels;
    out.push("[")?;
    // An empty list still has an entry, marked by its definition level, which has to be skipped.
    if definition(items)? <= level {
        pass(items)?;
        return out.push("]");
    }
    loop {
        if !write(items, ColumnMeaning::Plain, out)? {
            out.push("null")?;
        }
        // A lower repetition level begins another list.
        if !has_next(items) || repetition(items)? <= list {
            return out.push("]");
        }
        if definition(items)? <= level {
            pass(items)?;
            return out.push("]");
        }
        out.push(", ")?;
    }
}

/// Writes a map as an object; `levels` are its definition level and its repetition level.
fn write_map(
    keys: &mut Reader,
    values: &mut Reader,
    levels: (i16, i16),
    out: &mut BoundedText,
) -> Result<(), RowFailure> {
    let (level, list) = levels;
    out.push("{")?;
    if definition(keys)? <= level {
        pass(keys)?;
        pass(values)?;
        return out.push("}");
    }
    loop {
        let before = out.text.len();
        if !write(keys, ColumnMeaning::Plain, out)? || out.text.as_bytes().get(before) != Some(&b'"') {
            return Err(RowFailure::Value("has keys that are not strings".to_owned()));
        }
        out.push(": ")?;
        if !write(values, ColumnMeaning::Plain, out)? {
            out.push("null")?;
        }
        if !has_next(keys) || repetition(keys)? <= list {
            return out.push("}");
        }
        if definition(keys)? <= level {
            pass(keys)?;
            pass(values)?;
            return out.push("}");
        }
        out.push(", ")?;
    }
}

/// Skips an absent value.
pub(super) fn pass(reader: &mut Reader) -> Result<(), ParquetError> {
    match reader {
        Reader::PrimitiveReader(_, values) => values.read_next().map(drop),
        Reader::OptionReader(_, value) => pass(value),
        Reader::GroupReader(_, _, members) => members.iter_mut().try_for_each(pass),
        Reader::RepeatedReader(_, _, _, items) => pass(items),
        Reader::KeyValueReader(_, _, _, keys, values) => pass(keys).and_then(|()| pass(values)),
    }
}

/// Returns the reader of the first column below a reader, or `None` below a group without members.
fn first(reader: &Reader) -> Option<&Reader> {
    match reader {
        Reader::PrimitiveReader(..) => Some(reader),
        Reader::OptionReader(_, inner) | Reader::RepeatedReader(_, _, _, inner) => first(inner),
        Reader::KeyValueReader(_, _, _, keys, _) => first(keys),
        Reader::GroupReader(_, _, members) => members.first().and_then(first),
    }
}

fn has_next(reader: &Reader) -> bool {
    matches!(first(reader), Some(Reader::PrimitiveReader(_, values)) if values.has_next())
}

fn definition(reader: &Reader) -> Result<i16, RowFailure> {
    match first(reader) {
        Some(Reader::PrimitiveReader(_, values)) => Ok(values.current_def_level()),
        _ => Err(ended()),
    }
}

fn repetition(reader: &Reader) -> Result<i16, RowFailure> {
    match first(reader) {
        Some(Reader::PrimitiveReader(_, values)) => Ok(values.current_rep_level()),
        _ => Err(ended()),
    }
}

fn name(reader: &Reader) -> Result<&str, RowFailure> {
    match reader {
        Reader::PrimitiveReader(field, _)
        | Reader::GroupReader(Some(field), ..)
        | Reader::RepeatedReader(field, ..)
        | Reader::KeyValueReader(field, ..) => Ok(field.name()),
        Reader::OptionReader(_, value) => name(value),
        Reader::GroupReader(None, ..) => Err(ended()),
    }
}

fn ended() -> RowFailure {
    RowFailure::Damaged(ParquetError::General("a column ends before its rows".to_owned()))
}
