//! Stores in folders.

use std::path::PathBuf;

use evalgraph::diagnostic::RunReport;
use evalgraph::{Error, Loader};
use evalgraph_work::CancellationToken;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, MemorySize, without_lock};
use crate::datasets::PythonDataset;
use crate::finding_rows::rows_of_report;
use crate::queries::{answer, parsed};
use crate::read_options::{loader_of, names_of};

/// A store: a folder with files and the changes that were made to them.
#[pyclass(frozen, module = "evalgraph", name = "Store")]
pub(crate) struct PythonStore {
    folder: PathBuf,
}

impl PythonStore {
    /// Opens the store and works with it. A process may have the store open any number of times.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        loader: Loader,
        work: impl FnOnce(&mut evalgraph::Store) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let folder = self.folder.clone();
        without_lock(py, CallLimits::default(), move |cancellation: CancellationToken| {
            let store = evalgraph::Store::open(folder)?;
            work(&mut store.with_loader(loader.cancelled_by(cancellation)))
        })
    }
}

#[pymethods]
impl PythonStore {
    /// Creates an empty store in a folder.
    #[staticmethod]
    fn create(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let path = folder.clone();
        without_lock(py, CallLimits::default(), move |_| evalgraph::Store::create(path).map(drop))?;
        Ok(Self { folder })
    }

    /// Opens a store.
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

    /// Runs an update, all or nothing. Returns how many quads were added and removed.
    fn update(&self, py: Python<'_>, update: String) -> PyResult<PythonRows> {
        let report: RunReport = self.with(py, Loader::new(), move |store| store.update(&update))?;
        rows_of_report(&report)
    }

    /// Returns the state of the store at this moment.
    fn snapshot(&self, py: Python<'_>) -> PyResult<PythonDataset> {
        self.with(py, Loader::new(), |store| store.snapshot()).map(PythonDataset::from_store)
    }

    /// Answers a query with SELECT on the state at this moment.
    #[pyo3(signature = (query, *, bind=None, timeout=None, max_memory=None))]
    fn select(
        &self,
        py: Python<'_>,
        query: &str,
        bind: Option<&Bound<'_, PyDict>>,
        timeout: Option<f64>,
        max_memory: Option<MemorySize>,
    ) -> PyResult<PythonRows> {
        let query = parsed(py, query, bind)?;
        let limits = CallLimits::new(timeout, max_memory)?;
        let loaded = self.with(py, Loader::new(), |store| store.snapshot())?;
        answer(py, &loaded, query, limits)?.into_rows()
    }

    fn __repr__(&self) -> String {
        format!("<evalgraph.Store: {}>", self.folder.display())
    }
}
