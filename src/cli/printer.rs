//! Prints the findings of a run as they come. At the end, prints how many more there were and how they affect the exit
//! status.

use std::collections::BTreeMap;
use std::io::Write;

use super::render::{to_json, to_text, triples};
use evalgraph_diagnostics::{
    FindingKind, FindingKindTally, FindingQuota, FindingSeverity, RunReport, RunStrictness, thousands,
    without_passwords,
};
use evalgraph_formats::secrets::without_keys_in_urls;

/// How many findings with one code are shown to people.
const SHOWN: u64 = 20;
/// How many findings with one code are shown if nothing is lost. More would hide the result.
const SHOWN_HARMLESS: u64 = 3;

/// The form in which findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DiagnosticsFormat {
    /// Text for people, with a few findings of each kind.
    #[default]
    Text,
    /// Every finding as one JSON object per line.
    Json,
}

/// How many findings are shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum FindingAmount {
    /// Only errors.
    Errors,
    /// The first few of each kind.
    #[default]
    First,
    /// All.
    All,
}

/// Writes findings to stderr.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FindingPrinter {
    pub(super) format: DiagnosticsFormat,
    pub(super) amount: FindingAmount,
}

impl FindingPrinter {
    /// The printer that is used before the command line is parsed.
    pub(super) const USUAL: Self = Self { format: DiagnosticsFormat::Text, amount: FindingAmount::First };

    /// A report that writes to stderr.
    pub(super) fn report(self) -> RunReport {
        let shown = match (self.format, self.amount) {
            (DiagnosticsFormat::Json, _) | (_, FindingAmount::All) => FindingQuota::All,
            (DiagnosticsFormat::Text, FindingAmount::First | FindingAmount::Errors) => {
                FindingQuota::First { harmful: SHOWN, harmless: SHOWN_HARMLESS }
            }
        };
        RunReport::passing_on(shown, move |finding| match self.format {
            _ if self.is_silent(finding.severity) => {}
            DiagnosticsFormat::Json => say(&format!("{}\n", to_json(finding))),
            DiagnosticsFormat::Text => say(&to_text(finding)),
        })
    }

    /// Prints how many findings were not shown, and how they affect the exit status.
    pub(super) fn finish(self, report: &RunReport) {
        match self.format {
            DiagnosticsFormat::Text => say(&self.summary(report)),
            DiagnosticsFormat::Json
                if self.amount != FindingAmount::Errors && report.counts().next().is_some() =>
            {
                say(&format!("{}\n", json_summary(report)));
            }
            DiagnosticsFormat::Json => {}
        }
    }

    fn is_silent(self, severity: FindingSeverity) -> bool {
        self.amount == FindingAmount::Errors && severity != FindingSeverity::Error
    }

    fn summary(self, report: &RunReport) -> String {
        let hidden = report.counts().filter(|(_, count)| count.total > count.shown);
        let told = hidden.filter(|(kind, _)| !self.is_silent(kind.severity));
        let mut summary: String = told.map(|(kind, count)| rest(kind, count)).collect();
        if let (warnings @ 1.., RunStrictness::Strict) =
            (report.count(FindingSeverity::Warning), report.strictness())
        {
            let plural = if warnings == 1 { "warning is an error" } else { "warnings are errors" };
            summary += &format!("{} {plural} under `--strict`\n", thousands(warnings));
        }
        summary
    }
}

/// The line about findings of a kind that were not shown.
fn rest(kind: &FindingKind, count: FindingKindTally) -> String {
    let FindingKind { severity, code, is_harmless } = kind;
    let hidden = thousands(count.total - count.shown);
    if *is_harmless {
        return format!("{severity}[{code}]: and {hidden} more\n");
    }
    let lost = if count.cost > 0 { format!(", {} lost in all", triples(count.cost)) } else { String::new() };
    format!("… and {hidden} more `{code}` ({severity}){lost}\n")
}

fn json_summary(report: &RunReport) -> serde_json::Value {
    // Programs get one sum for each code, regardless of whether something is lost.
    let mut sums: BTreeMap<(FindingSeverity, &str), FindingKindTally> = BTreeMap::new();
    for (kind, count) in report.counts() {
        let sum = sums.entry((kind.severity, &kind.code)).or_default();
        sum.total += count.total;
        sum.cost += count.cost;
    }
    let counts = sums.into_iter().map(|((severity, code), count)| {
        serde_json::json!({
            "severity": severity.to_string(),
            "code": code,
            "count": count.total,
            "cost": count.cost,
        })
    });
    serde_json::json!({ "summary": counts.collect::<Vec<_>>() })
}

/// Prints to stderr. There are no colours if stderr is not a terminal or `NO_COLOR` is set, and passwords and keys in
/// URLs are masked. Errors of stderr are ignored, since they cannot be reported.
pub(super) fn say(text: &str) {
    let text = without_passwords(text);
    let _ = anstream::stderr().lock().write_all(without_keys_in_urls(&text).as_bytes());
}
