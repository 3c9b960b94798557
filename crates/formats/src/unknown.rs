//! The finding that a file belongs to no known system, with the next step: name the key of the question, or the place
//! of the records in the file.

use super::columns::listed;
use super::registry::{system_of_rows, whose_it_is};
use super::rows::{keys_of_rows, suggested_preset};
use super::system_name::SystemName;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::shortened::cut;
use evalgraph_diagnostics::{Diagnostic, FindingHelp, FindingSeverity};
use evalgraph_json::{JsonDocument, TokenId};

/// Returns the finding that a file without `@context` belongs to no known system. It names the file's keys.
pub fn unknown(document: &JsonDocument, severity: FindingSeverity) -> Diagnostic {
    let root = document.root();
    let keys: Vec<&str> = match document.is_array(root) {
        true => keys_of_rows(document),
        false => document.members(root).map(|member| document.symbol_text(member.symbol)).collect(),
    };
    let object = document.items(root).find(|&item| document.is_object(item)).unwrap_or(root);
    let Some(first) = document.members(object).next() else {
        let message = "the file has no records";
        let fault = Diagnostic::new(severity, "input::unknown", message).at(document.place(root));
        return fault.with_help("records are objects, such as rows with `question` and `answer`");
    };
    let formats = SystemName::ALL.map(|system| system.entry().files()).join(", ");
    let message = format!("the file is of no known format ({formats}); its keys are {}", listed(&keys));
    let fault = Diagnostic::new(severity, "input::unknown", message).at(document.place(first.key));
    let fault = match document.is_array(root) {
        true => {
            let fault = match suggested_preset(&keys) {
                Some(preset) => {
                    fault.with_help(help!["did you mean ", setting("columns").to(preset.name), "?"])
                }
                None => fault,
            };
            which_columns(&keys).into_iter().fold(fault, Diagnostic::with_help)
        }
        false => match inner_records(document) {
            Some(key) => fault.with_help(inner_list(key)),
            None => fault.with_help("rows are a list of objects with `question` and `answer`"),
        },
    };
    fault.with_help(whose_it_is())
}

/// Returns the help that says which columns are missing, or `None` if both are present.
fn which_columns(keys: &[&str]) -> Option<FindingHelp> {
    let column = |key: &str| setting("map-column").to(format!("{key}=NAME"));
    let has = |key: &str| keys.contains(&key);
    match (has("question"), has("answer")) {
        (true, true) => None,
        (false, true) => Some(help!["say which key is the question: ", column("question")]),
        (true, false) => Some(help![
            "say which key is the answer: ",
            column("answer"),
            ", or read the questions alone: ",
            setting("from").to(system_of_rows().map(SystemName::name).unwrap_or_default())
        ]),
        (false, false) => {
            Some(help!["say which keys are question and answer: ", column("question"), " ", column("answer")])
        }
    }
}

/// Returns the help for a list of objects in an object. Users copy commands, so only a plain key goes into one.
fn inner_list(key: &str) -> String {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !key.starts_with(|first: char| first.is_ascii_digit());
    let command = if is_plain { format!(", in JSON by `jq .{key} FILE > rows.json`") } else { String::new() };
    format!("the list `{}` may have the records: write it to a separate file{command}", cut(key, 40))
}

/// Returns the key of the longest list of objects in an object.
fn inner_records(document: &JsonDocument) -> Option<&str> {
    let count = |list: TokenId| document.items(list).filter(|&item| document.is_object(item)).count();
    let lists = document.members(document.root()).map(|member| (count(member.value), member));
    let (_, longest) = lists.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)?;
    Some(document.symbol_text(longest.symbol))
}
