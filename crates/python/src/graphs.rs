//! A graph or several, as RDF texts have them.

use std::collections::BTreeMap;
use std::sync::Arc;

use evalgraph::Error;
use evalgraph::diagnostic::Diagnostic;
use evalgraph::rdf::canonicalization::{
    CanonicalizationError, CanonicalizationOptions, canonicalize, difference,
};
use evalgraph::rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph::rdf::{BlankNodeLabels, QuadBuffer, RdfFormat, ReadOptions, read, write};
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::call::{CallLimits, without_lock};
use crate::read_options::rdf_format;
use crate::term_values::{TermValueForm, python_value};

/// Quads in memory, as RDF texts have them. It does not change.
#[pyclass(frozen, module = "evalgraph", name = "Graph")]
pub(crate) struct PythonGraph {
    quads: Arc<QuadBuffer>,
}

impl PythonGraph {
    pub(crate) fn new(quads: QuadBuffer) -> Self {
        Self { quads: Arc::new(quads) }
    }

    pub(crate) fn quads(&self) -> Arc<QuadBuffer> {
        Arc::clone(&self.quads)
    }
}

/// A text of RDF.
#[derive(FromPyObject)]
enum RdfTextArgument {
    Text(String),
    Bytes(Vec<u8>),
}

/// Returns a format by its name. JSON-LD is read with `evalgraph.read()`.
fn format_of(name: &str) -> PyResult<RdfFormat> {
    let format = rdf_format(name);
    format.filter(|format| *format != RdfFormat::JsonLd).ok_or_else(|| {
        PyValueError::new_err(format!("a graph has the format nt, nq, ttl, trig, rdf or n3, not `{name}`"))
    })
}

#[pymethods]
impl PythonGraph {
    /// Reads a text of RDF, which errors call `name`. The formats are `nt`, `nq`, `ttl`, `trig`, `rdf` and `n3`; JSON-LD is
    /// read by `read` and `evalgraph.jsonld`. A fault is a `ParseError` with its place.
    #[staticmethod]
    #[pyo3(signature = (text, format="ttl", *, base=None, name="text", **limits))]
    fn parse(
        py: Python<'_>,
        text: RdfTextArgument,
        format: &str,
        base: Option<String>,
        name: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let format = format_of(format)?;
        let bytes = match text {
            RdfTextArgument::Text(text) => text.into_bytes(),
            RdfTextArgument::Bytes(bytes) => bytes,
        };
        let name = name.to_owned();
        let quads = without_lock(py, CallLimits::from_arguments(limits)?, move |_| {
            let mut quads = QuadBuffer::new();
            let options = ReadOptions { format, base: base.as_deref() };
            match read(&name, &bytes, options, &mut quads) {
                Ok(_) => Ok(quads),
                // The first fault is the reason of the others.
                Err(faults) => {
                    let unreadable = || Diagnostic::error("rdf::syntax", "the text cannot be read");
                    Err(Box::new(faults.into_iter().next().unwrap_or_else(unreadable)).into())
                }
            }
        })?;
        Ok(Self::new(quads))
    }

    /// Returns the quads as a text in one of the formats that `parse` reads.
    #[pyo3(signature = (format="nq"))]
    fn serialize(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format = format_of(format)?;
        let mut text = Vec::new();
        let written = py.detach(|| write(&self.quads, format, &mut text));
        written.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns the quads as canonical N-Quads (RDF Dataset Canonicalization), which are equal for isomorphic graphs.
    /// Graphs whose blank nodes are made to be hard to tell apart are refused: `canon::work-limit`.
    #[pyo3(signature = (**limits))]
    fn canonical(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let quads = Arc::clone(&self.quads);
        without_lock(py, CallLimits::from_arguments(limits)?, move |_| {
            let canonical = canonicalize(&quads, CanonicalizationOptions::default());
            let canonical = canonical.map_err(|error| refused(&error))?;
            let mut text = Vec::new();
            canonical.write(&mut text).map_err(|error| {
                Error::from(Box::new(Diagnostic::error("output::unwritable", error.to_string())))
            })?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        })
    }

    /// Returns True if two graphs are the same except for the labels of their blank nodes.
    #[pyo3(signature = (other, **limits))]
    fn isomorphic(&self, py: Python<'_>, other: &Self, limits: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        let (quads, other) = (Arc::clone(&self.quads), Arc::clone(&other.quads));
        without_lock(py, CallLimits::from_arguments(limits)?, move |_| {
            let differ = difference::difference(&quads, &other, CanonicalizationOptions::default());
            Ok(differ.map_err(|error| refused(&error))?.is_empty())
        })
    }

    /// The prefixes that the text declares, with their namespaces.
    #[getter]
    fn prefixes(&self) -> BTreeMap<String, String> {
        self.quads.prefixes().iter().cloned().collect()
    }

    fn __len__(&self) -> usize {
        self.quads.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = PyList::empty(py);
        let labels = BlankNodeLabels::from_quads(&self.quads);
        let term = |id| {
            let term = self.term(id, &labels);
            term.map(|term| python_value(py, Some(&term), TermValueForm::Exact)).transpose()
        };
        for quad in self.quads.quads() {
            let graph = quad.graph.map(term).transpose()?.flatten();
            let terms = [term(quad.subject)?, term(quad.predicate)?, term(quad.object)?, graph];
            rows.append(PyTuple::new(py, terms)?)?;
        }
        Ok(rows.try_iter()?.into_any())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>().getattr("parse")?, (self.serialize(py, "nq")?, "nq")).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<evalgraph.Graph: {} quads>", self.quads.len())
    }
}

impl PythonGraph {
    fn term(&self, id: BufferTermId, labels: &BlankNodeLabels<'_>) -> Option<Term> {
        Some(match self.quads.term(id) {
            TermRef::Iri(iri) => NamedNode::new_unchecked(iri).into(),
            TermRef::BlankNode => {
                BlankNode::new_unchecked(labels.label(self.quads.blank_node_number(id)?)).into()
            }
            TermRef::Literal { lexical, kind } => match kind {
                BufferLiteralKind::String => Literal::new_simple_literal(lexical).into(),
                BufferLiteralKind::Language(language) => {
                    Literal::new_language_tagged_literal_unchecked(lexical, language).into()
                }
                BufferLiteralKind::Datatype(_, datatype) => {
                    Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
                }
            },
        })
    }
}

/// Returns the error of a graph that cannot be canonicalized.
fn refused(error: &CanonicalizationError) -> Error {
    let code = match error {
        CanonicalizationError::WorkLimit(_) => "canon::work-limit",
        CanonicalizationError::BlankNodePredicate => "canon::blank-predicate",
    };
    Box::new(Diagnostic::error(code, error.to_string())).into()
}
