//! The report as text for a terminal: results grouped by rule, with counts.

use std::collections::HashSet;
use std::io::{self, Write};

use super::reasons::{NestedReason, reasons};
use super::reported_files::{FileReport, OfRule, ReportedFiles};
use super::reported_finding::{ReportWords, ReportedFinding};
use super::severity_totals::counted;
use evalgraph_diagnostics::validation::{RuleReport, RuleSummary};
use evalgraph_diagnostics::{thousands, visible};

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut before: Option<FileReport<'_>> = None;
    for file in reported.files() {
        // Files with only one line follow each other without a blank line.
        if before.is_some_and(|before| has_more(before, reported) || has_more(file, reported)) {
            writeln!(output)?;
        }
        write_file(file, reported, output)?;
        before = Some(file);
    }
    if reported.files().nth(1).is_some() || !reported.unchecked.is_empty() {
        writeln!(output, "\n{}", total(reported))?;
    }
    Ok(())
}

/// Returns whether the verdict on a file is followed by more lines.
fn has_more(file: FileReport<'_>, reported: &ReportedFiles<'_>) -> bool {
    reported.words == ReportWords::Findings
        || reported.lists_checked
        || !file.checked.report.results.is_empty()
}

/// Returns a line about all files: how many there are, how many conform, and the counts of their results.
pub(super) fn total(reported: &ReportedFiles<'_>) -> String {
    let files = match reported.file_count() {
        // Shapes apply to all files together.
        0 => String::new(),
        count => format!("{}, {}; ", counted(count, "file"), verdicts(count, reported.failed_count())),
    };
    let known = reported.known().filter(|known| known.total() > 0);
    let known = known
        .map_or(String::new(), |known| format!("; known from the baseline: {}", known.text(reported.least)));
    let unchecked = reported.unchecked_text().map_or(String::new(), |unchecked| format!("; {unchecked}"));
    format!("total: {files}{}{known}{unchecked}", reported.counts().text(reported.least))
}

/// How many files conform, and how many do not.
fn verdicts(files: u64, failed: u64) -> String {
    let conform = |count: u64| if count == 1 { "conforms" } else { "conform" };
    let not = |count: u64| if count == 1 { "does not" } else { "do not" };
    match (files.saturating_sub(failed), failed) {
        (1, 0) => "1 conforms".to_owned(),
        (0, 1) => "1 does not conform".to_owned(),
        (_, 0) => "all conform".to_owned(),
        (0, _) => "none conforms".to_owned(),
        (good, bad) => format!("{} {}, {} {}", thousands(good), conform(good), thousands(bad), not(bad)),
    }
}

fn write_file(file: FileReport<'_>, reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let report = &file.checked.report;
    let (name, verdict) = (visible(&file.checked.name), file.verdict());
    let (profile, what) = (&report.profile, file.checked.what.description());
    let counts = file.counts().text(reported.least);
    write!(output, "{name}: {verdict} {profile} ({what}): {counts}")?;
    if let Some(known) = file.known.filter(|known| known.total() > 0) {
        write!(output, "; known from the baseline: {}", known.text(reported.least))?;
    }
    writeln!(output)?;
    for of_rule in file.by_rule() {
        write_rule(file, &of_rule, reported, output)?;
    }
    match reported.words {
        ReportWords::Shacl if reported.lists_checked => write_checked(report, output),
        ReportWords::Shacl => Ok(()),
        // Every rule checks all nodes.
        ReportWords::Findings => writeln!(output, "  nodes checked: {}", thousands(report.subjects)),
    }
}

/// For how many rules the report lists what they have checked.
const CHECKED: usize = 24;

fn write_checked(report: &RuleReport, output: &mut impl Write) -> io::Result<()> {
    let looked: Vec<_> = report.rules.iter().filter(|rule| rule.looked_at > 0).collect();
    let names = short_names(&looked);
    let told = names.iter().zip(&looked).map(|(name, rule)| format!("{name} {}", thousands(rule.looked_at)));
    let told: Vec<String> = told.take(CHECKED).collect();
    let more = looked.len().saturating_sub(CHECKED);
    let more = if more > 0 { format!(", … and {more} more") } else { String::new() };
    writeln!(output, "  objects checked: {}{more}", visible(&told.join(", ")))?;
    let idle: Vec<&str> = report.idle_rules().map(|rule| rule.id.as_ref()).collect();
    if !idle.is_empty() {
        writeln!(output, "  nothing to check: {}", visible(&idle.join(", ")))?;
    }
    Ok(())
}

/// The names of rules. IRIs are shortened to the part after `#` if the names stay unique.
fn short_names<'r>(rules: &[&'r RuleSummary]) -> Vec<&'r str> {
    let of = |rule: &&'r RuleSummary| rule.id.rsplit_once('#').map_or(&*rule.id, |(_, name)| name);
    let names: Vec<&str> = rules.iter().map(of).collect();
    let is_clear = names.iter().collect::<HashSet<_>>().len() == names.len()
        && names.iter().all(|name| !name.is_empty() && !name.contains([' ', '>']));
    if is_clear { names } else { rules.iter().map(|rule| &*rule.id).collect() }
}

fn write_rule(
    file: FileReport<'_>,
    of_rule: &OfRule<'_>,
    reported: &ReportedFiles<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let (rule, results) = of_rule;
    writeln!(output, "  {} {}: {}", visible(&rule.id), rule.severity, visible(&rule.title))?;
    writeln!(output, "    {}", visible(&reported.words.found(rule)))?;
    for result in results.iter().take(reported.shown) {
        write!(output, "    ")?;
        write_finding(file.finding(result), "      ", output)?;
    }
    match results.len().saturating_sub(reported.shown) {
        0 => Ok(()),
        more => writeln!(output, "    … and {} more", thousands(more as u64)),
    }
}

/// How many reasons of a result are shown.
const REASONS: usize = 10;

/// Writes a result in one line. Further lines have the pointer, after `indent` and "at", the advice, and the reasons.
pub(super) fn write_finding(
    finding: ReportedFinding<'_>,
    indent: &str,
    output: &mut impl Write,
) -> io::Result<()> {
    let result = finding.result;
    if let Some(place) = &result.place {
        write!(output, "{}: ", visible(&place.to_string()))?;
    }
    write!(output, "{}", visible(&finding.sentence()))?;
    if let Some((place, label)) = result.related.as_deref() {
        write!(output, " ({label}: line {})", place.line)?;
    }
    writeln!(output)?;
    match &*finding.at() {
        "" => {}
        pointer => writeln!(output, "{indent}at {}", visible(pointer))?,
    }
    if let Some(advice) = finding.advice() {
        writeln!(output, "{indent}{}", visible(&advice))?;
    }
    for NestedReason { depth, text, .. } in reasons(result, REASONS) {
        writeln!(output, "{indent}{}{}", "  ".repeat(depth), visible(&text))?;
    }
    Ok(())
}
