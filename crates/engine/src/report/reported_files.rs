//! The results of a report, and the facts of the run that decide how they are reported.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::file_name::ReportFileNames;
use super::reported_finding::{ReportWords, ReportedFinding};
use super::severity_totals::{SeverityTotals, counted};
use crate::validation::validated_files::{ALL_FILES, ValidatedFile};
use evalgraph_diagnostics::validation::{ResultSeverity, RuleReport, RuleResult, RuleSummary};
use evalgraph_diagnostics::{Diagnostic, RunStrictness, SourcePlace};

/// How many results of a rule a report for people shows by default.
const SHOWN: usize = 5;

/// Files with their results, for a report.
pub struct ReportedFiles<'c> {
    /// The files with their results.
    pub files: &'c [ValidatedFile],
    /// How files are named.
    pub names: ReportFileNames,
    /// The vocabulary in which each result is reported.
    pub words: ReportWords,
    /// The lowest severity of the results; see [`keep_from`].
    pub least: ResultSeverity,
    /// How many results of a rule a report for people shows.
    pub shown: usize,
    /// `true` if the text report lists how much each rule has checked, and which rules had nothing to check.
    pub lists_checked: bool,
    /// Decides whether warnings count as violations in test reports.
    pub strictness: RunStrictness,
    /// The counts, for each file, of results that were left out because the baseline has them. `None` if there was no
    /// baseline.
    pub known: Option<&'c [SeverityTotals]>,
    /// The faults of inputs that could not be checked.
    pub unchecked: &'c [Diagnostic],
}

/// A rule and its results in a file.
pub(super) type OfRule<'c> = (&'c RuleSummary, Vec<&'c RuleResult>);

impl<'c> ReportedFiles<'c> {
    /// Creates a report of all results.
    pub fn new(files: &'c [ValidatedFile]) -> Self {
        Self {
            files,
            names: ReportFileNames::of_process(),
            words: ReportWords::Shacl,
            least: ResultSeverity::Info,
            shown: SHOWN,
            lists_checked: false,
            strictness: RunStrictness::Lenient,
            known: None,
            unchecked: &[],
        }
    }

    /// The files. The results of rules about several files together form a file of their own.
    pub(super) fn files(&self) -> impl Iterator<Item = FileReport<'c>> {
        let known = self.known;
        self.files.iter().enumerate().map(move |(at, checked)| FileReport {
            checked,
            known: known.map(|known| known.get(at).copied().unwrap_or_default()),
        })
    }

    /// The results of all files.
    pub(super) fn findings(&self) -> impl Iterator<Item = ReportedFinding<'c>> {
        let of_file = |checked: &'c ValidatedFile| {
            checked.report.results.iter().map(move |result| ReportedFinding::new(result, checked))
        };
        self.files.iter().flat_map(of_file)
    }

    /// The rules of all files, without duplicates.
    pub(super) fn rules(&self) -> Vec<&'c RuleSummary> {
        let mut known = HashMap::new();
        let mut rules = Vec::new();
        for rule in self.files.iter().flat_map(|file| &file.report.rules) {
            known.entry(&*rule.id).or_insert_with(|| rules.push(rule));
        }
        rules
    }

    pub(super) fn counts(&self) -> SeverityTotals {
        self.files
            .iter()
            .map(|file| SeverityTotals::from_report(&file.report))
            .fold(SeverityTotals::default(), SeverityTotals::plus)
    }

    /// Returns the counts of the results that were left out because the baseline has them. `None` if there was no
    /// baseline.
    pub(super) fn known(&self) -> Option<SeverityTotals> {
        Some(self.known?.iter().copied().fold(SeverityTotals::default(), SeverityTotals::plus))
    }

    /// Returns the number of files, without the entry for all files together.
    pub(super) fn file_count(&self) -> u64 {
        distinct(self.files.iter())
    }

    /// Returns how many inputs could not be checked, in words. `None` if all could be checked.
    pub(super) fn unchecked_text(&self) -> Option<String> {
        let count = self.unchecked.len() as u64;
        (count > 0).then(|| format!("{} could not be checked", counted(count, "file")))
    }

    /// Returns the number of files with violations.
    pub(super) fn failed_count(&self) -> u64 {
        distinct(self.files.iter().filter(|file| !file.report.conforms()))
    }

    /// Returns whether results with a severity make the run fail.
    pub(super) fn fails(&self, file: FileReport<'_>, severity: ResultSeverity) -> bool {
        severity >= file.checked.report.against
            || severity == ResultSeverity::Warning && self.strictness == RunStrictness::Strict
    }

    /// Returns the normalised name of the file of a result. For a result about several files, the folder that contains
    /// all files.
    pub(super) fn file_of(&self, finding: ReportedFinding<'c>) -> Cow<'c, str> {
        match finding.is_of_all_files() {
            true => Cow::Owned(self.folder()),
            false => self.names.normalised(finding.file()),
        }
    }

    /// Returns the name of the file that a fault is in. For a fault without a file, the folder that contains all files.
    pub(super) fn file_at_fault<'f>(&self, fault: &'f Diagnostic) -> Cow<'f, str> {
        match &fault.place {
            Some(place) => self.names.normalised(&place.source),
            None => Cow::Owned(self.folder()),
        }
    }

    fn folder(&self) -> String {
        let names = self.files.iter().map(|file| &*file.name).filter(|name| *name != ALL_FILES);
        self.names.folder_of(names)
    }
}

/// Counts files, without the entry for all files together. A file may be listed twice, by rules and by shapes.
fn distinct<'c>(files: impl Iterator<Item = &'c ValidatedFile>) -> u64 {
    let names = files.map(|file| &*file.name).filter(|name| *name != ALL_FILES);
    names.collect::<HashSet<&str>>().len() as u64
}

/// Returns where in its file a fault is. `None` for a fault of the whole file.
pub(super) fn spot(fault: &Diagnostic) -> Option<&SourcePlace> {
    fault.place.as_deref().filter(|place| !place.is_whole())
}

/// A file with its results.
#[derive(Clone, Copy)]
pub(super) struct FileReport<'c> {
    pub(super) checked: &'c ValidatedFile,
    /// The counts of the results that were left out because the baseline has them. `None` if there was no baseline.
    pub(super) known: Option<SeverityTotals>,
}

impl<'c> FileReport<'c> {
    /// Returns each rule that has results, with the results.
    pub(super) fn by_rule(self) -> Vec<OfRule<'c>> {
        let report = &self.checked.report;
        let mut places = HashMap::new();
        let mut by_rule: Vec<OfRule<'c>> = Vec::new();
        for rule in report.rules.iter().filter(|rule| rule.results > 0) {
            places.entry(&*rule.id).or_insert_with(|| {
                by_rule.push((rule, Vec::new()));
                by_rule.len() - 1
            });
        }
        for result in &report.results {
            if let Some((_, results)) = places.get(&*result.rule).and_then(|&at| by_rule.get_mut(at)) {
                results.push(result);
            }
        }
        by_rule
    }

    pub(super) fn finding(self, result: &'c RuleResult) -> ReportedFinding<'c> {
        ReportedFinding::new(result, self.checked)
    }

    pub(super) fn counts(self) -> SeverityTotals {
        SeverityTotals::from_report(&self.checked.report)
    }

    /// Returns whether no result prevents conformance, neither a new nor a known one.
    pub(super) fn conforms(self) -> bool {
        let (report, known) = (&self.checked.report, self.known.unwrap_or_default());
        let mut against = ResultSeverity::ALL.into_iter().filter(|severity| *severity >= report.against);
        report.conforms() && against.all(|severity| known.get(severity) == 0)
    }

    /// Returns the verb of the verdict. The name of the rules follows it.
    pub(super) fn verdict(self) -> &'static str {
        match (self.checked.report.conforms(), self.conforms()) {
            (true, true) => "conforms to",
            (true, false) => "has no new violation of",
            (false, _) => "does not conform to",
        }
    }
}

/// Drops the results of lower severity, and their rules.
pub fn keep_from(least: ResultSeverity, report: &mut RuleReport) {
    let is_unseen = |rule: &RuleSummary| rule.results > 0 && rule.severity < least;
    report.fails_unseen |= report.rules.iter().any(|rule| is_unseen(rule) && rule.severity >= report.against);
    report.results.retain(|result| result.severity >= least);
    report.rules.retain(|rule| rule.severity >= least);
}
