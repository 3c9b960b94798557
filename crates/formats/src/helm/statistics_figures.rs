//! Figures of the files of a run: responses, instances, and the statistics of the run.

use super::run_folder_name::{run_in, task_in};
use super::statistics_recognition::{INSTANCES, RESPONSES, RUN};
use crate::corpus::{Corpus, GoldDocuments};
use crate::evaluation_figures::{CountedResult, RunResultFigures, SampleResultFigures};
use crate::named_figures::{NamedFigure, RecordTally, count};
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Figures of a file of a kind.
#[derive(Debug)]
pub(super) struct StatisticsFigures {
    kind: Cow<'static, str>,
    responses: u64,
    questions: BTreeSet<String>,
    instances: SampleResultFigures,
    run: RunResultFigures,
}

impl StatisticsFigures {
    pub(super) fn new(kind: Cow<'static, str>) -> Self {
        let (instances, run) = (SampleResultFigures::default(), RunResultFigures::default());
        Self { kind, responses: 0, questions: BTreeSet::new(), instances, run }
    }
}

impl RecordTally for StatisticsFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        let root = document.root();
        let run = run_in(document.name());
        let task = run.and_then(task_in);
        let records: Vec<TokenId> = match document.is_object(root) {
            true => document
                .get(root, "request_states")
                .into_iter()
                .flat_map(|list| document.items(list))
                .collect(),
            false => document.items(root).collect(),
        };
        for record in records.into_iter().filter(|&record| document.is_object(record)) {
            match &*self.kind {
                RESPONSES => {
                    self.responses += 1;
                    let instance = document.get(record, "instance").filter(|&one| document.is_object(one));
                    self.questions.extend(instance.and_then(|instance| text(document, instance, "id")));
                }
                INSTANCES => self.instances.add(CountedResult {
                    task: task.clone(),
                    sample: text(document, record, "instance_id"),
                    run: run.map(str::to_owned),
                    ..CountedResult::default()
                }),
                RUN => {
                    self.run.run = run.map(str::to_owned);
                    let name = document.get(record, "name").filter(|&name| document.is_object(name));
                    self.run.add(task.clone(), name.and_then(|name| text(document, name, "name")));
                }
                _ => {}
            }
        }
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        match &*self.kind {
            RESPONSES => {
                let questions = self.questions.len() as u64;
                vec![
                    count("responses", "responses", self.responses),
                    count("questions", "questions", questions),
                ]
            }
            INSTANCES => self.instances.facts(),
            RUN => self.run.facts(),
            _ => vec![count("runs", "runs", 1), count("questions", "questions", 0)],
        }
    }
}

fn text(document: &JsonDocument, object: TokenId, key: &str) -> Option<String> {
    document.string(document.get(object, key)?).map(Cow::into_owned)
}
