//! Figures of exports of verification results: the questions, models and runs, and the outcomes.

use crate::corpus::{Corpus, GoldDocuments};
use crate::named_figures::{NamedFigure, RecordTally, by_value, count, fact};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use foldhash::quality::FixedState;
use hashbrown::HashSet;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;

/// The paths in a result to the model that answered, the model that read the answer, and the failure of the run.
const NESTED: [&[&str]; 3] =
    [&["answering", "model_name"], &["parsing", "model_name"], &["failure", "category"]];
/// The same paths in a row of a table.
const COLUMNS: [&[&str]; 3] = [&["answering_model"], &["parsing_model"], &["failure_category"]];

/// Figures of results, which may arrive in parts.
#[derive(Debug, Default)]
pub(super) struct ResultsFigures {
    results: u64,
    verified: u64,
    failed: u64,
    /// How many results report a failed run, by category.
    failures: BTreeMap<String, u64>,
    /// Results by the model that answered.
    answering: BTreeMap<String, u64>,
    /// Results by the model that read the answer.
    parsing: BTreeMap<String, u64>,
    /// The names of runs.
    runs: BTreeSet<String>,
    /// The questions, by hashes of their ids, because the ids would take too much memory.
    ids: HashSet<u64>,
    /// How many results have a question without an id.
    without_id: u64,
}

impl ResultsFigures {
    fn result(&mut self, document: &JsonDocument, result: TokenId) {
        self.results += 1;
        let verdict = at(document, result, &["template", "verify_result"]);
        let verdict = verdict.or_else(|| document.get(result, "verify_result"));
        match verdict.map(|verdict| document.kind(verdict)) {
            Some(JsonKind::True) => self.verified += 1,
            Some(JsonKind::False) => self.failed += 1,
            _ => {}
        }
        // The columns of a table have different names.
        let (said, models_and_failure) = match document.get(result, "metadata") {
            Some(metadata) => (metadata, NESTED),
            None => (result, COLUMNS),
        };
        match scalar(document, said, &["question_id"]) {
            Some(id) => drop(self.ids.insert(FixedState::default().hash_one(id))),
            None => self.without_id += u64::from(scalar(document, said, &["question_text"]).is_some()),
        }
        self.runs.extend(scalar(document, said, &["run_name"]));
        let counted = [&mut self.answering, &mut self.parsing, &mut self.failures];
        for (counts, path) in counted.into_iter().zip(models_and_failure) {
            if let Some(name) = scalar(document, said, path) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
}

impl RecordTally for ResultsFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        // An export has the results under a key; in other files the root is the array of results.
        let root = document.root();
        let results = if document.is_array(root) { Some(root) } else { document.get(root, "results") };
        let results = results.into_iter().flat_map(|results| document.items(results));
        results.filter(|&result| document.is_object(result)).for_each(|result| self.result(document, result));
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let runs: Vec<&str> = self.runs.iter().map(String::as_str).collect();
        let runs = if runs.is_empty() { "none named".to_owned() } else { runs.join(", ") };
        let without_verdict = self.results - self.verified - self.failed;
        let mut facts = vec![
            count("results", "results", self.results),
            count("questions", "questions", self.ids.len() as u64 + self.without_id),
            by_value("answeringModels", "answering models", &self.answering),
            by_value("parsingModels", "parsing models", &self.parsing),
            fact("runs", "runs", runs, json!(self.runs)),
            count("verified", "verified", self.verified),
            count("failed", "failed", self.failed),
            count("withoutVerdict", "without a verdict", without_verdict),
        ];
        if !self.failures.is_empty() {
            facts.push(by_value("failures", "failures", &self.failures));
        }
        facts
    }
}

fn at(document: &JsonDocument, object: TokenId, path: &[&str]) -> Option<TokenId> {
    path.iter().try_fold(object, |object, key| document.get(object, key))
}

/// Returns the string or number at a path.
fn scalar(document: &JsonDocument, object: TokenId, path: &[&str]) -> Option<String> {
    let value = at(document, object, path)?;
    let text = document.string(value).or_else(|| document.number(value).map(Into::into));
    text.map(std::borrow::Cow::into_owned)
}
