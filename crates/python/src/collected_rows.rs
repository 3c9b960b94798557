//! The quads that match a pattern and the rows of an answer, as Python goes through them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::vec;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::collected_terms::CollectedNumber;
use crate::collection_snapshots::CollectedValue;
use crate::collection_state::SharedCollection;
use crate::quad_orders::{NumberedPattern, NumberedQuad};

/// How many rows become objects at once.
const BATCH: usize = 64;

/// Goes through the quads that match a pattern. Most programs want few of many quads, or all: the first ones are read
/// alone, and the others together. Later changes of the collection do not affect those that have been read.
#[pyclass(module = "evalgraph", name = "QuadMatches")]
pub(crate) struct PythonQuadMatches {
    collection: Arc<SharedCollection>,
    pattern: Option<NumberedPattern>,
    /// `true` if the pattern names a graph.
    has_graph: bool,
    /// The quads that were read last, and whether there may be others.
    read: vec::IntoIter<NumberedQuad>,
    last: Option<NumberedQuad>,
    ready: VecDeque<Py<PyAny>>,
}

impl PythonQuadMatches {
    /// The quads that match a pattern, or none without one.
    pub(crate) fn new(collection: Arc<SharedCollection>, pattern: Option<NumberedPattern>) -> Self {
        let has_graph = pattern.is_some_and(|[.., graph]| graph.is_some());
        Self {
            collection,
            pattern,
            has_graph,
            read: Vec::new().into_iter(),
            last: None,
            ready: VecDeque::new(),
        }
    }

    fn peek(&mut self, py: Python<'_>) -> Option<NumberedQuad> {
        if let Some(next) = self.read.as_slice().first() {
            return Some(*next);
        }
        let pattern = self.pattern?;
        let most = if self.last.is_none() { BATCH } else { usize::MAX };
        let rows: Vec<NumberedQuad> = {
            let state = self.collection.state(py);
            state.quads.matching(pattern, self.last).take(most).collect()
        };
        self.last = rows.last().copied();
        if rows.len() < most {
            self.pattern = None;
        }
        self.read = rows.into_iter();
        self.read.as_slice().first().copied()
    }

    /// Makes the objects of some rows: triples, or triples each with the names of all graphs that have it.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        let has_graph = self.has_graph;
        let mut numbers: Vec<CollectedNumber> = Vec::with_capacity(4 * BATCH);
        let mut graphs: Vec<usize> = Vec::with_capacity(BATCH);
        while graphs.len() < BATCH
            && let Some([subject, predicate, object, graph]) = self.peek(py)
        {
            self.read.next();
            numbers.extend([subject, predicate, object]);
            if has_graph {
                graphs.push(0);
                continue;
            }
            numbers.push(graph);
            let mut count = 1;
            while let Some([.., graph]) =
                self.peek(py).filter(|next| next[..3] == [subject, predicate, object])
            {
                self.read.next();
                numbers.push(graph);
                count += 1;
            }
            graphs.push(count);
        }
        let mut objects = self.collection.objects(py, &numbers)?.into_iter();
        for count in graphs {
            let triple = PyTuple::new(py, objects.by_ref().take(3).collect::<Vec<_>>())?;
            let row = if has_graph {
                triple.into_any()
            } else {
                let names = PyTuple::new(py, objects.by_ref().take(count).collect::<Vec<_>>())?;
                PyTuple::new(py, [triple, names])?.into_any()
            };
            self.ready.push_back(row.unbind());
        }
        Ok(())
    }
}

#[pymethods]
impl PythonQuadMatches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.ready.is_empty() {
            self.fill(py)?;
        }
        Ok(self.ready.pop_front())
    }
}

/// Goes through the rows of an answer: dictionaries of the terms by their variables, without those that have none.
#[pyclass(module = "evalgraph", name = "BindingRows")]
pub(crate) struct PythonBindingRows {
    collection: Arc<SharedCollection>,
    variables: Vec<Py<PyAny>>,
    rows: vec::IntoIter<Vec<Option<CollectedValue>>>,
    ready: VecDeque<Py<PyAny>>,
}

impl PythonBindingRows {
    /// The rows of an answer. `variables` are the keys of the dictionaries.
    pub(crate) fn new(
        collection: Arc<SharedCollection>,
        variables: &Bound<'_, PyList>,
        rows: Vec<Vec<Option<CollectedValue>>>,
    ) -> Self {
        let variables = variables.iter().map(Bound::unbind).collect();
        Self { collection, variables, rows: rows.into_iter(), ready: VecDeque::new() }
    }

    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        let rows: Vec<_> = self.rows.by_ref().take(BATCH).collect();
        let known = rows.iter().flatten().filter_map(|value| match value {
            Some(CollectedValue::Known(number)) => Some(*number),
            Some(CollectedValue::Computed(_)) | None => None,
        });
        let known: Vec<CollectedNumber> = known.collect();
        let mut objects = self.collection.objects(py, &known)?.into_iter();
        for row in rows {
            let bindings = PyDict::new(py);
            for (variable, value) in self.variables.iter().zip(row) {
                let object = match value {
                    None => continue,
                    Some(CollectedValue::Known(_)) => objects.next(),
                    Some(CollectedValue::Computed(key)) => {
                        Some(self.collection.classes.object_of(py, key.term())?)
                    }
                };
                bindings.set_item(variable, object)?;
            }
            self.ready.push_back(bindings.into_any().unbind());
        }
        Ok(())
    }
}

#[pymethods]
impl PythonBindingRows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.ready.is_empty() {
            self.fill(py)?;
        }
        Ok(self.ready.pop_front())
    }
}
