//! The report of a validation with any set of rules or shapes: results with their rule, place and value, and
//! how many objects each rule has checked.
//!
//! The words are SHACL's (section 3, Validation and Validation Report), so that shapes and rules of a
//! file format come together in one report.

use super::SourcePlace;
use std::borrow::Cow;
use std::fmt;

/// The severity of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultSeverity {
    /// Worth knowing.
    Info,
    /// Allowed, and likely not meant.
    Warning,
    /// Against the rule: the data do not conform.
    Violation,
}

impl ResultSeverity {
    /// From the worst to the least.
    pub const ALL: [Self; 3] = [Self::Violation, Self::Warning, Self::Info];

    /// Its name.
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

/// The node or object with which a result was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FocusNode {
    /// A node of a graph.
    Iri(String),
    /// An object of a JSON file, as a JSON Pointer.
    Pointer(String),
}

impl FocusNode {
    /// The IRI or the pointer.
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
    /// The constraint component of SHACL; none for a rule that is not a shape.
    pub component: Option<Cow<'static, str>>,
    /// The object that was checked.
    pub focus: FocusNode,
    /// The property or key at fault.
    pub path: Option<Cow<'static, str>>,
    /// The value at fault as it is written, cut if it is long.
    pub value: Option<String>,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// The place of the value, or else of the object.
    pub place: Option<Box<SourcePlace>>,
    /// Another place that belongs to the result, with a label that says why.
    pub related: Option<Box<(SourcePlace, String)>>,
    /// The failures of inner shapes that led to it.
    pub details: CappedDetails,
    /// What to do about it, where that is known.
    pub advice: Option<Box<ResultAdvice>>,
}

/// What to do about a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultAdvice {
    /// The name to write in the place of the value.
    pub suggest: Option<String>,
    /// The page to read about it.
    pub page: Option<String>,
}

/// The failures that led to a result (SHACL, section 3.6.2.6, `sh:detail`).
#[derive(Debug, Clone, Default)]
pub struct CappedDetails {
    /// The first of them.
    pub results: Vec<ResultDetail>,
    /// How many more there are.
    pub left_out: u64,
}

/// A failure that led to a result.
#[derive(Debug, Clone)]
pub struct ResultDetail {
    /// The number of the alternative that fails, from 1, where the failure is about one of several.
    pub alternative: Option<u32>,
    /// The failure.
    pub result: RuleResult,
}

/// A rule, and how many objects it has checked.
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
    /// Every rule, whether it has found something or not.
    pub rules: Vec<RuleSummary>,
    /// The results in the order of the rules, and for each rule in the order of the file.
    pub results: Vec<RuleResult>,
    /// The least severity whose results stand against conformance: with shapes that is the least that they have, with
    /// rules a violation.
    pub against: ResultSeverity,
    /// `true` if results that stand against conformance are left out of the report.
    pub fails_unseen: bool,
    /// How many objects of the kind that the rules concern were checked. Without any, conformance means
    /// nothing.
    pub subjects: u64,
}

impl RuleReport {
    /// Returns whether no result stands against conformance.
    pub fn conforms(&self) -> bool {
        let stands_against = |rule: &RuleSummary| rule.results > 0 && rule.severity >= self.against;
        !self.fails_unseen && !self.rules.iter().any(stands_against)
    }

    /// Tells how many results of a severity there are.
    pub fn count(&self, severity: ResultSeverity) -> u64 {
        self.rules.iter().filter(|rule| rule.severity == severity).map(|rule| rule.results).sum()
    }

    /// The results of a rule.
    pub fn results_of<'r>(&'r self, rule: &'r str) -> impl Iterator<Item = &'r RuleResult> {
        self.results.iter().filter(move |result| result.rule == rule)
    }

    /// The rules that have checked nothing.
    pub fn idle_rules(&self) -> impl Iterator<Item = &RuleSummary> {
        self.rules.iter().filter(|rule| rule.looked_at == 0)
    }
}
