//! Checks of files: by the rules of their systems, by shapes, and by schema.org.

use std::sync::Arc;

use evalgraph::schema_org::CheckOptions;
use evalgraph::shacl::ValidationOptions;
use evalgraph::{ProfileName, ReportFormat, ValidationOutcome};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, without_lock};
use crate::finding_rows::{rows_of_report, rows_of_rules};
use crate::read_options::{InputsRead, loader_of, names_of};

/// The result of a check.
#[pyclass(frozen, module = "evalgraph", name = "Validation")]
pub(crate) struct PythonValidation {
    outcome: ValidationOutcome,
}

impl PythonValidation {
    pub(crate) fn new(outcome: ValidationOutcome) -> Self {
        Self { outcome }
    }
}

/// Checks inputs by the rules of the program that writes them, by a profile of these rules, or by shapes of SHACL:
/// files, or built-in shapes such as `karenina`.
///
/// A finding is not an error: the result has it, with file and line. A file that cannot be read is a `ParseError`.
#[pyfunction]
#[pyo3(signature = (*inputs, shapes=None, profile=None, **options))]
pub(crate) fn validate(
    py: Python<'_>,
    inputs: &Bound<'_, PyTuple>,
    shapes: Option<Vec<String>>,
    profile: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonValidation> {
    let ((loader, limits), inputs) = (loader_of(options)?, names_of(inputs)?);
    if shapes.is_some() && profile.is_some() {
        return Err(PyTypeError::new_err("validate() takes shapes or a profile, not both"));
    }
    let profile = profile.map(|name| {
        ProfileName::from_name(&name)
            .ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a profile")))
    });
    let profile = profile.transpose()?;
    let outcome = without_lock(py, limits, move |cancellation| {
        let loader = loader.cancelled_by(cancellation);
        match (shapes, profile) {
            (Some(shapes), _) => loader.validate_by_shapes(inputs, shapes, &ValidationOptions::default()),
            (None, Some(profile)) => loader.validate_by(inputs, profile),
            (None, None) => loader.validate(inputs),
        }
    })?;
    Ok(PythonValidation::new(outcome))
}

/// Checks inputs against schema.org: unknown terms, values of the wrong type, and properties of other classes; and
/// metadata of datasets against Croissant.
#[pyfunction]
#[pyo3(signature = (*inputs, **options))]
pub(crate) fn check(
    py: Python<'_>,
    inputs: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonValidation> {
    let ((loader, limits), inputs) = (loader_of(options)?, names_of(inputs)?);
    let outcome = without_lock(py, limits, move |cancellation| {
        loader.cancelled_by(cancellation).check(inputs, &CheckOptions::default())
    })?;
    Ok(PythonValidation::new(outcome))
}

/// Checks inputs that were read before against shapes, or by the rules of their systems without one.
pub(crate) fn shapes_validation(
    py: Python<'_>,
    read: Arc<InputsRead>,
    shapes: Vec<String>,
    limits: CallLimits,
) -> PyResult<PythonValidation> {
    let outcome = without_lock(py, limits, move |cancellation| {
        let (loader, inputs) = (read.loader.clone().cancelled_by(cancellation), read.names.iter().cloned());
        match shapes.is_empty() {
            true => loader.validate(inputs),
            false => loader.validate_by_shapes(inputs, shapes, &ValidationOptions::default()),
        }
    })?;
    Ok(PythonValidation::new(outcome))
}

#[pymethods]
impl PythonValidation {
    /// True if no file has a violation. Warnings do not count.
    #[getter]
    fn conforms(&self) -> bool {
        self.outcome.conforms()
    }

    /// The results, with the file and the line of each.
    #[getter]
    fn findings(&self) -> PyResult<PythonRows> {
        rows_of_rules(&self.outcome)
    }

    /// What was found while the files were read.
    #[getter]
    fn report(&self) -> PyResult<PythonRows> {
        rows_of_report(&self.outcome.report)
    }

    /// Returns the results in a format of reports: text, table, json, jsonl, csv, sarif, junit, github, gitlab, markdown
    /// or html.
    #[pyo3(signature = (format="text"))]
    fn text(&self, format: &str) -> PyResult<String> {
        let known = ReportFormat::from_name(format);
        let format =
            known.ok_or_else(|| PyValueError::new_err(format!("`{format}` is not a format of reports")))?;
        let mut bytes = Vec::new();
        self.outcome.write(format, &mut bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn __bool__(&self) -> bool {
        self.outcome.conforms()
    }

    fn __repr__(&self) -> String {
        let results: usize = self.outcome.files.iter().map(|file| file.report.results.len()).sum();
        let conforms = if self.outcome.conforms() { "conforms" } else { "does not conform" };
        format!(
            "<evalgraph.Validation: {conforms}, {results} findings in {} files>",
            self.outcome.files.len()
        )
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("evalgraph._display")?.getattr("validation_as_html")?.call1((slf,))?.extract()
    }
}
