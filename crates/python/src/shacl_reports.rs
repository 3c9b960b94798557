//! A validation with SHACL whose result is a graph, for `python/evalgraph/pyshacl.py`.

use evalgraph::rdf::{QuadBuffer, RdfFormat};
use evalgraph::shacl::{Severity, ValidationOptions};
use evalgraph::{Error, InputFormat, Loader};
use oxrdf::NamedNode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::{CallLimits, MemorySize, without_lock};
use crate::graphs::PythonGraph;

/// What is validated, and how. The function in Python gives all.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ShaclRequest {
    data: String,
    /// The base of relative IRIs in the data.
    data_base: String,
    data_format: Option<String>,
    shapes: String,
    shapes_base: String,
    shapes_format: Option<String>,
    focus_nodes: Vec<String>,
    use_shapes: Vec<String>,
    allow_infos: bool,
    allow_warnings: bool,
    timeout: Option<f64>,
    max_memory: Option<MemorySize>,
}

impl ShaclRequest {
    fn options(&self) -> PyResult<ValidationOptions> {
        let conformance_disallows = match (self.allow_infos, self.allow_warnings) {
            (_, true) => Some(vec![Severity::Violation]),
            (true, false) => Some(vec![Severity::Violation, Severity::Warning]),
            (false, false) => None,
        };
        let nodes = |iris: &[String]| {
            let node = |iri: &String| {
                NamedNode::new(iri)
                    .map_err(|error| PyValueError::new_err(format!("`{iri}` is not an IRI: {error}")))
            };
            iris.iter().map(node).collect::<PyResult<Vec<_>>>()
        };
        Ok(ValidationOptions {
            conformance_disallows,
            focus_nodes: nodes(&self.focus_nodes)?,
            shapes: nodes(&self.use_shapes)?,
            ..ValidationOptions::default()
        })
    }
}

/// Returns a loader that changes nothing, for a file in a format.
fn loader_of(base: &str, format: Option<&str>) -> PyResult<Loader> {
    let loader = Loader::new().plain().base(base);
    let Some(name) = format else { return Ok(loader) };
    let format = RdfFormat::from_name(name).or_else(|| RdfFormat::from_media_type(name));
    let format = format.ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a format of RDF")))?;
    Ok(loader.format(InputFormat::Rdf(format)))
}

/// Returns whether a file conforms to shapes, and the report as a graph.
#[pyfunction]
pub(crate) fn shacl_report(py: Python<'_>, request: ShaclRequest) -> PyResult<(bool, PythonGraph)> {
    let options = request.options()?;
    let data = loader_of(&request.data_base, request.data_format.as_deref())?;
    let shapes = loader_of(&request.shapes_base, request.shapes_format.as_deref())?;
    let limits = CallLimits::from_request(request.timeout, request.max_memory.clone())?;
    let (conforms, quads) = without_lock(py, limits, move |cancellation| {
        let shapes = shapes.shapes([request.shapes])?;
        let loaded = data.load([request.data])?.cancelled_by(cancellation);
        let report = loaded.validate(&shapes, &options)?;
        let mut quads = QuadBuffer::new();
        report.to_quads(&mut quads);
        Ok::<_, Error>((report.conforms(), quads))
    })?;
    Ok((conforms, PythonGraph::new(quads)))
}
