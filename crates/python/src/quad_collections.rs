//! Quads in memory that change, for stores of other packages of Python such as rdflib.

use std::path::PathBuf;
use std::sync::Arc;

use oxrdf::BlankNode;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::call::{CallLimits, without_lock};
use crate::collected_rows::{PythonBindingRows, PythonQuadMatches};
use crate::collected_terms::{CollectedKey, CollectedTerm};
use crate::collection_queries::{CollectionAnswer, CollectionRequest};
use crate::collection_snapshots::CollectionScope;
use crate::collection_state::SharedCollection;
use crate::graphs::PythonGraph;
use crate::python_terms::{PythonTermClasses, unsuitable};
use crate::quad_orders::{NumberedPattern, NumberedQuad};

/// Quads in memory, each with a graph. Any number of threads can use them.
#[pyclass(frozen, module = "evalgraph", name = "QuadCollection")]
pub(crate) struct PythonQuadCollection {
    pub(crate) shared: Arc<SharedCollection>,
}

/// A query or an update. The function in Python gives all.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RequestedText<'py> {
    text: String,
    base: Option<String>,
    namespaces: Vec<(String, String)>,
    bindings: Vec<(String, Bound<'py, PyAny>)>,
    /// The default graph. `None` is the union of all graphs.
    graph: Option<Bound<'py, PyAny>>,
    /// The graph without a name for `GRAPH`, if the default graph is the union.
    unnamed: Bound<'py, PyAny>,
}

/// A place of a quad.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuadPlace {
    Subject,
    Predicate,
    Object,
    Graph,
}

impl QuadPlace {
    const ALL: [Self; 4] = [Self::Subject, Self::Predicate, Self::Object, Self::Graph];

    /// The name of the place, and what it takes.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Subject => ["the subject", "an IRI or a blank node"],
            Self::Predicate => ["the predicate", "an IRI"],
            Self::Object => ["the object", "an IRI, a blank node or a literal"],
            Self::Graph => ["the graph", "an IRI or a blank node"],
        }
    }

    fn takes(self, term: CollectedTerm<'_>) -> bool {
        match term {
            CollectedTerm::Iri(_) => true,
            CollectedTerm::BlankNode(_) => self != Self::Predicate,
            _ => self == Self::Object,
        }
    }
}

impl PythonQuadCollection {
    /// Returns the term of an object that has to be one for its place.
    fn required(&self, object: &Bound<'_, PyAny>, place: QuadPlace) -> PyResult<CollectedKey> {
        let key = self.shared.classes.key_of(object)?;
        key.filter(|key| place.takes(key.term())).ok_or_else(|| unsuitable(object, place.names()))
    }

    fn graph_key(&self, graph: &Bound<'_, PyAny>) -> PyResult<CollectedKey> {
        self.required(graph, QuadPlace::Graph)
    }

    /// Returns the numbers of the terms of a quad, which may be new.
    fn quad(&self, py: Python<'_>, quad: &[Bound<'_, PyAny>; 4]) -> PyResult<NumberedQuad> {
        let mut numbers = {
            let state = self.shared.state(py);
            let number = |place: usize| {
                let known = state.number_of(&quad[place]);
                known.filter(|number| QuadPlace::ALL[place].takes(state.terms.key(*number).term()))
            };
            [0, 1, 2, 3].map(number)
        };
        if numbers.contains(&None) {
            let mut keys: [Option<(CollectedKey, bool)>; 4] = [const { None }; 4];
            for (place, key) in keys.iter_mut().enumerate() {
                if numbers[place].is_none() {
                    let term = self.required(&quad[place], QuadPlace::ALL[place])?;
                    *key = Some((term, self.shared.classes.is_plain(&quad[place])));
                }
            }
            let mut state = self.shared.state(py);
            for (place, key) in keys.iter().enumerate() {
                if let Some((key, is_plain)) = key {
                    numbers[place] = Some(state.intern_with(key, is_plain.then_some(&quad[place])));
                }
            }
        }
        Ok(numbers.map(Option::unwrap_or_default))
    }

    /// Returns the numbers of a pattern, or `None` if nothing can match it.
    fn pattern(
        &self,
        py: Python<'_>,
        places: [Option<&Bound<'_, PyAny>>; 4],
    ) -> PyResult<Option<NumberedPattern>> {
        let mut pattern: NumberedPattern = [None; 4];
        let mut unknown: Vec<(usize, &Bound<'_, PyAny>)> = Vec::new();
        {
            let state = self.shared.state(py);
            for (place, object) in places.into_iter().enumerate() {
                let Some(object) = object else { continue };
                pattern[place] = state.number_of(object);
                if pattern[place].is_none() {
                    unknown.push((place, object));
                }
            }
        }
        for (place, object) in unknown {
            let Some(key) = self.shared.classes.key_of(object)? else { return Ok(None) };
            pattern[place] = self.shared.state(py).terms.find(&key);
            if pattern[place].is_none() {
                return Ok(None);
            }
        }
        Ok(Some(pattern))
    }

    fn request(&self, asked: &RequestedText<'_>) -> PyResult<CollectionRequest> {
        let mut bindings = Vec::new();
        for (name, object) in &asked.bindings {
            bindings.push((name.clone(), self.required(object, QuadPlace::Object)?));
        }
        let scope = match &asked.graph {
            Some(graph) => CollectionScope::Graph(self.graph_key(graph)?),
            None => CollectionScope::Union(self.graph_key(&asked.unnamed)?),
        };
        let (text, base, namespaces) = (asked.text.clone(), asked.base.clone(), asked.namespaces.clone());
        Ok(CollectionRequest { text, base, namespaces, bindings, scope })
    }

    /// A collection of the same classes, with some triples in one graph.
    fn of_triples(&self, py: Python<'_>, triples: Vec<[CollectedKey; 3]>) -> PyResult<Self> {
        let shared = SharedCollection::new(self.shared.classes.shared(py));
        let name = BlankNode::default();
        {
            let mut state = shared.state(py);
            let graph = state.terms.intern(&CollectedKey::new(CollectedTerm::BlankNode(name.as_str())));
            let quads = triples.iter().map(|triple| {
                let [subject, predicate, object] = [0, 1, 2].map(|place| state.terms.intern(&triple[place]));
                [subject, predicate, object, graph]
            });
            let quads = quads.collect();
            state.add_graph(graph);
            state.extend(quads);
        }
        Ok(Self { shared: Arc::new(shared) })
    }
}

#[pymethods]
impl PythonQuadCollection {
    /// An empty collection, whose terms are objects of these classes.
    #[new]
    fn new(
        iri: &Bound<'_, PyType>,
        blank_node: &Bound<'_, PyType>,
        literal: &Bound<'_, PyType>,
    ) -> PyResult<Self> {
        let classes = PythonTermClasses::new(iri, blank_node, literal)?;
        Ok(Self { shared: Arc::new(SharedCollection::new(classes)) })
    }

    /// Adds a quad.
    fn add(
        &self,
        subject: Bound<'_, PyAny>,
        predicate: Bound<'_, PyAny>,
        object: Bound<'_, PyAny>,
        graph: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = subject.py();
        let quad = self.quad(py, &[subject, predicate, object, graph])?;
        self.shared.state(py).insert(quad);
        Ok(())
    }

    /// Adds quads, all or none if one is not a quad.
    fn extend(&self, py: Python<'_>, quads: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut numbered = Vec::new();
        for quad in quads.try_iter()? {
            let (subject, predicate, object, graph) = quad?.extract()?;
            numbered.push(self.quad(py, &[subject, predicate, object, graph])?);
        }
        self.shared.state(py).extend(numbered);
        Ok(())
    }

    /// Adds the quads of a text. Those without a graph go to `graph`. Blank nodes are new ones.
    fn extend_from(&self, py: Python<'_>, quads: &PythonGraph, graph: &Bound<'_, PyAny>) -> PyResult<()> {
        let (graph, quads, shared) = (self.graph_key(graph)?, quads.quads(), Arc::clone(&self.shared));
        without_lock(py, CallLimits::default(), move |_| {
            shared.state_in_work().extend_from(&quads, &graph);
            Ok(())
        })
    }

    /// Removes the quads that match a pattern. None is any term.
    #[pyo3(signature = (subject, predicate, object, graph))]
    fn remove(
        &self,
        py: Python<'_>,
        subject: Option<&Bound<'_, PyAny>>,
        predicate: Option<&Bound<'_, PyAny>>,
        object: Option<&Bound<'_, PyAny>>,
        graph: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let Some(pattern) = self.pattern(py, [subject, predicate, object, graph])? else { return Ok(()) };
        let mut state = self.shared.state(py);
        for quad in state.quads.matching(pattern, None).collect::<Vec<_>>() {
            state.remove(quad);
        }
        Ok(())
    }

    /// Returns the triples that match a pattern in a graph, or in any graph, each with the names of its graphs.
    #[pyo3(signature = (subject, predicate, object, graph))]
    fn matches(
        &self,
        py: Python<'_>,
        subject: Option<&Bound<'_, PyAny>>,
        predicate: Option<&Bound<'_, PyAny>>,
        object: Option<&Bound<'_, PyAny>>,
        graph: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PythonQuadMatches> {
        let pattern = self.pattern(py, [subject, predicate, object, graph])?;
        Ok(PythonQuadMatches::new(Arc::clone(&self.shared), pattern))
    }

    /// Returns how many different triples there are, in all graphs or in one.
    #[pyo3(signature = (graph=None))]
    fn count(&self, py: Python<'_>, graph: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        Ok(match self.pattern(py, [None, None, None, graph])? {
            Some([.., graph]) => self.shared.state(py).quads.triple_count(graph),
            None => 0,
        })
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.shared.state(py).quads.len()
    }

    /// Returns the names of the graphs, including those that are empty.
    fn graphs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let graphs: Vec<_> = self.shared.state(py).quads.graphs().collect();
        PyList::new(py, self.shared.objects(py, &graphs)?)
    }

    /// Adds an empty graph, unless it is there.
    fn add_graph(&self, py: Python<'_>, graph: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = self.graph_key(graph)?;
        let is_plain = self.shared.classes.is_plain(graph);
        let mut state = self.shared.state(py);
        let number = state.intern_with(&key, is_plain.then_some(graph));
        state.add_graph(number);
        Ok(())
    }

    /// Removes a graph with its quads.
    fn remove_graph(&self, py: Python<'_>, graph: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some([.., Some(graph)]) = self.pattern(py, [None, None, None, Some(graph)])? {
            self.shared.state(py).remove_graph(graph);
        }
        Ok(())
    }

    /// Answers a query. Returns its form, and its answer: a boolean, a collection with one graph, or rows with their
    /// variables, which `variable` makes from names.
    #[pyo3(signature = (request, variable, **limits))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        request: RequestedText<'py>,
        variable: &Bound<'py, PyAny>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (request, limits) = (self.request(&request)?, CallLimits::from_arguments(limits)?);
        let shared = Arc::clone(&self.shared);
        let answer = without_lock(py, limits, move |cancellation| request.answer(&shared, cancellation))?;
        match answer {
            CollectionAnswer::Boolean(answer) => ("ASK", answer, py.None()).into_pyobject(py),
            CollectionAnswer::Triples(form, triples) => {
                let triples = self.of_triples(py, triples)?;
                (form.name().to_ascii_uppercase(), triples, py.None()).into_pyobject(py)
            }
            CollectionAnswer::Rows(names, rows) => {
                let variables = names.iter().map(|name| variable.call1((name,)));
                let variables = PyList::new(py, variables.collect::<PyResult<Vec<_>>>()?)?;
                let rows = PythonBindingRows::new(Arc::clone(&self.shared), &variables, rows);
                ("SELECT", rows, variables).into_pyobject(py)
            }
        }
    }

    /// Performs an update, all or nothing. Triples without a graph go to the default graph.
    #[pyo3(signature = (request, **limits))]
    fn update(
        &self,
        py: Python<'_>,
        request: RequestedText<'_>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let (request, limits) = (self.request(&request)?, CallLimits::from_arguments(limits)?);
        let shared = Arc::clone(&self.shared);
        without_lock(py, limits, move |cancellation| request.update(&shared, cancellation))
    }

    /// Reads the quads of a store in a folder. From then on, changes are recorded for `commit` and `rollback`.
    fn open(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let shared = Arc::clone(&self.shared);
        without_lock(py, CallLimits::default(), move |_| shared.read_store(folder))
    }

    /// Writes the recorded changes into a store, in one transaction.
    fn commit(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let shared = Arc::clone(&self.shared);
        without_lock(py, CallLimits::default(), move |_| shared.write_store(folder))
    }

    /// Takes back the recorded changes.
    fn rollback(&self, py: Python<'_>) {
        self.shared.state(py).undo();
    }

    /// Returns the quads as a graph, to be written: all of them, or the triples of one graph.
    #[pyo3(signature = (graph, unnamed, prefixes))]
    fn to_graph(
        &self,
        py: Python<'_>,
        graph: Option<&Bound<'_, PyAny>>,
        unnamed: &Bound<'_, PyAny>,
        prefixes: Vec<(String, String)>,
    ) -> PyResult<PythonGraph> {
        let graph = graph.map(|graph| self.graph_key(graph)).transpose()?;
        let (unnamed, shared) = (self.graph_key(unnamed)?, Arc::clone(&self.shared));
        let quads = without_lock(py, CallLimits::default(), move |_| {
            Ok(shared.to_buffer(graph.as_ref(), &unnamed, &prefixes))
        })?;
        Ok(PythonGraph::new(quads))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = self.shared.state(py);
        format!(
            "<evalgraph.QuadCollection: {} quads in {} graphs>",
            state.quads.len(),
            state.quads.graphs().count()
        )
    }
}
