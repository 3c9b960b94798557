//! Finds what a mistyped name was meant to be.

/// The candidate nearest to a name, where it is near enough to be meant.
pub(super) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = name.chars().count().div_ceil(3).max(1);
    let distances = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    distances
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|near| near.1)
}

/// The least number of insertions, deletions, changes and swaps of neighbours (optimal string
/// alignment); letters that differ only in case count as equal.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().flat_map(char::to_lowercase).collect();
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &from) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in right.iter().enumerate() {
            let mut cost = (last[j] + usize::from(from != to)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == right[j - 1] && left[i - 1] == to {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}
