//! Figures of evaluation runs: results, questions, models, runs, tasks and verdicts, whatever harness wrote the file.

use crate::named_figures::{NamedFigure, by_value, count, fact};
use foldhash::quality::FixedState;
use hashbrown::HashSet;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;

/// The result of a model on one sample, as far as figures need it.
#[derive(Debug, Clone, Default)]
pub(crate) struct CountedResult {
    pub(crate) task: Option<String>,
    pub(crate) sample: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) run: Option<String>,
    pub(crate) verdict: Option<bool>,
    pub(crate) has_failed: bool,
    pub(crate) tokens: Option<u64>,
}

/// Figures of results, which may come in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct SampleResultFigures {
    results: u64,
    /// Questions by the hashes of their tasks and ids, because the ids would take too much memory.
    questions: HashSet<u64>,
    models: BTreeMap<String, u64>,
    tasks: BTreeMap<String, u64>,
    runs: BTreeSet<String>,
    right: u64,
    wrong: u64,
    failed: u64,
    tokens: Option<u64>,
}

impl SampleResultFigures {
    pub(crate) fn add(&mut self, result: CountedResult) {
        self.results += 1;
        if let Some(sample) = &result.sample {
            self.questions.insert(FixedState::default().hash_one((&result.task, sample)));
        }
        for (counts, name) in [(&mut self.models, result.model), (&mut self.tasks, result.task)] {
            if let Some(name) = name {
                *counts.entry(name).or_default() += 1;
            }
        }
        self.runs.extend(result.run);
        match result.verdict {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
        self.failed += u64::from(result.has_failed);
        if let Some(tokens) = result.tokens {
            self.tokens = Some(self.tokens.unwrap_or_default().saturating_add(tokens));
        }
    }

    pub(crate) fn facts(&self) -> Vec<NamedFigure> {
        let runs: Vec<&str> = self.runs.iter().map(String::as_str).collect();
        let runs = if runs.is_empty() { "none named".to_owned() } else { runs.join(", ") };
        let mut facts = vec![
            count("results", "results", self.results),
            count("questions", "questions", self.questions.len() as u64),
            fact("runs", "runs", runs, json!(self.runs)),
            count("verified", "right", self.right),
            count("failed", "wrong", self.wrong),
            count("withoutVerdict", "without a verdict", self.results - self.right - self.wrong),
        ];
        // Not every file names them.
        if !self.tasks.is_empty() {
            facts.insert(2, by_value("tasks", "tasks", &self.tasks));
        }
        if !self.models.is_empty() {
            facts.insert(2, by_value("answeringModels", "answering models", &self.models));
        }
        if self.failed > 0 {
            facts.push(count("errors", "errors", self.failed));
        }
        if let Some(tokens) = self.tokens {
            facts.push(count("totalTokens", "tokens", tokens));
        }
        facts
    }
}

/// Figures of the aggregated results of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunResultFigures {
    pub(crate) run: Option<String>,
    pub(crate) model: Option<String>,
    results: u64,
    tasks: BTreeMap<String, u64>,
    metrics: BTreeMap<String, u64>,
}

impl RunResultFigures {
    pub(crate) fn add(&mut self, task: Option<String>, metric: Option<String>) {
        self.results += 1;
        for (counts, name) in [(&mut self.tasks, task), (&mut self.metrics, metric)] {
            if let Some(name) = name {
                *counts.entry(name).or_default() += 1;
            }
        }
    }

    pub(crate) fn facts(&self) -> Vec<NamedFigure> {
        let shown = |name: &Option<String>| name.clone().unwrap_or_else(|| "not named".to_owned());
        let mut facts = vec![
            fact("run", "run", shown(&self.run), json!(self.run)),
            fact("answeringModel", "answering model", shown(&self.model), json!(self.model)),
            count("runResults", "aggregated results", self.results),
            // Samples are in another file.
            count("questions", "questions", 0),
            by_value("resultsByTask", "by task", &self.tasks),
        ];
        if !self.metrics.is_empty() {
            facts.push(by_value("resultsByMetric", "by metric", &self.metrics));
        }
        facts
    }
}
