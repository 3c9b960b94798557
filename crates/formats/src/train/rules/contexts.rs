//! The rules about the contexts of a row: T-9 to T-12.

use super::train_rule_table::{BASENAME, CONTEXT_TEXT, CONTEXTS, FILE};
use super::unknown_row_keys::{check_keys, kind_of};
use crate::checking::FindingCollector;
use crate::corpus::Corpus;
use crate::train::shapes;
use evalgraph_json::TokenId;

pub(super) fn check(checker: &mut FindingCollector<'_>, row: TokenId, corpus: Option<&Corpus>) {
    let document = checker.document();
    let Some(contexts) = document.get(row, "contexts") else { return };
    checker.look(&CONTEXTS);
    if !document.is_array(contexts) {
        let message = format!("`contexts` is {}, not an array", kind_of(checker, contexts));
        checker.found(&CONTEXTS, row, Some("contexts"), Some(contexts), message);
        return;
    }
    for context in document.items(contexts) {
        if document.is_object(context) {
            check_context(checker, context, corpus);
        } else if !document.is_string(context) {
            let message =
                format!("the context is {}, neither an object nor a string", kind_of(checker, context));
            checker.found(&CONTEXTS, row, Some("contexts"), Some(context), message);
        }
    }
}

fn check_context(checker: &mut FindingCollector<'_>, context: TokenId, corpus: Option<&Corpus>) {
    check_keys(checker, context, &shapes::CONTEXT, &[]);
    let document = checker.document();
    if let Some(text) = document.get(context, "text") {
        checker.look(&CONTEXT_TEXT);
        if !document.is_string(text) {
            let message = format!("`text` is {}, not a string", kind_of(checker, text));
            checker.found(&CONTEXT_TEXT, context, Some("text"), Some(text), message);
        }
    }
    let value = document.get(context, "filename");
    let Some(name) = checker.text(context, "filename").filter(|name| !name.is_empty()) else {
        let message = match value {
            None => "`filename` is missing".to_owned(),
            Some(value) if document.is_string(value) => "`filename` is empty".to_owned(),
            Some(value) => format!("`filename` is {}, not a string", kind_of(checker, value)),
        };
        checker.found(&CONTEXTS, context, Some("filename"), value, message);
        return;
    };
    checker.look(&BASENAME);
    if let Some((_, basename)) = name.rsplit_once('/') {
        let message = format!("`filename` names a folder; files are found by their last part, `{basename}`");
        checker.found(&BASENAME, context, Some("filename"), value, message);
        return;
    }
    let Some(corpus) = corpus else { return };
    checker.look(&FILE);
    if !corpus.contains(&name) {
        let message = match corpus.similar(&name) {
            Some(file) => {
                format!("`{name}` is not in the corpus, which has `{}`", String::from_utf8_lossy(&file.name))
            }
            None => format!("`{name}` is not in the corpus"),
        };
        checker.found(&FILE, context, Some("filename"), value, message);
    }
}
