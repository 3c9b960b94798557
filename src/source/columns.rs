//! Reports missing columns of tables and of JSON lines, with the columns that exist and the one that was
//! probably meant.

use crate::diagnostic::help::{help, setting};
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::{Diagnostic, Place};

/// How many columns are named.
const SHOWN: usize = 12;

/// Returns the finding that no column has the name given for a key. `code` is the code of the reader.
pub(super) fn no_column(
    code: &'static str,
    key: &str,
    column: &str,
    names: &[&str],
    place: Place,
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

/// Names of columns for a message, the first of many.
pub(super) fn listed(names: &[&str]) -> String {
    let mut found: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        found.push("…".to_owned());
    }
    found.join(", ")
}
