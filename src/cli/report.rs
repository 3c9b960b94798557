//! What a run has to say: shows findings as they come, counts them by code, shows at most twenty
//! of a code, and says at the end how many more there were and what they cost.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use super::render::{thousands, to_json, to_text};
use crate::diagnostic::{Diagnostic, Severity};

/// How many findings of one code a person is shown.
const SHOWN: u64 = 20;

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DiagnosticsFormat {
    /// Text for a person, at most twenty findings of a kind.
    #[default]
    Text,
    /// One JSON object a line, every finding.
    Json,
}

/// Whether warnings end the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Warnings are said and the run goes on.
    #[default]
    Lenient,
    /// A warning is as bad as an error.
    Strict,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    shown: u64,
    total: u64,
    cost: u64,
}

type Kind = (Severity, Cow<'static, str>);

/// The findings of a run.
#[derive(Debug, Default)]
pub struct Report {
    format: DiagnosticsFormat,
    strictness: Strictness,
    counts: BTreeMap<Kind, Count>,
    /// Where this is a part of another report: what it would have shown.
    held_back: Option<Vec<(Kind, String)>>,
}

impl Report {
    /// A report that writes to stderr.
    pub fn new(format: DiagnosticsFormat) -> Self {
        Self { format, ..Self::default() }
    }

    /// Says whether warnings are errors.
    pub fn set_strictness(&mut self, strictness: Strictness) {
        self.strictness = strictness;
    }

    /// An empty report of the same form that shows nothing until it is [absorbed](Self::absorb):
    /// for work on another thread.
    pub fn part(&self) -> Self {
        Self { held_back: Some(Vec::new()), ..Self::new(self.format) }
    }

    /// Takes over what a part has found, in its order.
    pub fn absorb(&mut self, part: Self) {
        for (kind, count) in part.counts {
            let sum = self.counts.entry(kind).or_default();
            sum.total += count.total;
            sum.cost += count.cost;
        }
        for (kind, text) in part.held_back.into_iter().flatten() {
            let count = self.counts.entry(kind.clone()).or_default();
            if self.format == DiagnosticsFormat::Json || count.shown < SHOWN {
                count.shown += 1;
                self.show(kind, text);
            }
        }
    }

    /// Takes a finding, and shows it unless there were many of its code.
    pub fn add(&mut self, diagnostic: &Diagnostic) {
        let Diagnostic { severity, code, cost, .. } = diagnostic;
        if self.count_one(*severity, code.clone(), cost.unwrap_or(0)) {
            self.show_finding(diagnostic);
        }
    }

    /// Takes a finding that is made only if it is shown: a document may lose millions of values.
    pub fn add_with(
        &mut self,
        severity: Severity,
        code: impl Into<Cow<'static, str>>,
        cost: u64,
        diagnostic: impl FnOnce() -> Diagnostic,
    ) {
        if self.count_one(severity, code.into(), cost) {
            self.show_finding(&diagnostic());
        }
    }

    /// Counts a finding, and says whether it is shown.
    fn count_one(&mut self, severity: Severity, code: Cow<'static, str>, cost: u64) -> bool {
        let count = self.counts.entry((severity, code)).or_default();
        count.total += 1;
        count.cost += cost;
        let is_shown = self.format == DiagnosticsFormat::Json || count.shown < SHOWN;
        count.shown += u64::from(is_shown);
        is_shown
    }

    fn show_finding(&mut self, diagnostic: &Diagnostic) {
        let text = match self.format {
            DiagnosticsFormat::Json => format!("{}\n", to_json(diagnostic)),
            DiagnosticsFormat::Text => to_text(diagnostic),
        };
        self.show((diagnostic.severity, diagnostic.code.clone()), text);
    }

    fn show(&mut self, kind: Kind, text: String) {
        match &mut self.held_back {
            Some(held_back) => held_back.push((kind, text)),
            None => say(&text),
        }
    }

    /// Takes several findings.
    pub fn add_all<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        for diagnostic in diagnostics {
            self.add(diagnostic);
        }
    }

    /// How many findings of a severity there were.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts.iter().filter(|((known, _), _)| *known == severity).map(|(_, count)| count.total).sum()
    }

    /// How many triples are missing in all.
    pub fn cost(&self) -> u64 {
        self.counts.values().map(|count| count.cost).sum()
    }

    /// Whether nothing may be written: there was an error, or under `--strict` a warning.
    pub fn has_failed(&self) -> bool {
        self.count(Severity::Error) > 0
            || (self.strictness == Strictness::Strict && self.count(Severity::Warning) > 0)
    }

    /// Says what was not shown, and what all of it cost.
    pub fn finish(&self) {
        match self.format {
            DiagnosticsFormat::Text => say(&self.summary()),
            DiagnosticsFormat::Json if !self.counts.is_empty() => say(&format!("{}\n", self.json_summary())),
            DiagnosticsFormat::Json => {}
        }
    }

    fn summary(&self) -> String {
        let mut summary = String::new();
        for ((severity, code), count) in &self.counts {
            let hidden = count.total - count.shown;
            if hidden > 0 {
                let lost = if count.cost > 0 {
                    format!(", {} lost in all", triples(count.cost))
                } else {
                    String::new()
                };
                summary += &format!("… and {} more `{code}` ({severity}){lost}\n", thousands(hidden));
            }
        }
        if let (warnings @ 1.., Strictness::Strict) = (self.count(Severity::Warning), self.strictness) {
            let plural = if warnings == 1 { "warning is an error" } else { "warnings are errors" };
            summary += &format!("{} {plural} under `--strict`\n", thousands(warnings));
        }
        summary
    }

    fn json_summary(&self) -> serde_json::Value {
        let counts = self.counts.iter().map(|((severity, code), count)| {
            serde_json::json!({
                "severity": severity.to_string(),
                "code": code,
                "count": count.total,
                "cost": count.cost,
            })
        });
        serde_json::json!({ "summary": counts.collect::<Vec<_>>() })
    }
}

fn triples(count: u64) -> String {
    if count == 1 { "1 triple".to_owned() } else { format!("{} triples", thousands(count)) }
}

/// Writes to stderr; without colours where that is no terminal or `NO_COLOR` is set. Nobody can be
/// told that stderr is closed, so its errors are left alone.
fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
