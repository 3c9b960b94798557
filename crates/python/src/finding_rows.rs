//! Findings as rows: those of reading and converting, and those of rules.

use evalgraph::ValidationOutcome;
use evalgraph::diagnostic::{Diagnostic, RunReport, SourcePlace};
use evalgraph::tables::AnswerTable;
use oxrdf::{Literal, Term, Variable};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::answer_rows::PythonRows;

const OF_REPORTS: [&str; 8] = ["severity", "code", "message", "file", "line", "column", "text", "help"];
const OF_RULES: [&str; 12] = [
    "file",
    "line",
    "column",
    "severity",
    "rule",
    "component",
    "focus",
    "path",
    "value",
    "message",
    "suggest",
    "page",
];

/// Returns the findings of a report.
pub(crate) fn rows_of_report(report: &RunReport) -> PyResult<PythonRows> {
    rows(&OF_REPORTS, report.findings().map(|finding| row_of_finding(finding).to_vec()))
}

/// Returns the findings of a report that have a code.
pub(crate) fn rows_with_code(report: &RunReport, code: &str) -> PyResult<PythonRows> {
    let found = report.findings().filter(|finding| finding.code == code);
    rows(&OF_REPORTS, found.map(|finding| row_of_finding(finding).to_vec()))
}

fn row_of_finding(finding: &Diagnostic) -> [Option<Term>; 8] {
    let place = finding.place.as_deref();
    let [line, column] = line_and_column(place);
    let help: Vec<String> = finding.help.iter().map(ToString::to_string).collect();
    [
        text(Some(&finding.severity.to_string())),
        text(Some(&finding.code)),
        text(Some(&finding.message)),
        text(place.map(|place| &*place.source)),
        line,
        column,
        text(place.map(|place| place.excerpt.text.as_str())),
        text((!help.is_empty()).then(|| help.join("\n")).as_deref()),
    ]
}

/// Returns the results of a check.
pub(crate) fn rows_of_rules(outcome: &ValidationOutcome) -> PyResult<PythonRows> {
    let of_files = outcome.files.iter().flat_map(|file| {
        file.report.results.iter().map(move |result| {
            let place = result.place.as_deref();
            let [line, column] = line_and_column(place);
            let advice = result.advice.as_deref();
            vec![
                text(Some(place.map_or(&*file.name, |place| &place.source))),
                line,
                column,
                text(Some(result.severity.name())),
                text(Some(&result.rule)),
                text(result.component.as_deref()),
                text(Some(result.focus.as_str())),
                text(result.path.as_deref()),
                text(result.value.as_deref()),
                text(Some(&result.message)),
                text(advice.and_then(|advice| advice.suggest.as_deref())),
                text(advice.and_then(|advice| advice.page.as_deref())),
            ]
        })
    });
    rows(&OF_RULES, of_files)
}

fn text(text: Option<&str>) -> Option<Term> {
    text.map(|text| Literal::new_simple_literal(text).into())
}

fn line_and_column(place: Option<&SourcePlace>) -> [Option<Term>; 2] {
    let place = place.filter(|place| !place.is_whole());
    let number = |number: u64| Literal::from(number).into();
    [place.map(|place| number(place.line)), place.map(|place| number(place.column))]
}

/// Returns rows with these columns.
pub(crate) fn rows(columns: &[&str], rows: impl Iterator<Item = Vec<Option<Term>>>) -> PyResult<PythonRows> {
    let variables: Vec<Variable> = columns.iter().map(|name| Variable::new_unchecked(*name)).collect();
    let table = AnswerTable::from_terms(&variables, rows);
    Ok(PythonRows::new(table.map_err(|error| PyRuntimeError::new_err(error.to_string()))?))
}
