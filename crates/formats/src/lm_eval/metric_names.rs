//! Metrics of rows and results: which members they are, and what they are called.
//!
//! A metric was computed after a filter: `exact_match,strict-match` is one metric, `exact_match,none` is `exact_match`.

use crate::records::{ComputedValue, ValueContext, truth_of};
use evalgraph_json::{JsonDocument, TokenId};

/// The filter that changes nothing.
const NO_FILTER: &str = "none";

/// The metrics that say whether an answer is right.
const VERDICTS: [&str; 2] = ["exact_match", "acc"];

/// Returns whether a member of a row is a metric: one that `metrics` names. Older files have no such list.
pub(super) fn is_metric(document: &JsonDocument, row: TokenId, key: &str) -> bool {
    match document.get(row, "metrics").filter(|&names| document.is_array(names)) {
        Some(names) => {
            document.items(names).any(|name| document.string(name).is_some_and(|name| name == key))
        }
        None => document.get(row, key).is_some_and(|value| {
            let is_score = document.number(value).is_some() || truth_of(document, value).is_some();
            is_score || document.is_array(value)
        }),
    }
}

/// Returns whether a member of the results of a task is a metric.
pub(super) fn is_result(document: &JsonDocument, task: TokenId, key: &str) -> bool {
    key.contains(',') || document.get(task, key).is_some_and(|value| document.number(value).is_some())
}

/// Returns the name of a metric after a filter.
fn named(metric: &str, filter: Option<&str>) -> String {
    match filter.filter(|filter| *filter != NO_FILTER) {
        Some(filter) => format!("{metric},{filter}"),
        None => metric.to_owned(),
    }
}

/// The name of a metric of a row, which has the filter.
pub(super) fn row_aspect(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let filter = at.outer.and_then(|row| at.document.string(at.document.get(row, "filter")?));
    ComputedValue::text(named(at.key?, filter.as_deref()), at.value)
}

/// The name of a metric of a task.
pub(super) fn result_aspect(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let key = at.key?;
    let name =
        key.split_once(',').map_or_else(|| key.to_owned(), |(metric, filter)| named(metric, Some(filter)));
    ComputedValue::text(name, at.value)
}

/// The number that a metric is.
pub(super) fn rating(at: &ValueContext<'_>) -> Option<ComputedValue> {
    match truth_of(at.document, at.value) {
        Some(truth) => ComputedValue::number(f64::from(u8::from(truth)), at.value),
        None => at.document.number(at.value).and_then(|_| ComputedValue::scalar(at.document, at.value)),
    }
}

/// Returns the verdict on a row, if a metric that says right or wrong is 0 or 1, and no other one contradicts it.
pub(super) fn verdict_of(document: &JsonDocument, row: TokenId) -> Option<(bool, TokenId)> {
    let verdict = |key: &&str| {
        let value = document.get(row, key).filter(|_| is_metric(document, row, key))?;
        let truth =
            truth_of(document, value).or_else(|| match document.number(value)?.parse::<f64>().ok()? {
                1.0 => Some(true),
                0.0 => Some(false),
                _ => None,
            });
        Some((truth?, value))
    };
    let mut verdicts = VERDICTS.iter().filter_map(verdict);
    let first = verdicts.next()?;
    verdicts.all(|(truth, _)| truth == first.0).then_some(first)
}

/// The verdict on a row.
pub(super) fn row_verdict(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let (truth, value) = verdict_of(at.document, at.object)?;
    ComputedValue::truth(truth, value)
}

/// The standard error of a metric, which is a metric of its own beside it.
pub(super) fn standard_error(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let key = match at.key?.split_once(',') {
        Some((metric, filter)) => format!("{metric}_stderr,{filter}"),
        None => format!("{}_stderr", at.key?),
    };
    let error = at.document.get(at.outer?, &key).filter(|&error| at.document.number(error).is_some())?;
    ComputedValue::scalar(at.document, error)
}

/// The direction of a metric, which the file says for each task: true if a lower value is better.
pub(super) fn lower_is_better(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let member = |object, key: &str| document.is_object(object).then(|| document.get(object, key)).flatten();
    let metric = at.key?.split(',').next()?;
    let of_task = member(member(document.root(), "higher_is_better")?, at.outer_key?)?;
    let higher = member(of_task, metric)?;
    ComputedValue::truth(!truth_of(document, higher)?, higher)
}
