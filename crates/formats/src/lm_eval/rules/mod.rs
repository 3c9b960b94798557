//! The rules for samples and results of the harness: what a reader needs, and what makes results doubtful.
//!
//! The rules check the file as it is written, not the graph made from it.

mod harness_rule_table;

use crate::checking::FindingCollector;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TokenId};
pub use harness_rule_table::HarnessProfile;
use harness_rule_table::{ALL_SAMPLES, METRICS, REPEATED, ROW, VALUE};
use std::collections::HashSet;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// The members of a row.
const NEEDED: [&str; 5] = ["doc_id", "doc", "target", "arguments", "resps"];

/// Checks a file by the rules of a profile.
pub fn validate(document: &JsonDocument, profile: HarnessProfile) -> RuleReport {
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    let root = document.root();
    if document.is_object(root) {
        check_results(&mut checker, root);
    } else {
        let mut known = HashSet::new();
        document.items(root).for_each(|row| check_row(&mut checker, row, &mut known));
    }
    checker.finish()
}

fn check_row(checker: &mut FindingCollector<'_>, row: TokenId, known: &mut HashSet<(String, String)>) {
    let document = checker.document();
    checker.look(&ROW);
    if !document.is_object(row) {
        let message = format!("the sample is {}, not an object", checker.show(row));
        checker.found(&ROW, row, None, Some(row), message);
        return;
    }
    checker.subjects += 1;
    for key in NEEDED {
        if document.get(row, key).is_none() {
            checker.found_other(&ROW, row, key, "");
        }
    }
    let metrics = document.get(row, "metrics").into_iter().flat_map(|metrics| document.items(metrics));
    for metric in metrics {
        checker.look(&METRICS);
        let name = document.string(metric).unwrap_or_default();
        if document.get(row, &name).is_none() {
            let message = format!("the sample has no value of {}", checker.show(metric));
            checker.found(&METRICS, row, None, Some(metric), message);
        }
    }
    let Some(id) = document.get(row, "doc_id") else { return };
    checker.look(&REPEATED);
    let raw = |value: Option<TokenId>| value.map(|value| document.raw(value).to_owned()).unwrap_or_default();
    if !known.insert((raw(Some(id)), raw(document.get(row, "filter")))) {
        let message = format!("the document {} occurs again for the same filter", checker.show(id));
        checker.found_at(&REPEATED, row, "doc_id", message);
    }
}

fn check_results(checker: &mut FindingCollector<'_>, root: TokenId) {
    let document = checker.document();
    let members = |object: Option<TokenId>| {
        let object = object.filter(|&object| document.is_object(object)).into_iter();
        object.flat_map(|object| document.members(object))
    };
    for tasks in ["results", "groups"].map(|key| document.get(root, key)) {
        for task in members(tasks) {
            checker.subjects += 1;
            for metric in members(Some(task.value)) {
                let key = document.symbol_text(metric.symbol);
                if !key.contains(',') {
                    continue;
                }
                checker.look(&VALUE);
                let is_unknown = document.string(metric.value).is_some_and(|text| text == "N/A");
                if document.number(metric.value).is_none() && !is_unknown {
                    let message = format!("`{key}` is {}, not a number", checker.show(metric.value));
                    checker.found(&VALUE, task.value, None, Some(metric.value), message);
                }
            }
        }
    }
    for task in members(document.get(root, "n-samples")) {
        let count = |key| {
            let count = document.is_object(task.value).then(|| document.get(task.value, key)).flatten()?;
            document.number(count)?.parse::<f64>().ok()
        };
        let (Some(original), Some(effective)) = (count("original"), count("effective")) else { continue };
        checker.look(&ALL_SAMPLES);
        if effective < original {
            let name = document.symbol_text(task.symbol);
            let message = format!("{effective} of {original} samples of `{name}` were evaluated");
            checker.found(
                &ALL_SAMPLES,
                task.value,
                Some("effective"),
                document.get(task.value, "effective"),
                message,
            );
        }
    }
}
