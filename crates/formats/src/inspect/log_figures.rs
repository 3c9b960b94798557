//! Figures of logs: the samples with their verdicts, and how the run ended.

use super::score_values::{run_text, tokens, verdict_of};
use crate::corpus::{Corpus, GoldDocuments};
use crate::evaluation_figures::{CountedResult, SampleResultFigures};
use crate::named_figures::{NamedFigure, RecordTally, count, fact};
use crate::records::{ComputedContent, ComputedValue};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use serde_json::json;
use std::borrow::Cow;

/// Figures of a log.
#[derive(Debug, Default)]
pub(super) struct LogFigures {
    samples: SampleResultFigures,
    status: Option<String>,
    metrics: u64,
}

impl RecordTally for LogFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        let root = document.root();
        if !document.is_object(root) {
            return;
        }
        let status = document.get(root, "status").and_then(|status| document.string(status));
        self.status = self.status.take().or(status.map(Cow::into_owned));
        let [model, run, task] = ["model", "run_id", "task"].map(|key| text(run_text(document, key)));
        let samples = document.get(root, "samples").into_iter().flat_map(|samples| document.items(samples));
        for sample in samples.filter(|&sample| document.is_object(sample)) {
            let (model, run, task) = (model.clone(), run.clone(), task.clone());
            self.samples.add(CountedResult { model, run, task, ..counted(document, sample) });
        }
        let results = document.get(root, "results").filter(|&results| document.is_object(results));
        let scores = results.and_then(|results| document.get(results, "scores")).into_iter();
        let scores =
            scores.flat_map(|scores| document.items(scores)).filter(|&score| document.is_object(score));
        let metrics = scores.filter_map(|score| document.get(score, "metrics"));
        let metrics = metrics.filter(|&metrics| document.is_object(metrics));
        self.metrics += metrics.map(|metrics| document.members(metrics).count() as u64).sum::<u64>();
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let status = self.status.as_deref().unwrap_or("not known");
        let mut facts = self.samples.facts();
        facts.push(count("runResults", "aggregated results", self.metrics));
        facts.push(fact("runStatus", "status", status, json!(self.status)));
        facts
    }
}

fn counted(document: &JsonDocument, sample: TokenId) -> CountedResult {
    let present = |key| document.get(sample, key).filter(|&value| document.kind(value) != JsonKind::Null);
    let id = present("id")
        .map(|id| document.string(id).map_or_else(|| document.raw(id).to_owned(), Cow::into_owned));
    CountedResult {
        sample: id,
        verdict: present("scores").and_then(|scores| verdict_of(document, scores)).map(|found| found.0),
        has_failed: present("error").is_some(),
        tokens: present("model_usage").and_then(|usage| tokens(document, usage, "total_tokens")),
        ..CountedResult::default()
    }
}

fn text(value: Option<ComputedValue>) -> Option<String> {
    match value?.content {
        ComputedContent::Text(text) => Some(text),
        _ => None,
    }
}
