//! The findings that no column or no row has what options assign to a key, each with the nearest name.

use super::column_path::ColumnPath;
use super::column_presets::ColumnPreset;
use super::row_options::{ColumnMapping, RowOptions};
use crate::columns::{listed, no_column};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, SourcePlace};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The most inner keys that are compared with a path.
const MOST_KEYS: usize = 100;

/// Returns the finding that no column has the name that options assign to a key.
pub(crate) fn missing_column(
    code: &'static str,
    mapping: &ColumnMapping<'_>,
    preset: Option<&ColumnPreset>,
    columns: &[&str],
    place: SourcePlace,
) -> Box<Diagnostic> {
    let (key, first) = (mapping.key, mapping.paths.first().copied().unwrap_or(mapping.key));
    if let Some(preset) = preset.filter(|_| mapping.is_of_preset && !columns.is_empty()) {
        let paths = match mapping.paths.as_slice() {
            [path] => format!("`{path}`"),
            paths => format!("any of {}", listed(paths)),
        };
        let message = format!(
            "the rows are not in the form `{}`: no row has {paths}, which it reads as {key}; there are {}",
            preset.name,
            listed(columns)
        );
        let help =
            help![format!("say where the {key} is: "), setting("map-column").to(format!("{key}=NAME"))];
        return Box::new(Diagnostic::error(code, message).at(place).with_help(help));
    }
    let column = ColumnPath::parse(first);
    if let Some(path) = column.filter(|path| path.column() != first) {
        let column = path.column();
        if columns.contains(&column) {
            let message =
                format!("`{first}` is not a column, and a cell of `{column}` has no values inside of it");
            let help = "name a column, or convert the table to JSON lines";
            return Box::new(Diagnostic::error(code, message).at(place).with_help(help));
        }
        return no_column(code, key, column, columns, place);
    }
    no_column(code, key, first, columns, place)
}

/// Returns the finding that rows have a column which the rows of a preset do not have, or `None` if there is none.
pub(crate) fn foreign_column(
    options: &RowOptions,
    code: &'static str,
    columns: &[&str],
    place: SourcePlace,
) -> Option<Box<Diagnostic>> {
    let preset = options.preset?;
    let column = preset.without.iter().find(|column| columns.contains(column))?;
    let message = format!("the rows are not in the form `{}`: they have `{column}`", preset.name);
    let help = help![
        "say where the question is: ",
        setting("map-column").to("question=NAME"),
        ", without ",
        setting("columns")
    ];
    Some(Box::new(Diagnostic::error(code, message).at(place).with_help(help)))
}

/// Returns the finding that no row has a value at a path whose column is there, or `None` if the path has no column.
/// It names what is at the place to which most of the path leads.
pub(crate) fn missing_value(
    document: &JsonDocument,
    code: &'static str,
    mapping: &ColumnMapping<'_>,
    columns: &[&str],
) -> Option<Box<Diagnostic>> {
    let first = *mapping.paths.first().filter(|_| !mapping.is_of_preset)?;
    let path = ColumnPath::parse(first).filter(|path| columns.contains(&path.column()))?;
    let rows = document.items(document.root()).filter(|&row| document.is_object(row));
    let deepest = rows.map(|row| path.reached(document, row));
    let deepest = deepest.reduce(|best, next| if next.steps > best.steps { next } else { best })?;
    let keys = inner_keys(document, &path, deepest.steps);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let above = path.text(deepest.steps);
    let is_list = document.is_array(deepest.value);
    let what = match document.kind(deepest.value) {
        _ if deepest.steps == 0 => format!("`{}` is null", path.column()),
        JsonKind::Object if !keys.is_empty() => format!("`{above}` has {}", listed(&keys)),
        JsonKind::Array if document.items(deepest.value).next().is_some() => format!("`{above}` is a list"),
        JsonKind::Array | JsonKind::Object => format!("`{above}` is empty"),
        JsonKind::Number => format!("`{above}` is a number"),
        JsonKind::True | JsonKind::False => format!("`{above}` is a boolean"),
        _ => format!("`{above}` is a string"),
    };
    let fault = Diagnostic::error(code, format!("no row has a value at `{first}`: {what}"));
    let fault = fault.at(document.place(deepest.value));
    let meant = path.key_after(deepest.steps).and_then(|key| nearest(key, keys.iter().copied()));
    let meant = meant.or_else(|| is_list.then_some("0")).map(|key| path.with_key(deepest.steps, key));
    let key = mapping.key;
    Some(Box::new(match meant {
        Some(meant) => {
            fault.with_help(help!["did you mean ", setting("map-column").to(format!("{key}={meant}")), "?"])
        }
        None => fault.with_help(help![
            format!("say where the {key} is: "),
            setting("map-column").to(format!("{key}=NAME"))
        ]),
    }))
}

/// Returns the keys of the objects that the first steps of a path lead to, in the order of first occurrence.
fn inner_keys(document: &JsonDocument, path: &ColumnPath, steps: usize) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let rows = document.items(document.root()).filter(|&row| document.is_object(row));
    let ends: Vec<TokenId> = rows
        .map(|row| path.reached(document, row))
        .filter(|reached| reached.steps == steps)
        .map(|reached| reached.value)
        .collect();
    for member in ends.into_iter().flat_map(|value| document.members(value)) {
        let key = document.symbol_text(member.symbol);
        if keys.len() < MOST_KEYS && keys.iter().all(|known| known != key) {
            keys.push(key.to_owned());
        }
    }
    keys
}
