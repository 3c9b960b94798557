//! JSON-LD documents as graphs, for `python/evalgraph/rdflib.py`.

use std::sync::{Arc, Mutex, PoisonError};

use evalgraph::Error;
use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{BuiltIn, JsonLdOptions, JsonLdProcessor, LoaderChain};
use evalgraph::rdf::QuadBuffer;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{CallLimits, without_lock};
use crate::graphs::PythonGraph;
use crate::json_ld::PythonLoader;

/// Reads a document of JSON-LD. Errors call it `name`. Its contexts are built in, or `loader` finds them.
#[pyfunction]
#[pyo3(signature = (text, name, base=None, loader=None, **limits))]
pub(crate) fn read_json_ld(
    py: Python<'_>,
    text: String,
    name: String,
    base: Option<String>,
    loader: Option<Py<PyAny>>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<PythonGraph> {
    let loader = Arc::new(PythonLoader { function: loader, raised: Mutex::new(None) });
    let used = Arc::clone(&loader);
    let read = without_lock(py, CallLimits::from_arguments(limits)?, move |_| {
        let document = Arc::new(parse(name, text, Limits::default())?);
        let loaders = LoaderChain::default().and(&BuiltIn).and(&*used);
        let mut quads = QuadBuffer::new();
        let mut processor =
            JsonLdProcessor::new(JsonLdOptions { base, ..JsonLdOptions::default() }, &loaders);
        processor.to_rdf(&document, &mut quads).map_err(|error| Error::from(Box::new(error.diagnostic())))?;
        Ok(quads)
    });
    let read = read.inspect_err(|error| {
        let cause = loader.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.set_cause(py, cause);
    })?;
    Ok(PythonGraph::new(read))
}
