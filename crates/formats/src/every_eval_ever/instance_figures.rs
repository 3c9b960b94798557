//! Figures of files of this system: of results on samples, of the results of a run, and of an index.

use super::result_recognition::EvaluationFileKind;
use crate::corpus::{Corpus, GoldDocuments};
use crate::evaluation_figures::{CountedResult, RunResultFigures, SampleResultFigures};
use crate::named_figures::{NamedFigure, RecordTally, count};
use crate::records::truth_of;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// Figures of a file.
#[derive(Debug)]
pub(super) struct InstanceFigures {
    kind: EvaluationFileKind,
    samples: SampleResultFigures,
    run: RunResultFigures,
    indexed: u64,
}

impl InstanceFigures {
    pub(super) fn new(kind: EvaluationFileKind) -> Self {
        Self { kind, samples: SampleResultFigures::default(), run: RunResultFigures::default(), indexed: 0 }
    }

    fn add_run(&mut self, document: &JsonDocument) {
        let root = document.root();
        let text = |path: &[&str]| text_at(document, root, path);
        self.run.run = self.run.run.take().or_else(|| text(&["evaluation_id"]));
        self.run.model = self.run.model.take().or_else(|| text(&["model_info", "id"]));
        let results = document.get(root, "evaluation_results").into_iter();
        for result in results.flat_map(|results| document.items(results)) {
            let metric = ["metric_name", "metric_id", "metric_kind"].into_iter();
            let metric = metric.filter_map(|key| text_at(document, result, &["metric_config", key])).next();
            self.run.add(text_at(document, result, &["evaluation_name"]), metric);
        }
    }
}

impl RecordTally for InstanceFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        let root = document.root();
        let records: Vec<TokenId> = match document.is_object(root) {
            true => vec![root],
            false => document.items(root).filter(|&item| document.is_object(item)).collect(),
        };
        match self.kind {
            EvaluationFileKind::Run => self.add_run(document),
            EvaluationFileKind::Index => self.indexed += records.len() as u64,
            EvaluationFileKind::Samples => {
                records.into_iter().for_each(|record| self.samples.add(counted(document, record)));
            }
        }
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        match self.kind {
            EvaluationFileKind::Run => self.run.facts(),
            EvaluationFileKind::Index => vec![count("indexedFiles", "indexed files", self.indexed)],
            EvaluationFileKind::Samples => self.samples.facts(),
        }
    }
}

fn counted(document: &JsonDocument, record: TokenId) -> CountedResult {
    let text = |path: &[&str]| text_at(document, record, path);
    let verdict = at(document, record, &["evaluation", "is_correct"]);
    let tokens = at(document, record, &["token_usage", "total_tokens"]);
    let error = document.get(record, "error");
    CountedResult {
        task: text(&["evaluation_name"]),
        sample: text(&["sample_id"]),
        model: text(&["model_id"]),
        run: text(&["evaluation_id"]),
        verdict: verdict.and_then(|verdict| truth_of(document, verdict)),
        has_failed: error.is_some_and(|error| document.kind(error) != JsonKind::Null),
        tokens: tokens.and_then(|tokens| document.number(tokens)?.parse().ok()),
    }
}

fn at(document: &JsonDocument, object: TokenId, path: &[&str]) -> Option<TokenId> {
    path.iter().try_fold(object, |object, key| {
        document.is_object(object).then(|| document.get(object, key)).flatten()
    })
}

fn text_at(document: &JsonDocument, object: TokenId, path: &[&str]) -> Option<String> {
    document.string(at(document, object, path)?).map(std::borrow::Cow::into_owned)
}
