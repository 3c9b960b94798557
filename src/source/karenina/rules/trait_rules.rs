//! What the Python library asks of a trait when it takes it out of a checkpoint, kind by kind.
//!
//! A pattern is a regular expression of Python, whose syntax differs from all others, so that only
//! its being there is looked at. Code is text and is not looked at.

use super::super::keys::Keyed;
use super::Checker;
use super::Rule;
use crate::json::{Document, Kind, Limits, TokenId, parse};
use std::collections::BTreeSet;

/// How many classes a literal trait has.
const CLASSES: std::ops::RangeInclusive<usize> = 2..=20;
const METRICS: [&str; 3] = ["precision", "recall", "f1"];
const MATRIX_METRICS: [&str; 5] = ["precision", "recall", "f1", "specificity", "accuracy"];
const EVALUATION_MODES: [&str; 2] = ["tp_only", "full_matrix"];
const CONTEXT_MODES: [&str; 3] = ["workspace_only", "trace_and_workspace", "trace_only"];
const CALLABLE_KINDS: [&str; 3] = ["boolean", "score", "literal"];
const DYNAMIC_TYPES: [&str; 5] = ["llm", "regex", "callable", "metric", "agentic"];

/// A trait and the rule that it is looked at by.
struct Trait<'c, 'd> {
    checker: &'c mut Checker<'d>,
    rule: &'c Rule,
    rating: TokenId,
}

/// Checks a trait, whose type ends in `stem`.
pub(super) fn check(checker: &mut Checker<'_>, rule: &Rule, rating: TokenId, stem: &str) {
    let mut subject = Trait { checker, rule, rating };
    match stem {
        "RegexTrait" => subject.regex(),
        "CallableTrait" => subject.one_of("kind", &CALLABLE_KINDS),
        "MetricRubricTrait" => subject.metric(),
        "AgenticRubricTrait" => subject.agentic(),
        "DynamicRubricTrait" => subject.dynamic(),
        _ => subject.judged(),
    }
}

impl<'d> Trait<'_, 'd> {
    fn property(&self, name: &str) -> Option<TokenId> {
        let properties = self.checker.keyed.get(self.rating, super::super::keys::Key::AdditionalProperty)?;
        let value = self.checker.keyed.property(properties, name)?;
        (self.document().kind(value) != Kind::Null).then_some(value)
    }

    fn document(&self) -> &'d Document {
        self.checker.document
    }

    fn found(&mut self, path: &'static str, value: Option<TokenId>, message: String) {
        self.checker.found(self.rule, self.rating, Some(path), value, message);
    }

    fn one_of(&mut self, name: &'static str, allowed: &[&str]) {
        let Some(value) = self.property(name) else { return };
        if !allowed.iter().any(|text| self.checker.keyed.is_text(value, text)) {
            let message = format!("`{name}` is {}, not {}", self.checker.show(value), listed(allowed));
            self.found(name, Some(value), message);
        }
    }

    fn regex(&mut self) {
        let Some(value) = self.property("pattern") else { return };
        if !self.document().is_string(value) {
            let message = format!("`pattern` is {}, not a string", self.checker.show(value));
            self.found("pattern", Some(value), message);
        }
    }

    /// Traits that a model judges; only those with classes or a schema have rules.
    fn judged(&mut self) {
        let Some(kind) = self.property("kind") else { return };
        if self.document().is_object(kind) {
            self.template();
        } else if self.checker.keyed.is_text(kind, "literal") {
            self.literal();
        } else {
            self.one_of("kind", &["boolean", "score", "literal"]);
        }
    }

    fn template(&mut self) {
        if let Some(value) = self.property("higher_is_better") {
            let message = format!(
                "`higher_is_better` is {}, and a trait with a schema has none: it has to be null",
                self.checker.show(value)
            );
            self.found("higher_is_better", Some(value), message);
        }
        if let Some((best, worst)) = self.range().filter(|(best, worst)| best != worst) {
            let message = format!("the range is {worst} to {best}, and a trait with a schema has none");
            let value = self.document().get(self.rating, "bestRating");
            self.found("bestRating", value, message);
        }
    }

    fn range(&self) -> Option<(f64, f64)> {
        let number = |key| self.document().get(self.rating, key).and_then(|v| self.checker.keyed.number(v));
        Some((number("bestRating")?, number("worstRating")?))
    }

    fn literal(&mut self) {
        let Some(classes) = self.property("classes").filter(|&value| self.document().is_object(value)) else {
            let value = self.property("classes");
            self.found("classes", value, "a literal trait has no object of `classes`".to_owned());
            return;
        };
        let names: Vec<(TokenId, String)> = self
            .document()
            .members(classes)
            .map(|member| (member.key, self.document().symbol_text(member.symbol).to_owned()))
            .collect();
        if !CLASSES.contains(&names.len()) {
            let (least, most) = (CLASSES.start(), CLASSES.end());
            let message = format!("{} classes, and a literal trait has {least} to {most}", names.len());
            self.found("classes", Some(classes), message);
        }
        let mut seen = BTreeSet::new();
        for (key, name) in &names {
            if name.trim().is_empty() {
                self.found("classes", Some(*key), "the name of a class is blank".to_owned());
            } else if !seen.insert(name.to_lowercase()) {
                let message = format!("two classes are named `{name}`, apart from capitals");
                self.found("classes", Some(*key), message);
            }
        }
        if let Some((best, worst)) = self.range() {
            let last = names.len() as f64 - 1.0;
            if (best, worst) != (last, 0.0) {
                let value = self.document().get(self.rating, "bestRating");
                let message = format!(
                    "the range is {worst} to {best}, and {} classes make it 0 to {last}",
                    names.len()
                );
                self.found("bestRating", value, message);
            }
        }
    }

    fn metric(&mut self) {
        self.one_of("evaluation_mode", &EVALUATION_MODES);
        let mode = self.property("evaluation_mode");
        let is_mode = |text| mode.is_some_and(|mode| self.checker.keyed.is_text(mode, text));
        let full = is_mode("full_matrix");
        // An unknown mode is a result of its own, and says nothing of the metrics.
        let true_positives = mode.is_none() || is_mode("tp_only");
        let allowed: &[&str] = if true_positives { &METRICS } else { &MATRIX_METRICS };
        match self.texts("metrics") {
            Some(metrics) if metrics.is_empty() => {
                self.found("metrics", self.property("metrics"), "`metrics` names none".to_owned());
            }
            Some(metrics) => {
                for metric in metrics.iter().filter(|metric| !allowed.contains(&metric.as_str())) {
                    let message = format!("`{metric}` is no metric here; known are {}", listed(allowed));
                    self.found("metrics", self.property("metrics"), message);
                }
            }
            None => self.found("metrics", self.property("metrics"), "there is no array `metrics`".to_owned()),
        }
        self.instructions("tp_instructions");
        if full {
            self.instructions("tn_instructions");
        }
    }

    fn instructions(&mut self, name: &'static str) {
        if self.texts(name).is_none_or(|texts| texts.is_empty()) {
            let message = format!("`{name}` has no instruction, and the metric needs one");
            self.found(name, self.property(name), message);
        }
    }

    /// An array of strings, or a string that is such an array as JSON.
    fn texts(&self, name: &str) -> Option<Vec<String>> {
        let value = self.property(name)?;
        if let Some(text) = self.document().string(value).filter(|_| self.document().is_string(value)) {
            let inner = parse(name, text.into_owned(), Limits::default()).ok()?;
            return texts_of(&Keyed::new(&inner), inner.root());
        }
        texts_of(self.checker.keyed, value)
    }

    fn agentic(&mut self) {
        self.one_of("context_mode", &CONTEXT_MODES);
        let keyed = self.checker.keyed;
        let mode = self.property("context_mode");
        let without_trace = mode.is_some_and(|mode| keyed.is_text(mode, "workspace_only"));
        let materialize = self.property("materialize_trace");
        if without_trace && materialize.is_some_and(|value| self.document().kind(value) == Kind::True) {
            let message = "`materialize_trace` needs a trace, and `context_mode` is `workspace_only`";
            self.found("materialize_trace", materialize, message.to_owned());
        }
        for name in ["max_turns", "timeout_seconds"] {
            let Some(value) = self.property(name) else { continue };
            if keyed.number(value).is_none_or(|number| number <= 0.0) {
                let message = format!("`{name}` is {}, not a number above 0", self.checker.show(value));
                self.found(name, Some(value), message);
            }
        }
        if self.property("kind").is_some_and(|kind| keyed.is_text(kind, "literal")) {
            self.literal();
        }
    }

    fn dynamic(&mut self) {
        let Some(inner) = self.property("dynamic_trait_type") else {
            let message = "a dynamic trait has no `dynamic_trait_type`";
            self.found("dynamic_trait_type", None, message.to_owned());
            return;
        };
        let inner_kind = self.document().string(inner).unwrap_or_default();
        match inner_kind.as_ref() {
            "llm" => self.judged(),
            "regex" => self.regex(),
            "callable" => self.one_of("kind", &CALLABLE_KINDS),
            "metric" => self.metric(),
            "agentic" => self.agentic(),
            _ => self.one_of("dynamic_trait_type", &DYNAMIC_TYPES),
        }
    }
}

fn texts_of(keyed: &Keyed<'_>, value: TokenId) -> Option<Vec<String>> {
    let document = keyed.document;
    if !document.is_array(value) {
        return None;
    }
    document.items(value).map(|item| document.string(item).map(std::borrow::Cow::into_owned)).collect()
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
