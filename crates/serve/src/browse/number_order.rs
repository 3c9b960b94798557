//! The sorts of the page. Each kind of element that a sort is made for is some kilobytes of program: numbers of things are
//! sorted in their place.

use std::cmp::Ordering;

/// Puts numbers of things in order, and leaves equal ones as they stand.
pub(crate) fn put_in_order(numbers: &mut [u32], compare: &dyn Fn(usize, usize) -> Ordering) {
    numbers.sort_by(|one, other| compare(*one as usize, *other as usize));
}

/// The places of texts that something has, with how often, the most frequent first.
pub(super) fn largest_first(texts: &[String], counts: Vec<usize>) -> Vec<(usize, usize)> {
    let counted = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    let mut counted: Vec<(usize, usize)> = counted.collect();
    counted
        .sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| texts[one.0].cmp(&texts[other.0])));
    counted
}
