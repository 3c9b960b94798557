//! The report as JSON Lines: an object for each result.

use std::io::{self, Write};

use super::finding::{Finding, Words};
use super::json_text::{JsonText, Layout};
use super::reported::Reported;
use evalgraph_diagnostics::validation::Detail;

/// Writes the report.
pub(super) fn write(reported: &Reported<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut json = JsonText::new(Layout::Compact);
    for finding in reported.findings() {
        json.begin_object();
        write_facts(finding, reported.words, &mut json);
        json.end_object();
        json.pass_on(output)?;
    }
    json.finish(output)
}

/// Writes the facts of a result, and of the failures that led to it.
fn write_facts(finding: Finding<'_>, words: Words, json: &mut JsonText) {
    for (name, value) in words.names().zip(finding.facts(words)) {
        json.member(name, value);
    }
    let details = &finding.result.details;
    if !details.results.is_empty() || details.left_out > 0 {
        json.key("detail");
        json.begin_array();
        for Detail { alternative, result } in &details.results {
            json.begin_object();
            json.member_if("alternative", alternative.map(u64::from));
            write_facts(finding.detail(result), words, json);
            json.end_object();
        }
        json.end_array();
        json.member_if("detailLeftOut", Some(details.left_out).filter(|left_out| *left_out > 0));
    }
}
