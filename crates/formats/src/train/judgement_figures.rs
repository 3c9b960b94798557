//! Figures about the results of an evaluation: the number of judged rows, and the means.

use evalgraph_json::JsonDocument;

/// The keys of the judgements, with the aspects that they judge.
pub const ASPECTS: [(&str, &str); 3] = [
    ("nv_accuracy", "accuracy"),
    ("nv_context_relevance", "context relevance"),
    ("nv_response_groundedness", "groundedness"),
];

/// Judgements by aspect, which may be added in parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JudgementFigures {
    counts: [u64; ASPECTS.len()],
    sums: [f64; ASPECTS.len()],
}

impl JudgementFigures {
    /// Counts the judgements of a file, or of a part of a file. Values that are not numbers are not counted.
    pub fn add(&mut self, document: &JsonDocument) {
        for (at, (key, _)) in ASPECTS.iter().enumerate() {
            let list = document.get(document.root(), key).into_iter().flat_map(|list| document.items(list));
            for value in list.filter_map(|value| document.number(value)?.parse::<f64>().ok()) {
                self.counts[at] += 1;
                self.sums[at] += value;
            }
        }
    }

    /// Returns the number of judgements of each aspect and their mean, if there are any, in the order of [`ASPECTS`].
    pub fn means(&self) -> impl Iterator<Item = (u64, Option<f64>)> + '_ {
        let both = self.counts.iter().zip(&self.sums);
        both.map(|(&count, sum)| (count, (count > 0).then(|| sum / count as f64)))
    }
}
