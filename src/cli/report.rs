//! What a run has to say: shows findings as they come, counts them by code, shows a few of a code,
//! and says at the end how many more there were and what they cost.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use super::render::{to_json, to_text};
use crate::diagnostic::{Diagnostic, Severity, codes, thousands, without_passwords};
use crate::source::secrets::without_keys_in_urls;

/// How many findings of one code a person is shown.
const SHOWN: u64 = 20;
/// How many of one code where nothing is lost: those must not drown the result.
const SHOWN_HARMLESS: u64 = 3;

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DiagnosticsFormat {
    /// Text for a person, a few findings of a kind.
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

/// What findings are counted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    severity: Severity,
    code: Cow<'static, str>,
    /// Whether nothing is lost: a note, or a warning that is known to cost nothing.
    is_harmless: bool,
}

impl Kind {
    fn new(severity: Severity, code: Cow<'static, str>, cost: Option<u64>) -> Self {
        let is_harmless = match severity {
            Severity::Note => true,
            Severity::Warning => cost == Some(0),
            Severity::Error => false,
        };
        Self { severity, code, is_harmless }
    }

    /// How many of the kind are shown.
    fn most_shown(&self, format: DiagnosticsFormat) -> u64 {
        match format {
            DiagnosticsFormat::Json => u64::MAX,
            DiagnosticsFormat::Text if self.is_harmless => SHOWN_HARMLESS,
            DiagnosticsFormat::Text => SHOWN,
        }
    }

    /// The line on those that were not shown.
    fn rest(&self, count: Count) -> String {
        let Self { severity, code, is_harmless } = self;
        let hidden = thousands(count.total - count.shown);
        if *is_harmless {
            return format!("{severity}[{code}]: and {hidden} more\n");
        }
        let lost =
            if count.cost > 0 { format!(", {} lost in all", triples(count.cost)) } else { String::new() };
        format!("… and {hidden} more `{code}` ({severity}){lost}\n")
    }
}

/// The findings of a run.
#[derive(Debug, Default)]
pub struct Report {
    format: DiagnosticsFormat,
    strictness: Strictness,
    counts: BTreeMap<Kind, Count>,
    /// Whether somebody asked for all that a conversion lost and filled in.
    lists_losses: bool,
    /// Where this is a part of another report: what it would have shown.
    held_back: Option<Vec<(Kind, String)>>,
}

impl Report {
    /// A report that writes to stderr.
    pub fn new(format: DiagnosticsFormat) -> Self {
        Self { format, ..Self::default() }
    }

    /// An empty report that writes in the same form.
    pub fn of_same_form(&self) -> Self {
        Self::new(self.format)
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
            if count.shown < kind.most_shown(self.format) {
                count.shown += 1;
                self.show(kind, text);
            }
        }
    }

    /// What a part would show.
    #[cfg(test)]
    pub(super) fn held_back(&self) -> impl Iterator<Item = &str> {
        self.held_back.iter().flatten().map(|(_, text)| text.as_str())
    }

    /// Whether every finding is shown, however many there are of a kind.
    pub fn shows_all(&self) -> bool {
        self.format == DiagnosticsFormat::Json
    }

    /// Shows all that a conversion loses and fills in: somebody asked for a list.
    pub fn show_losses_in_full(&mut self) {
        self.lists_losses = true;
    }

    /// Takes a finding, and shows it unless there were many of its kind.
    pub fn add(&mut self, diagnostic: &Diagnostic) {
        let Diagnostic { severity, code, cost, .. } = diagnostic;
        if self.lists_losses && matches!(&**code, codes::CONVERT_LOSS | codes::CONVERT_DEFAULT) {
            return self.add_in_full(diagnostic);
        }
        if let Some(kind) = self.count_one(*severity, code.clone(), *cost) {
            self.show_finding(kind, diagnostic);
        }
    }

    /// Takes a finding that is shown however many of its kind there were: somebody asked for a list.
    pub fn add_in_full(&mut self, diagnostic: &Diagnostic) {
        let Diagnostic { severity, code, cost, .. } = diagnostic;
        let kind = Kind::new(*severity, code.clone(), *cost);
        let count = self.counts.entry(kind.clone()).or_default();
        count.total += 1;
        count.shown += 1;
        count.cost += cost.unwrap_or(0);
        self.show_finding(kind, diagnostic);
    }

    /// Takes a finding that is made only if it is shown: a document may lose millions of values.
    pub fn add_with(
        &mut self,
        severity: Severity,
        code: impl Into<Cow<'static, str>>,
        cost: Option<u64>,
        diagnostic: impl FnOnce() -> Diagnostic,
    ) {
        if let Some(kind) = self.count_one(severity, code.into(), cost) {
            self.show_finding(kind, &diagnostic());
        }
    }

    /// Counts a finding, and gives its kind where it is shown.
    fn count_one(&mut self, severity: Severity, code: Cow<'static, str>, cost: Option<u64>) -> Option<Kind> {
        let kind = Kind::new(severity, code, cost);
        let most_shown = kind.most_shown(self.format);
        let count = self.counts.entry(kind.clone()).or_default();
        count.total += 1;
        count.cost += cost.unwrap_or(0);
        let is_shown = count.shown < most_shown;
        count.shown += u64::from(is_shown);
        is_shown.then_some(kind)
    }

    fn show_finding(&mut self, kind: Kind, diagnostic: &Diagnostic) {
        let text = match self.format {
            DiagnosticsFormat::Json => format!("{}\n", to_json(diagnostic)),
            DiagnosticsFormat::Text => to_text(diagnostic),
        };
        self.show(kind, text);
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
        self.counts.iter().filter(|(kind, _)| kind.severity == severity).map(|(_, count)| count.total).sum()
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
        let hidden = self.counts.iter().filter(|(_, count)| count.total > count.shown);
        let mut summary: String = hidden.map(|(kind, count)| kind.rest(*count)).collect();
        if let (warnings @ 1.., Strictness::Strict) = (self.count(Severity::Warning), self.strictness) {
            let plural = if warnings == 1 { "warning is an error" } else { "warnings are errors" };
            summary += &format!("{} {plural} under `--strict`\n", thousands(warnings));
        }
        summary
    }

    fn json_summary(&self) -> serde_json::Value {
        // Programs count by code, whether something is lost or not.
        let mut sums: BTreeMap<(Severity, &str), Count> = BTreeMap::new();
        for (kind, count) in &self.counts {
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
}

fn triples(count: u64) -> String {
    if count == 1 { "1 triple".to_owned() } else { format!("{} triples", thousands(count)) }
}

/// Writes to stderr; without colours where that is no terminal or `NO_COLOR` is set, and without the passwords and keys
/// of URLs. Nobody can be told that stderr is closed, so its errors are left alone.
pub(super) fn say(text: &str) {
    let text = without_passwords(text);
    let _ = anstream::stderr().lock().write_all(without_keys_in_urls(&text).as_bytes());
}
