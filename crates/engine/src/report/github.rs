//! The report as workflow commands of GitHub, which shows them beside the changed lines.
//!
//! All results are written: GitHub itself decides how many it shows.

use std::collections::HashMap;
use std::io::{self, Write};

use super::reasons::{NestedReason, reasons};
use super::reported_files::{ReportedFiles, spot};
use super::reported_finding::{ReportedFinding, end_column};
use super::text::total;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_diagnostics::visible::push_visible;

/// How many reasons an annotation lists.
const REASONS: usize = 3;

/// The characters that end a property of a command.
const ENDS_OF_PROPERTY: &[char] = &[':', ','];

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let rules = reported.rules();
    let titles: HashMap<&str, &str> = rules.iter().map(|rule| (&*rule.id, &*rule.title)).collect();
    for finding in reported.findings() {
        let title = titles.get(&*finding.result.rule).copied().unwrap_or_default();
        writeln!(output, "{}", command(reported, finding, title))?;
    }
    for fault in reported.unchecked {
        writeln!(output, "{}", unchecked(reported, fault))?;
    }
    writeln!(output, "{}", total(reported))
}

fn command(reported: &ReportedFiles<'_>, finding: ReportedFinding<'_>, title: &str) -> String {
    let result = finding.result;
    let name = match result.severity {
        ResultSeverity::Violation => "error",
        ResultSeverity::Warning => "warning",
        ResultSeverity::Info => "notice",
    };
    let mut command = format!("::{name} ");
    if !finding.is_of_all_files() {
        command.push_str("file=");
        push_escaped(&reported.file_of(finding), ENDS_OF_PROPERTY, &mut command);
        if let Some(place) = finding.spot() {
            command.push_str(&format!(",line={},col={}", place.line, place.column));
            if let Some(column) = end_column(place) {
                command.push_str(&format!(",endColumn={column}"));
            }
        }
        command.push(',');
    }
    command.push_str("title=");
    push_escaped(&format!("{}: {title}", result.rule), ENDS_OF_PROPERTY, &mut command);
    command.push_str("::");
    push_escaped(&finding.message(), &[], &mut command);
    if let Some((place, label)) = result.related.as_deref() {
        push_escaped(&format!(" ({label}: line {})", place.line), &[], &mut command);
    }
    match &*finding.at() {
        "" => {}
        pointer => push_escaped(&format!(" (at {pointer})"), &[], &mut command),
    }
    for NestedReason { depth, text, .. } in reasons(result, REASONS) {
        push_escaped(&format!("\n{}{text}", "  ".repeat(depth)), &[], &mut command);
    }
    command
}

/// The command for a file that could not be checked.
fn unchecked(reported: &ReportedFiles<'_>, fault: &Diagnostic) -> String {
    let mut command = "::error ".to_owned();
    if fault.place.is_some() {
        command.push_str("file=");
        push_escaped(&reported.file_at_fault(fault), ENDS_OF_PROPERTY, &mut command);
        if let Some(place) = spot(fault) {
            command.push_str(&format!(",line={},col={}", place.line, place.column));
        }
        command.push(',');
    }
    command.push_str("title=");
    push_escaped(&fault.code, ENDS_OF_PROPERTY, &mut command);
    command.push_str("::");
    push_escaped(&fault.message, &[], &mut command);
    command
}

/// Appends a text. Escapes the characters that end a command or a property, and control characters of terminals.
fn push_escaped(text: &str, ends: &[char], command: &mut String) {
    for c in text.chars() {
        match c {
            '%' | '\r' | '\n' => command.push_str(&format!("%{:02X}", u32::from(c))),
            _ if ends.contains(&c) => command.push_str(&format!("%{:02X}", u32::from(c))),
            _ => push_visible(c, command),
        }
    }
}
