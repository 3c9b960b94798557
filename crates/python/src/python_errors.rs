//! Errors as exceptions, which `python/evalgraph/_errors.py` defines.

use evalgraph::Error;
use evalgraph::diagnostic::{Diagnostic, RunReport};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::finding_rows::rows_of_report;

/// The function that makes an exception.
static EXCEPTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let worst: Vec<&Diagnostic> = error.findings().collect();
    exception(py, &error.to_string(), worst.first().copied(), error.report()).unwrap_or_else(|fault| fault)
}

fn exception(
    py: Python<'_>,
    message: &str,
    first: Option<&Diagnostic>,
    report: &RunReport,
) -> PyResult<PyErr> {
    let make = EXCEPTION.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("evalgraph._errors")?.getattr("exception")?.unbind())
    })?;
    let place = first.and_then(|first| first.place.as_deref()).filter(|place| !place.is_whole());
    let place = place.map(|place| (&*place.source, place.line, place.column, place.excerpt.text.as_str()));
    let code = first.map_or("", |first| &*first.code);
    let arguments = (message, code, place, rows_of_report(report)?).into_pyobject(py)?;
    let made = make.bind(py).call1(PyTuple::new(py, arguments.iter())?)?;
    Ok(PyErr::from_value(made))
}
