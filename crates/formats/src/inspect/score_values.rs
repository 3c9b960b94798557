//! What the values of scores mean as numbers and verdicts, and what a log says about its run.

use crate::records::{ComputedValue, ValueContext, truth_of};
use evalgraph_json::{JsonDocument, TokenId};

/// Returns a text that a log says about its run.
pub(super) fn run_text(document: &JsonDocument, key: &str) -> Option<ComputedValue> {
    let root = document.root();
    let run = document.is_object(root).then(|| document.get(root, "eval")).flatten();
    let run = run.filter(|&run| document.is_object(run))?;
    ComputedValue::string(document, document.get(run, key)?)
}

/// Returns whether a metric says how uncertain the others are.
pub(super) fn is_uncertainty(metric: &str) -> bool {
    ["stderr", "std", "var", "bootstrap_stderr"].contains(&metric)
}

/// Returns the number that the value of a score means to Inspect (`value_to_float`): correct, incorrect, partial and no
/// answer are 1, 0, 0.5 and 0. Other texts, lists and objects are not numbers.
pub(super) fn score_number(document: &JsonDocument, value: TokenId) -> Option<f64> {
    if let Some(truth) = truth_of(document, value) {
        return Some(f64::from(u8::from(truth)));
    }
    let text = match document.number(value) {
        Some(number) => return number.parse().ok(),
        None => document.string(value)?,
    };
    match &*text {
        "C" => Some(1.0),
        "I" | "N" => Some(0.0),
        "P" => Some(0.5),
        text => match text.to_ascii_lowercase().as_str() {
            "yes" | "true" => Some(1.0),
            "no" | "false" => Some(0.0),
            number => number.parse().ok().filter(|number: &f64| number.is_finite()),
        },
    }
}

/// Returns whether a value says that an answer is right or wrong.
fn verdict(document: &JsonDocument, value: TokenId) -> Option<bool> {
    match document.string(value) {
        Some(text) => match &*text {
            "C" => Some(true),
            "I" => Some(false),
            _ => None,
        },
        None => truth_of(document, value),
    }
}

/// Returns the verdict of the scorers, if they agree.
pub(super) fn verdict_of(document: &JsonDocument, scores: TokenId) -> Option<(bool, TokenId)> {
    if !document.is_object(scores) {
        return None;
    }
    let values = document.members(scores).filter_map(|score| {
        let score = Some(score.value).filter(|&score| document.is_object(score))?;
        document.get(score, "value")
    });
    let mut verdicts = values.filter_map(|value| Some((verdict(document, value)?, value)));
    let first = verdicts.next()?;
    verdicts.all(|(truth, _)| truth == first.0).then_some(first)
}

/// Computes the verdict on a sample.
pub(super) fn sample_verdict(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let (truth, value) = verdict_of(at.document, at.value)?;
    ComputedValue::truth(truth, value)
}

/// Computes the number that a score is.
pub(super) fn rating(at: &ValueContext<'_>) -> Option<ComputedValue> {
    if at.document.number(at.value).is_some() {
        return ComputedValue::scalar(at.document, at.value);
    }
    ComputedValue::number(score_number(at.document, at.value)?, at.value)
}

/// Adds up the tokens of all models that a sample used.
pub(super) fn tokens(document: &JsonDocument, usage: TokenId, key: &str) -> Option<u64> {
    if !document.is_object(usage) {
        return None;
    }
    let counts = document.members(usage).filter_map(|model| {
        let of_model = Some(model.value).filter(|&value| document.is_object(value))?;
        document.number(document.get(of_model, key)?)?.parse::<u64>().ok()
    });
    counts.fold(None, |sum, count| Some(sum.unwrap_or_default().saturating_add(count)))
}

#[cfg(test)]
mod tests {
    use super::{score_number, verdict_of};
    use evalgraph_json::{Limits, parse};

    #[test]
    fn letters_truths_and_numbers_are_numbers() {
        let expected = [
            ("\"C\"", Some(1.0)),
            ("\"I\"", Some(0.0)),
            ("\"P\"", Some(0.5)),
            ("\"N\"", Some(0.0)),
            ("true", Some(1.0)),
            ("\"no\"", Some(0.0)),
            ("0.65", Some(0.65)),
            ("\"2.5\"", Some(2.5)),
            ("\"good\"", None),
            ("\"nan\"", None),
            ("[1]", None),
            ("null", None),
        ];
        for (text, number) in expected {
            let document = parse("value", text.to_owned(), Limits::default()).expect("it is JSON");
            assert_eq!(score_number(&document, document.root()), number, "{text}");
        }
    }

    #[test]
    fn scorers_that_disagree_give_no_verdict() {
        let expected = [
            (r#"{"a": {"value": "C"}, "b": {"value": 0.5}}"#, Some(true)),
            (r#"{"a": {"value": "C"}, "b": {"value": "I"}}"#, None),
            (r#"{"a": {"value": "P"}, "b": 7}"#, None),
            ("[]", None),
        ];
        for (text, verdict) in expected {
            let document = parse("scores", text.to_owned(), Limits::default()).expect("it is JSON");
            let found = verdict_of(&document, document.root()).map(|found| found.0);
            assert_eq!(found, verdict, "{text}");
        }
    }
}
