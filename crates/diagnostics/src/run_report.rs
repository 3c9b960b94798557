//! The report of a run. It counts findings by kind, passes on the first few of each kind, and ends the run early on a
//! failure.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{Diagnostic, FindingSeverity, codes};

/// How a run treats warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunStrictness {
    /// Warnings are reported and the run goes on.
    #[default]
    Lenient,
    /// A warning is as bad as an error.
    Strict,
}

/// How many findings of each kind are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingQuota {
    /// Every one.
    All,
    /// The first few.
    First {
        /// Findings that lose something.
        harmful: u64,
        /// Findings that lose nothing. They must not drown out the others.
        harmless: u64,
    },
}

/// The counts of a kind of finding.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct FindingKindTally {
    /// How many were shown.
    pub shown: u64,
    /// How many there were.
    pub total: u64,
    /// How many triples are missing because of them.
    pub cost: u64,
}

/// A kind of finding. Findings are counted by kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingKind {
    /// The severity of the findings.
    pub severity: FindingSeverity,
    /// Their code.
    pub code: Cow<'static, str>,
    /// `true` if nothing is lost: a note, or a warning that is known to cost nothing.
    pub is_harmless: bool,
}

impl FindingKind {
    fn new(severity: FindingSeverity, code: Cow<'static, str>, cost: Option<u64>) -> Self {
        let is_harmless = match severity {
            FindingSeverity::Note => true,
            FindingSeverity::Warning => cost == Some(0),
            FindingSeverity::Error => false,
        };
        Self { severity, code, is_harmless }
    }
}

type FindingSink = Arc<dyn Fn(&Diagnostic) + Send + Sync>;

/// The findings of a run.
///
/// A report keeps the findings that it shows, or passes them on at once ([`RunReport::passing_on`]).
#[derive(Clone)]
pub struct RunReport {
    shown: FindingQuota,
    strictness: RunStrictness,
    counts: BTreeMap<FindingKind, FindingKindTally>,
    /// `true` if the user asked for a list of all losses and defaults of a conversion.
    lists_losses: bool,
    kept: Vec<(FindingKind, Diagnostic)>,
    /// The errors. Of consecutive errors about one source, only the first is kept.
    errors: Vec<Diagnostic>,
    sink: Option<FindingSink>,
}

impl fmt::Debug for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl Default for RunReport {
    fn default() -> Self {
        Self::new(FindingQuota::All)
    }
}

impl RunReport {
    /// Makes an empty report that keeps the findings that it shows.
    pub fn new(shown: FindingQuota) -> Self {
        Self {
            shown,
            strictness: RunStrictness::default(),
            counts: BTreeMap::new(),
            lists_losses: false,
            kept: Vec::new(),
            errors: Vec::new(),
            sink: None,
        }
    }

    /// Makes an empty report that passes each shown finding on at once.
    pub fn passing_on(shown: FindingQuota, sink: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        Self { sink: Some(Arc::new(sink)), ..Self::new(shown) }
    }

    /// Sets whether warnings are errors.
    pub fn set_strictness(&mut self, strictness: RunStrictness) {
        self.strictness = strictness;
    }

    /// Returns whether warnings are errors.
    pub fn strictness(&self) -> RunStrictness {
        self.strictness
    }

    /// Makes an empty report for work on another thread. It keeps the findings that this report would show, until it is
    /// [absorbed](Self::absorb).
    #[must_use]
    pub fn part(&self) -> Self {
        Self::new(self.shown)
    }

    /// Takes over the findings of a part, in order.
    pub fn absorb(&mut self, part: Self) {
        self.errors.extend(part.errors);
        for (kind, count) in part.counts {
            let sum = self.counts.entry(kind).or_default();
            sum.total += count.total;
            sum.cost += count.cost;
        }
        for (kind, finding) in part.kept {
            let is_shown = self.is_shown(&kind);
            let count = self.counts.entry(kind.clone()).or_default();
            if is_shown(count.shown) {
                count.shown += 1;
                self.show(kind, finding);
            }
        }
    }

    /// Drops the findings with some codes, because they are reported in another way.
    pub fn drop_codes(&mut self, codes: &[&str]) {
        self.counts.retain(|kind, _| !codes.contains(&&*kind.code));
        self.kept.retain(|(kind, _)| !codes.contains(&&*kind.code));
    }

    /// The kept findings, in order of arrival.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter().map(|(_, finding)| finding)
    }

    /// The errors so far. Of consecutive errors about one source, only the first is kept.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    fn note_error(&mut self, finding: &Diagnostic) {
        let source = |finding: &Diagnostic| finding.place.as_ref().map(|place| Arc::clone(&place.source));
        let is_known = |last: &Diagnostic| source(last).is_some() && source(last) == source(finding);
        if finding.severity == FindingSeverity::Error && !self.errors.last().is_some_and(is_known) {
            self.errors.push(finding.clone());
        }
    }

    /// Returns whether every finding is shown, however many of a kind there are.
    pub fn shows_all(&self) -> bool {
        self.shown == FindingQuota::All
    }

    /// Shows every finding, for a command whose findings are its answer.
    pub fn show_all(&mut self) {
        self.shown = FindingQuota::All;
    }

    /// Shows all losses and defaults of a conversion, for a user who asked for a list.
    pub fn show_losses_in_full(&mut self) {
        self.lists_losses = true;
    }

    /// Returns whether all losses and defaults of a conversion are shown.
    pub fn shows_losses_in_full(&self) -> bool {
        self.lists_losses
    }

    /// Adds a finding, and shows it unless many of its kind were shown before.
    pub fn add(&mut self, diagnostic: &Diagnostic) {
        self.note_error(diagnostic);
        let Diagnostic { severity, code, cost, .. } = diagnostic;
        if self.lists_losses && codes::LOSSES.contains(&&**code) {
            return self.add_in_full(diagnostic);
        }
        self.add_with(*severity, code.clone(), *cost, || diagnostic.clone());
    }

    /// Returns the value of a result, or adds its fault to the report.
    ///
    /// # Errors
    ///
    /// If the result is a fault.
    pub fn ok_or_report<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> ReportedResult<T> {
        result.map_err(|fault| self.reported([&*fault]))
    }

    /// Adds the faults that end a step or the run.
    pub fn reported<'d>(&mut self, faults: impl IntoIterator<Item = &'d Diagnostic>) -> AlreadyReported {
        self.add_all(faults);
        AlreadyReported
    }

    /// Fails if the report has failed, unless that is `excused`: the report had failed before, or the remaining work is
    /// wanted anyway.
    pub fn check(&self, excused: bool) -> Result<(), RunFailure> {
        if self.has_failed() && !excused { Err(RunFailure::Reported) } else { Ok(()) }
    }

    /// Adds a finding and shows it even after many of its kind, for a user who asked for a list.
    pub fn add_in_full(&mut self, diagnostic: &Diagnostic) {
        let Diagnostic { severity, code, cost, .. } = diagnostic;
        let kind = FindingKind::new(*severity, code.clone(), *cost);
        let count = self.counts.entry(kind.clone()).or_default();
        count.total += 1;
        count.shown += 1;
        count.cost += cost.unwrap_or(0);
        self.show(kind, diagnostic.clone());
    }

    /// Adds a finding that is made only if it is shown, because a document may lose millions of values.
    pub fn add_with(
        &mut self,
        severity: FindingSeverity,
        code: impl Into<Cow<'static, str>>,
        cost: Option<u64>,
        diagnostic: impl FnOnce() -> Diagnostic,
    ) {
        let kind = FindingKind::new(severity, code.into(), cost);
        let is_shown = self.is_shown(&kind);
        let count = self.counts.entry(kind.clone()).or_default();
        count.total += 1;
        count.cost += cost.unwrap_or(0);
        if is_shown(count.shown) {
            count.shown += 1;
            self.show(kind, diagnostic());
        }
    }

    /// Adds several findings.
    pub fn add_all<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        for diagnostic in diagnostics {
            self.add(diagnostic);
        }
    }

    /// Returns a function that decides whether a finding of a kind is shown, given how many were shown before.
    fn is_shown(&self, kind: &FindingKind) -> impl Fn(u64) -> bool + use<> {
        let most = match self.shown {
            FindingQuota::All => None,
            FindingQuota::First { harmless, .. } if kind.is_harmless => Some(harmless),
            FindingQuota::First { harmful, .. } => Some(harmful),
        };
        move |shown| most.is_none_or(|most| shown < most)
    }

    fn show(&mut self, kind: FindingKind, finding: Diagnostic) {
        match &self.sink {
            Some(sink) => sink(&finding),
            None => self.kept.push((kind, finding)),
        }
    }

    /// Returns the counts of each kind.
    pub fn counts(&self) -> impl Iterator<Item = (&FindingKind, FindingKindTally)> {
        self.counts.iter().map(|(kind, count)| (kind, *count))
    }

    /// Returns the number of findings with a severity.
    pub fn count(&self, severity: FindingSeverity) -> u64 {
        self.counts.iter().filter(|(kind, _)| kind.severity == severity).map(|(_, count)| count.total).sum()
    }

    /// Returns how many triples are missing in total.
    pub fn cost(&self) -> u64 {
        self.counts.values().map(|count| count.cost).sum()
    }

    /// Returns whether writing output is forbidden: there was an error, or a warning under [`RunStrictness::Strict`].
    pub fn has_failed(&self) -> bool {
        self.count(FindingSeverity::Error) > 0
            || (self.strictness == RunStrictness::Strict && self.count(FindingSeverity::Warning) > 0)
    }
}

/// A step failed, and its fault is already in the [report](RunReport). The run goes on with the next document, or ends
/// with [`RunFailure::Reported`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlreadyReported;

/// The result of a step that reports its fault itself.
pub type ReportedResult<T> = Result<T, AlreadyReported>;

/// The reason why a run ends early.
#[derive(Debug)]
pub enum RunFailure {
    /// The reasons are in the [report](RunReport).
    Reported,
    /// One of several inputs is at fault, which is in the report. The run could go on without that input.
    AtInput,
    /// One reason, which is not in the report yet.
    Fault(Box<Diagnostic>),
}

impl From<Diagnostic> for RunFailure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Fault(Box::new(diagnostic))
    }
}

impl From<Box<Diagnostic>> for RunFailure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Fault(diagnostic)
    }
}

impl From<AlreadyReported> for RunFailure {
    fn from(_: AlreadyReported) -> Self {
        Self::Reported
    }
}
