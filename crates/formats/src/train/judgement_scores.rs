//! Reads an evaluation of a retrieval system as results of a run. One file has the figures of each row, and another one,
//! in the same folder, the rows in the same order.

use std::borrow::Cow;

use super::train_recognition::{EVALUATION_DATA_KIND, EVALUATION_RESULTS_KIND};
use crate::records::RecognisedRecords;
use crate::runs::{RunFacts, RunReader, SampleResult, SampleScore, ScoreScale};
use evalgraph_json::{JsonDocument, TokenId};

/// The lists of figures, which range from 0 to 1.
const FIGURES: [&str; 3] = ["nv_accuracy", "nv_context_relevance", "nv_response_groundedness"];
/// The ends of the names of the files of one evaluation.
const ENDS: [&str; 2] = ["_evaluation_data.json", "_evaluation_results.json"];

/// Reads one of the files.
pub(super) enum JudgementScores {
    /// The file of rows.
    Rows,
    /// The file of figures.
    Figures,
}

impl JudgementScores {
    /// Creates the reader, or `None` for other files.
    pub(super) fn from_recognised(recognised: &RecognisedRecords) -> Option<Self> {
        match &*recognised.kind {
            EVALUATION_DATA_KIND => Some(Self::Rows),
            EVALUATION_RESULTS_KIND => Some(Self::Figures),
            _ => None,
        }
    }
}

impl RunReader for JudgementScores {
    fn results<'d>(&self, document: &'d JsonDocument, visit: &mut dyn FnMut(SampleResult<'d>)) {
        let root = document.root();
        match self {
            Self::Rows => {
                for (position, row) in document.items(root).enumerate() {
                    let text = |key| document.get(row, key).and_then(|value| text_of(document, value));
                    visit(SampleResult {
                        position: Some(position as u64),
                        sample: text("id"),
                        question: text("question"),
                        ..SampleResult::new(row)
                    });
                }
            }
            Self::Figures => figures(document, root, visit),
        }
    }

    fn facts(&self, document: &JsonDocument) -> RunFacts {
        let name = document.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let run = ENDS.iter().find_map(|end| name.strip_suffix(end));
        RunFacts { run: run.map(ToOwned::to_owned), ..RunFacts::default() }
    }
}

/// Passes the figures on, those of one row together.
fn figures<'d>(document: &'d JsonDocument, root: TokenId, visit: &mut dyn FnMut(SampleResult<'d>)) {
    let lists: Vec<(&str, Vec<TokenId>)> = FIGURES
        .iter()
        .filter_map(|&key| Some((key, document.items(document.get(root, key)?).collect())))
        .collect();
    let rows = lists.iter().map(|(_, figures)| figures.len()).max().unwrap_or_default();
    for row in 0..rows {
        let of_row = lists.iter().filter_map(|(key, figures)| Some((*key, *figures.get(row)?)));
        let mut result = SampleResult { position: Some(row as u64), ..SampleResult::new(root) };
        for (key, figure) in of_row {
            let value = document.number(figure).and_then(|number| number.parse().ok());
            if result.scores.is_empty() {
                result.at = figure;
            }
            result.scores.extend(value.filter(|value: &f64| value.is_finite()).map(|value| SampleScore {
                metric: Cow::Borrowed(key),
                value,
                scale: Some(ScoreScale { worst: 0.0, best: 1.0 }),
            }));
        }
        visit(result);
    }
}

fn text_of(document: &JsonDocument, value: TokenId) -> Option<Cow<'_, str>> {
    document.string(value).or_else(|| document.number(value).map(Cow::Borrowed))
}
