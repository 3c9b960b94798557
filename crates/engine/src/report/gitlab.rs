//! The report for GitLab's Code Quality: a JSON array with one object for each result.

use std::io::{self, Write};

use super::fingerprint::{FindingFingerprint, FingerprintFacts, FingerprintNumbering};
use super::json_text::{JsonText, ReportJsonLayout};
use super::reported_files::{ReportedFiles, spot};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::validation::ResultSeverity;

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut json = JsonText::new(ReportJsonLayout::Compact);
    let mut numbering = FingerprintNumbering::default();
    json.begin_array();
    for finding in reported.findings() {
        let result = finding.result;
        json.break_before_item();
        json.begin_object();
        json.member("description", &*finding.whole_message());
        json.member("check_name", &*result.rule);
        json.member("fingerprint", &*numbering.numbered(finding.fingerprint(&reported.names)));
        json.member("severity", severity(result.severity));
        write_location(&reported.file_of(finding), finding.spot(), &mut json);
        json.end_object();
        json.pass_on(output)?;
    }
    for fault in reported.unchecked {
        let file = reported.file_at_fault(fault);
        let facts = FingerprintFacts { rule: &fault.code, focus: "", path: None, value: None, file: &file };
        json.break_before_item();
        json.begin_object();
        json.member("description", &*fault.message);
        json.member("check_name", &*fault.code);
        json.member("fingerprint", &*numbering.numbered(FindingFingerprint::from_facts(&facts)));
        json.member("severity", "blocker");
        write_location(&file, spot(fault), &mut json);
        json.end_object();
    }
    if reported.findings().next().is_some() || !reported.unchecked.is_empty() {
        json.break_before_end();
    }
    json.end_array();
    json.finish(output)
}

fn write_location(file: &str, spot: Option<&SourcePlace>, json: &mut JsonText) {
    json.key("location");
    json.begin_object();
    json.member("path", file);
    json.key("lines");
    json.begin_object();
    // A line is required even if the result is about the whole file.
    json.member("begin", spot.map_or(1, |place| place.line));
    json.end_object();
    json.end_object();
}

fn severity(severity: ResultSeverity) -> &'static str {
    match severity {
        ResultSeverity::Violation => "major",
        ResultSeverity::Warning => "minor",
        ResultSeverity::Info => "info",
    }
}
