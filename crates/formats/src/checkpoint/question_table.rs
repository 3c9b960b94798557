//! Makes a new checkpoint from a table of questions and answers, in CSV or in JSON with one object per line.
//!
//! A column named like a field of a checkpoint fills that field; any other column becomes a property `custom_…`, which
//! is how the Python library names user-defined properties. The writer fills in what is missing (ids, dates,
//! templates).

use super::checkpoint_from_items::checkpoint_head;
use crate::cell_list::{CellValue, list_of};
use crate::columns::{column_names, no_column, two_columns, wrong_fields};
use crate::csv::{read_csv, separator_of};
use crate::own_properties::write_property;
use crate::rows::{
    ColumnCodes, ColumnUse, FoundValues, MappedColumns, MappedValue, RowOptions, TableColumns, keys_of_rows,
    missing_column,
};
use crate::system_name::SystemName;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_json::{JsonDocument, JsonKind, Limits, parse_lines, quoted};
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::minted::{node, node_base};
use hashbrown::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

/// The names of columns that fill fields of a checkpoint.
pub const COLUMNS: [&str; 8] =
    ["question", "answer", "id", "template", "keywords", "finished", "dateCreated", "dateModified"];

/// Columns that become properties under their own names, as the library writes them.
const PROPERTIES: [&str; 5] = ["author", "sources", "few_shot_examples", "answer_notes", "workspace_path"];

/// The property with the answers besides the first, if the answer of a row is a list.
const OTHER_ANSWERS: &str = "custom_other_answers";

/// The codes of faults with columns.
const CODES: ColumnCodes = ColumnCodes { column: "new::column", choice: "new::row" };

/// Options for reading a table.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// The columns under other names, and the separator.
    pub rows: RowOptions,
    /// The name of the checkpoint.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
}

/// A value of a row as JSON, and its place.
struct QuestionTableCell {
    json: String,
    bytes: Range<usize>,
}

/// The values of a row by the meaning of their columns.
struct QuestionTableRow {
    cells: Vec<(String, QuestionTableCell)>,
    bytes: Range<usize>,
}

/// The forms of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionTableFormat {
    /// Comma-separated values with a line of names.
    Csv,
    /// One JSON object per line.
    JsonLines,
}

/// Returns a JSON-LD checkpoint with the questions of a table and nothing made up, and the number of questions.
///
/// # Errors
/// One error for each row that lacks a question or an answer, has an unusable value or repeats an id; an error for a
/// table without the columns or without rows.
pub fn checkpoint_of(
    name: &str,
    text: String,
    format: QuestionTableFormat,
    options: &TableOptions,
    limits: Limits,
) -> Result<(String, usize), Vec<Diagnostic>> {
    let one = |fault: Box<Diagnostic>| vec![*fault];
    let (text, rows) = match format {
        QuestionTableFormat::Csv => csv_rows(name, text, options).map_err(one)?,
        QuestionTableFormat::JsonLines => json_rows(name, text, options, limits).map_err(one)?,
    };
    let source = SourceText::new(name, text.as_bytes());
    if rows.is_empty() {
        let fault = Diagnostic::error("new::empty", "there is no question in the table");
        return Err(vec![fault.at(source.place(0..0))]);
    }
    let mut faults = repeated_ids(&rows, &source);
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        match item(row, &options.name, &source) {
            Ok(item) => items.push(item),
            Err(fault) => faults.push(*fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let head = checkpoint_head(&options.name, options.description.as_deref());
    Ok((format!("{head}{}]}}", items.join(",")), items.len()))
}

/// Returns the meaning of a column that is assigned to no key.
fn meaning(name: &str) -> &str {
    match name {
        "date_created" => "dateCreated",
        "date_modified" => "dateModified",
        name => name,
    }
}

/// Returns whether columns may be assigned to a key.
fn is_known(key: &str) -> bool {
    COLUMNS.contains(&key)
}

fn csv_rows(
    name: &str,
    text: String,
    options: &TableOptions,
) -> Result<(String, Vec<QuestionTableRow>), Box<Diagnostic>> {
    let separator = options.rows.separator.unwrap_or_else(|| separator_of(&text));
    let mut records = read_csv(name, &text, separator)?.into_iter();
    let source = SourceText::new(name, text.as_bytes());
    let header = records.next().unwrap_or_default();
    let columns = column_names(&header);
    let place = header.first().map_or(0..0, |field| field.bytes.clone());
    if header.is_empty() {
        let message = "the table is empty: its first line has to name the columns `question` and `answer`";
        return Err(Box::new(Diagnostic::error("new::column", message).at(source.place(place))));
    }
    let found: Vec<&str> = columns.iter().map(|name| &**name).collect();
    let place = || source.place(place.clone());
    let mapped = TableColumns::choose(&found, &options.rows, is_known)
        .map_err(|missing| missing_column(CODES.column, &missing, options.rows.preset, &found, place()))?;
    let key_of = |name: &&str| match mapped.use_of(name) {
        ColumnUse::Key(key) => key.to_owned(),
        ColumnUse::Replaced => format!("custom_{name}"),
        ColumnUse::Own => meaning(name).to_owned(),
    };
    let names: Vec<String> = found.iter().map(key_of).collect();
    if let Some(needed) = ["question", "answer"].into_iter().find(|key| names.iter().all(|name| name != key))
    {
        return Err(no_column(CODES.column, needed, needed, &found, place()));
    }
    if let Some(at) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(two_columns("new::column", &names[at], source.place(header[at].bytes.clone())));
    }
    let mut rows = Vec::new();
    for record in records {
        let (first, last) = (record.first(), record.last());
        let bytes = first.zip(last).map_or(0..0, |(first, last)| first.bytes.start..last.bytes.end);
        if record.len() != names.len() {
            let place = source.place(bytes);
            return Err(wrong_fields("new::fields", record.len(), names.len(), separator, place));
        }
        let cells = names.iter().zip(record).filter(|(_, field)| !field.text.is_empty());
        let cells = cells.map(|(name, field)| {
            (name.clone(), QuestionTableCell { json: quoted(&field.text), bytes: field.bytes })
        });
        rows.push(QuestionTableRow { cells: cells.collect(), bytes });
    }
    drop(source);
    Ok((text, rows))
}

fn json_rows(
    name: &str,
    text: String,
    options: &TableOptions,
    limits: Limits,
) -> Result<(String, Vec<QuestionTableRow>), Box<Diagnostic>> {
    let document = parse_lines(name, text, limits)?;
    let mapped = MappedColumns::find(&document, &options.rows, CODES, is_known)?;
    let names = keys_of_rows(&document);
    let is_there = |key: &&str| mapped.is_mapped(key) || names.iter().any(|name| meaning(name) == *key);
    if let Some(needed) = ["question", "answer"].iter().find(|key| !names.is_empty() && !is_there(key)) {
        return Err(no_column(CODES.column, needed, needed, &names, document.place(document.root())));
    }
    let mut rows = Vec::new();
    for (number, row) in document.items(document.root()).enumerate() {
        if !document.is_object(row) {
            let fault = Diagnostic::error("new::row", "a row is not a JSON object").at(document.place(row));
            let help = "each row is an object with a question and an answer";
            return Err(Box::new(fault.with_help(help)));
        }
        let found: Vec<MappedValue<'_>> = mapped.row(number).collect();
        let of_key =
            |value: &MappedValue<'_>| Some((value.key.to_owned(), mapped_cell(&document, value.found)?));
        let mut cells: Vec<(String, QuestionTableCell)> = found.iter().filter_map(of_key).collect();
        for member in document.members(row).filter(|member| document.kind(member.value) != JsonKind::Null) {
            let name = document.symbol_text(member.symbol);
            if found.iter().any(|value| value.is_whole && value.column == name) {
                continue;
            }
            let key = if mapped.is_mapped(meaning(name)) {
                format!("custom_{name}")
            } else {
                meaning(name).to_owned()
            };
            let (json, bytes) = (document.raw(member.value).to_owned(), document.bytes(member.value));
            cells.push((key, QuestionTableCell { json, bytes }));
        }
        let start = document.start(row);
        rows.push(QuestionTableRow { cells, bytes: start..start + 1 });
    }
    Ok((document.text().to_owned(), rows))
}

/// Returns the cell of a value that was found for a key, or `None` for null.
fn mapped_cell(document: &JsonDocument, found: &FoundValues) -> Option<QuestionTableCell> {
    let (json, first) = match found {
        FoundValues::One(value) => (document.raw(*value).to_owned(), *value),
        FoundValues::List(values) => {
            let items: Vec<&str> = values.iter().map(|&value| document.raw(value)).collect();
            (format!("[{}]", items.join(",")), *values.first()?)
        }
    };
    let is_null = document.kind(first) == JsonKind::Null;
    (!is_null).then(|| QuestionTableCell { json, bytes: document.bytes(first) })
}

impl QuestionTableRow {
    fn get(&self, name: &str) -> Option<&QuestionTableCell> {
        self.cells.iter().find(|(key, _)| key == name).map(|(_, cell)| cell)
    }
}

impl QuestionTableCell {
    /// Returns the text of a string, and any other value as JSON.
    fn text(&self) -> String {
        serde_json::from_str(&self.json).unwrap_or_else(|_| self.json.clone())
    }

    /// Returns the first text of a list of texts, and the others that differ from it.
    fn several(&self) -> Option<(String, Vec<String>)> {
        let texts: Vec<String> = serde_json::from_str(&self.json).ok()?;
        let (first, others) = texts.split_first()?;
        Some((first.clone(), others.iter().filter(|other| *other != first).cloned().collect()))
    }

    /// Returns the value as a JSON string.
    fn string(&self) -> String {
        if self.json.starts_with('"') { self.json.clone() } else { quoted(&self.json) }
    }
}

fn repeated_ids(rows: &[QuestionTableRow], source: &SourceText<'_>) -> Vec<Diagnostic> {
    let mut seen: HashMap<String, Range<usize>> = HashMap::new();
    let mut faults = Vec::new();
    for cell in rows.iter().filter_map(|row| row.get("id")) {
        let id = cell.text();
        if let Some(first) = seen.get(&id) {
            let message = format!("two questions have the id `{id}`");
            let fault = Diagnostic::error("new::id", message).at(source.place(cell.bytes.clone()));
            faults.push(fault.with_related(source.place(first.clone()), "the first"));
        } else {
            seen.insert(id, cell.bytes.clone());
        }
    }
    faults
}

/// Returns the `@id` of a question as JSON. An id that is not an IRI, such as a number, is appended to the IRI of the
/// dataset.
fn id_of(cell: &QuestionTableCell, dataset: &str) -> String {
    let id = cell.text();
    if is_iri(&id) {
        return cell.string();
    }
    quoted(&node(&node_base(SystemName::JSON_LD.name(), dataset), &id))
}

/// Returns a row as an item of a checkpoint.
fn item(row: &QuestionTableRow, dataset: &str, source: &SourceText<'_>) -> Result<String, Box<Diagnostic>> {
    let need = |name: &str| {
        let fault = |message, bytes| Diagnostic::error("new::row", message).at(source.place(bytes));
        let Some(cell) = row.get(name) else {
            let fault = fault(format!("a row without {name}"), row.bytes.clone());
            return Err(Box::new(
                fault.with_help("every row needs a question and an answer: fill it in, or delete the row"),
            ));
        };
        let kind = if cell.json.starts_with('{') { "an object" } else { "a list" };
        if cell.json.starts_with(['{', '[']) {
            let fault = fault(format!("`{name}` is {kind}, not a string"), cell.bytes.clone());
            let help = help![
                "put the text into a column, and name it: ",
                setting("map-column").to(format!("{name}=COLUMN"))
            ];
            return Err(Box::new(fault.with_help(help)));
        }
        Ok(cell)
    };
    let several = row.get("answer").and_then(QuestionTableCell::several);
    let (question, answer) = match &several {
        Some((first, _)) => (need("question")?.string(), quoted(first)),
        None => (need("question")?.string(), need("answer")?.string()),
    };
    let mut json = String::from("{\"@type\":\"DataFeedItem\"");
    for (column, key) in [("id", "@id"), ("dateCreated", "dateCreated"), ("dateModified", "dateModified")] {
        if let Some(cell) = row.get(column) {
            let value = if key == "@id" { id_of(cell, dataset) } else { cell.string() };
            let _ = write!(json, ",\"{key}\":{value}");
        }
    }
    let _ = write!(
        json,
        ",\"item\":{{\"@type\":\"Question\",\"text\":{question},\"acceptedAnswer\":{{\"@type\":\"Answer\",\"text\":{answer}}}",
    );
    if let Some(template) = row.get("template") {
        let text = template.string();
        let _ = write!(json, ",\"hasPart\":{{\"@type\":\"SoftwareSourceCode\",\"text\":{text}}}");
    }
    let mut properties = properties(row, source)?;
    if let Some((_, others)) = several.filter(|(_, others)| !others.is_empty()) {
        let others: Vec<String> = others.iter().map(|other| quoted(other)).collect();
        let mut property = String::new();
        write_property(OTHER_ANSWERS, &format!("[{}]", others.join(",")), &mut property);
        properties.push(property);
    }
    if !properties.is_empty() {
        let _ = write!(json, ",\"additionalProperty\":[{}]", properties.join(","));
    }
    if let Some(keywords) = row.get("keywords") {
        let _ = write!(json, ",\"keywords\":{}", list(keywords));
    }
    json.push_str("}}");
    Ok(json)
}

fn properties(row: &QuestionTableRow, source: &SourceText<'_>) -> Result<Vec<String>, Box<Diagnostic>> {
    let mut properties = Vec::new();
    let mut add = |name: &str, value: &str| {
        let mut json = String::new();
        write_property(name, value, &mut json);
        properties.push(json);
    };
    if let Some(finished) = row.get("finished") {
        add("finished", boolean(finished, source)?);
    }
    for (name, cell) in row.cells.iter().filter(|(name, _)| !COLUMNS.contains(&name.as_str())) {
        if PROPERTIES.contains(&name.as_str()) {
            // The library writes lists and objects under these names as JSON strings.
            add(name, &cell.string());
        } else if name.starts_with("custom_") {
            add(name, &cell.json);
        } else {
            add(&format!("custom_{name}"), &cell.json);
        }
    }
    Ok(properties)
}

fn boolean(cell: &QuestionTableCell, source: &SourceText<'_>) -> Result<&'static str, Box<Diagnostic>> {
    match truth_of(&cell.text()) {
        Some(true) => Ok("true"),
        Some(false) => Ok("false"),
        None => {
            let other = cell.text().trim().to_ascii_lowercase();
            let message = format!("`finished` is `{other}`, not true or false");
            Err(Box::new(Diagnostic::error("new::row", message).at(source.place(cell.bytes.clone()))))
        }
    }
}

/// Returns whether a cell says true or false, or `None` if it says neither.
pub fn truth_of(cell: &str) -> Option<bool> {
    match cell.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Reads keywords: a list, or a string that separates them with semicolons or else with commas.
fn list(cell: &QuestionTableCell) -> String {
    if cell.json.starts_with('[') {
        return cell.json.clone();
    }
    let keywords: Vec<String> = keywords_of(&cell.text()).iter().map(|keyword| quoted(keyword)).collect();
    format!("[{}]", keywords.join(","))
}

/// Returns the keywords in a cell: a list, or a text that separates them with semicolons or else with commas.
pub fn keywords_of(cell: &str) -> Vec<String> {
    if let Some(values) = list_of(cell) {
        let keywords = values.into_iter().filter_map(|value| match value {
            CellValue::Text(text) | CellValue::Bare(text) => Some(text),
            CellValue::List(_) | CellValue::Object(_) => None,
        });
        return keywords.collect();
    }
    let separator = if cell.contains(';') { ';' } else { ',' };
    let keywords = cell.split(separator).map(str::trim).filter(|keyword| !keyword.is_empty());
    keywords.map(str::to_owned).collect()
}
