//! Divides a limited number of places among rules, so that no rule crowds out another.

/// Returns how many results each rule shows at most, so that the total stays within a limit.
///
/// Each rule has the same share; what a rule with few results does not use goes to the others. If there are more rules
/// than places, each rule still shows one: a rule that is not mentioned at all would be overlooked.
pub(super) fn share(counts: impl IntoIterator<Item = usize>, limit: usize) -> usize {
    let mut counts: Vec<usize> = counts.into_iter().filter(|&count| count > 0).collect();
    counts.sort_unstable();
    let mut left = limit;
    for (at, &count) in counts.iter().enumerate() {
        let equal = left / (counts.len() - at);
        if count > equal {
            return equal.max(1);
        }
        left -= count;
    }
    counts.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn few_results_of_one_rule_leave_room_for_another() {
        assert_eq!(share([], 10), 0);
        assert_eq!(share([3, 4], 10), 4);
        assert_eq!(share([1, 1, 100, 0], 10), 8);
        assert_eq!(share([50, 100], 10), 5);
        assert_eq!(share([2; 100], 10), 1);
    }
}
