//! The report as JSON Lines: an object for each result.

use std::io::{self, Write};

use super::finding::FACTS;
use super::json_text::{JsonText, Layout};
use super::reported::Reported;

/// Writes the report.
pub(super) fn write(reported: &Reported<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut json = JsonText::new(Layout::Compact);
    for finding in reported.findings() {
        json.begin_object();
        for (name, value) in FACTS.into_iter().zip(finding.facts()) {
            json.member(name, value);
        }
        json.end_object();
        json.pass_on(output)?;
    }
    json.finish(output)
}
