//! Loaded files, and one state of a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use evalgraph::{Error, LoadedData};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, without_lock};
use crate::checks::{PythonValidation, shapes_validation};
use crate::finding_rows::rows_of_report;
use crate::graphs::PythonGraph;
use crate::python_errors::raised;
use crate::queries::{AskedQuery, answer};
use crate::read_options::{InputsRead, loader_of, names_of};

/// The data that queries read. It does not change, and any number of threads can use it.
#[pyclass(frozen, module = "evalgraph", name = "Dataset")]
pub(crate) struct PythonDataset {
    loaded: LoadedData,
    /// What was read, to validate it; `None` for a state of a store.
    inputs: Option<Arc<InputsRead>>,
}

impl PythonDataset {
    /// A state of a store.
    pub(crate) fn from_store(loaded: LoadedData) -> Self {
        Self { loaded, inputs: None }
    }
}

/// Loads inputs into memory.
#[pyfunction]
#[pyo3(signature = (*inputs, **options))]
pub(crate) fn read(
    py: Python<'_>,
    inputs: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonDataset> {
    let ((loader, limits), names) = (loader_of(options)?, names_of(inputs)?);
    let read = Arc::new(InputsRead { loader, names });
    let again = Arc::clone(&read);
    let loaded = without_lock(py, limits, move |cancellation| {
        read.loader.clone().cancelled_by(cancellation).load(read.names.iter().cloned())
    })?;
    Ok(PythonDataset { loaded, inputs: Some(again) })
}

#[pymethods]
impl PythonDataset {
    fn __len__(&self) -> usize {
        self.loaded.dataset().quad_count()
    }

    /// The file of each graph.
    #[getter]
    fn files(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        let files = self.loaded.files().map_err(|fault| raised(py, &Error::from(fault)))?;
        Ok(files.into_iter().collect())
    }

    /// The prefixes that the files declare, with their namespaces.
    #[getter]
    fn prefixes(&self) -> BTreeMap<String, String> {
        self.loaded.prefixes().iter().cloned().collect()
    }

    /// What was found while the files were read.
    #[getter]
    fn report(&self) -> PyResult<PythonRows> {
        rows_of_report(self.loaded.report())
    }

    /// Answers a query with SELECT.
    #[pyo3(signature = (query, **options))]
    pub(crate) fn select(
        &self,
        py: Python<'_>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        answer(py, &self.loaded, AskedQuery::parse(py, query, options)?)?.into_rows()
    }

    /// Answers a query with ASK.
    #[pyo3(signature = (query, **options))]
    fn ask(&self, py: Python<'_>, query: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        answer(py, &self.loaded, AskedQuery::parse(py, query, options)?)?.into_boolean()
    }

    /// Answers a query with CONSTRUCT or DESCRIBE.
    #[pyo3(signature = (query, **options))]
    fn construct(
        &self,
        py: Python<'_>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonGraph> {
        answer(py, &self.loaded, AskedQuery::parse(py, query, options)?)?.into_graph()
    }

    /// Answers any query.
    #[pyo3(signature = (query, **options))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        answer(py, &self.loaded, AskedQuery::parse(py, query, options)?)?.into_value(py)
    }

    /// Answers a named query. Keyword arguments are limits, and the parameters of the query.
    #[pyo3(signature = (name, **arguments))]
    fn named(
        &self,
        py: Python<'_>,
        name: &str,
        arguments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        answer(py, &self.loaded, AskedQuery::named(py, name, arguments)?)?.into_rows()
    }

    /// Checks the files against shapes of SHACL.
    #[pyo3(signature = (*shapes, **limits))]
    fn validate(
        &self,
        py: Python<'_>,
        shapes: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonValidation> {
        let Some(read) = self.inputs.clone() else {
            let message = "a state of a store has no files to validate; use evalgraph.validate()";
            return Err(PyValueError::new_err(message));
        };
        shapes_validation(py, read, names_of(shapes)?, CallLimits::from_arguments(limits)?)
    }

    fn __repr__(&self) -> String {
        let files = self.loaded.files().map_or(0, |files| files.len());
        format!("<evalgraph.Dataset: {} quads of {files} files>", self.loaded.dataset().quad_count())
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("evalgraph._display")?.getattr("dataset_as_html")?.call1((slf,))?.extract()
    }
}
