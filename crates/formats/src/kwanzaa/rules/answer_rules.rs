//! The rules that Kwanzaa's answer checker adds to the fields of the contract. An answer belongs to a sample or is a
//! separate file. Paths begin at the answer.

use super::class_rules::FILTERS;
use crate::checking::{FindingCollector, FormatRule, violation};
use crate::kwanzaa::samples::{TrainingSample, citations};
use evalgraph_json::TokenId;

const REFUSAL_COMPLETENESS: FormatRule =
    violation("W-12", "a refusal must be complete with `insufficient_data`");
const INLINE_NUMBERS: FormatRule = violation("W-18", "a citation such as `[1]` must refer to a source");
const URLS: FormatRule = violation("W-19", "`canonical_url` must begin with http:// or https://");
const CITATION_INTEGRITY: FormatRule = violation("W-21", "citations that are required must be provided");

/// The rules of this file.
pub(super) const RULES: [FormatRule; 4] = [REFUSAL_COMPLETENESS, INLINE_NUMBERS, URLS, CITATION_INTEGRITY];

/// The rules of this file that an answer without a sample can break.
pub(super) const ALONE: [FormatRule; 3] = [INLINE_NUMBERS, URLS, CITATION_INTEGRITY];

/// Checks an answer. `is_of_refusal` is true if its sample is a refusal.
pub(super) fn check_answer(
    checker: &mut FindingCollector<'_>,
    answer: &TrainingSample<'_>,
    is_of_refusal: bool,
) {
    if is_of_refusal {
        check_completeness(checker, answer);
    }
    check_inline_numbers(checker, answer);
    for path in [&["sources"][..], &["retrieval_summary", "results"]] {
        for object in answer.items(path) {
            check_url(checker, object);
        }
    }
    check_years(checker, answer);
    check_citation_integrity(checker, answer);
}

fn check_completeness(checker: &mut FindingCollector<'_>, answer: &TrainingSample<'_>) {
    let path = &["answer", "completeness"];
    checker.look(&REFUSAL_COMPLETENESS);
    let message = match (answer.at(path), answer.text(path)) {
        (None, _) => "a refusal does not say that its data are insufficient".to_owned(),
        (_, Some(other)) if other != "insufficient_data" => format!("a refusal is `{other}`"),
        _ => return,
    };
    answer.found(checker, &REFUSAL_COMPLETENESS, path, message);
}

fn check_inline_numbers(checker: &mut FindingCollector<'_>, answer: &TrainingSample<'_>) {
    let path = &["answer", "text"];
    let (Some(text), Some(sources)) = (answer.text(path), answer.count(&["sources"])) else {
        return;
    };
    checker.look(&INLINE_NUMBERS);
    let mut wrong: Vec<usize> = citations(&text);
    wrong.retain(|&cited| cited == 0 || cited > sources);
    wrong.dedup();
    for cited in wrong {
        let there = if sources == 1 { "is 1 source".to_owned() } else { format!("are {sources} sources") };
        let message = format!("the text cites `[{cited}]`, but there {there}");
        answer.found(checker, &INLINE_NUMBERS, path, message);
    }
}

fn check_url(checker: &mut FindingCollector<'_>, object: TokenId) {
    let Some(url) = checker.text(object, "canonical_url") else { return };
    checker.look(&URLS);
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        let value = checker.document().get(object, "canonical_url");
        let message = "`canonical_url` does not begin with http:// or https://";
        checker.found(&URLS, object, Some("canonical_url"), value, message);
    }
}

fn check_citation_integrity(checker: &mut FindingCollector<'_>, answer: &TrainingSample<'_>) {
    let path = &["integrity"];
    let flag = |key| answer.boolean(&["integrity", key]);
    if answer.at(path).is_none() {
        return;
    }
    checker.look(&CITATION_INTEGRITY);
    let is_without = answer.count(&["sources"]) == Some(0);
    if flag("citation_required") == Some(true) && flag("citations_provided") != Some(true) && is_without {
        let message = "citations are required, and none is provided";
        answer.found(checker, &CITATION_INTEGRITY, path, message);
    }
}

/// Checks that the last year of a filter is not before the first.
fn check_years(checker: &mut FindingCollector<'_>, answer: &TrainingSample<'_>) {
    let path = |key| ["retrieval_summary", "filters", key];
    let (first, last) = (path("year_gte"), path("year_lte"));
    let (Some(first), Some(year)) = (answer.number(&first), answer.number(&last)) else { return };
    if year < first {
        let message = format!("`year_lte` is {year}, before `year_gte`, {first}");
        answer.found(checker, &FILTERS, &last, message);
    }
}
