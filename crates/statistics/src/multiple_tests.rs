//! P-values of several tests together.

/// Returns Holm's corrected p-values, in the order of the p-values: the smallest alpha at which the test is rejected if
/// the probability of any wrong rejection among all tests has to be at most alpha (Holm 1979, "A Simple Sequentially
/// Rejective Multiple Test Procedure"). It equals `multipletests(method="holm")` of statsmodels.
///
/// A missing p-value, or one that is not between 0 and 1, stays missing and does not count as a test. The cost is that
/// of sorting.
///
/// ```
/// use evalgraph_statistics::holm_corrected;
///
/// let corrected = holm_corrected(&[Some(0.01), None, Some(0.04), Some(0.03)]);
/// assert_eq!(corrected, [Some(0.03), None, Some(0.06), Some(0.06)]);
/// ```
pub fn holm_corrected(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let is_valid = |p_value: f64| (0.0..=1.0).contains(&p_value);
    let with_places = p_values.iter().enumerate();
    let mut tests: Vec<(usize, f64)> = with_places
        .filter_map(|(place, value)| value.filter(|&value| is_valid(value)).map(|value| (place, value)))
        .collect();
    tests.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut corrected = vec![None; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &(place, p_value)) in tests.iter().enumerate() {
        largest = largest.max(p_value * (tests.len() - rank) as f64).min(1.0);
        corrected[place] = Some(largest);
    }
    corrected
}
