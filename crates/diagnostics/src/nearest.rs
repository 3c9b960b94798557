//! Guesses which name was probably meant: the candidate with the fewest edits.

/// Returns the candidate nearest to a misspelt name, if it is near enough: one edit is allowed for every three
/// characters, and always at least one. Letter case costs nothing.
pub fn nearest<'n>(wrong: &str, offered: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_within((wrong.chars().count() / 3).max(1), wrong, offered)
}

/// Returns the candidate nearest to a misspelt name, within the given number of edits. Letter case costs nothing. The
/// first of several equally near candidates is returned.
pub fn nearest_within<'n>(
    most_edits: usize,
    wrong: &str,
    offered: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    offered
        .into_iter()
        .map(|name| (distance(wrong, name), name))
        .filter(|&(edits, name)| edits <= most_edits && edits < name.chars().count())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, name)| name)
}

/// Returns the variable that was probably meant. Unlike with [`nearest`], a name is also near if one of the two begins
/// with the other, since people shorten variables.
pub fn nearest_variable<'n>(wrong: &str, offered: &[&'n str]) -> Option<&'n str> {
    nearest(wrong, offered.iter().copied())
        .or_else(|| offered.iter().copied().find(|name| wrong.starts_with(name) || name.starts_with(wrong)))
}

/// Counts the edits between two words: insert, delete, replace, swap of neighbours.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().flat_map(char::to_lowercase).collect();
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut edits = (last[j] + usize::from(l != r)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                edits = edits.min(before_last[j - 1] + 1);
            }
            row.push(edits);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}
