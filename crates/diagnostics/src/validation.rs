//! The report of a validation with any set of rules or shapes: results with their rule, place and value, and the number
//! of objects that each rule has checked.
//!
//! The words are SHACL's (section 3, Validation and Validation Report), because one report may have results of shapes
//! and of a file format's rules.

use super::SourcePlace;
use std::borrow::Cow;
use std::fmt;

/// The severity of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultSeverity {
    /// Worth knowing.
    Info,
    /// Allowed, but probably not meant.
    Warning,
    /// Breaks the rule: the data do not conform.
    Violation,
}

impl ResultSeverity {
    /// From worst to least.
    pub const ALL: [Self; 3] = [Self::Violation, Self::Warning, Self::Info];

    /// The name of the severity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Violation => "violation",
        }
    }
}

impl fmt::Display for ResultSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The node or object that has the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FocusNode {
    /// A node of a graph.
    Iri(String),
    /// An object of a JSON file, as a JSON Pointer.
    Pointer(String),
}

impl FocusNode {
    /// Returns the IRI or the pointer.
    pub fn as_str(&self) -> &str {
        let (Self::Iri(text) | Self::Pointer(text)) = self;
        text
    }
}

/// One result of a rule.
#[derive(Debug, Clone)]
pub struct RuleResult {
    /// The rule, as in [`RuleSummary::id`].
    pub rule: Cow<'static, str>,
    /// How bad it is.
    pub severity: ResultSeverity,
    /// The constraint component of SHACL; `None` for a rule that is not a shape.
    pub component: Option<Cow<'static, str>>,
    /// The object that was checked.
    pub focus: FocusNode,
    /// The property or key at fault.
    pub path: Option<Cow<'static, str>>,
    /// The value at fault as it is written, shortened if it is long.
    pub value: Option<String>,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// The place of the value, or of the object if the value has none.
    pub place: Option<Box<SourcePlace>>,
    /// Another place that belongs to the result, with a label that says why.
    pub related: Option<Box<(SourcePlace, String)>>,
    /// The failures of inner shapes that caused it.
    pub details: CappedDetails,
    /// What to do about it, if that is known.
    pub advice: Option<Box<ResultAdvice>>,
}

/// What to do about a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultAdvice {
    /// The name to write instead of the value.
    pub suggest: Option<String>,
    /// The page to read about it.
    pub page: Option<String>,
}

/// The failures that caused a result (SHACL, section 3.6.2.6, `sh:detail`).
#[derive(Debug, Clone, Default)]
pub struct CappedDetails {
    /// The first failures.
    pub results: Vec<ResultDetail>,
    /// How many more failures there are.
    pub left_out: u64,
}

/// A failure that caused a result.
#[derive(Debug, Clone)]
pub struct ResultDetail {
    /// The number of the alternative that fails, from 1, if the failure is about one of several alternatives.
    pub alternative: Option<u32>,
    /// The failure.
    pub result: RuleResult,
}

/// A rule with the number of objects it has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSummary {
    /// Its stable name.
    pub id: Cow<'static, str>,
    /// How bad its results are.
    pub severity: ResultSeverity,
    /// The requirement in a few words.
    pub title: Cow<'static, str>,
    /// How many objects it has checked.
    pub looked_at: u64,
    /// How many results it has.
    pub results: u64,
}

/// The results of a validation.
#[derive(Debug, Clone)]
pub struct RuleReport {
    /// The name of the set of rules.
    pub profile: Cow<'static, str>,
    /// All rules, also those without results.
    pub rules: Vec<RuleSummary>,
    /// The results, in the order of the rules, then of the file.
    pub results: Vec<RuleResult>,
    /// The least severity whose results prevent conformance. With shapes, that is the least severity they have; with
    /// rules, it is a violation.
    pub against: ResultSeverity,
    /// `true` if results that prevent conformance are left out of the report.
    pub fails_unseen: bool,
    /// How many objects of the rules' kind were checked. If there were none, conformance means nothing.
    pub subjects: u64,
}

impl RuleReport {
    /// Returns whether the data conform: no result prevents it.
    pub fn conforms(&self) -> bool {
        let stands_against = |rule: &RuleSummary| rule.results > 0 && rule.severity >= self.against;
        !self.fails_unseen && !self.rules.iter().any(stands_against)
    }

    /// Returns the number of results with a severity.
    pub fn count(&self, severity: ResultSeverity) -> u64 {
        self.rules.iter().filter(|rule| rule.severity == severity).map(|rule| rule.results).sum()
    }

    /// Returns the results of a rule.
    pub fn results_of<'r>(&'r self, rule: &'r str) -> impl Iterator<Item = &'r RuleResult> {
        self.results.iter().filter(move |result| result.rule == rule)
    }

    /// Returns the rules that have checked nothing.
    pub fn idle_rules(&self) -> impl Iterator<Item = &RuleSummary> {
        self.rules.iter().filter(|rule| rule.looked_at == 0)
    }
}
