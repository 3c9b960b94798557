//! The rules for the files of a run: what a reader needs, and what makes results doubtful.
//!
//! The rules check the file as it is written, not the graph made from it.

mod statistic_rule_table;

use crate::checking::FindingCollector;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TokenId};
pub use statistic_rule_table::StatisticProfile;
use statistic_rule_table::{REPEATED, RESPONSE, STATISTIC, SUCCESS};
use std::collections::HashSet;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// Checks a file by the rules of a profile.
pub fn validate(document: &JsonDocument, profile: StatisticProfile) -> RuleReport {
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    let root = document.root();
    if document.is_object(root) {
        let responses = document.get(root, "request_states").into_iter();
        for response in responses.flat_map(|responses| document.items(responses)) {
            check_response(&mut checker, response);
        }
        return checker.finish();
    }
    let mut known = HashSet::new();
    for record in document.items(root) {
        let stats = document.is_object(record).then(|| document.get(record, "stats")).flatten();
        match stats {
            None => check_statistic(&mut checker, record),
            Some(stats) => {
                checker.look(&REPEATED);
                let keys = ["instance_id", "train_trial_index", "perturbation"];
                let key =
                    keys.map(|key| document.get(record, key).map(|value| document.raw(value).to_owned()));
                if !known.insert(key) {
                    let message = "the instance occurs again with the same trial and perturbation";
                    checker.found_at(&REPEATED, record, "instance_id", message);
                }
                document.items(stats).for_each(|statistic| check_statistic(&mut checker, statistic));
            }
        }
    }
    checker.finish()
}

fn check_response(checker: &mut FindingCollector<'_>, response: TokenId) {
    let document = checker.document();
    checker.look(&RESPONSE);
    checker.subjects += 1;
    let inner = |object, key| document.is_object(object).then(|| document.get(object, key)).flatten();
    let instance = inner(response, "instance").filter(|&instance| document.is_object(instance));
    let Some(instance) = instance else {
        checker.found(&RESPONSE, response, None, None, "the response has no object `instance`");
        return;
    };
    if checker.text(instance, "id").is_none() {
        checker.found_other(&RESPONSE, instance, "id", "not a string");
    }
    if document.get(response, "request").is_none() {
        checker.found_other(&RESPONSE, response, "request", "");
    }
    let Some(success) = inner(response, "result").and_then(|result| inner(result, "success")) else { return };
    checker.look(&SUCCESS);
    if document.raw(success) != "true" {
        let message = format!("`success` is {}", checker.show(success));
        checker.found(&SUCCESS, response, None, Some(success), message);
    }
}

fn check_statistic(checker: &mut FindingCollector<'_>, statistic: TokenId) {
    let document = checker.document();
    checker.look(&STATISTIC);
    checker.subjects += 1;
    let name = document.is_object(statistic).then(|| document.get(statistic, "name")).flatten();
    let name = name.filter(|&name| document.is_object(name) && document.get(name, "name").is_some());
    if name.is_none() {
        checker.found(
            &STATISTIC,
            statistic,
            None,
            Some(statistic),
            "the statistic has no `name` with a `name`",
        );
    } else if document.get(statistic, "count").is_none_or(|count| document.number(count).is_none()) {
        checker.found_other(&STATISTIC, statistic, "count", "not a number");
    }
}
