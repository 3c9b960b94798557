//! The quads of a collection with their terms, and the record of changes that can be undone.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evalgraph::rdf::{QuadBuffer, QuadSink};
use foldhash::fast::RandomState;
use oxrdf::BlankNode;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::collected_terms::{CollectedKey, CollectedNumber, CollectedTerm, CollectedTerms};
use crate::collection_snapshots::{CollectionScope, CollectionSnapshot};
use crate::python_terms::PythonTermClasses;
use crate::quad_orders::{NumberedQuad, QuadOrders};

/// Quads that change. Threads take turns, and no turn lasts while Python runs.
pub(crate) struct SharedCollection {
    pub(crate) classes: PythonTermClasses,
    state: Mutex<CollectionState>,
    /// Held by an update from its snapshot to its changes, so that no update loses those of another.
    pub(crate) updating: Mutex<()>,
}

/// What a collection has.
#[derive(Default)]
pub(crate) struct CollectionState {
    pub(crate) terms: CollectedTerms,
    pub(crate) quads: QuadOrders,
    /// The objects of terms by their numbers, as they were added or when they are first returned.
    objects: Vec<Option<Py<PyAny>>>,
    /// The numbers of these objects by their addresses, which stay theirs. A lookup is much cheaper than one by text.
    addresses: HashMap<usize, CollectedNumber, RandomState>,
    /// The quads as queries read them. `None` after a change.
    pub(crate) snapshot: Option<Arc<CollectionSnapshot>>,
    /// The changes since the last commit, if they are recorded.
    pub(crate) changes: Option<RecordedChanges>,
    /// The labels in the store of blank nodes that were new in an earlier commit.
    pub(crate) stored_nodes: HashMap<CollectedNumber, String>,
}

/// The quads that were added and removed.
#[derive(Default)]
pub(crate) struct RecordedChanges {
    pub(crate) added: BTreeSet<NumberedQuad>,
    pub(crate) removed: BTreeSet<NumberedQuad>,
}

impl RecordedChanges {
    fn add(&mut self, quad: NumberedQuad) {
        if !self.removed.remove(&quad) {
            self.added.insert(quad);
        }
    }

    fn remove(&mut self, quad: NumberedQuad) {
        if !self.added.remove(&quad) {
            self.removed.insert(quad);
        }
    }

    /// Adds changes that were made later.
    pub(crate) fn extend(&mut self, later: Self) {
        later.removed.into_iter().for_each(|quad| self.remove(quad));
        later.added.into_iter().for_each(|quad| self.add(quad));
    }
}

impl SharedCollection {
    /// A collection without quads.
    pub(crate) fn new(classes: PythonTermClasses) -> Self {
        Self { classes, state: Mutex::default(), updating: Mutex::default() }
    }

    /// The state, on a thread of Python. Nothing that runs Python may be called with it.
    pub(crate) fn state<'c>(&'c self, py: Python<'_>) -> MutexGuard<'c, CollectionState> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, on a thread without Python.
    pub(crate) fn state_in_work(&self) -> MutexGuard<'_, CollectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the quads as they are now. `is_exact` is `false` if it does not matter which graph has no name.
    pub(crate) fn snapshot(&self, scope: &CollectionScope, is_exact: bool) -> Arc<CollectionSnapshot> {
        let mut state = self.state_in_work();
        let default_graph = state.terms.intern(scope.graph());
        if let Some(snapshot) = &state.snapshot
            && (!is_exact || snapshot.default_graph == default_graph)
        {
            return Arc::clone(snapshot);
        }
        let snapshot = Arc::new(CollectionSnapshot::new(&state.terms, &state.quads, default_graph));
        state.snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }

    /// Returns the objects of terms.
    pub(crate) fn objects(&self, py: Python<'_>, numbers: &[CollectedNumber]) -> PyResult<Vec<Py<PyAny>>> {
        let (known, missing) = {
            let state = self.state(py);
            let known: Vec<Option<Py<PyAny>>> = numbers
                .iter()
                .map(|number| Some(state.objects.get(*number as usize)?.as_ref()?.clone_ref(py)))
                .collect();
            let places = known.iter().zip(numbers).filter(|(known, _)| known.is_none());
            let missing: Vec<(CollectedNumber, CollectedKey)> =
                places.map(|(_, number)| (*number, state.terms.key(*number).clone())).collect();
            (known, missing)
        };
        let mut made = Vec::with_capacity(missing.len());
        for (number, key) in missing {
            made.push((number, self.classes.object_of(py, key.term())?));
        }
        // An object that was made in vain is released after the turn.
        let mut replaced = Vec::with_capacity(made.len());
        if !made.is_empty() {
            let mut state = self.state(py);
            for (number, object) in &mut made {
                let kept = state.keep(*number, object.bind(py));
                replaced.push(std::mem::replace(object, kept));
            }
        }
        drop(replaced);
        let mut made = made.into_iter().map(|(_, object)| object);
        Ok(known.into_iter().filter_map(|known| known.or_else(|| made.next())).collect())
    }
}

impl CollectionState {
    /// Keeps the object of a term, and returns the one that was kept first.
    fn keep(&mut self, number: CollectedNumber, object: &Bound<'_, PyAny>) -> Py<PyAny> {
        let place = number as usize;
        if self.objects.len() <= place {
            self.objects.resize_with(self.terms.len().max(place + 1), || None);
        }
        let (py, addresses) = (object.py(), &mut self.addresses);
        let kept = self.objects[place].get_or_insert_with(|| {
            addresses.insert(object.as_ptr().addr(), number);
            object.clone().unbind()
        });
        kept.clone_ref(py)
    }

    /// Returns the number of a term whose object is kept, or `None` for another object.
    pub(crate) fn number_of(&self, object: &Bound<'_, PyAny>) -> Option<CollectedNumber> {
        self.addresses.get(&object.as_ptr().addr()).copied()
    }

    /// Returns the number of a term. Its object is kept if it is the first.
    pub(crate) fn intern_with(
        &mut self,
        key: &CollectedKey,
        object: Option<&Bound<'_, PyAny>>,
    ) -> CollectedNumber {
        let number = self.terms.intern(key);
        if let Some(object) = object {
            self.keep(number, object);
        }
        number
    }

    /// Adds a quad.
    pub(crate) fn insert(&mut self, quad: NumberedQuad) {
        if !self.quads.insert(quad) {
            return;
        }
        self.snapshot = None;
        if let Some(changes) = &mut self.changes {
            changes.add(quad);
        }
    }

    /// Removes a quad.
    pub(crate) fn remove(&mut self, quad: NumberedQuad) {
        if !self.quads.remove(quad) {
            return;
        }
        self.snapshot = None;
        if let Some(changes) = &mut self.changes {
            changes.remove(quad);
        }
    }

    /// Adds many quads.
    pub(crate) fn extend(&mut self, quads: Vec<NumberedQuad>) {
        if self.changes.is_some() {
            for quad in quads {
                self.insert(quad);
            }
        } else if !quads.is_empty() {
            self.snapshot = None;
            self.quads.extend(quads);
        }
    }

    /// Adds an empty graph, unless it is there.
    pub(crate) fn add_graph(&mut self, graph: CollectedNumber) {
        if !self.quads.has_graph(graph) {
            self.snapshot = None;
            self.quads.add_graph(graph);
        }
    }

    /// Removes a graph with its quads.
    pub(crate) fn remove_graph(&mut self, graph: CollectedNumber) {
        self.snapshot = None;
        for quad in self.quads.matching([None, None, None, Some(graph)], None).collect::<Vec<_>>() {
            self.remove(quad);
        }
        self.quads.remove_graph(graph);
    }

    /// Adds the quads of a text. Those without a graph go to `graph`. Its blank nodes are new ones.
    pub(crate) fn extend_from(&mut self, quads: &QuadBuffer, graph: &CollectedKey) {
        let graph = self.terms.intern(graph);
        let mut sink =
            CollectedQuads { terms: &mut self.terms, quads: Vec::with_capacity(quads.len()), graph };
        quads.copy_into(&mut sink);
        let quads = sink.quads;
        self.extend(quads);
    }

    /// Takes back all changes since the last commit.
    pub(crate) fn undo(&mut self) {
        let Some(RecordedChanges { added, removed }) = self.changes.take() else { return };
        for quad in added {
            self.remove(quad);
        }
        self.extend(removed.into_iter().collect());
        self.changes = Some(RecordedChanges::default());
    }
}

/// Takes the quads of a text.
struct CollectedQuads<'c> {
    terms: &'c mut CollectedTerms,
    quads: Vec<NumberedQuad>,
    graph: CollectedNumber,
}

impl CollectedQuads<'_> {
    fn number(&mut self, term: CollectedTerm<'_>) -> CollectedNumber {
        self.terms.intern(&CollectedKey::new(term))
    }
}

impl QuadSink for CollectedQuads<'_> {
    type Term = CollectedNumber;

    fn iri(&mut self, iri: &str) -> CollectedNumber {
        self.number(CollectedTerm::Iri(iri))
    }

    fn blank_node(&mut self) -> CollectedNumber {
        self.number(CollectedTerm::BlankNode(BlankNode::default().as_str()))
    }

    fn string(&mut self, value: &str) -> CollectedNumber {
        self.number(CollectedTerm::String(value))
    }

    fn typed_literal(&mut self, lexical: &str, datatype: CollectedNumber) -> CollectedNumber {
        let datatype = self.terms.key(datatype).clone();
        match datatype.term() {
            CollectedTerm::Iri(datatype) => {
                self.number(CollectedTerm::literal(lexical, None, Some(datatype)))
            }
            _ => self.number(CollectedTerm::String(lexical)),
        }
    }

    fn language_string(&mut self, value: &str, language: &str) -> CollectedNumber {
        self.number(CollectedTerm::Language(value, language))
    }

    fn quad(
        &mut self,
        subject: CollectedNumber,
        predicate: CollectedNumber,
        object: CollectedNumber,
        graph: Option<CollectedNumber>,
    ) {
        self.quads.push([subject, predicate, object, graph.unwrap_or(self.graph)]);
    }
}
