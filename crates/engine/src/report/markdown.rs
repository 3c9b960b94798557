//! The report as Markdown, for a comment on a change: a summary, the files, the rules, and the first places of each
//! rule.
//!
//! Comments have a maximum length, so files, rules and places are limited. Each list says how much it leaves out.

use std::collections::HashMap;
use std::io::{self, Write};

use super::place_shares::share;
use super::reasons::{NestedReason, reasons};
use super::reported_files::{FileReport, OfRule, ReportedFiles};
use super::severity_totals::{SeverityTotals, counted};
use evalgraph_diagnostics::markdown::{code, code_span, inert_message};
use evalgraph_diagnostics::thousands;
use evalgraph_diagnostics::validation::{ResultSeverity, RuleSummary};

/// How many files, rules and places are listed. GitHub accepts comments of up to 65,536 characters; a place takes about
/// 200.
const LISTED: usize = 50;
/// How many reasons of a result are listed.
const REASONS: usize = 3;

/// A rule with its results in all files.
struct ReportedRule<'r> {
    summary: &'r RuleSummary,
    looked_at: u64,
    results: u64,
    files: Vec<(FileReport<'r>, OfRule<'r>)>,
}

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let rules = rules(reported);
    write_summary(reported, output)?;
    write_unchecked(reported, output)?;
    write_files(reported, output)?;
    if rules.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n| rule | severity | results | checked | |\n|---|---|--:|--:|---|")?;
    for rule in rules.iter().take(LISTED) {
        let ReportedRule { summary, looked_at, results, .. } = rule;
        let (id, severity) = (code(&summary.id), summary.severity);
        let (results, looked_at, title) = (thousands(*results), thousands(*looked_at), cell(&summary.title));
        writeln!(output, "| {id} | {severity} | {results} | {looked_at} | {title} |")?;
    }
    write_left_out(rules.len(), "rule", output)?;
    let counts = rules.iter().take(LISTED).map(|rule| rule.results as usize);
    let most = share(counts, LISTED).min(reported.shown);
    rules.iter().take(LISTED).filter(|_| most > 0).try_for_each(|rule| write_places(rule, most, output))
}

fn rules<'r>(reported: &ReportedFiles<'r>) -> Vec<ReportedRule<'r>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut rules: Vec<ReportedRule<'r>> = Vec::new();
    for file in reported.files() {
        for of_rule in file.by_rule() {
            let summary = of_rule.0;
            let at = *places.entry(&*summary.id).or_insert(rules.len());
            if at == rules.len() {
                rules.push(ReportedRule { summary, looked_at: 0, results: 0, files: Vec::new() });
            }
            let rule = &mut rules[at];
            rule.looked_at += summary.looked_at;
            rule.results += summary.results;
            rule.files.push((file, of_rule));
        }
    }
    // The most severe rules come first. The sort is stable, so equal ones keep their order.
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.summary.severity));
    rules
}

fn write_summary(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let (files, failed) = (reported.file_count(), reported.failed_count());
    let verdict = match (failed, reported.counts().get(ResultSeverity::Violation)) {
        (0, 0) if !reported.unchecked.is_empty() => "not all files could be checked".to_owned(),
        (0, 0) if reported.known().is_some() => "no new violation".to_owned(),
        (0, 0) if files == 1 => "the file conforms".to_owned(),
        (0, 0) => "all files conform".to_owned(),
        (1, _) if files == 1 => "the file does not conform".to_owned(),
        (0, _) => "the files together do not conform".to_owned(),
        (1, _) => format!("1 of {} does not conform", counted(files, "file")),
        _ => format!("{} of {} do not conform", thousands(failed), counted(files, "file")),
    };
    writeln!(output, "## Validation: {verdict}\n\n{}.", reported.counts().text(reported.least))?;
    match reported.known().filter(|known| known.total() > 0) {
        Some(known) => writeln!(output, "Known from the baseline: {}.", known.text(reported.least)),
        None => Ok(()),
    }
}

fn write_unchecked(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let Some(unchecked) = reported.unchecked_text() else { return Ok(()) };
    writeln!(output, "\n{unchecked}:\n")?;
    for fault in reported.unchecked.iter().take(LISTED) {
        let place = fault.place.as_ref().map_or(String::new(), |place| place.to_string());
        let place = if place.is_empty() { place } else { format!("{} ", code_span(&place)) };
        writeln!(output, "- {place}{}", inert_message(&fault.message))?;
    }
    write_left_out(reported.unchecked.len(), "file", output)
}

fn write_files(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let severities = || ResultSeverity::ALL.into_iter().filter(|severity| *severity >= reported.least);
    let titles: String = severities().map(|severity| format!(" {severity} |")).collect();
    let lines = "--:|".repeat(severities().count());
    writeln!(output, "\n| file | |{titles}\n|---|---|{lines}")?;
    // Files with the most severe results come first: if there are many files, most have none.
    let mut files: Vec<(FileReport<'_>, SeverityTotals)> =
        reported.files().map(|file| (file, file.counts())).collect();
    files.sort_by_key(|(_, counts)| {
        ResultSeverity::ALL.map(|severity| std::cmp::Reverse(counts.get(severity)))
    });
    for (file, counts) in files.iter().take(LISTED) {
        let counts: String =
            severities().map(|severity| format!(" {} |", thousands(counts.get(severity)))).collect();
        let (name, verdict) = (code(&file.checked.name), file.verdict());
        writeln!(output, "| {name} | {verdict} {} |{counts}", cell(&file.checked.report.profile))?;
    }
    write_left_out(files.len(), "file", output)
}

fn write_left_out(count: usize, noun: &str, output: &mut impl Write) -> io::Result<()> {
    match count.saturating_sub(LISTED) {
        0 => Ok(()),
        more => {
            writeln!(output, "\n… and {} that are not listed", counted(more as u64, &format!("more {noun}")))
        }
    }
}

fn write_places(rule: &ReportedRule<'_>, most: usize, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "\n### {}: {}\n", code_span(&rule.summary.id), inert_message(&rule.summary.title))?;
    let results =
        rule.files.iter().flat_map(|(file, (_, results))| results.iter().map(|result| file.finding(result)));
    for finding in results.take(most) {
        let message = inert_message(&finding.message());
        let place = match finding.spot() {
            Some(place) => place.to_string(),
            None => finding.file().to_owned(),
        };
        write!(output, "- {} {message}", code_span(&place))?;
        match &*finding.at() {
            "" => writeln!(output)?,
            pointer => writeln!(output, " (at {})", code_span(pointer))?,
        }
        for NestedReason { depth, text, .. } in reasons(finding.result, REASONS) {
            writeln!(output, "{}- {}", "  ".repeat(depth + 1), inert_message(&text))?;
        }
    }
    match rule.results.saturating_sub(most as u64) {
        0 => Ok(()),
        more => writeln!(output, "- … and {} more", thousands(more)),
    }
}

/// A text in a table cell, where even a code span does not protect a `|`.
fn cell(text: &str) -> String {
    inert_message(text).replace('|', "\\|")
}
