//! Stores in folders.

use std::path::PathBuf;

use evalgraph::diagnostic::RunReport;
use evalgraph::shacl::ValidationOptions;
use evalgraph::{Error, Loader};
use evalgraph_work::CancellationToken;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, without_lock};
use crate::checks::PythonValidation;
use crate::datasets::PythonDataset;
use crate::finding_rows::rows_of_report;
use crate::read_options::{loader_of, names_of};

/// A store: a folder with files and the changes that were made to them. Any number of processes may read it while one
/// changes it.
#[pyclass(frozen, module = "evalgraph", name = "Store")]
pub(crate) struct PythonStore {
    folder: PathBuf,
}

impl PythonStore {
    /// Opens the store and works with it. A process may have the store open any number of times.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        reading: (Loader, CallLimits),
        work: impl FnOnce(&mut evalgraph::Store) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let (folder, (loader, limits)) = (self.folder.clone(), reading);
        without_lock(py, limits, move |cancellation: CancellationToken| {
            let store = evalgraph::Store::open(folder)?;
            work(&mut store.with_loader(loader.cancelled_by(cancellation)))
        })
    }
}

#[pymethods]
impl PythonStore {
    /// Creates an empty store in a folder, which must not have one: `store::exists`.
    #[staticmethod]
    fn create(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let path = folder.clone();
        without_lock(py, CallLimits::default(), move |_| evalgraph::Store::create(path).map(drop))?;
        Ok(Self { folder })
    }

    /// Opens a store. A folder without one is an `EvalgraphError` with the code `store::missing`.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let path = folder.clone();
        without_lock(py, CallLimits::default(), move |_| evalgraph::Store::open(path).map(drop))?;
        Ok(Self { folder })
    }

    /// Loads inputs that are new or have changed, all or nothing. Returns what was found.
    #[pyo3(signature = (*inputs, **options))]
    fn load(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        let inputs = names_of(inputs)?;
        let report = self.with(py, loader_of(options)?, move |store| store.load(inputs))?;
        rows_of_report(&report)
    }

    /// Runs an update of SPARQL, all or nothing. Returns what was changed.
    #[pyo3(signature = (update, **limits))]
    fn update(
        &self,
        py: Python<'_>,
        update: String,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        let reading = (Loader::new(), CallLimits::from_arguments(limits)?);
        let report: RunReport = self.with(py, reading, move |store| store.update(&update))?;
        rows_of_report(&report)
    }

    /// Returns the state of the store at this moment, which later changes of the store do not change.
    fn snapshot(&self, py: Python<'_>) -> PyResult<PythonDataset> {
        let read = |store: &mut evalgraph::Store| Ok((store.snapshot()?, store.loader().clone()));
        let (loaded, loader) = self.with(py, (Loader::new(), CallLimits::default()), read)?;
        Ok(PythonDataset::from_store(loaded, loader))
    }

    /// Checks the data of the store at this moment against shapes of SHACL, which are files or built-in shapes.
    #[pyo3(signature = (*shapes, **limits))]
    fn validate(
        &self,
        py: Python<'_>,
        shapes: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonValidation> {
        let shapes = names_of(shapes)?;
        let reading = (Loader::new(), CallLimits::from_arguments(limits)?);
        let outcome = self.with(py, reading, move |store| {
            store.validate_by_shapes(shapes, &ValidationOptions::default())
        })?;
        Ok(PythonValidation::new(outcome))
    }

    /// Answers a query with SELECT on the state at this moment.
    #[pyo3(signature = (query, **options))]
    fn select(
        &self,
        py: Python<'_>,
        query: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PythonRows> {
        self.snapshot(py)?.select(py, query, options)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>().getattr("open")?, (self.folder.clone(),)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<evalgraph.Store: {}>", self.folder.display())
    }
}
