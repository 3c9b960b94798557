//! The rows of an answer, as Python sees them: a sequence of rows, and a stream of Arrow.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use evalgraph::sparql::WriteError;
use evalgraph::tables::{AnswerTable, TableFileFormat};
use oxrdf::Term;
use pyo3::exceptions::{PyImportError, PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyTuple};

use crate::arrow_stream::{schema_capsule, stream_capsule};
use crate::term_values::{TermValueForm, python_value};

/// The terms of some rows.
type TermRows = Arc<Vec<Vec<Option<Term>>>>;

/// The rows of an answer, in their order: a sequence, and a stream of Arrow that Polars, DuckDB, pyarrow and pandas read.
/// Beyond 64 MB they are compressed in memory.
#[pyclass(frozen, module = "evalgraph", name = "Rows", sequence)]
pub(crate) struct PythonRows {
    table: Arc<AnswerTable>,
    form: TermValueForm,
    /// The number of the first row of each block in which rows are compressed, and the number of all rows.
    begins: Arc<[u64]>,
    /// The block that was read last, with its number.
    last: Mutex<Option<(usize, TermRows)>>,
}

impl PythonRows {
    /// The rows of a table.
    pub(crate) fn new(table: AnswerTable) -> Self {
        let mut begins = vec![0];
        let mut end = 0;
        for size in table.block_sizes() {
            end += size;
            begins.push(end);
        }
        Self {
            table: Arc::new(table),
            form: TermValueForm::Plain,
            begins: begins.into(),
            last: Mutex::new(None),
        }
    }

    fn shared(&self, form: TermValueForm) -> Self {
        Self {
            table: Arc::clone(&self.table),
            form,
            begins: Arc::clone(&self.begins),
            last: Mutex::new(None),
        }
    }

    /// Returns the block with a row, and the place of the row in it. The number of the row is below that of all rows.
    fn block_of(&self, row: u64) -> PyResult<(TermRows, usize)> {
        let number = self.begins.partition_point(|begin| *begin <= row) - 1;
        let place = usize::try_from(row - self.begins[number]).unwrap_or_default();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, rows)) = &*last
            && *known == number
        {
            return Ok((Arc::clone(rows), place));
        }
        let rows = Arc::new(self.table.block(number).map_err(failed)?);
        *last = Some((number, Arc::clone(&rows)));
        Ok((rows, place))
    }

    fn row<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        row_class: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rows, place) = self.block_of(number)?;
        let terms = rows.get(place).map(Vec::as_slice).unwrap_or_default();
        let values = terms.iter().map(|term| python_value(py, term.as_ref(), self.form));
        let values = values.collect::<PyResult<Vec<_>>>()?;
        row_class.call1((PyTuple::new(py, values)?,))
    }

    /// The class of the rows, which has the names of the columns.
    fn row_class<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("evalgraph._terms")?.getattr("row_class")?.call1((PyTuple::new(py, self.names())?,))
    }

    fn names(&self) -> Vec<&str> {
        self.table.variables().iter().map(oxrdf::Variable::as_str).collect()
    }
}

#[pymethods]
impl PythonRows {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.names()
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.table.rows()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.__len__()?;
        let place = if index < 0 { index.checked_add_unsigned(length) } else { Some(index) };
        let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < length);
        let place = place.ok_or_else(|| {
            PyIndexError::new_err(format!("row {index} does not exist; the answer has {length} rows"))
        })?;
        self.row(py, place as u64, &self.row_class(py)?)
    }

    fn __iter__(slf: Bound<'_, Self>) -> PyResult<PythonRowIterator> {
        let row_class = slf.get().row_class(slf.py())?.unbind();
        Ok(PythonRowIterator { rows: slf.unbind(), row_class, next: 0.into() })
    }

    /// Returns the same rows with every value as a term: an Iri, a BNode or a Literal.
    fn exact(&self) -> Self {
        self.shared(TermValueForm::Exact)
    }

    /// Returns the rows as a list of dictionaries.
    fn to_dicts<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(slf.py());
        for row in slf.try_iter()? {
            list.append(row?.call_method0("asdict")?)?;
        }
        Ok(list)
    }

    /// Returns the rows as a data frame of pandas, which needs pyarrow.
    fn df<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        needed(slf.py(), "pandas", "df")?;
        Self::arrow(slf)?.call_method0("to_pandas")
    }

    /// Returns the rows as a data frame of Polars.
    fn pl<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        needed(slf.py(), "polars", "pl")?.getattr("DataFrame")?.call1((slf,))
    }

    /// Returns the rows as a table of pyarrow.
    fn arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        needed(slf.py(), "pyarrow", "arrow")?.getattr("table")?.call1((slf,))
    }

    /// Writes the rows into a file that is replaced if it exists: `.parquet`, `.arrow` or `.xlsx`.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = TableFileFormat::ALL.into_iter().find(|format| format.name() == extension);
        let format = format.ok_or_else(|| {
            PyValueError::new_err(format!(
                "a file of rows ends in .parquet, .arrow or .xlsx, not `{extension}`"
            ))
        })?;
        let written = py.detach(|| {
            let file = BufWriter::new(File::create(&path)?);
            self.table.write(format, file)
        });
        written.map_err(|error| match error {
            WriteError::Io(error) => failed(error),
            WriteError::Evaluation(error) => PyValueError::new_err(error.to_string()),
        })
    }

    /// The rows as a stream of Arrow, for Polars, DuckDB, pyarrow and pandas.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows an answer with the producer's own schema.
        drop(requested_schema);
        stream_capsule(py, &self.table)
    }

    /// The types of the columns, in Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.table)
    }

    fn __repr__(&self) -> String {
        format!("<evalgraph.Rows: {} rows, columns {}>", self.table.rows(), self.names().join(", "))
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("evalgraph._display")?.getattr("rows_as_html")?.call1((slf,))?.extract()
    }
}

/// Goes through rows.
#[pyclass(frozen, module = "evalgraph", name = "RowIterator")]
pub(crate) struct PythonRowIterator {
    rows: Py<PythonRows>,
    row_class: Py<PyAny>,
    next: std::sync::atomic::AtomicU64,
}

#[pymethods]
impl PythonRowIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let number = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let rows = self.rows.get();
        if number >= rows.table.rows() {
            return Ok(None);
        }
        rows.row(py, number, self.row_class.bind(py)).map(Some)
    }
}

/// Imports a package that a method needs.
fn needed<'py>(py: Python<'py>, package: &str, method: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(package).map_err(|error| {
        let message = format!("{method}() needs the package {package}: pip install {package}");
        let missing = PyImportError::new_err(message);
        missing.set_cause(py, Some(error));
        missing
    })
}

fn failed(error: io::Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}
