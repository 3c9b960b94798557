//! The report as JSON: an array with one object for each file. A file that could not be checked has an `error`.

use std::io::{self, Write};

use super::json_text::{JsonText, ReportJsonLayout, ReportScalar};
use super::reported_files::{FileReport, ReportedFiles, spot};
use super::severity_totals::SeverityTotals;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::{
    CappedDetails, ResultAdvice, ResultDetail, ResultSeverity, RuleResult,
};

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut json = JsonText::new(ReportJsonLayout::Indented);
    json.begin_array();
    for file in reported.files() {
        write_file(file, reported.least, &mut json, output)?;
    }
    reported.unchecked.iter().for_each(|fault| write_unchecked(fault, &mut json));
    json.end_array();
    json.finish(output)
}

fn write_file(
    file: FileReport<'_>,
    least: ResultSeverity,
    json: &mut JsonText,
    output: &mut impl Write,
) -> io::Result<()> {
    let report = &file.checked.report;
    json.begin_object();
    json.member("file", &*file.checked.name);
    json.member("dialect", file.checked.what.id());
    json.member("profile", &*report.profile);
    json.member("conforms", file.conforms());
    json.member("questions", report.subjects);
    write_counts(file.counts(), least, json);
    if let Some(known) = file.known {
        json.key("known");
        json.begin_object();
        write_counts(known, least, json);
        json.end_object();
    }
    json.key("rules");
    json.begin_array();
    for rule in &report.rules {
        json.begin_object();
        json.member("id", &*rule.id);
        json.member("severity", rule.severity.name());
        json.member("title", &*rule.title);
        json.member("lookedAt", rule.looked_at);
        json.member("results", rule.results);
        json.end_object();
        json.pass_on(output)?;
    }
    json.end_array();
    json.key("results");
    json.begin_array();
    for result in &report.results {
        write_result(result, &report.profile, json);
        json.pass_on(output)?;
    }
    json.end_array();
    json.end_object();
    Ok(())
}

/// Writes a file that could not be checked. Its `conforms` is `null`, since it is unknown.
fn write_unchecked(fault: &Diagnostic, json: &mut JsonText) {
    json.begin_object();
    json.member("file", fault.place.as_ref().map(|place| &*place.source));
    json.key("conforms");
    json.scalar(ReportScalar::Null);
    json.key("error");
    json.begin_object();
    json.member("code", &*fault.code);
    json.member("message", &*fault.message);
    json.member("line", spot(fault).map(|place| place.line));
    json.member("column", spot(fault).map(|place| place.column));
    json.end_object();
    json.end_object();
}

fn write_counts(counts: SeverityTotals, least: ResultSeverity, json: &mut JsonText) {
    for severity in ResultSeverity::ALL.into_iter().filter(|severity| *severity >= least) {
        let name = match severity {
            ResultSeverity::Violation => "violations",
            ResultSeverity::Warning => "warnings",
            ResultSeverity::Info => "infos",
        };
        json.member(name, counts.get(severity));
    }
}

fn write_result(result: &RuleResult, profile: &str, json: &mut JsonText) {
    json.begin_object();
    write_facts(result, profile, json);
    json.end_object();
}

fn write_facts(result: &RuleResult, profile: &str, json: &mut JsonText) {
    let place = result.place.as_deref();
    let spot = place.filter(|place| !place.is_whole());
    json.member("rule", &*result.rule);
    json.member("profile", profile);
    json.member("severity", result.severity.name());
    json.member("message", &*result.message);
    json.member("focus", result.focus.as_str());
    json.member("path", result.path.as_deref());
    json.member("value", result.value.as_deref());
    json.member("file", place.map(|place| &*place.source));
    json.member("line", spot.map(|place| place.line));
    json.member("column", spot.map(|place| place.column));
    json.member("pointer", place.and_then(|place| place.pointer.as_deref()));
    if let Some(ResultAdvice { suggest, page }) = result.advice.as_deref() {
        json.member_if("suggest", suggest.as_deref());
        json.member_if("page", page.as_deref());
    }
    json.key("related");
    match result.related.as_deref() {
        None => json.scalar(ReportScalar::Null),
        Some((place, label)) => {
            json.begin_object();
            json.member("message", &**label);
            json.member("line", place.line);
            json.member("column", place.column);
            json.member("pointer", place.pointer.as_deref());
            json.end_object();
        }
    }
    write_details(&result.details, profile, json);
}

/// Writes the failures that led to a result, if there are any.
fn write_details(details: &CappedDetails, profile: &str, json: &mut JsonText) {
    if details.results.is_empty() && details.left_out == 0 {
        return;
    }
    json.key("details");
    json.begin_array();
    for ResultDetail { alternative, result } in &details.results {
        json.begin_object();
        json.member_if("alternative", alternative.map(u64::from));
        write_facts(result, profile, json);
        json.end_object();
    }
    json.end_array();
    json.member_if("detailsLeftOut", Some(details.left_out).filter(|left_out| *left_out > 0));
}
