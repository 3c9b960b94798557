//! The number of results of a report, by severity.

use evalgraph_diagnostics::thousands;
use evalgraph_diagnostics::validation::{ResultSeverity, RuleReport};

/// How many results of each severity there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeverityTotals {
    violations: u64,
    warnings: u64,
    infos: u64,
}

impl SeverityTotals {
    /// Counts the results of a report.
    pub(super) fn from_report(report: &RuleReport) -> Self {
        Self {
            violations: report.count(ResultSeverity::Violation),
            warnings: report.count(ResultSeverity::Warning),
            infos: report.count(ResultSeverity::Info),
        }
    }

    pub(super) fn get(self, severity: ResultSeverity) -> u64 {
        match severity {
            ResultSeverity::Violation => self.violations,
            ResultSeverity::Warning => self.warnings,
            ResultSeverity::Info => self.infos,
        }
    }

    /// Counts one more result.
    pub(super) fn add(&mut self, severity: ResultSeverity) {
        match severity {
            ResultSeverity::Violation => self.violations += 1,
            ResultSeverity::Warning => self.warnings += 1,
            ResultSeverity::Info => self.infos += 1,
        }
    }

    /// Adds the counts of other results.
    pub fn plus(self, other: Self) -> Self {
        Self {
            violations: self.violations + other.violations,
            warnings: self.warnings + other.warnings,
            infos: self.infos + other.infos,
        }
    }

    /// Returns the number of results of all severities.
    pub(super) fn total(self) -> u64 {
        self.violations + self.warnings + self.infos
    }

    /// Returns the counts from a severity upward: `2 violations, 1 warning, 0 info`.
    pub(super) fn text(self, least: ResultSeverity) -> String {
        let counted = |severity: ResultSeverity| {
            let (count, word) = (self.get(severity), severity.to_string());
            let plural = if count == 1 || severity == ResultSeverity::Info { "" } else { "s" };
            format!("{} {word}{plural}", thousands(count))
        };
        let severities = ResultSeverity::ALL.into_iter().filter(|severity| *severity >= least);
        severities.map(counted).collect::<Vec<_>>().join(", ")
    }
}

/// Returns a number with its noun: `1 result`, `2,000 results`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}
