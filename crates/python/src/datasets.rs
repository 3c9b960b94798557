//! Loaded files, and one state of a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use evalgraph::{Error, LoadedData, Loader};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, without_lock};
use crate::catalogued_data::CataloguedData;
use crate::checks::{PythonValidation, shapes_validation};
use crate::finding_rows::rows_of_report;
use crate::graphs::PythonGraph;
use crate::python_errors::raised;
use crate::queries::{AskedQuery, answer};
use crate::read_options::{InputsRead, loader_of, names_of};

/// The data that queries read. It does not change, and any number of threads can use it.
#[pyclass(frozen, module = "evalgraph", name = "Dataset")]
pub(crate) struct PythonDataset {
    data: Arc<CataloguedData>,
    /// What was read, to validate it and to find lines. A state of a store has no names.
    inputs: Arc<InputsRead>,
    /// The options of the call that read it; `None` for a state of a store.
    options: Option<Py<PyDict>>,
}

impl PythonDataset {
    /// A state of a store.
    pub(crate) fn from_store(loaded: LoadedData, loader: Loader) -> Self {
        let data = Arc::new(CataloguedData::from_complete(loaded));
        Self { data, inputs: Arc::new(InputsRead { loader, names: Vec::new() }), options: None }
    }

    /// Returns a table of records. The arguments are limits.
    fn record_table(
        &self,
        py: Python<'_>,
        name: &'static str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        let (data, inputs) = (Arc::clone(&self.data), Arc::clone(&self.inputs));
        let is_stored = self.options.is_none();
        let table = without_lock(py, CallLimits::from_arguments(limits)?, move |cancellation| {
            let loader = inputs.loader.reading_anew().cancelled_by(cancellation);
            let table = data.loaded().record_table(name, &loader)?;
            // A store keeps the texts of its files.
            if !is_stored {
                data.check_again(&loader)?;
            }
            Ok(table)
        })?;
        Ok(PythonRows::new(table))
    }
}

/// Loads inputs into memory, on all cores. An input is a file, a folder, a pattern such as `data/*.jsonld`, or with
/// `network` a URL; the format is recognised.
///
/// A text that cannot be read is a `ParseError` with its place, unless `keep_going` leaves the file out. A missing
/// input is an `EvalgraphError`. Memory: about 40 bytes for each quad and the texts of the terms.
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
    let data = without_lock(py, limits, move |cancellation| CataloguedData::read(read, cancellation))?;
    let options = match options {
        Some(options) => options.copy()?,
        None => PyDict::new(py),
    };
    Ok(PythonDataset { data: Arc::new(data), inputs: again, options: Some(options.unbind()) })
}

/// Reads a dataset that was pickled. Files that have changed since it was read are an error: `input::changed`.
#[pyfunction]
pub(crate) fn read_again(
    inputs: &Bound<'_, PyTuple>,
    options: &Bound<'_, PyDict>,
    states: Vec<String>,
) -> PyResult<PythonDataset> {
    let py = inputs.py();
    let data = read(py, inputs, Some(options))?;
    data.data.check(&states).map_err(|error| raised(py, &error))?;
    Ok(data)
}

#[pymethods]
impl PythonDataset {
    fn __len__(&self) -> usize {
        self.data.loaded().dataset().quad_count()
    }

    /// The file of each graph.
    #[getter]
    fn files(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        let files = self.data.loaded().files().map_err(|fault| raised(py, &Error::from(fault)))?;
        Ok(files.into_iter().collect())
    }

    /// The prefixes that the files declare, with their namespaces.
    #[getter]
    fn prefixes(&self) -> BTreeMap<String, String> {
        self.data.loaded().prefixes().iter().cloned().collect()
    }

    /// What was found while the files were read.
    #[getter]
    fn report(&self) -> PyResult<PythonRows> {
        rows_of_report(self.data.loaded().report())
    }

    /// Answers a query with SELECT. The usual prefixes need no declaration. Patterns match the union of all graphs;
    /// `GRAPH ?g` matches the graph of one file.
    ///
    /// A query that cannot be parsed is a `QueryError` with its place; `Timeout` and `MemoryLimit` end one that exceeds
    /// its limits.
    #[pyo3(signature = (query, **options))]
    pub(crate) fn select(
        &self,
        py: Python<'_>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        answer(py, &self.data, AskedQuery::parse(py, query, options)?)?.into_rows()
    }

    /// Answers a query with ASK. Errors are those of `select`.
    #[pyo3(signature = (query, **options))]
    fn ask(&self, py: Python<'_>, query: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        answer(py, &self.data, AskedQuery::parse(py, query, options)?)?.into_boolean()
    }

    /// Answers a query with CONSTRUCT or DESCRIBE. Errors are those of `select`.
    #[pyo3(signature = (query, **options))]
    fn construct(
        &self,
        py: Python<'_>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonGraph> {
        answer(py, &self.data, AskedQuery::parse(py, query, options)?)?.into_graph()
    }

    /// Answers a query of any form: rows for SELECT, True or False for ASK, a graph for CONSTRUCT and DESCRIBE.
    #[pyo3(signature = (query, **options))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        answer(py, &self.data, AskedQuery::parse(py, query, options)?)?.into_value(py)
    }

    /// Answers a named query; `evalgraph.queries()` lists them. Keyword arguments are limits, and the parameters of the
    /// query.
    #[pyo3(signature = (name, **arguments))]
    fn named(
        &self,
        py: Python<'_>,
        name: &str,
        arguments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        answer(py, &self.data, AskedQuery::named(py, name, arguments)?)?.into_rows()
    }

    /// Returns a row for each question of any system: answer, keywords, rubric, template, sources, author and dates.
    #[pyo3(signature = (**limits))]
    fn questions(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "questions", limits)
    }

    /// Returns a row for each answer to a question: the accepted one, and those that models suggest or experts correct.
    #[pyo3(signature = (**limits))]
    fn answers(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "answers", limits)
    }

    /// Returns a row for each result of a verification: the answer of a model, who read it, and the verdict.
    #[pyo3(signature = (**limits))]
    fn results(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "results", limits)
    }

    /// Returns a row for each value that a person, a model or a metric has given, with its range, and what it was given to.
    #[pyo3(signature = (**limits))]
    fn ratings(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "ratings", limits)
    }

    /// Returns a row for each passage that was retrieved, cited or expected for a question: rank, score, document and text.
    #[pyo3(signature = (**limits))]
    fn retrievals(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "retrievals", limits)
    }

    /// Returns a row for each sample for training or evaluation, with its question and answer.
    #[pyo3(signature = (**limits))]
    fn samples(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "samples", limits)
    }

    /// Returns a row for each run of an evaluation: how many results it has, of how many questions and models, and how many passed.
    #[pyo3(signature = (**limits))]
    fn runs(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "runs", limits)
    }

    /// Returns a row for each model that a file names: its role, and how often it is named.
    #[pyo3(signature = (**limits))]
    fn models(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "models", limits)
    }

    /// Returns a row for each kind of rubric trait of a file, with the number of traits.
    #[pyo3(signature = (**limits))]
    fn traits(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "traits", limits)
    }

    /// Returns a row for each range that a rubric trait is defined with, and the values given.
    #[pyo3(signature = (**limits))]
    fn trait_ranges(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PythonRows> {
        self.record_table(py, "trait_ranges", limits)
    }

    /// Reads the files again, and checks them against shapes of SHACL: files, or built-in shapes such as `karenina`.
    /// Without shapes the rules of the program that writes the files apply.
    #[pyo3(signature = (*shapes, **limits))]
    fn validate(
        &self,
        py: Python<'_>,
        shapes: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonValidation> {
        if self.options.is_none() {
            let message = "a state of a store is not validated; use Store.validate(), or evalgraph.validate() for files";
            return Err(PyValueError::new_err(message));
        }
        let read = Arc::clone(&self.inputs);
        shapes_validation(py, read, names_of(shapes)?, CallLimits::from_arguments(limits)?)
    }

    /// Reads the same files in another process. Refused for a state of a store, and for what cannot be read twice.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, data) = (slf.py(), slf.get());
        let Some(options) = &data.options else {
            let message = "a state of a store cannot be pickled; pickle the Store";
            return Err(PyTypeError::new_err(message));
        };
        if data.inputs.names.iter().any(|name| name == "-") {
            return Err(PyTypeError::new_err("a dataset of standard input cannot be pickled"));
        }
        let arguments = (PyTuple::new(py, &data.inputs.names)?, options.bind(py), data.data.states());
        (py.import("evalgraph._native")?.getattr("read_again")?, arguments).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let files = self.data.loaded().files().map_or(0, |files| files.len());
        format!("<evalgraph.Dataset: {} quads of {files} files>", self.data.loaded().dataset().quad_count())
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("evalgraph._display")?.getattr("dataset_as_html")?.call1((slf,))?.extract()
    }
}
