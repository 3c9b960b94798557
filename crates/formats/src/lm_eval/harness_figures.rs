//! Figures of samples, and of the results of a run.

use super::harness_file_name::HarnessFileName;
use super::metric_names::{is_result, verdict_of};
use super::results_shapes::model;
use crate::corpus::{Corpus, GoldDocuments};
use crate::evaluation_figures::{CountedResult, RunResultFigures, SampleResultFigures};
use crate::named_figures::{NamedFigure, RecordTally};
use crate::records::ComputedContent;
use evalgraph_json::JsonDocument;
use std::borrow::Cow;

/// Figures of a file.
#[derive(Debug)]
pub(super) enum HarnessFigures {
    Samples(SampleResultFigures),
    Results(RunResultFigures),
}

impl RecordTally for HarnessFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        let root = document.root();
        let HarnessFileName { task, run } = HarnessFileName::from_path(document.name());
        match self {
            Self::Samples(figures) => {
                for row in document.items(root).filter(|&row| document.is_object(row)) {
                    let id = document.get(row, "doc_id");
                    let id = id.map(|id| {
                        document.string(id).map_or_else(|| document.raw(id).to_owned(), Cow::into_owned)
                    });
                    figures.add(CountedResult {
                        task: task.map(str::to_owned),
                        sample: id,
                        run: run.map(str::to_owned),
                        verdict: verdict_of(document, row).map(|found| found.0),
                        ..CountedResult::default()
                    });
                }
            }
            Self::Results(figures) if document.is_object(root) => {
                figures.run = figures.run.take().or(run.map(str::to_owned));
                let name = model(document, root).and_then(|model| match model.content {
                    ComputedContent::Text(text) => Some(text),
                    _ => None,
                });
                figures.model = figures.model.take().or(name);
                let results = document.get(root, "results").filter(|&results| document.is_object(results));
                for task in results.into_iter().flat_map(|results| document.members(results)) {
                    let name = document.symbol_text(task.symbol);
                    let task = Some(task.value).filter(|&task| document.is_object(task));
                    for metric in task.into_iter().flat_map(|task| document.members(task)) {
                        let key = document.symbol_text(metric.symbol);
                        let is_counted = task.is_some_and(|task| is_result(document, task, key))
                            && !key.contains("_stderr");
                        if is_counted {
                            figures.add(Some(name.to_owned()), Some(key.to_owned()));
                        }
                    }
                }
            }
            Self::Results(_) => {}
        }
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        match self {
            Self::Samples(figures) => figures.facts(),
            Self::Results(figures) => figures.facts(),
        }
    }
}
