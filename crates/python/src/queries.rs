//! Queries and their answers.

use std::sync::Arc;

use evalgraph::rdf::QuadBuffer;
use evalgraph::sparql::{
    ExecuteOptions, NamedQueries, NamedQuery, ParameterType, Query, QueryParameter, QueryResults, WriteError,
};
use evalgraph::sql::{SqlDialect, sql_of};
use evalgraph::tables::AnswerTable;
use evalgraph::{Error, LoadedData};
use evalgraph_work::CancellationToken;
use oxrdf::{Literal, Term};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer_rows::PythonRows;
use crate::call::{CallLimits, unknown_argument, without_lock};
use crate::catalogued_data::CataloguedData;
use crate::finding_rows::rows;
use crate::graphs::PythonGraph;
use crate::python_errors::raised;

/// An answer.
pub(crate) enum PythonAnswer {
    Rows(AnswerTable),
    Boolean(bool),
    Graph(QuadBuffer),
}

impl PythonAnswer {
    /// Returns the answer as a value of Python.
    pub(crate) fn into_value(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Rows(table) => PythonRows::new(table).into_pyobject(py)?.into_any(),
            Self::Boolean(answer) => answer.into_pyobject(py)?.to_owned().into_any(),
            Self::Graph(quads) => PythonGraph::new(quads).into_pyobject(py)?.into_any(),
        })
    }

    fn form(&self) -> &'static str {
        match self {
            Self::Rows(_) => "SELECT",
            Self::Boolean(_) => "ASK",
            Self::Graph(_) => "CONSTRUCT or DESCRIBE",
        }
    }

    fn unlike(&self, wanted: &str, method: &str) -> PyErr {
        PyTypeError::new_err(format!(
            "{method}() takes a query with {wanted}, and this is one with {}; query() takes any",
            self.form()
        ))
    }

    /// Returns the rows of SELECT.
    pub(crate) fn into_rows(self) -> PyResult<PythonRows> {
        match self {
            Self::Rows(table) => Ok(PythonRows::new(table)),
            other => Err(other.unlike("SELECT", "select")),
        }
    }

    /// Returns the answer of ASK.
    pub(crate) fn into_boolean(self) -> PyResult<bool> {
        match self {
            Self::Boolean(answer) => Ok(answer),
            other => Err(other.unlike("ASK", "ask")),
        }
    }

    /// Returns the triples of CONSTRUCT or DESCRIBE.
    pub(crate) fn into_graph(self) -> PyResult<PythonGraph> {
        match self {
            Self::Graph(quads) => Ok(PythonGraph::new(quads)),
            other => Err(other.unlike("CONSTRUCT or DESCRIBE", "construct")),
        }
    }
}

/// A query with the limits of its call.
pub(crate) struct AskedQuery {
    query: Query,
    limits: CallLimits,
}

impl AskedQuery {
    /// Parses a query. The option `bind` gives variables values; the others are limits.
    pub(crate) fn parse(py: Python<'_>, text: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let (mut bind, mut limits) = (None, CallLimits::default());
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            match name.as_str() {
                "bind" => bind = value.extract::<Option<Bound<'_, PyDict>>>()?,
                name if limits.set(name, &value)? => {}
                name => return Err(unknown_argument(name, &["bind", "timeout", "max_memory"])),
            }
        }
        Ok(Self { query: parsed(py, text, bind.as_ref())?, limits })
    }

    /// Returns a named query with the values of its parameters. The other arguments are limits.
    pub(crate) fn named(py: Python<'_>, name: &str, arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let failed = |fault| raised(py, &Error::from(fault));
        let queries = NamedQueries::built_in().map_err(failed)?;
        let named = queries.get(name).map_err(failed)?;
        let (mut given, mut limits) = (Vec::new(), CallLimits::default());
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            if limits.set(&name, &value)? {
                continue;
            }
            let mut declared = named.parameters.iter();
            let is_string =
                declared.any(|known| known.name == name && known.parameter_type == ParameterType::String);
            // A text for an IRI or a date is read as such.
            let text = match value.extract::<String>() {
                Ok(text) if !is_string => text,
                _ => sparql_text(&value)?,
            };
            given.push(QueryParameter { name, text });
        }
        let query = named.query().and_then(|query| query.with_parameters(&given, &named.parameters));
        Ok(Self { query: query.map_err(failed)?, limits })
    }
}

/// Parses a query whose variables may have values.
fn parsed(py: Python<'_>, text: &str, bind: Option<&Bound<'_, PyDict>>) -> PyResult<Query> {
    let query = Query::parse(text, "query").map_err(|fault| raised(py, &fault.into()))?;
    let Some(bind) = bind else { return Ok(query) };
    let given = bind.iter().map(|(name, value)| {
        let name: String = name.extract()?;
        let name = name.trim_start_matches(['?', '$']).to_owned();
        Ok(QueryParameter { name, text: sparql_text(&value)? })
    });
    let given = given.collect::<PyResult<Vec<_>>>()?;
    query.with_parameters(&given, &[]).map_err(|fault| raised(py, &fault.into()))
}

/// Returns a value as SPARQL writes its term.
fn sparql_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.py().import("evalgraph._terms")?.getattr("sparql_text")?.call1((value,))?.extract()
}

/// Evaluates a query.
pub(crate) fn answer(
    py: Python<'_>,
    data: &Arc<CataloguedData>,
    asked: AskedQuery,
) -> PyResult<PythonAnswer> {
    let (data, AskedQuery { query, limits }) = (Arc::clone(data), asked);
    without_lock(py, limits, move |cancellation| {
        let loaded = data.for_query(&query, cancellation.clone())?;
        read_all(&loaded.cancelled_by(cancellation.clone()), query, &cancellation)
    })
}

fn read_all(
    loaded: &LoadedData,
    query: Query,
    cancellation: &CancellationToken,
) -> Result<PythonAnswer, Error> {
    let answered = match loaded.execute(query, ExecuteOptions::default())? {
        QueryResults::Solutions(solutions) => {
            AnswerTable::from_solutions(solutions).map(PythonAnswer::Rows).map_err(fault_of)?
        }
        QueryResults::Boolean(answer) => PythonAnswer::Boolean(answer),
        QueryResults::Graph(triples) => {
            let mut quads = QuadBuffer::new();
            quads.extend_triples(triples).map_err(Error::from)?;
            PythonAnswer::Graph(quads)
        }
    };
    cancellation.check()?;
    Ok(answered)
}

fn fault_of(error: WriteError) -> Error {
    match error {
        WriteError::Evaluation(error) => error.into(),
        WriteError::Io(error) => {
            Box::new(evalgraph::diagnostic::Diagnostic::error("output::unwritable", error.to_string())).into()
        }
    }
}

/// Returns the named queries: name, title, description and parameters.
#[pyfunction]
pub(crate) fn queries(py: Python<'_>) -> PyResult<PythonRows> {
    let queries = NamedQueries::built_in().map_err(|fault| raised(py, &fault.into()))?;
    let text = |text: &str| Some(Term::from(Literal::new_simple_literal(text)));
    let row = |query: &NamedQuery| {
        let parameters = query.parameters.iter().map(|parameter| match &parameter.default {
            Some(default) => format!("{}: {} = {default}", parameter.name, parameter.parameter_type),
            None => format!("{}: {}", parameter.name, parameter.parameter_type),
        });
        let parameters: Vec<String> = parameters.collect();
        vec![
            text(&query.name),
            text(&query.title),
            query.description.as_deref().and_then(text),
            text(&parameters.join(", ")),
        ]
    };
    rows(&["name", "title", "description", "parameters"], queries.iter().map(row))
}

/// Writes a query as SQL over a folder that `evalgraph export parquet` has written. The SQL has exactly the answer of the
/// query; a query without such SQL is an `EvalgraphError` with the code `sql::unsupported` and its place.
#[pyfunction]
#[pyo3(signature = (query, dialect, *, bind=None))]
pub(crate) fn sql(
    py: Python<'_>,
    query: &str,
    dialect: &str,
    bind: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let known = SqlDialect::ALL.into_iter().find(|known| known.to_string() == dialect);
    let dialect = known.ok_or_else(|| {
        PyValueError::new_err(format!("a dialect is `duckdb`, `spark` or `datafusion`, not `{dialect}`"))
    })?;
    sql_of(&parsed(py, query, bind)?, dialect).map_err(|fault| raised(py, &fault.into()))
}
