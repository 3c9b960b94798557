//! What a dataset has beyond what a graph holds: empty arrays, which the contract asks for, and `statistics` that are
//! those of its samples.

use super::rules::right_statistics;
use crate::json::{Document, TokenId, UNLIMITED, grafted, parse};
use crate::source::rewriting::{Style, StyledJson};

/// The objects that have to have arrays: the path below a sample, and the keys of the arrays.
const ARRAYS: [(&[&str], &[&str]); 4] = [
    (&[], &["retrieved_context"]),
    (&["expected_output"], &["sources"]),
    (&["expected_output", "retrieval_summary"], &["results"]),
    (&["expected_output", "unknowns"], &["unsupported_claims", "missing_context", "clarifying_questions"]),
];

/// The text of a dataset after an edit: the samples that are new have the empty arrays of the contract, and `statistics`
/// that were right are right again. None where nothing is missing.
pub(super) fn edited(before: &Document, after: &Document) -> Option<String> {
    let read = |text: String| parse(after.name().as_ref(), text, UNLIMITED).ok();
    // What differs is put into the text as it is laid out.
    let put = |document: &Document, text: String| {
        let changed = read(text)?;
        Some(grafted(document, &changed).unwrap_or_else(|| changed.text().to_owned()))
    };
    let samples = |dataset: &Document| {
        dataset.get(dataset.root(), "samples").map_or(0, |samples| dataset.items(samples).count())
    };
    let known = samples(before);
    let whole = if samples(after) > known { put(after, completed(after, known)) } else { None };
    let whole_document = whole.clone().and_then(read);
    let document = whole_document.as_ref().unwrap_or(after);
    let were_right = right_statistics(before).is_none();
    let right = if were_right { right_statistics(document) } else { None };
    right.and_then(|text| put(document, text)).or(whole)
}

/// Adds an empty array wherever the contract asks for an array and the dataset has none, from one of the samples on. An
/// answer without `unknowns` gets that object, too: the graph does not hold an object that had only empty arrays.
pub fn completed(dataset: &Document, from: usize) -> String {
    let mut json = StyledJson::new(Style::default());
    let root = dataset.root();
    json.open('{');
    for member in dataset.members(root) {
        json.key(dataset.symbol_text(member.symbol));
        if dataset.symbol_text(member.symbol) != "samples" || !dataset.is_array(member.value) {
            json.json(dataset, member.value);
            continue;
        }
        json.open('[');
        for (at, sample) in dataset.items(member.value).enumerate() {
            match at < from {
                true => json.item().json(dataset, sample),
                false => complete(json.item(), dataset, sample, &mut Vec::new()),
            };
        }
        json.close(']');
    }
    json.close('}');
    json.finish() + "\n"
}

/// Recurses by the depth of the table, which is two.
fn complete(json: &mut StyledJson, dataset: &Document, value: TokenId, path: &mut Vec<&'static str>) {
    let below = |key: &str, path: &[&'static str]| {
        ARRAYS.iter().find_map(|(at, _)| {
            let next = at.get(path.len())?;
            (at[..path.len()] == *path && *next == key).then_some(*next)
        })
    };
    if !dataset.is_object(value) {
        json.json(dataset, value);
        return;
    }
    json.open('{');
    for member in dataset.members(value) {
        let key = dataset.symbol_text(member.symbol);
        json.key(key);
        match below(key, path) {
            Some(key) => {
                path.push(key);
                complete(json, dataset, member.value, path);
                path.pop();
            }
            None => json.json(dataset, member.value),
        }
    }
    let missing = |key: &str| dataset.get(value, key).is_none();
    for (_, arrays) in ARRAYS.iter().filter(|(at, _)| *at == path.as_slice()) {
        for key in arrays.iter().filter(|key| missing(key)) {
            json.key(key).open('[').close(']');
        }
    }
    if *path == ["expected_output"] && missing("unknowns") {
        json.key("unknowns").open('{');
        for key in ARRAYS[3].1 {
            json.key(key).open('[').close(']');
        }
        json.close('}');
    }
    json.close('}');
}
