//! Files of shapes after they were read: the places of their faults, and the nodes that only they name.

use std::collections::HashMap;

use oxrdf::{NamedNode, Term};

use super::document_places::{ReadDocuments, RereadOptions, WantedTerm};
use crate::input::input_options::RunInputs;
use crate::load::read_session::LoadOptions;
use evalgraph_diagnostics::{Diagnostic, RunReport, SourcePlace};
use evalgraph_shacl::ShapesFault;
use evalgraph_sparql::move_to_store_namespace;
use evalgraph_store::{Dataset, DefaultGraph};

/// The property that names a node as a target.
const TARGET_NODE: &str = "http://www.w3.org/ns/shacl#targetNode";

/// The files of shapes, with everything needed to locate their statements.
pub(super) struct ShapesRead {
    pub(super) dataset: Dataset,
    pub(super) documents: ReadDocuments<'static>,
    pub(super) input: RunInputs,
    pub(super) loading: LoadOptions,
}

impl ShapesRead {
    /// The places of statements in the files of shapes.
    fn places(&self, wanted: Vec<WantedTerm>) -> Vec<Option<SourcePlace>> {
        let with_node = |wanted: WantedTerm| {
            let node = WantedTerm::node(wanted.node.clone());
            vec![wanted, node]
        };
        let wanted: Vec<_> = wanted.into_iter().map(with_node).collect();
        let again =
            RereadOptions { input: &self.input, loading: &self.loading, report: &mut RunReport::default() };
        self.documents.places(&self.dataset, &self.dataset.view(DefaultGraph::Union), again, &wanted)
    }

    /// Adds places to the faults of shapes.
    pub(super) fn placed(&self, faults: Vec<ShapesFault>) -> Vec<Diagnostic> {
        let wanted = faults.iter().map(|fault| {
            let predicate = match &fault.predicate {
                Some(Term::NamedNode(predicate)) => Some(predicate.clone()),
                _ => None,
            };
            WantedTerm { node: fault.subject.clone(), predicate, value: fault.object.clone() }
        });
        let places = self.places(wanted.collect());
        let placed = faults.into_iter().zip(places).map(|(fault, place)| match place {
            Some(place) => fault.diagnostic.at(place),
            None => fault.diagnostic,
        });
        placed.collect()
    }

    /// Nodes that have no place in the data get the place where a shape names them as its target.
    pub(super) fn place_targets(&self, wanted: &[Vec<WantedTerm>], places: &mut [Option<SourcePlace>]) {
        let targets = self.targets();
        let target = |at: &usize| targets.get(&wanted[*at].last()?.node).cloned();
        let unplaced = (0..places.len()).filter(|at| places[*at].is_none());
        let found: Vec<(usize, WantedTerm)> = unplaced.filter_map(|at| Some((at, target(&at)?))).collect();
        let (at, wanted): (Vec<usize>, Vec<WantedTerm>) = found.into_iter().unzip();
        for (at, place) in at.into_iter().zip(self.places(wanted)) {
            places[at] = place;
        }
    }

    /// The statements that name nodes as targets, by node. The names are those in the data.
    fn targets(&self) -> HashMap<Term, WantedTerm> {
        let view = self.dataset.view(DefaultGraph::Union);
        let predicate = NamedNode::new_unchecked(TARGET_NODE);
        let id = view.intern(predicate.clone().into());
        let targets = view.default_triples(None, Some(id), None).map(|[subject, _, object]| {
            let (node, value) = (view.term(subject), view.term(object));
            let mut target = value.clone();
            if let Term::NamedNode(target) = &mut target {
                move_to_store_namespace(target);
            }
            let wanted = WantedTerm { node, predicate: Some(predicate.clone()), value: Some(value.clone()) };
            [(value, wanted.clone()), (target, wanted)]
        });
        targets.flatten().collect()
    }
}
