//! Records whose questions are the same or nearly the same.

use hashbrown::HashMap;

use super::opened_records::OpenedRecords;
use evalgraph_text_keys::near_texts::near_pairs;
use evalgraph_text_keys::text_key;

/// Two records whose questions are the same, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EqualRecords {
    /// The number of the record that is kept.
    pub first: usize,
    /// The number of the later record.
    pub second: usize,
    /// The similarity of their questions, 1 for the same text apart from case and white space.
    pub similarity: f64,
}

/// Returns the pairs of records whose questions are the same apart from case and white space, each with the first such
/// record; with a threshold, all pairs whose similarity is at least that. Returns `None` if there are too many pairs.
/// Records without a question are in no pair.
pub fn equal_records(opened: &OpenedRecords, near: Option<f64>) -> Option<Vec<EqualRecords>> {
    let text = |record: usize| opened.facts[record].text.as_deref().unwrap_or_default();
    let texts: Vec<&str> = (0..opened.facts.len()).map(text).collect();
    if let Some(least) = near {
        let pairs = near_pairs(&texts, least)?.into_iter();
        return Some(
            pairs
                .map(|pair| EqualRecords {
                    first: pair.first,
                    second: pair.second,
                    similarity: pair.similarity,
                })
                .collect(),
        );
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut pairs = Vec::new();
    for (second, text) in texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let first = *known.entry(text_key(text)).or_insert(second);
        if first != second {
            pairs.push(EqualRecords { first, second, similarity: 1.0 });
        }
    }
    Some(pairs)
}

/// Returns the records that are kept: of each pair the first one, unless it is itself left out for an earlier one.
pub fn kept_of(records: usize, pairs: &[EqualRecords]) -> Vec<usize> {
    let mut is_left_out = vec![false; records];
    // The pairs come by their second record, so it is known by then whether the first one is kept.
    for pair in pairs {
        if !is_left_out[pair.first] {
            is_left_out[pair.second] = true;
        }
    }
    (0..records).filter(|&record| !is_left_out[record]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_to_a_kept_record_is_left_out() {
        let pair = |first, second| EqualRecords { first, second, similarity: 0.95 };
        // The last one is near only to one that is left out, so it stays.
        assert_eq!(kept_of(4, &[pair(0, 1), pair(1, 2)]), [0, 2, 3]);
    }
}
