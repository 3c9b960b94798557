//! Reads rows from JSON, JSON lines or CSV as one document: an array of objects with the keys of rows, whose values
//! keep their places in the file.

use super::column_kinds::{has_booleans, has_numbers};
use super::column_path::FoundValues;
use super::mapped_columns::{ColumnCodes, MappedColumns, MappedValue};
use super::missing_columns::missing_column;
use super::row_options::{ColumnUse, RowOptions, TableColumns};
use crate::cell_list::{CellValue, is_missing, list_of};
use crate::columns::{column_names, no_column, two_columns, wrong_fields};
use crate::csv::{CsvField, read_csv, separator_of};
use crate::secrets::{is_more_than_a_name, is_name};
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_json::number::{is_integer, is_number};
use evalgraph_json::{DocumentComposer, JsonDocument, Limits, TokenId, parse, parse_lines};
use std::collections::HashSet;

/// The forms of files with rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// A JSON array.
    Json,
    /// A JSON object on each line.
    JsonLines,
    /// Comma-separated values, with a first line of names.
    Csv,
}

/// The prefix for the name of a column whose key was given to another column.
const REPLACED: &str = "unmapped_";

/// Returns the name in the file of a column whose key was given to another column.
pub fn replaced_column(key: &str) -> Option<&str> {
    key.strip_prefix(REPLACED)
}

/// The codes of the reader's faults with columns.
const CODES: ColumnCodes = ColumnCodes { column: "train::column", choice: "train::choice" };
const COLUMN: &str = CODES.column;

/// Reads a text as rows.
///
/// # Errors
/// Codes in `json::` and `csv::` with the place of the fault; `train::column` if two columns have the same name, or if
/// a column that the options name is missing or contains API keys; `train::choice` if a value that chooses an item of a
/// list names none; `train::fields` if a line of CSV has more or fewer fields than the first.
///
/// ```
/// use evalgraph_json::Limits;
/// use evalgraph_formats::rows::{RowFormat, RowOptions, read_rows};
///
/// let table = "prompt,answer\n\"What is 2+2?\",4\n".to_owned();
/// let columns = vec![("question".to_owned(), "prompt".to_owned())];
/// let options = RowOptions { columns, ..RowOptions::default() };
/// let rows = read_rows("sums.csv", table, RowFormat::Csv, &options, Limits::default())?;
/// let row = rows.items(rows.root()).next().expect("there is a row");
/// let question = rows.get(row, "question").expect("it was mapped");
/// assert_eq!(rows.string(question).as_deref(), Some("What is 2+2?"));
/// assert_eq!(rows.place(question).line, 2);
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn read_rows(
    name: &str,
    text: String,
    format: RowFormat,
    options: &RowOptions,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    if let Some((_, column)) = options.columns.iter().find(|(_, column)| names_secret(column)) {
        let message = format!("the column `{column}` contains API keys, which no output may show");
        return Err(Box::new(Diagnostic::error(COLUMN, message).at(SourceText::new(name, b"").place(0..0))));
    }
    let document = match format {
        RowFormat::Csv => return csv_rows(name, &text, options),
        RowFormat::Json => parse(name, text, limits)?,
        RowFormat::JsonLines => parse_lines(name, text, limits)?,
    };
    mapped_rows(document, options)
}

/// Returns whether a column, or a key in a path, has the name of an API key.
fn names_secret(column: &str) -> bool {
    is_name(column.as_bytes()) || column.split(['.', '[', ']', '=']).any(|key| is_name(key.as_bytes()))
}

/// Returns rows with the keys that options assign to their columns.
///
/// # Errors
/// `train::column` and `train::choice`, as [`read_rows`].
pub fn mapped_rows(document: JsonDocument, options: &RowOptions) -> Result<JsonDocument, Box<Diagnostic>> {
    let root = document.root();
    // An object has no rows: it is of another system, or its rows are in a list inside of it.
    if !options.has_mapping() || !document.is_array(root) {
        return Ok(document);
    }
    let mapped = MappedColumns::find(&document, options, CODES, |_| true)?;
    let mut composer = DocumentComposer::over(&document);
    composer.begin_array(document.start(root));
    let mut number = 0;
    for row in document.items(root) {
        if document.is_object(row) {
            mapped_row(&document, row, mapped.row(number), &mapped, &mut composer);
            number += 1;
        } else {
            composer.value(&document, row);
        }
    }
    composer.end();
    composer.finish()
}

/// Writes a row. A value inside of a column comes before this column, which stays in the row.
fn mapped_row<'m>(
    document: &JsonDocument,
    row: TokenId,
    found: impl Iterator<Item = MappedValue<'m>>,
    mapped: &MappedColumns<'_>,
    composer: &mut DocumentComposer,
) {
    let found: Vec<MappedValue<'_>> = found.collect();
    composer.begin_object(document.start(row));
    for member in document.members(row) {
        let name = document.symbol_text(member.symbol);
        let mut is_moved = false;
        for &MappedValue { key, is_whole, found, .. } in found.iter().filter(|value| value.column == name) {
            is_moved |= is_whole;
            if key == name {
                let key = composer.key(key);
                composer.member_at(key, document.start(member.key));
            } else {
                let key = composer.key_of(document.bytes(member.key), key);
                composer.member(key);
            }
            mapped_value(document, key, found, composer);
        }
        if is_moved {
            continue;
        }
        if mapped.is_mapped(name) {
            let key = composer.key_of(document.bytes(member.key), &format!("{REPLACED}{name}"));
            composer.member(key);
        } else {
            let key = composer.key(name);
            composer.member_at(key, document.start(member.key));
        }
        composer.value(document, member.value);
    }
    composer.end();
}

/// Writes the value of a key: a list if there are several values, and where the key has lists.
fn mapped_value(document: &JsonDocument, key: &str, found: &FoundValues, composer: &mut DocumentComposer) {
    let is_text = |value: TokenId| document.is_string(value);
    match found {
        FoundValues::One(value) if LISTS.contains(&key) && is_text(*value) => {
            composer.begin_array(document.start(*value));
            composer.value(document, *value);
            composer.end();
        }
        FoundValues::One(value) => drop(composer.value(document, *value)),
        FoundValues::List(values) => {
            composer.begin_array(values.first().map_or(0, |&value| document.start(value)));
            for &value in values {
                composer.value(document, value);
            }
            composer.end();
        }
    }
}

fn csv_rows(name: &str, text: &str, options: &RowOptions) -> Result<JsonDocument, Box<Diagnostic>> {
    let separator = options.separator.unwrap_or_else(|| separator_of(text));
    let mut records = read_csv(name, text, separator)?.into_iter();
    let source = SourceText::new(name, text.as_bytes());
    let header = records.next().unwrap_or_default();
    let header_names = column_names(&header);
    let names: Vec<&str> = header_names.iter().map(|name| &**name).collect();
    if names.iter().any(|name| is_more_than_a_name(name)) {
        let message = "the first line names no columns, and may contain API keys";
        let place = SourceText::new(name, b"").place(0..0);
        return Err(Box::new(Diagnostic::error(COLUMN, message).at(place)));
    }
    let first = header.first().map_or(0..0, |field| field.bytes.clone());
    let place = || source.place(first.clone());
    let columns = TableColumns::choose(&names, options, |_| true)
        .map_err(|missing| missing_column(COLUMN, &missing, options.preset, &names, place()))?;
    if names.is_empty() {
        return Err(no_column(COLUMN, "question", "question", &names, place()));
    }
    let key_of = |name: &&str| match columns.use_of(name) {
        ColumnUse::Key(key) => key.to_owned(),
        ColumnUse::Replaced => format!("{REPLACED}{name}"),
        ColumnUse::Own => (*name).to_owned(),
    };
    let keys: Vec<String> = names.iter().map(key_of).collect();
    let mut known = HashSet::with_capacity(keys.len());
    if let Some(at) = keys.iter().position(|key| !known.insert(key)) {
        return Err(two_columns(COLUMN, &keys[at], source.place(header[at].bytes.clone())));
    }
    let mut composer = DocumentComposer::new(name, text);
    let columns = keys.iter().zip(&header);
    let composed: Vec<_> = columns.map(|(key, field)| composer.key_of(field.bytes.clone(), key)).collect();
    composer.begin_array(0);
    for record in records {
        let bytes = record.first().map_or(0..0, |field| field.bytes.clone());
        if record.len() != keys.len() {
            let place = source.place(bytes);
            return Err(wrong_fields("train::fields", record.len(), keys.len(), separator, place));
        }
        composer.begin_object(bytes.start);
        for ((key, composed), field) in keys.iter().zip(&composed).zip(&record) {
            let is_list = LISTS.contains(&key.as_str());
            let is_left_out = field.text.is_empty() || is_list && is_missing(&field.text);
            if !is_left_out {
                composer.member(*composed);
                cell(key, field, &mut composer);
            }
        }
        composer.end();
    }
    composer.end();
    composer.finish()
}

/// The columns whose cells may be lists: of strings, or of objects with the keys of contexts.
pub(crate) const LISTS: [&str; 3] = ["contexts", "generated_contexts", "retrieved_docs"];

/// Returns whether a field in a column may be a number.
pub(crate) fn may_be_number(key: &str, text: &str) -> bool {
    match key {
        "id" | "query_id" => is_integer(text),
        key => has_numbers(key) && is_number(text),
    }
}

/// Writes a field as the value that its column requires: integer ids, numbers, true and false, lists of contexts, and
/// strings in all other columns.
fn cell(key: &str, field: &CsvField, composer: &mut DocumentComposer) {
    // Quotes around a number make it a string.
    let is_bare = field.bytes.len() == field.text.len();
    match key {
        key if is_bare && may_be_number(key, &field.text) => composer.number(field.bytes.clone()),
        key if has_booleans(key) => match field.text.to_ascii_lowercase().as_str() {
            "true" => composer.boolean_of(true, field.bytes.clone()),
            "false" => composer.boolean_of(false, field.bytes.clone()),
            _ => text_of(field, composer),
        },
        "is_impossible" => match field.text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => composer.boolean_of(true, field.bytes.clone()),
            "false" | "no" | "0" => composer.boolean_of(false, field.bytes.clone()),
            _ => text_of(field, composer),
        },
        key if LISTS.contains(&key) => {
            composer.begin_array(field.bytes.start);
            match list_of(&field.text) {
                Some(values) => values.iter().for_each(|value| cell_value(value, field, composer)),
                None => text_of(field, composer),
            }
            composer.end();
        }
        _ => text_of(field, composer),
    }
}

/// Writes a value of a list in a field. Its place is that of the field.
fn cell_value(value: &CellValue, field: &CsvField, composer: &mut DocumentComposer) {
    let at = field.bytes.start;
    match value {
        CellValue::Text(text) => {
            let constant = composer.made_of(field.bytes.clone(), text);
            composer.string(constant);
        }
        CellValue::Bare(word) if is_missing(word) => composer.null(at),
        CellValue::Bare(word) if is_number(word) => {
            let constant = composer.made_of(field.bytes.clone(), word);
            composer.digits(constant);
        }
        CellValue::Bare(word) => composer.boolean(word.eq_ignore_ascii_case("true"), at),
        CellValue::List(values) => {
            composer.begin_array(at);
            values.iter().for_each(|value| cell_value(value, field, composer));
            composer.end();
        }
        CellValue::Object(members) => {
            composer.begin_object(at);
            for (key, value) in members {
                let key = composer.key_of(field.bytes.clone(), key);
                composer.member(key);
                cell_value(value, field, composer);
            }
            composer.end();
        }
    }
}

/// Composes the text of a field from the bytes of the file, unless JSON requires escapes in it.
fn text_of(field: &CsvField, composer: &mut DocumentComposer) {
    let (start, end) = (field.bytes.start, field.bytes.end);
    let is_escaped = field.text.bytes().any(|byte| matches!(byte, b'"' | b'\\') || byte < b' ');
    if is_escaped {
        let constant = composer.made_of(field.bytes.clone(), &field.text);
        composer.string(constant);
    } else if field.bytes.len() == field.text.len() {
        composer.text(start..end);
    } else {
        composer.text(start + 1..end - 1);
    }
}
