//! Moves records from one file to another of the same kind, with everything that belongs to them.

use super::opened_records::OpenedRecords;
use super::record_lookup::record_named;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::checkpoint::CheckpointSurvey;
use evalgraph_formats::checkpoint::question_list::root_of;
use evalgraph_formats::system_name::SystemName;

/// The texts of two files between which records were moved.
#[derive(Debug)]
pub struct MovedRecords {
    /// The text of the file that the records have left.
    pub from: String,
    /// The text of the file that they are in now.
    pub to: String,
    /// How many records were moved.
    pub count: usize,
}

/// Moves records, each named by its id or its exact question.
///
/// # Errors
///
/// `move::unknown-question` and `move::which-question` for a name; `move::exists` for an id that the other file has; `move::form` if
/// the files are not of the same kind; `move::scenarios` if the other file is for scenarios; `move::inexact` if a record would mean something else in the other file.
pub fn moved(
    names: &[String],
    from: &OpenedRecords,
    to: &OpenedRecords,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<MovedRecords, RunFailure> {
    check_same_form(from, to)?;
    check_same_kind(to)?;
    let (list, to_list) = (from.list()?, to.list()?);
    let mut records = Vec::new();
    for name in names {
        let record = record_named(from, name, "move")?;
        let id = from.facts[record].id.as_ref();
        if let Some(there) = id.and_then(|id| to.facts.iter().position(|facts| facts.id.as_ref() == Some(id)))
        {
            let message = format!("`{}` has a record with this id already", to.source.name());
            let fault = Diagnostic::error("move::exists", message).at(to.place(&to_list, there));
            return Err(fault.with_related(from.place(&list, record), "the record to move").into());
        }
        if !records.contains(&record) {
            records.push(record);
        }
    }
    let text = to_list.text_with_added(&list, &records)?;
    let after = OpenedRecords::from_text(to, text, session, report)?;
    let text = after.list()?.text_with_new_statistics();
    let moved = records.iter().map(|&record| &from.facts[record]);
    let expected = to.facts.iter().chain(moved);
    let is_exact = after.facts.len() == to.facts.len() + records.len()
        && expected.zip(&after.facts).all(|(before, after)| before.has_same_content(after));
    if !is_exact {
        let message = format!("the records would mean something else in `{}`", to.source.name());
        let fault = Diagnostic::error("move::inexact", message);
        return Err(fault.with_help(help![command("merge"), " converts what it copies"]).into());
    }
    let kept: Vec<usize> = (0..list.len()).filter(|record| !records.contains(record)).collect();
    Ok(MovedRecords { from: list.text_with(&kept).0, to: text, count: records.len() })
}

/// Refuses a checkpoint of scenarios, beside which its program loads no questions.
fn check_same_kind(to: &OpenedRecords) -> Result<(), RunFailure> {
    let has_scenarios_alone =
        || to.facts.is_empty() && CheckpointSurvey::from_document(&to.file).has_scenarios();
    if !to.dialect.has_one_kind() || !has_scenarios_alone() {
        return Ok(());
    }
    let message =
        format!("`{}` has scenarios, and the library does not load questions beside them", to.source.name());
    Err(Diagnostic::error("move::scenarios", message).with_help("name a checkpoint of questions").into())
}

/// Refuses files whose records are not written alike.
fn check_same_form(from: &OpenedRecords, to: &OpenedRecords) -> Result<(), RunFailure> {
    let context = |opened: &OpenedRecords| {
        let context = opened.file.get(root_of(&opened.file), "@context")?;
        let text = opened.file.raw(context);
        Some(text.split_whitespace().collect::<String>())
    };
    let columns = |opened: &OpenedRecords| {
        let text = opened.file.written_text();
        let is_table = !text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']);
        is_table.then(|| text.lines().next().unwrap_or_default().to_owned())
    };
    let difference = if from.system != to.system || from.dialect != to.dialect {
        let kind = |opened: &OpenedRecords| match opened.dialect.has_questions() {
            true => format!("a checkpoint of dialect {}", opened.dialect),
            false => format!("a file of {}", opened.system),
        };
        format!("`{}` is {}, and `{}` {}", from.source.name(), kind(from), to.source.name(), kind(to))
    } else if context(from) != context(to) {
        format!("`{}` and `{}` have different contexts", from.source.name(), to.source.name())
    } else if columns(from) != columns(to) {
        format!("`{}` and `{}` have different columns", from.source.name(), to.source.name())
    } else {
        return Ok(());
    };
    let fault = Diagnostic::error("move::form", difference);
    Err(fault
        .with_help(help![
            "convert one of them first: ",
            command("convert").with(setting("to").to(SystemName::JSON_LD.name()))
        ])
        .into())
}
