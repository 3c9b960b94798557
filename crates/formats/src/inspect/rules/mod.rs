//! The rules for logs: what a reader of a log needs, and what makes its results doubtful.
//!
//! The rules check the file as it is written, not the graph made from it.

mod log_rule_table;

use crate::checking::FindingCollector;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TokenId};
pub use log_rule_table::LogProfile;
use log_rule_table::{FAILED, REPEATED, RUN, SAMPLE, SCORE, STATUS, SUCCESS};
use std::collections::HashSet;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// The words of `status`.
const STATES: [&str; 4] = ["started", "success", "cancelled", "error"];

/// Checks a log by the rules of a profile.
pub fn validate(document: &JsonDocument, profile: LogProfile) -> RuleReport {
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    let root = document.root();
    check_run(&mut checker, root);
    let list = document.is_object(root).then(|| document.get(root, "samples")).flatten();
    let mut known = HashSet::new();
    for sample in list.into_iter().flat_map(|list| document.items(list)) {
        check_sample(&mut checker, sample, &mut known);
    }
    checker.finish()
}

fn check_run(checker: &mut FindingCollector<'_>, root: TokenId) {
    let document = checker.document();
    checker.look(&RUN);
    let run = document.is_object(root).then(|| document.get(root, "eval")).flatten();
    let Some(run) = run.filter(|&run| document.is_object(run)) else {
        checker.found(&RUN, root, None, None, "the log has no object `eval`");
        return;
    };
    for key in ["task", "model", "created"] {
        if checker.text(run, key).is_none() {
            checker.found_other(&RUN, run, key, "not a string");
        }
    }
    if !document.get(run, "dataset").is_some_and(|dataset| document.is_object(dataset)) {
        checker.found_other(&RUN, run, "dataset", "not an object");
    }
    let Some(status) = document.get(root, "status") else { return };
    checker.look(&STATUS);
    let status = document.string(status);
    if !status.as_ref().is_some_and(|status| STATES.contains(&&**status)) {
        checker.found_other(&STATUS, root, "status", "not one of the states of a run");
        return;
    }
    checker.look(&SUCCESS);
    if let Some(status) = status.filter(|status| status != "success") {
        checker.found_at(&SUCCESS, root, "status", format!("the status of the run is `{status}`"));
    }
}

fn check_sample(checker: &mut FindingCollector<'_>, sample: TokenId, known: &mut HashSet<(String, String)>) {
    let document = checker.document();
    checker.look(&SAMPLE);
    if !document.is_object(sample) {
        let message = format!("the sample is {}, not an object", checker.show(sample));
        checker.found(&SAMPLE, sample, None, Some(sample), message);
        return;
    }
    checker.subjects += 1;
    let mut need = |key: &'static str, why: &str, fits: fn(&JsonDocument, TokenId) -> bool| {
        if !document.get(sample, key).is_some_and(|value| fits(document, value)) {
            checker.found_other(&SAMPLE, sample, key, why);
        }
    };
    need("id", "neither a string nor a number", |document, id| {
        document.is_string(id) || document.number(id).is_some()
    });
    need("epoch", "not a number", |document, epoch| document.number(epoch).is_some());
    for key in ["input", "target"] {
        need(key, "neither a string nor a list", |document, text| {
            document.is_string(text) || document.is_array(text)
        });
    }
    if let (Some(id), Some(epoch)) = (document.get(sample, "id"), document.get(sample, "epoch")) {
        checker.look(&REPEATED);
        let key = [id, epoch].map(|value| document.raw(value).to_owned());
        if !known.insert(key.into()) {
            let message =
                format!("the sample {} occurs again in epoch {}", checker.show(id), checker.show(epoch));
            checker.found_at(&REPEATED, sample, "id", message);
        }
    }
    if let Some(scores) = checker.present(sample, "scores").filter(|&scores| document.is_object(scores)) {
        for score in document.members(scores) {
            checker.look(&SCORE);
            let is_object = document.is_object(score.value);
            if !is_object || document.get(score.value, "value").is_none() {
                let name = document.symbol_text(score.symbol);
                let message = format!("the score of `{name}` has no `value`");
                checker.found(&SCORE, sample, None, Some(score.value), message);
            }
        }
    }
    checker.look(&FAILED);
    if checker.present(sample, "error").is_some() {
        checker.found_at(&FAILED, sample, "error", "the sample ended with an error");
    }
}
