//! The report in JUnit's XML, by the schema that Jenkins publishes (`junit-10.xsd`): one suite for each file, one test
//! case for each rule.
//!
//! A rule has one failure with all of its results, because readers show only the first failure of a test case. Results
//! that do not make the run fail become output of the test case. A rule that has checked nothing is skipped. A file
//! that could not be checked is a suite with one error.

use std::io::{self, Write};

use super::reported_files::{FileReport, ReportedFiles};
use super::text::write_finding;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::markup::{escaped, push_escaped};
use evalgraph_diagnostics::validation::{RuleResult, RuleSummary};

/// How many test cases there are, and how they ended.
#[derive(Default)]
struct TestCaseCounts {
    tests: usize,
    failures: usize,
    skipped: usize,
}

/// Writes the report.
pub(super) fn write(reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
    let mut all = TestCaseCounts::default();
    for file in reported.files() {
        let cases = cases(reported, file);
        all.tests += cases.tests;
        all.failures += cases.failures;
    }
    let (TestCaseCounts { tests, failures, .. }, errors) = (all, reported.unchecked.len());
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        output,
        "<testsuites name=\"evalgraph\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
        tests + errors
    )?;
    reported.files().try_for_each(|file| write_suite(reported, file, output))?;
    reported.unchecked.iter().try_for_each(|fault| write_unchecked(reported, fault, output))?;
    writeln!(output, "</testsuites>")
}

fn write_unchecked(
    reported: &ReportedFiles<'_>,
    fault: &Diagnostic,
    output: &mut impl Write,
) -> io::Result<()> {
    let (name, code) = (escaped(&reported.file_at_fault(fault)), escaped(&fault.code));
    let (message, whole) = (escaped(&fault.message), escaped(&fault.to_string()));
    let class = name.replace('.', "_");
    writeln!(
        output,
        "  <testsuite name=\"{name}\" file=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
         <testcase classname=\"{class}\" name=\"{code}\">\n      \
         <error type=\"{code}\" message=\"{message}\">{whole}</error>\n    </testcase>\n  </testsuite>"
    )
}

fn cases(reported: &ReportedFiles<'_>, file: FileReport<'_>) -> TestCaseCounts {
    let rules = &file.checked.report.rules;
    let failed = |rule: &&RuleSummary| rule.results > 0 && reported.fails(file, rule.severity);
    TestCaseCounts {
        tests: rules.len(),
        failures: rules.iter().filter(failed).count(),
        skipped: rules.iter().filter(|rule| is_skipped(rule)).count(),
    }
}

fn is_skipped(rule: &RuleSummary) -> bool {
    rule.looked_at == 0 && rule.results == 0
}

fn write_suite(
    reported: &ReportedFiles<'_>,
    file: FileReport<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let report = &file.checked.report;
    let (TestCaseCounts { tests, failures, skipped }, name) =
        (cases(reported, file), escaped(&file.checked.name));
    writeln!(
        output,
        "  <testsuite name=\"{name}\" file=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">"
    )?;
    // Readers take everything before the last full stop as the name of a package.
    let class = format!("{}.{}", report.profile, file.checked.name.replace('.', "_"));
    let class = escaped(&class);
    let mut by_rule = file.by_rule().into_iter().peekable();
    for rule in &report.rules {
        let results = by_rule.next_if(|(found, _)| found.id == rule.id);
        let name = escaped(&format!("{}: {}", rule.id, rule.title));
        write!(output, "    <testcase classname=\"{class}\" name=\"{name}\"")?;
        match results {
            None if is_skipped(rule) => {
                writeln!(output, ">\n      <skipped message=\"nothing to check\"/>\n    </testcase>")?;
            }
            None => writeln!(output, "/>")?,
            Some((_, results)) => {
                writeln!(output, ">")?;
                write_results(reported, file, rule, &results, output)?;
                writeln!(output, "    </testcase>")?;
            }
        }
    }
    writeln!(output, "  </testsuite>")
}

fn write_results(
    reported: &ReportedFiles<'_>,
    file: FileReport<'_>,
    rule: &RuleSummary,
    results: &[&RuleResult],
    output: &mut impl Write,
) -> io::Result<()> {
    let severity = rule.severity;
    let found = reported.words.found(rule);
    let end = match reported.fails(file, severity) {
        true => {
            writeln!(output, "      <failure type=\"{severity}\" message=\"{found}\">")?;
            "failure"
        }
        false => {
            writeln!(output, "      <system-out>{severity}: {found}")?;
            "system-out"
        }
    };
    let (mut lines, mut text) = (Vec::new(), String::new());
    for result in results {
        lines.clear();
        text.clear();
        write_finding(file.finding(result), "  ", &mut lines)?;
        for line in String::from_utf8_lossy(&lines).lines() {
            push_escaped(line, &mut text);
            text.push('\n');
        }
        output.write_all(text.as_bytes())?;
    }
    writeln!(output, "</{end}>")
}
