//! Reads results of verifications as results of runs: the verdict of the template, and the scores of the rubric's traits.

use std::borrow::Cow;

use serde_json::Value;

use crate::records::{RecognisedRecords, TableRunReader};
use crate::runs::{MetricFacts, RunFacts, RunReader, SampleResult, SampleScore, ScoreScale};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The members of `rubric` whose members are the scores of traits.
const SCORES: [&str; 3] = ["llm_trait_scores", "regex_trait_scores", "callable_trait_scores"];
/// The member of `rubric` whose members are traits with several figures each.
const METRIC_SCORES: &str = "metric_trait_scores";
/// The columns of a table that have scores of traits, as JSON.
const COLUMNS: [&str; 2] = ["question_specific_rubrics", "standard_rubric_scores"];
/// The lists of a rubric that define traits.
const DEFINITIONS: [&str; 3] = ["llm_traits", "regex_traits", "callable_traits"];

/// Reads results of verifications.
pub(super) struct VerificationScores(TableRunReader);

impl VerificationScores {
    /// Creates the reader, or `None` for other files.
    pub(super) fn from_recognised(recognised: &RecognisedRecords) -> Option<Self> {
        TableRunReader::from_shape(&recognised.shape).map(Self)
    }
}

impl RunReader for VerificationScores {
    fn results<'d>(&self, document: &'d JsonDocument, visit: &mut dyn FnMut(SampleResult<'d>)) {
        self.0.results(document, &mut |mut result| {
            if let Some(rubric) = document.get(result.at, "rubric") {
                result.scores.extend(SCORES.iter().flat_map(|key| scores_in(document, rubric, key)));
                result.scores.extend(metric_scores(document, rubric));
            }
            for column in COLUMNS {
                result.scores.extend(scores_of_text(document, result.at, column));
            }
            visit(result);
        });
    }

    fn facts(&self, document: &JsonDocument) -> RunFacts {
        let mut facts = self.0.facts(document);
        let root = document.root();
        let shared = document.get(root, "shared_data");
        let rubric = shared.and_then(|shared| document.get(shared, "rubric_definition"));
        for list in DEFINITIONS.iter().filter_map(|key| document.get(rubric?, key)) {
            facts.metrics.extend(document.items(list).filter_map(|definition| metric(document, definition)));
        }
        facts
    }
}

/// Returns the members of a member of `rubric` as scores.
fn scores_in<'d>(
    document: &'d JsonDocument,
    rubric: TokenId,
    key: &str,
) -> impl Iterator<Item = SampleScore<'d>> + use<'d> {
    let scores = document.get(rubric, key).into_iter().flat_map(|scores| document.members(scores));
    scores.filter_map(|member| {
        let metric = Cow::Borrowed(document.symbol_text(member.symbol));
        Some(SampleScore { metric, value: score(document, member.value)?, scale: None })
    })
}

/// Returns the figures of the traits that have several, each named after the trait and the figure.
fn metric_scores(document: &JsonDocument, rubric: TokenId) -> impl Iterator<Item = SampleScore<'_>> {
    let traits = document.get(rubric, METRIC_SCORES).into_iter().flat_map(|traits| document.members(traits));
    traits.flat_map(move |of_trait| {
        let name = document.symbol_text(of_trait.symbol);
        document.members(of_trait.value).filter_map(move |figure| {
            let metric = format!("{name} {}", document.symbol_text(figure.symbol)).into();
            Some(SampleScore { metric, value: score(document, figure.value)?, scale: None })
        })
    })
}

/// Returns the scores that a column has as JSON.
fn scores_of_text<'d>(document: &'d JsonDocument, row: TokenId, column: &str) -> Vec<SampleScore<'d>> {
    let text = document.get(row, column).and_then(|text| document.string(text));
    let Some(Ok(Value::Object(scores))) = text.map(|text| serde_json::from_str(&text)) else {
        return Vec::new();
    };
    let scores = scores.into_iter().filter_map(|(metric, value)| {
        let value = value.as_f64().or_else(|| value.as_bool().map(f64::from))?;
        Some(SampleScore { metric: metric.into(), value, scale: None })
    });
    scores.collect()
}

/// Returns a number, or 1 for true and 0 for false.
fn score(document: &JsonDocument, value: TokenId) -> Option<f64> {
    match document.kind(value) {
        JsonKind::True => Some(1.0),
        JsonKind::False => Some(0.0),
        _ => document.number(value)?.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// Returns what the definition of a trait says about its scores.
fn metric(document: &JsonDocument, definition: TokenId) -> Option<MetricFacts> {
    let end = |key| document.get(definition, key).and_then(|value| score(document, value));
    let higher = document.get(definition, "higher_is_better").and_then(|value| score(document, value));
    let scale = end("min_score").zip(end("max_score"));
    Some(MetricFacts {
        task: None,
        metric: document.string(document.get(definition, "name")?)?.into_owned(),
        result: None,
        lower_is_better: higher.map(|higher| higher == 0.0),
        scale: scale.map(|(worst, best)| ScoreScale { worst, best }),
    })
}
