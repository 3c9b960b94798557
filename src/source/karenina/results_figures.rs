//! Figures of exports of verification results: which questions were asked, of which models, in which runs,
//! and what came of it.

use crate::json::{Document, Kind, TokenId};
use foldhash::quality::FixedState;
use hashbrown::HashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;

/// Figures of results, which may come in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultsFigures {
    /// How many results there are.
    pub results: u64,
    /// How many of them say that the answer was verified.
    pub verified: u64,
    /// How many say that it was not.
    pub failed: u64,
    /// How many say why a run failed, by category.
    pub failures: BTreeMap<String, u64>,
    /// Results by the model that answered.
    pub answering: BTreeMap<String, u64>,
    /// Results by the model that read the answer.
    pub parsing: BTreeMap<String, u64>,
    /// The names of runs.
    pub runs: BTreeSet<String>,
    /// The questions, by hashes of their ids: so many ids are never held as texts.
    ids: HashSet<u64>,
    /// How many results have a question without an id.
    without_id: u64,
}

impl ResultsFigures {
    /// Counts the results of an export, or of a part of it.
    pub fn add(&mut self, document: &Document) {
        // An export has them under a key; the array and the tables are nothing else.
        let root = document.root();
        let results = if document.is_array(root) { Some(root) } else { document.get(root, "results") };
        let results = results.into_iter().flat_map(|results| document.items(results));
        results.filter(|&result| document.is_object(result)).for_each(|result| self.result(document, result));
    }

    /// Tells how many distinct questions there are.
    pub fn questions(&self) -> u64 {
        self.ids.len() as u64 + self.without_id
    }

    /// Tells how many results say nothing of a verdict.
    pub fn without_verdict(&self) -> u64 {
        self.results - self.verified - self.failed
    }

    fn result(&mut self, document: &Document, result: TokenId) {
        self.results += 1;
        let verdict = at(document, result, &["template", "verify_result"]);
        let verdict = verdict.or_else(|| document.get(result, "verify_result"));
        match verdict.map(|verdict| document.kind(verdict)) {
            Some(Kind::True) => self.verified += 1,
            Some(Kind::False) => self.failed += 1,
            _ => {}
        }
        let Some(metadata) = document.get(result, "metadata") else { return self.row(document, result) };
        match scalar(document, metadata, &["question_id"]) {
            Some(id) => drop(self.ids.insert(FixedState::default().hash_one(id))),
            None if scalar(document, metadata, &["question_text"]).is_some() => self.without_id += 1,
            None => {}
        }
        self.runs.extend(scalar(document, metadata, &["run_name"]));
        for (counts, path) in [
            (&mut self.answering, ["answering", "model_name"]),
            (&mut self.parsing, ["parsing", "model_name"]),
            (&mut self.failures, ["failure", "category"]),
        ] {
            if let Some(name) = scalar(document, metadata, &path) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
}

impl ResultsFigures {
    /// Counts what a row of a table says, whose columns have names of their own.
    fn row(&mut self, document: &Document, row: TokenId) {
        let text = |key| scalar(document, row, &[key]);
        match text("question_id") {
            Some(id) => drop(self.ids.insert(FixedState::default().hash_one(id))),
            None => self.without_id += u64::from(text("question_text").is_some()),
        }
        self.runs.extend(text("run_name"));
        for (counts, key) in [
            (&mut self.answering, "answering_model"),
            (&mut self.parsing, "parsing_model"),
            (&mut self.failures, "failure_category"),
        ] {
            if let Some(name) = text(key) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
}

fn at(document: &Document, object: TokenId, path: &[&str]) -> Option<TokenId> {
    path.iter().try_fold(object, |object, key| document.get(object, key))
}

/// The string or number at a path.
fn scalar(document: &Document, object: TokenId, path: &[&str]) -> Option<String> {
    let value = at(document, object, path)?;
    let text = document.string(value).or_else(|| document.number(value).map(Into::into));
    text.map(std::borrow::Cow::into_owned)
}
