//! Reads a table of changed questions: CSV, JSON lines or a workbook, whose rows name questions by one column.

use std::collections::BTreeMap;

use crate::input::find::find_sources;
use crate::input::source::InputSource;
use crate::input::syntax::{RecordSyntax, is_no_json};
use crate::load::read_session::ReadSession;
use crate::question::edited_question::EditedQuestion;
use evalgraph_diagnostics::codes::INPUT_SECRET;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::checkpoint::question_table::truth_of;
use evalgraph_formats::rows::keys_of_rows;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The names of columns by what they say about a question. The first name of each is the one in messages.
const ANSWER: &[&str] = &["answer"];
const FINISHED: &[&str] = &["finished"];
const KEYWORDS: &[&str] = &["keywords"];
const TEXT: &[&str] = &["question", "question_text", "text"];

/// A table of changed questions.
struct EditedTable<'t> {
    document: &'t JsonDocument,
    /// The column that names the questions.
    key: &'t str,
    /// The column of each value, if the table has it.
    columns: BTreeMap<&'static str, &'t str>,
}

/// Reads the rows of a table whose column `key` names questions.
///
/// # Errors
///
/// The errors of reading; `set::table` if the table lacks columns, or for a cell without a usable value; `set::file` if
/// it contains API keys.
pub fn question_rows(
    table: &str,
    key: &str,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Vec<EditedQuestion>, RunFailure> {
    let source = source_of(table, report)?;
    let mut input = session.read(&source)?;
    if input.origin.syntax == RecordSyntax::Json {
        let named = RecordSyntax::from_input(&input.origin.name, &input.bytes);
        let of_content = if is_no_json(&input.bytes) { RecordSyntax::Csv } else { RecordSyntax::Json };
        input.origin.syntax = named.unwrap_or(of_content);
    }
    let mut part = report.part();
    let parsed = session.parse_data(input, &mut part);
    let has_secrets = part.findings().any(|finding| finding.code == INPUT_SECRET);
    report.absorb(part);
    let document = parsed?.document;
    if has_secrets {
        let message = format!("`{table}` contains API keys, which would be overwritten");
        return Err(Diagnostic::error("set::file", message)
            .with_help("remove them from the table first")
            .into());
    }
    let table = EditedTable::new(&document, key, report)?;
    let rows = document.items(document.root()).filter(|&row| document.is_object(row));
    let rows = rows.filter_map(|row| table.row(row).transpose());
    rows.collect()
}

fn source_of(table: &str, report: &mut RunReport) -> Result<InputSource, RunFailure> {
    let (mut sources, faults) = find_sources(&[table.to_owned()]);
    report.add_all(&faults);
    match (sources.pop(), sources.len()) {
        (Some(source), 0) => Ok(source),
        (None, _) => Err(RunFailure::Reported),
        (_, more) => {
            let message = format!("exactly one table is needed, and `{table}` names {}", more + 1);
            Err(Diagnostic::error("input::several", message).into())
        }
    }
}

impl<'t> EditedTable<'t> {
    fn new(document: &'t JsonDocument, key: &'t str, report: &mut RunReport) -> Result<Self, RunFailure> {
        let names = keys_of_rows(document);
        let fault = |message: String| {
            let place = document.source_text().place(0..0);
            Diagnostic::error("set::table", message).at(place)
        };
        // A table without rows changes nothing.
        if !names.contains(&key) && !names.is_empty() {
            let message =
                format!("no row has a value in a column `{key}`; the columns are {}", listed(&names));
            let help = match nearest(key, names.iter().copied()) {
                Some(meant) => help!["did you mean ", setting("key").to(meant), "?"],
                None => {
                    let other = TEXT.iter().find(|text| names.contains(text)).unwrap_or(&"COLUMN");
                    help!["name the questions by another column: ", setting("key").to(*other)]
                }
            };
            return Err(fault(message).with_help(help).into());
        }
        let mut columns = BTreeMap::new();
        for meanings in [ANSWER, FINISHED, KEYWORDS, TEXT] {
            let found: Vec<&str> =
                names.iter().copied().filter(|name| *name != key && meanings.contains(name)).collect();
            match found.as_slice() {
                [] => {}
                [column] => drop(columns.insert(meanings[0], *column)),
                several => {
                    let message = format!("the columns {} say the same about a question", listed(several));
                    return Err(fault(message).with_help("delete all but one").into());
                }
            }
        }
        let is_read = |name: &&str| *name == key || columns.values().any(|column| column == name);
        let others: Vec<&str> = names.iter().copied().filter(|name| !is_read(name)).collect();
        if columns.is_empty() && !names.is_empty() {
            let message =
                format!("the table has no column with a value that `set` changes: {}", listed(&names));
            let help = "these are answer, question, keywords and finished";
            return Err(fault(message).with_help(help).into());
        }
        if !others.is_empty() {
            let message = format!("columns that are not read: {}", listed(&others));
            let note = Diagnostic::new(FindingSeverity::Note, "set::column", message);
            report.add(&note.at(document.source_text().place(0..0)));
        }
        Ok(Self { document, key, columns })
    }

    /// Returns a row, or `None` if it has no values.
    fn row(&self, row: TokenId) -> Result<Option<EditedQuestion>, RunFailure> {
        let value = |meanings: &[&'static str]| match self.columns.get(meanings[0]) {
            Some(column) => self.text(row, column),
            None => Ok(None),
        };
        let (answer, keywords, text) = (value(ANSWER)?, value(KEYWORDS)?, value(TEXT)?);
        let finished = value(FINISHED)?.map(|finished| self.truth(row, &finished)).transpose()?;
        let has_values = answer.is_some() || keywords.is_some() || text.is_some() || finished.is_some();
        if !has_values {
            return Ok(None);
        }
        let Some(question) = self.text(row, self.key)? else {
            let message = format!("a row without `{}`, so the question is unknown", self.key);
            let fault = Diagnostic::error("set::table", message).at(self.document.place(row));
            return Err(fault
                .with_help(help!["fill it in, or choose another column with ", setting("key")])
                .into());
        };
        let place = self.document.get(row, self.key).unwrap_or(row);
        let place = self.document.place(place);
        Ok(Some(EditedQuestion { question, place, answer, finished, keywords, text }))
    }

    /// Returns the text of a cell, or `None` if it is empty.
    fn text(&self, row: TokenId, column: &str) -> Result<Option<String>, RunFailure> {
        let document = self.document;
        let Some(cell) = document.get(row, column) else { return Ok(None) };
        let text = match document.kind(cell) {
            JsonKind::Null => return Ok(None),
            JsonKind::Array | JsonKind::Object if KEYWORDS.contains(&column) => document.raw(cell).to_owned(),
            JsonKind::Array | JsonKind::Object => {
                let message = format!("`{column}` is a list or an object, not a text");
                return Err(Diagnostic::error("set::table", message).at(document.place(cell)).into());
            }
            _ => {
                document.string(cell).map_or_else(|| document.raw(cell).to_owned(), |text| text.into_owned())
            }
        };
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn truth(&self, row: TokenId, finished: &str) -> Result<bool, RunFailure> {
        truth_of(finished).ok_or_else(|| {
            let message = format!("`finished` is `{finished}`, not true or false");
            let column = self.columns.get(FINISHED[0]).copied().unwrap_or_default();
            let cell = self.document.get(row, column).unwrap_or(row);
            Diagnostic::error("set::table", message).at(self.document.place(cell)).into()
        })
    }
}

/// Returns names for a message.
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
