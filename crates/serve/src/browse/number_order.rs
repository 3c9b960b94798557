//! The sorting functions of the page. Sorting is compiled for each type of element, at some kilobytes each. So these
//! functions sort only the numbers of elements.

use std::cmp::Ordering;

/// Sorts the numbers of elements. Equal elements keep their order.
pub(crate) fn put_in_order(numbers: &mut [u32], compare: &dyn Fn(usize, usize) -> Ordering) {
    numbers.sort_by(|one, other| compare(*one as usize, *other as usize));
}

/// Returns the indexes of strings with their counts, the most frequent first.
pub(super) fn largest_first(texts: &[String], counts: Vec<usize>) -> Vec<(usize, usize)> {
    let counted = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    let mut counted: Vec<(usize, usize)> = counted.collect();
    counted
        .sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| texts[one.0].cmp(&texts[other.0])));
    counted
}
