//! The columns of tables and of JSON lines: their names, and the faults in names and lines, each with a next step.

use crate::csv::CsvField;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, SourcePlace};
use std::borrow::Cow;

/// The most columns that a message names.
const SHOWN: usize = 12;

/// Returns the names of the columns of a table. Separators at the ends of all lines make columns without a name: the
/// first of these has an empty name, the others are named by their number.
pub(super) fn column_names(header: &[CsvField]) -> Vec<Cow<'_, str>> {
    let mut names: Vec<Cow<'_, str>> = Vec::with_capacity(header.len());
    for (at, field) in header.iter().enumerate() {
        let name = field.text.trim();
        let is_second = name.is_empty() && names.iter().any(|name| name.is_empty());
        names.push(if is_second { Cow::Owned(format!("column {}", at + 1)) } else { Cow::Borrowed(name) });
    }
    names
}

/// Returns the finding that two columns have the same name.
pub(super) fn two_columns(code: &'static str, name: &str, place: SourcePlace) -> Box<Diagnostic> {
    let fault = Diagnostic::error(code, format!("two columns are named `{name}`")).at(place);
    Box::new(fault.with_help("rename one of them, or delete it"))
}

/// Returns the finding that a line has more or fewer fields than the first line names.
pub(super) fn wrong_fields(
    code: &'static str,
    fields: usize,
    names: usize,
    separator: u8,
    place: SourcePlace,
) -> Box<Diagnostic> {
    let count = |count: usize| if count == 1 { "1 field".to_owned() } else { format!("{count} fields") };
    let message = format!("{}, but the first line names {names}", count(fields));
    let fault = Diagnostic::error(code, message).at(place);
    let shown = if separator == b'\t' { "tabs".to_owned() } else { format!("`{}`", char::from(separator)) };
    Box::new(match fields.cmp(&names) {
        _ if names == 1 => {
            fault.with_help("the first line must name the columns: delete any title above it").with_help(
                help!["if the columns are separated otherwise, say how: ", setting("separator").to(";")],
            )
        }
        std::cmp::Ordering::Greater => {
            fault.with_help(format!("quote the fields that have {shown} in them: `\"one, two\"`"))
        }
        _ => fault.with_help(format!("separate all fields by {shown}, the empty ones as well")),
    })
}

/// Returns the finding that no column has the name given for a key. `code` is the code of the reader.
pub(super) fn no_column(
    code: &'static str,
    key: &str,
    column: &str,
    names: &[&str],
    place: SourcePlace,
) -> Box<Diagnostic> {
    if names.is_empty() {
        let message = format!("no column is named `{column}`: the table is empty");
        let help = "the first line of a table, or its first record, names the columns";
        return Box::new(Diagnostic::error(code, message).at(place).with_help(help));
    }
    let message = format!("no column is named `{column}`; there are {}", listed(names));
    let fault = Diagnostic::error(code, message).at(place);
    let fault = match nearest(column, names.iter().copied()) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => fault,
    };
    let is_reversed = key != column && names.contains(&key);
    Box::new(match is_reversed {
        true => fault
            .with_help(help!["the other way round? ", setting("map-column").to(format!("{column}={key}"))]),
        false => fault.with_help(help![
            format!("say which one is the {key}: "),
            setting("map-column").to(format!("{key}=NAME"))
        ]),
    })
}

/// Returns the first names of columns for a message.
pub(super) fn listed(names: &[&str]) -> String {
    let mut found: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        found.push("…".to_owned());
    }
    found.join(", ")
}
