//! A result with its file: the facts that are common to all formats.

use std::borrow::Cow;

use super::file_name::ReportFileNames;
use super::fingerprint::{FindingFingerprint, FingerprintFacts};
use super::json_text::ReportScalar;
use super::severity_totals::counted;
use crate::validation::validated_files::{ALL_FILES, ValidatedFile};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::validation::{FocusNode, ResultAdvice, ResultSeverity, RuleResult, RuleSummary};

/// The vocabulary in which results are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportWords {
    /// The names of SHACL (section 3.4).
    Shacl,
    /// The names of a check's findings.
    Findings,
}

/// SHACL's names for the facts, in order.
const OF_SHACL: [&str; 7] = [
    "resultSeverity",
    "sourceShape",
    "sourceConstraintComponent",
    "focusNode",
    "resultPath",
    "value",
    "resultMessage",
];
/// The names of the facts of a finding.
const OF_FINDINGS: [&str; 8] = ["code", "level", "node", "property", "term", "suggest", "page", "message"];
/// The names of the facts of a place.
const OF_PLACES: [&str; 4] = ["file", "line", "column", "pointer"];

impl ReportWords {
    /// The names of the facts of a result, in order.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let names: &[&str] = match self {
            Self::Shacl => &OF_SHACL,
            Self::Findings => &OF_FINDINGS,
        };
        names.iter().chain(&OF_PLACES).copied()
    }

    /// Returns how many results a rule has, and in how many objects or nodes. One object can have several results.
    pub(super) fn found(self, rule: &RuleSummary) -> String {
        let noun = match self {
            Self::Shacl => "object",
            Self::Findings => "node",
        };
        format!("{} in {} checked", counted(rule.results, "result"), counted(rule.looked_at, noun))
    }
}

/// The maximum length in characters of a message, a pointer or a node in reports for people.
pub(super) const LONGEST: usize = 300;

/// A result of a file.
#[derive(Clone, Copy)]
pub(super) struct ReportedFinding<'r> {
    pub(super) result: &'r RuleResult,
    checked: &'r ValidatedFile,
}

impl<'r> ReportedFinding<'r> {
    pub(super) fn new(result: &'r RuleResult, checked: &'r ValidatedFile) -> Self {
        Self { result, checked }
    }

    /// Returns a failure that led to the result, as a finding.
    pub(super) fn detail(self, result: &'r RuleResult) -> Self {
        Self { result, ..self }
    }

    fn place(self) -> Option<&'r SourcePlace> {
        self.result.place.as_deref()
    }

    /// Returns the place, if it has a line.
    pub(super) fn spot(self) -> Option<&'r SourcePlace> {
        self.place().filter(|place| !place.is_whole())
    }

    /// Returns the name of the file that contains the place.
    pub(super) fn file(self) -> &'r str {
        self.place().map_or(&self.checked.name, |place| &place.source)
    }

    /// Returns whether the result is about all files together.
    pub(super) fn is_of_all_files(self) -> bool {
        self.place().is_none() && self.checked.name == ALL_FILES
    }

    /// Returns the JSON Pointer of the place, or else the node or object that was checked.
    pub(super) fn pointer_or_focus(self) -> &'r str {
        let pointer = self.place().and_then(|place| place.pointer.as_deref());
        pointer.unwrap_or(self.result.focus.as_str())
    }

    /// Returns the message for people, with the advice. A long message is cut.
    pub(super) fn message(self) -> Cow<'r, str> {
        self.advised(self.sentence())
    }

    /// Returns the message without the advice. A long message is cut.
    pub(super) fn sentence(self) -> Cow<'r, str> {
        shortened(&self.result.message, LONGEST)
    }

    /// Returns the whole message, with the advice.
    pub(super) fn whole_message(self) -> Cow<'r, str> {
        self.advised(Cow::Borrowed(&self.result.message))
    }

    fn advised(self, message: Cow<'r, str>) -> Cow<'r, str> {
        match self.advice() {
            Some(advice) => Cow::Owned(format!("{message} ({advice})")),
            None => message,
        }
    }

    /// Returns what to write, and where to read about it.
    pub(super) fn advice(self) -> Option<String> {
        let ResultAdvice { suggest, page } = self.result.advice.as_deref()?;
        match (suggest, page) {
            (Some(name), Some(page)) => Some(format!("write `{name}`: {page}")),
            (Some(name), None) => Some(format!("write `{name}`")),
            (None, Some(page)) => Some(format!("see {page}")),
            (None, None) => None,
        }
    }

    /// Returns the pointer or the node in the form for people.
    pub(super) fn at(self) -> Cow<'r, str> {
        shortened(self.pointer_or_focus(), LONGEST)
    }

    /// Returns the component of the constraint. `None` for rules that are not shapes.
    pub(super) fn component(self) -> Option<&'r str> {
        self.result.component.as_deref()
    }

    /// Returns the facts for [these names](ReportWords::names).
    pub(super) fn facts(self, words: ReportWords) -> Vec<ReportScalar<'r>> {
        let facts = match words {
            ReportWords::Shacl => self.facts_of_shacl().to_vec(),
            ReportWords::Findings => self.facts_of_finding().to_vec(),
        };
        [facts, self.facts_of_place().to_vec()].concat()
    }

    fn facts_of_place(self) -> [ReportScalar<'r>; 4] {
        [
            self.file().into(),
            self.spot().map(|place| place.line).into(),
            self.spot().map(|place| place.column).into(),
            self.place().and_then(|place| place.pointer.as_deref()).into(),
        ]
    }

    fn facts_of_shacl(self) -> [ReportScalar<'r>; 7] {
        let result = self.result;
        [
            result.severity.name().into(),
            ReportScalar::Text(&result.rule),
            self.component().into(),
            result.focus.as_str().into(),
            result.path.as_deref().into(),
            result.value.as_deref().into(),
            ReportScalar::Text(&result.message),
        ]
    }

    fn facts_of_finding(self) -> [ReportScalar<'r>; 8] {
        let result = self.result;
        let advice = result.advice.as_deref();
        let level = match result.severity {
            ResultSeverity::Violation => "error",
            ResultSeverity::Warning | ResultSeverity::Info => result.severity.name(),
        };
        let node = match &result.focus {
            FocusNode::Iri(iri) => iri,
            FocusNode::Pointer(_) => "_:",
        };
        [
            ReportScalar::Text(&result.rule),
            level.into(),
            node.into(),
            result.path.as_deref().unwrap_or_default().into(),
            result.value.as_deref().into(),
            advice.and_then(|advice| advice.suggest.as_deref()).into(),
            advice.and_then(|advice| advice.page.as_deref()).into(),
            ReportScalar::Text(&result.message),
        ]
    }

    /// Returns the fingerprint.
    pub(super) fn fingerprint(self, names: &ReportFileNames) -> FindingFingerprint {
        let file = match self.is_of_all_files() {
            // In another run, the files may be in another folder, or may be different files.
            true => Cow::Borrowed(""),
            false => names.normalised(self.file()),
        };
        FindingFingerprint::from_facts(&FingerprintFacts {
            rule: &self.result.rule,
            focus: self.result.focus.as_str(),
            path: self.result.path.as_deref(),
            value: self.result.value.as_deref(),
            file: &file,
        })
    }
}

/// Returns the column after the end of a place, if the place ends in its line and the end is known.
pub(super) fn end_column(place: &SourcePlace) -> Option<u64> {
    let marked = place.excerpt.text.get(place.excerpt.marked.clone())?;
    // If the text was cut, or is not UTF-8, its length differs.
    let is_whole = marked.len() as u64 == place.bytes.end.checked_sub(place.bytes.start)?;
    (is_whole && !marked.is_empty()).then(|| place.column + marked.chars().count() as u64)
}
