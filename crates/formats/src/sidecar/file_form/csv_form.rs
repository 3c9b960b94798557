//! Keeps a table (CSV) without its values: the header line, the separator, the quoted columns, the line ends.
//!
//! The usual way of writing the cells of a column is kept once. A cell that is written differently is kept as it was,
//! with the hash of its value.

use super::spelled_value::SpelledValue;
use crate::cell_list::{is_missing, list_of};
use crate::csv::{CsvField, read_csv, separator_of};
use crate::rows::{RowFormat, RowOptions, keys_of_rows, may_be_number, read_rows, replaced_column};
use crate::secrets::is_overwritten;
use crate::sidecar::members::{MemberReader, MemberWriter};
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId};
use std::collections::{BTreeMap, HashMap, HashSet};

const NAME: &str = "table";

/// How the cells of a table are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvForm {
    separator: u8,
    /// The text up to the end of the header line.
    head: String,
    columns: Vec<ColumnForm>,
    /// The most common line end.
    line_end: String,
    /// The text after the last line.
    end: String,
    /// Other line ends, with the empty lines after them, by line; 0 is the header line.
    line_ends: BTreeMap<usize, String>,
    /// Cells that are not written as their column usually is, by row and column.
    spelled: BTreeMap<(usize, usize), SpelledValue>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct ColumnForm {
    /// The key of the column's values.
    key: String,
    /// `true` if cells have quotes although they need none.
    is_quoted: bool,
    /// `true` if empty cells have quotes.
    is_empty_quoted: bool,
    /// The words for true and false, if they are not the usual ones.
    words: [Option<String>; 2],
}

/// A cell of a file: its text, and the value that was read from it.
type CsvCellValue<'f> = (&'f CsvField, Option<TokenId>);

impl CsvForm {
    /// Learns how the cells of a CSV file are written.
    pub(super) fn from_document(file: &JsonDocument, separator: Option<u8>) -> Option<Self> {
        let text = file.written_text();
        let separator = separator.unwrap_or_else(|| separator_of(text));
        let records = read_csv(NAME, text, separator).ok()?;
        let (head, records) = records.split_first()?;
        let rows: Vec<TokenId> = file.items(file.root()).collect();
        if rows.len() != records.len() {
            return None;
        }
        // The first keys of the document are those of the columns.
        let keys: Vec<&str> = file.symbols().take(head.len()).map(|key| file.symbol_text(key)).collect();
        let head_end = head.last()?.bytes.end;
        let starts = records.iter().map(|record| record[0].bytes.start).chain([text.len()]);
        let ends = std::iter::once(head_end).chain(records.iter().map(|record| end_of(record)));
        let mut between: Vec<&str> = ends.zip(starts).map(|(end, start)| &text[end..start]).collect();
        let end = between.pop()?.to_owned();
        let line_end = commonest(&between).unwrap_or("\n").to_owned();
        let line_ends = between.iter().enumerate().filter(|(_, found)| **found != line_end);
        let mut cells: Vec<Vec<CsvCellValue<'_>>> = Vec::with_capacity(keys.len());
        for (column, key) in keys.iter().enumerate() {
            let pairs = records.iter().zip(&rows);
            cells.push(pairs.map(|(record, &row)| (&record[column], file.get(row, key))).collect());
        }
        let columns =
            keys.iter().zip(&cells).map(|(key, cells)| ColumnForm::from_cells(key, cells, file, separator));
        let mut table = Self {
            separator,
            head: text[..head_end].to_owned(),
            columns: columns.collect(),
            line_end: line_end.clone(),
            end,
            line_ends: line_ends.map(|(at, found)| (at, (*found).to_owned())).collect(),
            spelled: BTreeMap::new(),
        };
        for (number, (column, cells)) in table.columns.iter().zip(&cells).enumerate() {
            for (row, (field, value)) in cells.iter().enumerate() {
                let raw = &text[field.bytes.clone()];
                let is_usual = table.cell(column, file, *value).is_some_and(|written| written == raw);
                if !is_usual && !is_overwritten(raw) {
                    let spelled = SpelledValue { hash: hash(file, *value), text: raw.to_owned() };
                    table.spelled.insert((row, number), spelled);
                }
            }
        }
        Some(table)
    }

    /// Writes rows as a table. Returns the text and the values read from it.
    pub(super) fn write(&self, values: &JsonDocument) -> Option<(String, JsonDocument)> {
        let mut table = self.clone();
        table.add_columns(values);
        let mut out = table.head.clone();
        for (number, row) in values.items(values.root()).enumerate() {
            out.push_str(table.line_ends.get(&number).unwrap_or(&table.line_end));
            table.row(values, row, number, &mut out)?;
        }
        out.push_str(&table.end);
        let columns = table.renamed();
        let options = RowOptions { columns, separator: Some(self.separator), ..RowOptions::default() };
        let limits = Limits { size: u64::MAX, ..Limits::default() };
        let read = read_rows(NAME, out.clone(), RowFormat::Csv, &options, limits).ok()?;
        Some((out, read))
    }

    fn row(&self, values: &JsonDocument, row: TokenId, number: usize, out: &mut String) -> Option<()> {
        for (at, column) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(char::from(self.separator));
            }
            let value = values.get(row, &column.key);
            let spelled = self.spelled.get(&(number, at));
            match spelled.filter(|spelled| spelled.hash == hash(values, value)) {
                Some(spelled) => out.push_str(&spelled.text),
                None => out.push_str(&self.cell(column, values, value)?),
            }
        }
        Some(())
    }

    /// Adds a column for each key without one.
    fn add_columns(&mut self, values: &JsonDocument) {
        let known: HashSet<String> = self.columns.iter().map(|column| column.key.clone()).collect();
        let keys = keys_of_rows(values).into_iter().map(str::to_owned);
        for key in keys.filter(|key| !known.contains(key)) {
            self.head.push(char::from(self.separator));
            self.head.push_str(&if self.needs_quotes(&key) { quoted(&key) } else { key.clone() });
            self.columns.push(ColumnForm { key, ..ColumnForm::default() });
        }
    }

    /// Returns the columns whose names differ from their keys.
    fn renamed(&self) -> Vec<(String, String)> {
        let head = read_csv(NAME, &self.head, self.separator).unwrap_or_default();
        let names = head.first().into_iter().flatten().map(|field| field.text.trim());
        let pairs = self.columns.iter().map(|column| column.key.as_str()).zip(names);
        // If the name of a column is the key of another column, the reader renames it itself.
        let is_renamed =
            |(key, name): &(&str, &str)| key != name && !name.is_empty() && replaced_column(key).is_none();
        pairs.filter(is_renamed).map(|(key, name)| (key.to_owned(), name.to_owned())).collect()
    }

    /// Returns a value as a cell, or `None` if a cell cannot contain it.
    fn cell(&self, column: &ColumnForm, document: &JsonDocument, value: Option<TokenId>) -> Option<String> {
        let Some(value) = value else {
            // In the only column, an empty cell without quotes makes an empty line, which is not read as a row.
            let is_quoted = column.is_empty_quoted || self.columns.len() == 1;
            return Some(if is_quoted { "\"\"".to_owned() } else { String::new() });
        };
        let text = text_of(column, document, value)?;
        // In a column that may have numbers, a string that looks like a number needs quotes.
        let is_number = may_be_number(&column.key, &text);
        let is_text = is_number && document.is_string(value);
        let is_quoted = (column.is_quoted && !(is_number && document.number(value).is_some()))
            || is_text
            || self.needs_quotes(&text);
        Some(if is_quoted { quoted(&text) } else { text })
    }

    fn needs_quotes(&self, text: &str) -> bool {
        text.contains([char::from(self.separator), '"', '\n', '\r'])
    }
}

impl ColumnForm {
    /// Learns the usual way of writing the cells of a column.
    fn from_cells(key: &str, cells: &[CsvCellValue<'_>], file: &JsonDocument, separator: u8) -> Self {
        let mut column = Self { key: key.to_owned(), ..Self::default() };
        // Votes for unneeded quotes: by cells with text, and by empty cells.
        let (mut texts, mut empties) = (0_i64, 0_i64);
        for (field, value) in cells {
            let has_quotes = field.bytes.len() != field.text.len();
            let vote = if has_quotes { 1 } else { -1 };
            match value {
                None => empties += vote,
                Some(value) => {
                    let is_needed = field.text.contains([char::from(separator), '"', '\n', '\r']);
                    texts += if is_needed { 0 } else { vote };
                    column.learn_word(&field.text, file.kind(*value));
                }
            }
        }
        column.is_quoted = texts > 0;
        column.is_empty_quoted = empties > 0;
        column
    }

    fn learn_word(&mut self, text: &str, kind: JsonKind) {
        let (at, usual) = match kind {
            JsonKind::True => (0, "true"),
            JsonKind::False => (1, "false"),
            _ => return,
        };
        if text != usual && self.words[at].is_none() {
            self.words[at] = Some(text.to_owned());
        }
    }
}

/// Returns the text of a cell for a value, or `None` if a cell cannot contain it.
fn text_of(column: &ColumnForm, document: &JsonDocument, value: TokenId) -> Option<String> {
    let word = |at: usize, usual: &str| column.words[at].clone().unwrap_or_else(|| usual.to_owned());
    match document.kind(value) {
        JsonKind::True => Some(word(0, "true")),
        JsonKind::False => Some(word(1, "false")),
        JsonKind::Number => document.number(value).map(str::to_owned),
        JsonKind::Array => {
            let texts: Vec<_> =
                document.items(value).map(|item| document.string(item)).collect::<Option<_>>()?;
            match texts.as_slice() {
                // A single text stays as it is, unless it would be read as a list or as a missing value.
                [only] if list_of(only).is_none() && !is_missing(only) => Some(only.clone().into_owned()),
                texts => serde_json::to_string(texts).ok(),
            }
        }
        _ => document.string(value).map(|text| text.into_owned()),
    }
}

fn hash(document: &JsonDocument, value: Option<TokenId>) -> String {
    value.map(|value| super::value_hash(document, value)).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn end_of(record: &[CsvField]) -> usize {
    record.last().map_or(0, |field| field.bytes.end)
}

/// Returns the most common text; if several are equally common, the first.
fn commonest<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    texts.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    let most = counts.values().max().copied()?;
    texts.iter().copied().find(|text| counts.get(text) == Some(&most))
}

impl CsvForm {
    pub(super) fn encode(&self, members: &mut MemberWriter) {
        members.json.key("csv");
        members.object(|members| {
            members.string("head", Some(&self.head));
            members.string("separator", Some(&char::from(self.separator).to_string()));
            members.string("lineEnd", Some(&self.line_end));
            members.string("end", Some(&self.end));
            members.json.key("columns");
            members.array(&self.columns, |members, column| column.encode(members));
            let line_ends = self.line_ends.iter().map(|(row, text)| (row.to_string(), text));
            members.map("lineEnds", line_ends, |members, text| members.json.string(text));
            let spelled = self.spelled.iter();
            let spelled = spelled.map(|((row, column), spelled)| (format!("{row}/{column}"), spelled));
            members.map("spelled", spelled, |members, spelled| spelled.encode(members));
        });
    }

    pub(super) fn decode(members: MemberReader<'_>) -> Option<Self> {
        let json = members.json;
        let csv = MemberReader { object: members.get("csv")?, ..members };
        let line_ends =
            csv.map("lineEnds").map(|(row, text)| Some((row.parse().ok()?, json.string(text)?.into_owned())));
        let spelled = csv.map("spelled").map(|(place, pair)| {
            let (row, column) = place.split_once('/')?;
            Some(((row.parse().ok()?, column.parse().ok()?), SpelledValue::decode(json, pair)?))
        });
        let columns = json.items(csv.get("columns")?);
        let columns = columns.map(|object| ColumnForm::decode(MemberReader { object, ..csv }));
        Some(Self {
            separator: *csv.string("separator")?.as_bytes().first()?,
            head: csv.string("head")?,
            columns: columns.collect::<Option<_>>()?,
            line_end: csv.string("lineEnd")?,
            end: csv.string("end")?,
            line_ends: line_ends.collect::<Option<_>>()?,
            spelled: spelled.collect::<Option<_>>()?,
        })
    }
}

impl ColumnForm {
    fn encode(&self, members: &mut MemberWriter) {
        let [yes, no] = &self.words;
        members.object(|members| {
            members.string("key", Some(&self.key));
            members.string("true", yes.as_deref());
            members.string("false", no.as_deref());
            members.flag("quoted", self.is_quoted);
            members.flag("emptyQuoted", self.is_empty_quoted);
        });
    }

    fn decode(members: MemberReader<'_>) -> Option<Self> {
        Some(Self {
            key: members.string("key")?,
            is_quoted: members.has("quoted"),
            is_empty_quoted: members.has("emptyQuoted"),
            words: [members.string("true"), members.string("false")],
        })
    }
}
