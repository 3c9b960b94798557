//! Comparing runs of models.

use std::str::from_utf8;

use evalgraph::diagnostic::RunReport;
use evalgraph::runs::{
    ComparedGroup, ComparisonForm, ResultPlace, RunComparison, RunComparisonOptions, SideKey,
};
use oxrdf::{Literal, Term};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::without_lock;
use crate::finding_rows::{rows, rows_of_report};
use crate::read_options::{loader_of, names_of};

const OF_FIGURES: [&str; 20] = [
    "side",
    "baseline",
    "metric",
    "group",
    "name",
    "verdict",
    "pairs",
    "baseline_mean",
    "side_mean",
    "difference",
    "low",
    "high",
    "higher",
    "lower",
    "equal",
    "test",
    "p",
    "corrected_p",
    "smallest_detectable",
    "lower_is_better",
];
const OF_FLIPS: [&str; 12] = [
    "side",
    "metric",
    "task",
    "sample",
    "baseline_score",
    "side_score",
    "gain",
    "baseline_file",
    "baseline_line",
    "side_file",
    "side_line",
    "baseline",
];
const OF_UNPAIRED: [&str; 5] = ["only_in", "task", "sample", "file", "line"];

/// Runs compared sample by sample: which is better, and whether that is more than chance.
#[pyclass(frozen, module = "evalgraph", name = "Comparison")]
pub(crate) struct PythonComparison {
    comparison: RunComparison,
    report: RunReport,
}

/// Compares runs of models sample by sample. The first input is the baseline, and every other one is compared with it; `by`
/// compares the models or the runs inside the inputs.
///
/// Samples are paired by id or by question, repeats are averaged, and p is corrected by Holm's method.
#[pyfunction]
#[pyo3(signature = (*inputs, by=None, baseline=None, metrics=None, **options))]
pub(crate) fn compare(
    py: Python<'_>,
    inputs: &Bound<'_, PyTuple>,
    by: Option<&str>,
    baseline: Option<String>,
    metrics: Option<Vec<String>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonComparison> {
    let ((loader, limits), inputs) = (loader_of(options)?, names_of(inputs)?);
    let by = match by {
        Some("input") => SideKey::Argument,
        Some("model") => SideKey::Model,
        Some("run") => SideKey::Run,
        None if inputs.len() > 1 => SideKey::Argument,
        None => SideKey::Model,
        Some(other) => {
            let message = format!("`by` is `{other}`; it can be `input`, `model` or `run`");
            return Err(PyValueError::new_err(message));
        }
    };
    let metrics = metrics.unwrap_or_default();
    let wanted = RunComparisonOptions { by, baseline, metrics, ..RunComparisonOptions::default() };
    let (comparison, report) = without_lock(py, limits, move |cancellation| {
        loader.cancelled_by(cancellation).compare(inputs, &wanted)
    })?;
    Ok(PythonComparison { comparison, report })
}

#[pymethods]
impl PythonComparison {
    /// A row for each side, metric and group of samples: all of them, those of a task, those with a keyword.
    #[getter]
    fn rows(&self) -> PyResult<PythonRows> {
        let of_side = self.comparison.others.iter().flat_map(|other| {
            other.rows.iter().map(move |row| {
                let figures = &row.figures;
                let (group, name) = match row.group {
                    ComparedGroup::All => ("all", None),
                    ComparedGroup::Task(name) => ("task", Some(name)),
                    ComparedGroup::Keyword(name) => ("keyword", Some(name)),
                };
                let interval = figures.interval.as_ref();
                vec![
                    text(self.side(other.side)),
                    text(self.side(0)),
                    text(self.comparison.table.text(row.metric)),
                    text(group),
                    name.and_then(|name| text(self.comparison.table.text(name))),
                    text(row.verdict.name()),
                    count(figures.pairs),
                    number(figures.first_mean),
                    number(figures.second_mean),
                    number(figures.mean_difference),
                    number(interval.map(|interval| interval.low)),
                    number(interval.map(|interval| interval.high)),
                    count(figures.wins),
                    count(figures.losses),
                    count(figures.ties),
                    text(row.test_name()),
                    number(figures.p_value),
                    number(row.adjusted_p),
                    number(figures.smallest_detectable),
                    Some(Literal::from(row.lower_is_better).into()),
                ]
            })
        });
        rows(&OF_FIGURES, of_side)
    }

    /// The samples whose scores differ, the largest losses first.
    #[getter]
    fn flips(&self) -> PyResult<PythonRows> {
        let table = &self.comparison.table;
        let of_side = self.comparison.others.iter().flat_map(|other| {
            other.flips.iter().map(move |flip| {
                vec![
                    text(self.side(other.side)),
                    text(table.text(flip.metric)),
                    flip.task.and_then(|task| text(table.text(task))),
                    flip.sample.and_then(|sample| text(table.text(sample))),
                    number(Some(flip.first)),
                    number(Some(flip.second)),
                    number(Some(flip.gain)),
                    self.file(flip.first_place),
                    count(flip.first_place.line as usize),
                    self.file(flip.second_place),
                    count(flip.second_place.line as usize),
                    text(self.side(0)),
                ]
            })
        });
        rows(&OF_FLIPS, of_side)
    }

    /// The samples that only one side has.
    #[getter]
    fn unpaired(&self) -> PyResult<PythonRows> {
        let table = &self.comparison.table;
        let lists = self
            .comparison
            .others
            .iter()
            .flat_map(|other| [(0, &other.pairing.only_first), (other.side, &other.pairing.only_second)]);
        let samples = lists.flat_map(|(side, lone)| {
            lone.iter().map(move |&at| {
                let sample = &self.comparison.sides[side].samples[at];
                let place = table.results[sample.first].place;
                vec![
                    text(self.side(side)),
                    sample.task.and_then(|task| text(table.text(task))),
                    sample.sample.and_then(|id| text(table.text(id))),
                    self.file(place),
                    count(place.line as usize),
                ]
            })
        });
        rows(&OF_UNPAIRED, samples)
    }

    /// Returns whether any side is worse than the baseline, in any row: by more than chance, and by more than the margin.
    #[pyo3(signature = (margin=0.0))]
    fn has_regression(&self, margin: f64) -> bool {
        self.comparison.has_regression(margin)
    }

    /// What was found while the files were read.
    #[getter]
    fn report(&self) -> PyResult<PythonRows> {
        rows_of_report(&self.report)
    }

    /// The comparison as tables for a terminal. Lists of samples have at most `shown` items.
    #[pyo3(signature = (shown=10))]
    fn text(&self, shown: usize) -> PyResult<String> {
        self.written(ComparisonForm::Text, shown)
    }

    /// The comparison as Markdown, for a comment on a change.
    #[pyo3(signature = (shown=10))]
    fn markdown(&self, shown: usize) -> PyResult<String> {
        self.written(ComparisonForm::Markdown, shown)
    }

    /// The comparison as a page for a browser, which loads nothing.
    #[pyo3(signature = (shown=10))]
    fn html(&self, shown: usize) -> PyResult<String> {
        self.written(ComparisonForm::Html, shown)
    }

    fn __repr__(&self) -> String {
        let sides: Vec<&str> = self.comparison.sides.iter().map(|side| side.name.as_str()).collect();
        let rows: usize = self.comparison.others.iter().map(|other| other.rows.len()).sum();
        format!("<evalgraph.Comparison of {}: {rows} rows>", sides.join(", "))
    }
}

impl PythonComparison {
    fn side(&self, side: usize) -> &str {
        &self.comparison.sides[side].name
    }

    fn file(&self, place: ResultPlace) -> Option<Term> {
        text(self.comparison.table.files.get(place.file as usize)?)
    }

    fn written(&self, form: ComparisonForm, shown: usize) -> PyResult<String> {
        let mut written = Vec::new();
        form.write(&self.comparison, shown, &mut written)?;
        let text = from_utf8(&written).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(text.to_owned())
    }
}

fn text(text: &str) -> Option<Term> {
    Some(Literal::new_simple_literal(text).into())
}

fn count(count: usize) -> Option<Term> {
    Some(Literal::from(count as u64).into())
}

fn number(number: Option<f64>) -> Option<Term> {
    number.map(|number| Literal::from(number).into())
}
