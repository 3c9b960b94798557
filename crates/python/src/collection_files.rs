//! Collections beside stores in folders, and texts of RDF: what is read into a collection, and written from it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::PoisonError;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::rdf::minted::{blank_graph, blank_graph_label};
use evalgraph::rdf::{QuadBuffer, QuadSink};
use evalgraph::store::EncodedQuad;
use evalgraph::{Error, QuadsChange, Store};
use oxrdf::{BlankNode, GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

use crate::collected_terms::{CollectedKey, CollectedNumber, CollectedTerm};
use crate::collection_state::{CollectionState, RecordedChanges, SharedCollection};
use crate::quad_orders::NumberedQuad;

impl SharedCollection {
    /// Adds the quads of a store, and records changes from now on.
    pub(crate) fn read_store(&self, folder: PathBuf) -> Result<(), Error> {
        let loaded = Store::open(folder)?.snapshot()?;
        let (dataset, mut quads) = (loaded.dataset(), Vec::new());
        let mut state = self.state_in_work();
        let mut numbers: Vec<Option<CollectedNumber>> = vec![None; dataset.dictionary().len() + 1];
        for name in dataset.graphs_of_data() {
            let graph = graph_key(&dataset.dictionary().term(name));
            let graph = state.terms.intern(&graph);
            for EncodedQuad { subject, predicate, object, .. } in dataset.graph_quads(name) {
                let [subject, predicate, object] = [subject, predicate, object].map(|id| {
                    *numbers[id.index()].get_or_insert_with(|| {
                        let term = dataset.dictionary().term(id);
                        state.terms.intern(&CollectedKey::new(CollectedTerm::from_term(&term)))
                    })
                });
                quads.push([subject, predicate, object, graph]);
            }
        }
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()).into());
        }
        state.extend(quads);
        state.changes = Some(RecordedChanges::default());
        Ok(())
    }

    /// Writes the changes since the last commit into a store, in one transaction.
    pub(crate) fn write_store(&self, folder: PathBuf) -> Result<(), Error> {
        let _updating = self.updating.lock().unwrap_or_else(PoisonError::into_inner);
        let (changes, change) = {
            let mut state = self.state_in_work();
            if state.changes.is_none() {
                return Ok(());
            }
            // Changes that come while these are written belong to the next commit.
            let changes = state.changes.replace(RecordedChanges::default()).unwrap_or_default();
            let change = quads_change(&state, &changes);
            (changes, change)
        };
        let written = change.and_then(|change| match change.added.is_empty() && change.removed.is_empty() {
            true => Ok(BTreeMap::new()),
            false => Store::open(folder)?.change_quads(&change),
        });
        let mut state = self.state_in_work();
        match written {
            Ok(labels) => {
                for (label, stored) in labels {
                    let node = state.terms.intern(&CollectedKey::new(CollectedTerm::BlankNode(&label)));
                    state.stored_nodes.insert(node, stored);
                }
                Ok(())
            }
            Err(error) => {
                let later = state.changes.replace(changes).unwrap_or_default();
                if let Some(changes) = &mut state.changes {
                    changes.extend(later);
                }
                Err(error)
            }
        }
    }

    /// Returns the quads, or those of one graph as triples without a graph. `unnamed` is the graph that has no name in
    /// texts.
    pub(crate) fn to_buffer(
        &self,
        graph: Option<&CollectedKey>,
        unnamed: &CollectedKey,
        prefixes: &[(String, String)],
    ) -> QuadBuffer {
        let state = self.state_in_work();
        let mut buffer = QuadBuffer::new();
        for (prefix, namespace) in prefixes {
            buffer.declare_prefix(prefix, namespace);
        }
        let unnamed = state.terms.find(graph.unwrap_or(unnamed));
        let graph = match graph.map(|graph| state.terms.find(graph)) {
            Some(None) => return buffer,
            Some(number) => number,
            None => None,
        };
        let mut ids = vec![None; state.terms.len()];
        for [subject, predicate, object, name] in state.quads.matching([None, None, None, graph], None) {
            let name = Some(name).filter(|name| Some(*name) != unnamed);
            let mut id = |number: CollectedNumber| {
                let known = &mut ids[number as usize];
                *known.get_or_insert_with(|| state.terms.key(number).term().add_to(&mut buffer))
            };
            let [subject, predicate, object] = [subject, predicate, object].map(&mut id);
            let name = name.map(&mut id);
            buffer.quad(subject, predicate, object, name);
        }
        buffer
    }
}

/// Returns the name in the collection of a graph of a store.
fn graph_key(name: &Term) -> CollectedKey {
    match name {
        Term::NamedNode(node) => match blank_graph_label(node.as_str()) {
            Some(label) => CollectedKey::new(CollectedTerm::BlankNode(&label)),
            None => CollectedKey::new(CollectedTerm::Iri(node.as_str())),
        },
        other => CollectedKey::new(CollectedTerm::from_term(other)),
    }
}

fn quads_change(state: &CollectionState, changes: &RecordedChanges) -> Result<QuadsChange, Error> {
    let quads = |quads: &BTreeSet<NumberedQuad>| {
        quads.iter().map(|quad| quad_in_store(state, *quad)).collect::<Result<Vec<_>, Error>>()
    };
    Ok(QuadsChange { removed: quads(&changes.removed)?, added: quads(&changes.added)? })
}

fn quad_in_store(
    state: &CollectionState,
    [subject, predicate, object, graph]: NumberedQuad,
) -> Result<Quad, Error> {
    let term = |number: CollectedNumber| match state.stored_nodes.get(&number) {
        Some(label) => BlankNode::new_unchecked(label).into(),
        None => state.terms.key(number).term().to_term(),
    };
    let graph = match state.terms.key(graph).term() {
        CollectedTerm::BlankNode(label) => blank_graph(label),
        CollectedTerm::Iri(iri) => iri.to_owned(),
        _ => String::new(),
    };
    let [graph, predicate_iri] = [NamedNode::new(graph), NamedNode::new(iri_of(state, predicate))];
    match (NamedOrBlankNode::try_from(term(subject)), predicate_iri, graph) {
        (Ok(subject), Ok(predicate), Ok(graph)) => {
            Ok(Quad { subject, predicate, object: term(object), graph_name: GraphName::NamedNode(graph) })
        }
        _ => {
            let message = "a predicate or a graph has a name that is not an IRI, so the store cannot keep it";
            Err(Box::new(Diagnostic::error("rdf::syntax", message)).into())
        }
    }
}

fn iri_of(state: &CollectionState, number: CollectedNumber) -> &str {
    match state.terms.key(number).term() {
        CollectedTerm::Iri(iri) => iri,
        _ => "",
    }
}
