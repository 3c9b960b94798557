//! The report as SARIF 2.1.0: the rules with their explanations, and each result with its place and fingerprint.
//!
//! Each result is on its own line.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use super::file_name::ReportFileUri;
use super::fingerprint::FingerprintNumbering;
use super::json_text::{JsonText, ReportJsonLayout};
use super::reasons::{NestedReason, reasons};
use super::reported_files::{ReportedFiles, spot};
use super::reported_finding::{ReportedFinding, end_column};
use crate::validation::rule_texts::{markdown_text, plain_text};
use crate::validation::rules::{ExplainedRule, explained_name, explained_rules};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::markdown::inert_message;
use evalgraph_diagnostics::validation::{ResultAdvice, ResultSeverity, RuleSummary};

/// The URL of the schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of evalgraph's fingerprints, with the version of their ingredients.
pub(super) const FINGERPRINT: &str = "evalgraph/v1";
/// The name that GitHub and others use for the folder that references are relative to.
const FOLDER: &str = "%SRCROOT%";

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let rules = reported.rules();
    let mut json = JsonText::new(ReportJsonLayout::Compact);
    json.begin_object();
    json.member("$schema", SCHEMA);
    json.member("version", "2.1.0");
    json.key("runs");
    json.begin_array();
    json.begin_object();
    write_tool(reported, &rules, &mut json);
    write_unchecked(reported, &mut json);
    json.key("originalUriBaseIds");
    json.begin_object();
    json.key(FOLDER);
    json.begin_object();
    write_text("description", "the folder in which the files were named", &mut json);
    json.end_object();
    json.end_object();
    json.member("columnKind", "unicodeCodePoints");
    write_results(reported, &rules, &mut json, output)?;
    json.end_object();
    json.end_array();
    json.end_object();
    json.finish(output)
}

/// Writes the rules. Those with results have their whole explanation; the others only its first sentence, because most
/// rules have no results.
fn write_tool(reported: &ReportedFiles<'_>, rules: &[&RuleSummary], json: &mut JsonText) {
    let explained: HashMap<&str, ExplainedRule> =
        explained_rules().map(|known| (known.rule.id, known)).collect();
    let with_results: HashSet<&str> = reported.findings().map(|finding| &*finding.result.rule).collect();
    json.key("tool");
    json.begin_object();
    json.key("driver");
    json.begin_object();
    json.member("name", "evalgraph");
    json.member("semanticVersion", env!("CARGO_PKG_VERSION"));
    json.key("rules");
    json.begin_array();
    for rule in rules {
        let title = plain(&rule.title);
        let known = explained.get(explained_name(&rule.id));
        let explanation = known.map_or_else(|| rule.title.to_string(), ExplainedRule::explanation);
        json.break_before_item();
        json.begin_object();
        json.member("id", &*rule.id);
        write_text("shortDescription", &title, json);
        write_text("fullDescription", &plain(&explanation), json);
        json.member_if("helpUri", known.and_then(|known| known.page.as_deref()));
        let whole = known.filter(|_| with_results.contains(&*rule.id));
        let whole = whole.and_then(|known| Some((known, known.details.as_ref()?)));
        let (text, markdown) = match whole {
            Some((known, details)) => {
                (plain_text(known, details), markdown_text(known, details).trim_end().to_owned())
            }
            None => (explanation.clone(), inert_message(&explanation)),
        };
        json.key("help");
        json.begin_object();
        json.member("text", &*plain(&text));
        json.member("markdown", &*with_doubled_braces(&markdown));
        json.end_object();
        json.key("defaultConfiguration");
        json.begin_object();
        json.member("level", level(rule.severity));
        json.end_object();
        json.end_object();
    }
    json.break_before_end();
    json.end_array();
    json.end_object();
    json.end_object();
}

/// Writes the faults of the files that could not be checked. Writes nothing if there are none.
fn write_unchecked(reported: &ReportedFiles<'_>, json: &mut JsonText) {
    if reported.unchecked.is_empty() {
        return;
    }
    json.key("invocations");
    json.begin_array();
    json.begin_object();
    json.member("executionSuccessful", false);
    json.key("toolExecutionNotifications");
    json.begin_array();
    for fault in reported.unchecked {
        json.break_before_item();
        json.begin_object();
        json.key("descriptor");
        json.begin_object();
        json.member("id", &*fault.code);
        json.end_object();
        json.member("level", "error");
        write_text("message", &plain(&fault.message), json);
        json.key("locations");
        json.begin_array();
        json.begin_object();
        write_physical_location(reported, &reported.file_at_fault(fault), spot(fault), json);
        json.end_object();
        json.end_array();
        json.end_object();
    }
    json.break_before_end();
    json.end_array();
    json.end_object();
    json.end_array();
}

fn write_results(
    reported: &ReportedFiles<'_>,
    rules: &[&RuleSummary],
    json: &mut JsonText,
    output: &mut impl Write,
) -> io::Result<()> {
    let indexes: HashMap<&str, u64> = rules.iter().map(|rule| &*rule.id).zip(0..).collect();
    let is_compared = reported.known().is_some();
    let mut numbering = FingerprintNumbering::default();
    json.key("results");
    json.begin_array();
    for finding in reported.findings() {
        let result = finding.result;
        let file = reported.file_of(finding);
        json.break_before_item();
        json.begin_object();
        json.member("ruleId", &*result.rule);
        json.member_if("ruleIndex", indexes.get(&*result.rule).copied());
        json.member("level", level(result.severity));
        write_text("message", &plain(&finding.whole_message()), json);
        json.key("locations");
        json.begin_array();
        write_location(reported, finding, &file, json);
        json.end_array();
        write_related(reported, finding, &file, json);
        json.key("partialFingerprints");
        json.begin_object();
        json.member(FINGERPRINT, &*numbering.numbered(finding.fingerprint(&reported.names)));
        json.end_object();
        if is_compared {
            json.member("baselineState", "new");
        }
        write_properties(finding, json);
        json.end_object();
        // The report is passed on in parts, so it is never in memory as a whole.
        json.pass_on(output)?;
    }
    json.break_before_end();
    json.end_array();
    Ok(())
}

/// Writes the related places of a result: that of its rule, and those of the failures that led to it.
fn write_related(
    reported: &ReportedFiles<'_>,
    finding: ReportedFinding<'_>,
    file: &str,
    json: &mut JsonText,
) {
    let of_rule = finding.result.related.as_deref();
    let reasons = reasons(finding.result, usize::MAX);
    if of_rule.is_none() && reasons.is_empty() {
        return;
    }
    json.key("relatedLocations");
    json.begin_array();
    if let Some((place, label)) = of_rule {
        json.begin_object();
        write_physical_location(reported, &place.source, Some(place), json);
        write_text("message", &plain(label), json);
        json.end_object();
    }
    for NestedReason { place, text, .. } in &reasons {
        json.begin_object();
        let file = place.map_or(file.into(), |place| reported.names.normalised(&place.source));
        write_physical_location(reported, &file, *place, json);
        write_text("message", &plain(text), json);
        json.end_object();
    }
    json.end_array();
}

fn write_location(
    reported: &ReportedFiles<'_>,
    finding: ReportedFinding<'_>,
    file: &str,
    json: &mut JsonText,
) {
    json.begin_object();
    write_physical_location(reported, file, finding.spot(), json);
    let name = finding.pointer_or_focus();
    if !name.is_empty() {
        json.key("logicalLocations");
        json.begin_array();
        json.begin_object();
        json.member("fullyQualifiedName", name);
        json.end_object();
        json.end_array();
    }
    json.end_object();
}

fn write_physical_location(
    reported: &ReportedFiles<'_>,
    file: &str,
    spot: Option<&SourcePlace>,
    json: &mut JsonText,
) {
    json.key("physicalLocation");
    json.begin_object();
    json.key("artifactLocation");
    json.begin_object();
    match reported.names.uri(file) {
        ReportFileUri::Absolute(uri) => json.member("uri", &*uri),
        ReportFileUri::Below(uri) => {
            json.member("uri", &*uri);
            json.member("uriBaseId", FOLDER);
        }
    }
    json.end_object();
    if let Some(place) = spot.filter(|place| !place.is_whole()) {
        json.key("region");
        json.begin_object();
        json.member("startLine", place.line);
        json.member("startColumn", place.column);
        if let Some(column) = end_column(place) {
            json.member("endLine", place.line);
            json.member("endColumn", column);
        }
        json.end_object();
    }
    json.end_object();
}

/// Writes the facts of a result that SHACL or a check has and SARIF has no field for.
fn write_properties(finding: ReportedFinding<'_>, json: &mut JsonText) {
    json.key("properties");
    json.begin_object();
    json.member("focusNode", finding.result.focus.as_str());
    json.member_if("resultPath", finding.result.path.as_deref());
    json.member_if("value", finding.result.value.as_deref());
    json.member_if("sourceConstraintComponent", finding.component());
    if let Some(ResultAdvice { suggest, page }) = finding.result.advice.as_deref() {
        json.member_if("suggest", suggest.as_deref());
        json.member_if("page", page.as_deref());
    }
    json.end_object();
}

fn write_text(key: &str, text: &str, json: &mut JsonText) {
    json.key(key);
    json.begin_object();
    json.member("text", text);
    json.end_object();
}

fn level(severity: ResultSeverity) -> &'static str {
    match severity {
        ResultSeverity::Violation => "error",
        ResultSeverity::Warning => "warning",
        ResultSeverity::Info => "note",
    }
}

/// A plain text message (section 3.11.3). Data must not create placeholders or links in it.
fn plain(text: &str) -> Cow<'_, str> {
    let text = with_doubled_braces(text);
    match text.contains("](") {
        true => Cow::Owned(text.replace('[', "\\[").replace(']', "\\]")),
        false => text,
    }
}

/// Doubles the braces that are not part of a placeholder (section 3.11.5).
fn with_doubled_braces(text: &str) -> Cow<'_, str> {
    match text.contains(['{', '}']) {
        true => Cow::Owned(text.replace('{', "{{").replace('}', "}}")),
        false => Cow::Borrowed(text),
    }
}
