//! The report as a page for a browser: one file that loads nothing, not even scripts of its own site.
//!
//! All results are in the page as text; its script only hides the unwanted ones. The page's policy allows only this
//! script and this style, by their digests, so no text of the data can act as a script or a style.

use std::collections::HashMap;
use std::io::{self, Write};

use super::place_shares::share;
use super::reasons::{NestedReason, reasons};
use super::reported_files::{FileReport, OfRule, ReportedFiles};
use super::reported_finding::{ReportWords, ReportedFinding};
use super::severity_totals::counted;
use evalgraph_diagnostics::markup::{escaped, push_escaped};
use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_diagnostics::{SourcePlace, thousands};

/// How many results the page lists. With more, a browser on a phone takes seconds.
const LISTED: usize = 5_000;
/// How many reasons a result lists.
const REASONS: usize = 50;
/// Up to this number of files, the page also shows what was checked in files without results.
const FEW_FILES: usize = 100;
const STYLE: &str = include_str!("html.css");
const STYLE_DIGEST: &str = "sha256-lwb+vh/skUHizdIQrQDQVlWzfW4RwAKhiEgVWV/h7lU=";
const SCRIPT: &str = include_str!("html.js");
const SCRIPT_DIGEST: &str = "sha256-G4LObTwGhe296kkPftMc7Q62Fpz9c4h/wpTPT5yOB+g=";

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_DIGEST}'; \
         script-src '{SCRIPT_DIGEST}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Validation report</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>"
    )?;
    let files: Vec<(FileReport<'_>, Vec<OfRule<'_>>)> =
        reported.files().map(|file| (file, file.by_rule())).collect();
    let counts = files.iter().flat_map(|(_, by_rule)| by_rule.iter().map(|(_, results)| results.len()));
    let most = share(counts, LISTED);
    write_header(reported, output)?;
    write_filter(reported, &files, output)?;
    writeln!(output, "<main>")?;
    for (at, (file, by_rule)) in files.iter().enumerate() {
        write_file(reported, at, *file, output)?;
        by_rule.iter().try_for_each(|of_rule| write_rule(*file, of_rule, reported.words, most, output))?;
        if !by_rule.is_empty() || files.len() <= FEW_FILES {
            write_looked_at(*file, output)?;
        }
        writeln!(output, "</section>")?;
    }
    writeln!(output, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>")
}

fn write_header(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let files = match (reported.file_count(), reported.failed_count()) {
        // Shapes apply to all files together.
        (0, _) => "all files together".to_owned(),
        (count, 0) => format!("{}, none with violations", counted(count, "file")),
        (count, failed) => format!("{}, {} with violations", counted(count, "file"), thousands(failed)),
    };
    writeln!(output, "<header>\n<h1>Validation report</h1>\n<p>{files}</p>")?;
    if let Some(unchecked) = reported.unchecked_text() {
        writeln!(output, "<p>{unchecked}:</p>\n<ul>")?;
        for fault in reported.unchecked {
            writeln!(output, "<li>{}</li>", escaped(&fault.to_string()))?;
        }
        writeln!(output, "</ul>")?;
    }
    writeln!(output, "<ul class=\"counts\">")?;
    for severity in ResultSeverity::ALL.into_iter().filter(|severity| *severity >= reported.least) {
        let count = reported.counts().get(severity);
        let word = if count == 1 { severity.name() } else { title(severity) };
        writeln!(output, "<li class=\"{severity}\"><b>{}</b> {word}</li>", thousands(count))?;
    }
    writeln!(output, "</ul>")?;
    if let Some(known) = reported.known().filter(|known| known.total() > 0) {
        let known = known.text(reported.least);
        writeln!(output, "<p>Known from the baseline and left out: {known}</p>")?;
    }
    writeln!(output, "</header>")
}

fn title(severity: ResultSeverity) -> &'static str {
    match severity {
        ResultSeverity::Violation => "violations",
        ResultSeverity::Warning => "warnings",
        ResultSeverity::Info => "info",
    }
}

fn write_filter(
    reported: &ReportedFiles<'_>,
    files: &[(FileReport<'_>, Vec<OfRule<'_>>)],
    output: &mut impl Write,
) -> io::Result<()> {
    // Without the script the filter would do nothing, so it is hidden until the script shows it.
    writeln!(output, "<div class=\"filter\" id=\"filter\" hidden>")?;
    writeln!(output, "<label>Severity <select id=\"severity\"><option value=\"\">all</option>")?;
    for severity in ResultSeverity::ALL {
        if reported.counts().get(severity) > 0 {
            writeln!(output, "<option value=\"{severity}\">{}</option>", title(severity))?;
        }
    }
    writeln!(output, "</select></label>\n<label>Rule <select id=\"rule\"><option value=\"\">all</option>")?;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (rule, results) in files.iter().flat_map(|(_, by_rule)| by_rule) {
        *counts.entry(&*rule.id).or_default() += results.len();
    }
    for rule in reported.rules() {
        if let Some(&count) = counts.get(&*rule.id) {
            let id = escaped(&rule.id);
            writeln!(output, "<option value=\"{id}\">{id} ({})</option>", thousands(count as u64))?;
        }
    }
    writeln!(output, "</select></label>\n<label>File <select id=\"file\"><option value=\"\">all</option>")?;
    for (at, (file, by_rule)) in files.iter().enumerate().filter(|(_, (_, by_rule))| !by_rule.is_empty()) {
        let count: usize = by_rule.iter().map(|(_, results)| results.len()).sum();
        let name = escaped(&file.checked.name);
        writeln!(output, "<option value=\"{at}\">{name} ({})</option>", thousands(count as u64))?;
    }
    writeln!(
        output,
        "</select></label>\n<label>Text <input id=\"text\" type=\"search\" autocomplete=\"off\"></label>\n\
         <output id=\"shown\"></output>\n</div>"
    )
}

fn write_file(
    reported: &ReportedFiles<'_>,
    at: usize,
    file: FileReport<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let (name, profile) = (escaped(&file.checked.name), escaped(&file.checked.report.profile));
    let (what, verdict) = (escaped(&file.checked.what.description()), file.verdict());
    let is_good = if file.checked.report.conforms() { "good" } else { "bad" };
    writeln!(output, "<section class=\"file\" data-file=\"{at}\">\n<h2>{name}</h2>")?;
    let counts = file.counts().text(reported.least);
    writeln!(output, "<p><b class=\"{is_good}\">{verdict} {profile}</b> ({what}): {counts}</p>")
}

fn write_rule(
    file: FileReport<'_>,
    of_rule: &OfRule<'_>,
    words: ReportWords,
    most: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    let (rule, results) = of_rule;
    let (id, severity, title) = (escaped(&rule.id), rule.severity, with_code(&rule.title));
    let found = words.found(rule);
    writeln!(
        output,
        "<details class=\"rule\" data-rule=\"{id}\" data-severity=\"{severity}\" open>\n\
         <summary><span class=\"{severity}\">{severity}</span> <b>{id}</b> {title} \
         <small>{found}</small></summary>\n<ol>"
    )?;
    for result in results.iter().take(most) {
        writeln!(output, "{}", item(file.finding(result)))?;
    }
    writeln!(output, "</ol>")?;
    if let Some(more) = results.len().checked_sub(most).filter(|&more| more > 0) {
        let more = thousands(more as u64);
        writeln!(output, "<p>… and {more} more, which this page leaves out</p>")?;
    }
    writeln!(output, "</details>")
}

fn item(finding: ReportedFinding<'_>) -> String {
    let mut item = format!("<li><p>{}", with_code(&finding.message()));
    if let Some((place, label)) = finding.result.related.as_deref() {
        item.push_str(&format!(" ({}: line {})", with_code(label), place.line));
    }
    item.push_str("</p><p class=\"place\">");
    match finding.spot() {
        Some(place) => push_escaped(&place.to_string(), &mut item),
        None => push_escaped(finding.file(), &mut item),
    }
    match &*finding.at() {
        "" => {}
        pointer => {
            item.push_str(" <span>");
            push_escaped(pointer, &mut item);
            item.push_str("</span>");
        }
    }
    item.push_str("</p>");
    if let Some(place) = finding.spot() {
        push_excerpt(place, &mut item);
    }
    push_reasons(finding, &mut item);
    item.push_str("</li>");
    item
}

/// Appends the reasons, indenting nested ones.
fn push_reasons(finding: ReportedFinding<'_>, item: &mut String) {
    let mut level = 0;
    for NestedReason { depth, text, .. } in reasons(finding.result, REASONS) {
        item.push_str(&"<blockquote>".repeat((depth + 1).saturating_sub(level)));
        item.push_str(&"</blockquote>".repeat(level.saturating_sub(depth + 1)));
        level = depth + 1;
        item.push_str(&format!("<p>{}</p>", with_code(&text)));
    }
    item.push_str(&"</blockquote>".repeat(level));
}

/// Appends the line of a place, with the affected part marked.
fn push_excerpt(place: &SourcePlace, item: &mut String) {
    let (text, marked) = (&place.excerpt.text, place.excerpt.marked.clone());
    let parts = (text.get(..marked.start), text.get(marked.clone()), text.get(marked.end..));
    let (Some(before), Some(span), Some(after)) = parts else { return };
    item.push_str("<pre>");
    push_escaped(before.trim_start(), item);
    item.push_str("<mark>");
    push_escaped(span, item);
    item.push_str("</mark>");
    push_escaped(after, item);
    item.push_str("</pre>");
}

fn write_looked_at(file: FileReport<'_>, output: &mut impl Write) -> io::Result<()> {
    let report = &file.checked.report;
    let looked = report.rules.iter().filter(|rule| rule.looked_at > 0);
    let looked: Vec<String> =
        looked.map(|rule| format!("{} {}", escaped(&rule.id), thousands(rule.looked_at))).collect();
    let idle: Vec<String> = report.idle_rules().map(|rule| escaped(&rule.id)).collect();
    writeln!(output, "<details class=\"looked\"><summary>objects checked</summary>")?;
    writeln!(output, "<p>{}</p>", looked.join(", "))?;
    if !idle.is_empty() {
        writeln!(output, "<p>nothing to check: {}</p>", idle.join(", "))?;
    }
    writeln!(output, "</details>")
}

/// Escapes a text, and marks its code spans as code. An unclosed one stays text.
fn with_code(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, code)| Some((before, code.split_once('`')?)))
    {
        push_escaped(before, &mut html);
        html.push_str("<code>");
        push_escaped(code, &mut html);
        html.push_str("</code>");
        rest = after;
    }
    push_escaped(rest, &mut html);
    html
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::{SCRIPT, SCRIPT_DIGEST, STYLE, STYLE_DIGEST, with_code};

    /// A digest in the format of content security policies.
    fn digest(text: &str) -> String {
        format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
    }

    #[test]
    fn the_policy_allows_style_and_script() {
        assert_eq!(digest(STYLE), STYLE_DIGEST);
        assert_eq!(digest(SCRIPT), SCRIPT_DIGEST);
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</") && !SCRIPT.contains("<!"));
    }

    #[test]
    fn code_spans_hold_text_alone() {
        assert_eq!(with_code("`a<b` is `c"), "<code>a&lt;b</code> is `c");
        assert_eq!(with_code("<b>`</b>`"), "&lt;b&gt;<code>&lt;/b&gt;</code>");
    }
}
