//! Finds the record with an id or with a question.

use super::opened_records::OpenedRecords;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunFailure};

/// Returns the number of the one record with an id, or with exactly this question.
///
/// # Errors
///
/// `unknown-question` and `which-question`, with the command's prefix.
pub(super) fn record_named(opened: &OpenedRecords, name: &str, command: &str) -> Result<usize, RunFailure> {
    let with = |is_named: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..opened.facts.len()).filter(|&record| is_named(record)).collect()
    };
    let mut found = with(&|record| opened.facts[record].id.as_deref() == Some(name));
    if found.is_empty() {
        found = with(&|record| opened.facts[record].text.as_deref() == Some(name));
    }
    let file = opened.source.name();
    match found.as_slice() {
        [record] => Ok(*record),
        [] => {
            let ids = opened.facts.iter().flat_map(|facts| [facts.id.as_deref(), facts.text.as_deref()]);
            let help = match nearest(name, ids.flatten()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a record is named by its id, or by its exact question".to_owned(),
            };
            let message = format!("`{file}` has no record `{name}`");
            Err(Diagnostic::error(format!("{command}::unknown-question"), message).with_help(help).into())
        }
        several => {
            let list = opened.list()?;
            let message = format!("{} records of `{file}` are named `{name}`", several.len());
            let fault = Diagnostic::error(format!("{command}::which-question"), message);
            let fault = fault.at(opened.place(&list, several[0]));
            Err(fault.with_related(opened.place(&list, several[1]), "another").into())
        }
    }
}
