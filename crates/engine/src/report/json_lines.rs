//! The report as JSON Lines, with one object for each result.

use std::io::{self, Write};

use super::json_text::{JsonText, ReportJsonLayout};
use super::reported_files::ReportedFiles;
use super::reported_finding::{ReportWords, ReportedFinding};
use evalgraph_diagnostics::validation::ResultDetail;

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut json = JsonText::new(ReportJsonLayout::Compact);
    for finding in reported.findings() {
        json.begin_object();
        write_facts(finding, reported.words, &mut json);
        json.end_object();
        json.pass_on(output)?;
    }
    json.finish(output)
}

/// Writes the facts of a result, and of the failures that led to it.
fn write_facts(finding: ReportedFinding<'_>, words: ReportWords, json: &mut JsonText) {
    for (name, value) in words.names().zip(finding.facts(words)) {
        json.member(name, value);
    }
    let details = &finding.result.details;
    if !details.results.is_empty() || details.left_out > 0 {
        json.key("detail");
        json.begin_array();
        for ResultDetail { alternative, result } in &details.results {
            json.begin_object();
            json.member_if("alternative", alternative.map(u64::from));
            write_facts(finding.detail(result), words, json);
            json.end_object();
        }
        json.end_array();
        json.member_if("detailLeftOut", Some(details.left_out).filter(|left_out| *left_out > 0));
    }
}
