//! The reasons of a result as lines for people: the failures of inner shapes that led to it.

use super::finding::LONGEST;
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::validation::{Detail, Details, ValidationResult};
use evalgraph_diagnostics::{Place, thousands};

/// A reason, and how deep it is nested: a reason may have reasons of its own.
pub(super) struct Reason<'r> {
    pub(super) depth: usize,
    pub(super) text: String,
    pub(super) place: Option<&'r Place>,
}

/// Returns the reasons of a result, at most so many; a last line counts the others. Those that are nested the deepest
/// are left out first, so that no alternative stays without its reason.
pub(super) fn reasons(result: &ValidationResult, most: usize) -> Vec<Reason<'_>> {
    let mut all = Vec::new();
    let unseen = gather(&result.details, 0, &mut all);
    let count = |depth: usize| all.iter().filter(|(at, _)| *at <= depth).count();
    let deepest = all.iter().map(|(depth, _)| *depth).max().unwrap_or_default();
    let depth = (0..=deepest).rev().find(|depth| count(*depth) <= most).unwrap_or_default();
    let shown = all.iter().filter(|(at, _)| *at <= depth).take(most);
    let mut reasons: Vec<Reason<'_>> = shown
        .map(|(depth, detail)| {
            let place = detail.result.place.as_deref();
            Reason { depth: *depth, text: text(detail), place }
        })
        .collect();
    let left_out = unseen + (all.len() - reasons.len()) as u64;
    if left_out > 0 {
        let text = format!("… and {} more", thousands(left_out));
        reasons.push(Reason { depth: 0, text, place: None });
    }
    reasons
}

/// Gathers the details and those of each; returns how many there are beyond these.
fn gather<'r>(details: &'r Details, depth: usize, all: &mut Vec<(usize, &'r Detail)>) -> u64 {
    let mut unseen = details.left_out;
    for detail in &details.results {
        all.push((depth, detail));
        unseen += gather(&detail.result.details, depth + 1, all);
    }
    unseen
}

fn text(Detail { alternative, result }: &Detail) -> String {
    let alternative = alternative.map_or(String::new(), |number| format!("option {number}: "));
    let at = match &result.place {
        Some(place) => place.to_string(),
        None => format!("at {}", shortened(result.focus.as_str(), LONGEST)),
    };
    format!("because: {alternative}{} ({at})", shortened(&result.message, LONGEST))
}
