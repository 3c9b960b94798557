//! Adds empty arrays to a dataset that was made from a graph: a graph cannot have them, but the contract requires
//! them.

use std::collections::HashSet;

use crate::rewriting::{JsonStyle, StyledJson};
use evalgraph_json::{JsonDocument, TokenId, UNLIMITED, grafted, parse};

/// The objects that must have arrays: their path below a sample, and the keys of the arrays.
const ARRAYS: [(&[&str], &[&str]); 4] = [
    (&[], &["retrieved_context"]),
    (&["expected_output"], &["sources"]),
    (&["expected_output", "retrieval_summary"], &["results"]),
    (&["expected_output", "unknowns"], &["unsupported_claims", "missing_context", "clarifying_questions"]),
];

/// Returns the text of a dataset after an edit, with the contract's empty arrays in new samples, or `None` if nothing
/// is missing.
pub(super) fn edited(before: &JsonDocument, after: &JsonDocument) -> Option<String> {
    let ids = |dataset: &JsonDocument| -> HashSet<String> {
        let samples = dataset.get(dataset.root(), "samples");
        let samples = samples.into_iter().flat_map(|samples| dataset.items(samples));
        samples.filter_map(|sample| id_of(dataset, sample)).collect()
    };
    let known = ids(before);
    if ids(after).is_subset(&known) {
        return None;
    }
    let is_new = |sample| id_of(after, sample).is_none_or(|id| !known.contains(&id));
    let text = completed(after, is_new);
    // Additions keep the layout of the text.
    let changed = parse(after.name().as_ref(), text, UNLIMITED).ok()?;
    Some(grafted(after, &changed).unwrap_or_else(|| changed.text().to_owned()))
}

fn id_of(dataset: &JsonDocument, sample: TokenId) -> Option<String> {
    let id = dataset.get(sample, "sample_id")?;
    Some(dataset.string(id)?.into_owned())
}

/// Adds an empty array wherever the contract requires an array and the dataset has none, in the samples for which
/// `is_meant` is true. An answer without `unknowns` gets that object too: a graph cannot have an object that had only
/// empty arrays.
pub fn completed(dataset: &JsonDocument, is_meant: impl Fn(TokenId) -> bool) -> String {
    let mut json = StyledJson::new(JsonStyle::default());
    let root = dataset.root();
    json.open('{');
    for member in dataset.members(root) {
        json.key(dataset.symbol_text(member.symbol));
        if dataset.symbol_text(member.symbol) != "samples" || !dataset.is_array(member.value) {
            json.json(dataset, member.value);
            continue;
        }
        json.open('[');
        for sample in dataset.items(member.value) {
            json.item();
            match is_meant(sample) {
                true => complete(&mut json, dataset, sample, &mut Vec::new()),
                false => {
                    json.json(dataset, sample);
                }
            }
        }
        json.close(']');
    }
    json.close('}');
    json.finish() + "\n"
}

/// Recurses by the depth of the table, which is 2.
fn complete(json: &mut StyledJson, dataset: &JsonDocument, value: TokenId, path: &mut Vec<&'static str>) {
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
