//! The rule about ids and questions that occur in several rows: T-14.

use super::train_rule_table::REPEATED;
use crate::checking::FindingCollector;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::HashMap;
use std::borrow::Cow;

pub(super) fn check(checker: &mut FindingCollector<'_>) {
    let document = checker.document();
    let mut ids: HashMap<(bool, Cow<'_, str>), TokenId> = HashMap::new();
    let mut questions: HashMap<Cow<'_, str>, TokenId> = HashMap::new();
    for row in document.items(document.root()).filter(|row| document.is_object(*row)) {
        checker.look(&REPEATED);
        if let Some((key, id)) = id_of(document, row)
            && let Some(text) = scalar(document, id)
            && let Some(first) = note(&mut ids, text, id)
        {
            let message = format!("`{key}` {} also occurs in an earlier row", checker.show(id));
            checker.found(&REPEATED, row, Some(key), Some(id), message);
            checker.relate(first, "the first");
        }
        let question = document.get(row, "question");
        if let Some(text) = checker.text(row, "question")
            && let Some(question) = question
            && let Some(first) = note(&mut questions, text, question)
        {
            let message = "the question also occurs in an earlier row";
            checker.found(&REPEATED, row, Some("question"), Some(question), message);
            checker.relate(first, "the first");
        }
    }
}

/// Remembers the first token of a key, and returns it for each later token with the same key.
fn note<K: std::hash::Hash + Eq>(seen: &mut HashMap<K, TokenId>, key: K, token: TokenId) -> Option<TokenId> {
    let first = *seen.entry(key).or_insert(token);
    (first != token).then_some(first)
}

/// Returns the id that counts: `id` if the row has it, even if it is null.
fn id_of(document: &JsonDocument, row: TokenId) -> Option<(&'static str, TokenId)> {
    let found = ["id", "query_id"].into_iter().find_map(|key| Some((key, document.get(row, key)?)));
    found.filter(|&(_, id)| document.kind(id) != JsonKind::Null)
}

/// Returns whether an id is a string, and its content: the string `"7"` is not the number 7.
fn scalar(document: &JsonDocument, id: TokenId) -> Option<(bool, Cow<'_, str>)> {
    match document.kind(id) {
        JsonKind::Array | JsonKind::Object => None,
        _ => match document.string(id) {
            Some(text) => Some((true, text)),
            None => Some((false, Cow::Borrowed(document.raw(id)))),
        },
    }
}
