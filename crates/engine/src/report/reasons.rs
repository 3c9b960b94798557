//! The reasons of a result as lines for people. A reason is a failure of an inner shape that led to the result.

use super::reported_finding::LONGEST;
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::validation::{CappedDetails, ResultDetail, RuleResult};
use evalgraph_diagnostics::{SourcePlace, thousands};

/// A reason and its nesting depth: a reason may have further reasons.
pub(super) struct NestedReason<'r> {
    pub(super) depth: usize,
    pub(super) text: String,
    pub(super) place: Option<&'r SourcePlace>,
}

/// Returns at most `most` reasons of a result; a last line counts the others. The most deeply nested reasons are left
/// out first, so every alternative keeps a reason.
pub(super) fn reasons(result: &RuleResult, most: usize) -> Vec<NestedReason<'_>> {
    let mut all = Vec::new();
    let unseen = gather(&result.details, 0, &mut all);
    let count = |depth: usize| all.iter().filter(|(at, _)| *at <= depth).count();
    let deepest = all.iter().map(|(depth, _)| *depth).max().unwrap_or_default();
    let depth = (0..=deepest).rev().find(|depth| count(*depth) <= most).unwrap_or_default();
    let shown = all.iter().filter(|(at, _)| *at <= depth).take(most);
    let mut reasons: Vec<NestedReason<'_>> = shown
        .map(|(depth, detail)| {
            let place = detail.result.place.as_deref();
            NestedReason { depth: *depth, text: text(detail), place }
        })
        .collect();
    let left_out = unseen + (all.len() - reasons.len()) as u64;
    if left_out > 0 {
        let text = format!("… and {} more", thousands(left_out));
        reasons.push(NestedReason { depth: 0, text, place: None });
    }
    reasons
}

/// Collects the details and, recursively, their details. Returns how many more there are.
fn gather<'r>(details: &'r CappedDetails, depth: usize, all: &mut Vec<(usize, &'r ResultDetail)>) -> u64 {
    let mut unseen = details.left_out;
    for detail in &details.results {
        all.push((depth, detail));
        unseen += gather(&detail.result.details, depth + 1, all);
    }
    unseen
}

fn text(ResultDetail { alternative, result }: &ResultDetail) -> String {
    let alternative = alternative.map_or(String::new(), |number| format!("option {number}: "));
    let at = match &result.place {
        Some(place) => place.to_string(),
        None => format!("at {}", shortened(result.focus.as_str(), LONGEST)),
    };
    format!("because: {alternative}{} ({at})", shortened(&result.message, LONGEST))
}
