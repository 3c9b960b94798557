//! A validation with SHACL whose result is a graph, for `python/evalgraph/pyshacl.py`.

use std::collections::HashMap;

use evalgraph::rdf::quad_buffer::BufferTermId;
use evalgraph::rdf::{QuadBuffer, QuadSink};
use evalgraph::shacl::{
    Severity, Shapes, ShapesOptions, ValidationOptions, ValidationReport, ValidationResult,
};
use evalgraph::store::{Dataset, DefaultGraph, TermId};
use evalgraph::{Error, InputFormat, LoadedData, Loader};
use oxrdf::{NamedNode, Term};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::{CallLimits, MemorySize, without_lock};
use crate::graphs::PythonGraph;
use crate::read_options::rdf_format;

/// What is validated, and how. The function in Python gives all.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ShaclRequest {
    /// Files whose union is validated.
    data: Vec<String>,
    /// The base of relative IRIs in the data.
    data_base: String,
    data_format: Option<String>,
    shapes: Vec<String>,
    shapes_base: String,
    shapes_format: Option<String>,
    /// Reads what the shapes import.
    imports: bool,
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
    let format = rdf_format(name);
    let format = format.ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a format of RDF")))?;
    Ok(loader.format(InputFormat::Rdf(format)))
}

/// Reads shapes, and returns the graphs that they are from. These are unknown if the shapes import others.
fn read_shapes(
    loader: &Loader,
    files: Vec<String>,
    imports: bool,
) -> Result<(Shapes, Option<LoadedData>), Error> {
    if !imports {
        let loaded = loader.load(files.iter().cloned())?;
        let options = ShapesOptions { plain: true, ..ShapesOptions::default() };
        if let Ok(shapes) = Shapes::compile(loaded.dataset(), &options) {
            return Ok((shapes, Some(loaded)));
        }
        // The faults get their places below.
    }
    Ok((loader.shapes(files)?, None))
}

/// Returns whether files conform to shapes, and the report as a graph, with what the data and the shapes say about its blank nodes.
#[pyfunction]
pub(crate) fn shacl_report(py: Python<'_>, request: ShaclRequest) -> PyResult<(bool, PythonGraph)> {
    let options = request.options()?;
    let data = loader_of(&request.data_base, request.data_format.as_deref())?;
    let shapes = loader_of(&request.shapes_base, request.shapes_format.as_deref())?;
    let limits = CallLimits::from_request(request.timeout, request.max_memory.clone())?;
    let (conforms, quads) = without_lock(py, limits, move |cancellation| {
        let (shapes, shapes_data) = read_shapes(&shapes, request.shapes, request.imports)?;
        let loaded = data.load(request.data)?.cancelled_by(cancellation);
        let report = loaded.validate(&shapes, &options)?;
        let mut quads = QuadBuffer::new();
        report.to_quads(&mut quads);
        let shapes_view = shapes_data.as_ref().map(|data| data.dataset());
        DescribedReport::new(quads, &report, loaded.dataset(), shapes_view).describe(report.conforms())
    })?;
    Ok((conforms, PythonGraph::new(quads)))
}

/// The graph that a blank node is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NodeOrigin {
    Data,
    Shapes,
}

/// A report to which the statements about its blank nodes are added: otherwise nothing tells which value or shape they are.
struct DescribedReport<'d> {
    quads: QuadBuffer,
    data: &'d Dataset,
    shapes: Option<&'d Dataset>,
    nodes: HashMap<(NodeOrigin, TermId), BufferTermId>,
    waiting: Vec<(NodeOrigin, TermId)>,
}

impl<'d> DescribedReport<'d> {
    fn new(
        quads: QuadBuffer,
        report: &ValidationReport<'_, '_>,
        data: &'d Dataset,
        shapes: Option<&'d Dataset>,
    ) -> Self {
        let mut described = Self { quads, data, shapes, nodes: HashMap::new(), waiting: Vec::new() };
        described.find(report);
        described
    }

    /// Finds the blank nodes of the results. Those of the graph have the order of those of the report.
    fn find(&mut self, report: &ValidationReport<'_, '_>) {
        let mut objects: HashMap<(BufferTermId, BufferTermId), Vec<BufferTermId>> = HashMap::new();
        for quad in self.quads.quads() {
            objects.entry((quad.subject, quad.predicate)).or_default().push(quad.object);
        }
        let objects = |quads: &QuadBuffer, node: BufferTermId, name: &str| {
            let predicate = quads.find_iri(&format!("http://www.w3.org/ns/shacl#{name}"));
            let found = predicate.and_then(|predicate| objects.get(&(node, predicate)));
            found.cloned().unwrap_or_default()
        };
        let Some(first) = self.quads.quads().first() else { return };
        let nodes = objects(&self.quads, first.subject, "result");
        let mut waiting: Vec<(BufferTermId, ValidationResult<'_, '_, '_>)> =
            nodes.into_iter().zip(report.results()).collect();
        while let Some((node, result)) = waiting.pop() {
            let origin = |term: &Term| match report.is_of_data(term) {
                true => NodeOrigin::Data,
                false => NodeOrigin::Shapes,
            };
            let focus = result.focus_node();
            let value = result.value();
            let terms = [
                ("focusNode", Some(&focus), origin(&focus)),
                ("value", value.as_ref(), value.as_ref().map_or(NodeOrigin::Data, origin)),
                ("sourceShape", Some(result.source_shape()), NodeOrigin::Shapes),
                ("sourceConstraint", result.source_constraint(), NodeOrigin::Shapes),
            ];
            for (name, term, origin) in terms {
                if let (Some(Term::BlankNode(blank)), Some(made)) =
                    (term, objects(&self.quads, node, name).first())
                {
                    self.keep(origin, blank.as_str(), *made);
                }
            }
            waiting.extend(objects(&self.quads, node, "detail").into_iter().zip(result.details()));
        }
    }

    fn dataset(&self, origin: NodeOrigin) -> Option<&'d Dataset> {
        match origin {
            NodeOrigin::Data => Some(self.data),
            NodeOrigin::Shapes => self.shapes,
        }
    }

    fn keep(&mut self, origin: NodeOrigin, label: &str, made: BufferTermId) {
        let id = self.dataset(origin).and_then(|dataset| dataset.dictionary().find_blank_node(label));
        let Some(id) = id else { return };
        if self.nodes.insert((origin, id), made).is_none() {
            self.waiting.push((origin, id));
        }
    }

    /// Adds the statements about the blank nodes, and about the blank nodes in these.
    fn describe(mut self, conforms: bool) -> Result<(bool, QuadBuffer), Error> {
        while let Some((origin, id)) = self.waiting.pop() {
            let (Some(dataset), Some(subject)) =
                (self.dataset(origin), self.nodes.get(&(origin, id)).copied())
            else {
                continue;
            };
            let view = dataset.view(DefaultGraph::Union);
            for [_, predicate, object] in view.default_triples(Some(id), None, None) {
                let Term::NamedNode(predicate) = view.term(predicate) else { continue };
                let predicate = self.quads.iri(predicate.as_str());
                let object = match view.term(object) {
                    Term::NamedNode(node) => self.quads.iri(node.as_str()),
                    Term::Literal(literal) => self.quads.literal(&literal),
                    Term::BlankNode(_) => self.node(origin, object),
                };
                self.quads.quad(subject, predicate, object, None);
            }
        }
        Ok((conforms, self.quads))
    }

    fn node(&mut self, origin: NodeOrigin, id: TermId) -> BufferTermId {
        if let Some(known) = self.nodes.get(&(origin, id)) {
            return *known;
        }
        let made = self.quads.blank_node();
        self.nodes.insert((origin, id), made);
        self.waiting.push((origin, id));
        made
    }
}
