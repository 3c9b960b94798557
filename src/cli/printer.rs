//! Prints the findings of a run: with `--verbose` and for programs as they come, otherwise after the answer and in a few
//! lines. At the end, prints how many more there were and how they affect the exit status.

use std::collections::BTreeMap;
use std::io::Write;

use super::render::{to_json, to_line, to_short_text, to_text};
use evalgraph_diagnostics::{
    Diagnostic, FindingKindTally, FindingQuota, FindingSeverity, RunReport, RunStrictness, codes, thousands,
    without_passwords,
};
use evalgraph_formats::secrets::without_keys_in_urls;
use evalgraph_jsonld::WarningCode;

/// How many findings with one code are kept for people, unless they ask for all.
const KEPT: u64 = 20;
/// How many warnings or notes with one code have a line each. More share one line.
const FEW: u64 = 2;
/// How many lines the findings of a run have, unless people ask for all. More would hide the answer.
const LINES: usize = 5;

/// What helps if one of several inputs is at fault.
const GO_ON: &str = "`--keep-going` leaves out the files that are at fault";
/// The same as a line.
const GO_ON_LINE: &str = "`--keep-going` leaves out the files that are at fault\n";

/// The form in which findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DiagnosticsFormat {
    /// Text for people, in a few lines.
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
    /// A few lines.
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

    /// A report whose findings are written to stderr: at once, or by [`Self::finish`].
    pub(super) fn report(self) -> RunReport {
        match (self.format, self.amount) {
            (DiagnosticsFormat::Json, _) => RunReport::passing_on(FindingQuota::All, move |finding| {
                if !self.is_silent(finding.severity) {
                    say(&format!("{}\n", to_json(finding)));
                }
            }),
            (DiagnosticsFormat::Text, FindingAmount::All) => {
                RunReport::passing_on(FindingQuota::All, |finding| say(&to_text(finding)))
            }
            (DiagnosticsFormat::Text, FindingAmount::First | FindingAmount::Errors) => {
                RunReport::new(FindingQuota::First { harmful: KEPT, harmless: KEPT })
            }
        }
    }

    /// Prints the findings that were not printed at once, and how they affect the exit status. `may_go_on` says whether
    /// the run could go on without the inputs that are at fault.
    pub(super) fn finish(self, report: &RunReport, may_go_on: bool) {
        match self.format {
            DiagnosticsFormat::Text => {
                if self.amount == FindingAmount::All {
                    say(if may_go_on { GO_ON_LINE } else { "" });
                } else {
                    say(&self.summary(report, may_go_on));
                }
                say(&strictness(report));
            }
            DiagnosticsFormat::Json
                if self.amount != FindingAmount::Errors && report.counts().next().is_some() =>
            {
                say(&format!("{}\n", json_summary(report)));
            }
            DiagnosticsFormat::Json => {}
        }
    }

    /// Prints what was found so far, before a long wait. These findings are not printed again.
    pub(super) fn print_now(self, report: &mut RunReport) {
        if self.format == DiagnosticsFormat::Text && self.amount != FindingAmount::All {
            say(&self.summary(report, false));
            *report = report.part();
        }
    }

    /// Returns whether only errors are printed.
    pub(super) fn is_quiet(self) -> bool {
        self.amount == FindingAmount::Errors
    }

    fn is_silent(self, severity: FindingSeverity) -> bool {
        self.is_quiet() && severity != FindingSeverity::Error
    }

    /// The findings in a few lines: warnings and notes first, and errors last. A warning alone has the line of its file.
    fn summary(self, report: &RunReport, may_go_on: bool) -> String {
        if report.shows_all() {
            let shown = report.findings().filter(|finding| !self.is_silent(finding.severity));
            return shown.map(to_text).collect();
        }
        let is_listed =
            |finding: &&Diagnostic| report.shows_losses_in_full() && codes::LOSSES.contains(&&*finding.code);
        let listed: String = report.findings().filter(is_listed).map(to_text).collect();
        let is_strict = report.strictness() == RunStrictness::Strict;
        let is_shown =
            |kind: &CodeSummary<'_>| !is_listed(&kind.first) && (is_strict || !kind.is_a_matter_of_course);
        let kinds = CodeSummary::from_report(report).into_iter();
        let kinds: Vec<_> =
            kinds.filter(|kind| !self.is_silent(kind.first.severity)).filter(is_shown).collect();
        let errors = error_text(report, LINES - usize::from(!kinds.is_empty()), may_go_on);
        let room = LINES.saturating_sub(errors.lines().count()).max(1);
        let mut text = listed;
        if let ([kind], "") = (kinds.as_slice(), errors.as_str())
            && kind.tally.total == 1
            && kind.first.severity == FindingSeverity::Warning
        {
            return text + &to_short_text(kind.first, None, LINES);
        }
        let lines: Vec<String> = kinds.iter().flat_map(|kind| kind.lines(report)).collect();
        if lines.len() <= room {
            return text + &lines.concat() + &errors;
        }
        let shown = if kinds.len() > room { room - 1 } else { kinds.len() };
        text.extend(kinds[..shown].iter().map(CodeSummary::line));
        if let rest @ 1.. = kinds[shown..].iter().map(|kind| kind.tally.total).sum::<u64>() {
            let more = if shown > 0 { "more " } else { "" };
            text +=
                &format!("{} {more}{}: `-v` lists them\n", thousands(rest), plural(&kinds[shown..], rest));
        }
        text + &errors
    }
}

/// What a number of warnings and notes are called.
fn plural(kinds: &[CodeSummary<'_>], count: u64) -> &'static str {
    let has = |severity| kinds.iter().any(|kind| kind.first.severity == severity);
    match (has(FindingSeverity::Warning), has(FindingSeverity::Note), count) {
        (true, true, _) => "warnings and notes",
        (true, false, 1) => "warning",
        (true, false, _) => "warnings",
        (false, _, 1) => "note",
        (false, _, _) => "notes",
    }
}

/// The warnings or notes with one code.
struct CodeSummary<'r> {
    first: &'r Diagnostic,
    tally: FindingKindTally,
    /// `true` if the programs of the systems write such files as a matter of course, and nothing is lost.
    is_a_matter_of_course: bool,
}

/// Returns whether the programs of the systems write files with such a finding as a matter of course. Ids that are MD5
/// sums, which the message quotes first, are relative IRIs.
fn is_usual(finding: &Diagnostic) -> bool {
    let is_md5 = |word: &str| word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    codes::MATTERS_OF_COURSE.contains(&&*finding.code)
        || finding.code == WarningCode::RelativeIri.as_str()
            && finding.message.split('`').nth(1).is_some_and(is_md5)
}

impl<'r> CodeSummary<'r> {
    /// The codes of the warnings and notes of a report, in the order in which they were first found.
    fn from_report(report: &'r RunReport) -> Vec<Self> {
        let mut kinds: Vec<Self> = Vec::new();
        for first in report.findings().filter(|finding| finding.severity != FindingSeverity::Error) {
            if kinds.iter().any(|kind| kind.has(first)) {
                continue;
            }
            let usual = report.findings().filter(|finding| finding.code == first.code).all(is_usual);
            let counts = report.counts();
            let counts =
                counts.filter(|(kind, _)| kind.severity == first.severity && kind.code == first.code);
            let mut summary =
                Self { first, tally: FindingKindTally::default(), is_a_matter_of_course: usual };
            for (kind, count) in counts {
                summary.tally.total += count.total;
                summary.tally.cost += count.cost;
                summary.is_a_matter_of_course &= kind.is_harmless;
            }
            kinds.push(summary);
        }
        kinds
    }

    /// Returns whether a finding is one of these.
    fn has(&self, finding: &Diagnostic) -> bool {
        self.first.severity == finding.severity && self.first.code == finding.code
    }

    /// A line for each finding if they are few, or else one line.
    fn lines(&self, report: &RunReport) -> Vec<String> {
        if self.tally.total > FEW {
            return vec![self.line()];
        }
        let own = report.findings().filter(|finding| self.has(finding));
        own.map(|finding| to_line(finding, 0, finding.cost)).collect()
    }

    /// One line: the first finding, and how many more there are.
    fn line(&self) -> String {
        to_line(self.first, self.tally.total - 1, Some(self.tally.cost))
    }
}

/// The errors in at most this many lines, if possible: a single one with its line, others without.
fn error_text(report: &RunReport, most: usize, may_go_on: bool) -> String {
    let is_error = |finding: &&Diagnostic| finding.severity == FindingSeverity::Error;
    let errors: Vec<_> = report.findings().filter(is_error).collect();
    let total = usize::try_from(report.count(FindingSeverity::Error)).unwrap_or(usize::MAX);
    if let ([error], 1) = (errors.as_slice(), total) {
        return to_short_text(error, may_go_on.then_some(GO_ON), most);
    }
    let shown = if total > most { most - 1 } else { total - usize::from(may_go_on && total == most) };
    let mut text: String = errors.iter().take(shown).map(|error| to_line(error, 0, error.cost)).collect();
    match total.saturating_sub(shown.min(errors.len())) {
        0 if may_go_on => text += GO_ON_LINE,
        0 => {}
        rest => {
            let errors = if rest == 1 { "error" } else { "errors" };
            let go_on = if may_go_on { format!("; {GO_ON}") } else { String::new() };
            text += &format!("{} more {errors}: `-v` lists them{go_on}\n", thousands(rest as u64));
        }
    }
    text
}

/// The line about warnings that end a run like errors.
fn strictness(report: &RunReport) -> String {
    match (report.count(FindingSeverity::Warning), report.strictness()) {
        (warnings @ 1.., RunStrictness::Strict) => {
            let plural = if warnings == 1 { "warning is an error" } else { "warnings are errors" };
            format!("{} {plural} under `--strict`\n", thousands(warnings))
        }
        _ => String::new(),
    }
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
