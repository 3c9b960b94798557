//! The rules about the file and about single rows: T-2 to T-8, T-13, T-15, T-18.

use super::train_rule_table::{
    ANSWER, ARRAY, BOTH_IDS, ID, IMPOSSIBLE, QUESTION, ROW, ROW_INDEX, TrainProfile, UNANSWERED,
    WITHOUT_CONTEXTS,
};
use super::unknown_row_keys::{check_keys, kind_of};
use super::{TrainRuleSettings, contexts};
use crate::checking::FindingCollector;
use crate::corpus::Corpus;
use crate::train::shapes;
use evalgraph_json::{JsonKind, TokenId};

/// Keys under which other programs store the rows.
const LISTS: [&str; 3] = ["data", "questions", "examples"];

pub(super) fn check(
    checker: &mut FindingCollector<'_>,
    profile: TrainProfile,
    settings: &TrainRuleSettings,
    corpus: Option<&Corpus>,
) {
    let document = checker.document();
    let root = document.root();
    checker.look(&ARRAY);
    if !document.is_array(root) {
        let list =
            LISTS.iter().find(|key| document.get(root, key).is_some_and(|list| document.is_array(list)));
        let message = match list {
            Some(key) => format!("the file is an object; its rows may be in `{key}`"),
            None => format!("the file is {}, not an array", kind_of(checker, root)),
        };
        checker.found(&ARRAY, root, None, None, message);
        return;
    }
    for (index, row) in document.items(root).enumerate() {
        checker.look(&ROW);
        if !document.is_object(row) {
            let message = format!("the row is {}, not an object", kind_of(checker, row));
            checker.found(&ROW, row, None, None, message);
            continue;
        }
        checker.subjects += 1;
        check_texts(checker, row);
        check_ids(checker, row, profile);
        if profile == TrainProfile::Seed {
            check_index(checker, row, settings.first_id + index as u64);
            check_impossible(checker, row);
            contexts::check(checker, row, corpus);
            check_keys(checker, row, &shapes::ROW, &settings.other_keys);
            check_possibility(checker, row, settings);
        }
    }
}

fn check_texts(checker: &mut FindingCollector<'_>, row: TokenId) {
    checker.look(&QUESTION);
    let question = checker.document().get(row, "question");
    let is_empty = checker.text(row, "question").map(|text| text.trim().is_empty());
    if is_empty != Some(false) {
        let message = match (question, is_empty) {
            (Some(_), Some(_)) => "`question` is empty".to_owned(),
            (Some(value), None) => format!("`question` is {}, not a string", kind_of(checker, value)),
            (None, _) => "`question` is missing".to_owned(),
        };
        checker.found(&QUESTION, row, Some("question"), question, message);
    }
    checker.look(&ANSWER);
    let answer = checker.document().get(row, "answer");
    if checker.text(row, "answer").is_none() {
        let message = match answer {
            Some(value) => format!("`answer` is {}, not a string", kind_of(checker, value)),
            None => "`answer` is missing".to_owned(),
        };
        checker.found(&ANSWER, row, Some("answer"), answer, message);
    }
}

fn check_ids(checker: &mut FindingCollector<'_>, row: TokenId, profile: TrainProfile) {
    let document = checker.document();
    let (id, query_id) = (document.get(row, "id"), document.get(row, "query_id"));
    for (key, value) in [("id", id), ("query_id", query_id)] {
        let Some(value) = value else { continue };
        checker.look(&ID);
        let takes_any = profile == TrainProfile::Code || key == "query_id";
        let good = match document.kind(value) {
            JsonKind::Array | JsonKind::Object => false,
            JsonKind::Null => true,
            JsonKind::Number => takes_any || is_integer(checker, value),
            _ => takes_any,
        };
        if !good {
            let what = if takes_any { "a plain value" } else { "an integer" };
            let message = format!("`{key}` is {}, not {what}", checker.show(value));
            checker.found(&ID, row, Some(key), Some(value), message);
        }
    }
    if let Some(id) = id {
        checker.look(&BOTH_IDS);
        if let Some(query_id) = query_id {
            let message = format!("the row has an `id`, so `query_id` {} is ignored", checker.show(query_id));
            checker.found(&BOTH_IDS, row, Some("query_id"), Some(query_id), message);
            checker.relate(id, "`id`");
        }
    }
}

fn is_integer(checker: &FindingCollector<'_>, value: TokenId) -> bool {
    checker.document().number(value).is_some_and(|text| !text.contains(['.', 'e', 'E']))
}

fn check_index(checker: &mut FindingCollector<'_>, row: TokenId, index: u64) {
    let Some(id) = checker.document().get(row, "id").filter(|&id| is_integer(checker, id)) else { return };
    checker.look(&ROW_INDEX);
    if checker.document().number(id) != Some(index.to_string().as_str()) {
        let message = format!("`id` is {}, but the row has the index {index}", checker.show(id));
        checker.found(&ROW_INDEX, row, Some("id"), Some(id), message);
    }
}

fn check_impossible(checker: &mut FindingCollector<'_>, row: TokenId) {
    let Some(value) = checker.document().get(row, "is_impossible") else { return };
    checker.look(&IMPOSSIBLE);
    if !matches!(checker.document().kind(value), JsonKind::True | JsonKind::False) {
        let message = format!("`is_impossible` is {}, not true or false", checker.show(value));
        checker.found(&IMPOSSIBLE, row, Some("is_impossible"), Some(value), message);
    }
}

/// Checks `is_impossible` of a row against its answer and contexts.
fn check_possibility(checker: &mut FindingCollector<'_>, row: TokenId, settings: &TrainRuleSettings) {
    let document = checker.document();
    let Some(value) = document.get(row, "is_impossible") else { return };
    let contexts = document.get(row, "contexts");
    let has_contexts = contexts.is_some_and(|contexts| document.items(contexts).next().is_some());
    match document.kind(value) {
        JsonKind::True => {
            checker.look(&UNANSWERED);
            if has_contexts {
                let message = "the row is impossible and has contexts";
                checker.found(&UNANSWERED, row, Some("contexts"), contexts, message);
            }
            let answer = checker.text(row, "answer");
            if let Some(answer) = answer.filter(|answer| settings.no_answer.iter().all(|none| none != answer))
            {
                let message = format!("the row is impossible and has the answer `{answer}`");
                checker.found(&UNANSWERED, row, Some("answer"), document.get(row, "answer"), message);
            }
        }
        JsonKind::False => {
            checker.look(&WITHOUT_CONTEXTS);
            if !has_contexts {
                let message = "the row is possible, but has no context with the answer";
                checker.found(&WITHOUT_CONTEXTS, row, Some("contexts"), contexts, message);
            }
        }
        _ => {}
    }
}
