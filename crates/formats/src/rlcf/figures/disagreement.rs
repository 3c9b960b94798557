//! Disagreement: the Shannon entropy of the authority behind each position. The base is the number of positions, so it
//! lies between 0 and 1.

use super::arithmetic::{pairwise_sum, sum};

/// Returns the disagreement of positions with these weights. It is 0 if there is at most one position, or no weight.
///
/// ```
/// use evalgraph_formats::rlcf::figures::disagreement;
///
/// assert_eq!(disagreement(&[1.0, 1.0]), 1.0);
/// assert_eq!(disagreement(&[10.0, 1.0, 1.0]), 0.5152734452350943);
/// assert_eq!(disagreement(&[5.0]), 0.0);
/// ```
pub fn disagreement(weights: &[f64]) -> f64 {
    let total = sum(weights.iter().copied());
    if weights.len() <= 1 || total == 0.0 {
        return 0.0;
    }
    let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    entropy(&shares) / (weights.len() as f64).ln()
}

/// Returns the Shannon entropy in nats. The shares need not add up to 1.
pub fn entropy(shares: &[f64]) -> f64 {
    let total = pairwise_sum(shares);
    let terms: Vec<f64> = shares.iter().map(|share| surprise(share / total)).collect();
    pairwise_sum(&terms)
}

fn surprise(share: f64) -> f64 {
    if share > 0.0 { -share * share.ln() } else { 0.0 }
}
