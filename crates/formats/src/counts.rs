//! Counts of the losses and defaults of a conversion, by kind, for its report.

use std::collections::BTreeMap;

/// Losses or defaults of one kind of file, and how often each occurred.
///
/// ```
/// let mut losses = evalgraph_formats::counts::ConversionCounts::new();
/// losses.add("keywords");
/// losses.add("keywords");
/// assert_eq!(losses.iter().collect::<Vec<_>>(), [("keywords", 2)]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversionCounts {
    counts: BTreeMap<String, u64>,
}

impl ConversionCounts {
    /// Creates empty counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one loss or default.
    pub fn add(&mut self, what: &str) {
        match self.counts.get_mut(what) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(what.to_owned(), 1)),
        }
    }

    /// Counts one loss or default if `is_so`.
    pub fn add_if(&mut self, is_so: bool, what: &str) {
        if is_so {
            self.add(what);
        }
    }

    /// Returns the losses or defaults with their counts, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(what, count)| (what.as_str(), *count))
    }
}
