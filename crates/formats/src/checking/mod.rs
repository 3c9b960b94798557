//! Rules that check the files of a format as they are written: tables of rules and of fields, the collector of
//! findings, and the reader of settings. Each system defines its own rules.

mod finding_collector;
mod fixed_rules;
mod profile_name;
mod pydantic;
mod record_rules;
pub mod schema;
pub mod settings_reader;
mod timestamp;

pub use finding_collector::{FindingCollector, shown};
pub(crate) use fixed_rules::FixedRules;
pub use profile_name::ProfileName;
pub use pydantic::{PydanticVersion, spelled_truth};
pub use record_rules::{CheckedFile, RecordRules};

pub use timestamp::IsoTimestamp;

use evalgraph_diagnostics::validation::{ResultSeverity, RuleSummary};

/// A row of a table of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatRule {
    /// Its stable name.
    pub id: &'static str,
    /// The severity of breaking it.
    pub severity: ResultSeverity,
    /// Its requirement in a few words: with "must" if breaking it is a violation, otherwise with "should".
    pub title: &'static str,
}

impl FormatRule {
    /// Returns the report's line about the rule: how often it was checked, and how many findings it has.
    pub fn summary(&self, looked_at: u64, results: u64) -> RuleSummary {
        let (id, title) = (self.id.into(), self.title.into());
        RuleSummary { id, severity: self.severity, title, looked_at, results }
    }
}

/// A rule that data must not break.
pub const fn violation(id: &'static str, title: &'static str) -> FormatRule {
    FormatRule { id, severity: ResultSeverity::Violation, title }
}

/// A rule whose breach is probably a mistake.
pub const fn warning(id: &'static str, title: &'static str) -> FormatRule {
    FormatRule { id, severity: ResultSeverity::Warning, title }
}

/// A rule that reports something worth knowing.
pub const fn info(id: &'static str, title: &'static str) -> FormatRule {
    FormatRule { id, severity: ResultSeverity::Info, title }
}

/// The rule of a program that does not enforce it, although breaking it makes the data meaningless.
pub(crate) const fn lenient(rule: FormatRule, title: &'static str) -> FormatRule {
    warning(rule.id, title)
}

/// Names rules, and a table of all of them in their order.
macro_rules! rules {
    ($(#[$about:meta])* $table:ident: $($name:ident = $rule:expr;)+) => {
        $(pub(super) const $name: FormatRule = $rule;)+
        $(#[$about])*
        pub(super) const $table: &[FormatRule] = &[$($name),+];
    };
}
pub(crate) use rules;
