//! What the program that checks answers adds to the contract: rules that a table of fields cannot
//! have.

use super::contract_fields::FILTERS;
use crate::json::TokenId;
use crate::source::checking::{Checker, Rule, violation};
use crate::source::kwanzaa::samples::{Sample, citations};

const REFUSAL_COMPLETENESS: Rule = violation("W-12", "a refusal is complete with `insufficient_data`");
const INLINE_NUMBERS: Rule = violation("W-18", "what is cited as `[1]` is a source");
const URLS: Rule = violation("W-19", "`canonical_url` begins with http:// or https://");
const CITATION_INTEGRITY: Rule = violation("W-21", "citations that are required are provided");

/// The rules of this file.
pub(super) const RULES: [Rule; 4] = [REFUSAL_COMPLETENESS, INLINE_NUMBERS, URLS, CITATION_INTEGRITY];

/// Looks at the answer of a sample.
pub(super) fn check_answer(checker: &mut Checker<'_>, sample: &Sample<'_>, answer: TokenId) {
    check_completeness(checker, sample, answer);
    check_inline_numbers(checker, sample);
    for path in [&["expected_output", "sources"][..], &["expected_output", "retrieval_summary", "results"]] {
        for object in sample.items(path) {
            check_url(checker, object);
        }
    }
    check_years(checker, sample);
    check_citation_integrity(checker, sample, answer);
}

fn check_completeness(checker: &mut Checker<'_>, sample: &Sample<'_>, answer: TokenId) {
    if sample.category().is_none_or(|category| category != "refusal") {
        return;
    }
    let path = &["expected_output", "answer", "completeness"];
    checker.look(&REFUSAL_COMPLETENESS);
    let focus = sample.at(&path[..2]).unwrap_or(answer);
    let message = match (sample.at(path), sample.text(path)) {
        (None, _) => "a refusal does not say that its data are insufficient".to_owned(),
        (_, Some(other)) if other != "insufficient_data" => format!("a refusal is `{other}`"),
        _ => return,
    };
    checker.found(&REFUSAL_COMPLETENESS, focus, Some("completeness"), sample.at(path), message);
}

fn check_inline_numbers(checker: &mut Checker<'_>, sample: &Sample<'_>) {
    let path = &["expected_output", "answer", "text"];
    let (Some(text), Some(sources)) = (sample.text(path), sample.count(&["expected_output", "sources"]))
    else {
        return;
    };
    checker.look(&INLINE_NUMBERS);
    let mut wrong: Vec<usize> = citations(&text);
    wrong.retain(|&cited| cited == 0 || cited > sources);
    wrong.dedup();
    for cited in wrong {
        let focus = sample.at(&path[..2]).unwrap_or(sample.token);
        let there = if sources == 1 { "is 1 source".to_owned() } else { format!("are {sources} sources") };
        let message = format!("the text cites `[{cited}]`, and there {there}");
        checker.found(&INLINE_NUMBERS, focus, Some("text"), sample.at(path), message);
    }
}

fn check_url(checker: &mut Checker<'_>, object: TokenId) {
    let Some(url) = checker.text(object, "canonical_url") else { return };
    checker.look(&URLS);
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        let value = checker.document().get(object, "canonical_url");
        let message = "`canonical_url` does not begin with http:// or https://";
        checker.found(&URLS, object, Some("canonical_url"), value, message);
    }
}

fn check_citation_integrity(checker: &mut Checker<'_>, sample: &Sample<'_>, answer: TokenId) {
    let integrity = &["expected_output", "integrity"];
    let flag = |key| sample.boolean(&["expected_output", "integrity", key]);
    let Some(object) = sample.at(integrity) else { return };
    checker.look(&CITATION_INTEGRITY);
    let is_without = sample.count(&["expected_output", "sources"]) == Some(0);
    if flag("citation_required") == Some(true) && flag("citations_provided") != Some(true) && is_without {
        let message = "citations are required, and none is provided";
        checker.found(&CITATION_INTEGRITY, answer, Some("integrity"), Some(object), message);
    }
}

/// The last year of a filter is not before the first.
fn check_years(checker: &mut Checker<'_>, sample: &Sample<'_>) {
    let filters = ["expected_output", "retrieval_summary", "filters"];
    let year = |key| sample.number(&[filters[0], filters[1], filters[2], key]);
    let (Some(object), Some(first), Some(last)) = (sample.at(&filters), year("year_gte"), year("year_lte"))
    else {
        return;
    };
    if last < first {
        let value = checker.document().get(object, "year_lte");
        let message = format!("`year_lte` is {last}, before `year_gte`, {first}");
        checker.found(&FILTERS, object, Some("year_lte"), value, message);
    }
}
