//! Collects the findings of rules over a document, and makes a report of them with their places.

use super::FormatRule;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_diagnostics::validation::{CappedDetails, FocusNode, ResultSeverity, RuleReport, RuleResult};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::borrow::Cow;

/// The most characters of a value that a message shows.
const VALUE_SHOWN: usize = 80;
/// The most tokens of an array or object that a message shows.
const TOKENS_SHOWN: usize = 24;

/// A finding of a rule whose place is not known yet.
struct UnplacedFinding {
    rule: &'static str,
    focus: TokenId,
    path: Option<&'static str>,
    value: Option<TokenId>,
    message: String,
    related: Option<(TokenId, &'static str)>,
}

/// Collects the findings of the rules of a profile in a document, or in a part of a file.
pub struct FindingCollector<'d> {
    document: &'d JsonDocument,
    profile: &'static str,
    /// The number of objects checked, of the kind that the rules are about.
    pub subjects: u64,
    rules: Vec<(FormatRule, u64)>,
    found: Vec<UnplacedFinding>,
}

impl<'d> FindingCollector<'d> {
    /// Creates a collector without findings for the rules of a profile.
    pub fn new(
        document: &'d JsonDocument,
        profile: &'static str,
        rules: impl IntoIterator<Item = FormatRule>,
    ) -> Self {
        let rules = rules.into_iter().map(|rule| (rule, 0)).collect();
        Self { document, profile, subjects: 0, rules, found: Vec::new() }
    }

    /// Returns the document under check.
    pub fn document(&self) -> &'d JsonDocument {
        self.document
    }

    /// Counts an object that a rule checks.
    pub fn look(&mut self, rule: &FormatRule) {
        if let Some((_, count)) = self.rules.iter_mut().find(|(known, _)| known.id == rule.id) {
            *count += 1;
        }
    }

    /// Adds a finding at an object: at the value of a key, or at the object itself.
    pub fn found(
        &mut self,
        rule: &FormatRule,
        focus: TokenId,
        path: Option<&'static str>,
        value: Option<TokenId>,
        message: impl Into<String>,
    ) {
        let (rule, message) = (rule.id, message.into());
        self.found.push(UnplacedFinding { rule, focus, path, value, message, related: None });
    }

    /// Adds a finding at the value of a key, or at its object where the key is missing.
    pub fn found_at(
        &mut self,
        rule: &FormatRule,
        object: TokenId,
        key: &'static str,
        message: impl Into<String>,
    ) {
        self.found(rule, object, Some(key), self.document.get(object, key), message);
    }

    /// Adds the finding that a key is missing, or that its value differs from what the rule requires: `not a number`.
    pub fn found_other(&mut self, rule: &FormatRule, object: TokenId, key: &'static str, why: &str) {
        let message = match self.document.get(object, key) {
            Some(value) => format!("`{key}` is {}, {why}", self.show(value)),
            None => format!("`{key}` is missing"),
        };
        self.found_at(rule, object, key, message);
    }

    /// Adds a second place to the last finding.
    pub fn relate(&mut self, token: TokenId, label: &'static str) {
        if let Some(found) = self.found.last_mut() {
            found.related = Some((token, label));
        }
    }

    /// The value of a key, if the key is present and not null.
    pub fn present(&self, object: TokenId, key: &str) -> Option<TokenId> {
        let value = self.document.get(object, key)?;
        (self.document.kind(value) != JsonKind::Null).then_some(value)
    }

    /// The value of a key, if it is a string.
    pub fn text(&self, object: TokenId, key: &str) -> Option<Cow<'d, str>> {
        self.document.string(self.document.get(object, key)?)
    }

    /// Returns a value as it is written, in backticks; a long value is abbreviated.
    pub fn show(&self, value: TokenId) -> String {
        format!("`{}`", shown(self.document, value))
    }

    /// Finds the places, and returns the report.
    pub fn finish(self) -> RuleReport {
        let source = self.document.source_text();
        let mut found = self.found;
        found.sort_by_key(|found| found.value.unwrap_or(found.focus));
        let mut results = Vec::with_capacity(found.len());
        for found in found {
            let severity =
                self.rules.iter().find(|(rule, _)| rule.id == found.rule).map(|(rule, _)| rule.severity);
            let token = found.value.unwrap_or(found.focus);
            let place = self.document.place_in(&source, token);
            let related = found
                .related
                .map(|(token, label)| Box::new((self.document.place_in(&source, token), label.to_owned())));
            results.push(RuleResult {
                rule: Cow::Borrowed(found.rule),
                severity: severity.expect("a rule that finds something is in the table of its profile"),
                component: None,
                focus: FocusNode::Pointer(self.document.pointer(found.focus)),
                path: found.path.map(Cow::Borrowed),
                value: found.value.map(|value| shown(self.document, value)),
                message: found.message,
                place: Some(Box::new(place)),
                related,
                details: CappedDetails::default(),
                advice: None,
            });
        }
        let order = |id: &str| self.rules.iter().position(|(rule, _)| rule.id == id);
        results.sort_by_key(|result| order(&result.rule));
        let count = |id: &str| results.iter().filter(|result| result.rule == id).count() as u64;
        let rules = self.rules.iter().map(|(rule, looked_at)| rule.summary(*looked_at, count(rule.id)));
        RuleReport {
            profile: Cow::Borrowed(self.profile),
            rules: rules.collect(),
            against: ResultSeverity::Violation,
            fails_unseen: false,
            subjects: self.subjects,
            results,
        }
    }
}

/// Returns a value as it is written; a long value is abbreviated.
pub fn shown(document: &JsonDocument, value: TokenId) -> String {
    if document.after(value).index() - value.index() > TOKENS_SHOWN {
        return if document.is_object(value) { "{…}" } else { "[…]" }.to_owned();
    }
    let raw = document.raw(value);
    let one_line: String = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    let raw = if document.is_string(value) { raw } else { &one_line };
    cut(raw, VALUE_SHOWN).into_owned()
}
