//! RDF lists: the items of one, and the statements whose value an item's list is.

use std::collections::HashSet;

use crate::rdf::vocabulary::rdf;
use crate::store::{DatasetView, Dictionary, TermId};

pub(super) struct Lists<'c> {
    view: &'c DatasetView<'c>,
    /// `rdf:first`, if the data have lists.
    first: Option<TermId>,
    rest: Option<TermId>,
    nil: Option<TermId>,
}

impl<'c> Lists<'c> {
    pub(super) fn new(view: &'c DatasetView<'c>, dictionary: &'c Dictionary) -> Self {
        let find = |iri| dictionary.find(oxrdf::NamedNodeRef::new_unchecked(iri).into());
        let has_items = |first: &TermId| view.default_triples(None, Some(*first), None).next().is_some();
        let first = find(rdf::FIRST).filter(has_items);
        Self { view, first, rest: find(rdf::REST), nil: find(rdf::NIL) }
    }

    /// The items of a list, those of lists in it included; none for a node that is no list.
    pub(super) fn items(&self, node: TermId) -> Option<Vec<TermId>> {
        if Some(node) == self.nil {
            return Some(Vec::new());
        }
        if !self.is_cell(node) {
            return None;
        }
        let (mut items, mut seen, mut cells) = (Vec::new(), HashSet::new(), vec![node]);
        while let Some(cell) = cells.pop() {
            if !seen.insert(cell) {
                continue;
            }
            cells.extend(self.objects(cell, self.rest));
            for item in self.objects(cell, self.first) {
                match self.is_cell(item) || Some(item) == self.nil {
                    true => cells.push(item),
                    false => items.push(item),
                }
            }
        }
        Some(items)
    }

    /// The subjects and predicates of the lists that a node is an item of.
    pub(super) fn owners(&self, node: TermId) -> impl Iterator<Item = (TermId, TermId)> {
        let mut cells: Vec<TermId> = match self.first {
            Some(first) => {
                self.view.default_triples(None, Some(first), Some(node)).map(|[cell, ..]| cell).collect()
            }
            None => Vec::new(),
        };
        self.owners_of_cells(&mut cells).into_iter()
    }

    /// The subjects and predicates of the lists that a cell is of.
    pub(super) fn owner_of_cell(&self, cell: TermId) -> Option<(TermId, TermId)> {
        self.owners_of_cells(&mut vec![cell]).first().copied()
    }

    fn owners_of_cells(&self, cells: &mut Vec<TermId>) -> Vec<(TermId, TermId)> {
        let (mut owners, mut seen) = (Vec::new(), HashSet::new());
        while let Some(cell) = cells.pop() {
            if !seen.insert(cell) {
                continue;
            }
            for [subject, predicate, _] in self.view.default_triples(None, None, Some(cell)) {
                match Some(predicate) == self.rest || Some(predicate) == self.first {
                    true => cells.push(subject),
                    false => owners.push((subject, predicate)),
                }
            }
        }
        owners
    }

    fn is_cell(&self, node: TermId) -> bool {
        self.first.is_some() && self.objects(node, self.first).next().is_some()
    }

    fn objects(&self, node: TermId, predicate: Option<TermId>) -> impl Iterator<Item = TermId> + use<'c> {
        let triples = predicate.map(|predicate| self.view.default_triples(Some(node), Some(predicate), None));
        triples.into_iter().flatten().map(|[_, _, object]| object)
    }
}
