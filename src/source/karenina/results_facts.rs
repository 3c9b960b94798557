//! What is counted of exports of results.

use serde_json::json;

use super::results_figures::ResultsFigures;
use crate::json::Document;
use crate::source::facts::{Fact, RecordTally, by_value, count, fact};
use crate::source::train::Corpus;
use crate::source::train::figures::Gold;

impl RecordTally for ResultsFigures {
    fn add(&mut self, document: &Document, _gold: &Gold) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<Fact> {
        of_results(self)
    }
}

fn of_results(figures: &ResultsFigures) -> Vec<Fact> {
    let mut facts = vec![
        count("results", "results", figures.results),
        count("questions", "questions", figures.questions()),
        by_value("answeringModels", "answering models", &figures.answering),
        by_value("parsingModels", "parsing models", &figures.parsing),
        fact("runs", "runs", named(figures), json!(figures.runs)),
        count("verified", "verified", figures.verified),
        count("failed", "failed", figures.failed),
        count("withoutVerdict", "without a verdict", figures.without_verdict()),
    ];
    if !figures.failures.is_empty() {
        facts.push(by_value("failures", "failures", &figures.failures));
    }
    facts
}

fn named(figures: &ResultsFigures) -> String {
    let names: Vec<&str> = figures.runs.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => "none named".to_owned(),
        names => names.join(", "),
    }
}
