//! Conversions of files into another form.

use std::fs;
use std::path::PathBuf;

use evalgraph::{ConvertedFiles, OutputForm};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::without_lock;
use crate::finding_rows::{rows_of_report, rows_with_code};
use crate::read_options::{loader_of, names_of};

/// The files of a conversion. Nothing is on disk yet.
#[pyclass(frozen, module = "evalgraph", name = "Conversion")]
pub(crate) struct PythonConversion {
    converted: ConvertedFiles,
}

/// Converts inputs into a form, such as `karenina`, `train`, `hf-chat`, `sft`, `ttl` or `nq`. Nothing is written until
/// `write` is called.
///
/// What the form cannot express is in `losses`, with file and line.
#[pyfunction]
#[pyo3(signature = (*inputs, to, **options))]
pub(crate) fn convert(
    py: Python<'_>,
    inputs: &Bound<'_, PyTuple>,
    to: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonConversion> {
    let ((loader, limits), inputs) = (loader_of(options)?, names_of(inputs)?);
    let form = OutputForm::from_name(to);
    let form = form.ok_or_else(|| {
        let names: Vec<&str> = OutputForm::all().map(OutputForm::name).collect();
        PyValueError::new_err(format!("`{to}` is not a form; there are {}", names.join(", ")))
    })?;
    let converted = without_lock(py, limits, move |cancellation| {
        loader.cancelled_by(cancellation).convert(inputs, form)
    })?;
    Ok(PythonConversion { converted })
}

#[pymethods]
impl PythonConversion {
    /// The text of each file, by its path.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        for file in &self.converted.files {
            files.set_item(&file.path, &file.text)?;
        }
        Ok(files)
    }

    /// The values that the form cannot express, with their places.
    #[getter]
    fn losses(&self) -> PyResult<PythonRows> {
        rows_with_code(&self.converted.report, "convert::loss")
    }

    /// All that was found: losses, and values that were filled in.
    #[getter]
    fn report(&self) -> PyResult<PythonRows> {
        rows_of_report(&self.converted.report)
    }

    /// Writes the files into a folder, which is created if it is missing. Returns their paths.
    fn write(&self, folder: PathBuf) -> PyResult<Vec<PathBuf>> {
        let failed = |error: std::io::Error| PyOSError::new_err(error.to_string());
        let mut paths = Vec::new();
        for file in &self.converted.files {
            let path = folder.join(&file.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(failed)?;
            }
            fs::write(&path, &file.text).map_err(failed)?;
            paths.push(path);
        }
        Ok(paths)
    }

    fn __repr__(&self) -> String {
        format!("<evalgraph.Conversion: {} files>", self.converted.files.len())
    }
}
