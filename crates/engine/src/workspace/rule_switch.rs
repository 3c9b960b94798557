//! Rules that a configuration file switches off, or whose results it makes more or less severe.

use std::path::PathBuf;

use evalgraph_diagnostics::validation::ResultSeverity;

/// What becomes of the results of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchedLevel {
    /// They are left out.
    Off,
    /// They have this severity.
    Severity(ResultSeverity),
}

impl SwitchedLevel {
    /// All levels, by their names in a file.
    pub const ALL: [(&'static str, Self); 4] = [
        ("off", Self::Off),
        ("info", Self::Severity(ResultSeverity::Info)),
        ("warning", Self::Severity(ResultSeverity::Warning)),
        ("violation", Self::Severity(ResultSeverity::Violation)),
    ];
}

/// A rule that is switched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSwitch {
    /// The name of the rule.
    pub rule: String,
    /// What becomes of its results.
    pub level: SwitchedLevel,
    /// The folder whose files it is switched for. By default it is switched for all files.
    pub folder: Option<PathBuf>,
}
